/* The net of an agent and its lottery, computed by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/infospiders/lottery.h"
#include "models/infospiders/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(double a, double b)
{
    if (fabs(a - b) > 1e-12)
        fail_msg("%.15g is not %.15g", a, b);
}

static struct net net_of(uint32_t inputs, uint32_t hidden, const double *weights)
{
    struct net n;
    struct rng r;

    rng_init(&r, 1);
    net_init(&n, inputs, hidden, NET_RANDOM, &r);
    memcpy(n.weights, weights, net_size(&n) * sizeof *weights);
    return n;
}

/* w = (.5, -.25), b = .1, in = (1, 2): tanh(.1 + .5 - .5) = tanh(.1) */
static const double small_weights[] = {.5, -.25, .1};
static const float small_in[] = {1, 2};
#define SMALL_OUT 0.09966799462495582

static void output_is_tanh_of_the_weighted_sum(void **state)
{
    struct net n = net_of(2, 0, small_weights);

    (void)state;
    assert_int_equal(net_size(&n), 3);
    assert_near(net_output(&n, small_in), SMALL_OUT);
    net_clear(&n);
}

/* Target .5, eta .1: .1 * (.5 - out) * (1 - out^2) = .0396355…; the second weight
 * moves by twice that, its input being 2. */
static void a_step_follows_the_gradient(void **state)
{
    struct net n = net_of(2, 0, small_weights);

    (void)state;
    assert_near(net_learn(&n, small_in, .5, .1), .5 - SMALL_OUT);
    assert_near(n.weights[0], 0.5396355223669187);
    assert_near(n.weights[1], -0.17072895526616252);
    assert_near(n.weights[2], 0.13963552236691873);
    net_clear(&n);
}

/* A target of 3 is one of 1: .1 * (1 - out) * (1 - out^2) = .0891388… */
static void targets_are_kept_in_the_range_of_tanh(void **state)
{
    struct net n = net_of(2, 0, small_weights);

    (void)state;
    assert_near(net_learn(&n, small_in, 3, .1), 1 - SMALL_OUT);
    assert_near(n.weights[2], .1 + 0.08913883690929073);
    net_clear(&n);
    n = net_of(2, 0, small_weights);
    assert_near(net_learn(&n, small_in, -7, .1), -1 - SMALL_OUT);
    net_clear(&n);
}

/* One input, two hidden units: w_1 = 1, b_1 = 0; w_2 = -1, b_2 = .5; v = (.5, .25), b = 0.
 * in = .5: h = (tanh .5, tanh 0) = (.462117…, 0); out = tanh(.5 * .462117…) = .2270326…
 * Target 1, eta .1: step s = .1 (1 - out)(1 - out^2) = .0733126…; v_1 += s h_1, v_2 += 0,
 * b += s; below unit 1: s v_1 (1 - h_1^2) = .0288283…, below unit 2: s v_2 = .0183281… */
static void a_hidden_layer_learns_too(void **state)
{
    static const double weights[] = {1, 0, -1, .5, .5, .25, 0};
    static const double learned[] = {1.0144141263244435, 0.028828252648887068, -0.9908359286191317,
                                     0.5183281427617364, 0.5338789969236372,   0.25,
                                     0.07331257104694595};
    struct net n = net_of(1, 2, weights);
    float in = .5f;

    (void)state;
    assert_int_equal(net_size(&n), 7);
    assert_near(net_output(&n, &in), 0.2270326087174543);
    (void)net_learn(&n, &in, 1, .1);
    for (size_t i = 0; i < 7; i++)
        assert_near(n.weights[i], learned[i]);
    net_clear(&n);
}

/* The same again and again ends at the target, with a hidden layer or without. */
static void learning_reaches_its_target(void **state)
{
    (void)state;
    for (uint32_t hidden = 0; hidden <= 3; hidden += 3) {
        struct net n;
        struct rng r;

        rng_init(&r, 7);
        net_init(&n, 2, hidden, NET_RANDOM, &r);
        for (int i = 0; i < 2000; i++)
            (void)net_learn(&n, small_in, -.3, .1);
        assert_true(fabs(net_output(&n, small_in) + .3) < 1e-6);
        net_clear(&n);
    }
}

static void new_nets_are_drawn_or_even(void **state)
{
    struct net n;
    struct rng r;

    (void)state;
    rng_init(&r, 3);
    net_init(&n, 200, 0, NET_RANDOM, &r);
    for (size_t i = 0; i < 200; i++)
        assert_true(n.weights[i] >= -.5 && n.weights[i] < .5);
    assert_true(n.weights[200] == 0);
    net_clear(&n);
    net_init(&n, 4, 2, NET_EVEN, &r);
    assert_true(n.weights[0] == .25 && n.weights[8] == .25 && n.weights[4] == 0);
    assert_true(n.weights[10] == .5 && n.weights[11] == .5 && n.weights[12] == 0);
    net_clear(&n);
}

