/* tree.c - the family tree, the tree of search paths, and all agents as a list.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "dash/api/nest.h"
#include "dash/dash_int.h"

#include <stddef.h>

#define AGENTS_MOST      1000
#define AGENTS_MOST_TEXT "1000"

/* ---- all agents as one flat list -----------------------------------------
 *
 * It has only what a picture of the whole family needs, because a tree of ten thousand agents with
 * their best pages takes ten times as long. */

static const struct option lives_params[] = {
    {.name = "n",
     .type = OPTION_U32,
     .fallback = "20000",
     .min = 1,
     .max = LIMIT_DASH_LIVES,
     .help = "at most so many, the oldest first",
     .offset = offsetof(struct agent_query, n)},
    {.name = NULL},
};

struct lives {
    struct json json;
    struct map away; /* those that left for another node of the crawl */
    uint32_t left;   /* room */
    uint64_t more;   /* those without */
};

static void note_away(void *ctx, uint32_t agent)
{
    map_set(ctx, hash_u64(agent), 1);
}

static void put_seconds(struct json *j, int64_t at)
{
    if (at)
        json_put_num(j, NULL, (double)(at / 1000) / 1e3);
    else
        json_put_null(j, NULL);
}

static enum status put_life(void *ctx, const struct query_agent *a)
{
    struct lives *l = ctx;
    struct json *j = &l->json;

    if (l->left == 0) {
        l->more++;
        return ST_OK;
    }
    l->left--;
    json_open_array(j, NULL);
    json_put_int(j, NULL, a->id);
    json_put_int(j, NULL, a->parent);
    json_put_str(j, NULL, a->name);
    json_put_num(j, NULL, a->energy);
    json_put_int(j, NULL, (int64_t)a->pages);
    put_seconds(j, a->born_at);
    put_seconds(j, a->died_at);
    if (a->died_at)
        json_put_str(j, NULL, a->death);
    else if (map_get(&l->away, hash_u64(a->id)) != MAP_NONE)
        json_put_z(j, NULL, "away");
    json_close(j);
    return ST_OK;
}

static enum status api_lives(struct call *r)
{
    struct lives l = {.left = ((const struct agent_query *)r->params)->n};
    enum status st;

    map_init(&l.away);
    st = query_away(r->crawl->view, note_away, &l.away);
    json_init(&l.json, &r->out);
    json_open_object(&l.json, NULL);
    json_open_array(&l.json, "rows");
    if (st == ST_OK)
        st = query_agents(r->crawl->view, put_life, &l);
    json_close(&l.json);
    json_put_int(&l.json, "more", (int64_t)l.more);
    json_close(&l.json);
    map_free(&l.away);
    return st;
}

/* ---- some agents by number -------------------------------------------------
 *
 * For a dashboard over several nodes, which has the family and shows a part of it. */

struct agents_query {
    char *ids;
};

static const struct option agents_params[] = {
    {.name = "ids",
     .type = OPTION_TEXT,
     .metavar = "N,N",
     .help = "their numbers, at most " AGENTS_MOST_TEXT,
     .offset = offsetof(struct agents_query, ids)},
    {.name = NULL},
};

struct some_agents {
    struct json json;
    struct dash_crawl *crawl;
};

static enum status put_agent(void *ctx, const struct query_agent *a)
{
    struct some_agents *s = ctx;

    json_open_object(&s->json, NULL);
    agent_row_put(&s->json, s->crawl, a);
    json_close(&s->json);
    return ST_OK;
}

/* Agents that this crawl does not know are left out. */
static enum status api_agents(struct call *r)
{
    struct str rest = str_of(((const struct agents_query *)r->params)->ids), one;
    struct some_agents s = {.crawl = r->crawl};
    enum status st = ST_OK;
    uint64_t id;

    json_init(&s.json, &r->out);
    json_open_object(&s.json, NULL);
    json_open_array(&s.json, "rows");
    for (size_t i = 0; st == ST_OK && rest.len > 0 && str_cut(&rest, ',', &one); i++) {
        if (i >= AGENTS_MOST || !str_to_u64(one, &id) || id == 0 || id > UINT32_MAX)
            return status_fail(ST_USAGE, "ids: at most %d numbers of agents", AGENTS_MOST);
        st = query_agent(r->crawl->view, (uint32_t)id, put_agent, &s);
        st = st == ST_MISSING ? ST_OK : st;
    }
    json_close(&s.json);
    json_close(&s.json);
    return st;
}

/* ---- trees --------------------------------------------------------------- */

struct tree_query {
    uint32_t root, depth, n;
};

#define AT(field) .offset = offsetof(struct tree_query, field)
#define TREE_PARAMS(of)                                                                            \
    {                                                                                              \
        {.name = "root",                                                                           \
         .type = OPTION_U32,                                                                       \
         .fallback = "0",                                                                          \
         .help = "below this " of " (0: from the beginning)",                                      \
         AT(root)},                                                                                \
            {.name = "depth",                                                                      \
             .type = OPTION_U32,                                                                   \
             .fallback = "3",                                                                      \
             .min = 1,                                                                             \
             .max = 1e6,                                                                           \
             .help = "generations",                                                                \
             AT(depth)},                                                                           \
            PARAM_N(struct tree_query, n, "500",                                                   \
                    "at most so many in all, upper generations first; `more` counts the children " \
                    "left "                                                                        \
                    "out"),                                                                        \
        {                                                                                          \
            .name = NULL                                                                           \
        }                                                                                          \
    }

