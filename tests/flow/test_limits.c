/* Limits are exact and scope is kept, in the database and in the server's log.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

static const char *w;

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "500", "--hosts", "10", "--topics", "3", "--redirects", "0", "--feeds",
              "0", "--sitemaps", "0", "--robots", "0");
    return 0;
}

/* A crawl of the whole world with these further options. */
static struct sqlite3 *crawled(const char *name, const char *const options[])
{
    struct server *s = serve(w);
    const char *argv[40] = {"crawl",        world_words(w, 0),
                            "--seed",       world_seed(w, 0, 0),
                            "--pages",      "0",
                            "--delay",      "0",
                            "--out",        fresh(name),
                            "--quiet",      "--allow-private",
                            "--resolve",    s->resolve,
                            "--no-warc",    "--model",
                            "breadth-first"};
    size_t n = 17;

    for (size_t i = 0; options[i]; i++)
        argv[n++] = options[i];
    assert_code(brood_argv(NULL, argv), 0);
    return facts_open(fresh(name), w, s);
}
#define crawled(name, ...) crawled(name, (const char *const[]){__VA_ARGS__, NULL})

static int64_t drops(struct sqlite3 *facts, const char *reason)
{
    return facts_int(facts, text("SELECT coalesce(sum(n), 0) FROM main.drop_count WHERE reason ="
                                 " '%s'",
                                 reason));
}

static void max_depth_takes_exactly_what_is_so_near(void **state)
{
    struct sqlite3 *facts = crawled("depth", "--max-depth", "2");
    int64_t near =
        facts_int(facts, text("WITH RECURSIVE near(url, depth) AS (SELECT '%s', 0 UNION SELECT"
                              " t.url, n.depth + 1 FROM near n JOIN w.page p ON p.url = n.url JOIN"
                              " w.link l ON l.from_page = p.id JOIN w.url_row t ON t.id = l.to_id"
                              " WHERE n.depth < 2) SELECT count(*) FROM w.page WHERE url IN"
                              " (SELECT url FROM near)",
                              world_seed(w, 0, 0)));

    (void)state;
    assert_true(near > 10);
    assert_int_equal(facts_int(facts, "SELECT max(depth) FROM main.page"), 2);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page"), near);
    assert_true(drops(facts, "depth") > 0);
}

static void pages_per_host_is_exact(void **state)
{
    struct sqlite3 *facts = crawled("per-host", "--pages-per-host", "7");

    (void)state;
    assert_int_equal(facts_int(facts, "SELECT max(n) FROM (SELECT count(*) AS n FROM main.page"
                                      " GROUP BY host)"),
                     7);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM (SELECT host, count(*) AS n FROM"
                                      " w.page GROUP BY host HAVING n > 30) WHERE (SELECT count(*)"
                                      " FROM main.page p WHERE p.host = host) < 7"),
                     0);
    assert_true(drops(facts, "budget") > 0);
    assert_int_equal(facts_int(facts, "SELECT value FROM main.crawl WHERE key = 'total.failed'"),
                     drops(facts, "status"));
}

static void bytes_stop_the_crawl_soon_after(void **state)
{
    struct sqlite3 *facts = crawled("bytes", "--bytes", "200k", "--connections", "2");
    int64_t bytes = facts_int(facts, "SELECT sum(bytes) FROM main.page");

    (void)state;
    assert_in_range(bytes, 100000, 400000);
    assert_true(facts_int(facts, "SELECT count(*) FROM main.page") < 400);
}

static void same_host_stays_on_the_seeds_host(void **state)
{
    struct sqlite3 *facts = crawled("same-host", "--scope", "same-host");

    (void)state;
    assert_int_equal(facts_int(facts, "SELECT count(DISTINCT host) FROM asked"), 1);
    assert_true(facts_int(facts, "SELECT count(*) FROM main.page") > 10);
    assert_true(drops(facts, "scope") > 0);
}

static void patterns_bound_the_crawl(void **state)
{
    struct sqlite3 *facts = crawled("pattern", "--scope", "*.example/", "--scope",
                                    "*.example/page?id=*", "--exclude", "*=2*");

    (void)state;
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM asked WHERE path NOT IN ('/',"
                                      " '/robots.txt') AND path NOT LIKE '/page_id=%'"),
                     0);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM asked WHERE path LIKE '%=2%'"), 0);
}

static void excluded_hosts_are_never_asked(void **state)
{
    const char *host = crawl_text(w, "SELECT host FROM page GROUP BY host ORDER BY count(*) DESC"
                                     " LIMIT 1 OFFSET 2");
    const char *list = file_with("hosts.txt", text("# not these\n%s\n\nother.example\n", host));
    struct sqlite3 *facts = crawled("hosts", "--exclude-hosts", list);

    (void)state;
    assert_int_equal(facts_int(facts, text("SELECT count(*) FROM asked WHERE host = '%s'", host)),
                     0);
    assert_true(facts_int(facts, "SELECT count(DISTINCT host) FROM asked") > 5);
}

/* ---- what no world has --------------------------------------------------- */

static const struct site_page pages[] = {
    {.path = "/",
     .body = "<title>start</title>stars <a href='http://b.one.example/sister'>b</a>"
             "<a href='http://two.example/stranger'>c</a><a href='/de'>d</a><a href='/fr'>f</a>"
             "<a href='/none'>n</a>"},
    {.path = "/sister", .body = "<title>sister</title>stars"},
    {.path = "/stranger", .body = "<title>stranger</title>stars"},
    {.path = "/de", .body = "<html lang=de><title>deutsch</title>Sterne"},
    {.path = "/fr", .body = "<html lang=fr><title>francais</title>etoiles"},
    {.path = "/none", .body = "<title>undeclared</title>stars"},
};

static const char *site_crawl(struct site *s, const char *name, const char *option,
                              const char *value)
{
    const char *dir = fresh(name);

    assert_code(brood("crawl", "stars", "--seed", "http://a.one.example/", "--out", dir, "--quiet",
                      "--delay", "0", "--allow-private", "--resolve", site_resolve(s), option,
                      value),
                0);
    return dir;
}

static void same_site_reaches_sister_hosts(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = site_crawl(s, "site", "--scope", "same-site");

    (void)state;
    assert_int_equal(site_asked(s, "/sister"), 1);
    assert_int_equal(site_asked(s, "/stranger"), 0);
    assert_int_equal(crawl_drops(dir, "scope"), 1);
    assert_says(brood("explain", dir, "http://two.example/stranger").out, "scope");
}

static void other_languages_are_dropped(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = site_crawl(s, "lang", "--lang", "en,de");

    (void)state;
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE url LIKE '%/fr'"), 0);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE url LIKE '%/de'"), 1);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE url LIKE '%/none'"), 1);
    assert_int_equal(crawl_drops(dir, "lang"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(max_depth_takes_exactly_what_is_so_near),
        cmocka_unit_test(pages_per_host_is_exact),
        cmocka_unit_test(bytes_stop_the_crawl_soon_after),
        cmocka_unit_test(same_host_stays_on_the_seeds_host),
        cmocka_unit_test(patterns_bound_the_crawl),
        cmocka_unit_test(excluded_hosts_are_never_asked),
        cmocka_unit_test(same_site_reaches_sister_hosts),
        cmocka_unit_test(other_languages_are_dropped),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
