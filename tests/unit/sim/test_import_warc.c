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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crawls_archive_becomes_the_same_web),
        cmocka_unit_test(responses_resources_redirects_and_revisits_find_their_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