/* None, all, and about a fifth of the weights; never by more than half of them. */
static void mutation_moves_a_fraction_of_the_weights(void **state)
{
    struct net n;
    struct rng r;
    size_t moved = 0;

    (void)state;
    rng_init(&r, 3);
    net_init(&n, 250, 39, NET_EVEN, &r); /* 9,750 weights of 1/250, 39 of 1/39 */
    net_mutate(&n, 0, .5, &r);
    for (size_t i = 0; i < 250; i++)
        assert_true(n.weights[i] == 1.0 / 250);
    net_mutate(&n, .2, .5, &r);
    for (size_t j = 0; j < 39; j++)
        for (size_t i = 0; i < 250; i++) {
            double w = n.weights[j * 251 + i];

            assert_true(w >= .5 / 250 && w < 1.5 / 250);
            moved += w != 1.0 / 250;
        }
    assert_true(moved > 1850 && moved < 2050); /* 1,950 expected, deviation 39 */
    net_clear(&n);
}

static void inputs_are_added_and_renewed(void **state)
{
    static const double weights[] = {1, 2, .5, 3, 4, .25, 5, 6, .75}; /* K = 2, H = 2 */
    struct net n = net_of(2, 2, weights);
    struct rng r;

    (void)state;
    rng_init(&r, 1);
    assert_true(net_use_of(&n, 0) == 4 && net_use_of(&n, 1) == 6); /* |1| + |3|, |2| + |4| */
    net_add_input(&n, NET_EVEN, &r);
    assert_int_equal(n.inputs, 3);
    assert_true(n.weights[0] == 1 && n.weights[1] == 2 && n.weights[2] == 1.0 / 3);
    assert_true(n.weights[3] == .5 && n.weights[4] == 3 && n.weights[7] == .25);
    assert_true(n.weights[8] == 5 && n.weights[9] == 6 && n.weights[10] == .75);
    net_renew_input(&n, 1, NET_EVEN, &r);
    assert_true(n.weights[1] == 1.0 / 3 && n.weights[5] == 1.0 / 3 && n.weights[4] == 3);
    net_clear(&n);
}

static void saved_net_comes_back(void **state)
{
    struct net n = net_of(2, 0, small_weights), back = {0};
    struct buf saved = BUF_INIT(1000);
    struct cursor c;

    (void)state;
    net_save(&n, &saved);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(net_load(&back, &c), ST_OK);
    assert_int_equal(c.rest.len, 0);
    assert_memory_equal(back.weights, n.weights, 3 * sizeof *n.weights);
    net_clear(&back);
    c = (struct cursor){.rest = str_sub(buf_str(&saved), 0, saved.len - 1)};
    assert_int_equal(net_load(&back, &c), ST_CORRUPT);
    net_clear(&back);
    net_clear(&n);
    buf_free(&saved);
}

/* beta = 2: e^0, e^-1, e^-2 of a sum of 1.5032147…: .6652410, .2447285, .0900306 */
static void softmax_subtracts_the_greatest(void **state)
{
    static const double scores[] = {.5, 0, -.5};
    double chances[3], sum = lottery_chances(LOTTERY_SOFTMAX, 2, scores, 3, chances);

    (void)state;
    assert_near(chances[0] / sum, 0.6652409557748218);
    assert_near(chances[1] / sum, 0.24472847105479764);
    assert_near(chances[2] / sum, 0.09003057317038046);
    sum = lottery_chances(LOTTERY_SOFTMAX, 1e6, scores, 3, chances); /* e^500000 is none */
    assert_true(sum == 1 && chances[0] == 1 && chances[2] == 0);
}

/* 1.5 : 1 : .5, of 3 */
static void linear_choice_is_shifted_above_zero(void **state)
{
    static const double scores[] = {.5, 0, -.5}, worst[] = {-1, -1};
    double chances[3];

    (void)state;
    assert_near(lottery_chances(LOTTERY_LINEAR, 1, scores, 3, chances), 3);
    assert_near(chances[0], 1.5);
    assert_near(chances[2], .5);
    assert_near(lottery_chances(LOTTERY_LINEAR, 1, worst, 2, chances), 2);
}

/* 60,000 draws: 39,914, 14,684 and 5,402 expected, deviations 115, 105, 70. */
static void draws_are_as_likely_as_their_chances(void **state)
{
    static const double scores[] = {.5, 0, -.5};
    double chances[3];
    int won[3] = {0};
    struct rng r;

    (void)state;
    rng_init(&r, 11);
    for (int i = 0; i < 60000; i++)
        won[lottery_draw(LOTTERY_SOFTMAX, 2, scores, 3, chances, &r)]++;
    assert_true(abs(won[0] - 39914) < 500);
    assert_true(abs(won[1] - 14684) < 450);
    assert_true(abs(won[2] - 5402) < 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_is_tanh_of_the_weighted_sum),
        cmocka_unit_test(a_step_follows_the_gradient),
        cmocka_unit_test(targets_are_kept_in_the_range_of_tanh),
        cmocka_unit_test(a_hidden_layer_learns_too),
        cmocka_unit_test(learning_reaches_its_target),
        cmocka_unit_test(new_nets_are_drawn_or_even),
        cmocka_unit_test(mutation_moves_a_fraction_of_the_weights),
        cmocka_unit_test(inputs_are_added_and_renewed),
        cmocka_unit_test(saved_net_comes_back),
        cmocka_unit_test(softmax_subtracts_the_greatest),
        cmocka_unit_test(linear_choice_is_shifted_above_zero),
        cmocka_unit_test(draws_are_as_likely_as_their_chances),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
