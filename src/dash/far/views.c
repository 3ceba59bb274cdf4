/* views.c - the views of a crawl on several machines, and which nodes to ask. See views.h.
 *
 * In: a request of a browser. Out: JSON, or the text of a page. SPDX-License-Identifier: MIT */
#include "dash/far/views.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "dash/api/nest.h"
#include "dash/api/series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAMILY_FOR   (2 * US_PER_S)
#define FAMILY_LIVES 8000 /* agents of one node, whose rows the bus can carry */
#define TREE_MOST    2000
#define IDS_AT_ONCE  700

/* ---- parameters ---------------------------------------------------------- */

struct str far_param(struct str query, const char *name)
{
    struct str key, value;

    while (question_option(&query, &key, &value))
        if (str_eq(key, str_of(name)))
            return value;
    return STR("");
}

uint32_t far_param_number(struct str query, const char *name, uint32_t fallback, uint32_t most)
{
    uint64_t n;

    if (!str_to_u64(far_param(query, name), &n))
        n = fallback;
    return n < most ? (uint32_t)n : most;
}

/* Replaces the value of a parameter in the query. */
static void param_set(struct str query, const char *name, uint64_t value, struct buf *ret)
{
    struct str key, old;
    char text[24];

    while (question_option(&query, &key, &old))
        if (!str_eq(key, str_of(name)))
            question_add(ret, key, old);
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    question_add(ret, str_of(name), str_of(text));
}

/* ---- giving -------------------------------------------------------------- */

/* Takes the reference. */
static enum status give(struct call *r, json_t *j)
{
    char *text = j ? json_dumps(j, JSON_COMPACT) : NULL;

    if (text)
        buf_add_z(&r->out, text);
    free(text);
    json_decref(j);
    return text ? ST_OK : status_fail(ST_MISSING, "no node of this crawl knows of it");
}

/* Asks all for the same view, with n rows each. */
static enum status ask_rows(struct far *f, struct call *r, const char *path, uint32_t n,
                            struct far_replies *ret)
{
    struct buf query = BUF_INIT(LIMIT_DASH_URL);
    enum status st;

    param_set(buf_str(&r->query), "n", n, &query);
    st = buf_check(&query);
    if (st == ST_OK)
        st = far_ask(f, 0, path, buf_str(&query), ret);
    buf_free(&query);
    return st;
}

static uint32_t rows_of(const struct call *r, uint32_t usual)
{
    return far_param_number(buf_str(&r->query), "n", usual, LIMIT_ANSWER_ROWS);
}

/* ---- figures ------------------------------------------------------------- */

static enum status view_overview(struct far *f, struct call *r)
{
    return give(r, json_incref(f->overview));
}

static enum status view_samples(struct far *f, struct call *r)
{
    uint32_t points = far_param_number(buf_str(&r->query), "points", 500, SERIES_FRAMES);
    struct far_replies all = {0};
    enum status st = far_ask(f, 0, "samples", buf_str(&r->query), &all);

    if (st == ST_OK)
        st = give(r, far_merge_samples(&all, points));
    far_replies_clear(&all);
    return st;
}

static enum status view_histogram(struct far *f, struct call *r)
{
    struct far_replies all = {0};
    enum status st = far_ask(f, 0, "histogram", STR(""), &all);

    if (st == ST_OK)
        st = give(r, far_merge_histogram(&all));
    far_replies_clear(&all);
    return st;
}

/* ---- rows ---------------------------------------------------------------- */

/* A window into the rows of all nodes begins anywhere in those of each. */
static enum status view_pages(struct far *f, struct call *r)
{
    struct str query = buf_str(&r->query);
    uint32_t offset = far_param_number(query, "offset", 0, LIMIT_ANSWER_ROWS);
    uint32_t n = far_param_number(query, "n", 50, LIMIT_ANSWER_ROWS - offset);
    struct buf first = BUF_INIT(LIMIT_DASH_URL), second = BUF_INIT(LIMIT_DASH_URL);
    struct far_replies all = {0};
    enum status st;

    param_set(query, "offset", 0, &first);
    param_set(buf_str(&first), "n", offset + n, &second);
    st = buf_check(&second);
    if (st == ST_OK)
        st = far_ask(f, 0, "pages", buf_str(&second), &all);
    if (st == ST_OK)
        st = give(r, far_merge_pages(&all, query));
    far_replies_clear(&all);
    buf_free(&first);
    buf_free(&second);
    return st;
}

static enum status view_activity(struct far *f, struct call *r)
{
    struct far_replies all = {0};
    uint32_t n = rows_of(r, 20);
    enum status st = ask_rows(f, r, "activity", n, &all);

    if (st == ST_OK)
        st = give(r, far_merge_activity(&all, n));
    far_replies_clear(&all);
    return st;
}

static enum status view_conversations(struct far *f, struct call *r)
{
    struct far_replies all = {0};
    uint32_t n = rows_of(r, 200);
    enum status st = ask_rows(f, r, "conversations", n, &all);

    if (st == ST_OK)
        st = give(r, far_merge_talks(&all, n));
    far_replies_clear(&all);
    return st;
}

