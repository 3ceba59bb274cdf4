/* Rewiring: degrees stay, clusters go, and of a page only its hrefs change.
 * SPDX-License-Identifier: MIT */
#include "open_world.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "sim/exchange.h"
#include "sim/graph_measure.h"
#include "sim/href.h"
#include "sim/info.h"
#include "sim/make/make.h"
#include "sim/rewire.h"
#include "sim/scribe.h"
#include "sim/world.h"
#include "store/read/query.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- exchange -------------------------------------------------------------- */

/* 60 pages with the links i -> i+1 .. i+8 (modulo 60): very clustered. */
#define PAGES 60
#define EACH  8

struct ring {
    uint64_t off[PAGES + 1];
    uint32_t to[PAGES * EACH];
    bool fixed[PAGES * EACH];
    int64_t since[PAGES * EACH], birth[PAGES];
};

static struct link_exchange ring(struct ring *r)
{
    *r = (struct ring){.off = {0}};
    for (uint32_t i = 0; i < PAGES; i++) {
        r->off[i + 1] = (i + 1) * EACH;
        for (uint32_t k = 0; k < EACH; k++)
            r->to[i * EACH + k] = (i + k + 1) % PAGES;
    }
    return (struct link_exchange){PAGES, r->off, r->to, r->fixed, r->since, r->birth};
}

static void assert_simple(const struct ring *r)
{
    uint32_t in[PAGES] = {0};

    for (uint32_t i = 0; i < PAGES; i++) {
        bool seen[PAGES] = {false};

        for (uint32_t l = i * EACH; l < (i + 1) * EACH; l++) {
            assert_true(r->to[l] != i && !seen[r->to[l]]);
            seen[r->to[l]] = true;
            in[r->to[l]]++;
        }
    }
    for (uint32_t i = 0; i < PAGES; i++)
        assert_int_equal(in[i], EACH);
}

static void exchanges_keep_degrees_and_make_no_doubles(void **state)
{
    struct ring a, b, c;
    struct link_exchange xa = ring(&a), xb = ring(&b), xc = ring(&c);
    struct graph_rows rows = {PAGES, a.off, a.to};
    double before = graph_clustering(&rows);
    uint32_t moved = 0;

    (void)state;
    assert_int_equal(exchange_links(&xa, 1, NULL, NULL), ST_OK);
    assert_int_equal(exchange_links(&xb, 1, NULL, NULL), ST_OK);
    assert_int_equal(exchange_links(&xc, 2, NULL, NULL), ST_OK);
    assert_simple(&a);
    assert_memory_equal(a.to, b.to, sizeof a.to);
    assert_memory_not_equal(a.to, c.to, sizeof a.to);
    (void)ring(&b);
    for (size_t l = 0; l < PAGES * EACH; l++)
        moved += a.to[l] != b.to[l];
    assert_true(moved > PAGES * EACH * 3 / 4);
    assert_true(graph_clustering(&rows) < 0.6 * before); /* 60 pages with 16 neighbours: 0.27 */
}

static void fixed_links_stay_and_no_link_is_older_than_its_target(void **state)
{
    struct ring r;
    struct link_exchange x = ring(&r);

    (void)state;
    for (uint32_t i = 0; i < PAGES; i++)
        r.birth[i] = i; /* page i appears at the time i */
    for (uint32_t l = 0; l < PAGES * EACH; l++) {
        uint32_t from = l / EACH;

        r.fixed[l] = l % 5 == 0;
        r.since[l] = r.to[l] > from ? r.to[l] : from; /* as soon as both are there */
    }
    assert_int_equal(exchange_links(&x, 3, NULL, NULL), ST_OK);
    assert_simple(&r);
    for (uint32_t l = 0; l < PAGES * EACH; l++) {
        if (r.fixed[l])
            assert_int_equal(r.to[l], (l / EACH + l % EACH + 1) % PAGES);
        assert_true(r.birth[r.to[l]] <= r.since[l]);
    }
}

/* ---- href ------------------------------------------------------------------- */

/* b goes to "x?a&b'", everything else stays. */
static struct str swap_b(void *ctx, struct str url)
{
    ++*(int *)ctx;
    return str_eq(url, STR("http://h.example/d/b")) ? STR("http://h.example/x?a&b'")
                                                    : (struct str){"", 0};
}

