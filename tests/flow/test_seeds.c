/* Where a crawl starts, and where its options come from.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <glob.h>
#include <stdlib.h>

#define COMMON "--quiet", "--delay", "0", "--allow-private", "--no-warc", "--resolve", s->resolve

static const char *w;
static struct server *s;

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "300", "--hosts", "6", "--topics", "3", "--sitemaps", "1");
    s = serve(w);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    server_stop(s);
    return 0;
}

static int64_t seeds_of(const char *dir)
{
    return crawl_int(dir, "SELECT count(*) FROM url WHERE depth = 0");
}

static void a_file_and_standard_input_give_seeds(void **state)
{
    const char *list = text("# places\n%s\n\n  %s  \n", world_seed(w, 0, 0), world_seed(w, 1, 0));
    const char *dir = fresh("file");

    (void)state;
    assert_code(brood("crawl", "stars", "--seeds", file_with("seeds.txt", list), "--pages", "10",
                      "--out", dir, COMMON),
                0);
    assert_int_equal(seeds_of(dir), 2);
    assert_int_equal(crawl_pages(dir), 10);
    dir = fresh("stdin");
    assert_code(brood_argv(list, (const char *const[]){"crawl", "stars", "--seeds", "-", "--pages",
                                                       "10", "--out", dir, COMMON, NULL}),
                0);
    assert_int_equal(seeds_of(dir), 2);
    assert_int_equal(crawl_pages(dir), 10);
}

static void a_bad_line_is_named(void **state)
{
    const char *list = file_with("bad.txt", "http://fine.example/\nhttp://[not/\n");

    (void)state;
    assert_refused(brood("crawl", "stars", "--seeds", list, "--out", fresh("bad"), COMMON), 2,
                   ":2");
    assert_refused(brood("crawl", "stars", "--seeds", file_with("empty.txt", "# none\n"), "--out",
                         fresh("bad"), COMMON),
                   2, "no place to start");
}

static void a_sitemap_gives_its_links(void **state)
{
    const char *dir = fresh("sitemap");
    const char *map = crawl_text(w, "SELECT url FROM resource WHERE url LIKE '%sitemap.xml'");

    (void)state;
    assert_code(brood("crawl", "stars", "--seed", map, "--pages", "10", "--scope", "same-host",
                      "--out", dir, COMMON),
                0);
    assert_int_equal(crawl_pages(dir), 10);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE url LIKE '%sitemap.xml'"), 0);
}

static void an_earlier_crawl_gives_its_best_pages(void **state)
{
    const char *first = fresh("first"), *second = fresh("second");

    (void)state;
    assert_code(brood("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "20",
                      "--out", first, COMMON),
                0);
    assert_code(brood("crawl", world_words(w, 0), "--seeds-from", first, "--pages", "30", "--out",
                      second, COMMON),
                0);
    assert_int_equal(crawl_pages(second), 30);
    assert_true(seeds_of(second) > 1);
    assert_string_equal(
        crawl_text(second, "SELECT url FROM url WHERE depth = 0 ORDER BY id LIMIT 1"),
        crawl_text(first, "SELECT url FROM page ORDER BY p DESC, relevance DESC, id LIMIT 1"));
}

/* ---- search engines ------------------------------------------------------ */

static const struct site_page engine[] = {
    {.path = "/json?q=coral%20reefs",
     .type = "application/json",
     .body = "{\"results\": [{\"url\": \"http://a.example/one\", \"title\": \"one\"},"
             " {\"link\": \"http://a.example/two\"}]}"},
    {.path = "/rss?q=coral%20reefs",
     .type = "application/rss+xml",
     .body = "<?xml version='1.0'?><rss version='2.0'><channel><title>results</title>"
             "<link>http://engine.example/</link><item><title>one</title>"
             "<link>http://a.example/one</link></item><item><title>two</title>"
             "<link>http://a.example/two</link></item></channel></rss>"},
    {.path = "/many?q=coral%20reefs",
     .type = "application/json",
     .body =
         "{\"results\": [{\"url\": \"http://a.example/one\", \"title\": \"Reefs and bleaching\","
         " \"content\": \"coral bleaching\"}, {\"url\": \"http://a.example/two\", \"title\":"
         " \"Bleaching\", \"content\": \"reefs\"}, {\"url\": \"http://a.example/cut\"}]}"},
    {.path = "/many?q=coral%20reefs%20bleaching",
     .type = "application/json",
     .body = "{\"results\": [{\"url\": \"http://a.example/three\"}]}"},
    {.path = "/none?q=coral%20reefs", .type = "application/json", .body = "{\"results\": []}"},
    {.path = "/one", .body = "<title>one</title>coral"},
    {.path = "/two", .body = "<title>two</title>reefs"},
    {.path = "/three", .body = "<title>three</title>bleaching"},
};

