/* What pages need to look as they did: fetched politely, archived, no pages.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KILO                                                                                    \
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef012345678" \
    "9abcdef0123456789abcdef0123456789abcdef"

static const struct site_page pages[] = {
    {"/robots.txt", .type = "text/plain", .body = "User-agent: *\nDisallow: /img/secret\n"},
    {"/", .body =
              "<html><title>Bees</title><link rel=stylesheet href=/style.css><style>p{"
              "background:url('img/bg.png')}</style><p>The bees live in the hive with honey.</p>"
              "<img src=img/a.png srcset='img/a2.png 2x'><img src='data:image/png;base64,AA'>"
              "<img src=http://b.test/far.png><a href=two>more of the bees</a>"},
    {"/two", .body = "<html><title>Bees two</title><link rel=stylesheet href=/style.css><p>Honey "
                     "is made by bees in summer.</p><img src=/img/secret.png><img src=/no-image>"
                     "<img src=/img/gone.png><img src=/img/moved.png>"},
    {"/style.css", .type = "text/css",
     .body = "@import 'more.css'; @font-face { src: url(font.woff2) }"},
    {"/more.css", .type = "text/css", .body = "b { background: url(img/deep.png) }"},
    {"/font.woff2", .type = "font/woff2", .body = "woff"},
    {"/img/moved.png", .status = 302, .headers = "Location: /img/a3.png\r\n", .body = ""},
    {"/img/bg.png", .type = "image/png", .body = "bg"},
    {"/img/a.png", .type = "image/png", .body = "a" KILO, .repeat = 40},
    {"/img/a2.png", .type = "image/png", .body = "a2" KILO, .repeat = 40},
    {"/img/a3.png", .type = "image/png", .body = "a3"},
    {"/img/secret.png", .type = "image/png", .body = "secret"},
    {"/img/deep.png", .type = "image/png", .body = "deep"},
    {"/far.png", .type = "image/png", .body = "far"},
    {"/no-image", .body = "<html><title>No image</title><p>A page of bees.</p>"},
};

#define STORED \
    "/far.png /font.woff2 /img/a.png /img/a2.png /img/a3.png /img/bg.png /more.css /style.css"

static const char *stored(const char *dir)
{
    return crawl_text(dir, "SELECT group_concat(substr(url, 14), ' ') FROM (SELECT url FROM"
                           " resource WHERE url NOT LIKE '%robots.txt' ORDER BY substr(url, 14))");
}

static void they_are_archived_and_are_no_pages(void **state)
{
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("crawl"), *file = fresh("c.wacz"), *folder = fresh("unpacked");
    struct ran r;

    (void)state;
    assert_code(brood("crawl", "bees honey", "--quiet", "--requisites", "--out", dir,
                      "--allow-private", "--seed", "http://a.test/", "--resolve",
                      site_resolve(site), "--delay", "0", "--pages-per-host", "2"),
                0);
    assert_string_equal(stored(dir), STORED);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page"), 2);
    assert_int_equal(site_asked(site, "/style.css"), 1);
    assert_int_equal(site_asked(site, "/img/secret.png"), 0); /* robots.txt */
    assert_int_equal(site_asked(site, "/img/deep.png"), 0);   /* two levels down */
    assert_int_equal(site_asked(site, "/no-image"), 1);       /* and not stored */
    assert_code(brood("check", dir), 0);
    r = brood("retry", dir, "--reason", "all", "--dry-run"); /* /img/gone.png was no page */
    assert_true(strstr(r.out, "/img/") == NULL && strstr(r.out, "/no-image") == NULL);
    assert_code(brood("export", dir, "--as", "wacz", "-o", file), 0);
    assert_code(run("mkdir", folder), 0);
    r = run("python3", text("%s/tests/flow/wacz.py", getenv("BROOD_SOURCE")), file, folder);
    assert_code(r, 0);
    assert_says(r.out, "ok 2 pages,");
    r = run("node", text("%s/tests/flow/wabac.mjs", getenv("BROOD_SOURCE")), file, "http://a.test/",
            "http://a.test/style.css", "http://a.test/font.woff2", "http://b.test/far.png",
            "http://a.test/img/deep.png");
    if (r.code == 77 || r.code == 127)
        skip();
    assert_code(r, 0);
    assert_says(r.out, "pages http://a.test/ http://a.test/two\n");
    assert_says(r.out, "http://a.test/style.css 200 55\n");
    assert_says(r.out, "http://a.test/font.woff2 200 4\n");
    assert_says(r.out, "http://b.test/far.png 200 3\n");
    assert_says(r.out, "http://a.test/img/deep.png missing 0\n");
}

/* Ended by its bytes before all of them came. */
static void what_waits_is_fetched_by_resume(void **state)
{
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("resumed"), *resolve = site_resolve(site);

    (void)state;
    assert_code(brood("crawl", "bees honey", "--quiet", "--requisites", "--out", dir,
                      "--allow-private", "--seed", "http://a.test/", "--resolve", resolve,
                      "--delay", "0", "--pages", "2", "--connections", "1", "--bytes", "3k"),
                0);
    assert_string_not_equal(stored(dir), STORED);
    assert_code(brood("resume", dir, "--quiet", "--bytes", "0"), 0);
    assert_string_equal(stored(dir), STORED);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page"), 2);
    assert_code(brood("check", dir), 0);
}

