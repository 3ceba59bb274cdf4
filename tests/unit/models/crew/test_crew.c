/* test_crew.c - a crew at work: first URLs, the check, abilities, time; by hand.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "ship.h"
#include "text/vocab.h"
#include "../told.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- first URLs ------------------------------------------------------------------ */

static void everybody_registers_and_gets_first_urls(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=2", 3);
    ship_settle(&s);
    ship_assert_said(&s, "F1 agree> A1: register\nF1 inform> A1: urls 1=1 3=1\n");
    ship_assert_said(&s, "F1 inform> A2: urls 2=1\n");
    ship_assert_said(&s, "A1 request> C1: crawl\n");
    assert_int_equal(ship_desk(&s, 0)->queue.count, 2);
    assert_int_equal(ship_desk(&s, 1)->queue.count, 1);
    assert_int_equal(population_counts(s.ctx.population).alive, 5); /* F, and two of two */
    ship_close(&s);
}

/* A seed for one of three: its six links go to all of them in turn. */
static void those_without_a_seed_get_links_of_the_first_page(void **state)
{
    static const struct ship_link links[] = {{11, "bees"}, {12, "bees"}, {13, "bees"}, {14, "a"},
                                             {15, "a"},    {16, "a"},    {0}};
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=3", 1);
    ship_settle(&s);
    assert_true(ship_next(&s, &c));
    assert_int_equal(c.url, 1);
    ship_page(&s, c, "bees", links);
    ship_settle(&s);
    ship_assert_said(&s, "F1 inform> A2: urls 12=1 15=0.001\n");
    ship_assert_said(&s, "F1 inform> A3: urls 13=1 16=0.001\n");
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(ship_desk(&s, i)->queue.count, 2);
    ship_close(&s);
}

static void a_lost_registration_is_repeated(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1 interval=20s", 1);
    ship_lose(&s, ship_find(&s, "request"));
    ship_settle(&s);
    assert_false(ship_desk(&s, 0)->registered);
    assert_int_equal(s.ctx.wake, 11 * SECOND); /* 1 s + the deadline */
    ship_pass(&s, 10 * SECOND);
    assert_true(ship_desk(&s, 0)->registered);
    assert_int_equal(ship_desk(&s, 0)->queue.count, 1);
    ship_close(&s);
}

/* ---- the check ------------------------------------------------------------------- */

static void who_asks_first_may_crawl(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=2", 0);
    ship_settle(&s);
    ship_give(&s, 0, 77, .5);
    ship_give(&s, 1, 77, .5);
    assert_int_equal(crew_places(s.model, 77), 2); /* two links, found on two pages */
    assert_true(ship_next(&s, &c));
    ship_assert_said(&s, "A2 query-if> F1: crawled 77\nA1 query-if> F1: crawled 77\n");
    ship_assert_said(&s, "F1 inform> A2: free 77\nF1 inform> A1: crawled 77\n");
    assert_int_equal(c.agent, ship_desk(&s, 1)->crawler);
    ship_page(&s, c, "bees", NULL);
    assert_false(ship_next(&s, &c));
    assert_int_equal(ship_desk(&s, 0)->denied, 1);
    assert_int_equal(crew_places(s.model, 77), 0);
    ship_close(&s);
}

static void without_the_check_pages_are_fetched_again(void **state)
{
    struct choice a, b;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=2 check=no", 0);
    ship_settle(&s);
    ship_give(&s, 0, 77, .5);
    ship_give(&s, 1, 77, .5);
    assert_true(ship_next(&s, &a));
    assert_true(ship_next(&s, &b));
    assert_int_equal(a.url, 77);
    assert_int_equal(b.url, 77);
    assert_false(a.refresh);
    assert_true(b.refresh);
    assert_int_not_equal(a.agent, b.agent);
    ship_give(&s, 0, 77, .5); /* what it was at itself it does not want again */
    assert_int_equal(crew_places(s.model, 77), 0);
    assert_true(model_refreshes(s.model));
    ship_close(&s);
}

