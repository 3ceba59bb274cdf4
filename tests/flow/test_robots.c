/* What a host says to robots.txt, and what its pages say of themselves, over the
 * wire. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#define START "<title>start</title>zebrafish <a href=/a>a</a><a href=/b>b</a><a href=/b/c>c</a>"
#define PAGES                                                                            \
    {.path = "/", .body = START}, {.path = "/a", .body = "<title>a</title>zebrafish a"}, \
        {.path = "/b", .body = "<title>b</title>zebrafish b"},                           \
    {                                                                                    \
        .path = "/b/c", .body = "<title>b c</title>zebrafish c more"                     \
    }
#define PLAIN .type = "text/plain"

/* A crawl of h.example that ends by itself; its exit code is the caller's. */
static struct ran crawl_site(const struct site *s, const char *dir, const char *option,
                             const char *value)
{
    return brood("crawl", "zebrafish", "--seed", "http://h.example/", "--out", dir, "--quiet",
                 "--delay", "0", "--allow-private", "--model", "breadth-first", "--resolve",
                 site_resolve(s), option, value);
}

/* Between two requests to a host, by the crawl's own clock. */
static int64_t shortest_gap(const char *dir, const char *host)
{
    const char *starts = text("(SELECT * FROM " FACTS_STARTS " WHERE " FACTS_HOST " = '%s')", host);

    return facts_shortest(facts_open(dir, NULL, NULL), starts, FACTS_HOST);
}

/* One way to serve robots.txt: the pages that come. */
struct served {
    const char *name;
    struct site_page robots[8];
    bool a, b, c;
};

static void expect_served(const struct served *v)
{
    static const struct site_page pages[] = {PAGES};
    size_t n = 0, all;
    struct site_page *table;
    struct site *s;
    const char *dir = fresh(text("served-%s", v->name));

    while (n < ARRAY_LEN(v->robots) && v->robots[n].path)
        n++;
    all = n + ARRAY_LEN(pages);
    table = mem_zero(all, sizeof *table); /* lent to the site for ever */
    memcpy(table, v->robots, n * sizeof *table);
    memcpy(table + n, pages, sizeof pages);
    s = site_start(table, all);
    print_message("# %s\n", v->name);
    assert_code(crawl_site(s, dir, "--pages", "10"), 0);
    assert_int_equal(site_asked(s, "/a"), v->a);
    assert_int_equal(site_asked(s, "/b"), v->b);
    assert_int_equal(site_asked(s, "/b/c"), v->c);
    assert_int_equal(crawl_drops(dir, "robots"), !v->a + !v->b + !v->c);
}

static char gzipped[4096];
static size_t gzipped_len;

static void gzip_make(const char *body)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)body,
                  .avail_in = (unsigned)strlen(body),
                  .next_out = (unsigned char *)gzipped,
                  .avail_out = sizeof gzipped};

    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    gzipped_len = z.total_out;
    (void)deflateEnd(&z);
}

/* "User-agent: *\nDisallow: /b\n" with a mark, in UTF-16, low byte first. */
static const char utf16[] = "\xff\xfeU\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0\n\0D\0i\0s\0a\0l\0l\0o\0w"
                            "\0:\0/\0b\0\n";