static void hrefs_are_replaced_and_nothing_else(void **state)
{
    static const struct {
        const char *in, *out;
        int hits;
    } cases[] = {
        {"<a href=\"b\">b</a>", "<a href=\"http://h.example/x?a&amp;b&#39;\">b</a>", 1},
        {"<A HREF='./b#top' rel=x>", "<A HREF='http://h.example/x?a&amp;b&#39;' rel=x>", 1},
        {"<a class=y href=b>b</a>", "<a class=y href=http://h.example/x?a&amp;b&#39;>b</a>", 1},
        {"<area href = &#98; >", "<area href = http://h.example/x?a&amp;b&#39; >", 1},
        {"<a href=c>c</a><a href=mailto:b>m</a>", "<a href=c>c</a><a href=mailto:b>m</a>", 1},
        {"<!-- <a href=b> --><script>'<a href=b>'</script><textarea><a href=b></textarea>",
         "<!-- <a href=b> --><script>'<a href=b>'</script><textarea><a href=b></textarea>", 0},
        {"<link href=b><img src=b><p>b</p><a name=b><a href>",
         "<link href=b><img src=b><p>b</p><a name=b><a href>", 0},
        {"<a href=b>1<a href='/d/b'>2<a href=\"//h.example/d/b",
         "<a href=http://h.example/x?a&amp;b&#39;>1<a href='http://h.example/x?a&amp;b&#39;'>2"
         "<a href=\"//h.example/d/b",
         2},
    };
    struct buf out = BUF_INIT(1000);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int hits = 0;

        buf_clear(&out);
        assert_int_equal(
            href_each(str_of(cases[i].in), STR("http://h.example/d/a"), swap_b, &hits, &out),
            ST_OK);
        assert_string_equal(out.data, cases[i].out);
        assert_int_equal(hits, cases[i].hits);
    }
    buf_free(&out);
    out = BUF_INIT(20);
    int hits = 0;
    assert_int_equal(
        href_each(str_of(cases[0].in), STR("http://h.example/d/a"), swap_b, &hits, &out), ST_LIMIT);
    buf_free(&out);
}

/* ---- worlds ------------------------------------------------------------------ */

static const char *path(const char *name)
{
    static char names[4][256], dir[128];
    static int next;
    char *at = names[next++ % 4];

    if (dir[0] == '\0')
        (void)snprintf(dir, sizeof dir, "%s", test_dir());
    (void)snprintf(at, 256, "%s/%s", dir, name);
    return at;
}

static struct rewire_report rewired(const char *from, const char *to, uint64_t rng)
{
    struct rewire_config config = {.rng = rng};
    struct rewire_report report;

    if (world_rewire(from, to, &config, NULL, NULL, &report) != ST_OK)
        fail_msg("%s", status_text());
    return report;
}

/* Out- and in-degrees, one array behind the other; the caller frees it. */
static uint32_t *degrees(struct world *w)
{
    uint32_t n = world_pages(w), *both = mem_zero((size_t)n * 2 + 1, sizeof *both);
    uint64_t *off, all;
    uint32_t *to;

    assert_int_equal(world_links(w, &off, &to, &all), ST_OK);
    struct graph_rows rows = {n, off, to};
    graph_out_degrees(&rows, both);
    graph_in_degrees(&rows, both + n);
    free(off);
    free(to);
    return both;
}

static void read_key(const char *dir, const char *key, struct buf *out)
{
    struct query *q = NULL;

    buf_clear(out);
    assert_int_equal(query_open(dir, &q), ST_OK);
    assert_int_equal(query_key(q, key, out), ST_OK);
    query_close(q);
}

/* The text of a document without what stands in href="…". */
static void without_hrefs(struct str html, struct buf *out)
{
    size_t from = 0, at;

    buf_clear(out);
    while ((at = str_find(html, STR("href=\""), from)) != SIZE_MAX) {
        buf_add_str(out, str_sub(html, from, at));
        from = str_find_char(html, '"', at + 6);
    }
    buf_add_str(out, str_sub(html, from, html.len));
}

