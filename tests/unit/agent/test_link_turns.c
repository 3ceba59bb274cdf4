/* The turns of waiting links, and the items of a host.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/link_items.h"
#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

#define URLS 20000u

static void turns_are_given_back_whatever_their_order(void **state)
{
    struct link_turns t = {0};
    uint64_t *turns = mem_zero(URLS, sizeof *turns);
    struct rng rng;

    (void)state;
    rng_init(&rng, 4);
    for (uint32_t i = 0; i < 4 * URLS; i++) {
        /* first in order, with some left out; then at random, most of them in the first chunks */
        uint32_t url = i < URLS ? i : (uint32_t)rng_below(&rng, 1 + rng_below(&rng, URLS));

        if (i < URLS && i % 17 == 0)
            continue;
        if (i >= URLS && i % 3 == 0 && turns[url] != 0) {
            link_turns_drop(&t, url);
            turns[url] = 0;
            continue;
        }
        turns[url] = i + (i % 5 == 0 ? HEAP_SEQS - 5 * URLS : 1);
        link_turns_set(&t, url, turns[url]);
    }
    for (uint32_t url = 0; url < URLS; url++)
        if (turns[url] != 0)
            assert_int_equal(link_turns_get(&t, url), turns[url]);
    link_turns_clear(&t);
    free(turns);
}

/* The same links, with keys that are floats and with one that is not. */
static void items_of_both_sizes_leave_in_the_same_order(void **state)
{
    struct link_items short_ones = {0}, wide_ones = {0};
    struct link_places p = {0}, q = {0};
    struct rng rng;

    (void)state;
    rng_init(&rng, 5);
    for (uint32_t url = 1; url <= 1000; url++) {
        struct link_item item = {-0.125 * (double)rng_below(&rng, 50), url};

        link_turns_set(&p.turns, url, url);
        link_turns_set(&q.turns, url, url);
        link_items_put(&short_ones, &p, item);
        if (url == 500) /* not a float, and before all others of its key */
            item.key -= 1e-12;
        link_items_put(&wide_ones, &q, item);
    }
    assert_false(short_ones.is_wide);
    assert_true(wide_ones.is_wide);
    link_items_remove(&short_ones, &p, 500);
    assert_true(link_items_at(&wide_ones, q.at.at[500] - 1).key != -0.125 * 3);
    link_items_remove(&wide_ones, &q, 500);
    for (uint32_t left = 999; left > 0; left--) {
        struct link_item a = link_items_at(&short_ones, 0), b = link_items_at(&wide_ones, 0);

        assert_int_equal(a.url, b.url);
        assert_true(a.key == b.key);
        link_items_remove(&short_ones, &p, a.url);
        link_items_remove(&wide_ones, &q, b.url);
    }
    link_items_clear(&short_ones);
    link_items_clear(&wide_ones);
    heap_index_free(&p.at);
    heap_index_free(&q.at);
    link_turns_clear(&p.turns);
    link_turns_clear(&q.turns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_given_back_whatever_their_order),
        cmocka_unit_test(items_of_both_sizes_leave_in_the_same_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