/* The number of a conversation or page says which node has it. */
static enum status local_query(struct far *f, struct str query, const char *name, struct buf *ret,
                               uint64_t *ret_to)
{
    uint64_t number;

    *ret_to = 0;
    if (!str_to_u64(far_param(query, name), &number) || number == 0) {
        buf_add_str(ret, query);
        return ST_OK;
    }
    param_set(query, name, number / LIMIT_NODES, ret);
    return far_node_id(f, number % LIMIT_NODES, ret_to);
}

static enum status view_messages(struct far *f, struct call *r)
{
    struct buf query = BUF_INIT(LIMIT_DASH_URL);
    struct far_replies all = {0};
    uint64_t to;
    enum status st = local_query(f, buf_str(&r->query), "conversation", &query, &to);

    if (st == ST_OK)
        st = far_ask(f, to, "messages", buf_str(&query), &all);
    if (st == ST_OK)
        st = give(r, far_merge_messages(&all, rows_of(r, 200)));
    far_replies_clear(&all);
    buf_free(&query);
    return st;
}

static enum status view_paths(struct far *f, struct call *r)
{
    struct buf query = BUF_INIT(LIMIT_DASH_URL);
    struct far_replies all = {0};
    uint64_t to;
    enum status st = local_query(f, buf_str(&r->query), "root", &query, &to);

    if (st == ST_OK)
        st = far_ask(f, to, "paths", buf_str(&query), &all);
    if (st == ST_OK)
        st = give(r, far_merge_paths(&all));
    far_replies_clear(&all);
    buf_free(&query);
    return st;
}

static enum status view_map(struct far *f, struct call *r)
{
    struct far_replies all = {0};
    uint32_t n = rows_of(r, 300);
    bool host = far_param(buf_str(&r->query), "host").len > 0;
    enum status st = ask_rows(f, r, "map", n, &all);

    if (st == ST_OK)
        st = give(r, host ? far_merge_host(&all) : far_merge_map(&all, n));
    far_replies_clear(&all);
    return st;
}

static enum status view_crew(struct far *f, struct call *r)
{
    struct far_replies all = {0};
    enum status st = far_ask(f, 0, "crew", STR(""), &all);

    if (st == ST_OK)
        st = give(r, far_merge_crew(&all));
    far_replies_clear(&all);
    return st;
}

static enum status view_lattice(struct far *f, struct call *r)
{
    struct far_replies all = {0};
    enum status st = far_ask(f, 0, "lattice", buf_str(&r->query), &all);

    if (st == ST_OK)
        st = give(r, far_merge_lattice(&all));
    far_replies_clear(&all);
    return st;
}

/* ---- one page ------------------------------------------------------------ */

/* Asks the node that has the page; *ret is its answer, lent until the replies are cleared. */
static enum status ask_page(struct far *f, const struct call *r, const char *view,
                            struct far_replies *all, json_t **ret)
{
    size_t place = r->far_number % LIMIT_NODES;
    char path[64];
    uint64_t to;
    enum status st = far_node_id(f, place, &to);

    (void)snprintf(path, sizeof path, "%s/%llu", view,
                   (unsigned long long)(r->far_number / LIMIT_NODES));
    if (st == ST_OK)
        st = far_ask(f, to, path, STR(""), all);
    if (st == ST_OK && (all->count == 0 || all->items[0].place != place))
        st = status_fail(ST_MISSING, "no node of this crawl has this page");
    if (st == ST_OK)
        *ret = all->items[0].answer;
    return st;
}

static enum status view_page(struct far *f, struct call *r)
{
    static const char *const members[] = {"id", "page", "version_of", "dup_of", NULL};
    struct far_replies all = {0};
    json_t *page = NULL;
    enum status st = ask_page(f, r, "page", &all, &page);

    if (st == ST_OK && !json_is_object(page))
        st = status_fail(ST_MISSING, "no node of this crawl has this page");
    if (st == ST_OK) {
        far_renumber(page, members, all.items[0].place);
        (void)json_object_set_new(page, "stored", json_false()); /* copies stay where they are */
        st = give(r, json_incref(page));
    }
    far_replies_clear(&all);
    return st;
}

static enum status give_text(struct far *f, struct call *r, const char *view)
{
    struct far_replies all = {0};
    json_t *text = NULL;
    enum status st = ask_page(f, r, view, &all, &text);

    if (st == ST_OK && !json_is_string(text))
        st = status_fail(ST_MISSING, "no node of this crawl has the text of this page");
    if (st == ST_OK)
        buf_add_z(&r->out, json_string_value(text));
    far_replies_clear(&all);
    return st;
}

static enum status view_text(struct far *f, struct call *r)
{
    return give_text(f, r, "text");
}

static enum status view_markdown(struct far *f, struct call *r)
{
    return give_text(f, r, "markdown");
}

/* ---- the family ---------------------------------------------------------- */

static enum status need_family(struct far *f)
{
    struct far_replies all = {0};
    char n[32];
    enum status st;

