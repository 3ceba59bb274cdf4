/* What comes from the web cannot command a terminal.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const struct command *const command_table[] = {NULL};

static void shown(const char *in, size_t width, const char *wanted)
{
    struct buf out = BUF_INIT(4096);

    report_text(&out, str_of(in), width);
    assert_str(buf_str(&out), wanted);
    buf_free(&out);
}

static void control_characters_are_replaced(void **state)
{
    (void)state;
    shown("plain text", 50, "plain text");
    shown("a\033[31mred\007", 50, "a?[31mred?");
    shown("two\nlines\tand", 50, "two lines and");
    shown("c1 \xc2\x9b"
          "x",
          50, "c1 ?x");
    shown("bidi \xe2\x80\xae"
          "x",
          50, "bidi ?x");
    shown("bad \xff x", 50, "bad ? x");
    shown("\xc3\xa9t\xc3\xa9", 50, "\xc3\xa9t\xc3\xa9");
}

static void long_texts_are_cut_in_columns_not_bytes(void **state)
{
    (void)state;
    shown("abcdef", 6, "abcdef");
    shown("abcdefg", 6, "abcde\xe2\x80\xa6");
    shown("\xc3\xa9\xc3\xa9\xc3\xa9", 3, "\xc3\xa9\xc3\xa9\xc3\xa9");
    shown("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3, "\xc3\xa9\xc3\xa9\xe2\x80\xa6");
    shown("abc", 0, "");
    assert_int_equal(utf8_columns(STR("abcde\xe2\x80\xa6")), 6);
    assert_int_equal(utf8_columns(STR("\xc3\xa9t\xc3\xa9")), 3);
    assert_int_equal(utf8_columns(STR("")), 0);
}

static void wide_characters_take_two_columns_and_marks_none(void **state)
{
    (void)state;
    assert_int_equal(utf8_columns(STR("珊瑚礁")), 6);
    assert_int_equal(utf8_columns(STR("서울")), 4);
    assert_int_equal(utf8_columns(STR("e\xcc\x81t\xc3\xa9")), 3);
    assert_int_equal(utf8_columns(STR("\xf0\x9f\x90\xa0 fish")), 7);
    assert_int_equal(utf8_columns(STR("שלום")), 4);
    assert_int_equal(utf8_columns(STR("ไทย แนว")), 7);
    shown("珊瑚礁", 6, "珊瑚礁");
    shown("珊瑚礁", 5, "珊瑚\xe2\x80\xa6");
    shown("珊瑚礁", 4, "珊\xe2\x80\xa6");
    shown("珊瑚礁", 1, "\xe2\x80\xa6");
    shown("cafe\xcc\x81", 4, "cafe\xcc\x81");
    shown("cafe\xcc\x81s", 4, "caf\xe2\x80\xa6");
}

static void a_line_is_written_over_where_the_terminal_can(void **state)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY), terminal, ends[2];

    (void)state;
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && pipe(ends) == 0);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_true(report_is_rewritable(terminal));
    assert_false(report_is_rewritable(ends[1]));
    assert_int_equal(setenv("TERM", "dumb", 1), 0);
    assert_false(report_is_rewritable(terminal));
    for (size_t i = 0; i < 2; i++)
        (void)close(ends[i]);
    (void)close(terminal);
    (void)close(master);
}

static const char *nth(const void *ctx, size_t i)
{
    return ((const char *const *)ctx)[i];
}

static void the_nearest_name_is_near(void **state)
{
    static const char *const names[] = {"crawl", "resume", "search", "stats", NULL};

    (void)state;
    assert_string_equal(str_nearest(STR("crwl"), nth, names), "crawl");
    assert_string_equal(str_nearest(STR("serach"), nth, names), "search");
    assert_null(str_nearest(STR("zzzzzz"), nth, names));
    assert_null(str_nearest(STR("crawl"), nth, names + 4));
}

static void nothing_is_shown_as_less_than_nothing(void **state)
{
    static const struct {
        double value;
        int decimals;
        const char *shown;
    } cases[] = {
        {-0.0, 2, "0.00"},     {-0.004, 2, "0.00"},   {-0.005, 2, "-0.01"},
        {-0.004, 3, "-0.004"}, {-0.0004, 3, "0.000"}, {-0.00004, 4, "0.0000"},
        {-1.5, 2, "-1.50"},    {0.004, 2, "0.00"},    {0.5, 2, "0.50"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[32];

        (void)snprintf(text, sizeof text, "%.*f", cases[i].decimals,
                       report_zero(cases[i].value, cases[i].decimals));
        assert_string_equal(text, cases[i].shown);
    }
}

static void every_failure_has_its_exit_code(void **state)
{
    static const struct {
        enum status st;
        int code;
    } cases[] = {
        {ST_USAGE, EXIT_USAGE},         {ST_EXISTS, EXIT_USAGE},   {ST_STARVED, EXIT_STARVED},
        {ST_STOPPED, EXIT_INTERRUPTED}, {ST_MISSING, EXIT_FAILED}, {ST_IO, EXIT_FAILED},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(report_failure(status_fail(cases[i].st, "a sentence")), cases[i].code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_are_replaced),
        cmocka_unit_test(long_texts_are_cut_in_columns_not_bytes),
        cmocka_unit_test(wide_characters_take_two_columns_and_marks_none),
        cmocka_unit_test(a_line_is_written_over_where_the_terminal_can),
        cmocka_unit_test(the_nearest_name_is_near),
        cmocka_unit_test(nothing_is_shown_as_less_than_nothing),
        cmocka_unit_test(every_failure_has_its_exit_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
