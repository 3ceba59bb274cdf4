/* test_entities.c - character references. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "parse/entities.h"

#include <stdlib.h>

/* What stands behind '&', how many bytes are taken, and what they mean. */
static void check(const char *text, bool in_attribute, size_t taken, const char *meaning)
{
    char value[ENTITY_VALUE_MAX];
    size_t len = 0, used = entity_decode(text, text + strlen(text), in_attribute, value, &len);

    assert_int_equal(used, taken);
    if (used)
        assert_str(((struct str){value, len}), meaning);
}

static void names_are_found_with_their_semicolon(void **unused)
{
    (void)unused;
    check("amp;", false, 4, "&");
    check("CounterClockwiseContourIntegral;", false, 32, "\xe2\x88\xb3");
    check("nGt;", false, 4, "\xe2\x89\xab\xe2\x83\x92");
    check("nbsp;x", false, 5, "\xc2\xa0");
    check("nosuchname;", false, 0, "");
    check("Amp;", false, 0, "");
    check("", false, 0, "");
    check(";", false, 0, "");
}

static void old_names_count_without_semicolon_and_the_longest_wins(void **unused)
{
    (void)unused;
    check("amp", false, 3, "&");
    check("notit;", false, 3, "\xc2\xac");
    check("notin;", false, 6, "\xe2\x88\x89");
    check("ampx", false, 3, "&");
    check("sup2", false, 4, "\xc2\xb2");
    check("supx", false, 0, "");
}

static void in_attributes_a_bare_name_before_a_letter_is_none(void **unused)
{
    (void)unused;
    check("copy=1", true, 0, "");
    check("copyx", true, 0, "");
    check("copy", true, 4, "\xc2\xa9");
    check("copy;x", true, 5, "\xc2\xa9");
}

static void numbers_are_code_points_with_exceptions(void **unused)
{
    (void)unused;
    check("#65;", false, 4, "A");
    check("#x41", false, 4, "A");
    check("#X4a;", false, 5, "J");
    check("#128;", false, 5, "\xe2\x82\xac");
    check("#129;", false, 5, "\xc2\x81");
    check("#0;", false, 3, "\xef\xbf\xbd");
    check("#xD800;", false, 7, "\xef\xbf\xbd");
    check("#99999999999999999999;", false, 22, "\xef\xbf\xbd");
    check("#;", false, 0, "");
    check("#x;", false, 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_with_their_semicolon),
        cmocka_unit_test(old_names_count_without_semicolon_and_the_longest_wins),
        cmocka_unit_test(in_attributes_a_bare_name_before_a_letter_is_none),
        cmocka_unit_test(numbers_are_code_points_with_exceptions),
    };

    return cmocka_run_group_tests_name("entities", tests, NULL, NULL);
}