static void without_the_option_none_is_fetched(void **state)
{
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("plain");

    (void)state;
    assert_code(brood("crawl", "bees honey", "--quiet", "--out", dir, "--allow-private", "--seed",
                      "http://a.test/", "--resolve", site_resolve(site), "--delay", "0"),
                0);
    assert_int_equal(site_asked(site, "/style.css"), 0);
}

/* ---- the end -------------------------------------------------------------- */

#define LINKS 70

/* "/" links to all, and every other page has an image of its own. */
static const char *page_of_many(const char *path)
{
    static char out[LINKS * 64];
    size_t n = (size_t)snprintf(out, sizeof out, "<html><title>Bees</title><p>Bees and honey.</p>");
    unsigned number = (unsigned)strtoul(path + 1 + (path[1] == 'p'), NULL, 10);

    if (path[1] == '\0')
        n += (size_t)snprintf(out + n, sizeof out - n, "<a href=http://slow.test/bees>bees</a>");
    for (unsigned i = 0; i < LINKS && path[1] == '\0'; i++)
        n += (size_t)snprintf(out + n, sizeof out - n, "<a href=/p%u>bees honey</a>", i);
    for (unsigned i = 0; i < 20 && path[1] != '\0'; i++) /* no page is like another */
        n += (size_t)snprintf(out + n, sizeof out - n, "<p>hive%u has bees", number * 20 + i);
    if (path[1] != '\0')
        (void)snprintf(out + n, sizeof out - n, "<img src=/image/%u.png>", number);
    return out;
}

static const char *image_of_many(const char *path)
{
    return path;
}

static const struct site_page many[] = {
    {"/image/", .type = "image/png", .make = image_of_many},
    {"/", .make = page_of_many},
};

static const struct site_page slow_one[] = {
    {"/bees", .body = "<html><title>Bees</title><p>Slow bees, old honey.</p>", .wait_ms = 4000},
};

/* A visit that was replaced would leave hosts and counts as if more pages came: then the last
 * looks were waited for without an end. */
static void a_slow_page_at_the_end_takes_no_looks_away(void **state)
{
    struct site *quick = site_start(many, ARRAY_LEN(many)),
                *slow = site_start_at("127.0.0.2", slow_one, ARRAY_LEN(slow_one));
    const char *dir = fresh("slow");

    (void)state;
    assert_code(brood("crawl", "bees honey", "--quiet", "--requisites", "--out", dir,
                      "--allow-private", "--no-robots", "--seed", "http://a.test/", "--resolve",
                      text("slow.test:%s", site_resolve(slow) + 2), "--resolve",
                      text("a.test:%s", site_resolve(quick) + 2), "--delay", "0", "--pages", "60"),
                0);
    assert_int_equal(crawl_pages(dir), 60);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM resource WHERE url LIKE '%/image/%'"),
                     crawl_int(dir, "SELECT count(*) FROM page WHERE url LIKE '%/p%'"));
    assert_says(crawl_text(dir, "SELECT value FROM crawl WHERE key = 'end'"), "pages");
}

#define SLOW(n)                                                         \
    {                                                                   \
        "/" #n ".png", .type = "image/png", .body = #n, .wait_ms = 2000 \
    }
static const struct site_page slow_images[] = {
    {"/", .body = "<html><title>Bees</title><p>Bees and honey.</p><img src=1.png><img src=2.png>"
                  "<img src=3.png><img src=4.png><img src=5.png><img src=6.png><img src=7.png>"},
    SLOW(1),
    SLOW(2),
    SLOW(3),
    SLOW(4),
    SLOW(5),
    SLOW(6),
    SLOW(7),
};

static void other_limits_hold_for_the_last_looks_too(void **state)
{
    struct site *site = site_start(slow_images, ARRAY_LEN(slow_images));
    const char *dir = fresh("limits");

    (void)state;
    assert_code(brood("crawl", "bees honey", "--quiet", "--requisites", "--out", dir,
                      "--allow-private", "--no-robots", "--seed", "http://a.test/", "--resolve",
                      site_resolve(site), "--delay", "0", "--pages", "1", "--for", "8s"),
                0);
    assert_int_equal(crawl_pages(dir), 1);
    assert_true(crawl_int(dir, "SELECT count(*) FROM resource WHERE url LIKE '%.png'") < 7);
    assert_code(brood("resume", dir, "--quiet", "--for", "0"), 0);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM resource WHERE url LIKE '%.png'"), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_archived_and_are_no_pages),
        cmocka_unit_test(what_waits_is_fetched_by_resume),
        cmocka_unit_test(without_the_option_none_is_fetched),
        cmocka_unit_test(a_slow_page_at_the_end_takes_no_looks_away),
        cmocka_unit_test(other_limits_hold_for_the_last_looks_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
