/* test_gathered_tree.c - one family of what several nodes tell. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "cli/command.h"
#include "cli/gathered_tree.h"

#include <stdlib.h>

const struct command *const command_table[] = {NULL}; /* report.c wants one */

static json_t *join(const char *answers)
{
    json_t *all = json_loads(answers, 0, NULL), *roots;

    assert_non_null(all);
    roots = tree_join(all);
    json_decref(all);
    return roots;
}

/* "1(2(3))": who is below whom, in order. */
static void shape(const json_t *list, struct buf *out)
{
    json_t *row;
    size_t i;

    json_array_foreach(list, i, row)
    {
        const json_t *below = json_object_get(row, "children");

        buf_addf(out, "%s%lld", i ? " " : "",
                 (long long)json_integer_value(json_object_get(row, "id")));
        if (json_array_size(below) == 0)
            continue;
        buf_add_char(out, '(');
        shape(below, out);
        buf_add_char(out, ')');
    }
}

static void assert_shape(const json_t *roots, const char *expected)
{
    LOCAL_BUF out = BUF_INIT(1 << 20);

    shape(roots, &out);
    assert_string_equal(out.data, expected);
}

static void an_agent_that_moved_comes_below_its_parent_as_it_is_now(void **state UNUSED)
{
    json_t *roots = join(
        "[{\"id\":1,\"name\":\"Ada\",\"pages\":4,\"died_at\":null,\"children\":"
        "[{\"id\":2,\"name\":\"Bea\",\"pages\":1,\"away\":true,\"children\":[]}]},"
        " {\"id\":2,\"parent\":1,\"name\":\"Bea\",\"pages\":7,\"died_at\":null,\"children\":"
        "[{\"id\":3,\"name\":\"Cid\",\"pages\":2,\"died_at\":\"x\",\"death\":\"starved\","
        "\"children\":[]}]}, {\"id\":9,\"name\":\"Ida\",\"kind\":\"policy\",\"children\":[]}]");
    const json_t *ada = json_array_get(roots, 0);
    LOCAL_BUF out = BUF_INIT(1 << 20);

    assert_shape(roots, "1(2(3)) 9");
    assert_int_equal(json_integer_value(json_object_get(ada, "descendants")), 2);
    assert_int_equal(json_integer_value(json_object_get(ada, "pages_below")), 4 + 7 + 2);
    tree_text(roots, &out);
    assert_non_null(strstr(out.data, "       7    Bea 2 alive\n"));
    assert_non_null(strstr(out.data, "       2      Cid 3 starved\n"));
    assert_non_null(strstr(out.data, "Ida 9 policy, alive\n"));
    json_decref(roots);
}

static void the_living_count_before_the_dead_and_the_dead_before_those_who_left(void **state UNUSED)
{
    json_t *roots = join("[{\"id\":1,\"pages\":1,\"away\":true}, {\"id\":1,\"pages\":2,"
                         "\"died_at\":\"x\"}, {\"id\":1,\"pages\":3}, {\"id\":1,\"pages\":4}]");

    assert_shape(roots, "1");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(roots, 0), "pages")), 3);
    json_decref(roots);
}

static void circles_and_nonsense_are_shown_once_or_not_at_all(void **state UNUSED)
{
    json_t *roots =
        join("[{\"id\":5,\"parent\":6}, {\"id\":6,\"parent\":5}, {\"id\":7,\"parent\":7},"
             " {\"id\":-1}, {\"id\":\"x\"}, 3, null, {\"children\":[{\"id\":8}]},"
             " {\"id\":4,\"parent\":12345678901}]");

    assert_int_equal(json_array_size(roots), 4);
    assert_shape(roots, "7 4 8 5(6)");
    json_decref(roots);
}

static void a_family_is_no_deeper_than_its_ceiling(void **state UNUSED)
{
    json_t *all = json_array(), *roots;
    LOCAL_BUF out = BUF_INIT(1 << 22);
    size_t lines = 0;

    for (int i = 1; i <= 3 * LIMIT_TREE_DEPTH; i++)
        (void)json_array_append_new(all, json_pack("{s:i, s:i}", "id", i, "parent", i - 1));
    roots = tree_join(all);
    assert_int_equal(json_array_size(roots), 3);
    tree_text(roots, &out);
    for (const char *at = out.data; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 1 + 3 * LIMIT_TREE_DEPTH);
    json_decref(roots);
    json_decref(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_that_moved_comes_below_its_parent_as_it_is_now),
        cmocka_unit_test(the_living_count_before_the_dead_and_the_dead_before_those_who_left),
        cmocka_unit_test(circles_and_nonsense_are_shown_once_or_not_at_all),
        cmocka_unit_test(a_family_is_no_deeper_than_its_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
