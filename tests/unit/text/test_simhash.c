/* test_simhash.c - nearly the same text, nearly the same 64 bits.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/hash.h"
#include "base/rng.h"
#include "text/shingle.h"

#include <stdlib.h>

#define WORDS 1400

/* A text of words drawn from a vocabulary with a long tail. */
/* In how many bits two hashes differ, 0 to 64. */
static int distance(uint64_t a, uint64_t b)
{
    return __builtin_popcountll(a ^ b);
}

static void draw(struct rng *r, uint32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t rank = rng_below(r, rng_below(r, 3000) + 1);

        ids[i] = (uint32_t)hash_u64(rank + 1) | 1;
    }
}

/* The definition, bit by bit. */
static uint64_t slow(const uint32_t *ids, size_t n)
{
    uint64_t hash = 0;

    for (int bit = 0; bit < 64; bit++) {
        size_t ones = 0;

        for (size_t i = 0; i + 1 < n; i++)
            ones += hash_u64((uint64_t)ids[i] << 32 | ids[i + 1]) >> bit & 1;
        if (ones > (n - 1) / 2)
            hash |= UINT64_C(1) << bit;
    }
    return hash;
}

static void upright_counters_give_the_definition(void **state UNUSED)
{
    struct rng r;
    uint32_t ids[600];

    rng_init(&r, 7);
    draw(&r, ids, 600);
    for (size_t n = 2; n < 600; n += n < 40 ? 1 : 97)
        assert_true(simhash_of(ids, n) == slow(ids, n));
}

static void nothing_is_0_and_one_word_is_itself(void **state UNUSED)
{
    uint32_t a = 5, b = 6;

    assert_true(simhash_of(NULL, 0) == 0);
    assert_true(simhash_of(&a, 1) != 0);
    assert_true(simhash_of(&a, 1) != simhash_of(&b, 1));
}

static void unrelated_texts_differ_in_about_half_the_bits(void **state UNUSED)
{
    struct rng r;
    uint32_t a[WORDS], b[WORDS];
    int sum = 0;

    rng_init(&r, 1);
    for (int i = 0; i < 50; i++) {
        int d;

        draw(&r, a, WORDS);
        draw(&r, b, WORDS);
        d = distance(simhash_of(a, WORDS), simhash_of(b, WORDS));
        assert_true(d > 10);
        sum += d;
    }
    assert_in_range(sum / 50, 22, 36);
}

static void a_few_changed_words_change_a_few_bits(void **state UNUSED)
{
    struct rng r;
    uint32_t a[WORDS];
    int sum = 0, near = 0;

    rng_init(&r, 2);
    for (int i = 0; i < 50; i++) {
        uint64_t before;
        int d;

        draw(&r, a, WORDS);
        before = simhash_of(a, WORDS);
        for (int k = 0; k < 5; k++)
            a[rng_below(&r, WORDS)] = (uint32_t)rng_u64(&r) | 1;
        d = distance(before, simhash_of(a, WORDS));
        sum += d;
        near += d <= 4;
    }
    assert_true(sum <= 50 * 3);
    assert_true(near >= 40);
}

static void the_order_of_words_counts(void **state UNUSED)
{
    struct rng r;
    uint32_t a[WORDS], b[WORDS];

    rng_init(&r, 3);
    draw(&r, a, WORDS);
    for (size_t i = 0; i < WORDS; i++)
        b[i] = a[WORDS - 1 - i];
    assert_true(distance(simhash_of(a, WORDS), simhash_of(b, WORDS)) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upright_counters_give_the_definition),
        cmocka_unit_test(nothing_is_0_and_one_word_is_itself),
        cmocka_unit_test(unrelated_texts_differ_in_about_half_the_bits),
        cmocka_unit_test(a_few_changed_words_change_a_few_bits),
        cmocka_unit_test(the_order_of_words_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