static void a_generated_world_keeps_its_degrees_and_words_and_loses_its_clusters(void **state)
{
    struct make_config c;
    struct world_info before, after;

    (void)state;
    make_config_init(&c);
    c.graph.pages = 5000;
    c.graph.hosts = 250;
    c.graph.out_mean = 8;
    c.graph.in_exponent = 2.6;
    c.graph.clustering = 0.15;
    c.graph.rng = 2;
    c.words = 40;
    c.menus = 0;
    assert_int_equal(world_make(path("W"), &c, NULL, NULL), ST_OK);
    struct rewire_report report = rewired(path("W"), path("R"), 1);
    struct world *w = opened(path("W")), *r = opened(path("R"));
    assert_int_equal(world_info(w, &before), ST_OK);
    assert_int_equal(world_info(r, &after), ST_OK);
    uint32_t *wd = degrees(w), *rd = degrees(r);
    assert_memory_equal(wd, rd, 2 * 5000 * sizeof *wd);
    free(wd);
    free(rd);
    assert_true(before.clustering > 0.13 && after.clustering < before.clustering / 5);
    assert_true(before.links == after.links && report.kept == 0);
    assert_true(report.before == before.clustering && report.after == after.clustering);
    assert_false(report.moves);
    assert_true(report.moved > report.links * 99 / 100);
    assert_true(before.hosts == after.hosts && before.ntopics == after.ntopics);
    assert_int_equal(world_count(w), world_count(r));

    struct buf head = BUF_INIT(1 << 20), a = BUF_INIT(1 << 22), b = BUF_INIT(1 << 22);
    struct buf bare = BUF_INIT(1 << 22), other = BUF_INIT(1 << 22);
    for (uint32_t i = 0; i < world_count(w); i += i < 5000 ? 37 : 1) {
        const struct world_entry *e = world_entry(w, i), *f = world_entry(r, i);

        assert_true(str_eq(e->url, f->url) && e->topic == f->topic && e->kind == f->kind);
        assert_true(e->redirect_to == f->redirect_to && e->status == f->status);
        buf_clear(&a);
        buf_clear(&b);
        assert_int_equal(world_read(w, i, &head, &a), ST_OK);
        assert_int_equal(world_read(r, i, &head, &b), ST_OK);
        without_hrefs(buf_str(&a), &bare);
        without_hrefs(buf_str(&b), &other);
        assert_true(str_eq(buf_str(&bare), buf_str(&other)));
        buf_clear(&head);
    }
    read_key(path("W"), "topics", &a);
    read_key(path("R"), "topics", &b);
    assert_true(str_eq(buf_str(&a), buf_str(&b)));
    world_info_clear(&before);
    world_info_clear(&after);
    world_close(w);
    world_close(r);
    buf_free(&head);
    buf_free(&a);
    buf_free(&b);
    buf_free(&bare);
    buf_free(&other);
}

/* How many pages ever linked to each URL, in all versions together: lines. */
static void ever_linked(const char *dir, struct buf *out)
{
    char name[300];
    sqlite3_stmt *rows = NULL;
    sqlite3 *db = NULL;

    (void)snprintf(name, sizeof name, "%s/crawl.db", dir);
    assert_int_equal(sqlite3_open_v2(name, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT to_url, count(DISTINCT url) FROM link JOIN page ON "
                                        "page.id = from_page GROUP BY to_url ORDER BY to_url",
                                        -1, &rows, NULL),
                     SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW)
        buf_addf(out, "%s %d\n", (const char *)sqlite3_column_text(rows, 0),
                 sqlite3_column_int(rows, 1));
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(db);
}

/* The figures are those of `world info`, which sees last versions; in-degrees are
 * kept over all versions together. */
static void a_world_that_moves_keeps_its_degrees_over_all_versions(void **state)
{
    struct buf ever[2] = {BUF_INIT(1 << 24), BUF_INIT(1 << 24)};
    struct make_config c;
    struct world_info before, after;

    (void)state;
    make_config_init(&c);
    c.kind = MAKE_NEWS;
    c.graph.hosts = 5;
    c.news.days = 4;
    c.words = 40;
    c.menus = 0;
    assert_int_equal(world_make(path("N"), &c, NULL, NULL), ST_OK);
    struct rewire_report report = rewired(path("N"), path("NR"), 1);
    struct world *w = opened(path("N")), *r = opened(path("NR"));
    assert_int_equal(world_info(w, &before), ST_OK);
    assert_int_equal(world_info(r, &after), ST_OK);
    assert_true(report.moves && report.moved > report.links / 2);
    assert_true(before.clustering > after.clustering);
    assert_true(report.before == before.clustering && report.after == after.clustering);
    uint32_t *wd = degrees(w), *rd = degrees(r);
    assert_memory_equal(wd, rd, before.pages * sizeof *wd); /* out-degrees: in each version */
    free(wd);
    free(rd);
    ever_linked(path("N"), &ever[0]);
    ever_linked(path("NR"), &ever[1]);
    assert_true(ever[0].len > 1000 && str_eq(buf_str(&ever[0]), buf_str(&ever[1])));
    buf_free(&ever[0]);
    buf_free(&ever[1]);
    world_info_clear(&before);
    world_info_clear(&after);
    world_close(w);
    world_close(r);
}

/* A small web by hand: 12 pages p0 .. p11, each with ordinary links to the next
 * three, and on p0 and p1 links that are to stay. */
static void write_page(struct scribe *s, uint32_t i, struct str html, struct str type)
{
    char url[100];

    (void)snprintf(url, sizeof url, "http://h.example/p%u", i);
    assert_int_equal(
        scribe_page(s, &(struct scribe_answer){.url = str_of(url), .type = type, .body = html}),
        ST_OK);
}

static void utf16(const char *text, struct buf *out)
{
    buf_add(out, "\xff\xfe", 2);
    for (; *text; text++) {
        buf_add_char(out, *text);
        buf_add_char(out, '\0');
    }
}

