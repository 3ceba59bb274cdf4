/* tree.c - brood tree: the family tree of a crawl's agents, or the search path tree of its pages.
 *
 *     energy   pages  best  agent
 *       1.20      31    91  Kadera 1 infospiders, alive  http://example.org/reefs
 *      -0.10       3    50  └─ Bolimi 4 starved  http://example.org/
 *
 * As JSON the tree is nested, as deep as the family: the writer of base/json.h
 * writes the members of each object, the nesting is done here, without recursion.
 *
 * --paths: every page under the page that first named it, with the agent that fetched it.
 *
 *     sure  agent       page
 *       84  Qihire 9    http://a.example/
 *       97  Cadupu 30   └─ http://a.example/reefs
 *
 * After Du, Xu and Wang 2016, figure 14. As JSON it is a flat list: each page names the one above
 * it, so that no reader meets a depth it cannot bear. Nothing recurses: a path may be as long as
 * the crawl. Workload: 10^3 to 10^6 pages, read once, some 100 bytes each.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/several.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/search.h"
#include "cli/command.h"
#include "store/read/as_json.h"
#include "store/read/family.h"

#include <stdlib.h>

#define DRAWN      40                  /* levels that are indented */
#define NONE       UINT32_MAX          /* no node */
#define PATHS_MOST (UINT64_C(1) << 30) /* bytes of the URLs in a search path tree */

struct tree_options {
    struct bus_options bus;
    int64_t depth, n;
    bool json, alive, paths;
};

#define AT(field) .offset = offsetof(struct tree_options, field)

static const struct option tree_option_table[] = {
    {INT_OPTION("depth", depth, "N", "0", 0, 1e9), .help = "only so many generations (0: all)"},
    {INT_OPTION("n", n, "N", "0", 0, 1e9), .letter = 'n',
     .help = "of every agent's children only the N whose families fetched most pages (0: all)"},
    {FLAG_OPTION("alive", alive), .help = "only the living, and those they descend from"},
    {FLAG_OPTION("paths", paths),
     .help = "the search path tree instead: each page under the page that first named it, with the "
             "agent that fetched it"},
    {FLAG_OPTION("json", json), .help = "as JSON"},
    BUS_OPTIONS,
    {.name = NULL},
};

struct tree_drawing {
    const struct tree_options *options;
    struct query *query;
    struct buf out;
    uint32_t max_depth;
    bool energy;      /* the agents have energy */
    bool boxes;       /* the terminal can show them */
    bool more[DRAWN]; /* by generation: a line goes on to the next sibling */
    bool after;       /* JSON: another object comes before this one */
    uint64_t shown;
};

/* ---- text ---------------------------------------------------------------- */

/* Is the locale UTF-8, by its name, because its files may be missing? */
static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    struct str value = STR("");

    for (size_t i = 0; i < ARRAY_LEN(names) && value.len == 0; i++)
        value = str_of(getenv(names[i]));
    return str_find_i(value, STR("utf-8"), 0) != SIZE_MAX ||
           str_find_i(value, STR("utf8"), 0) != SIZE_MAX;
}

/* The lines before a node of this depth; `more`: it has a next sibling. */
static void add_branch(struct tree_drawing *t, uint32_t depth, bool more)
{
    static const char *const plain[] = {"   ", "|  ", "`- ", "|- "};
    static const char *const boxes[] = {"   ", "\xe2\x94\x82  ", "\xe2\x94\x94\xe2\x94\x80 ",
                                        "\xe2\x94\x9c\xe2\x94\x80 "};
    const char *const *lines = t->boxes ? boxes : plain;
    uint32_t level = depth < DRAWN ? depth : DRAWN - 1;

    t->more[level] = more;
    for (uint32_t i = 1; i < level; i++)
        buf_add_z(&t->out, lines[t->more[i]]);
    if (depth)
        buf_add_z(&t->out, lines[2 + more]);
}

static enum status add_url(void *ctx, const struct query_page *p)
{
    buf_add_z(ctx, "  ");
    report_text(ctx, p->url, LIMIT_URL);
    return ST_OK;
}

static void add_figures(struct buf *out, const struct family_member *m, bool energy)
{
    if (energy)
        buf_addf(out, "%8.2f ", report_zero(m->agent.energy, 2));
    buf_addf(out, "%7llu  ", (unsigned long long)m->agent.pages);
    if (m->best_page)
        buf_addf(out, "%4.0f  ", 100 * m->best);
    else
        buf_add_z(out, "   -  ");
}

