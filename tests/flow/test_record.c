/* A site is recorded by brood watch while it moves, and becomes a world: what moved live
 * moves the same there, and the world answers as the site did last.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>

#define SECONDS 180 /* that the six days of the site take */

struct recorded {
    const char *site, *watch, *world;
};

/* Six days of news; the watch looks at everything again and again, until it has seen enough. */
static struct recorded record(void)
{
    static struct recorded known;
    struct recorded r;
    const char *front;
    struct server *s;
    struct job *j;

    if (known.world)
        return known;
    r = (struct recorded){.site = world("--kind", "news", "--hosts", "3", "--days", "6",
                                        "--articles", "12", "--backlog", "1", "--topics", "2",
                                        "--words", "60", "--changes", "2", "--vanish", "0.3",
                                        "--rng", "3", "--robots", "0"),
                          .watch = fresh("watch"),
                          .world = fresh("R")};
    s = serve(r.site, "--speed", text("%f", 6.0 * 86400 / SECONDS));
    front = crawl_text(r.site, "SELECT host FROM page GROUP BY host ORDER BY count(*) DESC");

    j = brood_job("watch", world_words(r.site, 0), "--seed", text("http://%s/", front), "--out",
                  r.watch, "--quiet", "--allow-private", "--resolve", s->resolve, "--delay", "1ms",
                  "--relevant", "0", "--model", "revisit", "--set", "least=100ms");
    await(crawl_int_yet(r.watch, "SELECT count(*) FROM page WHERE version_of IS NOT NULL") > 5);
    (void)kill(job_pid(j), SIGTERM);
    assert_code(job_wait(j), 0);
    server_stop(s);
    return known = r;
}

/* How often a page of the world goes back behind a version that it had before: the site
 * never does. */
static const char disorder[] =
    "WITH seen AS (SELECT url, id, (SELECT max(q.fetched_at) FROM w.page q WHERE q.url = p.url"
    " AND q.hash = p.hash) AS stood FROM page p) SELECT count(*) FROM seen a JOIN seen b"
    " ON a.url = b.url AND a.id < b.id AND a.stood > b.stood";

static void what_moved_live_moves_the_same_in_the_world(void **state)
{
    struct recorded r = record();
    struct ran made = brood("world", "import", "--from", "crawl", r.watch, r.world, "--json");
    struct sqlite3 *db;
    json_t *figures;

    (void)state;
    assert_code(made, 0);
    figures = json_of(made.out);
    assert_true(int_at(figures, "changes") > 0);
    db = facts_open(r.world, r.site, NULL);
    print_message("# %lld pages, %lld later versions, %lld deletions\n",
                  (long long)int_at(figures, "pages"), (long long)int_at(figures, "changes"),
                  (long long)int_at(figures, "deleted"));
    /* Each version is one of the site's, and they follow each other as there. */
    assert_int_equal(facts_int(db, "SELECT count(*) FROM page p WHERE NOT EXISTS (SELECT 1 FROM"
                                   " w.page q WHERE q.url = p.url AND q.hash = p.hash)"),
                     0);
    assert_int_equal(facts_int(db, disorder), 0);
    /* What is gone went there too, and has not come back. */
    assert_int_equal(facts_int(db, "SELECT count(*) FROM outcome WHERE status = 410 AND url NOT IN"
                                   " (SELECT url FROM w.outcome WHERE status = 410)"),
                     0);
    /* Nothing that the watch stored is lost. */
    db = facts_open(r.watch, r.world, NULL);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM page p WHERE NOT EXISTS (SELECT 1 FROM"
                                   " w.page q WHERE q.url = p.url AND q.hash = p.hash)"),
                     0);
    assert_true(facts_int(db, "SELECT count(*) FROM page WHERE version_of IS NOT NULL") > 0);
}

static void a_crawl_of_the_world_finds_what_stood_there_last(void **state)
{
    struct recorded r = record();
    const char *again = fresh("again");
    struct sqlite3 *db;
    struct server *s;

    (void)state;
    s = serve(r.world);
    assert_code(crawl(s, again, "news", "--seed",
                      crawl_text(r.world, "SELECT url FROM page ORDER BY id LIMIT 1"), "--delay",
                      "0", "--model", "breadth-first"),
                0);
    server_stop(s);
    db = facts_open(again, r.world, NULL);
    assert_true(facts_int(db, "SELECT count(*) FROM page") > 3);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM page p WHERE p.hash <> (SELECT q.hash FROM"
                                   " w.page q WHERE q.url = p.url ORDER BY q.id DESC LIMIT 1)"),
                     0);
}

static void what_is_no_crawl_is_refused(void **state)
{
    const char *w = fresh("none");

    (void)state;
    assert_refused(brood("world", "import", "--from", "crawl", test_dir(), w), 1,
                   "is no crawl directory");
    assert_refused(brood("world", "import", "--from", "dir", test_dir(), w, "--versions"), 2,
                   "--versions has no meaning for --from dir");
    assert_refused(
        brood("world", "import", "--from", "warc", test_dir(), w, "--since", "2005-01-01"), 2,
        "--versions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_moved_live_moves_the_same_in_the_world),
        cmocka_unit_test(a_crawl_of_the_world_finds_what_stood_there_last),
        cmocka_unit_test(what_is_no_crawl_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
