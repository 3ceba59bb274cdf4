/* HTTPS: verified, or nothing. SPDX-License-Identifier: MIT */
#include "flow.h"

static const char *w, *seed;
static struct server *s;

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "150", "--hosts", "5", "--topics", "2");
    s = serve(w, "--tls-port", "0");
    seed = text("https://%s", world_seed(w, 0, 0) + strlen("http://"));
    return 0;
}

static void a_certificate_that_is_not_trusted_starves_the_crawl(void **state)
{
    struct ran r = crawl(s, fresh("untrusted"), world_words(w, 0), "--seed", seed, "--pages", "30",
                         "--delay", "0", "--retries", "0", "--no-robots");

    (void)state;
    assert_refused(r, 3, "certificate");
    assert_int_equal(crawl_pages(fresh("untrusted")), 0);
}

static void a_trusted_authority_lets_it_crawl_over_few_connections(void **state)
{
    const char *dir = fresh("trusted");
    struct sqlite3 *facts;

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", seed, "--pages", "60", "--delay", "0",
                      "--ca-file", s->ca),
                0);
    facts = facts_open(dir, w, s);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page"), 60);
    assert_int_equal(
        facts_int(facts, "SELECT count(*) FROM main.page WHERE id = 1 AND url LIKE 'https://%'"),
        1);
    assert_true(facts_int(facts, "SELECT count(*) FROM asked WHERE tls") >= 1);
    assert_true(facts_int(facts, "SELECT count(DISTINCT client_port || local) FROM asked") <=
                3 * facts_int(facts, "SELECT count(DISTINCT host) FROM asked"));
    assert_code(brood("check", dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_certificate_that_is_not_trusted_starves_the_crawl),
        cmocka_unit_test(a_trusted_authority_lets_it_crawl_over_few_connections),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
