/* infospiders, computed by hand: agents that keep links for themselves.
 * SPDX-License-Identifier: MIT */
#include "spiders.h"

#include <string.h>

/* Page 1: bee 2, wax 1, oak, elm, ash 1: |p|^2 = 8, sim = 3 / sqrt(8 * 2) = .75.
 * Link to 2: in = (2, 1/2), to 3: in = (1, 1).
 * alpha = .25:
 * .25 * .8482836 + .75 * .75 = .7745709;  .25 * .7615942 + .5625 = .7528985 */
static void kept_links_mix_net_and_page(void **state)
{
    static const double scores[] = {0.7745709099893782, 0.7528985389889412};
    struct spider *s;
    struct pond p;

    (void)state;
    pond_open(&p, two_links, "bee wax", "infospiders", ONE "variant=frontier alpha=0.25", SEED(1));
    visit(&p, 1);
    assert_all_near(p.scores, 2, scores);
    s = spider_of(&p, 1);
    assert_int_equal(s->bag.count, 2);
    assert_near((double)s->bag.scores[0], scores[0]);
    assert_near((double)s->bag.in[0], 2);
    assert_near((double)s->bag.in[3], 1);
    assert_int_equal(strlen(pond_order(&p, 99)), 2); /* both, without a way back */
    assert_int_equal(p.visits, 3);
    assert_string_equal(p.cause, "dead end"); /* nothing is left */
    pond_close(&p);
}

/* Seven links, the mother keeps four, the child gets three: all of them once. The child
 * has one word more; its links know nothing of it. */
static void children_get_half_of_the_frontier(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>wax wax wax wax wax wax wax wax <a href=2>oak</a> <a href=3>oak</a> <a "
               "href=4>oak</a>"
               " <a href=5>elm</a> <a href=6>elm</a> <a href=7>oak</a> <a href=8>ash</a>"},
    };
    struct spider *mother, *child;
    uint32_t seen = 0;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", BIRTH "variant=frontier", SEED(1));
    visit(&p, 1);
    mother = spider_of(&p, 1);
    child = spider_of(&p, 2);
    assert_int_equal(mother->bag.count, 4);
    assert_int_equal(child->bag.count, 3);
    assert_int_equal(child->bag.keywords, 3);
    for (size_t i = 0; i < 4; i++)
        seen |= 1u << mother->bag.urls[i];
    for (size_t i = 0; i < 3; i++) {
        float near = child->bag.urls[i] <= 6 ? 8.0f / (float)(child->bag.urls[i] - 1) : 0;

        seen |= 1u << child->bag.urls[i];
        assert_near((double)child->bag.in[3 * i + 1], (double)near);
        assert_near((double)child->bag.in[3 * i + 2], 0);
    }
    assert_int_equal(seen, 0x1fc);
    pond_resume(&p, "infospiders", BIRTH "variant=frontier");
    pond_close(&p);
}

/* max_buffer = 16: with 17 links 15 are left, a sixteenth of the room being free again;
 * the two worst have gone, those farthest from the words. */
static void lowest_links_leave_a_full_buffer(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>wax wax wax wax <a href=2>oak</a> <a href=3>oak</a> <a href=4>oak</a>"
               " <a href=5>o</a> <a href=6>o</a> <a href=7>o</a> <a href=8>o</a>"
               " <a href=9>o</a> <a href=10>o</a> <a href=11>o</a> <a href=12>o</a>"
               " <a href=13>o</a> <a href=14>o</a> <a href=15>o</a> <a href=16>o</a>"
               " <a href=17>o</a> <a href=18>o</a>"},
        [2] = {"<p>oak"},
    };
    struct spider *s;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", ONE "variant=frontier rho=15 max_buffer=16",
              SEED(1));
    visit(&p, 1);
    s = spider_of(&p, 1);
    assert_int_equal(s->bag.count, 15);
    assert_int_equal(p.ndropped, 2);
    assert_int_equal(p.dropped[0] + p.dropped[1], 17 + 18);
    spider_die(p.model, s, "test"); /* and takes its links with it */
    assert_int_equal(p.ndropped, 17);
    pond_close(&p);
}

