/* The energy of pages and agents, computed by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/energy/energy.h"
#include "models/energy/worth.h"

#include <math.h>

static void near(double got, double want, double error)
{
    if (!(fabs(got - want) <= error))
        fail_msg("%.12g is not %.12g", got, want);
}

/* ---- the function ---- */

/* C = .5, G = 10, R = .2, lambda = 40:
 *   f(R) = 10.5 / 2 - .5                       = 4.75
 *   f(0) = 10.5 / (1 + e^8) - .5               = 10.5 * .00033535013 - .5 = -.4964788236
 *   f(1) = 10.5 / (1 + e^-32) - .5             = 10 - 1.3e-13
 *   f is 0 at R - ln(20) / 40 = .2 - .07489331 = .12510669 */
static void sigmoid_at_R_and_at_both_ends(void **state)
{
    const struct energy e = {.cost = .5, .gain = 10, .R = .2, .lambda = 40};

    (void)state;
    near(energy_of(&e, .2), 4.75, 0);
    near(energy_of(&e, 0), -.4964788236, 1e-9);
    near(energy_of(&e, 1), 10, 1e-12);
    near(energy_of(&e, .2 - log(20) / 40), 0, 1e-12);
    near(energy_of(&e, -1000), -.5, 1e-12);
    near(energy_of(&e, 1000), 10, 1e-12);
}

static void step_pays_the_cost_up_to_R(void **state)
{
    const struct energy e = {.cost = .5, .gain = 10, .R = .2};

    (void)state;
    near(energy_of(&e, 0), -.5, 0);
    near(energy_of(&e, .2), -.5, 0);
    near(energy_of(&e, .2000001), 10, 0);
}

/* s(r + R) is never below one half: 10.5 / (1 + e^-8) - .5 = 9.99647882 at r = 0. */
static void the_printed_sign_rewards_every_page(void **state)
{
    const struct energy e = {.cost = .5, .gain = 10, .R = .2, .lambda = 40, .plus = true};

    (void)state;
    near(energy_of(&e, 0), 9.9964788236, 1e-9);
    assert_true(energy_of(&e, 1) > energy_of(&e, 0));
}

/* The paper's example: C = .5, G = 10, one page in 21 is rewarded; n* = 20 of 21. */
static void n_star_of_the_papers_example(void **state)
{
    (void)state;
    near(energy_share(.5, 10) * 21, 20, 1e-12);
    near(energy_cold_pages(.5, 10), 21, 0);
    near(energy_cold_pages(.5, 30), 61, 0);
    near(energy_cold_pages(.4, 10), 26, 0);
    near(energy_cold_pages(.1, 2), 21, 0); /* 2.1 / .1 is a little more */
}

/* ---- lambda ---- */

/* R = .2 in [0,1]: 8 / min(.2, .8) = 40. Printed: 8 / .2 = 40 is more than .8, so
 * 8 / .8 = 10, and a page of relevance 0 earns 10.5 / (1 + e^2) - .5 = .75163068. */
static void the_printed_lambda_feeds_worthless_pages(void **state)
{
    struct energy e = {.cost = .5, .gain = 10, .R = .2};

    (void)state;
    near(energy_lambda(RULE_REPAIRED, .2, 0, 1), 40, 1e-12);
    near(energy_lambda(RULE_REPAIRED, .9, 0, 1), 80, 1e-12);
    e.lambda = energy_lambda(RULE_PRINTED, .2, 0, 1);
    near(e.lambda, 10, 1e-12);
    near(energy_of(&e, 0), .75163068, 1e-8);
}

/* In units where relevances run to 100 the printed test can come true:
 * 8 / 20 = .4 <= 80. */
static void the_printed_lambda_has_a_first_branch(void **state)
{
    (void)state;
    near(energy_lambda(RULE_PRINTED, 20, 0, 100), .4, 1e-12);
}

static void lambda_at_the_ends_means_the_step(void **state)
{
    (void)state;
    near(energy_lambda(RULE_REPAIRED, 0, 0, 1), 0, 0);
    near(energy_lambda(RULE_REPAIRED, 1, 0, 1), 0, 0);
    near(energy_lambda(RULE_REPAIRED, .5, .5, .5), 0, 0);
    near(energy_lambda(RULE_PRINTED, 0, 0, .5), 16, 1e-12);
    near(energy_lambda(RULE_PRINTED, .5, 0, .5), 0, 0);
}

