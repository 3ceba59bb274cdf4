/* test_pddp.c - principal directions and the tree of cuts, against values worked out
 * by hand and against the plain method. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/rng.h"
#include "models/foragers/pddp.h"

#include <math.h>
#include <stdlib.h>

#define VEC(...)                                                             \
    (struct vec)                                                             \
    {                                                                        \
        (const struct term[]){__VA_ARGS__},                                  \
            sizeof((const struct term[]){__VA_ARGS__}) / sizeof(struct term) \
    }

static void assert_near(double got, double want, double within)
{
    assert_float_equal((float)got, (float)want, (float)within);
}

static const uint32_t list[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

/* ---- scatter and direction ---- */

/* Three documents: (.6 .8 0), (.8 .6 0), (0 0 1). The mean w is (1.4 1.4 1)/3, and
 *     scatter = 3 - 3 |w|^2 = 3 - 3 (.435556 + .111111) = 1.36
 * Less the mean, in the axes p = (1 1 0)/sqrt 2, z = (0 0 1), m = (1 -1 0)/sqrt 2:
 *     c1 = (a, -b, -.1414)   c2 = (a, -b, +.1414)   c3 = (-2a, 2b, 0)
 * with a = .466667/sqrt 2 = .329983, b = .333333. So m is one singular direction, with
 * .02 + .02 = .04, and (a, -b) the other, with 6 (a^2 + b^2) = 6 * .22 = 1.32; together
 * 1.36. sigma = sqrt 1.32 = 1.148913 and u = (.233333 .233333 -.333333)/sqrt .22, whose
 * largest component is that of word 3: turned round, u = (-.497468 -.497468 .710669).
 * v = -sqrt .22 (twice) and 2 sqrt .22. */
static void three_documents_have_the_singular_vector_worked_out(void **state UNUSED)
{
    struct vec docs[] = {VEC({1, 3}, {2, 4}), VEC({1, 4}, {2, 3}), VEC({3, 1})};
    struct columns *c = columns_new(docs, 3, VEC_NORM);
    double v[3], u[3], mean[3];
    struct principal p;

    assert_near(columns_scatter(c, list, 3, mean), 1.36, 1e-6);
    assert_near(mean[0], 1.4 / 3, 1e-6);
    assert_near(mean[2], 1. / 3, 1e-6);
    p = columns_principal(c, list, 3, 1e-6, v, u);
    assert_near(p.sigma, 1.148913, 1e-5);
    assert_near(u[0], -.497468, 1e-5);
    assert_near(u[1], -.497468, 1e-5);
    assert_near(u[2], .710669, 1e-5);
    assert_near(v[0], -.469042, 1e-5);
    assert_near(v[1], -.469042, 1e-5);
    assert_near(v[2], .938083, 1e-5);
    columns_free(c);
}

/* A part of the documents: the first two have the mean (.7 .7), so scatter is
 * 2 - 2 * .98 = .04 and u is (1 -1)/sqrt 2. Both components are equally large: the word
 * met first is positive. v = (.6 - .7 - .8 + .7)/sqrt 2 = -.141421 and the opposite. */
static void of_equal_components_the_first_word_is_positive(void **state UNUSED)
{
    struct vec docs[] = {VEC({1, 3}, {2, 4}), VEC({1, 4}, {2, 3}), VEC({3, 1})};
    struct vec turned[] = {VEC({3, 1}), VEC({2, 4}, {9, 3}), VEC({2, 3}, {9, 4})};
    struct columns *c = columns_new(docs, 3, VEC_NORM), *t = columns_new(turned, 3, VEC_NORM);
    double v[2], u[3];

    assert_near(columns_scatter(c, list, 2, NULL), .04, 1e-6);
    assert_near(columns_principal(c, list, 2, 1e-6, v, u).sigma, .2, 1e-6);
    assert_near(u[0], sqrt(.5), 1e-5);
    assert_near(u[1], -sqrt(.5), 1e-5);
    assert_near(v[0], -.141421, 1e-5);
    assert_near(v[1], .141421, 1e-5);
    (void)columns_principal(t, list + 1, 2, 1e-6, v, u);
    assert_near(u[1], sqrt(.5), 1e-5); /* word 2, met second of all */
    assert_near(v[0], .141421, 1e-5);
    columns_free(c);
    columns_free(t);
}