/* 77 is the second facilitator's: the first one hands the question on. */
static void facilitators_share_what_was_crawled(void **state)
{
    struct choice c;
    char line[64];
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1 groups=2", 0);
    ship_settle(&s);
    ship_give(&s, 0, 77, .5);
    ship_give(&s, 1, 77, .5);
    assert_true(ship_next(&s, &c));
    (void)snprintf(line, sizeof line, "F1 query-if> F2: crawled 77 for %u\n",
                   ship_desk(&s, 0)->assistant);
    ship_assert_said(&s, line);
    assert_int_equal(c.agent, ship_desk(&s, 1)->crawler); /* its question was the first there */
    ship_assert_said(&s, "F2 inform> A1: crawled 77\n");
    assert_false(ship_next(&s, &c));
    ship_close(&s);
}

static void a_question_without_an_answer_is_asked_again(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1", 0);
    ship_settle(&s);
    ship_give(&s, 0, 5, .5);
    assert_false(s.model->ops->next(s.model, 0, &c));
    ship_turn(&s);
    ship_lose(&s, ship_find(&s, "inform")); /* F has given it away, but nobody knows */
    assert_false(ship_next(&s, &c));
    assert_int_equal(crew_places(s.model, 5), 1);
    ship_pass(&s, 10 * SECOND);
    assert_true(ship_next(&s, &c));
    assert_int_equal(c.url, 5);
    ship_close(&s);
}

/* ---- ability --------------------------------------------------------------------- */

/* S = (.5 + .3) / 2: .05 is not on topic. The facilitator has read what the agent has:
 * M = 1. E = .5 * .4 + .5 * 1. */
static void ability_is_of_links_and_lattice(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1 threshold=1", 1);
    ship_settle(&s);
    assert_true(ship_next(&s, &c));
    ship_page(&s, c, "bees honey", NULL);
    ship_give(&s, 0, 11, .5);
    ship_give(&s, 0, 12, .3);
    ship_give(&s, 0, 13, .05);
    crew_judge(s.model, ship_desk(&s, 0));
    assert_float_equal(ship_desk(&s, 0)->s, .4, 1e-12);
    assert_float_equal(ship_desk(&s, 0)->m, 1, 1e-12);
    assert_float_equal(ship_desk(&s, 0)->ability, .7, 1e-12);
    assert_non_null(strstr(s.kept.data, "\"pages\":[1],\"rows\":[\"3\"]"));
    ship_close(&s);
}

static struct str spelled(void *engine, uint32_t term)
{
    (void)engine;
    return term == term_id(STR("honey")) ? STR("honey") : STR("");
}

/* Two pages read, both with bees: share 1; honey and wax on one each, .5. Only the first is
 * on topic for the group: Sim 1 / sqrt(2) there; on_topic=0.7, and 1 / sqrt(3) = .58 for the
 * second. The crawler fetched them, the assistant is judged. */
static void members_tell_what_they_have_read(void **state)
{
    struct choice c = {.url = 9};
    const char *text;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1 on_topic=0.7", 0);
    s.tell.word = spelled;
    ship_settle(&s);
    c.agent = ship_desk(&s, 0)->crawler;
    assert_non_null(strstr(told(s.model, c.agent), "\"value\":\"not judged yet\""));
    ship_page(&s, c, "bees honey", NULL);
    ship_page(&s, c, "bees wax oak", NULL);
    text = told(s.model, ship_desk(&s, 0)->crawler);
    assert_non_null(strstr(text, "\",\"weight\":1},{"));
    assert_non_null(strstr(text, "{\"word\":\"honey\",\"weight\":0.5}"));
    assert_non_null(strstr(text, "\"label\":\"pages it fetched\",\"value\":2}"));
    ship_give(&s, 0, 11, .5);
    ship_crew(&s)->round = 1;
    crew_judge(s.model, ship_desk(&s, 0));
    text = told(s.model, ship_desk(&s, 0)->assistant);
    assert_non_null(strstr(text, "{\"word\":\"honey\",\"weight\":0.5}"));
    assert_non_null(strstr(text, "\"label\":\"of it, the worth of its links\",\"value\":0.5}"));
    assert_non_null(strstr(text, "\"label\":\"links that wait\",\"value\":1}"));
    assert_null(strstr(text, "pages it fetched"));
    text = told(s.model, ship_crew(&s)->groups[0].facilitator);
    assert_non_null(strstr(text, "{\"word\":\"honey\",\"weight\":1}"));
    assert_non_null(strstr(text, "which the words are of\",\"value\":1}"));
    ship_close(&s);
}

