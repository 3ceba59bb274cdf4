/* The read side: query, export, check, forget. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "store/archive.h"
#include "store/write/check.h"
#include "store/export/export.h"
#include "store/write/forget.h"
#include "store/read/as_json.h"

#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A small crawl: pages 1..5 on a.test, 6 on b.test; 4 repeats 3; 5 is hidden. */
static const char *make_crawl(void)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);

    store_post(s, &(struct event){
                      .kind = EVENT_BORN, .at = 5, .born = {1, 0, STR("Ada"), STR("x"), 0, 1}});
    made_post(s, &(struct made_page){.id = 1,
                                     .title = "Vines",
                                     .text = "growing vines on slopes",
                                     .relevance = 0.9F,
                                     .nlinks = 5});
    made_post(s,
              &(struct made_page){
                  .id = 2, .title = "Boats", .text = "sailing \"fast\" boats", .relevance = 0.1F});
    made_post(s, &(struct made_page){
                     .id = 3, .text = "copy of words", .body = "same", .relevance = 0.6F});
    made_post(s, &(struct made_page){.id = 4,
                                     .text = "copy of words",
                                     .body = "same",
                                     .relevance = 0.6F,
                                     .dup_of = 3,
                                     .exact_dup = true});
    made_post(s,
              &(struct made_page){.id = 5, .text = "secret vines", .relevance = 1, .hidden = true});
    made_post(s, &(struct made_page){.id = 6,
                                     .href = "https://b.test/x?q=%C3%A4",
                                     .text = "vines elsewhere",
                                     .relevance = 0.7F});
    made_url(s, 7, "http://a.test/missing");
    made_outcome(s, 7, "http://a.test/missing", 404, DROP_STATUS, 0, true);
    made_robots(s, "http://b.test/robots.txt", "User-agent: *\n");
    store_post(s, &(struct event){
                      .kind = EVENT_DROP, .at = 12, .drop = {STR("ftp://x/"), 0, DROP_SCHEME}});
    assert_int_equal(store_label(s, STR("http://a.test/1"), STR("Wine")), ST_OK);
    made_checkpoint(s, 6);
    made_close(s);
    return dir;
}

static struct query *opened(const char *dir)
{
    struct query *q = NULL;

    if (query_open(dir, &q) != ST_OK)
        fail_msg("%s", status_text());
    return q;
}

static enum status gather_page(void *ctx, const struct query_page *p)
{
    buf_addf(ctx, "%u ", p->id);
    return buf_check(ctx);
}

static struct query *searched; /* by gather_hit() */

static enum status gather_hit(void *ctx, const struct query_page *p)
{
    struct buf some = BUF_INIT(1000), why = BUF_INIT(1000);

    assert_true(p->score > 0);
    assert_int_equal(query_snippet(searched, p, STR("vine OR sheep"), &some, &why), ST_OK);
    buf_addf(ctx, "%u:%.*s (%.*s) ", p->id, STR_ARG(buf_str(&some)), STR_ARG(buf_str(&why)));
    buf_free(&some);
    buf_free(&why);
    return buf_check(ctx);
}

static enum status gather_url(void *ctx, const struct query_url *u)
{
    buf_addf(ctx, "%u %.*s from %u depth %u state %u %s page %u", u->id, STR_ARG(u->url),
             u->from_page, u->depth, u->state, drop_name(u->drop), u->page);
    return buf_check(ctx);
}

static enum status gather_link(void *ctx, const struct query_link *l)
{
    buf_addf(ctx, "%u>%.*s(%.*s) ", l->from_page, STR_ARG(l->to_url), STR_ARG(l->anchor));
    return buf_check(ctx);
}

static enum status gather_outcome(void *ctx, const struct query_outcome *o)
{
    buf_addf(ctx, "%d %s %d", o->status, drop_name(o->why), o->is_final);
    return buf_check(ctx);
}

static enum status gather_count(void *ctx, struct str name, uint64_t n)
{
    buf_addf(ctx, "%.*s=%d ", STR_ARG(name), (int)n);
    return buf_check(ctx);
}