static void small_world(const char *dir)
{
    struct buf html = BUF_INIT(10000), wide = BUF_INIT(10000);
    struct scribe s;

    assert_int_equal(scribe_open(&s, dir, "brood", US_PER_S), ST_OK);
    for (uint32_t i = 0; i < 12; i++) {
        buf_clear(&html);
        buf_addf(&html,
                 "<title>%u</title><p>Words of page %u: <a href='p%u'>one</a> "
                 "<a href=p%u>two</a> <a href=\"/p%u\">three</a> "
                 "<a href=/dead>dead</a> <a href=p%u>self</a>",
                 i, i, (i + 1) % 12, (i + 2) % 12, (i + 3) % 12, i);
        if (i == 0)
            buf_add_z(&html, "<a rel=nofollow href=/p7>not this</a>"
                             "<iframe src=/p8></iframe><a href=/p8>both</a>");
        if (i == 1)
            buf_add_z(&html, "<meta name=robots content=nofollow>");
        if (i == 2)
            utf16(html.data, &wide);
        write_page(&s, i, i == 2 ? buf_str(&wide) : buf_str(&html),
                   i == 2 ? STR("text/html; charset=utf-16le") : STR("text/html"));
    }
    scribe_key(&s, "note", STR("kept"));
    assert_int_equal(scribe_label(&s, STR("http://h.example/p3"), STR("A.B")), ST_OK);
    assert_int_equal(scribe_label(&s, STR("http://h.example/p3"), STR("C")), ST_OK);
    assert_int_equal(scribe_close(&s, ST_OK), ST_OK);
    buf_free(&html);
    buf_free(&wide);
}

static bool has(struct world *w, uint32_t page, const char *what)
{
    struct buf head = BUF_INIT(1 << 16), body = BUF_INIT(1 << 16);
    bool found;

    assert_int_equal(world_read(w, page, &head, &body), ST_OK);
    found = str_find(buf_str(&body), str_of(what), 0) != SIZE_MAX;
    buf_free(&head);
    buf_free(&body);
    return found;
}

static void what_must_not_be_followed_stays_as_it_is(void **state)
{
    struct buf key = BUF_INIT(1000);
    uint32_t count = 0;

    (void)state;
    small_world(path("small"));
    struct rewire_report report = rewired(path("small"), path("small2"), 4);
    struct world *w = opened(path("small")), *r = opened(path("small2"));
    uint32_t *a = degrees(w), *b = degrees(r);

    /* 36 ordinary ones, p7 and p8 on p0. Kept: those two, p1's three, p2's three. */
    assert_int_equal(report.links, 38);
    assert_int_equal(report.kept, 8);
    assert_true(report.moved > 10 && report.moved <= 30);
    assert_memory_equal(a, b, 24 * sizeof *a);
    assert_true(has(r, 0, "<a rel=nofollow href=/p7>") && has(r, 0, "<iframe src=/p8></iframe>"));
    assert_true(has(r, 0, "<a href=/p8>both</a>"));
    assert_true(has(r, 1, "<a href='p2'>one</a> <a href=p3>two</a> <a href=\"/p4\">three</a>"));
    for (uint32_t i = 0; i < 12; i++)
        if (i != 2)
            assert_true(has(r, i, "<a href=/dead>dead</a>") && has(r, i, ">self</a>"));
    (void)world_labels(r, &count);
    assert_int_equal(count, 2);
    read_key(path("small2"), "note", &key);
    assert_string_equal(key.data, "kept");
    free(a);
    free(b);
    buf_free(&key);
    world_close(w);
    world_close(r);
}

static bool stop(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    (void)ctx, (void)what, (void)done, (void)total;
    return false;
}

static void bad_wishes_leave_nothing(void **state)
{
    struct rewire_config config = {.rng = 1};
    struct rewire_report report;

    (void)state;
    small_world(path("bad"));
    assert_int_equal(world_rewire(path("nowhere"), path("x"), &config, NULL, NULL, &report),
                     ST_MISSING);
    assert_int_equal(world_rewire(path("bad"), path("bad"), &config, NULL, NULL, &report),
                     ST_EXISTS);
    assert_int_equal(world_rewire(path("bad"), path("x"), &config, stop, NULL, &report),
                     ST_STOPPED);
    assert_int_not_equal(access(path("x"), F_OK), 0);
    assert_int_not_equal(access(path("x.part"), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_keep_degrees_and_make_no_doubles),
        cmocka_unit_test(fixed_links_stay_and_no_link_is_older_than_its_target),
        cmocka_unit_test(hrefs_are_replaced_and_nothing_else),
        cmocka_unit_test(a_generated_world_keeps_its_degrees_and_words_and_loses_its_clusters),
        cmocka_unit_test(a_world_that_moves_keeps_its_degrees_over_all_versions),
        cmocka_unit_test(what_must_not_be_followed_stays_as_it_is),
        cmocka_unit_test(bad_wishes_leave_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