static struct ran searched(struct site *e, const char *kind, const char *dir)
{
    return brood("crawl", "coral reefs", "--search", text("http://engine.example/%s?q={}", kind),
                 "--out", dir, "--quiet", "--delay", "0", "--allow-private", "--resolve",
                 site_resolve(e));
}

static void a_search_engine_gives_seeds_as_json_or_rss(void **state)
{
    const char *const kinds[] = {"json", "rss"};
    struct site *e = site_start(engine, ARRAY_LEN(engine));

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *dir = fresh(kinds[i]);

        assert_code(searched(e, kinds[i], dir), 0);
        assert_int_equal(crawl_pages(dir), 2);
        assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE depth = 0"), 2);
    }
    assert_refused(searched(e, "none", fresh("none")), 3, "no results");
    assert_refused(searched(e, "gone", fresh("gone")), 1, "404");
}

static void a_learned_word_makes_a_second_query(void **state)
{
    struct site *e = site_start(engine, ARRAY_LEN(engine));
    const char *dir = fresh("many");

    (void)state;
    assert_code(brood("crawl", "coral reefs", "--search", "http://engine.example/many?q={}",
                      "--search-queries", "2", "--search-hits", "2", "--out", dir, "--quiet",
                      "--delay", "0", "--allow-private", "--resolve", site_resolve(e)),
                0);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE depth = 0"), 3);
    assert_int_equal(site_asked(e, "/many?q=coral%20reefs%20bleaching"), 1);
    assert_int_equal(site_asked(e, "/cut"), 0);
}

/* Six pages in a row, with a word that no result has. */
static const char *reef_page(const char *path)
{
    int n = atoi(path + strlen("/reef"));

    return text("<title>Coral reefs %d</title><p>Coral reefs, zooxanthellae %d.</p>%s", n, n * n,
                n < 6 ? text("<a href=/reef%d>coral</a>", n + 1) : "");
}

static void words_of_its_pages_make_a_query_when_no_link_is_left(void **state)
{
    static const struct site_page pages[] = {
        {"/json?q=coral%20reefs", .type = "application/json",
         .body = "{\"results\": [{\"url\": \"http://a.example/reef1\"}]}"},
        {"/json?q=coral%20reefs%20zooxanthellae", .type = "application/json",
         .body = "{\"results\": [{\"url\": \"http://b.example/late\"}]}"},
        {"/reef", .make = reef_page},
        {"/late", .body = "<title>late</title>coral"},
    };
    struct site *e = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("later");

    (void)state;
    assert_code(brood("crawl", "coral reefs", "--search", "http://engine.example/json?q={}",
                      "--out", dir, "--quiet", "--delay", "0", "--allow-private", "--no-warc",
                      "--resolve", site_resolve(e)),
                0);
    assert_int_equal(site_asked(e, "/json?q=coral%20reefs%20zooxanthellae"), 1);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE url LIKE '%/late'"), 1);
    assert_int_equal(crawl_pages(dir), 7);
}

/* Two results, two founders, each first at one of them. */
static void agents_start_at_a_result_each(void **state)
{
    struct site *e = site_start(engine, ARRAY_LEN(engine));
    const char *dir = fresh("agents");

    (void)state;
    assert_code(brood("crawl", "coral reefs", "--search", "http://engine.example/json?q={}",
                      "--model", "infospiders", "--set", "population=1", "--out", dir, "--quiet",
                      "--delay", "0", "--allow-private", "--resolve", site_resolve(e)),
                0);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM agent WHERE generation = 0"), 2);
    assert_int_equal(crawl_int(dir, "SELECT count(DISTINCT agent_id) FROM visit WHERE first"), 2);
    assert_int_equal(crawl_int(dir, "SELECT count(DISTINCT page_id) FROM visit WHERE first"), 2);
}

/* ---- names of hosts, and lists ------------------------------------------- */

static void the_sitemap_and_feed_of_a_host_are_found(void **state)
{
    static const struct site_page pages[] = {
        {"/", .body = "<title>front</title>stars"},
        {"/sitemap.xml", .type = "application/xml",
         .body = "<urlset><url><loc>http://host.example/mapped</loc></url></urlset>"},
        {"/rss.xml", .type = "application/rss+xml",
         .body = "<rss version='2.0'><channel><title>news</title><item><title>stars</title>"
                 "<link>http://host.example/fed</link></item></channel></rss>"},
        {"/mapped", .body = "<title>mapped</title>stars"},
        {"/fed", .body = "<title>fed</title>stars"},
    };
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("host");

    (void)state;
    assert_code(brood("crawl", "stars", "--seed", "host.example", "--quiet", "--delay", "0",
                      "--allow-private", "--no-warc", "--out", dir, "--resolve",
                      site_resolve(site)),
                0);
    assert_int_equal(site_asked(site, "/mapped"), 1);
    assert_int_equal(site_asked(site, "/fed"), 1);
    assert_code(brood("crawl", "stars", "--seed", "http://host.example/", "--quiet", "--delay", "0",
                      "--allow-private", "--no-warc", "--out", fresh("page"), "--resolve",
                      site_resolve(site)),
                0);
    assert_int_equal(site_asked(site, "/sitemap.xml"), 1);
}

