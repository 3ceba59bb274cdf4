/* test_tron.c - the weights of linear classifiers. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/hash.h"
#include "base/rng.h"
#include "text/tron.h"

#include <math.h>

#define ROWS     60
#define FEATURES 401 /* the last one is always 1 */

static struct {
    struct tron_row rows[ROWS];
    uint32_t at[ROWS][FEATURES];
    double x[ROWS][FEATURES];
} data;

/* A third of the rows are positive, and have more of the first features. */
static void make_rows(void)
{
    struct rng rng;

    rng_init(&rng, 3);
    for (size_t i = 0; i < ROWS; i++) {
        bool positive = i % 3 == 0;
        size_t n = 0;

        for (uint32_t f = 0; f < FEATURES; f++) {
            if (f + 1 < FEATURES && rng_below(&rng, positive && f < 40 ? 4 : 8) > 0)
                continue;
            data.at[i][n] = f;
            data.x[i][n++] = f + 1 < FEATURES ? (double)(1 + rng_below(&rng, 100)) / 128 : 1;
        }
        data.rows[i] = (struct tron_row){data.at[i], data.x[i], n, positive};
    }
}

static struct tron_problem problem(bool is_logistic, double epsilon)
{
    make_rows();
    return (struct tron_problem){.rows = data.rows,
                                 .nrows = ROWS,
                                 .nfeatures = FEATURES,
                                 .cost = {7.5, 15},
                                 .is_logistic = is_logistic,
                                 .epsilon = epsilon};
}

/* liblinear 2.30 has the same for this problem: from 0, and from the solution for other costs. */
static void weights_are_those_of_liblinear(void **state UNUSED)
{
    struct tron_problem p = problem(false, 1e-5);
    double w[FEATURES] = {0};

    tron_solve(&p, w);
    assert_int_equal(hash_bytes(w, sizeof w), UINT64_C(0x10eac5ca6a1d4f2e));
    p.cost[0] = 2.5;
    p.cost[1] = 5;
    p.is_near = true;
    tron_solve(&p, w);
    assert_int_equal(hash_bytes(w, sizeof w), UINT64_C(0x81375f37c80aa404));
}

/* The derivative of the loss by the margin, with its sign. */
static double slope(const struct tron_problem *p, double margin)
{
    if (p->is_logistic)
        return -1 / (1 + exp(margin));
    return margin < 1 ? -2 * (1 - margin) : 0;
}

static void check_gradient(bool is_logistic)
{
    struct tron_problem p = problem(is_logistic, 1e-9);
    double w[FEATURES] = {0}, gradient[FEATURES], most = 0;

    tron_solve(&p, w);
    memcpy(gradient, w, sizeof w);
    for (size_t i = 0; i < ROWS; i++) {
        const struct tron_row *r = &p.rows[i];
        double y = r->is_positive ? 1 : -1, sum = 0;

        for (size_t k = 0; k < r->count; k++)
            sum += r->x[k] * w[r->at[k]];
        for (size_t k = 0; k < r->count; k++)
            gradient[r->at[k]] += p.cost[r->is_positive] * y * slope(&p, y * sum) * r->x[k];
    }
    for (size_t f = 0; f < FEATURES; f++)
        most = fmax(most, fabs(gradient[f]));
    assert_true(most < 1e-6);
    assert_true(fabs(w[0]) > 1e-3); /* it has moved */
}

static void nothing_is_better_nearby(void **state UNUSED)
{
    check_gradient(false);
    check_gradient(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_liblinear),
        cmocka_unit_test(nothing_is_better_nearby),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
