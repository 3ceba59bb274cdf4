/* test_vec.c - sparse vectors. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "base/rng.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

static void counting_sorts_and_adds_up(void **state UNUSED)
{
    uint32_t ids[] = {9, 2, 9, 4000000000u, 2, 9}, scratch[6];
    struct term terms[6];

    assert_int_equal(vec_count(ids, 6, scratch, terms), 3);
    assert_int_equal(terms[0].id, 2);
    assert_int_equal(terms[0].count, 2);
    assert_int_equal(terms[1].id, 9);
    assert_int_equal(terms[1].count, 3);
    assert_int_equal(terms[2].id, 4000000000u);
    assert_int_equal(terms[2].count, 1);
    assert_int_equal(vec_count(ids, 0, scratch, terms), 0);
}

static int id_cmp(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static void counting_is_right_for_all_sizes(void **state UNUSED)
{
    enum { MOST = 3000 };
    uint32_t *ids = mem_zero(MOST, 4), *copy = mem_zero(MOST, 4), *scratch = mem_zero(MOST, 4);
    struct term *terms = mem_zero(MOST, sizeof *terms);
    struct rng r;

    rng_init(&r, 4);
    for (size_t n = 1; n < MOST; n = n * 5 / 4 + 1) {
        size_t used, k = 0;

        for (size_t i = 0; i < n; i++)
            copy[i] = ids[i] =
                rng_below(&r, 2) ? (uint32_t)rng_u64(&r) : (uint32_t)rng_below(&r, 9);
        qsort(copy, n, sizeof *copy, id_cmp);
        used = vec_count(ids, n, scratch, terms);
        for (size_t i = 0; i < used; i++) {
            assert_true(i == 0 || terms[i - 1].id < terms[i].id);
            for (uint32_t c = 0; c < terms[i].count; c++)
                assert_int_equal(copy[k++], terms[i].id);
        }
        assert_int_equal(k, n);
    }
    free(ids);
    free(copy);
    free(scratch);
    free(terms);
}

/* a = (3, 4, 0), b = (0, 4, 3): 16 / (5 * 5) */
static const struct term a[] = {{1, 3}, {2, 4}};
static const struct term b[] = {{2, 4}, {3, 3}};

static void raw_cosine_by_hand(void **state UNUSED)
{
    assert_float_equal(vec_cosine_raw(a, 2, b, 2), 16.0 / 25, 1e-6);
    assert_float_equal(vec_cosine_raw(a, 2, a, 2), 1, 1e-6);
    assert_true(vec_cosine_raw(a, 2, a, 2) <= 1);
    assert_float_equal(vec_cosine_raw(a, 1, b, 2), 0, 0);
    assert_float_equal(vec_cosine_raw(a, 0, b, 2), 0, 0);
}

static void tfidf_cosine_without_documents_is_a_cosine_of_logarithms(void **state UNUSED)
{
    double x = 1 + log(3), y = 1 + log(4);

    assert_float_equal(vec_cosine_tfidf(a, 2, b, 2, NULL), (float)(y * y / (x * x + y * y)), 1e-6);
}

static void tfidf_cosine_by_hand(void **state UNUSED)
{
    /* four documents: 1 in one of them, 2 in all, 3 in two */
    static const struct term one[] = {{1, 1}, {2, 1}, {3, 1}}, two[] = {{2, 7}, {3, 1}},
                             rest[] = {{2, 1}};
    struct vocab *v = vocab_new();
    struct df_table *df;
    double i1 = log(1 + 4.0 / 1), i2 = log(1 + 4.0 / 4), i3 = log(1 + 4.0 / 2);
    double a1 = (1 + log(3)) * i1, a2 = (1 + log(4)) * i2, b2 = a2, b3 = (1 + log(3)) * i3;

    vocab_add(v, &(struct profile){.terms = one, .nterms = 3});
    vocab_add(v, &(struct profile){.terms = two, .nterms = 2});
    vocab_add(v, &(struct profile){.terms = rest, .nterms = 1});
    vocab_add(v, &(struct profile){.terms = rest, .nterms = 1});
    df = vocab_publish(v);
    assert_float_equal(vec_cosine_tfidf(a, 2, b, 2, df),
                       (float)(a2 * b2 / (sqrt(a1 * a1 + a2 * a2) * sqrt(b2 * b2 + b3 * b3))),
                       1e-6);
    df_release(df);
    vocab_free(v);
}

static void merging_adds_counts_and_stops_at_the_top(void **state UNUSED)
{
    static const struct term big[] = {{2, UINT32_MAX}};
    struct term sum[4];

    assert_int_equal(vec_merge(a, 2, b, 2, sum), 3);
    assert_int_equal(sum[0].count, 3);
    assert_int_equal(sum[1].count, 8);
    assert_int_equal(sum[2].id, 3);
    assert_int_equal(vec_merge(a, 2, big, 1, sum), 2);
    assert_int_equal(sum[1].count, UINT32_MAX);
    assert_int_equal(vec_merge(a, 0, b, 2, sum), 2);
}

static void finding_is_by_id(void **state UNUSED)
{
    assert_int_equal(vec_find(a, 2, 2), 4);
    assert_int_equal(vec_find(a, 2, 3), 0);
    assert_int_equal(vec_find(a, 0, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting_sorts_and_adds_up),
        cmocka_unit_test(counting_is_right_for_all_sizes),
        cmocka_unit_test(raw_cosine_by_hand),
        cmocka_unit_test(tfidf_cosine_without_documents_is_a_cosine_of_logarithms),
        cmocka_unit_test(tfidf_cosine_by_hand),
        cmocka_unit_test(merging_adds_counts_and_stops_at_the_top),
        cmocka_unit_test(finding_is_by_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
