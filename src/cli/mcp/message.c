/* message.c - one message of the Model Context Protocol. See message.h.
 * SPDX-License-Identifier: MIT */
#include "cli/mcp/message.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>

#define META         "io.modelcontextprotocol/"
#define ID_MAX       1000 /* bytes of an id or a token, as JSON */
#define SENTENCE_MAX 2000

static const char *const earlier[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

const char *mcp_known_version(const char *asked)
{
    for (size_t i = 0; asked && i < ARRAY_LEN(earlier); i++)
        if (strcmp(asked, earlier[i]) == 0)
            return earlier[i];
    return earlier[0];
}

/* A text or a whole number as JSON; NULL: it is something else, or too long. */
static char *token_text(const json_t *value)
{
    char *text = json_is_string(value) || json_is_integer(value)
                     ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)
                     : NULL;

    if (text && strlen(text) > ID_MAX) {
        free(text);
        text = NULL;
    }
    return text;
}

static enum mcp_fault fault(enum mcp_fault code, const char *sentence)
{
    (void)status_fail(ST_INVALID, "%s", sentence);
    return code;
}

static enum mcp_fault read_meta(struct mcp_message *m)
{
    const json_t *meta = json_object_get(m->params, "_meta");
    const json_t *version = json_object_get(meta, META "protocolVersion");

    m->from.token = token_text(json_object_get(meta, "progressToken"));
    m->from.modern = version != NULL;
    if (version && !json_is_string(version))
        return fault(MCP_BAD_PARAMS, META "protocolVersion must be a string");
    if (version && strcmp(json_string_value(version), MCP_VERSION) != 0)
        return fault(MCP_NO_VERSION, "this version of the protocol is not supported");
    return MCP_NONE;
}

enum mcp_fault mcp_read(struct str line, struct mcp_message *ret)
{
    const json_t *id, *version;

    *ret = (struct mcp_message){0};
    if (line.len > LIMIT_MCP_MESSAGE)
        return fault(MCP_NO_REQUEST, "the message is too long");
    ret->json = json_loadb(line.ptr, line.len, JSON_REJECT_DUPLICATES, NULL);
    if (ret->json == NULL)
        return fault(MCP_NO_JSON, "this line is not JSON");
    id = json_object_get(ret->json, "id");
    ret->from.id = token_text(id);
    version = json_object_get(ret->json, "jsonrpc");
    if (!json_is_string(version) || strcmp(json_string_value(version), "2.0") != 0)
        return fault(MCP_NO_REQUEST, "this is not a JSON-RPC 2.0 message");
    if (id && ret->from.id == NULL)
        return fault(MCP_NO_REQUEST, "id must be a short string or a whole number");
    ret->params = json_object_get(ret->json, "params");
    if (ret->params && !json_is_object(ret->params))
        return fault(MCP_BAD_PARAMS, "params must be an object");
    ret->method = json_string_value(json_object_get(ret->json, "method"));
    if (ret->method == NULL && json_object_get(ret->json, "result") == NULL &&
        json_object_get(ret->json, "error") == NULL)
        return fault(MCP_NO_REQUEST, "method must be a string");
    return read_meta(ret);
}

void mcp_asker_clear(struct mcp_asker *a)
{
    free(a->id);
    free(a->token);
    *a = (struct mcp_asker){0};
}

void mcp_clear(struct mcp_message *m)
{
    mcp_asker_clear(&m->from);
    json_decref(m->json);
    *m = (struct mcp_message){0};
}

/* ---- answers ------------------------------------------------------------- */

static void open_answer(struct json *j, struct buf *out, const struct mcp_asker *to)
{
    json_init(j, out);
    json_open_object(j, NULL);
    json_put_z(j, "jsonrpc", "2.0");
    json_put_raw(j, "id", str_of(to->id ? to->id : "null"));
}

static void end_line(struct json *j)
{
    json_close(j);
    buf_add_char(j->out, '\n');
}

void mcp_put_server(struct json *j, const char *name)
{
    json_open_object(j, name);
    json_put_z(j, "name", "brood");
    json_put_z(j, "version", BROOD_VERSION);
    json_close(j);
}

void mcp_open_result(struct json *j, struct buf *out, const struct mcp_asker *to, int64_t lasts)
{
    open_answer(j, out, to);
    json_open_object(j, "result");
    if (!to->modern)
        return;
    json_put_z(j, "resultType", "complete");
    if (lasts >= 0) {
        json_put_int(j, "ttlMs", lasts);
        json_put_z(j, "cacheScope", "private");
    }
    json_open_object(j, "_meta");
    mcp_put_server(j, META "serverInfo");
    json_close(j);
}

void mcp_close_result(struct json *j)
{
    json_close(j);
    end_line(j);
}

static void put_versions(struct json *j, const char *requested)
{
    json_open_object(j, "data");
    json_put_z(j, "requested", requested);
    json_open_array(j, "supported");
    json_put_z(j, NULL, MCP_VERSION);
    for (size_t i = 0; i < ARRAY_LEN(earlier); i++)
        json_put_z(j, NULL, earlier[i]);
    json_close(j);
    json_close(j);
}

void mcp_put_error(struct buf *out, const struct mcp_asker *to, enum mcp_fault code,
                   const char *sentence, const char *requested)
{
    struct json j;

    open_answer(&j, out, to);
    json_open_object(&j, "error");
    json_put_int(&j, "code", code == MCP_NO_RESOURCE && to->modern ? MCP_BAD_PARAMS : code);
    json_put_str(&j, "message", str_sub(str_of(sentence), 0, SENTENCE_MAX));
    if (requested)
        put_versions(&j, requested);
    json_close(&j);
    end_line(&j);
}

void mcp_put_progress(struct buf *out, const struct mcp_asker *to, uint64_t done, uint64_t total,
                      const char *sentence)
{
    struct json j;

    json_begin(&j, out);
    json_put_z(&j, "jsonrpc", "2.0");
    json_put_z(&j, "method", "notifications/progress");
    json_open_object(&j, "params");
    json_put_raw(&j, "progressToken", str_of(to->token));
    json_put_int(&j, "progress", (int64_t)done);
    if (total)
        json_put_int(&j, "total", (int64_t)total);
    json_put_z(&j, "message", sentence);
    json_close(&j);
    end_line(&j);
}
