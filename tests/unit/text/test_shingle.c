/* test_shingle.c - what a reader would call a change, and what not.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/buf.h"
#include "base/limits.h"
#include "text/shingle.h"

#include <stdio.h>
#include <stdlib.h>

static struct shingle_difference compare(const char *old, const char *new, bool *ret_changed)
{
    struct shingles *a = shingles_of(str_of(old)), *b = shingles_of(str_of(new));
    struct shingle_difference d = shingles_compare(a, b);

    *ret_changed = shingles_changed(a, b);
    free(a);
    free(b);
    return d;
}

static bool changed(const char *old, const char *new)
{
    bool ret;

    (void)compare(old, new, &ret);
    return ret;
}

/* A page of many lines, different from each other; `line` in its middle. */
static const char *page_with(const char *line)
{
    static const char *const words[] = {"tide", "reef", "sand", "wind", "boat", "gull", "rope"};
    static struct buf pages[4];
    static unsigned turn;
    struct buf *p = &pages[turn++ % 4];

    if (p->max == 0)
        buf_init(p, 1 << 20);
    buf_clear(p);
    for (unsigned i = 0; i < 200; i++) {
        if (i == 100)
            buf_add_z(p, line);
        buf_addf(p, "the %s and a %s meet the %s near %s with %s\n", words[i % 7], words[i / 7 % 7],
                 words[i / 49 % 7], words[(i + 3) % 7], words[(i * 3 + i / 7) % 7]);
    }
    return p->data;
}

/* "a b c d": abc, bcd. "a b c e": abc, bce. */
static void shingles_are_three_words_in_a_row(void **state)
{
    struct shingles *s = shingles_of(STR("one two three four"));
    struct shingle_difference d;
    bool is;

    (void)state;
    assert_int_equal(s->count, 2);
    assert_true(s->items[0] & 1 && s->items[1] & 1 && s->items[0] < s->items[1]);
    free(s);
    d = compare("one two three four", "One, two; THREE five!", &is);
    assert_int_equal(d.fresh, 1);
    assert_int_equal(d.gone, 1);
    assert_int_equal(d.fresh_weak + d.gone_weak, 0);
    /* Three words are a short block: one weak shingle of them all. */
    d = compare("one two three", "one two four", &is);
    assert_int_equal(d.fresh_weak, 1);
    assert_int_equal(d.gone_weak, 1);
    s = shingles_of(STR(""));
    assert_int_equal(s->count, 0);
    free(s);
}

