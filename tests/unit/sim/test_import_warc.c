/* Imports of WARC files: each record finds its place. SPDX-License-Identifier: MIT */
#include "importing.h"

#include "base/mem.h"
#include "sim/make/make.h"

#include <stdio.h>
#include <stdlib.h>

static void call_open(const char *folder)
{
    char command[1024];

    (void)snprintf(command, sizeof command, "for f in %s/*.gz; do mv $f $f.open; done", folder);
    assert_int_equal(system(command), 0);
}

/* A world's own archive, imported, is the same web again, copies too (which are
 * revisits in it); only feeds, which the maker calls resources, are pages here. */
static void a_crawls_archive_becomes_the_same_web(void **state)
{
    static const char *const figures[] = {
        "SELECT url, title, hash FROM page WHERE mime = 'text/html' ORDER BY url",
        "SELECT url, status, redirect_to FROM outcome ORDER BY url",
        "SELECT url, status FROM resource WHERE url LIKE '%/robots.txt' ORDER BY url",
    };
    struct import_config c = config(IMPORT_WARC);
    struct import_report r;
    struct make_config m;
    char *made = in_dir(test_dir(), "A"), *warc = in_dir(made, "warc");

    (void)state;
    make_config_init(&m);
    m.graph.pages = 300;
    m.graph.hosts = 10;
    m.graph.duplicates = 0.1;
    assert_int_equal(world_make(made, &m, NULL, NULL), ST_OK);
    for (int open = 0; open < 2; open++) { /* a crawl that was killed leaves it open */
        char *dir = in_dir(test_dir(), "B");

        if (open)
            call_open(warc);
        imported(warc, dir, &c, &r);
        for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
            char *a = ask(made, figures[i]), *b = ask(dir, figures[i]);

            assert_true(*a);
            assert_string_equal(a, b);
            free(a);
            free(b);
        }
        import_report_clear(&r);
        free(dir);
    }
    free(made);
    free(warc);
}

static void add_record(struct buf *out, const char *type, const char *url, const char *more,
                       const char *block)
{
    buf_addf(out,
             "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n"
             "WARC-Date: 2010-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:x:%zu>\r\n%s"
             "Content-Length: %zu\r\n\r\n%s\r\n\r\n",
             type, url, out->len, more, strlen(block), block);
}

#define HTTP "Content-Type: application/http\r\n"
#define OK   "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

static void responses_resources_redirects_and_revisits_find_their_place(void **state)
{
    struct import_config c = config(IMPORT_WARC);
    struct buf w = BUF_INIT(1 << 16);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W");

    (void)state;
    add_record(&w, "warcinfo", "urn:x", "", "software: x");
    add_record(&w, "response", "http://x.example/robots.txt", HTTP,
               "HTTP/1.1 404 Not Found\r\n\r\nno");
    add_record(&w, "response", "http://x.example/", HTTP "WARC-Payload-Digest: sha1:AAA\r\n",
               OK
               "Transfer-Encoding: chunked\r\n\r\n10\r\n<title>Hi</title\r\n1\r\n>\r\n0\r\n\r\n");
    add_record(&w, "revisit", "http://x.example/copy", HTTP "WARC-Payload-Digest: sha1:AAA\r\n",
               OK "\r\n");
    add_record(&w, "resource", "http://x.example/r", "Content-Type: text/plain\r\n", "some words");
    add_record(&w, "response", "http://x.example/old", HTTP,
               "HTTP/1.1 302 Found\r\nLocation: ./new?a=1\r\n\r\n");
    add_record(&w, "response", "http://x.example/no", HTTP, "HTTP/1.1 500 Oops\r\n\r\nsorry");
    add_record(&w, "response", "http://x.example/i.png", HTTP,
               "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG");
    add_record(&w, "response", "http://x.example/", HTTP, OK "\r\n<title>Hi</title>");
    add_record(&w, "response", "dns:x.example", "Content-Type: text/dns\r\n", "x");
    put(src, "a.warc", buf_str(&w));
    imported(src, dir, &c, &r);
    assert_rows(dir, "SELECT url, title, fetched_at FROM page ORDER BY id",
                /* 2010-01-02T03:04:05Z: 14,611 days, 11,045 s */
                "http://x.example/ Hi 1262401445000000\n"
                "http://x.example/copy Hi 1262401445000000\n"
                "http://x.example/r  1262401445000000\n");
    assert_rows(dir, "SELECT url, status, redirect_to FROM outcome ORDER BY id",
                "http://x.example/old 302 http://x.example/new?a=1\n"
                "http://x.example/no 500 \n");
    assert_int_equal(r.resources, 1);
    assert_int_equal(r.repeated, 1);
    assert_int_equal(r.left_out, 1);
    import_report_clear(&r);
    free(dir);

    /* what differs at one address, what is cut, what repeats the unknown */
    add_record(&w, "response", "http://x.example/", HTTP, OK "\r\n<title>Else</title>");
    add_record(&w, "revisit", "http://x.example/z", HTTP "WARC-Payload-Digest: sha1:ZZZ\r\n",
               OK "\r\n");
    put(src, "a.warc", str_sub(buf_str(&w), 0, w.len));
    add_record(&w, "response", "http://x.example/cut", HTTP, OK "\r\n<title>Cut</title>");
    put(src, "a.warc", str_sub(buf_str(&w), 0, w.len - 12));
    dir = in_dir(test_dir(), "W");
    assert_int_equal(run(src, dir, &c, &r), ST_INVALID);
    assert_fault(&r, IMPORT_DUPLICATE, 1, "http://x.example/");
    assert_fault(&r, IMPORT_MISSING, 1, "http://x.example/z");
    assert_int_equal(r.faults[IMPORT_CUT].count, 1);
    assert_nothing(dir);
    import_report_clear(&r);
    free(dir);
    buf_free(&w);
}

