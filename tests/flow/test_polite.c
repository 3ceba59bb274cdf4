/* Two requests to one host, or to one address, never start closer than the
 * delay. When a request started is taken from the crawl's own database, whose
 * rows are counted against the server's log: none is missing, and none was noted
 * there before it started.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

static void all_requests_are_known(struct sqlite3 *facts)
{
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM asked"),
                     facts_int(facts, "SELECT count(*) FROM " FACTS_STARTS));
    assert_int_equal(facts_noted_early(facts, FACTS_STARTS), 0);
}

static void the_delay_is_kept_for_a_host(void **state)
{
    const char *w = world("--pages", "200", "--hosts", "6", "--topics", "2"), *dir = fresh("A");
    struct server *s = serve(w);
    struct sqlite3 *facts;

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                      world_seed(w, 1, 0), "--pages", "60", "--delay", "50ms"),
                0);
    facts = facts_open(dir, w, s);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM page"), 60);
    assert_true(facts_int(facts, "SELECT count(DISTINCT host) FROM asked") > 2);
    all_requests_are_known(facts);
    assert_true(facts_shortest(facts, FACTS_STARTS, FACTS_HOST) >= 50000);
}

static void the_delay_is_kept_for_an_address_shared_by_all_hosts(void **state)
{
    const char *w = world("--pages", "200", "--hosts", "6", "--topics", "2"), *dir = fresh("B");
    struct server *s = serve(w);
    struct sqlite3 *facts;

    (void)state;
    assert_code(brood("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                      world_seed(w, 1, 0), "--pages", "30", "--delay", "50ms", "--out", dir,
                      "--quiet", "--allow-private", "--resolve",
                      text("*:80:127.0.0.1:%d", s->port)),
                0);
    facts = facts_open(dir, w, s);
    assert_int_equal(facts_int(facts, "SELECT count(DISTINCT local) FROM asked"), 1);
    assert_true(facts_int(facts, "SELECT count(DISTINCT host) FROM asked") > 1);
    all_requests_are_known(facts);
    assert_true(facts_shortest(facts, FACTS_STARTS, "1") >= 50000);
}

static void a_crawl_delay_of_robots_txt_is_obeyed(void **state)
{
    const char *w = world("--pages", "60", "--hosts", "3", "--topics", "2", "--crawl-delay", "0.2");
    const char *dir = fresh("D");
    struct server *s = serve(w);
    struct sqlite3 *facts;

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                      world_seed(w, 1, 0), "--pages", "20", "--delay", "0"),
                0);
    facts = facts_open(dir, w, s);
    all_requests_are_known(facts);
    assert_true(facts_shortest(facts, FACTS_STARTS, FACTS_HOST) >= 200000);
}

/* Nothing is chosen ahead: pages that come later can still change the choice. */
static void on_one_host_the_order_does_not_depend_on_the_delay(void **state)
{
    const char *w = world("--pages", "120", "--hosts", "1", "--topics", "3");
    const char *models[] = {"best-first", "shark"}, *delays[] = {"1ms", "40ms"};
    struct server *s = serve(w);

    (void)state;
    for (size_t m = 0; m < 2; m++) {
        const char *order[2];

        for (size_t d = 0; d < 2; d++) {
            const char *dir = fresh(text("%s-%s", models[m], delays[d]));

            assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--model",
                              models[m], "--pages", "30", "--delay", delays[d]),
                        0);
            order[d] = crawl_text(
                dir, "SELECT group_concat(url, ' ') FROM (SELECT url FROM page ORDER BY id)");
        }
        assert_true(strlen(order[0]) > 30);
        assert_string_equal(order[0], order[1]);
    }
}

/* Whoever waits wants to know why. */
static void stats_say_how_many_hosts_stood_idle_for_patience(void **state)
{
    const char *w = world("--pages", "200", "--hosts", "6", "--topics", "2");
    const char *patience[] = {"0", "1"};
    struct server *s = serve(w);

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *dir = fresh(text("P%s", patience[i]));
        assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                          world_seed(w, 1, 0), "--pages", "40", "--delay", "150ms", "--model",
                          "best-first", "--patience", patience[i]),
                    0);
        assert_int_equal(num_at(json_of(brood("stats", dir, "--json").out), "hosts_idle") > 0, i);
        assert_int_equal(strstr(brood("stats", dir).out, "stood idle") != NULL, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_delay_is_kept_for_a_host),
        cmocka_unit_test(the_delay_is_kept_for_an_address_shared_by_all_hosts),
        cmocka_unit_test(a_crawl_delay_of_robots_txt_is_obeyed),
        cmocka_unit_test(stats_say_how_many_hosts_stood_idle_for_patience),
        cmocka_unit_test(on_one_host_the_order_does_not_depend_on_the_delay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