/* Appends its name, and its kind if that differs from its parent's. */
static void add_who(struct buf *out, const struct family *f, const struct family_member *m)
{
    bool same = m->parent != FAMILY_NONE && str_eq(m->agent.kind, f->members[m->parent].agent.kind);

    report_text(out, m->agent.name, 100);
    buf_addf(out, " %u ", m->agent.id);
    if (!same) {
        report_text(out, m->agent.kind, 100);
        buf_add_z(out, ", ");
    }
    if (m->parent == FAMILY_NONE && m->agent.parent)
        buf_addf(out, "child of %u on another node, ", m->agent.parent);
    if (m->away)
        buf_add_z(out, "on another node");
    else if (m->agent.died_at == 0)
        buf_add_z(out, "alive");
    else if (m->agent.death.len)
        report_text(out, m->agent.death, 100);
    else
        buf_add_z(out, "dead");
}

/* Appends the team of a crew's facilitator or assistant, which fetches nothing itself. */
static void add_team(struct buf *out, const struct family *f, const struct family_member *m)
{
    const struct family_member *child =
        m->first_child != FAMILY_NONE ? &f->members[m->first_child] : NULL;

    if (child == NULL || m->agent.pages > 0 || str_eq(child->agent.kind, m->agent.kind))
        return;
    buf_add_z(out, "  (");
    report_count(out, m->descendants, "agent");
    buf_add_z(out, ", ");
    report_count(out, m->pages_below, "page");
    buf_add_char(out, ')');
}

static enum status text_member(void *ctx, const struct family *f, const struct family_member *m,
                               bool entered)
{
    struct tree_drawing *t = ctx;

    if (!entered)
        return ST_OK;
    if (t->shown++ == 0)
        buf_addf(&t->out, "%s  pages  best  agent\n", t->energy ? "  energy " : "");
    add_figures(&t->out, m, t->energy);
    add_branch(t, m->depth, family_has_next(f, m));
    add_who(&t->out, f, m);
    add_team(&t->out, f, m);
    if (m->best_page) /* it may have been forgotten since */
        (void)!query_page(t->query, m->best_page, add_url, &t->out);
    if (m->depth == t->max_depth && m->descendants)
        buf_addf(&t->out, "  (%u more below)", m->descendants);
    buf_add_char(&t->out, '\n');
    return t->out.full ? status_fail(ST_LIMIT, "the tree is too large to be shown: use --depth")
                       : ST_OK;
}

/* ---- JSON ---------------------------------------------------------------- */

static enum status put_best(void *ctx, const struct query_page *p)
{
    static const enum page_member shown[] = {PAGE_NUMBER, PAGE_RELEVANCE, PAGE_URL, PAGE_TITLE,
                                             PAGE_END};

    json_open_object(ctx, "best");
    page_put(ctx, p, shown);
    json_close(ctx);
    return ST_OK;
}

static void put_members(struct tree_drawing *t, const struct family_member *m)
{
    struct json j;

    json_begin(&j, &t->out);
    agent_put(&j, &m->agent, agent_row);
    if (m->best_page == 0 || query_page(t->query, m->best_page, put_best, &j) != ST_OK)
        json_put_null(&j, "best");
    if (m->parent == FAMILY_NONE && m->agent.parent) /* it lived on another node */
        json_put_int(&j, "parent", m->agent.parent);
    if (m->away)
        json_put_bool(&j, "away", true);
    json_put_int(&j, "descendants", m->descendants);
    json_put_int(&j, "pages_below", (int64_t)m->pages_below);
    json_close(&j);
}

static enum status json_member(void *ctx, const struct family *f, const struct family_member *m,
                               bool entered)
{
    struct tree_drawing *t = ctx;

    (void)f;
    if (entered) {
        if (t->after)
            buf_add_char(&t->out, ',');
        put_members(t, m);
        if (!t->out.full)
            t->out.len--; /* the object stays open */
        buf_add_z(&t->out, ",\"children\":[");
    } else {
        buf_add_z(&t->out, "]}");
    }
    t->after = !entered;
    return t->out.full ? status_fail(ST_LIMIT, "the tree is too large to be shown: use --depth")
                       : ST_OK;
}

/* ---- the search path tree ------------------------------------------------ */

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

/* The node of a page, among those that are there; NONE. */
static uint32_t path_find(const struct path_tree *t, uint32_t page)
{
    uint32_t i;

    FIND_FIRST(i, 0, t->count, t->nodes[i].page.page >= page);
    return i < t->count && t->nodes[i].page.page == page ? i : NONE;
}

/* Pages come in order of number, and only a page with a smaller number is accepted as the source,
 * so there are no cycles in any database. */
