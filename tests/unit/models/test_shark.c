/* shark, computed by hand with delta .5, beta .8, gamma .5, D = 3, r = .1 where not
 * said otherwise. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "tank.h"

#include <math.h>

static void visit(struct tank *t, uint32_t url)
{
    struct choice c;

    assert_true(tank_next(t, &c));
    assert_int_equal(c.url, url);
    tank_answer(t, c);
}

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-6);
}

/* 1, similar by .4: its links inherit .2.
 *   2: anchor .5, so context 1: .8 * .5 + .2 * 1 = .6;  .5 * .2 + .5 * .6 = .4
 *   3: anchor 0, context .3:    .2 * .3 = .06;          .5 * .2 + .5 * .06 = .13
 *   4: nothing:                                         .5 * .2 = .1
 * 2, similar by 0: its links inherit half of what it inherited, .1: 5 has .05. */
static const struct tank_page web[TANK_PAGES + 1] = {
    [1] = {.similarity = .4f, .relevance = .8f, .links = {{2, .5f, .1f}, {3, 0, .3f}, {4, 0, 0}}},
    [2] = {.links = {{5, 0, 0}}},
};

static void score_joins_inherited_anchor_and_context(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "shark", "", SEED(1));
    visit(&t, 1);
    assert_near(t.scores[0], 0.4);
    assert_near(t.scores[1], 0.13);
    assert_near(t.scores[2], 0.1);
    visit(&t, 2);
    assert_near(t.scores[0], 0.05);
    assert_string_equal(tank_order(&t, 99), "345");
    tank_close(&t);
}

/* delta .8, beta .5, gamma .25: 1 gives .32; 2: .5 * .5 + .5 = .75;
 * .25 * .32 + .75 * .75 = .6425; 3: .5 * .3 = .15; .08 + .1125 = .1925; 4: .08 */
static void constants_are_options(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "shark", "delta=0.8 beta=0.5 gamma=0.25", SEED(1));
    visit(&t, 1);
    assert_near(t.scores[0], 0.6425);
    assert_near(t.scores[1], 0.1925);
    assert_near(t.scores[2], 0.08);
    tank_close(&t);
}

/* By the topic's measure (the tank halves the worth of words): 1 has .8 and gives .4;
 * 2: .8 * .25 + .2 = .4; .2 + .2 = .4; 3: .2 * .15 = .03; .2 + .015 = .215 */
static void similarity_can_be_the_topics_own(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "shark", "similarity=topic", SEED(1));
    visit(&t, 1);
    assert_near(t.scores[0], 0.4);
    assert_near(t.scores[1], 0.215);
    tank_close(&t);
}

/* Seeds inherit 1: of a seed similar by 0 a link inherits .5 and has .25; of the page
 * behind it .25 and .125. */
static void seeds_inherit_one(void **state)
{
    static const struct tank_page chain[TANK_PAGES + 1] = {
        [1] = {.links = {{2}}},
        [2] = {.links = {{3}}},
    };
    struct tank t;

    (void)state;
    tank_open(&t, chain, "shark", "", SEED(1));
    visit(&t, 1);
    assert_near(t.scores[0], 0.25);
    visit(&t, 2);
    assert_near(t.scores[0], 0.125);
    tank_close(&t);
}

/* D = 2: the seed 1 is not relevant (r itself is not more than r): 2 has depth 1, 3
 * depth 0. 3 is relevant but not expanded: 4 is dropped. With 2 relevant, 3 has depth
 * 2 and 4 again, being the child of a relevant page. */
static void pages_of_depth_zero_are_not_expanded(void **state)
{
    static const struct tank_page dry[TANK_PAGES + 1] = {
        [1] = {.similarity = .1f, .links = {{2}}},
        [2] = {.similarity = .05f, .links = {{3}}},
        [3] = {.similarity = .9f, .links = {{4}}},
        [4] = {.links = {{5}}},
    };
    struct tank_page wet[TANK_PAGES + 1];
    struct tank t;

    (void)state;
    tank_open(&t, dry, "shark", "depth=2 r=0.11", SEED(1));
    assert_string_equal(tank_order(&t, 99), "123");
    assert_int_equal(t.ndropped, 1);
    assert_int_equal(t.dropped[0], 4);
    tank_close(&t);
    memcpy(wet, dry, sizeof dry);
    wet[2].similarity = 0.2f;
    tank_open(&t, wet, "shark", "depth=2 r=0.11", SEED(1));
    assert_string_equal(tank_order(&t, 99), "12345");
    tank_close(&t);
}

