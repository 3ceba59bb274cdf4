/* A few words of a page, around those that were looked for. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/utf8.h"
#include "store/read/snippet.h"

#include <stdlib.h>
#include <string.h>

static void shows(const char *text, const char *words, const char *wanted)
{
    struct buf out = BUF_INIT(4096);

    (void)snippet_make(str_of(text), str_of(words), &out);
    assert_str(buf_str(&out), wanted);
    buf_free(&out);
}

static void words_are_marked_whatever_their_ending_and_case(void **state)
{
    (void)state;
    shows("Coral reefs and a reef.", "reef", "Coral \2reefs\3 and a \2reef\3.");
    shows("Bleaching was bleached.", "bleaching", "\2Bleaching\3 was \2bleached\3.");
    shows("Starboard is no star", "star", "\2Starboard\3 is no \2star\3");
    shows("candle and band", "AND", "candle and band"); /* an operator */
}

static void a_text_without_the_words_shows_its_beginning(void **state)
{
    (void)state;
    shows("one\ntwo\tthree", "zebra", "one two three");
    shows("", "zebra", "");
    shows("one", "", "one");
}

static void the_part_with_most_different_words_is_chosen(void **state)
{
    struct buf text = BUF_INIT(10000), out = BUF_INIT(4096);

    (void)state;
    buf_add_z(&text, "A hive alone. ");
    for (int i = 0; i < 50; i++)
        buf_add_z(&text, "Nothing of this is wanted. ");
    buf_add_z(&text, "The queen left the hive with honey. ");
    for (int i = 0; i < 50; i++)
        buf_add_z(&text, "Nothing of this is wanted. ");
    (void)snippet_make(buf_str(&text), STR("hive queen honey"), &out);
    assert_non_null(strstr(out.data, "The \2queen\3 left the \2hive\3 with \2honey\3."));
    assert_true(strncmp(out.data, "\xe2\x80\xa6 ", 4) == 0);
    assert_true(out.len < 300);
    buf_free(&text);
    buf_free(&out);
}

static void names(const char *text, const char *words, const char *wanted)
{
    struct buf out = BUF_INIT(4096);

    snippet_why(str_of(text), str_of(words), &out);
    assert_str(buf_str(&out), wanted);
    buf_free(&out);
}

static void the_words_that_a_page_has_are_named_once(void **state)
{
    (void)state;
    names("Queens leave the hive. A queen, a hive.", "hive queen swarm", "hive, queen");
    names("Nothing", "hive queen", "");
    names("queen queens", "queen QUEEN queens", "queen"); /* the first that fits */
    names("The words are here", "words: hive", "");       /* of a topic file, or of a column */
}

static void it_says_whether_the_words_were_there(void **state)
{
    struct buf out = BUF_INIT(4096);

    (void)state;
    assert_true(snippet_make(STR("a hive"), STR("hive"), &out));
    assert_false(snippet_make(STR("a hive"), STR("swarm"), &out));
    buf_free(&out);
}

/* Languages without spaces: no word ends for long. */
static void a_text_without_spaces_is_cut_between_characters(void **state)
{
    struct buf text = BUF_INIT(100000), out = BUF_INIT(100000);

    (void)state;
    for (int i = 0; i < 5000; i++)
        buf_add_z(&text, i == 2500 ? " hive " : "\xe8\x9c\x82"); /* 蜂 */
    (void)snippet_make(buf_str(&text), STR("swarm"), &out);
    assert_true(out.len < 300);
    assert_true(utf8_is_valid(buf_str(&out)));
    buf_clear(&out);
    (void)snippet_make(buf_str(&text), STR("hive"), &out);
    assert_true(out.len < 300);
    assert_true(utf8_is_valid(buf_str(&out)));
    assert_non_null(strstr(out.data, "\2hive\3"));
    buf_free(&text);
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_marked_whatever_their_ending_and_case),
        cmocka_unit_test(a_text_without_the_words_shows_its_beginning),
        cmocka_unit_test(the_words_that_a_page_has_are_named_once),
        cmocka_unit_test(it_says_whether_the_words_were_there),
        cmocka_unit_test(the_part_with_most_different_words_is_chosen),
        cmocka_unit_test(a_text_without_spaces_is_cut_between_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
