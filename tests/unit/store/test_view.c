/* test_view.c - a view of a crawl that grows: what was read once stays right.
 *
 * The rows are written by hand, with the tables of schema.c. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "store/db.h"
#include "store/read/query_int.h"
#include "store/schema.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

static sqlite3 *db;
static char dir[256];

static void change(const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
}

/* A page of a URL of its own, at second `id`, of 100 bytes. */
static void add_page(int id, const char *host, double relevance, int agent, int via)
{
    char sql[1000];

    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO url_row VALUES(%d, 'http://%s/%d', %d, %d, 0);"
                   "INSERT INTO fate VALUES(%d, 2, 0, %d);"
                   "INSERT INTO page_row(id, url, host, status, fetched_at, latency, bytes, title,"
                   " relevance, depth, agent, hidden) VALUES(%d, %d, '%s', 200, %d000000, 0, 100,"
                   " 'title %d', %f, %d, %d, 0)",
                   id, host, id, via != 0, via, id, id, id, id, host, id, id, relevance, via != 0,
                   agent);
    change(sql);
}

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(dir, sizeof dir, "%s", test_dir());
    assert_int_equal(db_open(dir, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &db), ST_OK);
    assert_int_equal(db_pragmas(db), ST_OK);
    assert_int_equal(schema_create(db), ST_OK);
    change("INSERT INTO agent VALUES(1, 'Ada', 'kin', NULL, 0, 1, NULL, NULL, NULL, 1, 2),"
           "(2, 'Bo', 'kin', 1, 1, 2, NULL, 9, 'starved', 0, 1)");
    add_page(1, "a.example", 0.25, 1, 0);
    add_page(2, "a.example", 0.75, 1, 1);
    add_page(3, "b.example", 0.5, 2, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return sqlite3_close(db) == SQLITE_OK ? 0 : 1;
}

struct seen {
    char text[200];
};

static enum status on_page(void *ctx, const struct query_page *p)
{
    struct seen *s = ctx;
    size_t n = strlen(s->text);

    (void)snprintf(s->text + n, sizeof s->text - n, "%u ", p->id);
    return ST_OK;
}

static enum status on_agent(void *ctx, const struct query_agent *a)
{
    struct seen *s = ctx;
    size_t n = strlen(s->text);

    (void)snprintf(s->text + n, sizeof s->text - n, "%u ", a->id);
    return ST_OK;
}

static void assert_pages(struct query *v, struct view_filter f, const char *wanted)
{
    struct seen s = {""};
    uint64_t count = 0, shown = 0;

    if (f.n == 0)
        f.n = 100;
    assert_int_equal(view_pages(v, &f, on_page, &s, NULL), ST_OK);
    assert_string_equal(s.text, wanted);
    assert_int_equal(view_count(v, &f, &count), ST_OK);
    for (const char *p = wanted; *p; p++)
        shown += *p == ' ';
    if (f.offset == 0)
        assert_int_equal(count, shown);
}

static struct query *open_view(void)
{
    struct query *v;
    bool changed;

    assert_int_equal(view_open(dir, &v), ST_OK);
    assert_int_equal(view_refresh(v, true, &changed), ST_OK);
    assert_true(changed);
    assert_int_equal(view_refresh(v, true, &changed), ST_OK);
    assert_false(changed);
    return v;
}