/* n = 2; df of word 1 is 2, of word 2 is 1: idf ln 2 = .693147 and ln 3 = 1.098612.
 * (.693147 1.098612) has length 1.299000, so its cosine with (1 0) is .533600, and the
 * scatter of two vectors of length 1 is 1 - cosine. A count of 5 weighs 1 + ln 5 =
 * 2.609438 times as much: 1.808725 against 1.098612, length 2.116231, cosine .854692. */
static void tfidf_weighs_rare_words_more(void **state UNUSED)
{
    struct vec docs[] = {VEC({1, 1}, {2, 1}), VEC({1, 1})};
    struct vec often[] = {VEC({1, 5}, {2, 1}), VEC({1, 1})};
    struct columns *c = columns_new(docs, 2, VEC_TFIDF), *o = columns_new(often, 2, VEC_TFIDF);

    assert_near(columns_scatter(c, list, 2, NULL), 1 - .533600, 1e-5);
    assert_near(columns_scatter(o, list, 2, NULL), 1 - .854692, 1e-5);
    columns_free(c);
    columns_free(o);
}

/* Four documents of word 1, four of word 2, one of word 3, the one farthest from the
 * mean, where Lanczos starts. By symmetry the direction (1 -1 0)/sqrt 2 is orthogonal to
 * it and to all that grows from it, and it is the leading one: 8 * 1/2 = 4, against
 * (8 + 64) * 1.5/81 = 1.333 within. The last document lies across: its v is 0. */
static void a_start_at_right_angles_does_not_hide_the_direction(void **state UNUSED)
{
    struct vec docs[] = {VEC({1, 1}), VEC({1, 1}), VEC({1, 1}), VEC({1, 1}), VEC({2, 1}),
                         VEC({2, 1}), VEC({2, 1}), VEC({2, 1}), VEC({3, 1})};
    struct columns *c = columns_new(docs, 9, VEC_NORM);
    double v[9], u[3];

    assert_near(columns_principal(c, list, 9, 1e-6, v, u).sigma, 2, 1e-6);
    assert_near(u[0], sqrt(.5), 1e-6);
    assert_near(u[1], -sqrt(.5), 1e-6);
    for (int j = 0; j < 9; j++)
        assert_near(v[j], j < 4 ? sqrt(.5) : j < 8 ? -sqrt(.5) : 0, 1e-6);
    columns_free(c);
}

static void documents_all_alike_have_no_direction(void **state UNUSED)
{
    struct vec docs[] = {VEC({1, 1}, {2, 2}), VEC({1, 2}, {2, 4}), VEC({1, 3}, {2, 6})};
    struct columns *c = columns_new(docs, 3, VEC_NORM);
    double v[3];

    assert_near(columns_scatter(c, list, 3, NULL), 0, 1e-6);
    assert_near(columns_principal(c, list, 3, 1e-3, v, NULL).sigma, 0, 1e-6);
    assert_near(columns_principal(c, list, 1, 1e-3, v, NULL).sigma, 0, 1e-6);
    columns_free(c);
}

#define MANY  60
#define WORDS 40

/* The plain method: the centred matrix formed and multiplied 2,000 times. */
static void power_iteration(double a[WORDS][MANY], double *ret_u, double *ret_sigma)
{
    double y[MANY];

    for (int i = 0; i < WORDS; i++)
        ret_u[i] = 1 + i / 7.;
    for (int round = 0; round < 2000; round++) {
        double length = 0;

        memset(y, 0, sizeof y);
        for (int i = 0; i < WORDS; i++)
            for (int j = 0; j < MANY; j++)
                y[j] += a[i][j] * ret_u[i];
        for (int i = 0; i < WORDS; i++) {
            ret_u[i] = 0;
            for (int j = 0; j < MANY; j++)
                ret_u[i] += a[i][j] * y[j];
            length += ret_u[i] * ret_u[i];
        }
        for (int i = 0; i < WORDS; i++)
            ret_u[i] /= sqrt(length);
        *ret_sigma = sqrt(sqrt(length));
    }
}

