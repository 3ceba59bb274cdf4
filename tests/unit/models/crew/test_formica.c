/* test_formica.c - matchings, likeness of concepts and lattices, ability.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "base/rng.h"
#include "models/crew/ability.h"
#include "models/crew/formica.h"

#include <math.h>
#include <stdlib.h>

static void the_best_matching_is_not_the_greedy_one(void **state UNUSED)
{
    float w[2][MATCHING_MAX] = {{.9f, .8f}, {.8f, 0}};
    float tall[3][MATCHING_MAX] = {{.5f}, {1}, {.2f}};

    assert_float_equal(matching_weight(w, 2, 2), 1.6, 1e-6); /* greedy: 0.9 + 0 */
    assert_float_equal(matching_weight(tall, 3, 1), 1, 1e-6);
    assert_float_equal(matching_weight(w, 0, 2), 0, 0);
    assert_float_equal(matching_weight(w, 2, 0), 0, 0);
}

/* The best over all ways to give row i of n a column that is free, or none. */
static double naive(float w[][MATCHING_MAX], size_t i, size_t n, size_t m, unsigned taken)
{
    double best;

    if (i >= n)
        return 0;
    best = naive(w, i + 1, n, m, taken);
    for (size_t k = 0; k < m; k++) {
        if (!(taken >> k & 1))
            best = fmax(best, (double)w[i][k] + naive(w, i + 1, n, m, taken | 1u << k));
    }
    return best;
}

static void matchings_equal_those_of_trying_everything(void **state UNUSED)
{
    float w[MATCHING_MAX][MATCHING_MAX] = {{0}}; /* all of it: the compiler looks that far */
    struct rng r;

    rng_init(&r, 1);
    for (int round = 0; round < 400; round++) {
        size_t n = rng_below(&r, 6), m = rng_below(&r, 6);

        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < m; k++)
                w[i][k] = rng_below(&r, 3) ? (float)rng_below(&r, 9) / 8 : 0;
        }
        assert_float_equal(matching_weight(w, n, m), naive(w, 0, n, m, 0), 1e-9);
    }
}

/* ---- concepts ---- */

/* Attributes of A: dog, car, tail; of B: puppy, automobile, stone, dog. */
static const float cs[] = {
    .5f, 0, 0, 1,        /* dog */
    0,   1, 0, 0,        /* car */
    0,   0, 0, .333333f, /* tail */
};

static void intents_are_alike_by_their_best_matching(void **state UNUSED)
{
    struct formica f;

    formica_init(&f, cs, 3, 4);
    assert_float_equal(formica_intents(&f, 1, 1), .5, 1e-6);             /* dog, puppy */
    assert_float_equal(formica_intents(&f, 3, 3), 1.5 / 2, 1e-6);        /* + car, automobile */
    assert_float_equal(formica_intents(&f, 3, 7), 1.5 / 3, 1e-6);        /* + stone */
    assert_float_equal(formica_intents(&f, 1 | 4, 1 | 8), 1. / 2, 1e-6); /* dog-dog 1, and
                                     nothing for tail: more than dog-puppy + tail-dog = .83 */
    assert_float_equal(formica_intents(&f, 0, 0), 1, 0);
    assert_float_equal(formica_intents(&f, 1, 0), 0, 0);
    assert_float_equal(formica_intents(&f, 2, 4), 0, 0);
}

static void the_printed_floor_is_no_relation(void **state UNUSED)
{
    static const float floor[] = {.001f};
    struct formica f;

    formica_init(&f, floor, 1, 1);
    assert_float_equal(formica_intents(&f, 1, 1), 0, 0);
}

static struct lattice *lattice_of(unsigned nattributes, const uint64_t *rows, uint32_t n,
                                  uint32_t first)
{
    struct lattice *l = lattice_new(nattributes);

    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(lattice_put(l, first + i, rows[i]), ST_OK);
    lattice_build(l, 1);
    return l;
}

/* Sim of concept i of A and concept k of B. */
static double alike(const struct formica *f, const struct lattice *a, uint32_t i,
                    const struct lattice *b, uint32_t k)
{
    return formica_intents(f, lattice_concept(a, i).intent, lattice_concept(b, k).intent);
}

