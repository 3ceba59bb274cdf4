/* test_change_rate.c - rates of change, by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/change_rate.h"

#include <math.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* -ln((n - X + 0.5) / (n + 0.5)) / I, Cho & Garcia-Molina 2003. */
static void equal_distances_give_the_estimate_of_the_paper(void **state)
{
    struct change_seen s = {0};

    (void)state;
    assert_near(change_rate(&s), 0);
    for (int i = 0; i < 10; i++)
        change_note(&s, 5, i < 3);
    /* n = 10, X = 3, I = 5 s: -ln(7.5 / 10.5) / 5 = 0.336472 / 5 */
    assert_near(change_rate(&s), -log(7.5 / 10.5) / 5);
    assert_true(fabs(change_rate(&s) - 0.0672944) < 1e-6);
    s = (struct change_seen){0};
    for (int i = 0; i < 4; i++)
        change_note(&s, 2, true);
    /* Every visit saw one: n = X = 4: -ln(0.5 / 4.5) / 2 = 1.0986 */
    assert_near(change_rate(&s), -log(0.5 / 4.5) / 2);
}

/* Distances 1, 1, 4 of which the last saw a change: C = 4, U = 2, m = 2, c = 4:
 * ln((6 + 1) / (2 + 1)) / 4. */
static void unequal_distances_count_by_their_length(void **state)
{
    struct change_seen s = {0};

    (void)state;
    change_note(&s, 1, false);
    change_note(&s, 1, false);
    change_note(&s, 4, true);
    change_note(&s, 0, true); /* no time passed: nothing was seen */
    assert_int_equal(s.visits, 3);
    assert_int_equal(s.changes, 1);
    assert_near(change_rate(&s), log(7.0 / 3) / 4);
}

/* Three visits of the prior beside n of the page's own. */
static void a_page_of_few_visits_is_like_its_host(void **state)
{
    struct change_seen s = {0};

    (void)state;
    assert_near(change_rate_near(&s, 0.5), 0.5);
    change_note(&s, 10, false);
    assert_near(change_rate_near(&s, 0.5), (1 * 0.0 + 3 * 0.5) / 4);
    for (int i = 0; i < 999; i++)
        change_note(&s, 10, false);
    assert_near(change_rate_near(&s, 0.5), 1.5 / 1003);
}

static void what_was_seen_is_saved(void **state)
{
    struct change_seen s = {0}, t = {0};
    struct buf out = BUF_INIT(1000);
    struct cursor from;

    (void)state;
    change_note(&s, 3, true);
    change_note(&s, 5, false);
    fields_save(change_fields, &s, &out);
    from = (struct cursor){.rest = buf_str(&out)};
    fields_load(change_fields, &t, &from);
    assert_false(from.bad);
    assert_memory_equal(&s, &t, sizeof s);
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_distances_give_the_estimate_of_the_paper),
        cmocka_unit_test(unequal_distances_count_by_their_length),
        cmocka_unit_test(a_page_of_few_visits_is_like_its_host),
        cmocka_unit_test(what_was_seen_is_saved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
