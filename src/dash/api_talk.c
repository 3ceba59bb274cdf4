/* api_talk.c - what agents say to each other, the groups of a crew, what an agent has read
 * as a lattice. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/dash_int.h"
#include "store/query_message.h"
#include "text/lattice_read.h"
#include "text/lattice_write.h"

#include <stdio.h>
#include <stdlib.h>

#define AT(field) .offset = offsetof(struct messages_query, field)

const struct option messages_params[] = {
    {.name = "conversation", .type = OPTION_TEXT, .help = "of this one", AT(conversation)},
    {.name = "after", .type = OPTION_INT, .fallback = "0", .help = "behind this number", AT(after)},
    {.name = "n",
     .type = OPTION_U32,
     .fallback = "200",
     .min = 1,
     .max = LIMIT_DASH_NODES,
     .help = "at most so many",
     AT(n)},
    {.name = NULL},
};
#undef AT

static enum status put_message(void *ctx, const struct query_message *m)
{
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_int(j, "id", m->id);
    put_time(j, "at", m->at);
    json_put_str(j, "conversation", m->conversation);
    json_put_str(j, "performative", m->performative);
    json_put_str(j, "sender", m->sender);
    json_put_str(j, "receiver", m->receiver);
    put_time(j, "reply_by", m->reply_by);
    json_put_str(j, "content", m->content);
    json_close(j);
    return ST_OK;
}

enum status api_messages(struct call *r)
{
    const struct messages_query *q = r->params;
    struct json j;
    enum status st;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "rows");
    st = query_view_messages(r->crawl->view, str_of(q->conversation), q->after, q->n, put_message,
                             &j);
    json_close(&j);
    json_close(&j);
    return st;
}

static enum status put_conversation(void *ctx, const struct query_conversation *c)
{
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_int(j, "id", c->id);
    put_time(j, "at", c->at);
    put_time(j, "last_at", c->last_at);
    json_put_str(j, "state", c->outcome);
    json_put_bool(j, "contract", c->contract);
    json_put_str(j, "performative", c->performative);
    json_put_str(j, "manager", c->sender);
    put_text(j, "contractor", c->contractor);
    json_put_int(j, "links", (int64_t)c->offered);
    json_put_int(j, "passed", (int64_t)c->passed);
    put_text(j, "detail", c->detail);
    json_put_int(j, "messages", (int64_t)c->messages);
    json_close(j);
    return ST_OK;
}

enum status api_conversations(struct call *r)
{
    const struct messages_query *q = r->params;
    struct json j;
    enum status st;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "rows");
    st = query_conversations(query_view_query(r->crawl->view), false, q->n, put_conversation, &j);
    json_close(&j);
    json_close(&j);
    return st;
}

/* ---- groups: as the model tells them -------------------------------------- */

enum status api_crew(struct call *r)
{
    static const char *const members[] = {"groups", "threshold", "contracts", "round"};
    struct buf text = BUF_INIT(KIB(512));
    json_t *figures;
    struct json j;

    crawl_key(r->crawl, "model.figures", &text);
    figures = json_loadb(text.len ? text.data : "", text.len, 0, NULL);
    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *value = json_object_get(figures, members[i]);
        char *dump = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

        put_raw(&j, members[i], dump ? str_of(dump) : i == 0 ? STR("[]") : STR(""));
        free(dump);
    }
    json_close(&j);
    json_decref(figures);
    buf_free(&text);
    return ST_OK;
}

/* ---- lattices ------------------------------------------------------------ */

const struct option lattice_params[] = {
    {.name = "agent",
     .type = OPTION_U32,
     .help = "what this agent has read",
     .offset = offsetof(struct lattice_query, agent)},
    {.name = NULL},
};

#define CONCEPTS_SHOWN 200

static enum status take_name(void *ctx, const struct query_agent *a)
{
    return buf_add_str(ctx, a->name);
}

/* Of the text that a model kept. */
static enum status put_lattice(struct json *j, struct str text)
{
    struct lattice_read kept = {0};
    enum status st = text.len > 0 ? lattice_read(text, &kept) : ST_OK;

    if (st != ST_OK)
        return st;
    if (kept.lattice == NULL || lattice_attributes(kept.lattice) == 0) {
        lattice_read_clear(&kept);
        return status_fail(ST_MISSING, "nothing was kept of what it has read");
    }
    lattice_build(kept.lattice, lattice_share(kept.lattice, 0.01));
    lattice_write_json(kept.lattice, kept.names, CONCEPTS_SHOWN, j, "lattice");
    lattice_read_clear(&kept);
    return ST_OK;
}

enum status api_lattice(struct call *r)
{
    const struct lattice_query *q = r->params;
    struct buf key = BUF_INIT(200), text = BUF_INIT(LIMIT_LATTICE_KEPT);
    struct json j;
    enum status st;

    (void)buf_add_z(&key, "lattice.");
    st = query_view_agent(r->crawl->view, q->agent, take_name, &key);
    if (st == ST_OK) {
        crawl_key(r->crawl, key.data, &text);
        json_init(&j, &r->out);
        json_open_object(&j, NULL);
        json_put_int(&j, "agent", q->agent);
        st = put_lattice(&j, buf_str(&text));
        json_close(&j);
    }
    buf_free(&key);
    buf_free(&text);
    return st;
}
