/* pagerank, computed by hand with g = .8. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "tank.h"

#include <math.h>

/* The next visit must be of `url`, chosen with this rank. */
static void visit(struct tank *t, uint32_t url, double rank)
{
    struct choice c;

    assert_true(tank_next(t, &c));
    assert_int_equal(c.url, url);
    assert_true(fabs((double)c.score - rank) < 1e-6);
    tank_answer(t, c);
}

/* 1 links to 2 and 3, 2 to 3 and 4. The seed has rank 1. Before a computation:
 *   2, 3: .2 + .8 * 1 / 2 = .6;  4: .2 + .8 * .6 / 2 = .44, and 3 keeps .6
 * After it, from the graph 1 -> 2 3, 2 -> 3 4:
 *   PR(1) = .2;  PR(2) = .2 + .4 * .2 = .28
 *   PR(3) = .2 + .4 * .2 + .4 * .28 = .392;  PR(4) = .2 + .4 * .28 = .312 */
static const struct tank_page web[TANK_PAGES + 1] = {
    [1] = {.links = {{2}, {3}}},
    [2] = {.links = {{3}, {4}}},
};

static void new_links_have_the_share_of_the_page_that_names_them(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "pagerank", "", SEED(1));
    visit(&t, 1, 1);
    visit(&t, 2, 0.6);
    assert_true(fabs((double)t.scores[0] - 0.6) < 1e-6);
    assert_true(fabs((double)t.scores[1] - 0.44) < 1e-6);
    visit(&t, 3, 0.6);
    visit(&t, 4, 0.44);
    tank_close(&t);
}

static void ranks_are_computed_anew_every_so_many_pages(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "pagerank", "every=2", SEED(1));
    visit(&t, 1, 1);
    visit(&t, 2, 0.6);
    visit(&t, 3, 0.392);
    visit(&t, 4, 0.312);
    tank_close(&t);
}

/* 1 -> 2, 2 -> 1 3. PR(1) = .2 + .4 PR(2), PR(2) = .2 + .8 PR(1), PR(3) = PR(1):
 * PR(1) = .28 / .68 = .4117647. With epsilon .01 the ninth round is the last. All
 * begin with 1; of 1 and 3 | 2:
 *   .6 | 1    .6 | .68    .472 | .68    .472 | .5776    .43104 | .5776
 *   .43104 | .544832    .4179328 | .544832    .4179328 | .53434624
 *   .413738496 | .53434624, a change of .0042 */
static void computation_ends_when_no_rank_changes_by_epsilon(void **state)
{
    static const struct tank_page ring[TANK_PAGES + 1] = {
        [1] = {.links = {{2}}},
        [2] = {.links = {{1}, {3}}},
    };
    struct tank t;

    (void)state;
    tank_open(&t, ring, "pagerank", "every=2", SEED(1));
    visit(&t, 1, 1);
    visit(&t, 2, 1); /* .2 + .8 * 1 / 1 */
    visit(&t, 3, 0.413738496);
    tank_close(&t);
    tank_open(&t, ring, "pagerank", "every=2 epsilon=1e-9", SEED(1));
    visit(&t, 1, 1);
    visit(&t, 2, 1);
    visit(&t, 3, 0.28 / 0.68);
    tank_close(&t);
}

/* damping .5: 2, 3: .5 + .5 / 2 = .75; then PR(1) = .5, PR(2) = .5 + .125 = .625,
 * PR(3) = .5 + .125 + .15625 = .78125, PR(4) = .65625 */
static void damping_is_an_option(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "pagerank", "every=2 damping=0.5", SEED(1));
    visit(&t, 1, 1);
    visit(&t, 2, 0.75);
    visit(&t, 3, 0.78125);
    visit(&t, 4, 0.65625);
    tank_close(&t);
}

/* out(1) is 2 and 3: what stands twice counts once, the page itself not at all. */
static void distinct_targets_share_a_rank(void **state)
{
    static const struct tank_page twice[TANK_PAGES + 1] = {[1] = {.links = {{2}, {1}, {2}, {3}}}};
    struct tank t;

    (void)state;
    tank_open(&t, twice, "pagerank", "", SEED(1));
    visit(&t, 1, 1);
    visit(&t, 2, 0.6);
    visit(&t, 3, 0.6);
    tank_close(&t);
}

/* Both seeds give rank 1 to their links; 4 has the more similar parent. 5 is named by
 * both pages (by .2 and by .7): max .7, mean .45, first .2, and came before 4. */
static const struct tank_page tied[TANK_PAGES + 1] = {
    [1] = {.similarity = .2f, .links = {{3}, {5}}},
    [2] = {.similarity = .7f, .links = {{4}, {5}}},
};

static void ties_go_to_the_more_similar_parent(void **state)
{
    static const char *const cases[][2] = {
        {"", "12543"}, {"parents=mean", "12453"}, {"parents=first", "12435"}};
    struct tank t;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        tank_open(&t, tied, "pagerank", cases[i][0], SEED(1, 2));
        assert_string_equal(tank_order(&t, 99), cases[i][1]);
        tank_close(&t);
    }
}

/* pages=1: the graph holds 2 alone, the more similar. PR(2) = .2; 4 and 5 have
 * .2 + .4 * .2 = .28; 3, which nobody names there, .2. When 4, similar by 0, has been
 * visited, nothing changes. */
static void graph_holds_the_most_similar_pages(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, tied, "pagerank", "every=2 pages=1", SEED(1, 2));
    visit(&t, 1, 1);
    visit(&t, 2, 1);
    visit(&t, 5, 0.28);
    visit(&t, 4, 0.28);
    visit(&t, 3, 0.2);
    tank_close(&t);
}

/* A third seed has rank 1 while nobody names it. */
static void seeds_keep_their_rank(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "pagerank", "every=1", SEED(1, 9));
    visit(&t, 1, 1);
    visit(&t, 9, 1);
    visit(&t, 2, 0.28);
    visit(&t, 3, 0.392);
    visit(&t, 4, 0.312);
    tank_close(&t);
}

/* buffer=1: 1 names 2 and 3, of equal rank; 3 came later and leaves. */
static void lowest_rank_leaves_a_full_queue(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, web, "pagerank", "buffer=1", SEED(1));
    assert_string_equal(tank_order(&t, 99), "123");
    assert_int_equal(t.ndropped, 2);
    assert_int_equal(t.dropped[0], 3);
    assert_int_equal(t.dropped[1], 4);
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_links_have_the_share_of_the_page_that_names_them),
        cmocka_unit_test(ranks_are_computed_anew_every_so_many_pages),
        cmocka_unit_test(computation_ends_when_no_rank_changes_by_epsilon),
        cmocka_unit_test(damping_is_an_option),
        cmocka_unit_test(distinct_targets_share_a_rank),
        cmocka_unit_test(ties_go_to_the_more_similar_parent),
        cmocka_unit_test(graph_holds_the_most_similar_pages),
        cmocka_unit_test(seeds_keep_their_rank),
        cmocka_unit_test(lowest_rank_leaves_a_full_queue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
