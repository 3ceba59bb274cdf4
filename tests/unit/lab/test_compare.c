/* Models compared pair by pair over topics. SPDX-License-Identifier: MIT */
#include "made.h"

#include "lab/report/report.h"

#include <math.h>
#include <stdlib.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const char plan[] = "name: three\n"
                           "worlds: [w]\n"
                           "topics: labels\n"
                           "models: [breadth-first, {name: best-first, set: {n: [1, 7]}}]\n"
                           "pages: 10%\n"
                           "repeats: 2\n"
                           "sample: 1%\n"
                           "at: [10%]\n"
                           "metrics: [recall]\n";
static const struct quantity tenth = {QUANTITY_SHARE, 0.1};

/* Student's sleep (1908): models 0 and 2 are the second drug, model 1 the first;
 * repeats lie 0.5 below and above. */
static double sleep_value(const struct made_point *at)
{
    static const double drug1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    static const double drug2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

    return (at->model == 1 ? drug1 : drug2)[at->topic] + (at->repeat ? 0.5 : -0.5);
}

static void all_pairs_are_tested_over_topics(void **state)
{
    struct results *r = made_results(plan, 10, 11, sleep_value);
    struct comparison *all;

    (void)state;
    assert_int_equal(compare_all(r, 0, 0, tenth, &all), 3); /* (0,1) (0,2) (1,2) */
    assert_int_equal(all[0].a, 0);
    assert_int_equal(all[0].b, 1);
    assert_int_equal(all[0].topics, 10);
    assert_near(all[0].mean_a, 2.33, 1e-9);
    assert_near(all[0].mean_b, 0.75, 1e-9);
    assert_near(all[0].difference, 1.58, 1e-9);
    assert_near(all[2].difference, -1.58, 1e-9);
    /* The t interval is 0.70 to 2.46; percentiles of resampled means are narrower. */
    assert_true(all[0].low > 0.7 && all[0].low < 1.1);
    assert_true(all[0].high > 2.0 && all[0].high < 2.6);
    free(all);
    made_free(r);
}

/* p of one pair: 0.002833 by t, 0.009091 by signed ranks. Twice the same and once 1:
 * Holm gives 3 x p to the least, and the second never less than the first. */
static void p_values_are_corrected_over_the_pairs(void **state)
{
    struct results *r = made_results(plan, 10, 11, sleep_value);
    struct comparison *all;
    size_t count = compare_all(r, 0, 0, tenth, &all);

    (void)state;
    assert_int_equal(count, 3);
    assert_near(all[0].t_p, 3 * 0.002833, 2e-6);
    assert_near(all[2].t_p, 3 * 0.002833, 2e-6);
    assert_near(all[1].t_p, 1, 0);
    assert_near(all[0].wilcoxon_p, 3 * 0.009091, 4e-6);
    assert_near(comparison_p(&all[0]), 3 * 0.009091, 4e-6);
    assert_true(comparison_is_decided(&all[0]));
    assert_false(comparison_is_decided(&all[1]));
    free(all);
    made_free(r);
}

static double with_holes(const struct made_point *at)
{
    return at->model == 1 && at->topic < 8 ? NAN : sleep_value(at);
}

/* Model 1 has topics 8 and 9 only: (4.6 - 0 + 3.4 - 2) / 2 = 3. */
static void topics_that_one_lacks_are_left_out(void **state)
{
    struct results *r = made_results(plan, 10, 11, with_holes);
    struct comparison *all;

    (void)state;
    assert_int_equal(compare_all(r, 0, 0, tenth, &all), 3);
    assert_int_equal(all[0].topics, 2);
    assert_near(all[0].difference, 3, 1e-9);
    assert_int_equal(all[1].topics, 10);
    free(all);
    made_free(r);
}

static void one_topic_decides_nothing(void **state)
{
    struct results *r = made_results(plan, 1, 11, sleep_value);
    struct comparison *all;

    (void)state;
    assert_int_equal(compare_all(r, 0, 0, tenth, &all), 3);
    assert_int_equal(all[0].topics, 1);
    assert_near(all[0].difference, 1.2, 1e-9);
    assert_true(isnan(all[0].low) && isnan(all[0].high));
    assert_true(isnan(all[0].t_p) && isnan(all[0].wilcoxon_p));
    assert_false(comparison_is_decided(&all[0]));
    free(all);
    made_free(r);
}

/* 2^(1-n) x pairs < 0.05: 1/32 = 0.031; 10/256 = 0.039; 45/1024 = 0.044. */
static void few_topics_can_decide_nothing(void **state)
{
    struct results *r = made_results(plan, 5, 11, sleep_value);
    struct comparison *all;

    (void)state;
    assert_int_equal(compare_topics_needed(1), 6);
    assert_int_equal(compare_topics_needed(3), 7);
    assert_int_equal(compare_topics_needed(10), 9);
    assert_int_equal(compare_topics_needed(45), 11);
    assert_int_equal(compare_all(r, 0, 0, tenth, &all), 3);
    assert_true(all[0].wilcoxon_p > COMPARE_LEVEL);
    /* 1.2, 2.4, 1.3, 1.3, 0: mean 1.24, sd 0.8503; t(0.975, 4) = 2.7764: +- 1.0558. */
    assert_true(all[0].by_t);
    assert_near(all[0].low, 1.24 - 1.0558, 1e-4);
    assert_near(all[0].high, 1.24 + 1.0558, 1e-4);
    free(all);
    made_free(r);
    r = made_results(plan, 10, 11, sleep_value);
    assert_int_equal(compare_all(r, 0, 0, tenth, &all), 3);
    assert_false(all[0].by_t);
    free(all);
    made_free(r);
}

static void the_same_results_give_the_same_intervals(void **state)
{
    struct results *r = made_results(plan, 10, 11, sleep_value);
    struct comparison *one, *two;
    size_t count = compare_all(r, 0, 0, tenth, &one);

    (void)state;
    assert_int_equal(compare_all(r, 0, 0, tenth, &two), count);
    for (size_t i = 0; i < count; i++) {
        assert_true(one[i].low == two[i].low);
        assert_true(one[i].high == two[i].high);
    }
    free(one);
    free(two);
    made_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_are_tested_over_topics),
        cmocka_unit_test(p_values_are_corrected_over_the_pairs),
        cmocka_unit_test(topics_that_one_lacks_are_left_out),
        cmocka_unit_test(one_topic_decides_nothing),
        cmocka_unit_test(few_topics_can_decide_nothing),
        cmocka_unit_test(the_same_results_give_the_same_intervals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