/* As a running crawl would: twice, the second time of what changed. */
static void judge_pages(const char *dir)
{
    static const struct page_verdict first[] = {{1, 0.25F}, {2, 0.75F}, {4, 0.5F}, {99, 0.5F}};
    static const struct page_verdict then[] = {{2, 0.5F}, {6, 0.875F}};
    struct store_config config = made_config();
    struct store *s = NULL;

    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    store_post(
        s, &(struct event){.kind = EVENT_JUDGED, .judged = {{(const char *)first, sizeof first}}});
    made_checkpoint(s, 6);
    store_post(
        s, &(struct event){.kind = EVENT_JUDGED, .judged = {{(const char *)then, sizeof then}}});
    made_checkpoint(s, 6);
    made_close(s);
}

static void what_the_model_says_of_a_page_comes_before_its_relevance(void **state)
{
    const char *dir = make_crawl();
    struct buf out = BUF_INIT(1000);
    struct query *q;

    (void)state;
    judge_pages(dir);
    q = opened(dir);
    assert_int_equal(query_top(q, 10, gather_page, &out), ST_OK);
    assert_string_equal(out.data, "3 6 2 1 "); /* .92 (of relevance .6), .875, .5, .25 */
    buf_clear(&out);
    assert_int_equal(query_finds(q, 1, 2, gather_page, &out), ST_OK);
    assert_string_equal(out.data, "3 6 ");
    query_close(q);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page WHERE p IS NULL"), 2); /* 3, 5 */
    assert_int_equal(made_int(dir, "SELECT p * 1000 FROM page WHERE id = 2"), 500);
    assert_int_equal(made_int(dir, "SELECT round(relevance * 1000) FROM page WHERE id = 6"), 700);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM judged_row WHERE page = 99"), 0);
    assert_int_equal(made_int(dir, "SELECT max(id) > 5 FROM judged_row WHERE page = 6"), 1);
    buf_free(&out);
}

/* Before pages were judged: no table, and a view without the column. */
static void make_older(const char *dir)
{
    char path[4096];
    sqlite3 *db = NULL;
    char *sql;

    (void)snprintf(path, sizeof path, "%s/crawl.db", dir);
    sql = str_dup(str_of(made_text(dir, "SELECT replace(replace(sql, ', j.p AS p', ''),"
                                        " ' LEFT JOIN judged_row j ON j.page = p.id', '')"
                                        " FROM sqlite_schema WHERE name = 'page'")));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP VIEW page; DROP TABLE judged_row", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    free(sql);
}

static void a_crawl_from_before_pages_were_judged_is_read_and_goes_on(void **state)
{
    const char *dir = make_crawl();
    struct buf out = BUF_INIT(1000);
    struct query *q;

    (void)state;
    make_older(dir);
    q = opened(dir);
    assert_int_equal(query_top(q, 10, gather_page, &out), ST_OK);
    assert_string_equal(out.data, "1 6 3 2 ");
    query_close(q);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM sqlite_schema WHERE name ="
                                   " 'judged_row'"),
                     0); /* reading changes nothing */
    judge_pages(dir);
    q = opened(dir);
    buf_clear(&out);
    assert_int_equal(query_top(q, 10, gather_page, &out), ST_OK);
    assert_string_equal(out.data, "3 6 2 1 ");
    query_close(q);
    buf_free(&out);
}

