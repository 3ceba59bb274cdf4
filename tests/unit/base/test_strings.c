/* str, utf8, glob, json and units. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/buf.h"
#include "base/str.h"
#include "base/json.h"
#include "base/look.h"
#include "base/rng.h"
#include "base/units.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

static void glob_star_and_question_mark_cover_whole_texts(void **state)
{
    (void)state;
    assert_true(str_match(STR("*/wiki/*"), STR("http://a/wiki/x")));
    assert_true(str_match(STR("a?c"), STR("a\xc3\xa9"
                                          "c")));
    assert_true(str_match(STR("**"), STR("")));
    assert_false(str_match(STR("a*b"), STR("abc")));
    assert_false(str_match(STR("?"), STR("")));
    assert_true(str_match(STR("*ab*ab"), STR("abxabab")));
}

static void glob_of_many_stars_ends_in_bounded_time(void **state)
{
    char pattern[401], text[20001];

    (void)state;
    for (int i = 0; i < 400; i += 2)
        memcpy(pattern + i, "*a", 2);
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 'b';
    assert_false(str_match((struct str){pattern, 400}, (struct str){text, sizeof text}));
}

static void units_read_what_people_write(void **state)
{
    static const struct {
        const char *text;
        int64_t us;
    } cases[] = {{"10s", 10000000}, {"5m", 300000000}, {"1.5h", 5400000000}, {"250ms", 250000},
                 {"30", 30000000},  {"0", 0},          {"2 d", 172800000000}};
    int64_t us;
    uint64_t bytes;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(units_duration(str_of(cases[i].text), &us), ST_OK);
        assert_int_equal(us, cases[i].us);
    }
    assert_int_equal(units_size(STR("2M"), &bytes), ST_OK);
    assert_int_equal(bytes, 2000000);
    assert_int_equal(units_size(STR("1Gi"), &bytes), ST_OK);
    assert_int_equal(bytes, 1073741824);
}

static void units_refuse_nonsense(void **state)
{
    static const char *const bad[] = {
        "", "x", "-1s", "1q", "1e9", "s", "1 2", "1.2.3s", "9999999999999999999d"};
    int64_t us;
    uint64_t bytes;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(units_duration(str_of(bad[i]), &us), ST_USAGE);
        assert_int_equal(units_size(str_of(bad[i]), &bytes), ST_USAGE);
    }
}

static void utf8_replaces_each_maximal_bad_part_by_one_mark(void **state)
{
    /* E2 82 | 41 | F0 9F 92 | FF : Unicode 15, section 3.9, table 3-8 */
    struct str s = STR("\xe2\x82"
                       "A\xf0\x9f\x92\xff");
    static const uint32_t want[] = {UTF8_BAD, 'A', UTF8_BAD, UTF8_BAD};
    size_t at = 0;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(utf8_next(s, &at), want[i]);
    assert_int_equal(at, s.len);
    assert_false(utf8_is_valid(s));
    assert_true(utf8_is_valid(STR("a\xef\xbf\xbd\xf0\x9f\x92\xa9")));
    assert_false(utf8_is_valid(STR("\xed\xa0\x80")));
}

static void utf8_put_and_next_agree_on_every_code_point(void **state)
{
    (void)state;
    for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
        char text[4];
        size_t at = 0, len = utf8_put(cp, text);
        uint32_t want = cp >= 0xd800 && cp <= 0xdfff ? UTF8_BAD : cp;

        assert_int_equal(utf8_next((struct str){text, len}, &at), want);
        assert_int_equal(at, len);
    }
}

static void what_acts_on_a_terminal_is_escaped_in_json(void **state)
{
    struct buf out = BUF_INIT(200);
    struct json j;

    (void)state;
    json_init(&j, &out);
    json_put_str(&j, NULL, STR("a\x1b\x7f\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xc3\xa9"));
    assert_str(buf_str(&out), "\"a\\u001b\\u007f\\u009b\\u202e\\u2066\xc3\xa9\"");
    buf_free(&out);
}

