/* What happens as memory fills. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "crawl/memory.h"

static struct memory filled(unsigned percent)
{
    struct memory m = {.ceiling = MIB(1000), .resident = MIB(10) * percent};

    m.usage.bodies_most = (int64_t)MIB(250);
    m.level = memory_level(&m);
    return m;
}

static void each_level_begins_where_it_says(void **state)
{
    static const struct {
        unsigned percent;
        enum memory_level level;
    } cases[] = {
        {0, MEMORY_EASY},    {69, MEMORY_EASY},   {70, MEMORY_TIGHT}, {79, MEMORY_TIGHT},
        {80, MEMORY_SCARCE}, {94, MEMORY_SCARCE}, {95, MEMORY_FULL},  {150, MEMORY_FULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(filled(cases[i].percent).level, cases[i].level);
}

static void bodies_count_between_two_looks(void **state)
{
    struct memory m = filled(60);

    (void)state;
    m.bodies = (int64_t)MIB(50); /* at the last look */
    usage_set(&m.usage, USAGE_BODIES, MIB(150));
    assert_int_equal(memory_level(&m), MEMORY_TIGHT);
    usage_set(&m.usage, USAGE_BODIES, MIB(10)); /* the kernel will say what that freed */
    assert_int_equal(memory_level(&m), MEMORY_EASY);
}

static void the_fuller_it_is_the_fewer_requests_start(void **state)
{
    struct memory m;
    uint32_t before = 64, now;

    (void)state;
    m = filled(69);
    assert_int_equal(memory_requests(&m, 10, 64), 64);
    for (unsigned percent = 70; percent <= 95; percent += 5) {
        m = filled(percent);
        now = memory_requests(&m, 1, 64);
        assert_true(now <= before);
        before = now;
    }
    assert_int_equal(before, 0);
    assert_int_equal(memory_requests(&m, 0, 64), 1); /* nothing would ever change else */
}

static void while_bodies_have_their_share_no_more_are_asked_for(void **state)
{
    struct memory m = filled(30);

    (void)state;
    usage_set(&m.usage, USAGE_BODIES, MIB(249));
    assert_int_equal(memory_requests(&m, 10, 64), 64);
    usage_set(&m.usage, USAGE_BODIES, MIB(250));
    assert_int_equal(memory_requests(&m, 10, 64), 0);
}

static void large_bodies_are_given_up_before_small_ones_are_not_asked_for(void **state)
{
    struct arrival page = {.counted = KIB(100)};
    struct memory m = filled(30);
    uint64_t held = 0;

    (void)state;
    for (int i = 0; i < 100; i++)
        memory_arrived(&m, &page);
    while (!usage_is_crowded(&m.usage))
        usage_set(&m.usage, USAGE_BODIES, held += MIB(1));
    assert_in_range(held, MIB(100), MIB(200));
    assert_int_equal(memory_requests(&m, 40, 64), 64);
}

static void after_large_bodies_fewer_are_asked_for_at_once(void **state)
{
    struct arrival page = {.counted = KIB(100)}, large = {.counted = MIB(16)};
    struct memory m = filled(30);

    (void)state;
    for (int i = 0; i < 100; i++)
        memory_arrived(&m, &page);
    assert_int_equal(memory_requests(&m, 10, 64), 64);
    for (int i = 0; i < 100; i++)
        memory_arrived(&m, &large);
    assert_in_range(memory_requests(&m, 1, 64), 10, 20); /* 250 MiB of 16 each */
    assert_int_equal(memory_requests(&m, 20, 64), 0);
    for (int i = 0; i < 100; i++)
        memory_arrived(&m, &page);
    assert_int_equal(memory_requests(&m, 10, 64), 64);
}

static void what_a_broken_reply_held_is_not_expected_of_others(void **state)
{
    static const enum fetch_error errors[] = {FETCH_MEMORY, FETCH_TIMEOUT, FETCH_CANCELLED};
    struct memory m = filled(30);

    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct arrival broken = {.reply.error = errors[i], .counted = MIB(16)};

        for (int n = 0; n < 100; n++)
            memory_arrived(&m, &broken);
        assert_int_equal(memory_requests(&m, 40, 64), 64);
    }
}

static void without_a_ceiling_nothing_is_held_back(void **state)
{
    struct memory m = {.resident = MIB(4000)};

    (void)state;
    usage_set(&m.usage, USAGE_BODIES, MIB(3000));
    assert_int_equal(memory_requests(&m, 10, 64), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_level_begins_where_it_says),
        cmocka_unit_test(bodies_count_between_two_looks),
        cmocka_unit_test(the_fuller_it_is_the_fewer_requests_start),
        cmocka_unit_test(while_bodies_have_their_share_no_more_are_asked_for),
        cmocka_unit_test(large_bodies_are_given_up_before_small_ones_are_not_asked_for),
        cmocka_unit_test(after_large_bodies_fewer_are_asked_for_at_once),
        cmocka_unit_test(what_a_broken_reply_held_is_not_expected_of_others),
        cmocka_unit_test(without_a_ceiling_nothing_is_held_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
