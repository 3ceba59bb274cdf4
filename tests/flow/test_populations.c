/* Populations live with their defaults: agents are born, and agents die, and some are left.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

static const char *w;
static struct server *s;

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "2000", "--hosts", "30", "--topics", "4");
    s = serve(w);
    return 0;
}

static void lives(const char *model)
{
    const char *dir = fresh(model);
    struct ran r = crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                         world_seed(w, 0, 1), "--pages", "600", "--delay", "0", "--connections",
                         "4", "--model", model);

    assert_code(r, 0);
    assert_int_equal(crawl_pages(dir), 600);
    assert_true(crawl_int(dir, "SELECT count(*) FROM agent WHERE parent_id IS NOT NULL") > 10);
    assert_true(crawl_int(dir, "SELECT count(*) FROM agent WHERE died_at IS NOT NULL") > 5);
    assert_true(crawl_int(dir, "SELECT count(*) FROM agent WHERE died_at IS NULL") > 3);
}

static void spiders_are_born_and_die(void **state)
{
    (void)state;
    lives("infospiders");
}

static void a_balanced_population_is_born_and_dies(void **state)
{
    (void)state;
    lives("balanced");
}

static void the_default_population_is_born_and_dies(void **state)
{
    (void)state;
    lives("brood");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spiders_are_born_and_die),
        cmocka_unit_test(a_balanced_population_is_born_and_dies),
        cmocka_unit_test(the_default_population_is_born_and_dies),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