static const struct option tree_params[] = TREE_PARAMS("agent");
static const struct option paths_params[] = TREE_PARAMS("page");
#undef AT

/* ---- growing a tree, breadth first --------------------------------------- */

struct growth {
    struct dash_crawl *crawl;
    struct nest nest;
    uint32_t parent; /* place of the node whose children come */
    uint32_t left;   /* room */
    struct buf text;
};

/* Asks for the children of a node; counts them all. */
typedef enum status children_fn(struct growth *g, uint32_t id, uint64_t *ret_all);

static enum status grow(struct growth *g, const struct tree_query *q, children_fn *children)
{
    enum status st;

    g->left = q->n;
    g->parent = NEST_NONE;
    st = children(g, q->root, &g->nest.more);
    g->nest.more -= g->nest.more < g->nest.count ? g->nest.more : g->nest.count;
    for (size_t i = 0; i < g->nest.count && st == ST_OK; i++) {
        uint64_t all = 0;
        size_t before = g->nest.count;

        g->parent = (uint32_t)i;
        if (g->nest.nodes[i].depth + 1 >= q->depth)
            g->left = 0; /* they are only counted */
        st = children(g, g->nest.nodes[i].id, &all);
        g->nest.nodes[i].more = all - (g->nest.count - before);
    }
    return st;
}

static enum status add_node(struct growth *g, uint32_t id)
{
    if (g->text.full)
        return status_fail(ST_LIMIT, "number %u of the tree is too large to be shown", id);
    nest_add(&g->nest, g->parent, id, buf_str(&g->text));
    buf_clear(&g->text);
    g->left--;
    return ST_OK;
}

static enum status answer_tree(struct call *r, children_fn *children)
{
    struct growth g = {.crawl = r->crawl, .text = BUF_INIT(MIB(1))};
    enum status st;

    nest_init(&g.nest);
    st = grow(&g, r->params, children);
    if (st == ST_OK) {
        buf_add_z(&r->out, "{\"children\":");
        nest_write(&g.nest, &r->out);
        buf_addf(&r->out, ",\"more\":%llu}", (unsigned long long)g.nest.more);
    }
    nest_clear(&g.nest);
    buf_free(&g.text);
    return st;
}

/* ---- families ------------------------------------------------------------ */

static enum status on_agent(void *ctx, const struct query_agent *a)
{
    struct growth *g = ctx;
    struct json j;

    json_init(&j, &g->text);
    json_open_object(&j, NULL);
    agent_row_put(&j, g->crawl, a);
    json_close(&j);
    return add_node(g, a->id);
}

static enum status agent_children(struct growth *g, uint32_t id, uint64_t *ret_all)
{
    return query_children(g->crawl->view, id, g->left, on_agent, g, ret_all);
}

static enum status api_tree(struct call *r)
{
    return answer_tree(r, agent_children);
}

/* ---- search paths -------------------------------------------------------- */

static enum status on_led(void *ctx, const struct query_page *p)
{
    struct growth *g = ctx;
    struct json j;

    json_init(&j, &g->text);
    json_open_object(&j, NULL);
    page_put(&j, p, page_node);
    json_close(&j);
    return add_node(g, p->id);
}

static enum status page_children(struct growth *g, uint32_t id, uint64_t *ret_all)
{
    return view_led(g->crawl->view, id, g->left, on_led, g, ret_all);
}

static enum status api_paths(struct call *r)
{
    return answer_tree(r, page_children);
}

const struct route tree_routes[] = {
    {ROUTE_GET("/api/crawls/ID/tree", "the family tree of the agents", api_tree),
     PARAMS(tree_params, struct tree_query),
     .answer = "{children: [{" AGENT_ROW ", best: {page, url, title, relevance} or null, children: "
               "[…], more}], more}: `more` counts children that are not shown"},
    {ROUTE_GET("/api/crawls/ID/lives", "all agents as a flat list, to draw them", api_lives),
     PARAMS(lives_params, struct agent_query),
     .answer = "{rows: [[id, parent's id or 0, name, energy, pages, born, died or null (seconds "
               "since 1970), why it died, or \"away\": it left for another node]], more}: parents "
               "come before their children"},
    {ROUTE_GET("/api/crawls/ID/agents", "some agents by their numbers", api_agents),
     PARAMS(agents_params, struct agents_query),
     .answer = "{rows: [{" AGENT_ROW ", best: {page, url, title, relevance} or null}]}"},
    {ROUTE_GET("/api/crawls/ID/paths", "which page led to which", api_paths),
     PARAMS(paths_params, struct tree_query),
     .answer = "{children: [{id, url, title, relevance, children: […], more}], more}"},
    {.path = NULL},
};
