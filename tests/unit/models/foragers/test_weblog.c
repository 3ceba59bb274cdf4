/* The weblog: algorithms 1 and 6, computed by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/foragers/weblog.h"
#include "base/os/clock.h"
#include "base/mem.h"

/* "3:96 7:57.7" */
static const char *shown(const struct weblog *w)
{
    static struct buf text = BUF_INIT(1 << 16);

    buf_clear(&text);
    buf_add_z(&text, "");
    for (size_t i = 0; i < w->count; i++)
        buf_addf(&text, "%s%u:%g", i ? " " : "", w->entries[i].url, w->entries[i].value);
    return text.data ? text.data : "";
}

/* URLs 1, 2, 3 bring -3, 100, -1: from 1 on 96, from 2 on 99, from 3 on -1. 1 and 3 are
 * new; 2 had 40: 0.7 * 40 + 0.3 * 99 = 57.7. 9 was not on the path. */
static void new_urls_get_the_rest_of_the_path_and_known_ones_move_towards_it(void **state)
{
    struct weblog_step path[] = {
        {.url = 1, .gain = -3}, {.url = 2, .gain = 100}, {.url = 3, .gain = -1}};
    struct weblog w;

    (void)state;
    weblog_init(&w, 100);
    assert_true(weblog_add(&w, 2, 40));
    assert_true(weblog_add(&w, 9, 10));
    weblog_update(&w, path, 3, 0.3);
    assert_string_equal(shown(&w), "1:96 2:57.7 9:10 3:-1");
    assert_false(path[0].revisited);
    assert_true(path[1].revisited);
    assert_false(path[2].revisited);
    weblog_clear(&w);
}

static void no_path_changes_nothing(void **state)
{
    struct weblog w;

    (void)state;
    weblog_init(&w, 100);
    (void)weblog_add(&w, 5, 0);
    weblog_update(&w, NULL, 0, 0.3);
    assert_string_equal(shown(&w), "5:0");
    weblog_clear(&w);
}

/* Seeds have 0. The path brings -2 from 11 on and -1 from 12 on: both stand behind the
 * seeds; of three places the last one is for 12. */
static void seeds_stand_above_what_only_cost_and_the_end_falls_off(void **state)
{
    struct weblog_step path[] = {{.url = 11, .gain = -1}, {.url = 12, .gain = -1}};
    struct weblog w;

    (void)state;
    weblog_init(&w, 3);
    (void)weblog_add(&w, 1, 0);
    (void)weblog_add(&w, 2, 0);
    weblog_update(&w, path, 2, 0.3);
    assert_string_equal(shown(&w), "1:0 2:0 12:-1");
    assert_false(weblog_add(&w, 13, -5)); /* no place left for so little */
    assert_false(weblog_add(&w, 1, 50));  /* it is in */
    assert_int_equal(weblog_starts(&w, 10), 3);
    assert_int_equal(weblog_starts(&w, 2), 2);
    weblog_clear(&w);
}

/* Two steps without gain: 7 and 8 are worth 0, as 1 and 2 are, and came later. */
static void of_equals_the_first_to_come_stands_first(void **state)
{
    struct weblog_step path[] = {{.url = 8}, {.url = 7}};
    struct weblog w;

    (void)state;
    weblog_init(&w, 10);
    (void)weblog_add(&w, 2, 0);
    (void)weblog_add(&w, 1, 0);
    weblog_update(&w, path, 2, 0.3);
    assert_string_equal(shown(&w), "2:0 1:0 8:0 7:0");
    weblog_clear(&w);
}

/* As in the first test, but the 100 of URL 2 come after the update: 1 had -4 and gets
 * 96; 2 had 0.7 * 40 + 0.3 * -1 = 27.7 and gets 0.3 * 100 more; 3 is behind it. */
static void a_late_gain_ends_as_one_in_time(void **state)
{
    struct weblog_step path[] = {
        {.url = 1, .gain = -3}, {.url = 2, .gain = 0}, {.url = 3, .gain = -1}};
    struct weblog w;

    (void)state;
    weblog_init(&w, 100);
    (void)weblog_add(&w, 2, 40);
    (void)weblog_add(&w, 9, 10);
    weblog_update(&w, path, 3, 0.3);
    assert_string_equal(shown(&w), "2:27.7 9:10 3:-1 1:-4");
    weblog_late(&w, path, 2, 100, 0.3);
    assert_string_equal(shown(&w), "1:96 2:57.7 9:10 3:-1");
    weblog_clear(&w);
}

