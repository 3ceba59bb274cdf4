/* talk.c - what agents say to each other, the groups of a crew, what an agent has read
 * as a lattice. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/dash_int.h"
#include "store/read/query.h"
#include "models/crew/crew.h"

/* ---- messages ------------------------------------------------------------ */

struct messages_query {
    char *conversation;
    int64_t after;
    uint32_t n;
};

#define AT(field) .offset = offsetof(struct messages_query, field)

static const struct option messages_params[] = {
    {.name = "conversation", .type = OPTION_TEXT, .help = "of this one", AT(conversation)},
    {INT_OPTION("after", after, NULL, "0", 0, 0), .help = "behind this number"},
    PARAM_N(struct messages_query, n, "200", "at most so many"),
    {.name = NULL},
};
#undef AT

#define PARTIES 100 /* listed for one conversation */

/* The parties, in the order of appearance. */
struct talk {
    struct json json;
    struct text_list parties;
    bool noting; /* only of one conversation: others may have any number */
};

static void note_party(struct talk *t, struct str name)
{
    for (size_t i = 0; i < t->parties.count; i++)
        if (str_eq(str_of(t->parties.items[i]), name))
            return;
    if (t->parties.count < PARTIES)
        text_list_add(&t->parties, name);
}

static enum status put_message(void *ctx, const struct query_message *m)
{
    struct talk *t = ctx;
    struct json *j = &t->json;

    if (t->noting) {
        note_party(t, m->sender);
        note_party(t, m->receiver);
    }
    json_open_object(j, NULL);
    json_put_int(j, "id", m->id);
    json_put_time(j, "at", m->at);
    json_put_str(j, "conversation", m->conversation);
    json_put_str(j, "performative", m->performative);
    json_put_str(j, "sender", m->sender);
    json_put_str(j, "receiver", m->receiver);
    json_put_time(j, "reply_by", m->reply_by);
    json_put_str(j, "content", m->content);
    json_close(j);
    return ST_OK;
}

static enum status put_party_agent(void *ctx, const struct query_agent *a)
{
    json_put_int(ctx, "id", a->id);
    json_put_str(ctx, "kind", a->kind);
    return ST_OK;
}

static enum status put_parties(struct talk *t, struct query *q)
{
    enum status st = ST_OK;

    json_open_array(&t->json, "parties");
    for (size_t i = 0; i < t->parties.count && st == ST_OK; i++) {
        json_open_object(&t->json, NULL);
        json_put_z(&t->json, "name", t->parties.items[i]);
        st = query_agent_named(q, str_of(t->parties.items[i]), put_party_agent, &t->json);
        st = st == ST_MISSING ? ST_OK : st;
        json_close(&t->json);
    }
    json_close(&t->json);
    return st;
}

static enum status api_messages(struct call *r)
{
    const struct messages_query *q = r->params;
    struct query *query = r->crawl->view;
    struct str conversation = str_of(q->conversation);
    struct talk t = {.noting = conversation.len > 0};
    int64_t last = 0;
    enum status st = query_last_said(query, &last);

    json_init(&t.json, &r->out);
    json_open_object(&t.json, NULL);
    json_put_time(&t.json, "last_at", last);
    json_open_array(&t.json, "rows");
    if (st == ST_OK)
        st = query_messages(r->crawl->view, conversation, q->after, q->n, put_message, &t);
    json_close(&t.json);
    if (st == ST_OK && t.noting)
        st = put_parties(&t, query);
    json_close(&t.json);
    text_list_free(&t.parties);
    return st;
}

/* ---- conversations ------------------------------------------------------- */

struct conversations_query {
    bool contracts;
    uint32_t n;
};

static const struct option conversations_params[] = {
    {.name = "contracts",
     .type = OPTION_FLAG,
     .help = "those that hand links on, alone",
     .offset = offsetof(struct conversations_query, contracts)},
    PARAM_N(struct conversations_query, n, "200", "at most so many"),
    {.name = NULL},
};

static enum status put_conversation(void *ctx, const struct query_conversation *c)
{
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_int(j, "id", c->id);
    json_put_time(j, "at", c->at);
    json_put_time(j, "last_at", c->last_at);
    json_put_str(j, "state", c->outcome);
    json_put_bool(j, "contract", c->contract);
    json_put_str(j, "performative", c->performative);
    json_put_str(j, "manager", c->sender);
    json_put_text(j, "receiver", c->receiver);
    json_put_text(j, "contractor", c->contractor);
    json_put_int(j, "links", (int64_t)c->offered);
    json_put_int(j, "passed", (int64_t)c->passed);
    json_put_text(j, "detail", c->detail);
    json_put_int(j, "messages", (int64_t)c->messages);
    json_close(j);
    return ST_OK;
}

static enum status api_conversations(struct call *r)
{
    const struct conversations_query *q = r->params;
    struct json j;
    enum status st;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "rows");
    st = query_conversations(r->crawl->view, q->contracts, q->n, put_conversation, &j);
    json_close(&j);
    json_close(&j);
    return st;
}

/* ---- groups: as the model tells them -------------------------------------- */