static void pages_are_ranked_and_found_by_their_words(void **state)
{
    struct query *q = opened(make_crawl());
    struct buf out = BUF_INIT(10000);

    (void)state;
    assert_int_equal(query_top(q, 10, gather_page, &out), ST_OK);
    assert_string_equal(out.data, "1 6 3 2 ");
    buf_clear(&out);
    assert_int_equal(query_top(q, 2, gather_page, &out), ST_OK);
    assert_string_equal(out.data, "1 6 ");
    buf_clear(&out);
    assert_int_equal(query_pages(q, gather_page, &out), ST_OK);
    assert_string_equal(out.data, "1 2 3 4 6 ");
    buf_clear(&out);
    searched = q;
    assert_int_equal(query_search(q, STR("vines"), false, 10, gather_hit, &out), ST_OK);
    assert_string_equal(out.data,
                        "1:growing \2vines\3 on slopes (vine) 6:\2vines\3 elsewhere (vine) ");
    buf_clear(&out);
    assert_int_equal(query_search(q, STR("\"fast"), false, 10, gather_page, &out), ST_OK);
    assert_string_equal(out.data, "2 ");
    buf_clear(&out);
    assert_int_equal(query_search(q, STR("AND (fast"), false, 10, gather_page, &out), ST_USAGE);
    assert_int_equal(out.len, 0);
    assert_int_equal(query_search(q, STR("growing OR sailing"), false, 10, gather_page, &out),
                     ST_OK);
    assert_int_equal(out.len, 4);
    assert_int_equal(query_search(q, STR("  "), false, 10, gather_page, &out), ST_USAGE);
    buf_clear(&out);
    assert_int_equal(query_text(q, 1, &out), ST_OK);
    assert_str(buf_str(&out), "growing vines on slopes");
    assert_int_equal(query_text(q, 5, &out), ST_MISSING);
    assert_int_equal(query_page(q, 99, gather_page, &out), ST_MISSING);
    buf_free(&out);
    query_close(q);
}

static void all_that_is_known_of_a_url_is_told(void **state)
{
    struct query *q = opened(make_crawl());
    struct buf out = BUF_INIT(10000);
    struct warc_record rec;
    enum drop why;
    uint32_t id = 0;
    int64_t at;

    (void)state;
    assert_int_equal(query_find(q, STR("HTTP://A.test:80/1#top"), &id), ST_OK);
    assert_int_equal(id, 1);
    assert_int_equal(query_find(q, STR("https://a.test/2"), &id), ST_OK);
    assert_int_equal(id, 2);
    assert_int_equal(query_find(q, STR("a.test/3"), &id), ST_OK);
    assert_int_equal(id, 3);
    assert_int_equal(query_find(q, STR("http://nowhere.test/"), &id), ST_MISSING);
    assert_int_equal(query_url(q, 1002, gather_url, &out), ST_OK);
    assert_string_equal(out.data, "1002 http://a.test/1/2 from 1 depth 2 state 0 none page 0");
    buf_clear(&out);
    assert_int_equal(query_url(q, 7, gather_url, &out), ST_OK);
    assert_string_equal(out.data, "7 http://a.test/missing from 0 depth 0 state 3 status page 0");
    buf_clear(&out);
    assert_int_equal(query_outcomes(q, 7, gather_outcome, &out), ST_OK);
    assert_string_equal(out.data, "404 status 1");
    buf_clear(&out);
    assert_int_equal(query_links_from(q, 1, 2, gather_link, &out), ST_OK);
    assert_string_equal(out.data,
                        "1>http://a.test/1/0(growing vines) 1>http://a.test/1/1(growing vines) ");
    buf_clear(&out);
    assert_int_equal(query_links_to(q, 1003, 9, gather_link, &out), ST_OK);
    assert_string_equal(out.data, "1>http://a.test/1/3(growing vines) ");
    assert_int_equal(query_dropped(q, STR("ftp://x/"), &why, &at), ST_OK);
    assert_int_equal(why, DROP_SCHEME);
    assert_int_equal(query_payload(q, 4, &rec), ST_OK);
    assert_str(rec.type, "response");
    assert_str(rec.target, "http://a.test/3");
    warc_record_free(&rec);
    assert_int_equal(query_payload(q, 5, &rec), ST_MISSING);
    buf_free(&out);
    query_close(q);
}

