/* fish, computed by hand. 'a' is page 10. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "tank.h"

/* ---- the three places ---- */

/* width 2, so 3 children of a relevant page count. List: B part | M part | E part.
 *   1 relevant:    2 3 4 |       | 5
 *   2 irrelevant:  3 4   | 6 7   | 5 8
 *   3 relevant:    9 4   | 6 7   | 5 8
 *   9 irrelevant:  4     | a 6 7 | 5 8 */
static const struct tank_page places[TANK_PAGES + 1] = {
    [1] = {.similarity = .1f, .links = {{2}, {3}, {4}, {5}}},
    [2] = {.links = {{6}, {7}, {8}}},
    [3] = {.similarity = .5f, .links = {{9}}},
    [9] = {.links = {{10}}},
};

static void children_enter_at_the_begin_the_middle_and_the_end(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, places, "fish", "width=2", SEED(1));
    assert_string_equal(tank_order(&t, 99), "12394a6758");
    assert_int_equal(t.ndropped, 0);
    tank_close(&t);
}

/* The order of arrival decides among equal potentials:
 *   1: 2 3 4 have 1, 5 has 0;  2: 6 7 have .5, 8 has 0;  3: 9 has 1;  9: a has .5 */
static void score_form_orders_by_potential(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, places, "fish", "width=2 form=score", SEED(1));
    assert_string_equal(tank_order(&t, 99), "1234967a58");
    tank_close(&t);
}

static void links_carry_their_potential(void **state)
{
    struct choice c;
    struct tank t;

    (void)state;
    tank_open(&t, places, "fish", "width=2", SEED(1));
    assert_true(tank_next(&t, &c));
    tank_answer(&t, c);
    assert_true(t.scores[0] == 1 && t.scores[2] == 1 && t.scores[3] == 0);
    assert_true(tank_next(&t, &c));
    tank_answer(&t, c);
    assert_true(t.scores[0] == 0.5f && t.scores[1] == 0.5f && t.scores[2] == 0);
    assert_true(tank_next(&t, &c) && c.url == 3 && c.score == 1);
    tank_close(&t);
}

/* All seeds come before any child, although children enter at the begin. 3 gives 9;
 * then 1, of which 3 is taken: 2 4 5 9; 2: 4 5 9 | 6 7 | 8; 9: a 6 7 | 8. */
static void seeds_come_first(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, places, "fish", "width=2", SEED(3, 1));
    assert_string_equal(tank_order(&t, 99), "312459a678");
    tank_close(&t);
}

/* A URL that stands twice on a page is one child: 1.5 * 2 = 3 of 2 3 4 5 count. */
static void repeated_link_counts_once(void **state)
{
    static const struct tank_page web[TANK_PAGES + 1] = {
        [1] = {.similarity = 1, .links = {{2}, {2}, {3}, {4}, {5}}},
        [2] = {.links = {{6}}},
    };
    struct tank t;

    (void)state;
    tank_open(&t, web, "fish", "width=2", SEED(1));
    assert_string_equal(tank_order(&t, 99), "123465");
    tank_close(&t);
}

/* ---- depth ---- */

/* depth 1, width 1. 1 is irrelevant: its children have depth 0, 2 at M, 3 at E. 2 is
 * irrelevant, 3 relevant.
 *   end:          4 behind 3; 5 behind 4, at E although 3 is relevant; 5 has depth 1
 *                 and is irrelevant: 6 at M
 *   discard:      4 is dropped; 3 is relevant: 5 at B with depth 1; 6 at M
 *   discard-all:  4 and 5 are dropped */