/* Also those that are asked for after a resume, and the places that they redirect to. */
static void a_guess_that_does_not_exist_is_no_failure(void **state)
{
    static const struct site_page pages[] = {
        {"/", .body = "<title>front</title>stars <a href=/gone>stars</a> <a href=/two>two</a>"},
        {"/feed/", .status = 301, .headers = "Location: /feed\r\n", .body = ""},
        {"/two", .body = "<title>two</title>stars"},
    };
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("guesses");

    (void)state;
    assert_code(brood("crawl", "stars", "--seed", "host.example", "--quiet", "--delay", "0",
                      "--allow-private", "--no-warc", "--pages", "1", "--out", dir, "--resolve",
                      site_resolve(site)),
                0);
    assert_code(brood("resume", dir, "--quiet", "--pages", "0"), 0);
    assert_int_equal(site_asked(site, "/feed"), 1);
    assert_int_equal(site_asked(site, "/gone"), 1);
    assert_int_equal(site_asked(site, "/sitemap.xml") + site_asked(site, "/atom.xml"), 2);
    assert_int_equal(crawl_int(dir, "SELECT value FROM crawl WHERE key = 'total.failed'"), 1);
}

static void an_archives_index_is_fetched_and_chosen_from(void **state)
{
    static const struct site_page pages[] = {
        {"/cdx?url=host.example", .type = "text/plain",
         .body =
             "example,host)/docs/a 20260101000000 http://host.example/docs/a text/html 200 X 9\n"
             "example,host)/docs/a 20260201000000 http://host.example/docs/a text/html 200 X 9\n"
             "example,host)/docs/b 20260201000000 http://host.example/docs/b text/html 404 X 9\n"
             "example,host)/else 20260201000000 http://host.example/else text/html 200 X 9\n"},
        {"/docs/a", .body = "<title>a</title>stars"},
        {"/else", .body = "<title>else</title>stars"},
    };
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("index");
    glob_t archive;

    (void)state;
    assert_code(brood("crawl", "stars", "--seeds-from-cdx",
                      "http://archive.example/cdx?url=host.example", "--seeds-only",
                      "host.example/docs/*", "--quiet", "--delay", "0", "--allow-private", "--out",
                      dir, "--resolve", site_resolve(site)),
                0);
    assert_int_equal(seeds_of(dir), 1);
    assert_int_equal(site_asked(site, "/docs/a"), 1);
    assert_int_equal(site_asked(site, "/else"), 0);
    /* And the archive of that crawl gives its page. */
    assert_int_equal(glob(text("%s/warc/*.warc.gz", dir), 0, NULL, &archive), 0);
    assert_code(brood("crawl", "stars", "--seeds-from", archive.gl_pathv[0], "--quiet", "--delay",
                      "0", "--allow-private", "--no-warc", "--out", fresh("archived"), "--resolve",
                      site_resolve(site)),
                0);
    assert_int_equal(site_asked(site, "/docs/a"), 2);
    globfree(&archive);
}

/* ---- options ------------------------------------------------------------- */

static void a_config_file_sets_what_the_command_line_does_not(void **state)
{
    const char *dir = fresh("config");
    const char *file =
        file_with("brood.yaml", text("# a crawl\nseed:\n  - %s\n  - %s\npages: 12\n"
                                     "delay: 0s\nallow-private: true\nquiet: yes\n"
                                     "model: best-first\nset: [n=4]\n"
                                     "resolve: ['%s']\nbytes: 2Gi\n",
                                     world_seed(w, 0, 0), world_seed(w, 1, 0), s->resolve));

    (void)state;
    assert_code(brood("crawl", "stars", "--config", file, "--out", dir), 0);
    assert_int_equal(crawl_pages(dir), 12);
    assert_int_equal(seeds_of(dir), 2);
    assert_string_equal(crawl_text(dir, "SELECT value FROM crawl WHERE key = 'option.set'"), "n=4");
    dir = fresh("config-and-line");
    assert_code(brood("crawl", "stars", "--config", file, "--pages=5", "--out", dir), 0);
    assert_int_equal(crawl_pages(dir), 5);
}

