/* Foragers' lives: births, deaths, slices, talk, and how they end.
 * SPDX-License-Identifier: MIT */
#include "ground.h"

#include "base/mem.h"
#include "models/models.h"

/* ---- life ------------------------------------------------------------------------ */

/* Two documents at step 1: 2038 units; at 2030 a forager multiplies. Both have 2000
 * then, and the weblog, which has one URL, is copied. */
static void who_finds_enough_multiplies(void **state)
{
    (void)state;
    ground_open(ALONE "kind=wl relevant=0 max_score=101.5", 1);
    LINK(1, 2);
    (void)visits(2);
    assert_int_equal(forager(1)->score, 2038);
    assert_int_equal(g.births, 1);
    (void)visits(1);
    assert_int_equal(g.births, 2);
    assert_int_equal(forager(1)->score, 2000);
    assert_int_equal(forager(2)->score, 2000);
    assert_int_equal(forager(2)->weblog.count, 1);
    assert_int_equal(agent_of(g.ctx.population, 2)->parent, 1);
    assert_float_equal(agent_energy(g.ctx.population, 2), 100, 1e-9);
    assert_true(forager(1)->td.weights[0] != forager(2)->td.weights[0]);
    assert_false(url_set_has(&forager(2)->marked, 1)); /* it has sent nothing */
    population_check(g.ctx.population, 0);
    ground_close();
}

static void a_learner_gives_its_child_what_it_learned(void **state)
{
    (void)state;
    ground_open(ALONE "kind=rl relevant=0 max_score=101.5", 1);
    g.model->ops->start(g.model, &(const uint32_t){2}, 1);
    LINK(1, 2);
    LINK(2, 1);
    (void)visits(4);
    assert_memory_equal(forager(1)->td.weights, forager(2)->td.weights, 50 * sizeof(double));
    assert_int_equal(forager(1)->weblog.count, 2); /* copied, not divided */
    assert_int_equal(forager(2)->weblog.count, 2);
    ground_close();
}

/* The second one sends what the first has sent: 1999 units, where 99.95 is the end. Not
 * while there are two at least to be. */
static void who_finds_nothing_is_deleted(void **state)
{
    (void)state;
    ground_open("learn=0 recheck=0 relevant=0 min_score=99.95", 1);
    (void)visits(6);
    assert_int_equal(g.deaths, 0);
    ground_close();
    ground_open("learn=0 recheck=0 relevant=0 min_score=99.95 min_foragers=2", 1);
    foragers_of(g.model)->rules.least = 1;
    (void)visits(6);
    assert_int_equal(g.deaths, 1);
    assert_string_equal(g.cause, "score");
    assert_int_equal(population_counts(g.ctx.population).alive, 1);
    population_check(g.ctx.population, 0);
    ground_close();
}

/* The paper's scores are for 600,000 downloads. With --pages 600, 100 and 200 become 2 and 4: two
 * documents that are new make a child, forty that are not an end. No score is owed: one hit after
 * a hundred others counts as it does after none. */
static void a_crawl_with_a_limit_has_scores_that_fit_it(void **state)
{
    (void)state;
    ground_open("learn=0 recheck=0", 1);
    ground_close();
    g.ctx.pages = 600;
    g.ctx.population = ground_population();
    g.model = ground_model("learn=0 recheck=0");
    g.model->ops->start(g.model, &(const uint32_t){1}, 1);
    assert_int_equal(foragers_of(g.model)->rules.init, 40); /* units of .05 */
    assert_int_equal(foragers_of(g.model)->rules.max, 80);
    assert_true(foragers_of(g.model)->rules.clamp);
    assert_true(foragers_of(g.model)->rules.max_age > 10000 * DAY); /* nothing is too old */
    ground_close();
}

static void a_crawl_without_a_limit_has_the_scores_of_the_paper(void **state)
{
    (void)state;
    ground_open("learn=0 recheck=0", 1);
    assert_int_equal(foragers_of(g.model)->rules.init, 2000);
    assert_int_equal(foragers_of(g.model)->rules.max, 4000);
    assert_false(foragers_of(g.model)->rules.clamp);
    assert_int_equal(foragers_of(g.model)->rules.max_age, DAY);
    ground_close();
}

/* Ten seconds each, and a step that was begun may be ended: steps take two visits of a
 * second, so 1 works for 10 seconds, ends its fifth step, and 2 begins. */
static void slices_are_one_after_another(void **state)
{
    struct choice c, none;
    char order[31] = "";

    (void)state;
    ground_open("learn=0 recheck=0 kind=rl start_size=1 slice=9.5s", 1);
    for (uint32_t i = 1; i < PAGES; i++)
        LINK(i, i + 1);
    for (int i = 0; i < 30; i++) {
        assert_true(ask(&c));
        assert_false(ask(&none)); /* nobody else meanwhile */
        order[i] = (char)('0' + c.agent);
        answer(c);
    }
    assert_string_equal(order, "111111111122222222221111111111");
    ground_close();
}

/* Without slices both have a visit under way; not of the same page. */
static void without_slices_all_are_under_way(void **state)
{
    struct choice a, b;

    (void)state;
    ground_open("learn=0 recheck=0", 1);
    LINK(1, 2, 3);
    assert_true(ask(&a));
    assert_false(ask(&b)); /* 2 waits for the page that 1 fetches */
    answer(a);
    assert_true(ask(&a));
    assert_true(ask(&b));
    assert_int_not_equal(a.agent, b.agent);
    assert_int_not_equal(a.url, b.url);
    answer(b);
    answer(a);
    ground_close();
}

/* ---- talk ------------------------------------------------------------------------ */

