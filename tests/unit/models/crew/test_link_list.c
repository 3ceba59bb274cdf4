/* test_link_list.c - a few links, and as text in a message. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/crew/link_list.h"

static void scores_survive_being_written(void **state)
{
    struct buf text = BUF_INIT(1000);
    struct link_list l = {0};
    struct str rest;
    double score;
    uint32_t url;

    (void)state;
    for (uint32_t i = 1; i <= 20; i++)
        link_list_add(&l, i, link_rounded(1. / i / i / i));
    link_list_write(&l, SIZE_MAX, &text);
    rest = buf_str(&text);
    for (uint32_t i = 1; i <= 20; i++) {
        assert_true(link_text_next(&rest, &url, &score));
        assert_int_equal(url, i);
        assert_true(score == l.items[i - 1].score); /* to the last bit */
    }
    assert_false(link_text_next(&rest, &url, &score));
    buf_clear(&text);
    link_list_write(&l, 2, &text);
    assert_string_equal(text.data, "1=1 2=0.125 and 18 more");
    buf_free(&text);
    link_list_clear(&l);
}

static void scores_lie_between_0_and_1(void **state)
{
    (void)state;
    assert_float_equal(link_rounded(-1), 0, 0);
    assert_float_equal(link_rounded(2), 1, 0);
    assert_float_equal(link_rounded(4e-8), 0, 0);
    assert_float_equal(link_rounded(1. / 3), .3333333, 1e-12);
}

static void texts_end_at_the_first_word_that_is_no_link(void **state)
{
    struct str rest = STR("  12 15=0.5 and 3 more");
    double score = 7;
    uint32_t url;

    (void)state;
    assert_true(link_text_next(&rest, &url, &score));
    assert_int_equal(url, 12);
    assert_float_equal(score, 0, 0);
    assert_true(link_text_next(&rest, &url, &score));
    assert_float_equal(score, .5, 0);
    assert_false(link_text_next(&rest, &url, &score));
    for (const char *const *bad =
             (const char *const[]){"0", "-1", "99999999999", "1=", "1=x", "1=inf", "=1", "", NULL};
         *bad; bad++) {
        rest = str_of(*bad);
        assert_false(link_text_next(&rest, &url, &score));
    }
}

static void lists_are_saved(void **state)
{
    struct buf out = BUF_INIT(1000);
    struct link_list a = {0}, b = {0};
    struct cursor c;

    (void)state;
    for (uint32_t i = 1; i < 5; i++)
        link_list_add(&a, i * 10, 1. / i);
    link_list_remove(&a, 1);
    assert_int_equal(link_list_find(&a, 20), SIZE_MAX);
    assert_int_equal(link_list_find(&a, 40), 2);
    link_list_save(&a, &out);
    c = (struct cursor){.rest = buf_str(&out)};
    assert_int_equal(link_list_load(&b, &c), ST_OK);
    assert_int_equal(b.count, 3);
    assert_int_equal(b.items[1].url, 30);
    link_list_clear(&b);
    c = (struct cursor){.rest = str_sub(buf_str(&out), 0, out.len - 1)};
    assert_int_equal(link_list_load(&b, &c), ST_CORRUPT);
    link_list_clear(&a);
    link_list_clear(&b);
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_survive_being_written),
        cmocka_unit_test(scores_lie_between_0_and_1),
        cmocka_unit_test(texts_end_at_the_first_word_that_is_no_link),
        cmocka_unit_test(lists_are_saved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