/* A record of a moment on one day, in a file of its own where the test wants another order. */
static void add_moment(struct buf *out, const char *type, const char *at, const char *url,
                       const char *more, const char *block)
{
    buf_addf(out,
             "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n"
             "WARC-Date: 2010-01-02T%sZ\r\nWARC-Record-ID: <urn:y:%zu>\r\n" HTTP "%s"
             "Content-Length: %zu\r\n\r\n%s\r\n\r\n",
             type, url, at, out->len, more, strlen(block), block);
}

#define TITLE(t) OK "\r\n<title>" t "</title>"
#define HOUR(n)  (INT64_C(1262390400000000) + (n)*INT64_C(3600000000)) /* of that day */

/* The second file is the older one. The first round ends before / is asked again at 03:00. */
static void put_recording(const char *src)
{
    struct buf w = BUF_INIT(1 << 16);

    add_moment(&w, "response", "03:00:00", "http://x.example/", "WARC-Payload-Digest: sha1:BBB\r\n",
               TITLE("Second"));
    add_moment(&w, "response", "04:00:00", "http://x.example/new", "", TITLE("New"));
    add_moment(&w, "revisit", "05:00:00", "http://x.example/", "WARC-Payload-Digest: sha1:BBB\r\n",
               OK "\r\n");
    add_moment(&w, "revisit", "06:00:00", "http://x.example/", "WARC-Payload-Digest: sha1:AAA\r\n",
               OK "\r\n");
    add_moment(&w, "response", "07:00:00", "http://x.example/a", "", "HTTP/1.1 503 Later\r\n\r\n");
    add_moment(&w, "response", "08:00:00", "http://x.example/a", "", "HTTP/1.1 410 Gone\r\n\r\n");
    add_moment(&w, "response", "09:00:00", "http://x.example/a", "", "HTTP/1.1 410 Gone\r\n\r\n");
    add_moment(&w, "response", "10:00:00", "http://x.example/a", "", TITLE("A"));
    add_moment(&w, "response", "10:30:00", "http://x.example/none", "", "HTTP/1.1 404 No\r\n\r\n");
    put(src, "1.warc", buf_str(&w));
    buf_clear(&w);
    add_moment(&w, "response", "01:00:00", "http://x.example/", "WARC-Payload-Digest: sha1:AAA\r\n",
               TITLE("First"));
    add_moment(&w, "response", "02:00:00", "http://x.example/a", "", TITLE("A"));
    put(src, "2.warc", buf_str(&w));
    buf_free(&w);
}

static void captures_in_order_of_time_make_a_world_that_moves(void **state)
{
    struct import_config c = config(IMPORT_WARC);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W"), wanted[600], window[80];

    (void)state;
    put_recording(src);
    c.versions = true;
    imported(src, dir, &c, &r);
    (void)snprintf(wanted, sizeof wanted,
                   "http://x.example/ First %lld\nhttp://x.example/a A %lld\n"
                   "http://x.example/ Second %lld\nhttp://x.example/new New %lld\n"
                   "http://x.example/ First %lld\nhttp://x.example/a A %lld\n",
                   (long long)HOUR(3) - 1, (long long)HOUR(3) - 1, (long long)HOUR(3),
                   (long long)HOUR(4), (long long)HOUR(6), (long long)HOUR(10));
    assert_rows(dir, "SELECT url, title, fetched_at FROM page ORDER BY id", wanted);
    (void)snprintf(window, sizeof window, "%lld %lld\n", (long long)HOUR(3) - 1,
                   (long long)HOUR(10) + INT64_C(1801000000));
    assert_rows(dir, "SELECT value FROM crawl WHERE key = 'world_time'", window);
    (void)snprintf(wanted, sizeof wanted,
                   "http://x.example/a 410 %lld\nhttp://x.example/none 404 %lld\n",
                   (long long)HOUR(8), (long long)HOUR(10) + INT64_C(1800000000));
    assert_rows(dir, "SELECT url, status, at FROM outcome ORDER BY id", wanted);
    assert_int_equal(r.pages, 3);
    assert_int_equal(r.changes, 3);
    assert_int_equal(r.deleted, 1);
    import_report_clear(&r);
    free(dir);
}

/* What stood when the window begins is what was captured last before it. */
static void a_window_is_cut_out_of_a_recording(void **state)
{
    struct import_config c = config(IMPORT_WARC);
    struct import_report r;
    const char *src = test_dir();
    char *dir = in_dir(test_dir(), "W"), wanted[300];

    (void)state;
    put_recording(src);
    c.versions = true;
    c.since = HOUR(5);
    c.until = HOUR(9);
    imported(src, dir, &c, &r);
    (void)snprintf(wanted, sizeof wanted,
                   "http://x.example/a A %lld\nhttp://x.example/new New %lld\n"
                   "http://x.example/ Second %lld\nhttp://x.example/ First %lld\n",
                   (long long)HOUR(5), (long long)HOUR(5), (long long)HOUR(5), (long long)HOUR(6));
    assert_rows(dir, "SELECT url, title, fetched_at FROM page ORDER BY id", wanted);
    import_report_clear(&r);
    free(dir);
    dir = in_dir(test_dir(), "W");
    c.since = HOUR(20);
    c.until = IMPORT_NO_TIME;
    assert_int_equal(run(src, dir, &c, &r), ST_USAGE);
    assert_nothing(dir);
    import_report_clear(&r);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_in_order_of_time_make_a_world_that_moves),
        cmocka_unit_test(a_window_is_cut_out_of_a_recording),
        cmocka_unit_test(a_crawls_archive_becomes_the_same_web),
        cmocka_unit_test(responses_resources_redirects_and_revisits_find_their_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
