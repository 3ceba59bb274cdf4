/* oracle and link-oracle, computed by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "tank.h"
#include "models/models.h"

/* Of the topic: 1 3 4 6. */
static const struct tank_page web[TANK_PAGES + 1] = {
    [1] = {.truth = true, .links = {{2}, {3}}},
    [2] = {.links = {{4}, {5}}},
    [3] = {.truth = true, .links = {{5}, {6}}},
    [4] = {.truth = true},
    [6] = {.truth = true},
};

/* 1 gives 2 and 3 a 1; 2 gives 4 and 5 a 0; 3 gives 5 and 6 a 1. 5 has then
 *   max 1 (and came before 6), mean .5, first 0 (and came after 4). */
static void oracle_follows_the_truth_about_the_parent(void **state)
{
    static const char *const cases[][2] = {
        {"", "123564"}, {"parents=mean", "123654"}, {"parents=first", "123645"}};
    struct tank t;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        tank_open(&t, web, "oracle", cases[i][0], SEED(1));
        assert_string_equal(tank_order(&t, 99), cases[i][1]);
        tank_close(&t);
    }
}

/* 1 offers 2 (0) and 3 (1); 3 offers 5 (0) and 6 (1); then the oldest, 2, which
 * offers 4 (1). */
static void link_oracle_follows_the_truth_about_the_target(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "link-oracle", "", SEED(1));
    assert_string_equal(tank_order(&t, 99), "136245");
    tank_close(&t);
    tank_open(&t, web, "link-oracle", "buffer=1", SEED(1));
    assert_string_equal(tank_order(&t, 99), "136"); /* 2 left for 3, 5 for 6 */
    assert_int_equal(t.ndropped, 2);
    tank_close(&t);
}

static void without_the_truth_they_choose_nothing(void **state)
{
    static const char *const models[] = {"oracle", "link-oracle"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct choice c;
        struct tank t;

        tank_open(&t, web, models[i], "", NULL);
        t.ctx.truth = NULL;
        t.model->ops->start(t.model, SEED(1), 1);
        assert_false(tank_next(&t, &c));
        tank_close(&t);
    }
}

static void oracles_are_for_the_lab_only(void **state)
{
    (void)state;
    assert_true(model_find(STR("oracle"))->lab_only);
    assert_true(model_find(STR("link-oracle"))->lab_only);
    assert_false(model_find(STR("shark"))->lab_only);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_follows_the_truth_about_the_parent),
        cmocka_unit_test(link_oracle_follows_the_truth_about_the_target),
        cmocka_unit_test(without_the_truth_they_choose_nothing),
        cmocka_unit_test(oracles_are_for_the_lab_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
