/* Values by temporal differences: steps computed by hand, and where the printed rule
 * breaks. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/foragers/td.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>

#define K 50

static const struct td_config stable = {.alpha = 0.1, .gamma = 0.9, .rule = TD_STABLE};
static const struct td_config plain = {.alpha = 0.1, .gamma = 0.9, .rule = TD_PLAIN};

/* w = (1, 2), s = (0.5, 0), s' = (0, 0.25): value .5 and .5; r = 10:
 * delta = 10 + 0.45 - 0.5 = 9.95; w_1 += 0.1 * 9.95 * 0.5 = 0.4975. |s|^2 < 1: both
 * rules are the same. */
static void a_step_moves_the_weights_of_the_page_it_leaves(void **state)
{
    const float from[8] = {0.5f}, to[8] = {0, 0.25f};
    const struct td_config *const rules[] = {&stable, &plain};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct td t;

        td_init(&t, 2);
        t.weights[0] = 1;
        t.weights[1] = 2;
        assert_true(td_learn(&t, rules[i], from, to, 10));
        assert_float_equal(t.weights[0], 1.4975, 1e-12);
        assert_float_equal(t.weights[1], 2, 0);
        assert_float_equal(td_value(&t, from), 0.74875, 1e-6);
        assert_int_equal(t.steps, 1);
        td_clear(&t);
    }
}

/* The same with nothing behind it: delta = 10 - 0.5 = 9.5, w_1 += 0.475. */
static void after_a_last_step_nothing_is_expected(void **state)
{
    const float from[8] = {0.5f};
    struct td t;

    (void)state;
    td_init(&t, 2);
    t.weights[0] = 1;
    assert_true(td_learn(&t, &plain, from, NULL, 10));
    assert_float_equal(t.weights[0], 1.475, 1e-12);
    td_clear(&t);
}

/* s = (2, 0, 0, 1, …): |s|^2 = 5, r = 10, w = 0: plain w_1 = 0.1 * 10 * 2 = 2, stable
 * a fifth of it. */
static void a_long_state_is_a_short_step(void **state)
{
    const float from[8] = {2, 0, 0, 1};
    struct td t;

    (void)state;
    td_init(&t, 4);
    (void)td_learn(&t, &plain, from, NULL, 10);
    assert_float_equal(t.weights[0], 2, 1e-12);
    assert_float_equal(t.weights[3], 1, 1e-12);
    td_clear(&t);
    td_init(&t, 4);
    (void)td_learn(&t, &stable, from, NULL, 10);
    assert_float_equal(t.weights[0], 0.4, 1e-12);
    td_clear(&t);
}

/* -1 in time and 100 afterwards, or 99 at once. */
static void a_late_reward_ends_as_one_in_time(void **state)
{
    const float from[8] = {2, 0, 0, 1}, to[8] = {0.5f, 0.5f};
    const struct td_config *const rules[] = {&stable, &plain};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct td late, in_time;
        struct rng r;

        rng_init(&r, 3);
        td_init(&late, 4);
        td_init(&in_time, 4);
        td_draw(&late, TD_UNIFORM, &r);
        td_copy(&late, &in_time);
        (void)td_learn(&in_time, rules[i], from, to, 99);
        (void)td_learn(&late, rules[i], from, to, -1);
        (void)td_late(&late, rules[i], from, 100);
        for (uint32_t j = 0; j < 4; j++)
            assert_float_equal(late.weights[j], in_time.weights[j], 1e-12);
        assert_int_equal(late.steps, 1);
        td_clear(&late);
        td_clear(&in_time);
    }
}

/* States as standardised outputs are: s_i = tanh(z_i), z normal, so that |s|^2 is 50 *
 * 0.394 = 19.7 on average; `scale` makes them shorter. One step in twenty is rewarded.
 * Returns when it diverged; 0: not in `most` steps. */
static uint64_t diverges(const struct td_config *c, double scale, uint64_t most, double *ret_value)
{
    float states[2][56] = {{0}};
    struct td t;
    struct rng r;
    uint64_t n = 0;

    rng_init(&r, 7);
    td_init(&t, K);
    td_draw(&t, TD_UNIFORM, &r);
    *ret_value = 0;
    for (; n < most && !t.diverged; n++) {
        float *from = states[n % 2], *to = states[(n + 1) % 2];

        for (uint32_t i = 0; i < K; i++)
            to[i] = (float)(scale * tanh(rng_normal(&r)));
        if (n > 0 && !td_learn(&t, c, from, to, rng_below(&r, 20) ? -1 : 100))
            break;
        *ret_value = fmax(*ret_value, fabs((double)td_value(&t, to)));
    }
    for (uint32_t i = 0; i < K; i++)
        assert_true(fabs(t.weights[i]) <= TD_LIMIT);
    n = t.diverged ? t.steps : 0;
    td_clear(&t);
    return n;
}

