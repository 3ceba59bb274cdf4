/* How long a crawl goes between two checkpoints: what a power cut may cost.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/clock.h"
#include "crawl/crawl_int.h"

static void a_small_crawl_is_saved_every_second(void **state)
{
    (void)state;
    assert_int_equal(checkpoint_wait(US_PER_S, 1000, 1 << 20), US_PER_S);
    assert_int_equal(checkpoint_wait(US_PER_S / 10, 1000, 1 << 10), US_PER_S / 10);
}

static void a_costly_checkpoint_is_followed_by_a_longer_wait(void **state)
{
    (void)state;
    assert_int_equal(checkpoint_wait(US_PER_S, US_PER_S / 2, 1 << 20), 10 * US_PER_S);
    assert_int_equal(checkpoint_wait(US_PER_S, 1000, INT64_C(40000000)), 10 * US_PER_S);
}

static void no_crawl_goes_more_than_thirty_seconds_unsaved(void **state)
{
    (void)state;
    for (int64_t seconds = 0; seconds < 3600; seconds += 7)
        for (int64_t mib = 0; mib <= 4096; mib += 64)
            assert_in_range(checkpoint_wait(US_PER_S, seconds * US_PER_S, mib << 20), US_PER_S,
                            30 * US_PER_S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_crawl_is_saved_every_second),
        cmocka_unit_test(a_costly_checkpoint_is_followed_by_a_longer_wait),
        cmocka_unit_test(no_crawl_goes_more_than_thirty_seconds_unsaved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