/* A page of other words is in the agent's lattice, but not in the facilitator's (Sim = 0).
 * Concepts: {bees honey}, {cars roads} of one page each, and {bees honey}:
 * M = 1/2 [1/2 * 1 + 1/2 * 0 + 1 * 1]. */
static void pages_off_topic_make_an_agent_less_able(void **state)
{
    struct choice c = {.url = 9};
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1", 0);
    ship_settle(&s);
    c.agent = ship_desk(&s, 0)->crawler;
    ship_page(&s, c, "bees honey", NULL);
    ship_page(&s, c, "cars roads", NULL);
    crew_judge(s.model, ship_desk(&s, 0));
    assert_float_equal(ship_desk(&s, 0)->m, .75, 1e-9);
    assert_float_equal(ship_desk(&s, 0)->ability, .375, 1e-9);
    ship_close(&s);
}

/* Sim = 1/2 of four words; an anchor without any related word keeps the printed weight. */
/* The key of a link that waits at the first desk. */
static double key_of(struct ship *s, uint32_t url)
{
    struct heap_item n = {.key = NAN};

    (void)link_queue_find(&ship_desk(s, 0)->queue, url, &n);
    return n.key;
}

static void links_have_the_scores_of_anchor_and_page(void **state)
{
    static const struct ship_link links[] = {{11, "old bees"}, {12, "here"}, {0}};
    struct choice c = {.url = 9};
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1", 0);
    ship_settle(&s);
    c.agent = ship_desk(&s, 0)->crawler;
    ship_page(&s, c, "bees wax comb box", links);
    assert_float_equal(key_of(&s, 11), -.5, 1e-6);
    assert_float_equal(key_of(&s, 12), -.0005, 1e-6);
    ship_close(&s);
}

/* The score of the link to 11 of a page of "bees" and 29 other words. */
static double score_beside_many_words(const char *settings)
{
    static const struct ship_link links[] = {{11, "bees"}, {0}};
    struct buf words = BUF_INIT(1000);
    struct choice c = {.url = 9};
    struct ship s;
    double key;

    buf_add_z(&words, "bees");
    for (int i = 0; i < 29; i++)
        buf_addf(&words, " q%d", i);
    ship_open(&s, settings, 0);
    ship_settle(&s);
    c.agent = ship_desk(&s, 0)->crawler;
    ship_page(&s, c, words.data, links);
    key = key_of(&s, 11);
    ship_close(&s);
    buf_free(&words);
    return -key;
}

static void without_wordnet_sim_looks_at_more_than_the_heaviest_terms(void **state)
{
    (void)state;
    assert_true(fabs(score_beside_many_words("crawlers=1 wordnet=pages") - 1 / sqrt(30)) < 1e-4);
    assert_true(fabs(score_beside_many_words("crawlers=1 wordnet=pages terms=20") - 1 / sqrt(30)) >
                1e-3); /* 0, or 1 / sqrt(20) */
    assert_true(fabs(score_beside_many_words("crawlers=1 wordnet=none") - 1 / sqrt(30)) > 1e-3);
}

/* Visits wait at a host by their scores, and then in the order in which they were chosen. */
static void crawlers_take_turns_at_a_host(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=2", 0);
    ship_settle(&s);
    ship_give(&s, 0, 11, .9);
    ship_give(&s, 1, 12, .1);
    for (int i = 0; i < 2; i++) {
        assert_true(ship_next(&s, &c));
        assert_float_equal(c.score, 0, 0);
    }
    ship_close(&s);
}

static void without_wordnet_it_says_so_and_goes_on(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1 wordnet=/nowhere/at/all", 1);
    ship_settle(&s);
    assert_true(ship_next(&s, &c));
    ship_page(&s, c, "bees", NULL);
    ship_pass(&s, ROUND);
    assert_int_equal(s.said, 1);
    assert_non_null(strstr(s.words, "WordNet"));
    assert_non_null(strstr(s.words, "/nowhere/at/all/index.noun"));
    assert_non_null(strstr(s.words, "stems are equal"));
    ship_close(&s);
}
/* ---- time ------------------------------------------------------------------------ */