/* S of concept i of A in the lattice B. */
static double within(const struct formica *f, const struct lattice *a, uint32_t i,
                     const struct lattice *b)
{
    uint32_t largest[LIMIT_LATTICE_COMPARED];
    uint32_t n = lattice_largest(b, LIMIT_LATTICE_COMPARED, false, largest);
    double best = 0;

    for (uint32_t k = 0; k < n && best < 1; k++)
        best = fmax(best, alike(f, a, i, b, largest[k]));
    return best;
}

/* A: objects 1 (ab), 2 (a). B: objects 2 (ab), 3 (ac).
 *   A: (a; 1 2), (ab; 1)      B: (a; 2 3), (ab; 2), (ac; 3) */
static void a_concept_is_like_its_best_partner(void **state UNUSED)
{
    static const uint64_t rows_a[] = {3, 1}, rows_b[] = {3, 5};
    struct lattice *a = lattice_of(3, rows_a, 2, 1), *b = lattice_of(3, rows_b, 2, 2);
    struct formica f;

    formica_init(&f, NULL, 3, 3);
    assert_float_equal(alike(&f, a, lattice_find(a, 3), b, lattice_find(b, 1)), .5, 0); /* ab, a */
    assert_float_equal(within(&f, a, lattice_find(a, 3), b), 1, 0);
    assert_float_equal(within(&f, b, lattice_find(b, 5), a), .5, 0); /* ac and a */
    lattice_free(a);
    lattice_free(b);
}

/* ---- lattices ---- */

/* The same two lattices.
 *   A: a (2): 1, ab (1): 1                            mean, by extents: 1
 *   B: a (2): 1, ab (1): 1, ac (1): 1/2 (with a)      (2 + 1 + .5) / 4 = .875
 *   M = (1 + .875) / 2 = .9375 */
static void lattices_are_alike_by_their_best_partners(void **state UNUSED)
{
    static const uint64_t rows_a[] = {3, 1}, rows_b[] = {3, 5};
    struct lattice *a = lattice_of(3, rows_a, 2, 1), *b = lattice_of(3, rows_b, 2, 2);
    struct formica f;

    formica_init(&f, NULL, 3, 3);
    assert_float_equal(formica_lattices(&f, a, b), .9375, 1e-12);
    assert_float_equal(formica_lattices(&f, b, a), .9375, 1e-12);
    lattice_free(a);
    lattice_free(b);
}

static void nothing_is_like_an_empty_lattice(void **state UNUSED)
{
    static const uint64_t rows[] = {3, 1}, none[] = {0, 0};
    struct lattice *a = lattice_of(3, rows, 2, 1), *b = lattice_of(3, none, 2, 1);
    struct formica f;

    formica_init(&f, NULL, 3, 3);
    assert_float_equal(formica_lattices(&f, a, b), 0, 0);
    assert_float_equal(formica_lattices(&f, b, b), 0, 0);
    lattice_free(a);
    lattice_free(b);
}

static struct lattice *random_lattice(struct rng *r, uint32_t rows, uint32_t first)
{
    struct lattice *l = lattice_new(16);

    for (uint32_t i = 0; i < rows; i++) {
        uint64_t row = 0;

        for (int k = 0; k < 6; k++)
            row |= UINT64_C(1) << rng_below(r, 16);
        assert_int_equal(lattice_put(l, first + i, row), ST_OK);
    }
    lattice_build(l, 2);
    return l;
}

/* S by definition, over the 500 largest of the other side. */
static double naive_half(const struct formica *f, const struct lattice *a, const struct lattice *b)
{
    uint32_t *largest = mem_alloc(LIMIT_LATTICE_COMPARED * sizeof *largest);
    uint32_t n = lattice_largest(a, LIMIT_LATTICE_COMPARED, false, largest);
    double sum = 0, extents = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct concept c = lattice_concept(a, largest[i]);

        sum += c.extent * within(f, a, largest[i], b);
        extents += c.extent;
    }
    free(largest);
    return extents > 0 ? sum / extents : 0;
}