static void robots_txt_is_read_in_every_form(void **state)
{
    const struct served forms[] = {
        {.name = "groups-merged",
         .robots = {{.path = "/robots.txt",
                     PLAIN,
                     .body = "User-agent: brood\nDisallow: /a\n\nUser-agent: other\nDisallow: /\n\n"
                             "User-agent: BROOD/2.0\nDisallow: /b/\n"}},
         .b = true},
        {.name = "longest-match",
         .robots = {{.path = "/robots.txt",
                     PLAIN,
                     .body = "User-agent: *\nDisallow: /b\nAllow: /*/c$\nDisallow: /%61\n"}},
         .c = true},
        {.name = "byte-order-mark",
         .robots = {{.path = "/robots.txt",
                     PLAIN,
                     .body = "\xef\xbb\xbfUser-agent: *\r\nDisallow: /b\r"}},
         .a = true},
        {.name = "utf-16",
         .robots = {{.path = "/robots.txt", PLAIN, .body = utf16, .len = sizeof utf16}},
         .a = true},
        {.name = "gzip-unasked",
         .robots = {{.path = "/robots.txt",
                     PLAIN,
                     .headers = "Content-Encoding: gzip\r\n",
                     .body = gzipped,
                     .len = gzipped_len}},
         .a = true},
        {.name = "cut-at-500-KiB",
         .robots = {{.path = "/robots.txt",
                     PLAIN,
                     .body = "User-agent: *\nDisallow: /b\nDisallow: /b/d12345678901234\n#\n",
                     .repeat = 9000}},
         .a = true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        expect_served(&forms[i]);
}

#define MOVED_TO(to) .status = 302, .headers = "Location: " to "\r\n", PLAIN
#define MOVED(from, to)                                                       \
    {                                                                         \
        .path = from, .status = 302, .headers = "Location: " to "\r\n", PLAIN \
    }

static void redirects_of_robots_txt_are_followed_five_times(void **state)
{
    static const struct served moves[] = {
        {.name = "five",
         .robots = {MOVED("/robots.txt", "/r1"),
                    MOVED("/r1", "/r2"),
                    MOVED("/r2", "http://elsewhere.example/r3"),
                    MOVED("/r3", "/r4"),
                    MOVED("/r4", "/r5"),
                    {.path = "/r5",
                     .host = "elsewhere.example",
                     PLAIN,
                     .body = "User-agent: *\nDisallow: /b\n"}},
         .a = true},
    };

    (void)state;
    expect_served(&moves[0]);
}

/* Behind a proxy, so that no address is known whose pace would do. */
static void a_place_where_many_robots_txt_lie_is_asked_at_its_own_pace(void **state)
{
    static const struct site_page pages[] = {
        {.path = "http://all.example/rules", PLAIN, .body = "User-agent: *\nDisallow: /b\n"},
        {.path = "http://a.example/robots.txt", MOVED_TO("http://all.example/rules")},
        {.path = "http://b.example/robots.txt", MOVED_TO("http://all.example/rules")},
        {.path = "http://c.example/robots.txt", MOVED_TO("http://all.example/rules")},
        {.path = "http://a.example/", .body = "<title>a</title>"},
        {.path = "http://b.example/", .body = "<title>b</title>"},
        {.path = "http://c.example/", .body = "<title>c</title>"},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));

    (void)state;
    assert_code(brood("crawl", "page", "--out", fresh("paced"), "--quiet", "--contact",
                      "tests@example.org", "--proxy", site_url(s, ""), "--delay", "1s", "--seed",
                      "http://a.example/", "--seed", "http://b.example/", "--seed",
                      "http://c.example/"),
                0);
    assert_int_equal(crawl_pages(fresh("paced")), 3);
    assert_int_equal(site_asked(s, "http://all.example/rules"), 3);
    assert_true(shortest_gap(fresh("paced"), "all.example") >= US_PER_S);
}

static void statuses_allow_or_wait(void **state)
{
    static const struct served statuses[] = {
        {.name = "404", .robots = {{.path = "/robots.txt", .status = 404}}, true, true, true},
        {.name = "403", .robots = {{.path = "/robots.txt", .status = 403}}, true, true, true},
        {.name = "503-then-rules",
         .robots = {{.path = "/robots.txt", .status = 503, .times = 1},
                    {.path = "/robots.txt", PLAIN, .body = "User-agent: *\nDisallow: /b"}},
         .a = true},
        {.name = "429-then-rules",
         .robots =
             {{.path = "/robots.txt", .status = 429, .times = 1, .headers = "Retry-After: 1\r\n"},
              {.path = "/robots.txt", PLAIN, .body = "User-agent: *\nDisallow: /a"}},
         .b = true,
         .c = true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
        expect_served(&statuses[i]);
}

/* Asked again with pauses that double from a second on: fifteen seconds. */
static void a_server_that_never_says_is_refused_in_the_end(void **state)
{
    static const struct site_page pages[] = {{.path = "/robots.txt", .status = 500}, PAGES};
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("never");

    (void)state;
    assert_code(crawl_site(s, dir, "--pages", "10"), 3);
    assert_int_equal(site_asked(s, "/robots.txt"), 5);
    assert_int_equal(site_total(s), 5); /* and nothing else was */
    assert_int_equal(crawl_drops(dir, "robots"), 1);
    assert_true(shortest_gap(dir, "h.example") >= US_PER_S);
}

static void a_crawl_delay_holds_for_its_host_alone(void **state)
{
    static const struct site_page pages[] = {
        {.path = "/robots.txt",
         .host = "h.example",
         PLAIN,
         .body = "User-agent: brood\nCrawl-delay: 0.6\n"},
        PAGES,
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("delay");

    (void)state;
    assert_code(crawl_site(s, dir, "--seed", "http://g.example/"), 0);
    assert_int_equal(site_asked(s, "/a"), 2);
    assert_true(shortest_gap(dir, "h.example") >= 600 * US_PER_MS);
}

static void sitemaps_named_in_robots_txt_are_read_and_their_pages_visited(void **state)
{
    static const struct site_page pages[] = {
        {.path = "/robots.txt",
         PLAIN,
         .body = "Sitemap: http://h.example/map.xml\nUser-agent: *\nDisallow: /b\n"},
        {.path = "/map.xml",
         .type = "application/xml",
         .body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
                 "<url><loc>http://h.example/only-here</loc></url>"
                 "<url><loc>http://h.example/b</loc></url></urlset>"},
        {.path = "/only-here", .body = "<title>only here</title>zebrafish here"},
        PAGES,
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("sitemap");

    (void)state;
    assert_code(crawl_site(s, dir, "--pages", "10"), 0);
    assert_int_equal(site_asked(s, "/map.xml"), 1);
    assert_int_equal(site_asked(s, "/only-here"), 1);
    assert_int_equal(site_asked(s, "/b"), 0);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE url LIKE '%only-here'"), 1);
}

static void a_sitemap_of_fifty_thousand_urls_makes_as_many_known(void **state)
{
    struct site_page pages[] = {
        {.path = "/robots.txt", PLAIN, .body = "Sitemap: http://h.example/map.xml\n"},
        {.path = "/map.xml", .type = "application/xml"},
        PAGES,
    };
    struct buf map = BUF_INIT(MIB(16));
    const char *dir = fresh("sitemap-long");
    struct site *s;

    (void)state;
    buf_add_z(&map, "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>");
    for (int i = 0; i < LIMIT_SITEMAP_URLS; i++)
        buf_addf(&map, "<url><loc>http://h.example/articles/of-a-long-name/%d</loc></url>\n", i);
    buf_add_z(&map, "</urlset>");
    pages[1].body = map.data;
    s = site_start(pages, ARRAY_LEN(pages));
    assert_code(crawl_site(s, dir, "--pages", "2"), 0);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM url WHERE url LIKE '%/articles/%'"),
                     LIMIT_SITEMAP_URLS);
    buf_free(&map);
}

/* ---- tags ---------------------------------------------------------------- */

static const struct {
    const char *path, *header, *meta;
    bool shown, archived, followed;
} tags[] = {
    {"/plain", NULL, "", true, true, true},
    {"/other", "X-Robots-Tag: otherbot: none\r\n", "", true, true, true},
    {"/none", "X-Robots-Tag: none\r\n", "", false, false, false},
    {"/ours", "X-Robots-Tag: brood: noindex\r\n", "", false, false, true},
    {"/ours-second", "X-Robots-Tag: otherbot: all\r\nX-Robots-Tag: noindex\r\n", "", false, false,
     true},
    {"/theirs-first", "X-Robots-Tag: otherbot: noindex, nofollow\r\nX-Robots-Tag: noarchive\r\n",
     "", true, false, true},
    {"/joined", "X-Robots-Tag: otherbot: noindex, brood: nofollow\r\n", "", true, true, false},
    {"/meta", NULL, "<meta name=robots content='noarchive'>", true, false, true},
    {"/meta-ours", NULL, "<meta name=brood content='none'>", false, false, false},
    {"/meta-other", NULL, "<meta name=otherbot content='none'>", true, true, true},
    {"/both", "X-Robots-Tag: noarchive\r\n", "<meta name=robots content=nofollow>", true, false,
     false},
};

static void tags_have_the_effects_they_ask_for(void **state)
{
    struct site_page pages[2 * ARRAY_LEN(tags) + 1] = {{.path = "/"}};
    struct site_page *lent;
    struct buf start = BUF_INIT(1 << 16);
    const char *dir = fresh("tags"), *top;
    struct site *s;
    size_t n = 1;
    int64_t hidden = 0, unarchived = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
        buf_addf(&start, "<a href=%s>x</a> ", tags[i].path);
        pages[n++] = (struct site_page){
            .path = tags[i].path,
            .headers = tags[i].header,
            .body = text("%s<title>t</title>zebrafish number %zu <a href=%s/behind>x</a>",
                         tags[i].meta, i, tags[i].path)};
        pages[n++] = (struct site_page){.path = text("%s/behind", tags[i].path),
                                        .body = text("<title>u</title>zebrafish behind %zu", i)};
        hidden += !tags[i].shown;
        unarchived += !tags[i].archived;
    }
    pages[0].body = start.data;
    lent = mem_alloc(sizeof pages);
    memcpy(lent, pages, sizeof pages);
    s = site_start(lent, ARRAY_LEN(pages));
    assert_code(crawl_site(s, dir, "--pages", "100"), 0);
    top = brood("top", dir, "-n", "100", "--json").out;
    for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
        const char *url = text("http://h.example%s", tags[i].path);

        print_message("# %s\n", tags[i].path);
        assert_int_equal(times_in(top, text("\"%s\"", url)), tags[i].shown);
        assert_int_equal(
            crawl_int(dir, text("SELECT warc_file IS NOT NULL FROM page WHERE url = '%s'", url)),
            tags[i].archived);
        assert_int_equal(site_asked(s, text("%s/behind", tags[i].path)), tags[i].followed);
    }
    assert_int_equal(int_at(json_of(brood("stats", dir, "--json").out), "hidden"), hidden);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE warc_file IS NULL"),
                     unarchived);
    buf_free(&start);
}

/* ---- who we are ---------------------------------------------------------- */

static void requests_say_who_asks(void **state)
{
    static const struct site_page pages[] = {PAGES};
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *said = brood("--version").out + strlen("brood ");
    const char *version = text("%.*s", (int)strcspn(said, " \n"), said);
    const char *const paths[] = {"/robots.txt", "/", "/a"};

    (void)state;
    assert_code(crawl_site(s, fresh("who"), "--contact", "crawls@example.org"), 0);
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        const char *head = site_head(s, paths[i]);

        assert_non_null(head);
        assert_says(head, text("\r\nUser-Agent: brood/%s (+crawls@example.org)\r\n", version));
        assert_says(head, "\r\nFrom: crawls@example.org\r\n");
    }
}

