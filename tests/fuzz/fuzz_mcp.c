/* fuzz_mcp.c - whatever a client sends: a message is read, a call becomes a command line in which
 * no word of the client's is an option, and every answer is one line of JSON.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/option.h"
#include "cli/mcp/message.h"
#include "cli/mcp/place.h"
#include "cli/mcp/tools.h"

#include <stdlib.h>

static void check_line(struct buf *out)
{
    json_t *json = json_loadb(out->data, out->len, 0, NULL);

    if (json == NULL || out->full || str_find_char(buf_str(out), '\n', 0) != out->len - 1)
        abort();
    json_decref(json);
    buf_clear(out);
}

static void check_answers(const struct mcp_asker *to)
{
    struct buf out = BUF_INIT(MIB(1));
    struct json j;

    mcp_open_result(&j, &out, to, 1000);
    json_open_array(&j, "tools");
    tools_put(&j, true);
    json_close(&j);
    mcp_close_result(&j);
    check_line(&out);
    mcp_put_error(&out, to, MCP_NO_VERSION, status_text(), "x");
    check_line(&out);
    if (to->token) {
        mcp_put_progress(&out, to, 1, 2, "half");
        check_line(&out);
    }
    buf_free(&out);
}

/* Up to the "--" all words are ours: a command, and options that we name. */
static void check_words(const struct text_list *argv, const char *dir)
{
    size_t i = 1;

    for (; i < argv->count && strcmp(argv->items[i], "--") != 0; i++)
        if (strncmp(argv->items[i], "--", 2) != 0 ||
            !(strchr(argv->items[i], '=') || strcmp(argv->items[i], "--json") == 0 ||
              strcmp(argv->items[i], "--markdown") == 0 || strcmp(argv->items[i], "--quiet") == 0))
            abort();
    if (i == argv->count || argv->items[0][0] == '-' ||
        (strcmp(argv->items[0], "crawl") != 0 && strcmp(argv->items[i + 1], dir) != 0))
        abort();
}

static void check_call(const struct mcp_message *m)
{
    const struct tool *t = tool_find(json_string_value(json_object_get(m->params, "name")));
    const json_t *args = json_object_get(m->params, "arguments");
    struct text_list argv = {0};

    if (t == NULL || (args && !json_is_object(args)))
        return;
    if (tool_argv(t, args, "dir", &argv) == ST_OK && tool_kind(t) != TOOL_NAMES)
        check_words(&argv, "dir");
    (void)tool_number(t, args, "n");
    text_list_free(&argv);
}

/* A name that was read is written so that it reads the same. */
static void check_uri(struct str uri)
{
    struct buf name = BUF_INIT(1000), url = BUF_INIT(LIMIT_URL), again = BUF_INIT(KIB(64));
    struct buf name2 = BUF_INIT(1000), url2 = BUF_INIT(LIMIT_URL);

    if (place_read_uri(uri, &name, &url) == ST_OK && !name.full &&
        str_find(buf_str(&name), STR("/page?url="), 0) == SIZE_MAX) {
        place_uri(&again, name.data, buf_str(&url));
        if (place_read_uri(buf_str(&again), &name2, &url2) != ST_OK ||
            !str_eq(buf_str(&name), buf_str(&name2)) || !str_eq(buf_str(&url), buf_str(&url2)))
            abort();
    }
    buf_free(&name);
    buf_free(&url);
    buf_free(&again);
    buf_free(&name2);
    buf_free(&url2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mcp_message m;

    if (mcp_read((struct str){(const char *)data, size}, &m) == MCP_NONE && m.method)
        check_call(&m);
    check_answers(&m.from);
    check_uri(str_of(json_string_value(json_object_get(m.params, "uri"))));
    mcp_clear(&m);
    return 0;
}