static void skipping_pairs_changes_nothing(void **state UNUSED)
{
    float matrix[16 * 16], turned[16 * 16];
    struct rng r;

    rng_init(&r, 4);
    for (int round = 0; round < 4; round++) {
        struct lattice *a = random_lattice(&r, 60, 1), *b = random_lattice(&r, 80, 30);
        struct formica f, back;
        double m;

        for (unsigned i = 0; i < 16; i++) {
            for (unsigned k = 0; k < 16; k++) {
                matrix[i * 16 + k] = i == k ? 1 : rng_below(&r, 5) ? 0 : (float)rng_unit(&r);
                turned[k * 16 + i] = matrix[i * 16 + k];
            }
        }
        formica_init(&f, matrix, 16, 16);
        formica_init(&back, turned, 16, 16);
        m = formica_lattices(&f, a, b);
        assert_float_equal(m, (naive_half(&f, a, b) + naive_half(&back, b, a)) / 2, 1e-9);
        assert_float_equal(m, formica_lattices(&back, b, a), 1e-9); /* symmetric */
        assert_true(m > 0 && m < 1);
        assert_float_equal(formica_lattices(&f, a, a), 1, 1e-9);
        lattice_free(a);
        lattice_free(b);
    }
}

/* Every concept has to do with all 500 of the other side, and most have several attributes. */
static void everything_may_be_related(void **state UNUSED)
{
    uint32_t largest[LIMIT_LATTICE_COMPARED];
    float matrix[16 * 16];
    struct lattice *l;
    struct formica f;
    struct rng r;

    rng_init(&r, 5);
    l = random_lattice(&r, 500, 1);
    assert_int_equal(lattice_largest(l, LIMIT_LATTICE_COMPARED, false, largest),
                     LIMIT_LATTICE_COMPARED);
    for (unsigned i = 0; i < 16 * 16; i++)
        matrix[i] = 1;
    formica_init(&f, matrix, 16, 16);
    assert_float_equal(formica_lattices(&f, l, l), 1, 1e-9);
    lattice_free(l);
}

/* ---- ability ---- */

/* An agent with four links: anchors 1, 1/2, 1/3, 1 on pages of Sim .4, .4, .2, .05:
 *   P = .4, .2, .0667, .05; on topic (>= .1) are two: S = .3
 *   M = .9375 (above)      E = .5 * .3 + .5 * .9375 = .61875 */
static void the_ability_of_a_small_agent(void **state UNUSED)
{
    static const double anchors[] = {1, 1. / 2, 1. / 3, 1}, pages[] = {.4, .4, .2, .05};
    static const uint64_t own[] = {3, 1}, facilitator[] = {3, 5};
    struct lattice *a = lattice_of(3, own, 2, 1), *b = lattice_of(3, facilitator, 2, 2);
    struct ability_links links = {0};
    struct formica f;

    assert_float_equal(ability_mean(&links), 0, 0);
    for (int i = 0; i < 4; i++)
        ability_add(&links, link_score(anchors[i], pages[i]), ABILITY_TAU);
    assert_int_equal(links.count, 2);
    assert_float_equal(ability_mean(&links), .3, 1e-12);
    formica_init(&f, NULL, 3, 3);
    assert_float_equal(ability(ABILITY_ALPHA, ability_mean(&links), formica_lattices(&f, a, b)),
                       .61875, 1e-12);
    lattice_free(a);
    lattice_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_matching_is_not_the_greedy_one),
        cmocka_unit_test(matchings_equal_those_of_trying_everything),
        cmocka_unit_test(intents_are_alike_by_their_best_matching),
        cmocka_unit_test(the_printed_floor_is_no_relation),
        cmocka_unit_test(a_concept_is_like_its_best_partner),
        cmocka_unit_test(lattices_are_alike_by_their_best_partners),
        cmocka_unit_test(nothing_is_like_an_empty_lattice),
        cmocka_unit_test(skipping_pairs_changes_nothing),
        cmocka_unit_test(everything_may_be_related),
        cmocka_unit_test(the_ability_of_a_small_agent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