static void public_hosts_are_not_crawled_without_a_contact(void **state)
{
    const char *dir = fresh("nobody");

    (void)state;
    assert_refused(brood("crawl", "zebrafish", "--seed", "http://example.org/", "--out", dir,
                         "--quiet", "--allow-private"),
                   2, "--contact");
    assert_int_equal(access(dir, F_OK), -1);
}

static int set_up(void **state)
{
    (void)state;
    gzip_make("User-agent: *\nDisallow: /b\n");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_txt_is_read_in_every_form),
        cmocka_unit_test(redirects_of_robots_txt_are_followed_five_times),
        cmocka_unit_test(a_place_where_many_robots_txt_lie_is_asked_at_its_own_pace),
        cmocka_unit_test(statuses_allow_or_wait),
        cmocka_unit_test(a_server_that_never_says_is_refused_in_the_end),
        cmocka_unit_test(a_crawl_delay_holds_for_its_host_alone),
        cmocka_unit_test(sitemaps_named_in_robots_txt_are_read_and_their_pages_visited),
        cmocka_unit_test(a_sitemap_of_fifty_thousand_urls_makes_as_many_known),
        cmocka_unit_test(tags_have_the_effects_they_ask_for),
        cmocka_unit_test(requests_say_who_asks),
        cmocka_unit_test(public_hosts_are_not_crawled_without_a_contact),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
