/* The account of memory. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/usage.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define TIMES 10000

static void *come_and_go(void *usage)
{
    for (int i = 0; i < TIMES; i++) {
        usage_add(usage, USAGE_BODIES, 1000);
        usage_add(usage, USAGE_BODIES, -1000);
    }
    return NULL;
}

static void what_threads_take_and_give_back_comes_to_nothing(void **state)
{
    struct usage u = {0};
    pthread_t threads[4];

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, &u), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(usage_now(&u, USAGE_BODIES), 0);
    assert_in_range(atomic_load(&u.peak[USAGE_BODIES]), 1000, 4000);
    usage_add(NULL, USAGE_BODIES, 1); /* nobody counts */
}

static void a_peak_stays_when_things_go(void **state)
{
    struct usage u = {.bodies_most = 100};

    (void)state;
    usage_set(&u, USAGE_URLS, 70);
    usage_set(&u, USAGE_URLS, 50);
    assert_int_equal(usage_now(&u, USAGE_URLS), 50);
    assert_int_equal(atomic_load(&u.peak[USAGE_URLS]), 70);
    usage_add(&u, USAGE_BODIES, 75);
    assert_false(usage_is_crowded(&u));
    usage_add(&u, USAGE_BODIES, 1);
    assert_true(usage_is_crowded(&u));
    assert_false(usage_is_crowded(NULL));
    for (enum usage_kind k = 0; k < USAGE_KINDS; k++)
        assert_true(strlen(usage_name(k)) > 3);
}

static void the_kernel_says_what_there_is(void **state)
{
    uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    int statm = usage_open();

    (void)state;
    assert_in_range(usage_machine(), 1, all);
    assert_in_range(usage_resident(statm), 1, all);
    (void)close(statm);
    assert_in_range(usage_resident_peak(), 1, all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_threads_take_and_give_back_comes_to_nothing),
        cmocka_unit_test(a_peak_stays_when_things_go),
        cmocka_unit_test(the_kernel_says_what_there_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