    if (f->family && clock_now() - f->family_at < FAMILY_FOR)
        return ST_OK;
    (void)snprintf(n, sizeof n, "n=%d\n", FAMILY_LIVES);
    st = far_ask(f, 0, "lives", str_of(n), &all);
    if (st == ST_OK) {
        far_family_free(f->family);
        f->family = far_family_new(&all);
        f->family_at = clock_now();
    }
    far_replies_clear(&all);
    return st;
}

static enum status view_lives(struct far *f, struct call *r)
{
    uint32_t n = far_param_number(buf_str(&r->query), "n", 20000, LIMIT_DASH_LIVES);
    enum status st = need_family(f);

    return st == ST_OK ? give(r, far_family_lives(f->family, n)) : st;
}

static enum status view_agent(struct far *f, struct call *r)
{
    uint32_t n = far_param_number(buf_str(&r->query), "n", 200, LIMIT_ANSWER_ROWS);
    struct far_replies all = {0};
    json_t *card = NULL;
    char path[40];
    enum status st = need_family(f);

    (void)snprintf(path, sizeof path, "agent/%u", r->number);
    if (st == ST_OK)
        st = ask_rows(f, r, path, n, &all);
    if (st == ST_OK)
        card = far_merge_card(&all, n);
    if (card)
        far_family_relatives(f->family, card, r->number, n);
    if (st == ST_OK)
        st = give(r, card);
    far_replies_clear(&all);
    return st;
}

/* Asks the nodes for these agents, and writes a row for each of them, in this order. */
static enum status ask_agents(struct far *f, const struct far_branch *some, size_t count,
                              json_t *ret)
{
    struct buf ids = BUF_INIT(LIMIT_DASH_URL), query = BUF_INIT(LIMIT_DASH_URL);
    struct far_replies all = {0};
    enum status st;

    for (size_t i = 0; i < count; i++)
        buf_addf(&ids, "%s%u", i ? "," : "", f->family->members[some[i].place].id);
    question_add(&query, STR("ids"), buf_str(&ids));
    st = buf_check(&query);
    if (st == ST_OK)
        st = far_ask(f, 0, "agents", buf_str(&query), &all);
    for (size_t i = 0; i < all.count && st == ST_OK; i++)
        far_take_agents(ret, &all.items[i]);
    far_replies_clear(&all);
    buf_free(&ids);
    buf_free(&query);
    return st;
}

static void add_branch(const struct far *f, struct nest *nest, const struct far_branch *b,
                       const json_t *known)
{
    const struct far_member *m = &f->family->members[b->place];
    json_t *row = far_agent_row(m, known);
    char *text = json_dumps(row, JSON_COMPACT);

    nest_add(nest, b->parent, m->id, str_of(text ? text : "{}"));
    nest->nodes[nest->count - 1].more = b->more;
    free(text);
    json_decref(row);
}

static enum status view_tree(struct far *f, struct call *r)
{
    struct str query = buf_str(&r->query);
    uint32_t n = far_param_number(query, "n", 500, TREE_MOST);
    struct far_branch *branches = mem_zero(n + 1, sizeof *branches);
    json_t *known = json_object();
    struct nest nest;
    size_t count = 0;
    enum status st = need_family(f);

    nest_init(&nest);
    if (st == ST_OK)
        count = far_family_branches(f->family, far_param_number(query, "root", 0, UINT32_MAX),
                                    far_param_number(query, "depth", 3, 1000000), n, branches,
                                    &nest.more);
    for (size_t i = 0; i < count && st == ST_OK; i += IDS_AT_ONCE)
        st = ask_agents(f, branches + i, count - i < IDS_AT_ONCE ? count - i : IDS_AT_ONCE, known);
    for (size_t i = 0; i < count && st == ST_OK; i++)
        add_branch(f, &nest, &branches[i], known);
    if (st == ST_OK) {
        buf_add_z(&r->out, "{\"children\":");
        nest_write(&nest, &r->out);
        buf_addf(&r->out, ",\"more\":%llu}", (unsigned long long)nest.more);
    }
    nest_clear(&nest);
    json_decref(known);
    free(branches);
    return st;
}

/* ---- the list ------------------------------------------------------------ */

#define OF(rest) "/api/crawls/ID" rest

static const struct far_view views[] = {
    {OF(""), view_overview, false},
    {OF("/samples"), view_samples, true},
    {OF("/histogram"), view_histogram, true},
    {OF("/pages"), view_pages, true},
    {OF("/page/N"), view_page, true},
    {OF("/text/N"), view_text, true},
    {OF("/markdown/N"), view_markdown, true},
    {OF("/tree"), view_tree, true},
    {OF("/lives"), view_lives, true},
    {OF("/paths"), view_paths, true},
    {OF("/agent/N"), view_agent, true},
    {OF("/activity"), view_activity, true},
    {OF("/map"), view_map, true},
    {OF("/messages"), view_messages, true},
    {OF("/conversations"), view_conversations, true},
    {OF("/crew"), view_crew, true},
    {OF("/lattice"), view_lattice, true},
};

const struct far_view *far_view_find(const char *path)
{
    for (size_t i = 0; i < ARRAY_LEN(views); i++)
        if (strcmp(views[i].path, path) == 0)
            return &views[i];
    return NULL;
}