static void figures_agree_with_what_was_posted(void **state)
{
    struct query *q = opened(make_crawl());
    struct query_stats s;
    struct buf out = BUF_INIT(1000);

    (void)state;
    assert_int_equal(query_stats(q, &s), ST_OK);
    assert_int_equal(s.pages, 6);
    assert_int_equal(s.relevant, 5);
    assert_int_equal(s.hidden, 1);
    assert_int_equal(s.duplicates, 1);
    assert_int_equal(s.born, 1);
    assert_int_equal(s.alive, 1);
    assert_int_equal(s.hosts, 2);
    assert_int_equal(s.urls, 12);
    assert_int_equal(s.links, 5);
    assert_int_equal(s.indexed, 5);
    assert_float_equal(s.mean_relevance, 3.9 / 6, 1e-6);
    assert_float_equal(s.seconds, 6, 0.01);
    assert_int_equal(query_drops(q, gather_count, &out), ST_OK);
    assert_string_equal(out.data, "scheme=1 scope=1 status=1 ");
    buf_clear(&out);
    assert_int_equal(query_key(q, "schema", &out), ST_OK);
    assert_string_equal(out.data, "3");
    buf_free(&out);
    query_close(q);
}

/* ---- export ---- */

static void exported(const char *dir, export_fn *write, struct buf *out)
{
    struct query *q = opened(dir);
    char path[512];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s/export", dir);
    f = fopen(path, "wb");
    assert_non_null(f);
    if (write(q, &(struct export_to){.out = f}) != ST_OK)
        fail_msg("%s", status_text());
    (void)fclose(f);
    test_read(path, out);
    query_close(q);
}

static void every_form_of_export_can_be_read(void **state)
{
    const char *dir = make_crawl();
    struct buf out = BUF_INIT(MIB(1));
    struct str rest, line;
    int lines = 0;

    (void)state;
    exported(dir, export_jsonl, &out);
    for (rest = buf_str(&out); str_cut(&rest, '\n', &line);) {
        json_t *j = line.len ? json_loadb(line.ptr, line.len, 0, NULL) : NULL;

        if (line.len == 0)
            continue;
        assert_non_null(j);
        if (lines++ == 0) {
            assert_string_equal(json_string_value(json_object_get(j, "title")), "Vines");
            assert_string_equal(json_string_value(json_object_get(j, "text")),
                                "growing vines on slopes");
        }
        json_decref(j);
    }
    assert_int_equal(lines, 5);
    buf_clear(&out);
    exported(dir, export_csv, &out);
    assert_non_null(
        strstr(out.data, "2,\"http://a.test/2\",\"a.test\",200,2026-02-02T02:40:02.000Z,"));
    assert_null(strstr(out.data, "http://a.test/5"));
    buf_clear(&out);
    exported(dir, export_graphml, &out);
    assert_non_null(strstr(out.data, "<node id=\"p1\"><data key=\"url\">http://a.test/1</data>"));
    assert_non_null(strstr(out.data, "</graphml>"));
    buf_free(&out);
}

static void the_cdxj_is_sorted_and_points_at_records(void **state)
{
    const char *dir = make_crawl();
    struct buf out = BUF_INIT(MIB(1));
    struct str rest, line, last = {"", 0};
    int lines = 0;

    (void)state;
    exported(dir, export_cdxj, &out);
    for (rest = buf_str(&out); str_cut(&rest, '\n', &line);) {
        size_t brace = str_find_char(line, '{', 0);
        json_t *j;
        struct warc_record rec;

        if (line.len == 0)
            continue;
        assert_true(str_cmp(last, line) < 0);
        last = line;
        lines++;
        j = json_loadb(line.ptr + brace, line.len - brace, 0, NULL);
        assert_non_null(j);
        assert_int_equal(
            archive_read(dir, str_of(json_string_value(json_object_get(j, "filename"))),
                         strtoull(json_string_value(json_object_get(j, "offset")), NULL, 10), &rec),
            ST_OK);
        assert_true(str_eq(rec.target, str_of(json_string_value(json_object_get(j, "url")))));
        assert_int_equal(rec.length,
                         strtoull(json_string_value(json_object_get(j, "length")), NULL, 10));
        assert_true(
            str_ends(rec.payload_digest, str_of(json_string_value(json_object_get(j, "digest")))));
        warc_record_free(&rec);
        json_decref(j);
    }
    assert_int_equal(lines, 7); /* 5 pages, a 404, a robots.txt */
    assert_true(str_starts(buf_str(&out), STR("test,a)/1 20260202024001 {")));
    buf_free(&out);
}