/* Twelve links that score alike, kept by both agents: 24, of which nine have to go. Four
 * or five of each: nobody is robbed for being older. */
static void of_equal_links_every_agent_gives_its_share(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>o <a href=2>o</a> <a href=3>o</a> <a href=4>o</a> <a href=5>o</a>"
               " <a href=6>o</a> <a href=7>o</a> <a href=8>o</a> <a href=9>o</a>"
               " <a href=10>o</a> <a href=11>o</a> <a href=12>o</a> <a href=13>o</a>"},
    };
    struct choice c;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", "population=2 variant=frontier max_buffer=16",
              SEED(1));
    visit(&p, 1);
    assert_int_equal(spider_of(&p, 1)->bag.count, 12);
    assert_true(pond_next(&p, &c)); /* the second walks there; the first takes a link */
    assert_int_equal(c.agent, 1);
    assert_int_equal(spider_of(&p, 1)->bag.count + spider_of(&p, 2)->bag.count, 14);
    assert_in_range(spider_of(&p, 2)->bag.count, 7, 8);
    assert_int_equal(spiders_of(p.model)->kept, 14);
    pond_answer(&p, c);
    pond_close(&p);
}

/* Both agents keep 2 and 3; the first of them there fetches, the other walks and pays. */
static void kept_links_may_have_been_visited_by_others(void **state)
{
    struct pond p;

    (void)state;
    pond_open(&p, two_links, "bee wax", "infospiders",
              "population=2 theta=2 max_pages=100 variant=frontier cost=latency", SEED(1));
    visit(&p, 1);
    assert_int_equal(strlen(pond_order(&p, 99)), 2);
    assert_int_equal(alive(&p), 0);
    assert_int_equal(p.visits, 6); /* two agents, three pages */
    books_are_balanced(&p);
    pond_close(&p);
}

/* The agent has learned oak: with its own words 2 is worth 1 / sqrt(1 * 3), without 0. */
static void reward_can_follow_the_agents_own_words(void **state)
{
    static const struct {
        const char *settings;
        double worth;
    } cases[] = {
        {BIRTH "variant=frontier reward_vector=agent max_population=2", 1},
        {BIRTH "variant=frontier max_population=2", 0},
        {BIRTH "reward_vector=agent max_population=2", 1},
        {BIRTH "max_population=2", 0},
    };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct choice c;
        struct pond p;

        pond_open(&p, birth, "bee wax", "infospiders", cases[i].settings, SEED(1));
        visit(&p, 1);
        if (options_of(p.model)->variant == VARIANT_FRONTIER) { /* one link: give it to the child */
            struct spider *mother = spider_of(&p, 1), *child = spider_of(&p, 2);
            const float in[3] = {0};

            mother->bag.count = 0;
            (void)link_bag_add(&child->bag, 2, 0, in);
        }
        assert_true(pond_next(&p, &c));
        if (c.agent == 1) { /* the mother is too early: let her fail, and the child go */
            spider_of(&p, 1)->under_way = false;
            c.agent = 2;
            spider_of(&p, 2)->under_way = true;
            spider_of(&p, 2)->to = 2;
        }
        pond_answer(&p, c);
        assert_near(p.last_visit.visit.delta, cases[i].worth / sqrt(3));
        pond_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_links_mix_net_and_page),
        cmocka_unit_test(children_get_half_of_the_frontier),
        cmocka_unit_test(lowest_links_leave_a_full_buffer),
        cmocka_unit_test(of_equal_links_every_agent_gives_its_share),
        cmocka_unit_test(kept_links_may_have_been_visited_by_others),
        cmocka_unit_test(reward_can_follow_the_agents_own_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
