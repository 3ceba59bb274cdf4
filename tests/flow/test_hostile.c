/* Servers that lie, flood and loop: the crawl goes on, nothing is lost, every
 * refusal is counted. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <stdlib.h>
#include <zlib.h>

#define MANY 1000000

static const char front[] =
    "<title>front</title>quasar <a href=/huge>1</a><a href=/binary>2</a><a href=/image>3</a>"
    "<a href=/many>4</a><a href=/broken>5</a><a href=/bomb>6</a><a href=/not-gzip>7</a>"
    "<a href=/loop>8</a><a href=/deep>9</a><a href=/empty>0</a><a href=/elsewhere>x</a>"
    "<a href=/cut>y</a><a href='http://[bad/'>z</a><a href='javascript:x'>z</a>"
    "<a href=/last>last</a>";

static const char binary[] = "<title>b</title>\0\1\2\377\376quasar\0<a href=/in-binary>x</a>";

static struct site_page pages[] = {
    {.path = "/", .body = front},
    {.path = "/huge", .body = "<p>a page that never ends </p>\n", .repeat = 100 * 1024 * 1024 / 31},
    {.path = "/binary", .body = binary, .len = sizeof binary - 1},
    {.path = "/image", .type = "image/png", .body = "\211PNG\r\n\032\n"},
    {.path = "/many"},
    {.path = "/broken",
     .type = "text/html; charset=utf-8",
     .body = "<title>br\xffoken \xc3( \xf0\x9f\x92</title>quasar \xed\xa0\x80 <a "
             "href=/after-\xff>x</a>"},
    {.path = "/bomb", .headers = "Content-Encoding: gzip\r\n"},
    {.path = "/not-gzip", .headers = "Content-Encoding: gzip\r\n", .body = "this is not gzip"},
    {.path = "/loop", .status = 302, .headers = "Location: /loop\r\n", .body = ""},
    {.path = "/deep", .body = "<div>", .repeat = 200000},
    {.path = "/empty", .body = ""},
    {.path = "/elsewhere", .status = 302, .headers = "Location: gopher://x/\r\n", .body = ""},
    {.path = "/cut", .headers = "Content-Length: 100000\r\n", .body = "<title>cut</title>quasar"},
    {.path = "/last", .body = "<title>last</title>quasar"},
};

static struct site_page *page_at(const char *path)
{
    for (size_t i = 0; i < ARRAY_LEN(pages); i++)
        if (strcmp(pages[i].path, path) == 0)
            return &pages[i];
    fail();
    return NULL;
}

/* A million links, each to a place of its own. */
static void make_many(struct site_page *p)
{
    struct buf out = BUF_INIT(64 << 20);

    for (unsigned i = 0; i < MANY; i++)
        buf_addf(&out, "<a href=/n/%u>", i);
    p->body = buf_take(&out, &p->len);
}

/* Two hundred megabytes of spaces in some two hundred kilobytes. */
static void make_bomb(struct site_page *p)
{
    size_t piece = 1 << 20, room = 1 << 20;
    unsigned char *in = mem_alloc(piece), *out = mem_alloc(room);
    z_stream z = {0};

    memset(in, ' ', piece);
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = out;
    z.avail_out = (unsigned)room;
    for (int i = 0; i < 200; i++) {
        z.next_in = in;
        z.avail_in = (unsigned)piece;
        assert_int_equal(deflate(&z, i == 199 ? Z_FINISH : Z_NO_FLUSH),
                         i == 199 ? Z_STREAM_END : Z_OK);
    }
    p->len = room - z.avail_out;
    p->body = (char *)out;
    (void)deflateEnd(&z);
    free(in);
}

static struct site *site;
static const char *dir;

static int set_up(void **state)
{
    (void)state;
    make_many(page_at("/many"));
    make_bomb(page_at("/bomb"));
    site = site_start(pages, ARRAY_LEN(pages));
    dir = fresh("C");
    assert_code(brood("crawl", "quasar", "--seed", "http://h.example/", "--out", dir, "--quiet",
                      "--delay", "0", "--retries", "0", "--allow-private", "--exclude",
                      "h.example/n/*", "--resolve", site_resolve(site)),
                0);
    return 0;
}

static int64_t stored(const char *path)
{
    return crawl_int(dir, text("SELECT count(*) FROM page WHERE url = 'http://h.example%s'", path));
}

static void the_crawl_goes_on_to_its_end(void **state)
{
    (void)state;
    assert_int_equal(stored("/"), 1);
    assert_int_equal(stored("/last"), 1);
    for (size_t i = 0; i < ARRAY_LEN(pages); i++)
        assert_true(site_asked(site, pages[i].path) >= 1);
    assert_code(brood("check", dir), 0);
}

static void a_page_of_a_hundred_megabytes_is_cut(void **state)
{
    (void)state;
    assert_int_equal(stored("/huge"), 1);
    assert_int_equal(crawl_int(dir, "SELECT truncated > 0 AND bytes < 20000000 FROM page WHERE url"
                                    " LIKE '%/huge'"),
                     1);
}

static void a_million_links_are_cut(void **state)
{
    (void)state;
    assert_int_equal(stored("/many"), 1);
    assert_int_equal(crawl_drops(dir, "scope"), 10000);
}

static void broken_utf8_becomes_text(void **state)
{
    (void)state;
    assert_int_equal(stored("/broken"), 1);
    assert_int_equal(
        crawl_int(dir, "SELECT title LIKE 'br_oken%' FROM page WHERE url LIKE '%/broken'"), 1);
    (void)json_of(brood("top", dir, "-n", "50", "--json").out); /* still UTF-8 */
}

static void bombs_and_lies_are_refused_and_counted(void **state)
{
    (void)state;
    assert_int_equal(stored("/not-gzip"), 0);
    assert_int_equal(stored("/image"), 0);
    assert_int_equal(stored("/loop"), 0);
    assert_int_equal(stored("/elsewhere"), 0);
    assert_true(crawl_drops(dir, "encoding") + crawl_drops(dir, "size") >= 1);
    assert_true(crawl_drops(dir, "type") >= 1);
    assert_true(crawl_drops(dir, "redirects") >= 1);
    assert_true(crawl_int(dir, "SELECT max(bytes) FROM page") < 64 << 20);
}

static void every_known_url_has_an_end(void **state)
{
    (void)state;
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM url WHERE state IN (0, 1) AND \"drop\" ="
                                    " 0"),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crawl_goes_on_to_its_end),
        cmocka_unit_test(a_page_of_a_hundred_megabytes_is_cut),
        cmocka_unit_test(a_million_links_are_cut),
        cmocka_unit_test(broken_utf8_becomes_text),
        cmocka_unit_test(bombs_and_lies_are_refused_and_counted),
        cmocka_unit_test(every_known_url_has_an_end),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