static enum status path_add(void *ctx, const struct query_path *page)
{
    struct path_tree *t = ctx;
    uint32_t at = t->count,
             parent = page->from_page < page->page ? path_find(t, page->from_page) : NONE;
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

static void path_text(struct tree_drawing *t, const struct path_node *n)
{
    LOCAL_BUF who = BUF_INIT(200);

    if (n->page.agent) {
        report_text(&who, n->page.agent_name, 20);
        buf_addf(&who, " %u", n->page.agent);
    }
    buf_addf(&t->out, "%4.0f  %-16.*s  ", 100 * n->page.sure, STR_ARG(buf_str(&who)));
    add_branch(t, n->depth, n->next != NONE);
    report_text(&t->out, n->page.url, LIMIT_URL);
    buf_add_char(&t->out, '\n');
}

static void path_json(const struct path_tree *paths, const struct path_node *n, struct json *j)
{
    json_open_object(j, NULL);
    json_put_int(j, "page", n->page.page);
    if (n->parent == NONE)
        json_put_null(j, "from_page");
    else
        json_put_int(j, "from_page", paths->nodes[n->parent].page.page);
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

/* Returns the next node from top to bottom; nodes deeper than `depth` are skipped. */
static uint32_t path_after(const struct path_tree *t, uint32_t at, uint32_t depth)
{
    if (t->nodes[at].first_child != NONE && t->nodes[at].depth + 1 < depth)
        return t->nodes[at].first_child;
    while (at != NONE && t->nodes[at].next == NONE)
        at = t->nodes[at].parent;
    return at == NONE ? NONE : t->nodes[at].next;
}

static void paths_draw(struct tree_drawing *t, const struct path_tree *paths)
{
    const struct tree_options *o = t->options;
    uint32_t depth = o->depth ? (uint32_t)o->depth : UINT32_MAX;
    struct json j;

    json_init(&j, &t->out);
    if (o->json)
        json_open_array(&j, NULL);
    else
        buf_add_z(&t->out, paths->count ? "sure  agent             page\n" : "no pages\n");
    for (uint32_t at = paths->first; at != NONE; at = path_after(paths, at, depth)) {
        if (o->json)
            path_json(paths, &paths->nodes[at], &j);
        else
            path_text(t, &paths->nodes[at]);
    }
    if (o->json) {
        json_close(&j);
        buf_add_char(&t->out, '\n');
    }
}

static enum status show_paths(struct tree_drawing *t)
{
    const struct tree_options *o = t->options;
    struct path_tree paths = {.first = NONE, .last = NONE};
    enum status st;

    if (o->alive || o->n)
        return status_fail(ST_USAGE, "--alive and -n choose agents, but --paths shows pages");
    arena_init(&paths.strings, PATHS_MOST);
    st = query_paths(t->query, path_add, &paths);
    if (st == ST_OK)
        paths_draw(t, &paths);
    if (st == ST_OK && t->out.full)
        st = status_fail(ST_LIMIT, "the tree is too large to be shown: use --depth");
    arena_free(&paths.strings);
    free(paths.nodes);
    return st;
}

/* ---- the command --------------------------------------------------------- */

static enum status tree_show(struct tree_drawing *t, struct family *f)
{
    enum status st;

    if (t->options->alive)
        family_show_living(f);
    if (t->options->n)
        family_show_largest(f, (uint32_t)t->options->n);
    if (t->options->json)
        buf_add_char(&t->out, '[');
    st = family_walk(f, t->max_depth, t->options->json ? json_member : text_member, t);
    if (t->options->json)
        buf_add_z(&t->out, "]\n");
    else if (t->shown == 0)
        buf_add_z(&t->out, f->count ? "no agent is alive\n" : "no agents\n");
    else if (t->options->n && t->shown < f->count)
        buf_addf(&t->out, "(%llu of %u agents)\n", (unsigned long long)t->shown, f->count);
    return st;
}

static enum status show_family(struct tree_drawing *t)
{
    struct family f;
    enum status st = family_load(t->query, &f);

    if (st != ST_OK)
        return st;
    st = tree_show(t, &f);
    family_clear(&f);
    return st;
}

static int tree_command(struct invocation *in)
{
    const struct tree_options *o = in->options;
    struct tree_drawing t = {.options = o,
                             .out = BUF_INIT(1 << 30),
                             .max_depth = o->depth ? (uint32_t)o->depth - 1 : UINT32_MAX,
                             .boxes = locale_is_utf8()};
    enum status st = query_open(in->args.items[0], &t.query);

    if (st != ST_OK)
        return report_failure(st);
    t.energy = query_has_energy(t.query);
    st = o->paths ? show_paths(&t) : show_family(&t);
    query_close(t.query);
    return report_end(st, &t.out);
}

const struct command command_tree = {
    .name = "tree",
    TAKES("DIR…", 1, 1),
    .summary = "show the family tree of a crawl's agents",
    .details =
        "For each agent: its energy (at death, for the dead), how many pages were fetched for "
        "it, how sure brood is of its best find (0 to 100), its name and number, what became of "
        "it, and the URL of that find. 'brood show DIR AGENT' tells its history. In the directory "
        "of one node of a crawl on several machines, agents that left and parents that lived "
        "on another node are marked.",
    .example = "brood tree solar -n 3 --depth 4\n"
               "  brood tree solar --paths --depth 6",
    OPTIONS(tree_option_table, struct tree_options),
    .reads_dir = true,
    .several = true,
    .run = tree_command,
};
