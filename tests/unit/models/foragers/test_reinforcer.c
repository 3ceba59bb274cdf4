/* The reinforcing agent: algorithms 7 and 8 in units of 0.05. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/foragers/reinforcer.h"
#include "base/os/clock.h"

#define HOUR (3600 * (int64_t)US_PER_S)
#define NOW  (1000 * HOUR)

static const struct reinforcer_config paper = {
    .reward = 100,
    .penalty = -1,
    .init = 2000,
    .min = 0,
    .max = 4000,
    .plus = 20,
    .minus = 1,
    .least = 2,
    .most = 16,
    .max_age = 24 * HOUR,
};

/* 100, 200, 1 and 0.05 are 2000, 4000, 20 and 1 units, with nothing lost. */
static void scores_are_whole_numbers_of_a_twentieth(void **state)
{
    (void)state;
    assert_int_equal(score_units(100), 2000);
    assert_int_equal(score_units(200), 4000);
    assert_int_equal(score_units(1), 20);
    assert_int_equal(score_units(0.05), 1);
    assert_int_equal(score_units(-0.15), -3);
}

/* The first to send it has +1 - 0.05 = 19 units and 100; the second -0.05 and -1. */
static void only_the_first_to_send_a_document_is_rewarded(void **state)
{
    struct document d = {.id = 7, .date = NOW - HOUR};
    struct reinforcer r = {0};
    struct judgement j;

    (void)state;
    j = reinforcer_judge(&r, &paper, &d, NOW);
    assert_true(j.relevant);
    assert_float_equal(j.profit, 100, 0);
    assert_int_equal(j.units, 19);
    j = reinforcer_judge(&r, &paper, &d, NOW);
    assert_false(j.relevant);
    assert_float_equal(j.profit, -1, 0);
    assert_int_equal(j.units, -1);
    assert_int_equal(r.sent, 2);
    assert_int_equal(r.relevant, 1);
    reinforcer_clear(&r);
}

/* 24 hours are not older than 24 hours; one microsecond more is. Relevance counts from
 * the threshold on. What was refused can be sent again: it was not new to nobody. */
static void old_documents_and_those_of_another_topic_are_not_relevant(void **state)
{
    struct reinforcer_config c = paper;
    struct document d = {.id = 7, .date = NOW - 24 * HOUR, .relevance = 0.09};
    struct reinforcer r = {0};

    (void)state;
    c.relevant = 0.1;
    assert_false(reinforcer_judge(&r, &c, &d, NOW).relevant);
    d.relevance = 0.1;
    assert_false(reinforcer_judge(&r, &c, &d, NOW + 1).relevant);
    assert_true(reinforcer_judge(&r, &c, &d, NOW).relevant);
    d = (struct document){.id = 8, .date = NOW + HOUR, .relevance = 1}; /* a clock ahead */
    assert_true(reinforcer_judge(&r, &c, &d, NOW).relevant);
    reinforcer_clear(&r);
}

/* 19 - 19 * 1 = 0: one relevant document in twenty sent. */
static void one_in_twenty_breaks_even(void **state)
{
    struct document d = {.id = 1, .date = NOW};
    struct reinforcer r = {0};
    int64_t score = 2000;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        d.id = i % 20 ? 1 : (uint32_t)i + 2;
        if (i == 0)
            (void)url_set_add(&r.seen, 1);
        score += reinforcer_judge(&r, &paper, &d, NOW).units;
    }
    assert_int_equal(score, 2000);
    assert_int_equal(r.relevant, 100);
    reinforcer_clear(&r);
}

static void foragers_multiply_and_die_within_their_bounds(void **state)
{
    struct reinforcer_config below = paper;

    (void)state;
    below.below = true;
    assert_int_equal(reinforcer_manage(&paper, 3999, 2), FATE_GOES_ON);
    assert_int_equal(reinforcer_manage(&paper, 4000, 15), FATE_MULTIPLIES);
    assert_int_equal(reinforcer_manage(&paper, 9000, 16), FATE_GOES_ON);
    assert_int_equal(reinforcer_manage(&paper, 1, 16), FATE_GOES_ON);
    assert_int_equal(reinforcer_manage(&paper, 0, 3), FATE_DIES);
    assert_int_equal(reinforcer_manage(&paper, -500, 2), FATE_GOES_ON);
    assert_int_equal(reinforcer_manage(&below, 0, 3), FATE_GOES_ON);
    assert_int_equal(reinforcer_manage(&below, -1, 3), FATE_DIES);
}

static void scores_have_no_bounds_unless_asked_for(void **state)
{
    struct reinforcer_config c = paper;

    (void)state;
    assert_int_equal(reinforcer_bound(&c, 9000), 9000);
    assert_int_equal(reinforcer_bound(&c, -9), -9);
    c.cap = c.clamp = true;
    assert_int_equal(reinforcer_bound(&c, 9000), 4000);
    assert_int_equal(reinforcer_bound(&c, -9), 0);
    assert_int_equal(reinforcer_bound(&c, 17), 17);
}

/* Gaps of one, two and three bytes: 5, 200, 200 + 20000, and the largest number. */
static void what_was_seen_is_saved_in_a_few_bytes(void **state)
{
    static const uint32_t ids[] = {5, 200, 20200, 200000000};
    struct buf saved = BUF_INIT(4096);
    struct reinforcer r = {.sent = 9, .relevant = 4}, other = {0};
    struct cursor c;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        (void)url_set_add(&r.seen, ids[i]);
    reinforcer_save(&r, &saved);
    assert_int_equal(saved.len, 16 + 4 + 1 + 2 + 3 + 4);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(reinforcer_load(&other, &c), ST_OK);
    for (size_t i = 0; i < 4; i++)
        assert_true(url_set_has(&other.seen, ids[i]));
    assert_false(url_set_has(&other.seen, 201));
    assert_int_equal(other.relevant, 4);
    for (size_t len = 0; len < saved.len; len++) {
        reinforcer_clear(&other);
        c = (struct cursor){.rest = str_sub(buf_str(&saved), 0, len)};
        assert_int_equal(reinforcer_load(&other, &c), ST_CORRUPT);
    }
    reinforcer_clear(&other);
    memset(saved.data + 20, 0xff, saved.len - 20); /* a gap without end */
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(reinforcer_load(&other, &c), ST_CORRUPT);
    reinforcer_clear(&other);
    reinforcer_clear(&r);
    buf_free(&saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_whole_numbers_of_a_twentieth),
        cmocka_unit_test(only_the_first_to_send_a_document_is_rewarded),
        cmocka_unit_test(old_documents_and_those_of_another_topic_are_not_relevant),
        cmocka_unit_test(one_in_twenty_breaks_even),
        cmocka_unit_test(foragers_multiply_and_die_within_their_bounds),
        cmocka_unit_test(scores_have_no_bounds_unless_asked_for),
        cmocka_unit_test(what_was_seen_is_saved_in_a_few_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