/* Relevance: 0.75 (2), 0.5 (3), 0.25 (1); so the ranks are 0.94, 0.91 and 0.83. */
static void pages_are_filtered_and_ranked(void **state)
{
    struct query *v = open_view();
    const struct view_totals *t = view_totals(v);

    (void)state;
    assert_int_equal(t->pages, 3);
    assert_int_equal(t->relevant, 2); /* from 0.5 on */
    assert_int_equal(t->bins[12], 1); /* 0.25 * 50 = 12.5; 0.75: 37.5; 0.5: 25 */
    assert_int_equal(t->bins[37], 1);
    assert_int_equal(t->bins[25], 1);
    assert_int_equal(t->hosts, 2);
    assert_int_equal(t->bytes, 300);
    assert_int_equal(t->born, 2);
    assert_int_equal(t->alive, 1);
    assert_true(t->relevance_sum == 1.5);
    assert_int_equal(t->last_at - t->first_at, 2000000);
    assert_pages(v, (struct view_filter){.seeds = -1}, "2 3 1 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .by_time = true}, "3 2 1 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .offset = 1, .n = 1}, "3 ");
    assert_pages(v, (struct view_filter){.seeds = 1}, "1 ");
    assert_pages(v, (struct view_filter){.seeds = 0}, "2 3 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .host = STR("a.example")}, "2 1 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .host = STR("c.example")}, "");
    assert_pages(v, (struct view_filter){.seeds = -1, .agent = 2}, "3 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .min = 0.9}, "2 3 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .from = 2000000}, "2 3 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .from = 2000000, .to = 3000000}, "2 ");
    query_close(v);
}