static void surts_are_made_from_the_right(void **state)
{
    static const char *const pairs[][2] = {
        {"http://www.Example.org/A?b=C", "org,example)/a?b=c"},
        {"https://example.org:8443/", "org,example:8443)/"},
        {"http://127.0.0.1/x", "127.0.0.1)/x"},
        {"http://[::1]:80/x", "[::1])/x"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct buf out = BUF_INIT(1000);

        export_surt(str_of(pairs[i][0]), &out);
        assert_string_equal(out.data, pairs[i][1]);
        buf_free(&out);
    }
}

/* ---- check ---- */

static void gather_issue(void *ctx, const struct check_issue *issue)
{
    buf_addf(ctx, "%s%s: %.*s\n", check_kind_name(issue->kind), issue->mended ? " (mended)" : "",
             STR_ARG(issue->text));
}

static uint64_t checked(const char *dir, bool mend, struct buf *out)
{
    struct check_result result;

    buf_clear(out);
    buf_add_z(out, "");
    if (check_run(dir, mend, gather_issue, out, &result) != ST_OK)
        fail_msg("%s", status_text());
    return result.issues;
}

static void harm(const char *dir, const char *sql)
{
    sqlite3 *db;
    char path[512], *error = NULL;

    (void)snprintf(path, sizeof path, "%s/crawl.db", dir);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s", error);
    (void)sqlite3_close(db);
}

static void a_sound_crawl_has_no_issues(void **state)
{
    const char *dir = make_crawl();
    struct buf out = BUF_INIT(10000);

    (void)state;
    if (checked(dir, false, &out) != 0)
        fail_msg("%s", out.data);
    buf_free(&out);
}

static void planted_damage_is_found_and_mended(void **state)
{
    static const struct {
        const char *sql, *issue;
        bool mendable;
    } plants[] = {
        {"DELETE FROM page_row WHERE id = 2", "names page 2, which is not there", true},
        {"DELETE FROM url_row WHERE id = 1002", "leads to URL 1002", true},
        {"DELETE FROM fate WHERE url = 1", "page 1 is not what its URL names", true},
        {"UPDATE crawl SET value = '17' WHERE key = 'pages'", "counts 17 pages, 6 are there", true},
        {"UPDATE body SET text = 'other words' WHERE id = 1", "index differs", true},
        {"UPDATE page_row SET warc_offset = warc_offset + 1 WHERE id = 2",
         "page_row 2: no record is", true},
        {"UPDATE page_row SET digest = 'X' WHERE id = 2", "different digests", false},
        {"UPDATE warc SET length = length - 10", "longer than was committed", true},
        {"DELETE FROM outcome_row", "no row points to the record of http://a.test/missing", false},
        {"INSERT INTO warc VALUES(9, 'brood-20260101000000-00009.warc.gz', 10)",
         "brood-20260101000000-00009.warc.gz is missing", false},
        {"INSERT INTO warc VALUES(9, '../crawl.db', 10)", "'../crawl.db' is not the name of",
         false},
        {"INSERT INTO body VALUES(77, 'ghost')", "text of page 77", true},
        {"INSERT INTO main_row VALUES(77, x'00')", "main text of page 77", true},
        {"INSERT INTO judged_row VALUES(9, 77, 0.5)", "verdict on page 77", true},
        {"INSERT INTO use_row VALUES(78, 'noai')", "the use of page 78", true},
    };
    struct buf out = BUF_INIT(100000);

    (void)state;
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        const char *dir = make_crawl();

        harm(dir, plants[i].sql);
        assert_true(checked(dir, false, &out) > 0);
        if (strstr(out.data, plants[i].issue) == NULL)
            fail_msg("%s: %s", plants[i].sql, out.data);
        if (!plants[i].mendable)
            continue;
        (void)checked(dir, true, &out);
        (void)checked(dir, true, &out);
        (void)checked(dir, false, &out);
        if (strstr(out.data, plants[i].issue))
            fail_msg("not mended, %s: %s", plants[i].sql, out.data);
    }
    buf_free(&out);
}

