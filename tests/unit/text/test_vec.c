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
    enum { MOST = 90000 };
    uint32_t *ids = mem_zero(MOST, 4), *copy = mem_zero(MOST, 4), *scratch = mem_zero(MOST, 4);
    struct term *terms = mem_zero(MOST, sizeof *terms);
    struct rng r;

    rng_init(&r, 4);
    for (size_t n = 1; n < MOST; n = n * 5 / 4 + 1) {
        size_t used, k = 0;

        for (size_t i = 0; i < n; i++)
            copy[i] = ids[i] = /* of every second size, half are few and near each other */
                rng_below(&r, n % 2 ? 2 : 40) ? (uint32_t)rng_u64(&r) : (uint32_t)rng_below(&r, 9);
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

static void a_ratio_is_a_cosine_between_0_and_1(void **state UNUSED)
{
    /* (3, 4, 0) and (0, 4, 3): 16 / (5 * 5) */
    assert_float_equal(vec_ratio(16, 25, 25), 16.0 / 25, 1e-6);
    assert_float_equal(vec_ratio(25, 25, 25), 1, 0);
    assert_float_equal(vec_ratio(25 + 1e-9, 25, 25), 1, 0);
    assert_float_equal(vec_ratio(0, 25, 25), 0, 0);
    assert_float_equal(vec_ratio(1, 0, 25), 0, 0);
}

static void finding_is_by_id(void **state UNUSED)
{
    static const struct term a[] = {{1, 3}, {2, 4}};

    assert_int_equal(vec_find(a, 2, 2), 4);
    assert_int_equal(vec_find(a, 2, 3), 0);
    assert_int_equal(vec_find(a, 0, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting_sorts_and_adds_up),
        cmocka_unit_test(counting_is_right_for_all_sizes),
        cmocka_unit_test(a_ratio_is_a_cosine_between_0_and_1),
        cmocka_unit_test(finding_is_by_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