/* 1 earns 100 at page 5, a seed of nobody: 2 puts it into its weblog with 0.3 * 199. */
static void the_others_are_told_where_a_reward_was(void **state)
{
    struct weblog_entry *e;

    (void)state;
    ground_open("learn=0 recheck=0 relevant=0 talk=yes kind=wl", 5);
    LINK(5, 6);
    weblog_remove(&forager(2)->weblog, 5);
    (void)weblog_add(&forager(2)->weblog, 7, 0);
    (void)visits(6);
    e = weblog_find(&forager(2)->weblog, 5);
    assert_non_null(e);
    assert_float_equal(e->value, 0.3 * 200, 1e-9);
    assert_true(g.messages > 0);
    ground_close();
}

/* ---- ends ------------------------------------------------------------------------ */

static void a_seed_that_cannot_be_had_is_tried_three_times(void **state)
{
    (void)state;
    ground_open(ALONE, 1);
    g.pages[1].gone = true;
    assert_string_equal(visits(5), "1 1 1 -");
    assert_int_equal(g.ctx.wake, 0); /* nothing was ever seen: starved */
    ground_close();
    ground_open(ALONE, 1);
    (void)visits(3);
    g.pages[1].gone = true;
    assert_string_equal(visits(5), "1 1 1 -");
    assert_int_equal(g.ctx.wake, g.ctx.now + 600 * SECOND);
    g.ctx.now = g.ctx.wake;
    g.pages[1].gone = false;
    assert_string_equal(visits(2), "1 1");
    ground_close();
}

static void patience_ends(void **state)
{
    (void)state;
    ground_open(ALONE "patience=5", 1);
    assert_string_equal(visits(20), "1 1 1 1 1 1 -");
    ground_close();
}

static void options_that_make_no_sense_are_refused(void **state)
{
    static const char *const wrong[] = {"min_foragers=20", "init_score=200", "min_score=100",
                                        "clusters=/nowhere/at.all"};

    (void)state;
    ground_open(ALONE, 1);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct text_list list = {0};
        struct model *m = NULL;

        text_list_add(&list, str_of(wrong[i]));
        assert_int_not_equal(model_new(model_find(STR("foragers")), &list, &g.ctx, &m), ST_OK);
        text_list_free(&list);
    }
    ground_close();
}

/* ---- mixed fleets ------------------------------------------------------------------ */

static uint32_t alive_of(const char *kind)
{
    const struct population *p = g.ctx.population;

    struct population_counts counts;

    for (uint32_t i = 0; i < population_counts(p).alive; i++)
        if (strcmp(population_kind(p, population_nth(p, i)->kind, &counts), kind) == 0)
            return counts.alive;
    return 0;
}

/* Every page is another one at every visit, and every document a reason to multiply: each kind
 * fills its own places, and no more. */
static void kinds_of_a_mixed_fleet_keep_their_numbers(void **state)
{
    (void)state;
    ground_open("learn=0 recheck=0 relevant=0 max_score=100.9 kind=wlrl:3,rl:2", 1);
    for (uint32_t i = 1; i < PAGES; i++)
        LINK(i, i + 1);
    assert_true(*visits(2));
    assert_int_equal(alive_of("wlrl"), 1);
    assert_int_equal(alive_of("rl"), 1);
    for (int round = 0; round < 150; round++) {
        (void)visits(1);
        for (uint32_t i = 1; i <= PAGES; i++)
            g.pages[i].version++;
    }
    assert_int_equal(alive_of("wlrl"), 3);
    assert_int_equal(alive_of("rl"), 2);
    for (uint32_t i = 0; i < 5; i++) {
        const struct agent *a = population_nth(g.ctx.population, i);

        assert_string_equal(population_kind(g.ctx.population, a->kind, NULL),
                            fleet_kind(forager(a->id)->kind));
    }
    ground_close();
}

static void what_is_no_fleet_is_refused(void **state)
{
    static const char *const wrong[] = {"",          "w",     "wl:",          "wl:0",
                                        "wl:1001",   "wl:8,", "wl,rl",        "wl:2,wl:2",
                                        "wl:8 rl:8", ":8",    "wl:600,rl:600"};
    struct fleet f;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_int_equal(fleet_read(wrong[i], 2, 16, &f), ST_USAGE);
    assert_int_equal(fleet_read("rl", 2, 16, &f), ST_OK);
    assert_int_equal(f.least[KIND_RL], 2);
    assert_int_equal(f.all_most, 16);
    assert_int_equal(fleet_read("wlrl:8, wl:1", 4, 16, &f), ST_OK);
    assert_int_equal(f.least[KIND_WLRL], 2);
    assert_int_equal(f.least[KIND_WL], 1);
    assert_int_equal(f.least[KIND_RL], 0);
    assert_int_equal(f.all_most, 9);
    assert_int_equal(f.all_least, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_a_mixed_fleet_keep_their_numbers),
        cmocka_unit_test(what_is_no_fleet_is_refused),
        cmocka_unit_test(who_finds_enough_multiplies),
        cmocka_unit_test(a_learner_gives_its_child_what_it_learned),
        cmocka_unit_test(who_finds_nothing_is_deleted),
        cmocka_unit_test(a_crawl_with_a_limit_has_scores_that_fit_it),
        cmocka_unit_test(a_crawl_without_a_limit_has_the_scores_of_the_paper),
        cmocka_unit_test(slices_are_one_after_another),
        cmocka_unit_test(without_slices_all_are_under_way),
        cmocka_unit_test(the_others_are_told_where_a_reward_was),
        cmocka_unit_test(a_seed_that_cannot_be_had_is_tried_three_times),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