/* ---- drift on small samples ---- */

/* 97 pages of relevance 0, and .4, .5, .6. */
static double mean_of(const struct energy *e)
{
    return (97 * energy_of(e, 0) + energy_of(e, .4) + energy_of(e, .5) + energy_of(e, .6)) / 100;
}

/* G = 30: the 99th of 100 (98.36) is R = .5. Step: (99 * -.5 + 30) / 100 = -.195.
 * lambda = 8 / min(.5, .1) = 80, by both rules. Sigmoid: 97 pages pay .5; .4 gets
 * 30.5 / (1 + e^8) - .5 = -.4897718, .5 gets 14.75, .6 gets 29.9897718:
 * (-48.5 + 44.25) / 100 = -.0425. */
static void drift_with_three_relevant_pages(void **state)
{
    struct energy e = {.cost = .5, .gain = 30, .R = .5};

    (void)state;
    near(mean_of(&e), -.195, 1e-12);
    e.lambda = energy_lambda(RULE_REPAIRED, e.R, 0, .6);
    near(e.lambda, 80, 1e-9);
    near(mean_of(&e), -.0425, 1e-9);
}

/* G = 10: the 96th of 100 (95.24) is R = 0, the least of all. Repaired: the step,
 * (97 * -.5 + 3 * 10) / 100 = -.185. Printed: lambda = 8 / .6, and 97 pages of
 * relevance 0 get 4.75 each: the mean is above 97 * 4.75 / 100 = 4.6. */
static void drift_where_nearly_all_are_alike(void **state)
{
    struct energy e = {.cost = .5, .gain = 10, .R = 0};

    (void)state;
    e.lambda = energy_lambda(RULE_REPAIRED, 0, 0, .6);
    near(mean_of(&e), -.185, 1e-12);
    e.lambda = energy_lambda(RULE_PRINTED, 0, 0, .6);
    near(energy_of(&e, 0), 4.75, 0);
    assert_true(mean_of(&e) > 4.6);
}

/* With C = G the function is odd around R: two like weights balance in the middle. */
static void exact_R_of_two_pages_is_their_middle(void **state)
{
    const struct energy e = {.cost = 1, .gain = 1, .lambda = 10};
    const double values[] = {.2, .8}, weights[] = {3, 3};

    (void)state;
    near(energy_exact_R(&e, values, weights, 2), .5, 1e-12);
}

/* One value: f = 0 where R = r + ln(G / C) / lambda. */
static void exact_R_of_one_value(void **state)
{
    const struct energy e = {.cost = .5, .gain = 10, .lambda = 40};
    const double value = .3, weight = 7;

    (void)state;
    near(energy_exact_R(&e, &value, &weight, 1), .3 + log(20) / 40, 1e-12);
}

static void exact_R_makes_the_sum_zero(void **state)
{
    struct energy e = {.cost = .5, .gain = 30, .lambda = 80};
    const double values[] = {0, .4, .5, .6}, weights[] = {97, 1, 1, 1};

    (void)state;
    e.R = energy_exact_R(&e, values, weights, 4);
    near(mean_of(&e), 0, 1e-12);
    assert_true(e.R > .4 && e.R < .5); /* the quantile's .5 loses .0425 a page */
}

/* ---- reproduction ---- */