static void a_broken_config_is_refused_with_its_line(void **state)
{
    (void)state;
    assert_refused(
        brood("crawl", "x", "--config", file_with("a.yaml", "pages: 5\nseed: [a\nb: c: d")), 2,
        "a.yaml:3");
    assert_refused(brood("crawl", "x", "--config", file_with("b.yaml", "pages: 5\nsead: x\n")), 2,
                   "b.yaml:2: unknown option 'sead'");
    assert_refused(brood("crawl", "x", "--config", file_with("c.yaml", "\npages: lots\n")), 2,
                   "c.yaml:2");
    assert_refused(brood("crawl", "x", "--config", fresh("no.yaml")), 2, "no.yaml");
}

static void the_environment_sets_options(void **state)
{
    const char *dir = fresh("environment");
    struct ran r;

    (void)state;
    (void)setenv("BROOD_PAGES", "7", 1);
    r = brood("crawl", "stars", "--seed", world_seed(w, 0, 0), "--out", dir, COMMON);
    (void)setenv("BROOD_PAGES", "seven", 1);
    assert_refused(brood("crawl", "stars", "--seed", world_seed(w, 0, 0), COMMON), 2,
                   "BROOD_PAGES");
    (void)unsetenv("BROOD_PAGES");
    assert_code(r, 0);
    assert_int_equal(crawl_pages(dir), 7);
}

/* A name that never resolves: nobody is asked but the resolver. */
static void public_hosts_need_a_contact(void **state)
{
    struct ran r;

    (void)state;
    assert_refused(brood("crawl", "stars", "--seed", "http://example.org/", "--out",
                         fresh("public"), "--quiet"),
                   2, "--contact");
    (void)setenv("BROOD_CONTACT", "crawl@example.org", 1);
    r = brood("crawl", "stars", "--seed", "http://name.invalid/", "--out", fresh("contact"),
              "--quiet");
    (void)unsetenv("BROOD_CONTACT");
    assert_refused(r, 3, "name.invalid");
}

/* Pages about bees, each with links to the next ones. */
static const char *bee_page(const char *path)
{
    int n = atoi(path + strlen("/bee"));

    return text("<p>Bees make honey in their hive, beekeeper %d says.</p><a href=/bee%d>a</a> "
                "<a href=/bee%d>b</a>",
                n, 2 * n + 1, 2 * n + 2);
}

static void a_start_page_off_the_topic_counts_less_and_is_named(void **state)
{
    static const struct site_page pages[] = {
        {"/bee", .make = bee_page},
        {"/car", .body = "<p>Engines, wheels, brakes, roads and fuel prices.</p>"},
    };
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("far"), *places = fresh("places");
    struct ran r = brood("crawl", "honey bees hive", "--seed", site_url(site, "/bee1"), "--seed",
                         site_url(site, "/bee2"), "--seed", site_url(site, "/car"), "--pages", "12",
                         "--delay", "0", "--allow-private", "--no-warc", "--out", dir);

    (void)state;
    assert_code(r, 0);
    assert_says(r.err, "start pages far from the topic: ");
    assert_says(r.err, "/car counts ");
    assert_says(brood("stats", dir).out, "/car counts ");
    r = brood("crawl", "honey bees hive", "--seed", site_url(site, "/car"), "--seed",
              site_url(site, "/bee1"), "--seeds-are", "places", "--pages", "12", "--delay", "0",
              "--allow-private", "--no-warc", "--out", places);
    assert_code(r, 0);
    assert_null(strstr(r.err, "far from the topic"));
    assert_refused(brood("crawl", "bees", "--seed", site_url(site, "/bee1"), "--model",
                         "breadth-first", "--seeds-are", "places", "--allow-private", "--out",
                         fresh("none")),
                   2, "learns nothing from start pages");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_and_standard_input_give_seeds),
        cmocka_unit_test(a_bad_line_is_named),
        cmocka_unit_test(a_sitemap_gives_its_links),
        cmocka_unit_test(an_earlier_crawl_gives_its_best_pages),
        cmocka_unit_test(a_search_engine_gives_seeds_as_json_or_rss),
        cmocka_unit_test(a_learned_word_makes_a_second_query),
        cmocka_unit_test(words_of_its_pages_make_a_query_when_no_link_is_left),
        cmocka_unit_test(agents_start_at_a_result_each),
        cmocka_unit_test(the_sitemap_and_feed_of_a_host_are_found),
        cmocka_unit_test(a_guess_that_does_not_exist_is_no_failure),
        cmocka_unit_test(an_archives_index_is_fetched_and_chosen_from),
        cmocka_unit_test(a_config_file_sets_what_the_command_line_does_not),
        cmocka_unit_test(a_broken_config_is_refused_with_its_line),
        cmocka_unit_test(the_environment_sets_options),
        cmocka_unit_test(public_hosts_need_a_contact),
        cmocka_unit_test(a_start_page_off_the_topic_counts_less_and_is_named),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