/* Three pages at 1 s each. */
static void without_assistants_who_thinks_does_not_fetch(void **state)
{
    static const char *const organisations[] = {"crawlers=1 think=1s",
                                                "crawlers=1 think=1s organisation=wyy"};
    struct choice c = {.url = 9}, next;
    struct ship s;

    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        ship_open(&s, organisations[alone], 0);
        ship_settle(&s);
        c.agent = ship_desk(&s, 0)->crawler;
        for (int i = 0; i < 3; i++)
            ship_page(&s, c, "bees", NULL);
        ship_give_all(&s, 0, 101, 5, .5);
        ship_pass(&s, ROUND);
        assert_int_equal(ship_next(&s, &next), !alone);
        ship_pass(&s, 3 * SECOND - 1);
        assert_false(ship_said(&s, "ability"));
        ship_pass(&s, 1);
        assert_true(ship_said(&s, "ability"));
        assert_int_equal(population_counts(s.ctx.population).born, alone ? 2 : 3);
        if (alone)
            assert_true(ship_next(&s, &next));
        ship_close(&s);
    }
}

/* Three pages at 50 s: longer than a round, which does not make it begin anew. */
static void who_thinks_for_long_comes_to_an_end(void **state)
{
    struct choice c = {.url = 9};
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=1 think=50s", 0);
    ship_settle(&s);
    c.agent = ship_desk(&s, 0)->crawler;
    for (int i = 0; i < 3; i++)
        ship_page(&s, c, "bees", NULL);
    ship_give_all(&s, 0, 101, 5, .5);
    ship_pass(&s, ROUND);
    ship_pass(&s, ROUND);
    assert_false(ship_said(&s, "ability"));
    ship_pass(&s, 30 * SECOND);
    assert_true(ship_said(&s, "ability"));
    ship_close(&s);
}

static void the_facilitator_stops_everybody(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=2 survival=300s", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 5, .01);
    assert_true(ship_next(&s, &c));
    ship_pass(&s, 300 * (int64_t)SECOND);
    ship_assert_said(&s, "F1 request> A1: stop\n");
    ship_assert_said(&s, "A1 request> C1: stop\n");
    assert_int_equal(population_counts(s.ctx.population).alive, 3); /* one visit is under way */
    ship_page(&s, c, "bees", NULL);
    ship_settle(&s);
    assert_int_equal(population_counts(s.ctx.population).alive, 1);
    assert_false(ship_next(&s, &c));
    assert_int_equal(s.ctx.wake, 0);
    ship_close(&s);
}

static void a_crew_without_links_is_done(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "crawlers=2", 1);
    ship_settle(&s);
    assert_true(s.ctx.wake != 0);
    assert_true(ship_next(&s, &c));
    ship_page(&s, c, "bees", NULL);
    ship_settle(&s);
    assert_false(ship_next(&s, &c));
    assert_int_equal(s.ctx.wake, 0);
    ship_close(&s);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_registers_and_gets_first_urls),
        cmocka_unit_test(those_without_a_seed_get_links_of_the_first_page),
        cmocka_unit_test(a_lost_registration_is_repeated),
        cmocka_unit_test(who_asks_first_may_crawl),
        cmocka_unit_test(without_the_check_pages_are_fetched_again),
        cmocka_unit_test(facilitators_share_what_was_crawled),
        cmocka_unit_test(a_question_without_an_answer_is_asked_again),
        cmocka_unit_test(ability_is_of_links_and_lattice),
        cmocka_unit_test(members_tell_what_they_have_read),
        cmocka_unit_test(pages_off_topic_make_an_agent_less_able),
        cmocka_unit_test(links_have_the_scores_of_anchor_and_page),
        cmocka_unit_test(without_wordnet_sim_looks_at_more_than_the_heaviest_terms),
        cmocka_unit_test(crawlers_take_turns_at_a_host),
        cmocka_unit_test(without_wordnet_it_says_so_and_goes_on),
        cmocka_unit_test(without_assistants_who_thinks_does_not_fetch),
        cmocka_unit_test(who_thinks_for_long_comes_to_an_end),
        cmocka_unit_test(the_facilitator_stops_everybody),
        cmocka_unit_test(a_crew_without_links_is_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