static void lanczos_agrees_with_the_plain_method(void **state UNUSED)
{
    static struct term terms[MANY][WORDS];
    static double a[WORDS][MANY];
    struct vec docs[MANY];
    uint32_t all[MANY];
    double v[MANY], u[WORDS], exact[WORDS], sigma, same = 0;
    struct columns *c;
    struct rng rng;

    rng_init(&rng, 7);
    memset(a, 0, sizeof a);
    for (uint32_t j = 0; j < MANY; j++) {
        double square = 0;

        all[j] = j;
        for (uint32_t i = 0; i < WORDS; i++) { /* every word is in: numbered as met */
            terms[j][i] = (struct term){i + 1, 1 + (uint32_t)rng_below(&rng, 5)};
            if (j % 3 == i % 3)
                terms[j][i].count += 3 + j % 2 * 4;
            square += (double)terms[j][i].count * terms[j][i].count;
        }
        docs[j] = (struct vec){terms[j], WORDS};
        for (uint32_t i = 0; i < WORDS; i++)
            a[i][j] = terms[j][i].count / sqrt(square);
    }
    for (uint32_t i = 0; i < WORDS; i++) {
        double mean = 0;

        for (uint32_t j = 0; j < MANY; j++)
            mean += a[i][j] / MANY;
        for (uint32_t j = 0; j < MANY; j++)
            a[i][j] -= mean;
    }
    power_iteration(a, exact, &sigma);
    c = columns_new(docs, MANY, VEC_NORM);
    assert_near(columns_principal(c, all, MANY, 1e-8, v, u).sigma, sigma, 1e-5);
    for (uint32_t i = 0; i < WORDS; i++)
        same += u[i] * exact[i];
    assert_near(fabs(same), 1, 1e-5);
    columns_free(c);
}

/* ---- where it is cut ---- */

static void what_lies_above_zero_goes(void **state UNUSED)
{
    bool goes[4];

    assert_int_equal(pddp_cut((double[]){-1, 0, .5, 1e-9}, 4, goes), 1);
    assert_false(goes[0] || goes[1]);
    assert_true(goes[2]);
    assert_false(goes[3]); /* 0 but for rounding */
}

static void a_side_that_would_be_empty_gets_the_larger_half(void **state UNUSED)
{
    bool goes[5];

    assert_int_equal(pddp_cut((double[]){-3, -1, -2, -5, -4}, 5, goes), 2);
    assert_true(goes[1] && goes[2]);
    assert_false(goes[0] || goes[3] || goes[4]);
    assert_int_equal(pddp_cut((double[]){2, 1, 3, 4}, 4, goes), 2);
    assert_true(goes[2] && goes[3]);
    assert_int_equal(pddp_cut((double[]){0, 0, 0}, 3, goes), 1); /* equals by their number */
    assert_true(goes[2]);
    assert_false(goes[0] || goes[1]);
}

/* ---- the tree ---- */

/* The three documents above. First the third goes to leaf 1; then leaf 0 (scatter .04,
 * leaf 1 has 0) is cut, and the second, with v > 0, goes to leaf 2. */
static void leaves_are_numbered_in_the_order_they_are_made(void **state UNUSED)
{
    struct vec docs[] = {VEC({1, 3}, {2, 4}), VEC({1, 4}, {2, 3}), VEC({3, 1})};
    struct pddp_config config = {.leaves = 2, .scaling = VEC_NORM};
    uint32_t leaf[3], leaves;

    assert_int_equal(pddp(docs, 3, &config, leaf, &leaves), ST_OK);
    assert_int_equal(leaves, 2);
    assert_int_equal(leaf[0], 0);
    assert_int_equal(leaf[1], 0);
    assert_int_equal(leaf[2], 1);
    config.leaves = 50;
    assert_int_equal(pddp(docs, 3, &config, leaf, &leaves), ST_OK);
    assert_int_equal(leaves, 3);
    assert_int_equal(leaf[0], 0);
    assert_int_equal(leaf[1], 2);
    assert_int_equal(leaf[2], 1);
}