/* By relevance it is 2 3 1. A row takes the place of the one before, with a new number. */
static void a_view_follows_what_the_model_says_of_pages(void **state)
{
    struct query *v = open_view();
    struct seen find = {""};
    uint32_t best;
    bool changed;

    (void)state;
    change("INSERT INTO judged_row VALUES(1, 1, 0.95), (2, 2, 0.125)");
    assert_int_equal(view_refresh(v, true, &changed), ST_OK);
    assert_pages(v, (struct view_filter){.seeds = -1}, "1 3 2 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .min = 0.5}, "1 3 ");
    assert_int_equal(view_best(v, 1, &best, on_page, &find), ST_OK);
    assert_int_equal(best, 1);
    change("INSERT OR REPLACE INTO judged_row VALUES(3, 1, 0.25)");
    assert_int_equal(view_refresh(v, true, &changed), ST_OK);
    assert_pages(v, (struct view_filter){.seeds = -1}, "3 1 2 ");
    add_page(4, "b.example", 0.375, 2, 1);
    change("INSERT INTO judged_row VALUES(4, 4, 0.9375)");
    assert_int_equal(view_refresh(v, true, &changed), ST_OK);
    assert_pages(v, (struct view_filter){.seeds = -1}, "4 3 1 2 ");
    query_close(v);
}

static void families_and_paths_are_found(void **state)
{
    struct query *v = open_view();
    struct seen s = {""}, led = {""}, find = {""};
    uint64_t all = 0;
    uint32_t best;

    (void)state;
    assert_int_equal(query_children(v, 0, 10, on_agent, &s, &all), ST_OK);
    assert_int_equal(query_children(v, 1, 10, on_agent, &s, &all), ST_OK);
    assert_string_equal(s.text, "1 2 ");
    assert_int_equal(view_best(v, 1, &best, on_page, &find), ST_OK);
    assert_int_equal(best, 2);
    assert_string_equal(find.text, "2 ");
    assert_int_equal(view_led(v, 1, 1, on_page, &led, &all), ST_OK);
    assert_string_equal(led.text, "2 ");
    assert_int_equal(all, 2);
    query_close(v);
}

/* What comes later is added; a new version takes the place of the old one; a duplicate and a
 * hidden page are counted and not shown; what is forgotten is gone. */
static void a_view_follows_the_crawl(void **state)
{
    struct query *v = open_view();

    (void)state;
    add_page(4, "c.example", 0.9, 1, 2);
    assert_int_equal(view_refresh(v, false, NULL), ST_OK); /* totals alone … */
    assert_int_equal(view_totals(v)->pages, 4);
    assert_int_equal(view_totals(v)->hosts, 3);
    assert_int_equal(view_refresh(v, true, NULL), ST_OK); /* … and the rest behind them */
    assert_pages(v, (struct view_filter){.seeds = -1}, "4 2 3 1 ");
    change(
        "INSERT INTO page_row(id, url, host, status, fetched_at, latency, bytes, relevance, depth,"
        " agent, hidden, version_of) VALUES(5, 2, 'a.example', 200, 5000000, 0, 1, 0.1, 1, 1, 0, "
        "2);"
        "UPDATE fate SET page = 5 WHERE url = 2");
    add_page(6, "a.example", 0.95, 1, 1);
    add_page(7, "a.example", 0.95, 1, 1);
    change(
        "UPDATE page_row SET hidden = 1 WHERE id = 6; UPDATE page_row SET dup_of = 1 WHERE id = 7");
    assert_int_equal(view_refresh(v, true, NULL), ST_OK);
    assert_pages(v, (struct view_filter){.seeds = -1}, "4 3 1 5 ");
    assert_int_equal(view_totals(v)->pages, 7);
    assert_int_equal(view_totals(v)->hidden, 1);
    assert_int_equal(view_totals(v)->duplicates, 1);
    change("DELETE FROM page_row WHERE id = 4; INSERT INTO forgotten(at, what, pages) VALUES(1, "
           "'x', 1)");
    assert_int_equal(view_refresh(v, true, NULL), ST_OK);
    assert_pages(v, (struct view_filter){.seeds = -1}, "3 1 5 ");
    assert_int_equal(view_totals(v)->pages, 6);
    query_close(v);
}

/* Step by step, with pages that come in between: as if read at once. */
static void warming_up_gives_the_same_view(void **state)
{
    struct query *v, *other;
    bool more = true, changed = false, any = false;

    (void)state;
    change("BEGIN");
    for (int id = 4; id <= 7000; id++)
        add_page(id, id % 2 ? "a.example" : "c.example", id % 100 / 100.0, 1 + id % 2, id / 2);
    change("COMMIT");
    assert_int_equal(view_open(dir, &v), ST_OK);
    assert_int_equal(view_warm(v, true, &more, &changed), ST_OK);
    assert_true(more);
    assert_false(changed); /* the totals are not whole yet */
    assert_true(view_totals(v)->pages < 7000);
    add_page(7001, "d.example", 1, 1, 1);
    while (more) {
        assert_int_equal(view_warm(v, true, &more, &changed), ST_OK);
        any = any || changed;
    }
    assert_true(any);
    assert_int_equal(view_refresh(v, true, &changed), ST_OK);
    assert_false(changed);
    other = open_view();
    assert_memory_equal(view_totals(v), view_totals(other), sizeof(struct view_totals));
    assert_pages(v, (struct view_filter){.seeds = -1, .n = 3, .offset = 1}, "99 199 299 ");
    assert_pages(other, (struct view_filter){.seeds = -1, .n = 3, .offset = 1}, "99 199 299 ");
    assert_pages(v, (struct view_filter){.seeds = -1, .host = STR("d.example")}, "7001 ");
    query_close(v);
    query_close(other);
}

/* Numbers that somebody made up: gaps and sizes take no time and no memory. */
static void large_numbers_are_read(void **state)
{
    struct query *v;
    struct view_filter f = {.seeds = -1, .n = 100, .words = STR("title")};
    struct view_searched how;
    struct seen s = {""};

    (void)state;
    add_page(4, "a.example", 0.1, 1, 1);
    change("UPDATE page_row SET id = 4611686018427387904 WHERE id = 4;"
           "UPDATE url_row SET id = 4611686018427387904 WHERE id = 4;"
           "INSERT INTO body VALUES(1, 'x'), (2, 'x'), (3, 'x'), (4611686018427387904, 'x');"
           "INSERT INTO visit(id, agent_id, page_id) VALUES(4611686018427387904, 1, 1)");
    v = open_view();
    assert_int_equal(view_totals(v)->pages, 4);
    assert_int_equal(view_pages(v, &f, on_page, &s, &how), ST_OK);
    assert_string_equal(s.text, "2 3 1 ");
    query_close(v);
}

static enum status on_host(void *ctx, const struct view_host *h)
{
    struct seen *s = ctx;
    size_t n = strlen(s->text);

    (void)snprintf(s->text + n, sizeof s->text - n, "%.*s %d %.3f, ", STR_ARG(h->name),
                   (int)h->pages, h->relevance);
    return ST_OK;
}

static enum status on_edge(void *ctx, struct str from, struct str to, uint64_t n)
{
    struct seen *s = ctx;
    size_t len = strlen(s->text);

    (void)snprintf(s->text + len, sizeof s->text - len, "%.*s>%.*s %d, ", STR_ARG(from),
                   STR_ARG(to), (int)n);
    return ST_OK;
}

/* By hand: a has 0.25 and 0.75; page 1 of a led to 3 of b, and later 3 led back to 4. */
static void hosts_and_ways_between_them_are_counted(void **state)
{
    struct query *v = open_view();
    struct seen hosts = {""}, edges = {""};

    (void)state;
    add_page(4, "a.example", 0.2, 1, 3);
    add_page(5, "b.example", 0.1, 1, 1);
    assert_int_equal(view_refresh(v, true, NULL), ST_OK);
    assert_int_equal(view_hosts(v, 10, on_host, &hosts), ST_OK);
    assert_string_equal(hosts.text, "a.example 3 0.400, b.example 2 0.300, ");
    assert_int_equal(view_edges(v, 10, on_edge, &edges), ST_OK);
    assert_string_equal(edges.text, "a.example>b.example 2, b.example>a.example 1, ");
    query_close(v);
}

static enum status on_waiting(void *ctx, const struct view_host *h)
{
    struct seen *s = ctx;
    size_t n = strlen(s->text);

    (void)snprintf(s->text + n, sizeof s->text - n, "%.*s %d, ", STR_ARG(h->name), (int)h->waiting);
    return ST_OK;
}

static void assert_waiting(struct query *v, const char *wanted)
{
    struct seen s = {""};

    assert_int_equal(view_hosts(v, 10, on_waiting, &s), ST_OK);
    assert_string_equal(s.text, wanted);
}

/* By hand: a has 11 and 12, of which 12 was tried in vain; 13 of a was never to be followed;
 * b has 14; c has no page and is not shown. */
static void urls_that_wait_are_counted(void **state)
{
    struct query *v = open_view();
    bool more = true, changed;

    (void)state;
    change("INSERT INTO url_row VALUES(11, 'http://a.example/x', 1, 1, 0),"
           "(12, 'http://a.example/y', 1, 1, 0), (13, 'http://a.example/z', 1, 1, 5),"
           "(14, 'https://b.example/', 1, 1, 0), (15, 'http://c.example/', 1, 1, 0);"
           "INSERT INTO fate VALUES(12, 3, 7, 0)");
    assert_waiting(v, "a.example -1, b.example -1, "); /* nobody had time to count */
    while (more)
        assert_int_equal(view_warm(v, true, &more, &changed), ST_OK);
    assert_waiting(v, "a.example 1, b.example 1, ");
    change("DELETE FROM url_row WHERE id = 11; INSERT INTO forgotten(at, what, pages) VALUES(1,"
           " 'x', 1)");
    for (more = true; more;)
        assert_int_equal(view_warm(v, true, &more, &changed), ST_OK);
    assert_waiting(v, "a.example 0, b.example 1, ");
    query_close(v);
}

static enum status sleep_once(void *ctx, const struct query_page *p)
{
    bool *slept = ctx;

    (void)p;
    if (!*slept)
        clock_sleep(600 * US_PER_MS); /* as if others had the processor */
    *slept = true;
    return ST_OK;
}

/* A machine with much other work answers late, but answers. */
static void a_limit_is_one_of_work_not_of_waiting(void **state)
{
    struct view_filter f = {.seeds = -1, .n = 10000};
    struct query *v = NULL;
    bool slept = false;

    (void)state;
    change("WITH n(i) AS (VALUES(4) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
           " INSERT INTO url_row SELECT i, 'http://c.example/' || i, 0, 0, 0 FROM n;"
           "INSERT INTO page_row(id, url, host, status, fetched_at, latency, bytes, title,"
           " relevance, depth, agent, hidden) SELECT id, id, 'c.example', 200, id, 0, 1, 'x', 0.5,"
           " 0, 1, 0 FROM url_row WHERE id > 3");
    assert_int_equal(view_open(dir, &v), ST_OK);
    assert_int_equal(view_refresh(v, true, NULL), ST_OK);
    view_limit(v, 1);
    assert_int_equal(view_pages(v, &f, sleep_once, &(bool){true}, NULL), ST_STOPPED);
    view_limit(v, 500 * US_PER_MS);
    assert_int_equal(view_pages(v, &f, sleep_once, &slept, NULL), ST_OK);
    assert_true(slept);
    query_close(v);
}

/* ---- the first look ---- */

/* Some thousand pages, of which some are hidden, duplicates, older versions, and not judged. */
static void add_many(void)
{
    change("DELETE FROM page_row; DELETE FROM url_row; DELETE FROM fate;"
           "WITH n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
           " INSERT INTO url_row SELECT i, 'http://c.example/' || i, 1, 0, 0 FROM n;"
           "INSERT INTO page_row(id, url, host, status, fetched_at, latency, bytes, title,"
           " relevance, depth, agent, hidden, dup_of) SELECT id, id - (id % 7 = 0), 'c.example',"
           " 200, id, 0, 1, 'x', (id * 7919 % 500) / 500.0, 1, 1, id % 11 = 0,"
           " CASE WHEN id % 13 = 0 THEN 1 END FROM url_row;"
           "INSERT OR REPLACE INTO fate SELECT url, 2, 0, max(id) FROM page_row GROUP BY url;"
           "INSERT INTO judged_row(page, p) SELECT id, (id * 104729 % 300) / 300.0 FROM page_row"
           " WHERE id % 3 <> 0");
}

static void put_tally(const char *shown)
{
    char sql[500];
    int n = snprintf(sql, sizeof sql,
                     "INSERT OR REPLACE INTO crawl VALUES('total.rows',"
                     "'3000 0 0 0 0 3000 0 0 1 %s 5 0.5 70.5 1 2",
                     shown);

    for (int i = 0; i < TALLY_BINS; i++)
        n += snprintf(sql + n, sizeof sql - (size_t)n, " %d", i);
    (void)snprintf(sql + n, sizeof sql - (size_t)n, "')");
    change(sql);
}

static void list(struct query *v, struct view_filter f, struct buf *ret)
{
    struct seen s;

    buf_clear(ret);
    for (f.n = 20; f.offset < 3000; f.offset += f.n) {
        s = (struct seen){""};
        assert_int_equal(view_pages(v, &f, on_page, &s, NULL), ST_OK);
        buf_add_z(ret, s.text);
    }
}

/* The tables of a view were there before, and know the order. */
static void the_first_list_is_the_one_of_the_whole_view(void **state)
{
    struct view_filter ranked = {.seeds = -1}, newest = {.seeds = -1, .by_time = true};
    struct buf first = BUF_INIT(MIB(1)), whole = BUF_INIT(MIB(1));
    struct query *v = NULL;
    uint64_t count = 0;

    (void)state;
    add_many();
    put_tally("2000");
    assert_int_equal(view_open(dir, &v), ST_OK);
    for (int i = 0; i < 2; i++) {
        const struct view_filter *f = i ? &newest : &ranked;

        assert_int_equal(view_refresh(v, false, NULL), ST_OK);
        v->view->whole = false; /* as after any change */
        assert_true(view_is_ready(v, f));
        list(v, *f, &first);
        assert_int_equal(view_count(v, f, &count), ST_OK);
        assert_int_equal(count, 2000);
        assert_int_equal(view_refresh(v, true, NULL), ST_OK);
        list(v, *f, &whole);
        assert_true(whole.len > 5000);
        assert_string_equal(first.data, whole.data);
    }
    assert_int_equal(view_totals(v)->relevant, 5);
    assert_int_equal(view_totals(v)->bins[49], 49);
    query_close(v);
    buf_free(&first);
    buf_free(&whole);
}

static void only_plain_lists_are_ready_before_the_whole(void **state)
{
    static const struct view_filter others[] = {
        {.seeds = 1},
        {.seeds = -1, .min = 0.5},
        {.seeds = -1, .agent = 1},
        {.seeds = -1, .from = 1},
        {.seeds = -1, .to = 1},
        {.seeds = -1, .offset = 1000000},
        {.seeds = -1, .n = UINT32_MAX},
        {.seeds = -1, .host = {"h", 1}},
        {.seeds = -1, .words = {"w", 1}},
        {.seeds = -1, .topic = {"t", 1}},
    };
    struct view_filter plain = {.seeds = -1, .n = 10};
    struct query *v = NULL;

    (void)state;
    assert_int_equal(view_open(dir, &v), ST_OK);
    assert_int_equal(view_refresh(v, false, NULL), ST_OK);
    assert_false(view_is_ready(v, &plain)); /* nobody counted */
    put_tally("3");
    assert_int_equal(view_refresh(v, false, NULL), ST_OK);
    assert_true(view_is_ready(v, &plain));
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_false(view_is_ready(v, &others[i]));
    assert_int_equal(view_refresh(v, true, NULL), ST_OK);
    assert_true(view_is_ready(v, &others[0]));
    change("DELETE FROM crawl WHERE key = 'total.rows'"); /* as `brood check` does */
    assert_int_equal(view_refresh(v, false, NULL), ST_OK);
    assert_int_equal(view_totals(v)->pages, 3);
    assert_int_equal(view_totals(v)->hosts, 2);
    query_close(v);
}

/* The rows of a plan, each in brackets. */
static void plan_of(const char *sql, struct buf *ret)
{
    struct buf text = BUF_INIT(KIB(16));
    sqlite3_stmt *st = NULL;

    buf_clear(ret);
    buf_addf(&text, "EXPLAIN QUERY PLAN %s", sql);
    assert_int_equal(sqlite3_prepare_v2(db, text.data, -1, &st, NULL), SQLITE_OK);
    while (sqlite3_step(st) == SQLITE_ROW)
        buf_addf(ret, "[%s]", (const char *)sqlite3_column_text(st, 3));
    (void)sqlite3_finalize(st);
    buf_free(&text);
}

/* As the crawl runs, and with the indexes and the figures of one that is over. */
static void a_ranking_does_not_read_all_pages(void **state)
{
    struct buf plan = BUF_INIT(KIB(16));

    (void)state;
    add_many();
    for (int over = 0; over < 2; over++) {
        if (over) {
            assert_int_equal(schema_index(db), ST_OK);
            change("ANALYZE");
        }
        plan_of(query_ranked_sql, &plan);
        assert_non_null(strstr(plan.data, "[SEARCH j USING INDEX judged_by_p (p>?)]"));
        assert_non_null(strstr(plan.data, "[SEARCH s USING INTEGER PRIMARY KEY (rowid=?)]"));
        assert_non_null(strstr(plan.data, "[SEARCH s USING INDEX page_shown (relevance>?)]"));
        assert_null(strstr(plan.data, "[SCAN s]"));
        assert_null(strstr(plan.data, "page_by_relevance"));
        plan_of(query_newest_sql, &plan); /* from the end; only what is listed is sorted */
        assert_non_null(strstr(plan.data, "[SCAN s][CORRELATED"));
        assert_null(strstr(plan.data, "TEMP B-TREE FOR ORDER BY][SCAN"));
    }
    buf_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pages_are_filtered_and_ranked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_view_follows_what_the_model_says_of_pages, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(families_and_paths_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_view_follows_the_crawl, set_up, tear_down),
        cmocka_unit_test_setup_teardown(warming_up_gives_the_same_view, set_up, tear_down),
        cmocka_unit_test_setup_teardown(large_numbers_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_limit_is_one_of_work_not_of_waiting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(urls_that_wait_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hosts_and_ways_between_them_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_list_is_the_one_of_the_whole_view, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(only_plain_lists_are_ready_before_the_whole, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_ranking_does_not_read_all_pages, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("store view", tests, NULL, NULL);
}
