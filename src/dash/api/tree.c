/* api_tree.c - the family tree and the tree of search paths.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/api/agent_row.h"
#include "dash/dash_int.h"
#include "dash/api/nest.h"

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
    page_put(&j, p, page_node);
    json_close(&j);
    return add_node(g, p->id);
}

static enum status page_children(struct growth *g, uint32_t id, uint64_t *ret_all)
{
    return view_led(g->crawl->view, id, g->left, on_led, g, ret_all);
}

enum status api_paths(struct call *r)
{
    return answer_tree(r, page_children);
}