static void children_of_depth_zero_go_to_the_end_or_are_discarded(void **state)
{
    static const struct tank_page web[TANK_PAGES + 1] = {
        [1] = {.links = {{2}, {3}}},
        [2] = {.links = {{4}}},
        [3] = {.similarity = 1, .links = {{5}}},
        [5] = {.links = {{6}}},
    };
    static const struct {
        const char *settings, *order;
        size_t dropped;
    } cases[] = {
        {"depth=1 width=1", "123456", 0},
        {"depth=1 width=1 zero=discard", "12356", 1},
        {"depth=1 width=1 zero=discard-all", "123", 2},
    };
    struct tank t;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        tank_open(&t, web, "fish", cases[i].settings, SEED(1));
        assert_string_equal(tank_order(&t, 99), cases[i].order);
        assert_int_equal(t.ndropped, cases[i].dropped);
        tank_close(&t);
    }
}

/* depth 1, width 1: 1 gives 3 (M) and 2 (E) depth 0; 3 is relevant and gives 2 depth
 * 1, so that 4, the child of 2, is not discarded. */
static void child_already_listed_keeps_the_larger_depth(void **state)
{
    static const struct tank_page web[TANK_PAGES + 1] = {
        [1] = {.links = {{3}, {2}}},
        [2] = {.links = {{4}}},
        [3] = {.similarity = 1, .links = {{2}}},
    };
    struct tank t;

    (void)state;
    tank_open(&t, web, "fish", "depth=1 width=1 zero=discard", SEED(1));
    assert_string_equal(tank_order(&t, 99), "1324");
    tank_close(&t);
}

/* ---- several parents ---- */

/* As `places`, but 3 also names 5, which waits at E with 0:
 *   list, max:   5 has 1: it enters at B with 9:       5 9 4 | 6 7   | 8
 *   list, mean:  5 has (0 + 1) / 2: it moves to M:     9 4   | 5 6 7 | 8
 *   list, first: 5 stays:                              9 4   | 6 7   | 5 8
 *   score, max:  5 has 1 and came before 9:            4 5 9 6 7 8
 *   score, mean: 5 has .5 and came before 6:           4 9 5 6 7 8 */
static void child_found_again_joins_its_potentials(void **state)
{
    static const struct tank_page web[TANK_PAGES + 1] = {
        [1] = {.similarity = 1, .links = {{2}, {3}, {4}, {5}}},
        [2] = {.links = {{6}, {7}, {8}}},
        [3] = {.similarity = 1, .links = {{5}, {9}}},
    };
    static const char *const cases[][2] = {
        {"width=2", "123594678"},
        {"width=2 parents=mean", "123945678"},
        {"width=2 parents=first", "123946758"},
        {"width=2 form=score", "123459678"},
        {"width=2 form=score parents=mean", "123495678"},
        {"width=2 form=score parents=first", "123496758"},
    };
    struct tank t;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tank_open(&t, web, "fish", cases[i][0], SEED(1));
        assert_string_equal(tank_order(&t, 99), cases[i][1]);
        tank_close(&t);
    }
}

/* ---- hosts ---- */

static const struct tank_page hosts[TANK_PAGES + 1] = {
    [1] = {.url = "http://a.example/", .links = {{2}, {3}, {4}, {5}}},
    [2] = {.url = "http://a.example/2"},
    [3] = {.url = "http://b.example/", .links = {{6}, {7}}},
    [4] = {.url = "http://a.example/4"},
    [5] = {.url = "http://c.example:81/"},
    [6] = {.url = "http://b.example/6"},
    [7] = {.url = "http://a.example/7"},
};

/* width 2: of 1, which is on a, 3 and 5 lie elsewhere and count. Of 3, which is on b,
 * both count, 7 first. prefer=order: 2 and 3 count, then 6 before 7. Where a page does
 * not say its URL, the link that led to it did; a seed's host is not known then. */
static void links_to_other_hosts_are_preferred(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, hosts, "fish", "width=2", SEED(1));
    assert_string_equal(tank_order(&t, 99), "1376524");
    tank_close(&t);
    tank_open(&t, hosts, "fish", "width=2 prefer=order", SEED(1));
    assert_string_equal(tank_order(&t, 99), "1236745");
    tank_close(&t);
    tank_open(&t, hosts, "fish", "width=2", SEED(1));
    t.no_base = true;
    assert_string_equal(tank_order(&t, 99), "1237645");
    tank_close(&t);
}

