/* clock and rng. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/clock.h"
#include "base/rng.h"

#include <math.h>

static void moments_are_written_as_rfc_3339(void **state)
{
    char text[CLOCK_TEXT];

    (void)state;
    clock_format(0, 0, text);
    assert_string_equal(text, "1970-01-01T00:00:00Z");
    clock_format(INT64_C(951827696123456), 6, text);
    assert_string_equal(text, "2000-02-29T12:34:56.123456Z");
    clock_format(-1, 3, text);
    assert_string_equal(text, "1969-12-31T23:59:59.999Z");
}

static void civil_dates_and_days_agree_over_eight_centuries(void **state)
{
    int64_t day = clock_days(1600, 1, 1), year;
    int month, mday;

    (void)state;
    assert_int_equal(clock_days(1970, 1, 1), 0);
    for (; day < clock_days(2400, 1, 1); day++) {
        clock_civil(day, &year, &month, &mday);
        assert_int_equal(clock_days(year, month, mday), day);
    }
}

static void one_seed_gives_one_sequence(void **state)
{
    struct rng a, b, fork;

    (void)state;
    rng_init(&a, 1);
    rng_init(&b, 1);
    fork = rng_fork(&a, 1);
    for (int i = 0; i < 100; i++)
        assert_true(rng_u64(&a) == rng_u64(&b));
    rng_init(&a, 1);
    assert_true(rng_u64(&fork) != rng_u64(&a));
}

static void draws_have_the_moments_they_should(void **state)
{
    double sum = 0, square = 0, exponential = 0;
    struct rng r;
    int n = 200000;

    (void)state;
    rng_init(&r, 42);
    for (int i = 0; i < n; i++) {
        double x = rng_normal(&r);

        sum += x;
        square += x * x;
        exponential += rng_exponential(&r);
        assert_true(rng_below(&r, 7) < 7);
    }
    assert_true(fabs(sum / n) < 0.01);
    assert_true(fabs(square / n - 1) < 0.02);
    assert_true(fabs(exponential / n - 1) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_written_as_rfc_3339),
        cmocka_unit_test(civil_dates_and_days_agree_over_eight_centuries),
        cmocka_unit_test(one_seed_gives_one_sequence),
        cmocka_unit_test(draws_have_the_moments_they_should),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
