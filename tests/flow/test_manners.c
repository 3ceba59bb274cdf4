/* What pages and servers ask for: noindex, noarchive, nofollow, robots.txt.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

static const struct site_page pages[] = {
    {.path = "/robots.txt",
     .type = "text/plain",
     .body = "User-agent: *\nDisallow: /secret\nAllow: /secret/open\n"},
    {.path = "/",
     .body = "<title>start</title>zebrafish <a href=/noindex>a</a><a href=/header>b</a>"
             "<a href=/noarchive>c</a><a href=/nofollow>d</a><a rel=nofollow href=/rel>e</a>"
             "<a href=/secret/page>f</a><a href=/secret/open>g</a><a href=/plain>h</a>"},
    {.path = "/noindex",
     .body = "<meta name=robots content=noindex><title>unseen</title>zebrafish unseen "
             "<a href=/behind>x</a>"},
    {.path = "/header",
     .headers = "X-Robots-Tag: noindex\r\n",
     .body = "<title>unseen too</title>zebrafish unseen <a href=/behind-header>x</a>"},
    {.path = "/noarchive",
     .body = "<meta name=robots content='noarchive'><title>fleeting</title>zebrafish fleeting"},
    {.path = "/nofollow",
     .body = "<meta name=robots content='nofollow'><title>end</title>zebrafish "
             "<a href=/forbidden>x</a>"},
    {.path = "/rel", .body = "<title>rel</title>zebrafish"},
    {.path = "/behind", .body = "<title>behind</title>zebrafish behind"},
    {.path = "/behind-header", .body = "<title>behind header</title>zebrafish"},
    {.path = "/forbidden", .body = "<title>forbidden</title>zebrafish"},
    {.path = "/secret/page", .body = "<title>secret</title>zebrafish"},
    {.path = "/secret/open", .body = "<title>open</title>zebrafish"},
    {.path = "/plain", .body = "<title>plain</title>zebrafish plain"},
};

static struct site *site;
static const char *dir;
static struct ran made;

static int set_up(void **state)
{
    (void)state;
    site = site_start(pages, ARRAY_LEN(pages));
    dir = fresh("C");
    made = brood("crawl", "zebrafish", "--seed", "http://h.example/", "--out", dir, "--quiet",
                 "--json", "--delay", "0", "--allow-private", "--resolve", site_resolve(site));
    return 0;
}

static int64_t of_page(const char *what, const char *path)
{
    return crawl_int(dir, text("SELECT %s FROM page WHERE url = 'http://h.example%s'", what, path));
}

static void noindex_pages_give_links_and_nothing_else(void **state)
{
    const char *top = brood("top", dir, "-n", "100", "--json").out;
    const char *found = brood("search", dir, "zebrafish", "-n", "100", "--json").out;
    const char *cdxj = brood("export", dir, "--as", "cdxj").out;
    const char *const hidden[] = {"/noindex", "/header"};

    (void)state;
    assert_code(made, 0);
    assert_int_equal(site_asked(site, "/behind"), 1);
    assert_int_equal(site_asked(site, "/behind-header"), 1);
    assert_says(top, "http://h.example/behind\"");
    assert_says(found, "http://h.example/behind\"");
    for (size_t i = 0; i < 2; i++) {
        const char *url = text("http://h.example%s\"", hidden[i]);

        assert_int_equal(times_in(top, url), 0);
        assert_int_equal(times_in(found, url), 0);
        assert_int_equal(times_in(cdxj, url), 0);
        assert_int_equal(times_in(made.out, url), 0);
        assert_int_equal(of_page("warc_file IS NULL", hidden[i]), 1);
        assert_int_equal(of_page("hidden", hidden[i]), 1);
    }
    assert_int_equal(times_in(brood("search", dir, "unseen", "--json").out, "url"), 0);
    assert_int_equal(int_at(json_of(brood("stats", dir, "--json").out), "hidden"), 2);
}

static void noarchive_pages_are_found_but_not_archived(void **state)
{
    (void)state;
    assert_int_equal(of_page("warc_file IS NULL", "/noarchive"), 1);
    assert_int_equal(of_page("warc_file IS NULL", "/plain"), 0);
    assert_says(brood("search", dir, "fleeting", "--json").out, "http://h.example/noarchive");
    assert_int_equal(
        times_in(brood("export", dir, "--as", "cdxj").out, "http://h.example/noarchive\""), 0);
}

static void nofollow_links_are_not_followed(void **state)
{
    (void)state;
    assert_int_equal(site_asked(site, "/forbidden"), 0);
    assert_int_equal(site_asked(site, "/rel"), 0);
    assert_int_equal(crawl_drops(dir, "nofollow"), 2);
    assert_says(brood("explain", dir, "http://h.example/rel").out, "nofollow");
}

static void robots_txt_is_obeyed(void **state)
{
    (void)state;
    assert_int_equal(site_asked(site, "/robots.txt"), 1);
    assert_int_equal(site_asked(site, "/secret/page"), 0);
    assert_int_equal(site_asked(site, "/secret/open"), 1);
    assert_int_equal(crawl_drops(dir, "robots"), 1);
}

static void no_robots_asks_for_no_robots_txt(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));

    (void)state;
    assert_code(brood("crawl", "zebrafish", "--seed", "http://h.example/", "--out", fresh("N"),
                      "--quiet", "--delay", "0", "--allow-private", "--no-robots", "--resolve",
                      site_resolve(s)),
                0);
    assert_int_equal(site_asked(s, "/robots.txt"), 0);
    assert_int_equal(site_asked(s, "/secret/page"), 1);
}

static void everything_agrees(void **state)
{
    (void)state;
    assert_code(brood("check", dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noindex_pages_give_links_and_nothing_else),
        cmocka_unit_test(noarchive_pages_are_found_but_not_archived),
        cmocka_unit_test(nofollow_links_are_not_followed),
        cmocka_unit_test(robots_txt_is_obeyed),
        cmocka_unit_test(no_robots_asks_for_no_robots_txt),
        cmocka_unit_test(everything_agrees),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
