/* Statistics against published tables and worked examples.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/rng.h"
#include "lab/report/stats.h"

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Hours of sleep gained with two drugs, ten patients: Student 1908. */
static const double drug1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double drug2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

/* Hamilton depression scale factors before and after: Hollander & Wolfe 1973. */
static const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
static const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};

static void t_quantiles_are_those_of_the_tables(void **state)
{
    static const struct {
        double p, df, t;
    } table[] = {{0.975, 1, 12.706}, {0.975, 2, 4.303},  {0.975, 9, 2.262},   {0.975, 29, 2.045},
                 {0.95, 5, 2.015},   {0.995, 10, 3.169}, {0.975, 120, 1.980}, {0.9, 3, 1.638}};

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_near(stats_t_quantile(table[i].p, table[i].df), table[i].t, 0.0006);
        assert_near(stats_t_quantile(1 - table[i].p, table[i].df), -table[i].t, 0.0006);
    }
    assert_near(stats_t_cdf(0, 7), 0.5, 1e-12);
    assert_near(stats_normal_cdf(1.959964), 0.975, 1e-6);
}

static void students_sleep_gives_students_t(void **state)
{
    struct stats_test t = stats_t_paired(drug2, drug1, 10);

    (void)state;
    assert_near(t.statistic, 4.0621, 0.0001);
    assert_near(t.p, 0.002833, 0.000001);
}

static void signed_ranks_are_exact_without_ties(void **state)
{
    struct stats_test w = stats_wilcoxon(before, after, 9);

    (void)state;
    assert_near(w.statistic, 40, 0);
    assert_near(w.p, 0.0390625, 1e-9);
    assert_int_equal(w.n, 9);
}

/* One pair without a difference is left out, two sizes are tied. */
static void signed_ranks_with_ties_use_the_normal_approximation(void **state)
{
    struct stats_test w = stats_wilcoxon(drug2, drug1, 10);

    (void)state;
    assert_int_equal(w.n, 9);
    assert_near(w.statistic, 45, 0);
    assert_near(w.p, 0.009091, 0.000001);
}

static void equal_samples_do_not_differ(void **state)
{
    (void)state;
    assert_true(stats_t_paired(drug1, drug1, 10).p == 1);
    assert_true(stats_wilcoxon(drug1, drug1, 10).p == 1);
    assert_true(stats_wilcoxon(drug1, drug2, 0).p == 1);
}

/* Holm 1979: .01 .04 .03 .005 -> x2... sorted .005x4 .01x3 .03x2 .04x1, never
 * falling: .02 .03 .06 .06. */
static void holm_multiplies_by_what_is_left(void **state)
{
    double p[] = {0.01, 0.04, 0.03, 0.005}, one[] = {0.9, 0.8};

    (void)state;
    stats_holm(p, 4);
    assert_near(p[0], 0.03, 1e-12);
    assert_near(p[1], 0.06, 1e-12);
    assert_near(p[2], 0.06, 1e-12);
    assert_near(p[3], 0.02, 1e-12);
    stats_holm(one, 2);
    assert_true(one[0] == 1 && one[1] == 1);
}

static void bootstrap_interval_holds_the_mean_and_is_repeatable(void **state)
{
    double low, high, again_low, again_high;
    struct rng r;

    (void)state;
    rng_init(&r, 5);
    stats_bootstrap(drug2, 10, 2000, &r, &low, &high);
    rng_init(&r, 5);
    stats_bootstrap(drug2, 10, 2000, &r, &again_low, &again_high);
    assert_true(low == again_low && high == again_high);
    assert_true(low < stats_mean(drug2, 10) && stats_mean(drug2, 10) < high);
    /* the normal interval is mean +- 1.96 sd / sqrt(n) = 2.33 +- 1.24 */
    assert_near(low, 2.33 - 1.24, 0.25);
    assert_near(high, 2.33 + 1.24, 0.25);
}

static void quantiles_interpolate(void **state)
{
    static const double sorted[] = {1, 2, 3, 4};

    (void)state;
    assert_near(stats_quantile(sorted, 4, 0.25), 1.75, 1e-12);
    assert_near(stats_quantile(sorted, 4, 0.5), 2.5, 1e-12);
    assert_near(stats_quantile(sorted, 4, 1), 4, 1e-12);
    assert_true(isnan(stats_quantile(sorted, 0, 0.5)));
    assert_near(stats_half_width(sorted, 4), 3.182 * 1.2909944 / 2, 0.001);
    assert_true(isnan(stats_sd(sorted, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t_quantiles_are_those_of_the_tables),
        cmocka_unit_test(students_sleep_gives_students_t),
        cmocka_unit_test(signed_ranks_are_exact_without_ties),
        cmocka_unit_test(signed_ranks_with_ties_use_the_normal_approximation),
        cmocka_unit_test(equal_samples_do_not_differ),
        cmocka_unit_test(holm_multiplies_by_what_is_left),
        cmocka_unit_test(bootstrap_interval_holds_the_mean_and_is_repeatable),
        cmocka_unit_test(quantiles_interpolate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
