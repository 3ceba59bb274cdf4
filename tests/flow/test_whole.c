/* A whole world crawled to its end, counted against the world's own database
 * and the server's log. SPDX-License-Identifier: MIT */
#include "flow.h"

static const char *w;
static struct sqlite3 *facts;

/* What a reader of the links can reach, without any code of the crawler: from
 * the seeds over links and redirects, never into /private/. */
#define REACHABLE                                                                \
    "WITH RECURSIVE reach(url) AS (SELECT '%s' UNION"                            \
    " SELECT t.url FROM reach r JOIN w.page p ON p.url = r.url"                  \
    "  JOIN w.link l ON l.from_page = p.id JOIN w.url_row t ON t.id = l.to_id"   \
    "  WHERE t.url NOT LIKE 'http://%%/private/%%'"                              \
    " UNION SELECT o.redirect_to FROM reach r JOIN w.outcome o ON o.url = r.url" \
    "  WHERE o.redirect_to IS NOT NULL)"

static int set_up(void **state)
{
    struct server *s;
    const char *dir = fresh("C");

    (void)state;
    w = world("--pages", "900", "--hosts", "15", "--topics", "4", "--sitemaps", "0", "--feeds", "0",
              "--duplicates", "0.06", "--robots", "0.6", "--redirects", "0.05");
    s = serve(w);
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "0",
                      "--delay", "0", "--model", "breadth-first"),
                0);
    facts = facts_open(dir, w, s);
    return 0;
}

static int64_t reachable(const char *sql)
{
    return facts_int(facts, text(REACHABLE " %s", world_seed(w, 0, 0), sql));
}

static void every_reachable_page_is_stored_once(void **state)
{
    int64_t n = reachable("SELECT count(*) FROM w.page WHERE url IN reach");

    (void)state;
    assert_true(n > 700);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page"), n);
    assert_int_equal(facts_int(facts, "SELECT count(DISTINCT url) FROM main.page"), n);
    assert_int_equal(reachable("SELECT count(*) FROM w.page WHERE url IN reach AND url NOT IN"
                               " (SELECT url FROM main.page)"),
                     0);
}

static void no_url_is_asked_twice(void **state)
{
    (void)state;
    assert_int_equal(facts_int(facts, "SELECT count(*) - count(DISTINCT url) FROM asked"), 0);
}

static void what_was_stored_is_what_was_answered(void **state)
{
    (void)state;
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM asked WHERE status = 200"
                                      " AND path <> '/robots.txt'"),
                     facts_int(facts, "SELECT count(*) FROM main.page"));
    assert_int_equal(
        facts_int(facts, "SELECT count(*) FROM main.page p JOIN w.page o ON o.url = p.url"
                         " WHERE o.title <> p.title OR o.bytes <> p.bytes OR o.hash <> p.hash"),
        0);
}

static void dead_links_are_asked_once_and_counted(void **state)
{
    int64_t dead = facts_int(facts, "SELECT count(*) FROM asked WHERE status = 404"
                                    " AND path <> '/robots.txt'");

    (void)state;
    assert_true(dead > 0);
    assert_int_equal(
        facts_int(facts, "SELECT coalesce(sum(n), 0) FROM main.drop_count WHERE reason = 'status'"),
        dead);
}

static void redirects_are_followed(void **state)
{
    (void)state;
    assert_true(
        facts_int(facts, "SELECT count(*) FROM asked WHERE status IN (301, 302, 307, 308)") > 0);
    assert_int_equal(
        facts_int(facts,
                  "SELECT count(*) FROM main.outcome o WHERE o.redirect_to IS NOT NULL AND NOT"
                  " EXISTS (SELECT 1 FROM main.page p WHERE p.url = o.redirect_to)"),
        0);
}

static void forbidden_paths_are_never_asked(void **state)
{
    (void)state;
    assert_true(facts_int(facts, "SELECT count(*) FROM w.url_row WHERE url LIKE '%/private/%'") >
                0);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM asked WHERE path LIKE '/private/%'"),
                     0);
    assert_true(
        facts_int(facts,
                  "SELECT coalesce(sum(n), 0) FROM main.drop_count WHERE reason = 'robots'") > 0);
}