static enum status api_crew(struct call *r)
{
    static const char *const members[] = {
        "threshold",     "contracts",         "round",   "questions", "denied", "overlap",
        "links_offered", "links_transferred", "wordnet",
    };
    json_t *figures = crawl_figures(r->crawl), *none = json_array();
    const json_t *groups = json_object_get(figures, "groups");
    struct json j;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    put_value(&j, "groups", json_is_array(groups) ? groups : none);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        put_value(&j, members[i], json_object_get(figures, members[i]));
    json_close(&j);
    json_decref(none);
    json_decref(figures);
    return ST_OK;
}

/* ---- lattices ------------------------------------------------------------ */

struct lattice_query {
    char *agent;
    uint32_t n;
};

static const struct option lattice_params[] = {
    {.name = "agent",
     .type = OPTION_TEXT,
     .metavar = "A",
     .help = "what this agent has read: its name or number",
     .offset = offsetof(struct lattice_query, agent)},
    PARAM_N(struct lattice_query, n, "200", "at most so many concepts, the largest extents first"),
    {.name = NULL},
};

/* The owner of a lattice, and the lattice that was stored. */
struct lattice_owner {
    struct dash_crawl *crawl;
    struct buf name, kind, text;
    uint32_t parent;
};

static enum status take_reader(void *ctx, const struct query_agent *a)
{
    struct lattice_owner *w = ctx;
    struct buf key = BUF_INIT(200);

    buf_clear(&w->name);
    buf_clear(&w->kind);
    buf_add_str(&w->name, a->name);
    buf_add_str(&w->kind, a->kind);
    w->parent = a->parent;
    buf_add_z(&key, "lattice.");
    buf_add_str(&key, a->name);
    if (!key.full)
        crawl_key(w->crawl, key.data, &w->text);
    buf_free(&key);
    return ST_OK;
}

/* A crawler reads for its assistant. */
static enum status find_reader(struct lattice_owner *w, struct str agent)
{
    struct query *v = w->crawl->view;
    enum status st = query_agent_named(v, agent, take_reader, w);

    if (st == ST_OK && w->text.len == 0 && w->parent > 0 &&
        str_eq(buf_str(&w->kind), STR("crawler")))
        st = query_agent(v, w->parent, take_reader, w);
    return st;
}

/* Writes the lattice, or null if there is none yet. */
static enum status put_lattice(struct json *j, struct str text, uint32_t n)
{
    struct lattice_view kept = {0};
    enum status st = text.len > 0 ? lattice_view_read(text, &kept) : ST_OK;

    if (st != ST_OK)
        return st;
    json_put_time(j, "at", kept.at);
    if (kept.lattice && lattice_view_figures(&kept).keywords > 0)
        lattice_view_json(&kept, n, j, "lattice");
    else
        json_put_null(j, "lattice");
    lattice_view_clear(&kept);
    return ST_OK;
}

static enum status api_lattice(struct call *r)
{
    const struct lattice_query *q = r->params;
    struct lattice_owner w = {.crawl = r->crawl,
                              .name = BUF_INIT(1000),
                              .kind = BUF_INIT(1000),
                              .text = BUF_INIT(LIMIT_LATTICE_KEPT)};
    struct json j;
    enum status st = find_reader(&w, str_of(q->agent));

    if (st == ST_OK) {
        json_init(&j, &r->out);
        json_open_object(&j, NULL);
        json_put_str(&j, "agent", buf_str(&w.name));
        json_put_str(&j, "kind", buf_str(&w.kind));
        st = put_lattice(&j, buf_str(&w.text), q->n);
        json_close(&j);
    }
    buf_free(&w.name);
    buf_free(&w.kind);
    buf_free(&w.text);
    return st;
}

const struct route talk_routes[] = {
    {ROUTE_GET("/api/crawls/ID/messages", "what agents said", api_messages),
     PARAMS(messages_params, struct messages_query),
     .answer =
         "{last_at: when anybody spoke last, rows: [{id, at, conversation, performative, sender, "
         "receiver, reply_by, content}], parties: [{name, id, kind}] (of one conversation)}"},
    {ROUTE_GET("/api/crawls/ID/conversations", "the newest conversations, oldest first",
               api_conversations),
     PARAMS(conversations_params, struct conversations_query),
     .answer = "{rows: [{id, at, last_at, state, contract: bool, performative, manager, receiver, "
               "contractor, links, passed, detail, messages}]}"},
    {ROUTE_GET("/api/crawls/ID/crew", "the groups of a crew, as its model tells them", api_crew),
     .light = true,
     .answer =
         "{groups: [{facilitator, crawlers: [{crawler, assistant, ability, S, M, links, pages, "
         "open, given, taken}]}], threshold, contracts: {state: N}, round, questions, denied, "
         "overlap, links_offered, links_transferred, wordnet}"},
    {ROUTE_GET("/api/crawls/ID/lattice", "what an agent has read, as concepts", api_lattice),
     PARAMS(lattice_params, struct lattice_query),
     .answer = "{agent, kind, at, lattice: {objects, attributes, min_extent, complete, total, "
               "concepts: [{intent: [word], extent: N, up: [place]}]} or null (nothing read yet)}"},
    {.path = NULL},
};
