/* option: a table of options, and what it says to people.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/option.h"

#include <math.h>
#include <stdlib.h>

struct settings {
    bool fast;
    int64_t count, wait;
    double share;
    char *name;
    uint64_t room;
    int parents;
    struct text_list seeds;
};

#define AT(field) .offset = offsetof(struct settings, field)

static const struct option table[] = {
    {.name = "fast", .type = OPTION_FLAG, AT(fast)},
    {.name = "max-count", .type = OPTION_INT, .fallback = "5", .min = -1, .max = 100, AT(count)},
    {.name = "wait", .type = OPTION_DURATION, .fallback = "1s", .min = 0, .max = 60, AT(wait)},
    {.name = "share", .type = OPTION_REAL, .fallback = "0.5", .min = 0, .max = 1, AT(share)},
    {.name = "name", .type = OPTION_TEXT, .fallback = "nobody", AT(name)},
    {.name = "room", .type = OPTION_SIZE, .fallback = "2Ki", AT(room)},
    {.name = "parents",
     .type = OPTION_CHOICE,
     .fallback = "mean",
     .choices = "max|mean|first",
     AT(parents)},
    {.name = "seed", .type = OPTION_LIST, AT(seeds)},
    {.name = NULL},
};

static const struct option *named(const char *name)
{
    const struct option *o = option_find(table, str_of(name));

    assert_non_null(o);
    return o;
}

static enum status set(struct settings *s, const char *name, const char *value)
{
    return option_set(named(name), s, str_of(value));
}

static void assert_shown(const struct settings *s, const char *name, const char *text)
{
    struct buf b = BUF_INIT(200);

    option_show(named(name), s, &b);
    assert_str(buf_str(&b), text);
    buf_free(&b);
}

static void assert_range(const char *name, const char *text)
{
    struct buf b = BUF_INIT(200);

    option_range(named(name), &b);
    assert_str(buf_str(&b), text);
    buf_free(&b);
}

static void defaults_are_set_and_shown_as_text(void **state)
{
    struct settings s = {0};

    (void)state;
    options_init(table, &s);
    assert_int_equal(s.count, 5);
    assert_int_equal(s.wait, 1000000);
    assert_string_equal(s.name, "nobody");
    assert_int_equal(s.room, 2048);
    assert_shown(&s, "fast", "no");
    assert_shown(&s, "max-count", "5");
    assert_shown(&s, "wait", "1s");
    assert_shown(&s, "share", "0.5");
    assert_shown(&s, "room", "2048");
    assert_shown(&s, "parents", "mean");
    assert_shown(&s, "seed", "");
    options_free(table, &s);
    options_free(table, &s); /* twice does no harm */
}

static void names_are_found_with_either_kind_of_dash(void **state)
{
    (void)state;
    assert_ptr_equal(option_find(table, STR("max_count")), named("max-count"));
    assert_null(option_find(table, STR("max")));
    assert_null(option_find(table, STR("max-counts")));
    assert_null(option_find(table, STR("")));
    assert_null(option_find(NULL, STR("fast")));
}

static void values_of_every_type_are_read(void **state)
{
    struct settings s = {0};

    (void)state;
    options_init(table, &s);
    assert_int_equal(set(&s, "fast", ""), ST_OK);
    assert_true(s.fast);
    assert_int_equal(set(&s, "fast", "Off"), ST_OK);
    assert_false(s.fast);
    assert_int_equal(set(&s, "max-count", "-1"), ST_OK);
    assert_int_equal(s.count, -1);
    assert_int_equal(set(&s, "wait", "250ms"), ST_OK);
    assert_int_equal(s.wait, 250000);
    assert_int_equal(set(&s, "share", "1"), ST_OK);
    assert_true(s.share == 1);
    assert_int_equal(set(&s, "name", "somebody"), ST_OK);
    assert_string_equal(s.name, "somebody");
    assert_int_equal(set(&s, "room", "1M"), ST_OK);
    assert_int_equal(s.room, 1000000);
    assert_int_equal(set(&s, "parents", "first"), ST_OK);
    assert_int_equal(s.parents, 2);
    options_free(table, &s);
}

static void a_list_keeps_all_values_in_order(void **state)
{
    struct settings s = {0};

    (void)state;
    for (int i = 0; i < 20; i++)
        assert_int_equal(set(&s, "seed", i % 2 ? "b" : "a"), ST_OK);
    assert_int_equal(s.seeds.count, 20);
    assert_string_equal(s.seeds.items[0], "a");
    assert_string_equal(s.seeds.items[19], "b");
    assert_null(s.seeds.items[20]);
    options_free(table, &s);
    assert_int_equal(s.seeds.count, 0);
}

static void a_wrong_value_is_refused_and_changes_nothing(void **state)
{
    static const char *const wrong[][2] = {
        {"fast", "perhaps"},  {"max-count", ""},
        {"max-count", "-2"},  {"max-count", "101"},
        {"max-count", "5x"},  {"max-count", "--5"},
        {"max-count", "1.5"}, {"wait", "61s"},
        {"wait", "soon"},     {"share", "1.01"},
        {"share", "nan"},     {"share", "-0.1"},
        {"room", "much"},     {"parents", "median"},
        {"parents", ""},      {"max-count", "99999999999999999999999"},
    };
    struct settings s = {0}, before;

    (void)state;
    options_init(table, &s);
    before = s;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (set(&s, wrong[i][0], wrong[i][1]) != ST_USAGE)
            fail_msg("%s=%s was taken", wrong[i][0], wrong[i][1]);
        assert_non_null(strstr(status_text(), wrong[i][0]));
    }
    assert_memory_equal(&s, &before, sizeof s);
    options_free(table, &s);
}

static void the_error_says_what_is_allowed(void **state)
{
    struct settings s = {0};

    (void)state;
    assert_int_equal(set(&s, "parents", "median"), ST_USAGE);
    assert_non_null(strstr(status_text(), "max, mean or first"));
    assert_int_equal(set(&s, "max-count", "101"), ST_USAGE);
    assert_non_null(strstr(status_text(), "-1 to 100"));
    assert_range("wait", "0s to 1m");
    assert_range("name", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_set_and_shown_as_text),
        cmocka_unit_test(names_are_found_with_either_kind_of_dash),
        cmocka_unit_test(values_of_every_type_are_read),
        cmocka_unit_test(a_list_keeps_all_values_in_order),
        cmocka_unit_test(a_wrong_value_is_refused_and_changes_nothing),
        cmocka_unit_test(the_error_says_what_is_allowed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
