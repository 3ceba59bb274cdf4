/* Two groups of five on real sockets, killed with SIGKILL in the midst of their
 * negotiations and resumed: nobody is lost, no page is fetched twice, contracts come to
 * an end. (Builds with AddressSanitizer check after every message that no link is lost
 * or doubled.) SPDX-License-Identifier: MIT */
#include "flow.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>

#define KILLS   3
#define PAGES   "240"
#define BETWEEN 45 /* requests from kill to kill */

static const char *w, *dir;
static struct server *server;
static struct sqlite3 *db;

static struct job *begin(void)
{
    return brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                     world_seed(w, 0, 1), "--pages", PAGES, "--delay", "40ms", "--model", "crew",
                     "--set", "groups=2", "--set", "crawlers=5", "--set", "interval=300ms", "--set",
                     "threshold=0.05", "--set", "deadline=1s", "--set", "think=1ms", "--rng", "3",
                     "--out", dir, "--allow-private", "--resolve", server->resolve);
}

static int set_up(void **state)
{
    size_t asked = 0;

    (void)state;
    w = world("--pages", "900", "--hosts", "30", "--topics", "4", "--dead", "0", "--redirects", "0",
              "--duplicates", "0");
    dir = fresh("crew");
    server = serve(w);
    for (int kills = 0; kills < KILLS; kills++) {
        struct job *j = kills == 0 ? begin() : brood_job("resume", dir);

        await_lines(server->log, asked + BETWEEN);
        assert_int_equal(kill(job_pid(j), SIGKILL), 0);
        assert_code(job_wait(j), 128 + SIGKILL);
        asked = lines_in(file_text(server->log));
    }
    assert_code(brood("resume", dir, "--quiet"), 0);
    server_stop(server);
    db = facts_open(dir, NULL, NULL);
    return 0;
}

static void the_crawl_is_whole(void **state)
{
    (void)state;
    assert_int_equal(crawl_pages(dir), strtol(PAGES, NULL, 10));
    assert_code(brood("check", dir), 0);
}

/* A facilitator, five assistants, five crawlers, twice; each crawler is its
 * assistant's child, that one its facilitator's. */
static void the_crew_is_whole(void **state)
{
    (void)state;
    assert_int_equal(facts_int(db, "SELECT count(*) FROM agent WHERE died_at IS NULL"), 22);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM agent"), 22);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM agent a JOIN agent b ON a.parent_id = b.id"
                                   " JOIN agent c ON b.parent_id = c.id"
                                   " WHERE c.parent_id IS NULL"),
                     10);
}

static void no_page_was_fetched_twice(void **state)
{
    (void)state;
    assert_int_equal(facts_int(db, "SELECT count(*) - count(DISTINCT page_id) FROM visit"), 0);
}

/* What the facilitators awarded was taken and reported on, but for those that a kill or
 * the end cut off. */
static void contracts_come_to_an_end(void **state)
{
    int64_t awarded =
        facts_int(db, "SELECT count(DISTINCT conversation) FROM message WHERE performative = "
                      "'accept-proposal'");
    int64_t done = facts_int(db, "SELECT count(DISTINCT conversation) FROM message m"
                                 " WHERE performative = 'inform-done' AND EXISTS (SELECT 1 FROM"
                                 " message n WHERE n.conversation = m.conversation AND"
                                 " n.performative = 'accept-proposal')");

    (void)state;
    print_message("# %lld contracts, %lld of them done\n", (long long)awarded, (long long)done);
    assert_true(awarded > 0);
    assert_true(done > 0 && done <= awarded);
}

static void lattices_are_kept(void **state)
{
    (void)state;
    assert_true(facts_int(db, "SELECT count(*) FROM crawl WHERE key LIKE 'lattice.%' AND"
                              " json_array_length(value, '$.rows') ="
                              " json_array_length(value, '$.pages')") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crawl_is_whole),        cmocka_unit_test(the_crew_is_whole),
        cmocka_unit_test(no_page_was_fetched_twice), cmocka_unit_test(contracts_come_to_an_end),
        cmocka_unit_test(lattices_are_kept),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