/* slow 1s. 1 on a takes 2 s: depth 0, its child is dropped. 2 on b is fast and
 * relevant: 3 on a gets depth 0, 4 depth 1. 3 comes at once, so a takes 1 s on the
 * average and is slow no more, but 3 keeps its depth 0 and 5 is dropped; 6 is not.
 * Without the rule: 3 4 7; 5 4 7; 4 7; 7 | 6. */
static void slow_hosts_have_depth_zero(void **state)
{
    static const struct tank_page web[TANK_PAGES + 1] = {
        [1] = {.similarity = 1, .url = "http://a/", .latency = 2000000, .links = {{7}}},
        [2] = {.similarity = 1, .url = "http://b/", .latency = 100000, .links = {{3}, {4}}},
        [3] = {.similarity = 1, .url = "http://a/3", .links = {{5}}},
        [4] = {.url = "http://b/4", .links = {{6}}},
    };
    struct tank t;

    (void)state;
    tank_open(&t, web, "fish", "depth=1 zero=discard-all slow=1s", SEED(1, 2));
    assert_string_equal(tank_order(&t, 99), "12346");
    assert_int_equal(t.ndropped, 2);
    assert_int_equal(t.dropped[0], 7);
    assert_int_equal(t.dropped[1], 5);
    tank_close(&t);
    tank_open(&t, web, "fish", "depth=1 zero=discard-all slow=0", SEED(1, 2));
    assert_string_equal(tank_order(&t, 99), "1235476");
    tank_close(&t);
}

/* ---- the rest ---- */

/* By words 1 is relevant and 2 is not; by a relevance over .3 the other way round.
 * width 1: words: 3 at B, 4 at E, then 5 at M; relevance: 3 at M, then 5 at B. */
static void relevance_is_words_or_the_topics_verdict(void **state)
{
    static const struct tank_page web[TANK_PAGES + 1] = {
        [1] = {.similarity = .1f, .relevance = .3f, .links = {{3}, {4}}},
        [2] = {.similarity = 0, .relevance = .31f, .links = {{5}, {6}}},
    };
    struct tank t;

    (void)state;
    tank_open(&t, web, "fish", "width=1", SEED(1, 2));
    assert_string_equal(tank_order(&t, 99), "123546");
    tank_close(&t);
    tank_open(&t, web, "fish", "width=1 match=relevance threshold=0.3", SEED(1, 2));
    assert_string_equal(tank_order(&t, 99), "125346");
    tank_close(&t);
}

/* buffer 3: of 2 3 4 | | 5 the last, 5, falls off. Then 3 4 | 6 7 | 8 loses 8, then 7
 * (of a group the last); 9 4 | 6 is full. */
static void end_of_a_full_list_falls_off(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, places, "fish", "width=2 buffer=3", SEED(1));
    assert_string_equal(tank_order(&t, 99), "12394a6");
    assert_int_equal(t.ndropped, 3);
    assert_int_equal(t.dropped[0], 5);
    assert_int_equal(t.dropped[1], 7);
    assert_int_equal(t.dropped[2], 8);
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_enter_at_the_begin_the_middle_and_the_end),
        cmocka_unit_test(score_form_orders_by_potential),
        cmocka_unit_test(links_carry_their_potential),
        cmocka_unit_test(seeds_come_first),
        cmocka_unit_test(repeated_link_counts_once),
        cmocka_unit_test(children_of_depth_zero_go_to_the_end_or_are_discarded),
        cmocka_unit_test(child_already_listed_keeps_the_larger_depth),
        cmocka_unit_test(child_found_again_joins_its_potentials),
        cmocka_unit_test(links_to_other_hosts_are_preferred),
        cmocka_unit_test(slow_hosts_have_depth_zero),
        cmocka_unit_test(relevance_is_words_or_the_topics_verdict),
        cmocka_unit_test(end_of_a_full_list_falls_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
