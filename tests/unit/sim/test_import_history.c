/* Imports of a site's history: versions in order of time, over any window of it.
 * SPDX-License-Identifier: MIT */
#include "importing.h"

#include "base/os/clock.h"
#include "parse/url_norm.h"
#include "sim/web/web.h"

#include <stdlib.h>

/* a: there from 100, changes at 200 and 300, goes at 400, is back at 500.
 * b: appears at 250. c: goes before the window. */
static void fill_history(const char *dir)
{
    put_z(dir, "events.tsv",
          "#unix_time\tstatus\tblob\tpath\n"
          "100\tA\taaa1\ta.html\n"
          "100\tA\tccc1\tc.html\n"
          "120\tD\t0000\tc.html\n"
          "200\tM\taaa2\ta.html\n"
          "250\tA\tbbb1\tb.html\n"
          "300\tM\taaa3\ta.html\n"
          "400\tD\t0000\ta.html\n"
          "500\tA\taaa1\ta.html\n");
    put_z(dir, "blobs/aa/aaa1", "<title>a1</title>");
    put_z(dir, "blobs/aa/aaa2", "<title>a2</title>");
    put_z(dir, "blobs/aaa3", "<title>a3</title><a href=b.html>b</a>");
    put_z(dir, "blobs/bb/bbb1", "<title>b1</title>");
    put_z(dir, "blobs/cc/ccc1", "<title>c1</title>");
}

static void a_history_is_versions_in_order_of_time(void **state)
{
    struct import_config c = config(IMPORT_HISTORY);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W");

    (void)state;
    fill_history(src);
    c.url_prefix = "http://x.example/";
    imported(src, dir, &c, &r);
    assert_rows(dir,
                "SELECT id, url, title, fetched_at / 1000000, version_of FROM page ORDER BY id",
                "1 http://x.example/a.html a1 100 \n"
                "2 http://x.example/c.html c1 100 \n"
                "3 http://x.example/a.html a2 200 1\n"
                "4 http://x.example/b.html b1 250 \n"
                "5 http://x.example/a.html a3 300 1\n"
                "6 http://x.example/a.html a1 500 1\n");
    assert_rows(dir, "SELECT url, status, at / 1000000 FROM outcome ORDER BY id",
                "http://x.example/c.html 410 120\nhttp://x.example/a.html 410 400\n");
    assert_rows(dir, "SELECT value FROM crawl WHERE key = 'world_time'", "100000000 501000000\n");
    assert_int_equal(r.pages, 3);
    assert_int_equal(r.changes, 3);
    assert_int_equal(r.deleted, 2);
    import_report_clear(&r);
    free(dir);
}

static void a_window_begins_with_what_stood_then(void **state)
{
    struct import_config c = config(IMPORT_HISTORY);
    struct web_answer a;
    struct import_report r;
    struct web *w = NULL;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W");

    (void)state;
    fill_history(src);
    c.url_prefix = "http://x.example/";
    c.since = 210 * US_PER_S;
    c.until = 500 * US_PER_S;
    imported(src, dir, &c, &r);
    assert_rows(dir,
                "SELECT id, url, title, fetched_at / 1000000, version_of FROM page ORDER BY id",
                "1 http://x.example/a.html a2 210 \n"
                "2 http://x.example/b.html b1 250 \n"
                "3 http://x.example/a.html a3 300 1\n");
    assert_rows(dir, "SELECT url, status, at / 1000000 FROM outcome ORDER BY id",
                "http://x.example/a.html 410 400\n");
    import_report_clear(&r);

    struct web_config wc = {.threads = 1};
    assert_int_equal(web_load(dir, &wc, &w), ST_OK);
    uint32_t url = web_find(w, url_key(STR("http://x.example/a.html")));
    web_answer(w, url, 299 * US_PER_S, &a);
    assert_int_equal(a.status, 200);
    assert_true(a.since == 210 * US_PER_S && a.until == 300 * US_PER_S);
    web_answer(w, url, 400 * US_PER_S, &a);
    assert_true(a.status == 410 || a.status == 404);
    web_free(w);

    c.since = 600 * US_PER_S;
    c.until = IMPORT_NO_TIME;
    free(dir);
    dir = in_dir(test_dir(), "W");
    assert_int_equal(run(src, dir, &c, &r), ST_USAGE);
    assert_non_null(strstr(status_text(), "1970-01-01T00:08:20Z"));
    assert_nothing(dir);
    import_report_clear(&r);
    free(dir);
}

