/* paths.c - the search path tree. Nothing recurses: a path may be as long as the crawl.
 *
 * Workload: 10^3 to 10^6 pages, read once, some 100 bytes each.
 * SPDX-License-Identifier: MIT */
#include "cli/show/paths.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "cli/command.h"

#include <stdlib.h>

#define NONE      UINT32_MAX
#define DRAWN     40 /* levels that are set in further and further */
#define TEXT_MOST (UINT64_C(1) << 30)

struct path_node {
    struct query_path page; /* its strings live as long as the tree */
    uint32_t parent, first_child, last_child, next;
    uint32_t depth;
};

struct path_tree {
    struct path_node *nodes; /* in order of number */
    uint32_t count;
    size_t cap;
    uint32_t first, last; /* of those without a page above them */
    struct arena strings;
};

/* ---- loading ------------------------------------------------------------- */

/* The node of a page, among those that are there; NONE. */
static uint32_t find(const struct path_tree *t, uint32_t page)
{
    uint32_t low = 0, high = t->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (t->nodes[middle].page.page < page)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->count && t->nodes[low].page.page == page ? low : NONE;
}

/* Pages come in order of number, and a page that names another was stored before it: so there
 * are no circles, whatever a database says. */
static enum status add(void *ctx, const struct query_path *page)
{
    struct path_tree *t = ctx;
    uint32_t at = t->count, parent = page->from_page < page->page ? find(t, page->from_page) : NONE;
    uint32_t *first = parent == NONE ? &t->first : &t->nodes[parent].first_child;
    uint32_t *last = parent == NONE ? &t->last : &t->nodes[parent].last_child;

    if (*first == NONE)
        *first = at;
    else
        t->nodes[*last].next = at;
    *last = at;
    MEM_GROW(t->nodes, t->count, &t->cap);
    t->nodes[at] = (struct path_node){.page = *page,
                                      .parent = parent,
                                      .first_child = NONE,
                                      .last_child = NONE,
                                      .next = NONE,
                                      .depth = parent == NONE ? 0 : t->nodes[parent].depth + 1};
    t->nodes[at].page.url = arena_str(&t->strings, page->url);
    t->nodes[at].page.agent_name = arena_str(&t->strings, page->agent_name);
    t->count++;
    return t->strings.full ? status_fail(ST_LIMIT, "the tree is too large to be shown") : ST_OK;
}

/* ---- showing ------------------------------------------------------------- */

static void put_text(const struct path_tree *t, const struct path_node *n, bool more[DRAWN],
                     bool boxes, struct buf *out)
{
    static const char *const plain[] = {"   ", "|  ", "`- ", "|- "};
    static const char *const drawn[] = {"   ", "\xe2\x94\x82  ", "\xe2\x94\x94\xe2\x94\x80 ",
                                        "\xe2\x94\x9c\xe2\x94\x80 "};
    const char *const *lines = boxes ? drawn : plain;
    uint32_t level = n->depth < DRAWN ? n->depth : DRAWN - 1;
    struct buf who = BUF_INIT(200);

    (void)t;
    if (n->page.agent) {
        report_text(&who, n->page.agent_name, 20);
        buf_addf(&who, " %u", n->page.agent);
    }
    buf_addf(out, "%4.0f  %-16.*s  ", 100 * n->page.sure, STR_ARG(buf_str(&who)));
    more[level] = n->next != NONE;
    for (uint32_t i = 1; i < level; i++)
        buf_add_z(out, lines[more[i]]);
    if (n->depth)
        buf_add_z(out, lines[2 + more[level]]);
    report_text(out, n->page.url, LIMIT_URL);
    buf_add_char(out, '\n');
    buf_free(&who);
}

static void put_json(const struct path_tree *t, const struct path_node *n, struct json *j)
{
    json_open_object(j, NULL);
    json_put_int(j, "page", n->page.page);
    if (n->parent == NONE)
        json_put_null(j, "from_page");
    else
        json_put_int(j, "from_page", t->nodes[n->parent].page.page);
    json_put_int(j, "depth", n->depth);
    if (n->page.agent)
        json_put_int(j, "agent", n->page.agent);
    else
        json_put_null(j, "agent");
    json_put_str(j, "name", n->page.agent_name);
    json_put_num(j, "sure", n->page.sure);
    json_put_str(j, "url", n->page.url);
    json_close(j);
}

/* The node after this one, from above to below; those deeper than `depth` are passed over. */
static uint32_t after(const struct path_tree *t, uint32_t at, uint32_t depth)
{
    if (t->nodes[at].first_child != NONE && t->nodes[at].depth + 1 < depth)
        return t->nodes[at].first_child;
    while (at != NONE && t->nodes[at].next == NONE)
        at = t->nodes[at].parent;
    return at == NONE ? NONE : t->nodes[at].next;
}

static void show_all(const struct path_tree *t, const struct paths_wish *wish, struct buf *out)
{
    uint32_t depth = wish->depth ? wish->depth : UINT32_MAX;
    bool more[DRAWN] = {false};
    struct json j;

    json_init(&j, out);
    if (wish->json)
        json_open_array(&j, NULL);
    else
        buf_add_z(out, t->count ? "sure  agent             page\n" : "no pages\n");
    for (uint32_t at = t->first; at != NONE; at = after(t, at, depth)) {
        if (wish->json)
            put_json(t, &t->nodes[at], &j);
        else
            put_text(t, &t->nodes[at], more, wish->boxes, out);
    }
    if (wish->json) {
        json_close(&j);
        buf_add_char(out, '\n');
    }
}

enum status paths_show(struct query *q, const struct paths_wish *wish, struct buf *out)
{
    struct path_tree t = {.first = NONE, .last = NONE};
    enum status st;

    arena_init(&t.strings, TEXT_MOST);
    st = query_paths(q, add, &t);
    if (st == ST_OK)
        show_all(&t, wish, out);
    if (st == ST_OK && out->full)
        st = status_fail(ST_LIMIT, "the tree is too large to be shown: --depth");
    arena_free(&t.strings);
    free(t.nodes);
    return st;
}