static void damage_in_the_archive_is_found(void **state)
{
    const char *dir = make_crawl();
    struct buf out = BUF_INIT(10000), bytes = BUF_INIT(MIB(1));
    char path[512];

    (void)state;
    (void)snprintf(path, sizeof path, "%s/warc/%s", dir, made_text(dir, "SELECT name FROM warc"));
    test_read(path, &bytes);
    bytes.data[made_int(dir, "SELECT warc_offset FROM page WHERE id = 3") + 100] ^= 0x55;
    assert_int_equal(file_write(path, buf_str(&bytes)), ST_OK);
    assert_true(checked(dir, false, &out) > 0);
    assert_non_null(strstr(out.data, "page_row 3: no record is"));
    buf_free(&out);
    buf_free(&bytes);
}

/* ---- forget ---- */

static bool holds(const char *dir, const char *file, const char *words)
{
    struct buf bytes = BUF_INIT(MIB(4));
    char path[512];
    bool found;

    (void)snprintf(path, sizeof path, "%s/%s", dir, file);
    if (access(path, R_OK) != 0)
        return false;
    test_read(path, &bytes);
    found = str_find(buf_str(&bytes), str_of(words), 0) != SIZE_MAX;
    buf_free(&bytes);
    return found;
}

static void a_forgotten_page_is_in_none_of_the_three(void **state)
{
    const char *dir = make_crawl();
    struct forget_result result;
    struct buf out = BUF_INIT(10000);
    struct query *q;
    struct warc_record rec;

    (void)state;
    assert_true(holds(dir, "crawl.db", "sailing"));
    assert_int_equal(forget_run(dir, STR("https://a.test/2"), 1, &result), ST_OK);
    assert_int_equal(result.pages, 1);
    assert_int_equal(result.records, 3);
    assert_false(holds(dir, "crawl.db", "sailing"));
    assert_false(holds(dir, "crawl.db-wal", "sailing"));
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page WHERE id = 2"), 0);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_text('sailing')"), 0);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page_text('vines')"), 2);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM garbage"), 0);
    assert_int_equal(made_int(dir, "SELECT state FROM url WHERE id = 2"), 3);
    if (checked(dir, false, &out) != 0)
        fail_msg("%s", out.data);
    q = opened(dir);
    assert_int_equal(query_payload(q, 6, &rec), ST_OK);
    assert_str(rec.target, "https://b.test/x?q=%C3%A4");
    warc_record_free(&rec);
    query_close(q);
    assert_int_equal(forget_run(dir, STR("http://a.test/unknown"), 1, &result), ST_MISSING);
    assert_int_equal(forget_run(dir, STR("nowhere.test"), 1, &result), ST_MISSING);
    buf_free(&out);
}

static void a_forgotten_host_takes_everything_with_it(void **state)
{
    const char *dir = make_crawl();
    struct store_config config = made_config();
    struct forget_result result;
    struct buf out = BUF_INIT(10000);
    struct store *s = NULL;

    (void)state;
    assert_int_equal(forget_run(dir, STR("b.test"), 1, &result), ST_OK);
    assert_int_equal(result.pages, 1);
    assert_int_equal(result.records, 5);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM resource"), 0);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM page"), 5);
    if (checked(dir, false, &out) != 0)
        fail_msg("%s", out.data);
    /* The crawl can go on, in the new file. */
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    made_post(s, &(struct made_page){.id = 8, .url = 1000, .href = "http://a.test/1/0"});
    made_checkpoint(s, 7);
    made_close(s);
    if (checked(dir, false, &out) != 0)
        fail_msg("%s", out.data);
    assert_int_equal(made_int(dir, "SELECT count(*) FROM warc"), 1);
    buf_free(&out);
}