static void missing_blobs_and_bad_events_are_faults(void **state)
{
    struct import_config c = config(IMPORT_HISTORY);
    struct buf tar = BUF_INIT(1 << 20);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W");

    (void)state;
    put_z(src, "events.tsv",
          "100\tA\taaa1\ta.html\n100\tA\tbbb1\tb.html\nnonsense\n200\tM\taaa2\ta.html\n");
    add_tar(&tar, "blobs/aa/aaa2", STR("<title>a2</title>"));
    add_tar(&tar, "blobs/aa/aaa1", STR("<title>a1</title>"));
    end_tar(&tar);
    put(src, "blobs.tar", buf_str(&tar));
    assert_int_equal(run(src, dir, &c, &r), ST_INVALID);
    assert_fault(&r, IMPORT_MISSING, 1, "b.html: blob bbb1 is not in the archive");
    assert_fault(&r, IMPORT_LINE, 1, "line 3");
    assert_nothing(dir);
    import_report_clear(&r);
    c.keep_going = true;
    imported(src, dir, &c, &r);
    assert_rows(dir, "SELECT title FROM page ORDER BY id", "a1\na2\n");
    import_report_clear(&r);
    buf_free(&tar);
    free(dir);
}

/* January 2005 (a year takes long under sanitizers): events.tsv has 828 lines M
 * in it, of which 20 change nothing but the version stamp of the file. None of these
 * is another text; of the rest those are that a reader would see (docs/change.md). */
static void a_month_of_openbsd_changes_as_its_events_say(void **state)
{
    struct import_config c = config(IMPORT_HISTORY);
    struct import_report r;
    struct web_config wc = {.threads = 2};
    struct web *w = NULL;
    uint32_t real = 0, text = 0, only_stamp = 0;

    (void)state;
    NEED_DATA(found, "openbsd-www/events.tsv");
    char *dir = in_dir(test_dir(), "W"),
         *source = str_dup(str_sub(str_of(found), 0, strlen(found) - strlen("/events.tsv")));
    c.since = INT64_C(1104537600) * US_PER_S; /* 2005-01-01 */
    c.until = INT64_C(1107216000) * US_PER_S; /* 2005-02-01 */
    imported(source, dir, &c, &r);
    assert_int_equal(r.changes, 828);
    assert_int_equal(r.versions, r.pages + 828);
    assert_int_equal(web_load(dir, &wc, &w), ST_OK);
    struct web_counts counts = web_counts(w);
    assert_int_equal(counts.pages, r.pages);
    assert_int_equal(counts.versions, r.versions);
    assert_true(counts.begin == c.since && counts.end == c.until);
    for (uint32_t u = 1; u <= counts.pages; u++) {
        uint32_t first, n = web_history(w, u, &first);

        for (uint32_t v = first + 1; v < first + n; v++) {
            real += web_version_is_change(w, v);
            text += web_text_changed(w, v - 1, v);
            only_stamp += !web_version_is_change(w, v) && web_text_changed(w, v - 1, v);
        }
    }
    assert_int_equal(real, 828 - 20);
    assert_int_equal(only_stamp, 0);
    assert_int_equal(text, 299);
    web_free(w);
    import_report_clear(&r);
    free(source);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_history_is_versions_in_order_of_time),
        cmocka_unit_test(a_window_begins_with_what_stood_then),
        cmocka_unit_test(missing_blobs_and_bad_events_are_faults),
        cmocka_unit_test(a_month_of_openbsd_changes_as_its_events_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
