/* test_crew_ways.c - the crew's predecessors, and the bounds of what is handed over.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "ship.h"

/* How often this was said. */
static unsigned times_said(const struct ship *s, const char *words)
{
    unsigned n = 0;

    for (const char *at = s->log.data; at && (at = strstr(at, words)); at++)
        n++;
    return n;
}

/* One has read "bees honey", and so has its facilitator: M = 1. Its links have .5 and .3:
 * S = .4. With M and alpha = 1/2 that is .7; xiangdan knows no M. */
static void judge(const char *settings, double m, double ability)
{
    struct choice c;
    struct ship s;

    ship_open(&s, settings, 1);
    ship_settle(&s);
    assert_true(ship_next(&s, &c));
    ship_page(&s, c, "bees honey", NULL);
    ship_give(&s, 0, 11, .5);
    ship_give(&s, 0, 12, .3);
    crew_judge(s.model, ship_desk(&s, 0));
    assert_float_equal(ship_desk(&s, 0)->s, .4, 1e-12);
    assert_float_equal(ship_desk(&s, 0)->m, m, 1e-12);
    assert_float_equal(ship_desk(&s, 0)->ability, ability, 1e-12);
    ship_close(&s);
}

static void xiangdan_has_no_lattices(void **state)
{
    (void)state;
    judge("crawlers=1 threshold=1", 1, .7);
    judge("crawlers=1 threshold=1 organisation=wyy", 1, .7);
    judge("crawlers=1 threshold=1 organisation=xiangdan", 0, .4);
}

/* Five others: three of them are asked by an assistant, all of them where there is none. */
static void without_assistants_all_are_asked(void **state)
{
    static const struct {
        const char *settings;
        unsigned asked;
    } ways[] = {
        {"crawlers=6 think=0s", 3},
        {"crawlers=6 think=0s organisation=wyy", 5},
        {"crawlers=6 think=0s organisation=xiangdan", 5},
        {"crawlers=6 think=0s organisation=xiangdan candidates=2", 2},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        struct ship s;

        ship_open(&s, ways[i].settings, 0);
        ship_settle(&s);
        for (uint32_t url = 101; url <= 120; url++)
            ship_give(&s, 0, url, .5);
        ship_pass(&s, ROUND);
        assert_int_equal(times_said(&s, " cfp> "), 1 + ways[i].asked); /* and the manager's */
        ship_close(&s);
    }
}

/* A tenth of 100 links is 10; of no more than 4, 4. */
static void no_more_links_are_offered_than_may_be(void **state)
{
    struct ship s;

    (void)state;
    for (int few = 0; few <= 1; few++) {
        ship_open(&s, few ? "crawlers=2 links=4" : "crawlers=2", 0);
        ship_settle(&s);
        for (uint32_t url = 101; url <= 200; url++)
            ship_give(&s, 0, url, .5);
        deal_call(s.model, ship_desk(&s, 0));
        assert_int_equal(ship_crew(&s)->deals[0]->links.count, few ? 4 : 10);
        assert_int_equal(ship_desk(&s, 0)->queue.count, few ? 96 : 90);
        ship_close(&s);
    }
}

/* 101 and 102 are on offer; before they are sent, the second one was let through to 101. */
static void what_was_crawled_is_not_handed_over(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=3 think=0s", 0);
    ship_settle(&s);
    for (uint32_t url = 101; url <= 120; url++)
        ship_give(&s, 0, url, .5);
    ship_give(&s, 1, 201, .3);
    s.ctx.now += ROUND;
    s.model->ops->talks->tick(s.model);
    for (int i = 0; i < 20 && ship_find(&s, "request") == SIZE_MAX; i++)
        ship_turn(&s);
    assert_int_not_equal(ship_find(&s, "request"), SIZE_MAX);
    url_index_set(&ship_crew(&s)->granted, 101, 2);
    ship_settle(&s);
    assert_int_equal(times_said(&s, "request> A3: take-links 1 min 0.5: 102=0.5\n"), 1);
    assert_int_equal(crew_places(s.model, 101), 0);
    assert_int_equal(crew_places(s.model, 102), 1);
    assert_int_equal(ship_crew(&s)->transferred, 1);
    ship_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xiangdan_has_no_lattices),
        cmocka_unit_test(without_assistants_all_are_asked),
        cmocka_unit_test(no_more_links_are_offered_than_may_be),
        cmocka_unit_test(what_was_crawled_is_not_handed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
