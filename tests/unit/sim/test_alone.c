/* Pages that are like no other, against a comparison of every pair.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/rng.h"
#include "sim/web/pack.h"

#define PAGES 1500

static void every_pair_agrees(void **state)
{
    static uint64_t simhashes[PAGES], payloads[PAGES];
    static bool alone[PAGES];
    struct rng r;

    (void)state;
    rng_init(&r, 5);
    for (size_t i = 0; i < PAGES; i++) {
        payloads[i] = rng_u64(&r);
        simhashes[i] = rng_u64(&r);
        if (i > 0 && i % 3 == 0) { /* 0 to 5 bits from an earlier one */
            simhashes[i] = simhashes[rng_below(&r, i)];
            for (size_t k = i % 6; k > 0; k--)
                simhashes[i] ^= UINT64_C(1) << rng_below(&r, 64);
        }
    }
    payloads[7] = payloads[901];
    alone_find(simhashes, payloads, PAGES, alone);
    assert_false(alone[7] || alone[901]);
    for (size_t i = 0; i < PAGES; i++) {
        bool has_company = false;

        for (size_t k = 0; k < PAGES; k++)
            has_company |= k != i && (payloads[i] == payloads[k] ||
                                      __builtin_popcountll(simhashes[i] ^ simhashes[k]) <= 3);
        assert_int_equal(alone[i], !has_company);
    }
}

static void one_page_is_alone(void **state)
{
    uint64_t hash = 1;
    bool alone = false;

    (void)state;
    alone_find(&hash, &hash, 1, &alone);
    assert_true(alone);
    alone_find(&hash, &hash, 0, &alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_agrees),
        cmocka_unit_test(one_page_is_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
