/* test_nest.c - trees as nested JSON. SPDX-License-Identifier: MIT */
#include "dash/api/nest.h"
#include "support/support.h"

#include <jansson.h>
#include <stdlib.h>

/*   a        e
 *   +- b     (2 more at the top)
 *   |  +- d
 *   +- c     (c has 7 more below) */
static void nodes_stand_inside_their_parents(void **state)
{
    struct buf out = BUF_INIT(4096);
    struct nest n;

    (void)state;
    nest_init(&n);
    nest_add(&n, NEST_NONE, 1, STR("{\"n\":\"a\"}"));
    nest_add(&n, NEST_NONE, 5, STR("{\"n\":\"e\"}"));
    nest_add(&n, 0, 2, STR("{\"n\":\"b\"}"));
    nest_add(&n, 0, 3, STR("{\"n\":\"c\"}"));
    nest_add(&n, 2, 4, STR("{\"n\":\"d\"}"));
    n.nodes[3].more = 7;
    assert_int_equal(n.nodes[0].depth, 0);
    assert_int_equal(n.nodes[2].depth, 1);
    assert_int_equal(n.nodes[4].depth, 2);
    nest_write(&n, &out);
    assert_str(
        buf_str(&out),
        "[{\"n\":\"a\",\"children\":[{\"n\":\"b\",\"children\":[{\"n\":\"d\",\"children\":[],"
        "\"more\":0}],\"more\":0},{\"n\":\"c\",\"children\":[],\"more\":7}],\"more\":0},"
        "{\"n\":\"e\",\"children\":[],\"more\":0}]");
    buf_free(&out);
    nest_clear(&n);
}

static void nothing_is_an_empty_list(void **state)
{
    struct buf out = BUF_INIT(64);
    struct nest n;

    (void)state;
    nest_init(&n);
    nest_write(&n, &out);
    assert_str(buf_str(&out), "[]");
    buf_free(&out);
    nest_clear(&n);
}

/* Deeper than base/json.h nests, and than a stack would like. */
static void a_chain_of_ten_thousand_is_written(void **state)
{
    struct buf out = BUF_INIT(1 << 20);
    struct nest n;
    size_t open = 0;

    (void)state;
    nest_init(&n);
    for (uint32_t i = 0; i < 10000; i++)
        nest_add(&n, i ? i - 1 : NEST_NONE, i + 1, STR("{}"));
    nest_write(&n, &out);
    for (size_t i = 0; i < out.len; i++)
        open += out.data[i] == '{';
    assert_int_equal(open, 10000);
    assert_true(str_starts(buf_str(&out), STR("[{\"children\":[{\"children\":[")));
    buf_free(&out);
    nest_clear(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_stand_inside_their_parents),
        cmocka_unit_test(nothing_is_an_empty_list),
        cmocka_unit_test(a_chain_of_ten_thousand_is_written),
    };

    return cmocka_run_group_tests_name("dash nest", tests, NULL, NULL);
}