static void stamps_counters_and_dates_are_no_change(void **state)
{
    static const struct {
        const char *old, *new;
    } pairs[] = {
        {"$OpenBSD: a.html,v 1.6 2005/01/02 10:00:00 me Exp $\n",
         "$OpenBSD: a.html,v 1.7 2006/11/12 11:00:00 someone Exp $\n"},
        {"You are visitor number 10,771 of this page\n",
         "You are visitor number 10,790 of this page\n"},
        {"This page was last changed on Mon, 3 January 2005 10:12 GMT\n",
         "This page was last changed on Friday, 12 May 2006 at 11:40 CEST\n"},
        {"3 hours ago\n", "1 day ago\n"},
        {"Copyright 2004 by the people of the reef and others\n",
         "Copyright 2005 by the people of the reef and others\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (changed(page_with(pairs[i].old), page_with(pairs[i].new)))
            fail_msg("%s", pairs[i].new);
}

static void a_line_of_news_on_a_long_page_is_a_change(void **state)
{
    (void)state;
    assert_true(changed(page_with(""), page_with("New reef found north of island\n")));
    assert_true(changed(page_with(""), page_with("March 4: new mirror in Finland is open\n")));
    /* A word more in a sentence. */
    assert_true(changed(page_with("nobody may dive here before noon\n"),
                        page_with("nobody may ever dive here before noon\n")));
    /* A paragraph less: ten words are eight shingles. */
    assert_true(
        changed(page_with("divers say that this old wreck will soon be gone\n"), page_with("")));
}

static void menus_and_order_are_no_change(void **state)
{
    (void)state;
    assert_false(
        changed(page_with("Home\nAbout us\nContact\n"), page_with("Home\nContact us\nHelp\n")));
    assert_false(
        changed("a first line of words\nand a second line of them\nand then a third line\n",
                "and a second line of them\nand then a third line\na first line of words\n"));
    assert_false(changed(page_with(""), page_with("")));
}

/* Where short lines are what a page consists of, one more of them is news. */
static void a_list_changes_by_one_entry(void **state)
{
    (void)state;
    assert_true(changed("Donors\nAnna Berg\nCarl Dahl\nEva Fors\n",
                        "Donors\nAnna Berg\nCarl Dahl\nEva Fors\nGun Holm\n"));
}

static void a_long_text_is_known_by_a_sample(void **state)
{
    struct buf text = BUF_INIT(16 << 20);
    struct shingles *a, *b;
    struct shingle_difference d;

    (void)state;
    for (unsigned i = 0; i < 3 * LIMIT_SHINGLES; i++)
        buf_addf(&text, "w%c%c%c%c ", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676 % 26,
                 'a' + i / 17576);
    a = shingles_of(buf_str(&text));
    assert_int_equal(a->count, LIMIT_SHINGLES);
    assert_true(a->below < UINT32_MAX / 2);
    buf_add_z(&text, "\n");
    for (unsigned i = 0; i < 300; i++)
        buf_addf(&text, "x%c%c ", 'a' + i % 26, 'a' + i / 26);
    b = shingles_of(buf_str(&text));
    d = shingles_compare(a, b);
    /* About a third of 298 new ones lie in the sample, and none is missed. */
    assert_in_range(d.fresh, 50, 150);
    assert_int_equal(d.gone, 0);
    assert_true(shingles_changed(a, b));
    free(a);
    free(b);
    buf_free(&text);
}

static void stamps_end_where_they_should(void **state)
{
    size_t word;

    (void)state;
    assert_int_equal(stamp_end(STR("$Id: x $"), 0, &word), 8);
    assert_int_equal(word, 3);
    assert_int_equal(stamp_end(STR("$Id: x\n$"), 0, &word), 0);
    assert_int_equal(stamp_end(STR("$5: x $"), 0, &word), 0);
    assert_int_equal(stamp_end(STR("$"), 0, &word), 0);
}

/* Without ICU each character is a word: that is enough here. */
static void text_without_spaces_has_words(void **state)
{
    static const char *const pairs[][2] = {
        {"\xe6\x88\x91\xe4\xbb\xac\xe6\x98\x8e\xe5\xa4\xa9\xe5\x8e\xbb\xe5\x8c\x97\xe4\xba\xac"
         "\xe5\x8f\x82\xe8\xa7\x82\xe5\x8d\x9a\xe7\x89\xa9\xe9\xa6\x86", /* tomorrow we go to Beijing … */
         "\xe6\x88\x91\xe4\xbb\xac\xe6\x98\x8e\xe5\xa4\xa9\xe5\x8e\xbb\xe4\xb8\x8a\xe6\xb5\xb7"
         "\xe5\x8f\x82\xe8\xa7\x82\xe5\x8d\x9a\xe7\x89\xa9\xe9\xa6\x86"}, /* … to Shanghai */
        {"\xe0\xb9\x80\xe0\xb8\xa3\xe0\xb8\xb2\xe0\xb9\x84\xe0\xb8\x9b\xe0\xb8\x95\xe0\xb8\xa5"
         "\xe0\xb8\xb2\xe0\xb8\x94\xe0\xb8\x81\xe0\xb8\xb1\xe0\xb8\x99\xe0\xb8\x97\xe0\xb8\xb8"
         "\xe0\xb8\x81\xe0\xb8\xa7\xe0\xb8\xb1\xe0\xb8\x99", /* we go to market together every day */
         "\xe0\xb9\x80\xe0\xb8\xa3\xe0\xb8\xb2\xe0\xb9\x84\xe0\xb8\x9b\xe0\xb8\x95\xe0\xb8\xa5"
         "\xe0\xb8\xb2\xe0\xb8\x94"}, /* we go to market */
    };
    struct buf old = BUF_INIT(1 << 20), new = BUF_INIT(1 << 20);

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct shingles *s = shingles_of(str_of(pairs[i][0]));

        assert_true(s->count >= 3 && s->items[0] & 1); /* a sentence, not one word */
        free(s);
        buf_clear(&old);
        buf_clear(&new);
        buf_addf(&old, "%s%s\n", page_with(""), pairs[i][0]);
        buf_addf(&new, "%s%s\n", page_with(""), pairs[i][1]);
        assert_false(changed(old.data, old.data));
        if (i == 0) /* one sentence of a long page */
            assert_true(changed(old.data, new.data));
    }
    buf_free(&old);
    buf_free(&new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shingles_are_three_words_in_a_row),
        cmocka_unit_test(stamps_counters_and_dates_are_no_change),
        cmocka_unit_test(a_line_of_news_on_a_long_page_is_a_change),
        cmocka_unit_test(menus_and_order_are_no_change),
        cmocka_unit_test(a_list_changes_by_one_entry),
        cmocka_unit_test(a_long_text_is_known_by_a_sample),
        cmocka_unit_test(stamps_end_where_they_should),
        cmocka_unit_test(text_without_spaces_has_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
