/* test_series.c - curves of bounded size. SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "dash/api/series.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void fill(struct series *s, int64_t seconds)
{
    for (int64_t i = 0; i < seconds; i++) {
        series_add(s, i * US_PER_S, STR("pages"), (double)(10 * i));
        if (i % 2 == 0)
            series_add(s, i * US_PER_S, STR("odd"), 1);
    }
}

static void samples_of_one_second_make_a_frame(void **state)
{
    struct series s = {0};

    (void)state;
    fill(&s, 3);
    assert_int_equal(s.frames, 3);
    assert_int_equal(s.metrics, 2);
    assert_int_equal(s.at[2], 2 * US_PER_S);
    assert_true(s.values[1 * LIMIT_DASH_METRICS + series_find(&s, STR("pages"))] == 10);
    assert_true(isnan(s.values[1 * LIMIT_DASH_METRICS + series_find(&s, STR("odd"))]));
    assert_true(series_last(&s, "pages") == 20);
    assert_true(series_last(&s, "odd") == 1);
    assert_true(isnan(series_last(&s, "none")));
    assert_int_equal(series_find(&s, STR("none")), SIZE_MAX);
    series_clear(&s);
}

/* 100,000 seconds into 2,048 frames: every 64th is kept (100,000 / 64 = 1,563 of them,
 * between a half and all), evenly; and the newest one. */
static void a_long_crawl_stays_bounded_and_even(void **state)
{
    struct series s = {0};

    (void)state;
    fill(&s, 100000);
    assert_int_equal(s.step, 64);
    assert_in_range(s.frames, SERIES_FRAMES / 2, SERIES_FRAMES);
    for (size_t i = 1; i + 1 < s.frames; i++)
        assert_int_equal(s.at[i] - s.at[i - 1], 64 * US_PER_S);
    assert_int_equal(s.at[0], 0);
    assert_int_equal(s.at[s.frames - 1], 99999 * US_PER_S);
    assert_true(series_last(&s, "pages") == 999990);
    series_clear(&s);
}

/* 10 pages a second, whatever the span; nothing to divide by: 0. */
static void a_rate_is_growth_over_time(void **state)
{
    struct series s = {0};

    (void)state;
    assert_true(series_rate(&s, "pages", US_PER_S) == 0);
    fill(&s, 100);
    assert_true(fabs(series_rate(&s, "pages", US_PER_S) - 10) < 1e-9);
    assert_true(fabs(series_rate(&s, "pages", 60 * US_PER_S) - 10) < 1e-9);
    assert_true(fabs(series_rate(&s, "pages", 1000 * US_PER_S) - 10) < 1e-9);
    assert_true(series_rate(&s, "none", US_PER_S) == 0);
    series_clear(&s);
}

/* Stopped for an hour after 100 s: its speed is that of the 20 s since then. */
static void a_rate_is_that_of_work(void **state)
{
    struct series s = {0};

    (void)state;
    fill(&s, 100);
    for (int64_t i = 0; i <= 20; i++)
        series_add(&s, (3700 + i) * US_PER_S, STR("pages"), 1000 + 5 * (double)i);
    assert_true(fabs(series_rate(&s, "pages", 60 * US_PER_S) - 5) < 1e-9);
    series_clear(&s);
}

static void there_are_not_more_curves_than_fit(void **state)
{
    struct series s = {0};
    char name[16];

    (void)state;
    for (int i = 0; i < 2 * LIMIT_DASH_METRICS; i++) {
        (void)snprintf(name, sizeof name, "m%d", i);
        series_add(&s, 0, str_of(name), i);
    }
    assert_int_equal(s.metrics, LIMIT_DASH_METRICS);
    series_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_of_one_second_make_a_frame),
        cmocka_unit_test(a_long_crawl_stays_bounded_and_even),
        cmocka_unit_test(a_rate_is_growth_over_time),
        cmocka_unit_test(a_rate_is_that_of_work),
        cmocka_unit_test(there_are_not_more_curves_than_fit),
    };

    return cmocka_run_group_tests_name("dash series", tests, NULL, NULL);
}
