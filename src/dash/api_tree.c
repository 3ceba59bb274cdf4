/* api_tree.c - the family tree, an agent's card, and the tree of search paths.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/dash_int.h"
#include "dash/nest.h"
#include "dash/page_row.h"

#include <stdio.h>
#include <stdlib.h>

#define AT(field) .offset = offsetof(struct tree_query, field)
#define TREE_PARAMS(of)                                                                    \
    {                                                                                      \
        {.name = "root",                                                                   \
         .type = OPTION_U32,                                                               \
         .fallback = "0",                                                                  \
         .help = "below this " of " (0: from the beginning)",                              \
         AT(root)},                                                                        \
            {.name = "depth",                                                              \
             .type = OPTION_U32,                                                           \
             .fallback = "3",                                                              \
             .min = 1,                                                                     \
             .max = 1e6,                                                                   \
             .help = "generations",                                                        \
             AT(depth)},                                                                   \
            {.name = "n",                                                                  \
             .type = OPTION_U32,                                                           \
             .fallback = "500",                                                            \
             .min = 1,                                                                     \
             .max = LIMIT_DASH_NODES,                                                      \
             .help = "at most so many in all, upper generations first; `more` counts the " \
                     "children left out",                                                  \
             AT(n)},                                                                       \
        {                                                                                  \
            .name = NULL                                                                   \
        }                                                                                  \
    }

const struct option tree_params[] = TREE_PARAMS("agent");
const struct option paths_params[] = TREE_PARAMS("page");
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

static void add_node(struct growth *g, uint32_t id)
{
    nest_add(&g->nest, g->parent, id, buf_str(&g->text));
    buf_clear(&g->text);
    g->left--;
}

static enum status answer_tree(struct call *r, children_fn *children)
{
    struct growth g = {.crawl = r->crawl, .text = BUF_INIT(MIB(1))};
    enum status st;

    nest_init(&g.nest);
    st = grow(&g, r->params, children);
    if (st == ST_OK) {
        (void)buf_add_z(&r->out, "{\"children\":");
        nest_write(&g.nest, &r->out);
        (void)buf_addf(&r->out, ",\"more\":%llu}", (unsigned long long)g.nest.more);
    }
    nest_clear(&g.nest);
    buf_free(&g.text);
    return st;
}

/* ---- families ------------------------------------------------------------ */

static enum status put_best(void *ctx, const struct query_page *p)
{
    struct json *j = ctx;

    json_open_object(j, "best");
    json_put_int(j, "page", p->id);
    json_put_str(j, "url", p->url);
    json_put_str(j, "title", p->title);
    json_put_num(j, "relevance", p->relevance);
    json_close(j);
    return ST_OK;
}

static void put_agent(struct json *j, struct dash_crawl *c, const struct query_agent *a)
{
    struct query_page best;

    json_put_int(j, "id", a->id);
    json_put_str(j, "name", a->name);
    json_put_str(j, "kind", a->kind);
    json_put_int(j, "generation", a->generation);
    json_put_num(j, "energy", a->energy);
    json_put_int(j, "pages", (int64_t)a->pages);
    put_time(j, "born_at", a->born_at);
    put_time(j, "died_at", a->died_at);
    if (a->died_at)
        json_put_str(j, "death", a->death);
    else
        json_put_null(j, "death");
    if (query_view_best(c->view, a->id, &best, put_best, j) != ST_OK || best.id == 0)
        json_put_null(j, "best");
}

static enum status on_agent(void *ctx, const struct query_agent *a)
{
    struct growth *g = ctx;
    struct json j;

    json_init(&j, &g->text);
    json_open_object(&j, NULL);
    put_agent(&j, g->crawl, a);
    json_close(&j);
    add_node(g, a->id);
    return ST_OK;
}

static enum status agent_children(struct growth *g, uint32_t id, uint64_t *ret_all)
{
    return query_view_children(g->crawl->view, id, g->left, on_agent, g, ret_all);
}

enum status api_tree(struct call *r)
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
    json_put_int(&j, "id", p->id);
    json_put_str(&j, "url", p->url);
    json_put_str(&j, "title", p->title);
    json_put_num(&j, "relevance", p->relevance);
    json_close(&j);
    add_node(g, p->id);
    return ST_OK;
}

static enum status page_children(struct growth *g, uint32_t id, uint64_t *ret_all)
{
    return query_view_led(g->crawl->view, id, g->left, on_led, g, ret_all);
}

enum status api_paths(struct call *r)
{
    return answer_tree(r, page_children);
}

/* ---- an agent's card ----------------------------------------------------- */

const struct option agent_params[] = {
    {.name = "n",
     .type = OPTION_U32,
     .fallback = "200",
     .min = 1,
     .max = LIMIT_DASH_NODES,
     .help = "at most so many of its visits, children and finds"},
    {.name = NULL},
};