/* One rule for the command line, the exports and the API: what is not there is null. */
static void what_is_not_there_is_null(void **state)
{
    static const enum page_member page[] = {PAGE_NUMBER,      PAGE_AGENT, PAGE_TITLE, PAGE_DUP_OF,
                                            PAGE_WARC_OFFSET, PAGE_DATE,  PAGE_DEPTH, PAGE_END};
    static const enum agent_member agent[] = {AGENT_PARENT, AGENT_DEATH, AGENT_PAGES, AGENT_END};
    struct query_page full = {.id = 7, .agent = 2, .title = STR("T"), .dup_of = 3, .depth = 1};
    struct buf out = BUF_INIT(1000);
    struct json j;

    (void)state;
    full.warc_file = STR("w");
    json_init(&j, &out);
    json_open_object(&j, NULL);
    page_put(&j, &(struct query_page){.id = 7}, page);
    agent_put(&j, &(struct query_agent){.id = 1}, agent);
    json_close(&j);
    assert_string_equal(out.data, "{\"page\":7,\"agent\":null,\"title\":null,\"dup_of\":null,"
                                  "\"warc_offset\":null,\"date\":null,\"depth\":0,"
                                  "\"parent\":null,\"death\":null,\"pages\":0}");
    buf_clear(&out);
    json_init(&j, &out);
    json_open_object(&j, NULL);
    page_put(&j, &full, page);
    json_close(&j);
    assert_string_equal(out.data, "{\"page\":7,\"agent\":2,\"title\":\"T\",\"dup_of\":3,"
                                  "\"warc_offset\":0,\"date\":null,\"depth\":1}");
    buf_free(&out);
}

/* A crawl of a version that told no main text: the table is not there. */
static void a_crawl_without_main_texts_gives_whole_texts(void **state)
{
    const char *dir = make_crawl();
    struct buf text = BUF_INIT(10000), main = BUF_INIT(10000);
    struct query *q;
    char path[4096];
    sqlite3 *db = NULL;

    (void)state;
    snprintf(path, sizeof path, "%s/crawl.db", dir);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE main_row", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    q = opened(dir);
    assert_int_equal(query_text(q, 1, &text), ST_OK);
    assert_int_equal(query_main(q, 1, &main), ST_OK);
    assert_true(text.len > 0);
    assert_string_equal(text.data, main.data);
    buf_clear(&text);
    searched = q;
    assert_int_equal(query_search(q, STR("vines"), false, 10, gather_hit, &text), ST_OK);
    assert_string_equal(text.data,
                        "1:growing \2vines\3 on slopes (vine) 6:\2vines\3 elsewhere (vine) ");
    buf_free(&text);
    buf_free(&main);
    query_close(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_ranked_and_found_by_their_words),
        cmocka_unit_test(what_the_model_says_of_a_page_comes_before_its_relevance),
        cmocka_unit_test(a_crawl_from_before_pages_were_judged_is_read_and_goes_on),
        cmocka_unit_test(a_crawl_without_main_texts_gives_whole_texts),
        cmocka_unit_test(all_that_is_known_of_a_url_is_told),
        cmocka_unit_test(figures_agree_with_what_was_posted),
        cmocka_unit_test(what_is_not_there_is_null),
        cmocka_unit_test(every_form_of_export_can_be_read),
        cmocka_unit_test(the_cdxj_is_sorted_and_points_at_records),
        cmocka_unit_test(surts_are_made_from_the_right),
        cmocka_unit_test(a_sound_crawl_has_no_issues),
        cmocka_unit_test(planted_damage_is_found_and_mended),
        cmocka_unit_test(damage_in_the_archive_is_found),
        cmocka_unit_test(a_forgotten_page_is_in_none_of_the_three),
        cmocka_unit_test(a_forgotten_host_takes_everything_with_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
