/* test_pattern.c - match and reject patterns. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "text/pattern.h"

#include <stdlib.h>

static struct arena arena;

static int setup(void **state UNUSED)
{
    arena_init(&arena, MIB(1));
    return 0;
}

static int teardown(void **state UNUSED)
{
    arena_free(&arena);
    return 0;
}

static struct pattern parse(const char *text)
{
    struct pattern p;

    assert_int_equal(pattern_parse(str_of(text), &arena, &p), ST_OK);
    return p;
}

static void a_word_between_stars_is_searched_for(void **state UNUSED)
{
    struct pattern p = parse("*Solar*"), q = parse("solar"), all = parse("*");

    assert_true(p.is_plain && q.is_plain && all.is_plain);
    assert_true(pattern_in_text(&p, STR("first line\nthe solar panel")));
    assert_true(pattern_in_text(&q, STR("the solar panel")));
    assert_false(pattern_in_text(&p, STR("the lunar panel")));
    assert_true(pattern_in_text(&all, STR("")));
}

static void other_patterns_cover_a_whole_line(void **state UNUSED)
{
    struct pattern p = parse("solar*energy"), q = parse("*heat*pump*"), r = parse("?olar*");

    assert_false(p.is_plain || q.is_plain || r.is_plain);
    assert_true(pattern_in_text(&p, STR("one\nsolar and wind energy\ntwo")));
    assert_false(pattern_in_text(&p, STR("one solar energy")));
    assert_false(pattern_in_text(&q, STR("heat\npump")));
    assert_true(pattern_in_text(&q, STR("a heat driven pump!")));
    assert_true(pattern_in_text(&r, STR("polar bear")));
}

static void a_url_matches_with_or_without_its_scheme(void **state UNUSED)
{
    struct pattern p = parse("example.org/news/*"), q = parse("https://*");

    assert_true(pattern_in_url(&p, STR("https://example.org/news/1")));
    assert_false(pattern_in_url(&p, STR("https://example.org/olds/1")));
    assert_true(pattern_in_url(&q, STR("https://example.org/")));
}

static void case_is_ignored_beyond_ascii_too(void **state UNUSED)
{
    struct pattern p = parse("*ÖKO*");

    assert_true(pattern_in_text(&p, STR("ökostrom")));
}

static void empty_and_long_patterns_are_refused(void **state UNUSED)
{
    char text[LIMIT_PATTERN + 2];
    struct pattern p;

    memset(text, 'x', sizeof text);
    assert_int_equal(pattern_parse(STR("  "), &arena, &p), ST_USAGE);
    assert_int_equal(pattern_parse((struct str){text, sizeof text}, &arena, &p), ST_USAGE);
}

/* Ends soon: the worst pattern on the worst megabyte. */
static void a_hostile_text_ends_in_bounded_time(void **state UNUSED)
{
    char glob[LIMIT_PATTERN], *text = mem_alloc(MIB(1));
    struct pattern p;

    memset(text, 'a', MIB(1));
    memset(glob, 'a', sizeof glob);
    glob[0] = glob[100] = glob[sizeof glob - 1] = '*';
    glob[sizeof glob - 2] = 'b';
    assert_int_equal(pattern_parse((struct str){glob, sizeof glob}, &arena, &p), ST_OK);
    assert_false(p.is_plain);
    assert_false(pattern_in_text(&p, (struct str){text, MIB(1)}));
    glob[100] = 'a';
    assert_int_equal(pattern_parse((struct str){glob, sizeof glob}, &arena, &p), ST_OK);
    assert_true(p.is_plain);
    assert_false(pattern_in_text(&p, (struct str){text, MIB(1)}));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_between_stars_is_searched_for),
        cmocka_unit_test(other_patterns_cover_a_whole_line),
        cmocka_unit_test(a_url_matches_with_or_without_its_scheme),
        cmocka_unit_test(case_is_ignored_beyond_ascii_too),
        cmocka_unit_test(empty_and_long_patterns_are_refused),
        cmocka_unit_test(a_hostile_text_ends_in_bounded_time),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