/* What the reader of the paper would run into: some hundred steps, and the weights are
 * beyond all bounds. Not where |s|^2 is a half of it or less, and never with the
 * stable rule: there values stay near what rewards can add up to (100 / (1 - 0.9)). */
static void the_printed_step_diverges_on_standardised_states_and_the_stable_does_not(void **state)
{
    double value;
    uint64_t n;

    (void)state;
    n = diverges(&plain, 1, 20000, &value);
    print_message("# plain, |s|^2 = 19.7: diverged after %llu steps\n", (unsigned long long)n);
    assert_true(n > 100 && n < 3000);
    assert_int_equal(diverges(&plain, sqrt(0.4), 20000, &value), 0);
    assert_int_equal(diverges(&stable, 1, 100000, &value), 0);
    assert_true(value < 1000);
    assert_int_equal(diverges(&stable, 10, 20000, &value), 0);
}

/* A weight that would pass the limit stays, and so do all from then on. */
static void what_diverged_stays_as_it_was(void **state)
{
    const float from[8] = {1, 0.5f};
    struct td t;

    (void)state;
    td_init(&t, 2);
    t.weights[0] = 3;
    assert_true(td_learn(&t, &plain, from, NULL, 3));
    assert_false(td_learn(&t, &plain, from, NULL, 1e11));
    assert_true(t.diverged);
    assert_int_equal(t.steps, 2);
    assert_float_equal(t.weights[0], 3, 0);
    assert_float_equal(t.weights[1], 0, 0);
    assert_true(td_learn(&t, &plain, from, NULL, 100)); /* said once */
    assert_true(td_late(&t, &plain, from, 100));
    assert_float_equal(t.weights[0], 3, 0);
    assert_int_equal(t.steps, 2);
    td_clear(&t);
    td_init(&t, 2);
    assert_false(td_late(&t, &plain, from, NAN));
    assert_float_equal(t.weights[0], 0, 0);
    td_clear(&t);
}

static void weights_are_drawn_as_asked(void **state)
{
    double squares[2] = {0};
    struct rng r;

    (void)state;
    rng_init(&r, 5);
    for (int how = 0; how < 2; how++)
        for (int i = 0; i < 100; i++) {
            struct td t;

            td_init(&t, K);
            td_draw(&t, (enum td_weights)how, &r);
            for (uint32_t j = 0; j < K; j++) {
                squares[how] += t.weights[j] * t.weights[j];
                assert_true(how == TD_NORMAL || fabs(t.weights[j]) <= 1);
            }
            td_clear(&t);
        }
    /* Per vector: 50 / 3 = 16.7, and 50 / 50 = 1. */
    assert_float_equal(squares[0] / 100, 16.7, 1);
    assert_float_equal(squares[1] / 100, 1, 0.1);
}

static void what_is_saved_is_loaded(void **state)
{
    struct buf saved = BUF_INIT(4096);
    struct td t, other;
    struct cursor c;
    struct rng r;

    (void)state;
    rng_init(&r, 5);
    td_init(&t, 9);
    td_draw(&t, TD_NORMAL, &r);
    t.steps = 77;
    td_save(&t, &saved);
    td_init(&other, 9);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(td_load(&other, &c), ST_OK);
    assert_memory_equal(t.weights, other.weights, 9 * sizeof(double));
    assert_memory_equal(t.quick, other.quick, 9 * sizeof(float));
    assert_int_equal(other.steps, 77);
    td_clear(&other);
    buf_clear(&saved);
    t.weights[3] = NAN;
    td_save(&t, &saved);
    td_init(&other, 9);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(td_load(&other, &c), ST_CORRUPT);
    td_clear(&other);
    td_clear(&t);
    buf_free(&saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_moves_the_weights_of_the_page_it_leaves),
        cmocka_unit_test(after_a_last_step_nothing_is_expected),
        cmocka_unit_test(a_long_state_is_a_short_step),
        cmocka_unit_test(a_late_reward_ends_as_one_in_time),
        cmocka_unit_test(the_printed_step_diverges_on_standardised_states_and_the_stable_does_not),
        cmocka_unit_test(what_diverged_stays_as_it_was),
        cmocka_unit_test(weights_are_drawn_as_asked),
        cmocka_unit_test(what_is_saved_is_loaded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