static void no_cell_is_a_formula(void **state)
{
    static const char *const cells[][2] = {
        {"=1+1", "\"'=1+1\""},
        {"+1", "\"'+1\""},
        {"-1", "\"'-1\""},
        {"@x", "\"'@x\""},
        {"\tx", "\"'\tx\""},
        {"\rx", "\"'\rx\""},
        {"a \"b\"", "\"a \"\"b\"\"\""},
        {"", "\"\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        struct buf out = BUF_INIT(100);

        buf_add_csv(&out, str_of(cells[i][0]));
        assert_str(buf_str(&out), cells[i][1]);
        buf_free(&out);
    }
}

static void json_escapes_and_nests(void **state)
{
    struct buf out = BUF_INIT(1000);
    struct json j;

    (void)state;
    json_init(&j, &out);
    json_open_object(&j, NULL);
    json_put_str(&j, "a\"b", STR("x\n\x01\xff\\"));
    json_open_array(&j, "list");
    json_put_int(&j, NULL, -3);
    json_put_num(&j, NULL, 0.1);
    json_put_num(&j, NULL, NAN);
    json_put_bool(&j, NULL, true);
    json_close(&j);
    json_put_null(&j, "n");
    json_close(&j);
    assert_str(
        buf_str(&out),
        "{\"a\\\"b\":\"x\\n\\u0001\xef\xbf\xbd\\\\\",\"list\":[-3,0.1,null,true],\"n\":null}");
    buf_free(&out);
}

static void json_says_null_where_there_is_nothing(void **state)
{
    struct buf out = BUF_INIT(1000);
    struct json j;

    (void)state;
    json_init(&j, &out);
    json_open_array(&j, NULL);
    json_put_text(&j, NULL, STR("x"));
    json_put_text(&j, NULL, STR(""));
    json_put_ref(&j, NULL, 7);
    json_put_ref(&j, NULL, 0);
    json_put_time(&j, NULL, 1500000);
    json_put_time(&j, NULL, 0);
    json_close(&j);
    assert_str(buf_str(&out), "[\"x\",null,7,null,\"1970-01-01T00:00:01.500Z\",null]");
    buf_free(&out);
}

static void str_cut_walks_over_all_parts(void **state)
{
    struct str rest = STR("a,,b"), part;

    (void)state;
    assert_true(str_cut(&rest, ',', &part));
    assert_str(part, "a");
    assert_true(str_cut(&rest, ',', &part));
    assert_str(part, "");
    assert_true(str_cut(&rest, ',', &part));
    assert_str(part, "b");
    assert_false(str_cut(&rest, ',', &part));
}

static void a_look_has_a_bit_for_each_byte(void **state)
{
    struct rng r;
    char text[LOOK], copy[LOOK];

    (void)state;
    rng_init(&r, 11);
    for (int round = 0; round < 1000; round++) {
        unsigned equal = 0, below = 0;
        look16 v;

        for (unsigned i = 0; i < LOOK; i++) {
            text[i] = (char)(rng_below(&r, 2) ? rng_below(&r, 256) : '<');
            equal |= (unsigned)(text[i] == '<') << i;
            below |= (unsigned)((unsigned char)text[i] < 0x80) << i;
        }
        v = look_at(text);
        assert_int_equal(look_bits(v == '<'), equal);
        assert_int_equal(look_bits(v < 0x80), below);
        look_put(v, copy);
        assert_memory_equal(copy, text, LOOK);
    }
}

static size_t find_plainly(struct str s, struct str what, size_t from)
{
    for (size_t i = from; i + what.len <= s.len; i++)
        if (str_eq_i(str_sub(s, i, i + what.len), what))
            return i;
    return SIZE_MAX;
}

/* Letters in both cases, and bytes that differ from others by the bit of the case alone. */
static void a_text_is_found_wherever_it_stands(void **state)
{
    static const char alphabet[] = "aAbB@`[{-\r";
    struct rng r;
    char text[90], what[4];

    (void)state;
    rng_init(&r, 5);
    for (int round = 0; round < 20000; round++) {
        struct str s = {text, (size_t)rng_below(&r, sizeof text)};
        struct str w = {what, (size_t)rng_below(&r, sizeof what)};
        size_t from = (size_t)rng_below(&r, 20);

        for (size_t i = 0; i < s.len; i++)
            text[i] = alphabet[rng_below(&r, sizeof alphabet - 1)];
        for (size_t i = 0; i < w.len; i++)
            what[i] = alphabet[rng_below(&r, sizeof alphabet - 1)];
        assert_int_equal(str_find_i(s, w, from), find_plainly(s, w, from));
    }
}

static void numbers_that_overflow_are_refused(void **state)
{
    uint64_t n;
    double d;

    (void)state;
    assert_true(str_to_u64(STR("18446744073709551615"), &n));
    assert_false(str_to_u64(STR("18446744073709551616"), &n));
    assert_false(str_to_u64(STR("1x"), &n));
    assert_false(str_to_double(STR("1e999"), &d));
    assert_false(str_to_double(STR("nan"), &d));
    assert_true(str_to_double(STR("-2.5e-3"), &d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(glob_star_and_question_mark_cover_whole_texts),
        cmocka_unit_test(glob_of_many_stars_ends_in_bounded_time),
        cmocka_unit_test(units_read_what_people_write),
        cmocka_unit_test(units_refuse_nonsense),
        cmocka_unit_test(utf8_replaces_each_maximal_bad_part_by_one_mark),
        cmocka_unit_test(utf8_put_and_next_agree_on_every_code_point),
        cmocka_unit_test(what_acts_on_a_terminal_is_escaped_in_json),
        cmocka_unit_test(no_cell_is_a_formula),
        cmocka_unit_test(json_escapes_and_nests),
        cmocka_unit_test(json_says_null_where_there_is_nothing),
        cmocka_unit_test(str_cut_walks_over_all_parts),
        cmocka_unit_test(a_look_has_a_bit_for_each_byte),
        cmocka_unit_test(a_text_is_found_wherever_it_stands),
        cmocka_unit_test(numbers_that_overflow_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