static void robots_txt_is_asked_first_and_once_a_host(void **state)
{
    (void)state;
    assert_int_equal(facts_int(facts, "SELECT count(DISTINCT host) FROM asked"),
                     facts_int(facts, "SELECT count(*) FROM asked WHERE path = '/robots.txt'"));
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM asked a WHERE path <> '/robots.txt' AND"
                                      " at < (SELECT at FROM asked r WHERE r.host = a.host AND"
                                      " r.path = '/robots.txt')"),
                     0);
}

static void duplicates_of_the_world_are_marked(void **state)
{
    int64_t marked = facts_int(facts, "SELECT count(*) FROM main.page WHERE dup_of > 0");

    (void)state;
    assert_true(marked > 0);
    /* identical payloads: all but the first of each */
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page WHERE exact_dup = 1"),
                     facts_int(facts, "SELECT count(*) - count(DISTINCT digest) FROM main.page"));
    /* a mark points at an earlier page with the same words */
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page p JOIN main.page o ON"
                                      " o.id = p.dup_of WHERE o.id >= p.id"),
                     0);
    /* most copies the world made are found; a simhash sees no change of a
     * sentence in a short page */
    assert_true(marked * 10 >=
                8 * facts_int(facts, "SELECT count(*) FROM main.page p WHERE url LIKE '%/print/%'"
                                     " AND EXISTS (SELECT 1 FROM main.page o WHERE o.url ="
                                     " replace(p.url, '/print/', '/'))"));
}

static void connections_are_kept_alive(void **state)
{
    (void)state;
    assert_true(facts_int(facts, "SELECT count(DISTINCT client_port || ' ' || local) FROM asked") <=
                3 * facts_int(facts, "SELECT count(DISTINCT host) FROM asked"));
}

/* Sitemaps and feeds are read as pages full of links. */
static void sitemaps_reach_what_links_do_not(void **state)
{
    const char *all = world("--pages", "300", "--hosts", "8", "--topics", "3", "--sitemaps", "1",
                            "--feeds", "1", "--out-mean", "3");
    const char *dir = fresh("S");
    struct server *s = serve(all);
    struct sqlite3 *found;

    (void)state;
    assert_code(crawl(s, dir, world_words(all, 0), "--seed", world_seed(all, 0, 0), "--pages", "0",
                      "--delay", "0"),
                0);
    found = facts_open(dir, all, s);
    assert_int_equal(facts_int(found, "SELECT count(*) FROM w.page WHERE url NOT LIKE"
                                      " '%/private/%' AND url NOT IN (SELECT url FROM main.page)"),
                     0);
    assert_int_equal(facts_int(found, "SELECT count(*) FROM main.page WHERE url LIKE '%/feed.xml'"),
                     8);
    assert_int_equal(facts_int(found, "SELECT count(*) FROM main.page WHERE url LIKE"
                                      " '%/sitemap.xml'"),
                     0);
    assert_int_equal(facts_int(found, "SELECT count(*) FROM asked WHERE path = '/sitemap.xml'"), 8);
    assert_int_equal(facts_int(found, "SELECT count(*) - count(DISTINCT url) FROM asked"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reachable_page_is_stored_once),
        cmocka_unit_test(no_url_is_asked_twice),
        cmocka_unit_test(what_was_stored_is_what_was_answered),
        cmocka_unit_test(dead_links_are_asked_once_and_counted),
        cmocka_unit_test(redirects_are_followed),
        cmocka_unit_test(forbidden_paths_are_never_asked),
        cmocka_unit_test(robots_txt_is_asked_first_and_once_a_host),
        cmocka_unit_test(duplicates_of_the_world_are_marked),
        cmocka_unit_test(connections_are_kept_alive),
        cmocka_unit_test(sitemaps_reach_what_links_do_not),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