struct card {
    struct json json;
    struct dash_crawl *crawl;
    uint32_t parent;
};

static enum status put_relative(void *ctx, const struct query_agent *a)
{
    struct card *card = ctx;

    json_open_object(&card->json, NULL);
    json_put_int(&card->json, "id", a->id);
    json_put_str(&card->json, "name", a->name);
    json_put_num(&card->json, "energy", a->energy);
    json_put_int(&card->json, "pages", (int64_t)a->pages);
    put_time(&card->json, "died_at", a->died_at);
    json_close(&card->json);
    card->parent = a->parent;
    return ST_OK;
}

static enum status put_itself(void *ctx, const struct query_agent *a)
{
    struct card *card = ctx;

    put_agent(&card->json, card->crawl, a);
    put_number(&card->json, "born_page", a->born_page);
    card->parent = a->parent;
    return ST_OK;
}

static enum status put_step(void *ctx, const struct query_visit *v)
{
    struct card *card = ctx;

    json_open_object(&card->json, NULL);
    put_number(&card->json, "page", v->page);
    put_text(&card->json, "url", v->url);
    put_text(&card->json, "title", v->title);
    put_time(&card->json, "at", v->at);
    json_put_num(&card->json, "relevance", v->relevance);
    json_put_bool(&card->json, "first", v->first);
    json_put_num(&card->json, "before", v->before);
    json_put_num(&card->json, "delta", v->delta);
    json_put_num(&card->json, "after", v->after);
    json_close(&card->json);
    return ST_OK;
}

static enum status put_energy(void *ctx, const struct query_visit *v)
{
    struct card *card = ctx;

    json_open_object(&card->json, NULL);
    json_put_num(&card->json, "at", (double)v->at / 1e6);
    json_put_num(&card->json, "value", v->after);
    json_close(&card->json);
    return ST_OK;
}

static enum status put_find(void *ctx, const struct query_page *p)
{
    struct card *card = ctx;

    json_open_object(&card->json, NULL);
    page_row_put(&card->json, card->crawl, p);
    json_close(&card->json);
    return ST_OK;
}

/* Its ancestors, the nearest first. */
static void put_parents(struct card *card, uint32_t n)
{
    json_open_array(&card->json, "parents");
    for (uint32_t id = card->parent; id && n > 0; n--) {
        card->parent = 0;
        if (query_view_agent(card->crawl->view, id, put_relative, card) != ST_OK ||
            card->parent >= id)
            break;
        id = card->parent;
    }
    json_close(&card->json);
}

/* What the model tells of it: model.figures.agents, by number. */
static void put_keywords(struct card *card, uint32_t id)
{
    struct buf text = BUF_INIT(KIB(512));
    json_t *figures, *words;
    char *dump = NULL, name[16];

    crawl_key(card->crawl, "model.figures", &text);
    figures = json_loadb(text.len ? text.data : "", text.len, 0, NULL);
    (void)snprintf(name, sizeof name, "%u", id);
    words = json_object_get(json_object_get(json_object_get(figures, "agents"), name), "keywords");
    if (words)
        dump = json_dumps(words, JSON_ENCODE_ANY | JSON_COMPACT);
    put_raw(&card->json, "keywords", str_of(dump));
    free(dump);
    json_decref(figures);
    buf_free(&text);
}

enum status api_agent(struct call *r)
{
    struct card card = {.crawl = r->crawl};
    struct query_view *v = r->crawl->view;
    struct query_life life = {0};
    uint32_t n = ((const struct agent_query *)r->params)->n;
    uint64_t children = 0;
    enum status st;

    json_init(&card.json, &r->out);
    json_open_object(&card.json, NULL);
    st = query_view_agent(v, r->number, put_itself, &card);
    if (st != ST_OK)
        return st;
    put_parents(&card, n);
    json_open_array(&card.json, "children");
    st = query_view_children(v, r->number, n, put_relative, &card, &children);
    json_close(&card.json);
    json_put_int(&card.json, "children_total", (int64_t)children);
    put_keywords(&card, r->number);
    json_open_array(&card.json, "path");
    if (st == ST_OK)
        st = query_view_visits(v, r->number, n, put_step, &card);
    json_close(&card.json);
    json_open_array(&card.json, "energy_curve");
    if (st == ST_OK)
        st = query_view_visits(v, r->number, n, put_energy, &card);
    json_close(&card.json);
    json_open_array(&card.json, "finds");
    if (st == ST_OK)
        st = query_view_finds(v, r->number, n, put_find, &card);
    json_close(&card.json);
    if (st == ST_OK)
        st = query_view_life(v, r->number, &life);
    json_put_int(&card.json, "visits", (int64_t)life.visits);
    json_put_int(&card.json, "found", (int64_t)life.found);
    json_put_num(&card.json, "gained", life.gained);
    json_put_num(&card.json, "paid", life.paid);
    json_close(&card.json);
    return st;
}