/* The balance of docs/models/balanced.md: agents, and what they have together. */
static void reproduction_of_four_energies_by_every_rule(void **state)
{
    static const struct {
        double energy;
        enum reproduction rule;
        uint32_t agents;
        double total;
    } rows[] = {
        {1.5, REPRODUCE_HAL000, 2, 3.0},       {1.5, REPRODUCE_COPY001, 2, 1.5},
        {1.5, REPRODUCE_FIX, 2, 1.5},          {1.5, REPRODUCE_FLOOR_PLUS_1, 2, 1.5},
        {1.5, REPRODUCE_HALVE, 2, 1.5},        {2.0, REPRODUCE_HAL000, 3, 3.0},
        {2.0, REPRODUCE_COPY001, 3, 3.0},      {2.0, REPRODUCE_FIX, 2, 2.0},
        {2.0, REPRODUCE_FLOOR_PLUS_1, 3, 2.0}, {2.0, REPRODUCE_HALVE, 2, 2.0},
        {10.3, REPRODUCE_HAL000, 11, 11.33},   {10.3, REPRODUCE_COPY001, 11, 10.3},
        {10.3, REPRODUCE_FIX, 11, 10.3},       {10.3, REPRODUCE_FLOOR_PLUS_1, 11, 10.3},
        {10.0, REPRODUCE_HAL000, 11, 11.0},    {10.0, REPRODUCE_COPY001, 11, 11.0},
        {10.0, REPRODUCE_FIX, 10, 10.0},       {10.0, REPRODUCE_FLOOR_PLUS_1, 11, 10.0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litter l = energy_litter(rows[i].rule, rows[i].energy);

        assert_int_equal(l.clones + 1, rows[i].agents);
        near(l.each * rows[i].agents, rows[i].total, 1e-12);
    }
}

static void by_fix_nobody_is_left_above_one(void **state)
{
    (void)state;
    for (double energy = 1.001; energy < 40; energy += .0137) {
        struct litter l = energy_litter(REPRODUCE_FIX, energy);

        assert_true(l.each <= 1 && l.clones > 0);
        near((l.clones + 1.0) * l.each, energy, 1e-12);
    }
}

/* ---- crowds ---- */

/* C = .5. kept - C = worth - burnt in every row. */
static void what_a_page_keeps_in_a_crowd(void **state)
{
    static const struct {
        enum crowd rule;
        double worth, kept, burnt;
    } rows[] = {
        {CROWD_CONSERVE, 10, 10.5, 0}, {CROWD_CONSERVE, -.2, .3, 0},  {CROWD_CONSERVE, -.5, 0, 0},
        {CROWD_CLAMP, 10, 10, .5},     {CROWD_CLAMP, -.2, 0, .3},     {CROWD_CLAMP, -.5, 0, 0},
        {CROWD_PRINTED, 10, 10, .5},   {CROWD_PRINTED, -.2, -.2, .5}, {CROWD_PRINTED, -.5, -.5, .5},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct crowded c = energy_crowded(rows[i].rule, rows[i].worth, .5);

        near(c.kept, rows[i].kept, 1e-12);
        near(c.burnt, rows[i].burnt, 1e-12);
        near(c.kept - .5, rows[i].worth - c.burnt, 1e-12);
    }
}

/* ---- worth: the function tuned to a history ---- */

static struct worth made(struct worth_config config)
{
    struct worth w;

    worth_init(&w, &config);
    return w;
}

/* Seeds of .8 and .4: R = .3 for the first 20 pages. */
static void cold_start_takes_half_of_the_seeds(void **state)
{
    struct worth w = made((struct worth_config){.cost = .5, .gain = 10});

    (void)state;
    worth_seed(&w, .8);
    worth_seed(&w, .4);
    near(worth_page(&w, .3), -.5, 0);
    near(worth_page(&w, .31), 10, 0);
    near(worth_page(&w, 0), -.5, 0);
    assert_int_equal(w.rewarded, 1);
    worth_clear(&w);
}

static void cold_start_may_be_worth_nothing(void **state)
{
    struct worth w = made((struct worth_config){.cost = .5, .gain = 10, .cold = COLD_NOTHING});

    (void)state;
    for (int i = 0; i < 20; i++)
        near(worth_page(&w, i / 100.0), 0, 0);
    assert_int_equal(w.rewarded, 0);
    near(worth_page(&w, .5), 10, 0); /* the 21st: R is the 20th smallest, .19 */
    assert_int_equal(w.rewarded, 1);
    worth_clear(&w);
}

/* 40 pages of .01 to .40, then one in 21 is above R: of 42 pages two, of 63 three. */
static void one_page_in_twentyone_is_above_R(void **state)
{
    struct worth w = made((struct worth_config){.cost = .5, .gain = 10});
    unsigned above = 0;

    (void)state;
    for (int i = 1; i <= 42; i++)
        (void)worth_page(&w, (i * 17 % 43) / 100.0);
    for (int i = 1; i <= 42; i++)
        above += worth_now(&w, i / 100.0) > 0;
    assert_int_equal(above, 2); /* .41 and .42 */
    assert_true(worth_now(&w, .41) > 0 && worth_now(&w, .40) < 0);
    worth_clear(&w);
}

/* All alike: R is the least and the greatest; everybody pays. */
static void a_point_mass_pays(void **state)
{
    struct worth w =
        made((struct worth_config){.cost = .5, .gain = 10, .balance = BALANCE_SIGMOID});

    (void)state;
    for (int i = 0; i < 50; i++)
        (void)worth_page(&w, .25);
    near(worth_now(&w, .25), -.5, 0);
    near(worth_now(&w, .26), 10, 0);
    worth_clear(&w);
}

/* 2048 skewed relevances: the exact rule's mean over its own history is 0, the
 * printed lambda's is far above. */
static double drift_of(struct worth_config config)
{
    struct worth w = made(config);
    double sum = 0;

    for (int i = 0; i < 2048; i++)
        (void)worth_page(&w, pow((i * 797 % 2048) / 2048.0, 40));
    for (int i = 0; i < 2048; i++)
        sum += worth_now(&w, pow(i / 2048.0, 40));
    worth_clear(&w);
    return sum / 2048;
}

static void exact_balance_does_not_drift(void **state)
{
    struct worth_config c = {.cost = .5, .gain = 10, .balance = BALANCE_EXACT};

    (void)state;
    near(drift_of(c), 0, .01);
    c.balance = BALANCE_STEP;
    near(drift_of(c), 0, .01);
    c.balance = BALANCE_SIGMOID;
    assert_true(drift_of(c) < .2);
    c.lambda = RULE_PRINTED;
    assert_true(drift_of(c) > .2);
    c.sign = RULE_PRINTED;
    assert_true(drift_of(c) > 4.75);
}

static void worth_is_saved_to_the_bit(void **state)
{
    const struct worth_config c = {.cost = .5,
                                   .gain = 10,
                                   .balance = BALANCE_EXACT,
                                   .history = RANK_DECAY,
                                   .history_pages = 50};
    struct worth a = made(c), b = made(c);
    struct buf saved = BUF_INIT(1 << 20);
    struct cursor from;

    (void)state;
    worth_seed(&a, .3);
    for (int i = 0; i < 300; i++)
        (void)worth_page(&a, (i * 37 % 101) / 101.0);
    worth_save(&a, &saved);
    from = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(worth_load(&b, &from), ST_OK);
    for (int i = 0; i < 300; i++)
        assert_true(worth_page(&a, (i * 41 % 103) / 103.0) ==
                    worth_page(&b, (i * 41 % 103) / 103.0));
    worth_clear(&a);
    worth_clear(&b);
    buf_free(&saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigmoid_at_R_and_at_both_ends),
        cmocka_unit_test(step_pays_the_cost_up_to_R),
        cmocka_unit_test(the_printed_sign_rewards_every_page),
        cmocka_unit_test(n_star_of_the_papers_example),
        cmocka_unit_test(the_printed_lambda_feeds_worthless_pages),
        cmocka_unit_test(the_printed_lambda_has_a_first_branch),
        cmocka_unit_test(lambda_at_the_ends_means_the_step),
        cmocka_unit_test(drift_with_three_relevant_pages),
        cmocka_unit_test(drift_where_nearly_all_are_alike),
        cmocka_unit_test(exact_R_of_two_pages_is_their_middle),
        cmocka_unit_test(exact_R_of_one_value),
        cmocka_unit_test(exact_R_makes_the_sum_zero),
        cmocka_unit_test(reproduction_of_four_energies_by_every_rule),
        cmocka_unit_test(by_fix_nobody_is_left_above_one),
        cmocka_unit_test(what_a_page_keeps_in_a_crowd),
        cmocka_unit_test(cold_start_takes_half_of_the_seeds),
        cmocka_unit_test(cold_start_may_be_worth_nothing),
        cmocka_unit_test(one_page_in_twentyone_is_above_R),
        cmocka_unit_test(a_point_mass_pays),
        cmocka_unit_test(exact_balance_does_not_drift),
        cmocka_unit_test(worth_is_saved_to_the_bit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