/* Six documents x about word 1, nearly alike, and y1, y2 that share nothing. First x
 * parts from y: u is about (1 -.5 -.5), x goes to leaf 1. Then leaf 0, y1 and y2, has
 * the scatter 2 - 2 * 1/2 = 1, and leaf 1, of three times as many, about
 * 6 - 6 (1 - .0025) = .015: leaf 0 is cut, and y1, whose word was met first, goes. */
static void the_largest_scatter_is_cut_first(void **state UNUSED)
{
    struct vec docs[] = {VEC({1, 1}),          VEC({1, 1}),          VEC({1, 1}),
                         VEC({1, 10}, {2, 1}), VEC({1, 10}, {2, 1}), VEC({1, 10}, {2, 1}),
                         VEC({3, 1}),          VEC({4, 1})};
    struct pddp_config config = {.leaves = 3, .scaling = VEC_NORM};
    uint32_t leaf[8], leaves;

    assert_int_equal(pddp(docs, 8, &config, leaf, &leaves), ST_OK);
    assert_int_equal(leaves, 3);
    for (int j = 0; j < 6; j++)
        assert_int_equal(leaf[j], 1);
    assert_int_equal(leaf[6], 2);
    assert_int_equal(leaf[7], 0);
    config.leaves = 10; /* there are no more than four kinds */
    assert_int_equal(pddp(docs, 8, &config, leaf, &leaves), ST_OK);
    assert_int_equal(leaves, 4);
    assert_true(leaf[0] == leaf[2] && leaf[3] == leaf[5] && leaf[0] != leaf[3]);
    config.tolerance = .5; /* more than x's scatter, less than y's */
    assert_int_equal(pddp(docs, 8, &config, leaf, &leaves), ST_OK);
    assert_int_equal(leaves, 3);
    config.tolerance = 1.5;
    assert_int_equal(pddp(docs, 8, &config, leaf, &leaves), ST_OK);
    assert_int_equal(leaves, 2);
}

static bool stop_at_two(void *ctx, uint32_t leaves, uint32_t wanted)
{
    *(uint32_t *)ctx = wanted;
    return leaves < 2;
}

static void it_can_be_stopped(void **state UNUSED)
{
    struct vec docs[] = {VEC({1, 1}), VEC({2, 1}), VEC({3, 1})};
    uint32_t wanted = 0, leaf[3], leaves = 77;
    struct pddp_config config = {.leaves = 3, .go_on = stop_at_two, .ctx = &wanted};

    assert_int_equal(pddp(docs, 3, &config, leaf, &leaves), ST_STOPPED);
    assert_int_equal(wanted, 3);
    assert_int_equal(leaves, 77);
}

static void nothing_and_empty_documents_are_no_trouble(void **state UNUSED)
{
    struct vec docs[] = {{NULL, 0}, VEC({1, 1}), {NULL, 0}};
    struct pddp_config config = {.leaves = 5, .scaling = VEC_NORM};
    uint32_t leaf[3], leaves;

    assert_int_equal(pddp(NULL, 0, &config, leaf, &leaves), ST_OK);
    assert_int_equal(leaves, 0);
    assert_int_equal(pddp(docs, 3, &config, leaf, &leaves), ST_OK);
    assert_int_equal(leaves, 2);
    assert_true(leaf[0] == leaf[2] && leaf[0] != leaf[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_documents_have_the_singular_vector_worked_out),
        cmocka_unit_test(of_equal_components_the_first_word_is_positive),
        cmocka_unit_test(tfidf_weighs_rare_words_more),
        cmocka_unit_test(a_start_at_right_angles_does_not_hide_the_direction),
        cmocka_unit_test(documents_all_alike_have_no_direction),
        cmocka_unit_test(lanczos_agrees_with_the_plain_method),
        cmocka_unit_test(what_lies_above_zero_goes),
        cmocka_unit_test(a_side_that_would_be_empty_gets_the_larger_half),
        cmocka_unit_test(leaves_are_numbered_in_the_order_they_are_made),
        cmocka_unit_test(the_largest_scatter_is_cut_first),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(nothing_and_empty_documents_are_no_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