/* D = 2. The seed 1 (similar by 0) gives 2 and 3 an inheritance of .5 and depth 1:
 *   2: anchor .9: .8 * .9 + .2 = .92; .25 + .46 = .71;  3: anchor .5: .25 + .3 = .55
 * 2 (by 0) gives 5 .25 and depth 0: score .125; 3 (by .9) gives it .45 and depth 2:
 * score .225. 5 (by 0) has depth 2, so 6 is not dropped; it inherits half of what 5
 * has: max .45, first .25, mean .35; its score is half of that. */
static void url_seen_again_keeps_the_larger_depth_and_joins_what_it_inherits(void **state)
{
    static const struct tank_page twice[TANK_PAGES + 1] = {
        [1] = {.links = {{2, .9f, 0}, {3, .5f, 0}}},
        [2] = {.links = {{5}}},
        [3] = {.similarity = .9f, .links = {{5}}},
        [5] = {.links = {{6}}},
    };
    static const struct {
        const char *settings;
        double score5, score6;
    } cases[] = {
        {"depth=2", .225, .1125},
        {"depth=2 parents=first", .125, .0625},
        {"depth=2 parents=mean", .175, .0875},
    };
    struct choice c;
    struct tank t;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        tank_open(&t, twice, "shark", cases[i].settings, SEED(1));
        visit(&t, 1);
        assert_near(t.scores[0], 0.71);
        assert_near(t.scores[1], 0.55);
        visit(&t, 2);
        visit(&t, 3);
        assert_true(tank_next(&t, &c) && c.url == 5);
        assert_near(c.score, cases[i].score5);
        tank_answer(&t, c);
        assert_near(t.scores[0], cases[i].score6);
        assert_string_equal(tank_order(&t, 99), "6");
        tank_close(&t);
    }
}

/* Two visits under way, 2 and 3; 2 moved to 7, which names 5. Both pages are similar
 * by 0, so 5 inherits from 2: it had .2, 5 gets .1, score .05. 3 fails. */
static void redirected_visit_keeps_what_it_inherited(void **state)
{
    static const struct tank_page moved[TANK_PAGES + 1] = {
        [1] = {.similarity = .4f, .links = {{2, .5f, 0}, {3, 0, .3f}}},
        [2] = {.moved = 7},
        [7] = {.links = {{5}}},
    };
    struct choice two, three, c;
    struct tank t;

    (void)state;
    tank_open(&t, moved, "shark", "", SEED(1));
    visit(&t, 1);
    assert_true(tank_next(&t, &two) && tank_next(&t, &three));
    assert_int_equal(two.url, 2);
    tank_answer(&t, two);
    assert_near(t.scores[0], 0.05);
    tank_fail(&t, three);
    assert_true(tank_next(&t, &c) && c.url == 5);
    tank_answer(&t, c);
    assert_false(tank_next(&t, &c));
    tank_close(&t);
}

static void lowest_score_leaves_a_full_queue(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "shark", "buffer=2", SEED(1));
    assert_string_equal(tank_order(&t, 99), "1235");
    assert_int_equal(t.ndropped, 1);
    assert_int_equal(t.dropped[0], 4);
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(score_joins_inherited_anchor_and_context),
        cmocka_unit_test(constants_are_options),
        cmocka_unit_test(similarity_can_be_the_topics_own),
        cmocka_unit_test(seeds_inherit_one),
        cmocka_unit_test(pages_of_depth_zero_are_not_expanded),
        cmocka_unit_test(url_seen_again_keeps_the_larger_depth_and_joins_what_it_inherits),
        cmocka_unit_test(redirected_visit_keeps_what_it_inherited),
        cmocka_unit_test(lowest_score_leaves_a_full_queue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