static void split(size_t size, size_t *ret_kept, size_t *ret_given)
{
    struct weblog w, child;
    struct rng r;

    rng_init(&r, size);
    weblog_init(&w, 100);
    weblog_init(&child, 100);
    for (size_t i = 0; i < size; i++)
        (void)weblog_add(&w, (uint32_t)i + 1, (double)(size - i));
    weblog_split(&w, &child, &r);
    for (size_t i = 0; i < child.count; i++) {
        assert_int_equal(weblog_find(&w, child.entries[i].url) != NULL, size < 2);
        assert_true(child.entries[i].value == (double)(size + 1 - child.entries[i].url));
        assert_true(i == 0 || child.entries[i - 1].value > child.entries[i].value);
    }
    *ret_kept = w.count;
    *ret_given = child.count;
    weblog_clear(&w);
    weblog_clear(&child);
}

static void a_child_gets_half_of_a_full_weblog_and_a_copy_of_a_single_url(void **state)
{
    static const size_t sizes[][3] = {{100, 50, 50}, {7, 4, 3}, {2, 1, 1}, {1, 1, 1}, {0, 0, 0}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        size_t kept, given;

        split(sizes[i][0], &kept, &given);
        assert_int_equal(kept, sizes[i][1]);
        assert_int_equal(given, sizes[i][2]);
    }
}

/* URL 1 is seen every hour, 20 times, changed every time: (n - X + .5) / (n + .5) is
 * 0.5 / 20.5, 3.71 changes an hour. URL 2 never changes: 3/23 of once a day. So nearly
 * all draws are of 1; at random, about half. */
static void a_lively_page_is_drawn_more_often(void **state)
{
    int64_t hour = 3600 * (int64_t)US_PER_S;
    unsigned lively = 0, any = 0;
    struct weblog w;
    struct rng r;

    (void)state;
    rng_init(&r, 1);
    weblog_init(&w, 10);
    (void)weblog_add(&w, 1, 0);
    (void)weblog_add(&w, 2, 0);
    for (int i = 1; i <= 21; i++) {
        weblog_looked(&w, 1, i * hour, true);
        weblog_looked(&w, 2, i * hour, false);
        weblog_looked(&w, 3, i * hour, true); /* not in it */
    }
    assert_int_equal(w.entries[0].seen.visits, 20);
    for (int i = 0; i < 1000; i++) {
        lively += weblog_draw(&w, 2, true, &r) == 0;
        any += weblog_draw(&w, 2, false, &r) == 0;
    }
    assert_true(lively > 990);
    assert_true(any > 400 && any < 600);
    weblog_clear(&w);
}

static void what_is_saved_is_loaded_and_damage_is_noticed(void **state)
{
    struct buf saved = BUF_INIT(1 << 16), again = BUF_INIT(1 << 16);
    struct weblog w, other;
    struct cursor c;

    (void)state;
    weblog_init(&w, 3);
    (void)weblog_add(&w, 4, 1.5);
    (void)weblog_add(&w, 6, -2);
    w.entries[1].failures = 2;
    weblog_looked(&w, 4, 10, true);
    weblog_looked(&w, 4, 5000010, true);
    weblog_save(&w, &saved);
    weblog_init(&other, 3);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(weblog_load(&other, &c), ST_OK);
    weblog_save(&other, &again);
    assert_int_equal(again.len, saved.len);
    assert_memory_equal(again.data, saved.data, saved.len);
    weblog_clear(&other);
    for (size_t len = 0; len < saved.len; len++) {
        c = (struct cursor){.rest = str_sub(buf_str(&saved), 0, len)};
        assert_int_equal(weblog_load(&other, &c), ST_CORRUPT);
        weblog_clear(&other);
    }
    weblog_init(&other, 1); /* longer than it may be */
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(weblog_load(&other, &c), ST_CORRUPT);
    weblog_clear(&other);
    weblog_clear(&w);
    buf_free(&saved);
    buf_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_urls_get_the_rest_of_the_path_and_known_ones_move_towards_it),
        cmocka_unit_test(no_path_changes_nothing),
        cmocka_unit_test(seeds_stand_above_what_only_cost_and_the_end_falls_off),
        cmocka_unit_test(of_equals_the_first_to_come_stands_first),
        cmocka_unit_test(a_late_gain_ends_as_one_in_time),
        cmocka_unit_test(a_child_gets_half_of_a_full_weblog_and_a_copy_of_a_single_url),
        cmocka_unit_test(a_lively_page_is_drawn_more_often),
        cmocka_unit_test(what_is_saved_is_loaded_and_damage_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
