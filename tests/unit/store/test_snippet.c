/* A few words of a page, around those that were looked for. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/utf8.h"
#include "store/read/snippet.h"
#include "store/tokens.h"

#include <stdlib.h>
#include <string.h>

static sqlite3 *db;

static int set_up(void **state)
{
    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    return tokens_join(db) == ST_OK ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    return sqlite3_close(db) == SQLITE_OK ? 0 : 1;
}

static bool make(struct str text, struct str words, struct buf *out)
{
    struct snippet *s = NULL;
    bool found;

    assert_int_equal(snippet_new(db, words, &s), ST_OK);
    found = snippet_make(s, text, STR("en"), out);
    snippet_free(s);
    return found;
}

static void shows(const char *text, const char *words, const char *wanted)
{
    struct buf out = BUF_INIT(4096);

    (void)make(str_of(text), str_of(words), &out);
    assert_str(buf_str(&out), wanted);
    buf_free(&out);
}

static void words_are_marked_whatever_their_ending_and_case(void **state)
{
    (void)state;
    shows("Coral reefs and a reef.", "reef", "Coral \2reefs\3 and a \2reef\3.");
    shows("Bleaching was bleached.", "bleaching", "\2Bleaching\3 was \2bleached\3.");
    shows("Starboard is no star", "star", "Starboard is no \2star\3");
    shows("Starboard is no star", "star*", "\2Starboard\3 is no \2star\3");
    shows("candle and band", "AND", "candle and band"); /* an operator */
    shows("a Z\xc3\xbcrich hotel", "zurich", "a \2Z\xc3\xbcrich\3 hotel");
    shows("go to Go", "go", "\2go\3 to \2Go\3");
    shows("of reefs", "of reef", "of \2reefs\3");
}

static void a_phrase_is_marked_as_a_whole(void **state)
{
    (void)state;
    shows("A heat pump, heat pumps, heat.", "\"heat pump\"", "A \2heat pump\3, heat pumps, heat.");
    shows("heat heat pump", "\"heat pump\" heat", "\2heat\3 \2heat pump\3");
    shows("reefs and corals", "\"reef\" coral", "reefs and \2corals\3");
    shows("reefs and corals", "reef NOT coral", "\2reefs\3 and corals");
    shows("reefs and corals", "reef -coral title:x", "\2reefs\3 and corals");
}

static void text_without_spaces_is_marked_where_it_stands(void **state)
{
    (void)state;
    shows("この全文検索は速い。検索と全文。", "全文検索", "この\2全文検索\3は速い。検索と全文。");
    shows("この全文検索は速い。", "検索 全文", "この\2全文\3\2検索\3は速い。");
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
    (void)make(buf_str(&text), STR("hive queen honey"), &out);
    assert_non_null(strstr(out.data, "The \2queen\3 left the \2hive\3 with \2honey\3."));
    assert_true(strncmp(out.data, "\xe2\x80\xa6 ", 4) == 0);
    assert_true(out.len < 300);
    buf_free(&text);
    buf_free(&out);
}

static void names(const char *text, const char *words, const char *wanted)
{
    struct buf out = BUF_INIT(4096);
    struct snippet *s = NULL;

    assert_int_equal(snippet_new(db, str_of(words), &s), ST_OK);
    snippet_why(s, str_of(text), STR("en"), &out);
    snippet_free(s);
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
    assert_true(make(STR("a hive"), STR("hive"), &out));
    assert_false(make(STR("a hive"), STR("swarm"), &out));
    buf_free(&out);
}

/* Languages without spaces: no word ends for long. */
static void a_text_without_spaces_is_cut_between_characters(void **state)
{
    struct buf text = BUF_INIT(100000), out = BUF_INIT(100000);

    (void)state;
    for (int i = 0; i < 5000; i++)
        buf_add_z(&text, i == 2500 ? " hive " : "\xe8\x9c\x82"); /* 蜂 */
    (void)make(buf_str(&text), STR("swarm"), &out);
    assert_true(out.len < 300);
    assert_true(utf8_is_valid(buf_str(&out)));
    buf_clear(&out);
    (void)make(buf_str(&text), STR("hive"), &out);
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
        cmocka_unit_test(a_phrase_is_marked_as_a_whole),
        cmocka_unit_test(text_without_spaces_is_marked_where_it_stands),
        cmocka_unit_test(a_text_without_the_words_shows_its_beginning),
        cmocka_unit_test(the_words_that_a_page_has_are_named_once),
        cmocka_unit_test(it_says_whether_the_words_were_there),
        cmocka_unit_test(the_part_with_most_different_words_is_chosen),
        cmocka_unit_test(a_text_without_spaces_is_cut_between_characters),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
