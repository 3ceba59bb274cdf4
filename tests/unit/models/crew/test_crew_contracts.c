/* test_crew_contracts.c - links are handed on: contracts from call to end, and what may go
 * wrong in between; by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "ship.h"

#include "models/crew/wordnet.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- contracts ------------------------------------------------------------------- */

/* The first has S = .5, M = 0: E = .25, just enough; 20 links, of which it offers 2. */
static void a_contract_from_call_to_end(void **state)
{
    char name[AGENT_NAME], want[2000];
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=3 think=0s", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .5);
    ship_give_all(&s, 1, 201, 1, .3);
    buf_clear(&s.log);
    ship_pass(&s, ROUND);
    (void)snprintf(want, sizeof want,
                   "A1 inform> F1: ability 0.250000 S 0.5000 M 0.0000 pages 0 links 20\n"
                   "A1 cfp> F1: supply-links 2 min 0.5: 101=0.5 102=0.5\n"
                   "A2 inform> F1: ability 0.150000 S 0.3000 M 0.0000 pages 0 links 1\n"
                   "A3 inform> F1: ability 0.000000 S 0.0000 M 0.0000 pages 0 links 0\n"
                   "F1 cfp> A3: supply-links 2 min 0.5: 101=0.5 102=0.5\n" /* m = 1 */
                   "A3 propose> F1: receive-links ability 0.000000\n"
                   "F1 accept-proposal> A3: receive-links\n"
                   "F1 inform> A1: contractor %s\n"
                   "A1 request> F1: take-links 2 min 0.5: 101=0.5 102=0.5\n"
                   "F1 request> A3: take-links 2 min 0.5: 101=0.5 102=0.5\n"
                   "A3 agree> F1: receive-links 2\n"
                   "F1 agree> A1: receive-links\n",
                   agent_name(ship_desk(&s, 2)->assistant, name));
    assert_string_equal(s.log.data, want);
    assert_int_equal(ship_desk(&s, 0)->queue.count, 18);
    assert_int_equal(ship_desk(&s, 2)->queue.count, 2);
    assert_int_equal(ship_crew(&s)->ndeals, 1);
    while (ship_next(&s, &c) && c.url != 102)
        ship_page(&s, c, "bees", NULL);
    assert_int_equal(c.agent, ship_desk(&s, 2)->crawler);
    buf_clear(&s.log);
    ship_settle(&s);
    assert_string_equal(s.log.data, "A3 inform-done> F1: crawled 2 of 2\n"
                                    "F1 inform-done> A1: crawled 2 of 2\n"
                                    "F1 inform> A1: end\n"
                                    "F1 inform> A3: end\n");
    assert_int_equal(ship_crew(&s)->ndeals, 0);
    assert_int_equal(ship_crew(&s)->ended[CONTRACT_DONE], 1);
    ship_close(&s);
}

static void below_the_threshold_nobody_calls(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=3 think=0s threshold=0.2501", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .5);
    ship_pass(&s, ROUND);
    assert_false(ship_said(&s, "cfp>"));
    ship_close(&s);
}

/* Without WordNet the threshold is out of reach for all: the most able calls in the third round. */
static void without_wordnet_the_most_able_calls_in_the_end(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=3 think=0s threshold=1 wordnet=pages relent=2", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .3);
    ship_give_all(&s, 1, 201, 20, .5);
    ship_pass(&s, ROUND);
    ship_pass(&s, ROUND);
    assert_false(ship_said(&s, "cfp>"));
    ship_pass(&s, ROUND);
    assert_true(ship_said(&s, "A2 cfp> F1: supply-links 2 min 0.5:"));
    assert_false(ship_said(&s, "A1 cfp>"));
    assert_int_equal(ship_desk(&s, 2)->queue.count, 2);
    ship_close(&s);
}

/* With WordNet, too, in a crawl with a limit of pages: it may end before anybody is as able. */
static void on_few_pages_the_most_able_calls_in_the_end(void **state)
{
    struct wordnet *w = NULL;
    struct ship s;

    (void)state;
    if (wordnet_open(NULL, &w) != ST_OK)
        skip();
    wordnet_free(w);
    for (uint64_t pages = 0; pages <= 400; pages += 400) {
        ship_open(&s, "interval=120s crawlers=3 think=0s threshold=1 wordnet= relent=2", 0);
        s.ctx.pages = pages;
        ship_settle(&s);
        ship_give_all(&s, 0, 101, 20, .5);
        for (int i = 0; i < 3; i++)
            ship_pass(&s, ROUND);
        assert_int_equal(ship_said(&s, "A1 cfp> F1: supply-links 2 min 0.5:"), pages > 0);
        ship_close(&s);
    }
}

/* Nobody's best link is below 0, so an offer with such a link would never be taken. */
static void links_without_a_score_are_not_offered(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=3 think=0s threshold=0.1 share=0.5", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 3, .5);
    ship_give_all(&s, 0, 151, 17, 0);
    ship_give_all(&s, 1, 201, 20, 0);
    ship_give_all(&s, 2, 301, 20, 0);
    ship_pass(&s, ROUND);
    assert_true(ship_said(&s, "A1 cfp> F1: supply-links 3 min 0.5:"));
    assert_int_equal(ship_desk(&s, 0)->queue.count, 17);
    assert_int_equal(ship_desk(&s, 1)->queue.count + ship_desk(&s, 2)->queue.count, 43);
    ship_close(&s);
}

/* The best link of the second is as good as what is offered. */
static void bids_are_for_links_better_than_ones_own(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=2 think=0s", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .5);
    ship_give_all(&s, 1, 201, 1, .5);
    ship_desk(&s, 1)->stopped = false;
    ship_pass(&s, ROUND);
    ship_assert_said(&s, "A2 refuse> F1: receive-links\n");
    ship_assert_said(&s, "F1 refuse> A1: nobody bids\n");
    assert_int_equal(ship_desk(&s, 0)->queue.count, 20);
    assert_int_equal(ship_crew(&s)->ended[CONTRACT_NO_BID], 1);
    ship_close(&s);
    ship_open(&s, "interval=120s crawlers=2 think=0s bid=at-most", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .6);
    ship_give_all(&s, 1, 201, 1, .6);
    ship_pass(&s, ROUND);
    ship_assert_said(&s, "propose>");
    ship_close(&s);
}

/* Two bids: the least able gets it, the other one hears that it does not. */
static void losers_are_told(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=3 think=0s candidates=2", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .5);
    ship_give_all(&s, 1, 201, 1, .3);
    ship_pass(&s, ROUND);
    ship_assert_said(&s, "A2 propose> F1: receive-links ability 0.150000\n");
    ship_assert_said(&s, "F1 accept-proposal> A3: receive-links\n"
                         "F1 reject-proposal> A2: another is less able\n");
    ship_close(&s);
}

static void the_least_able_can_get_links_unasked(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=3 think=0s award=min_ability", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .5);
    ship_give_all(&s, 2, 201, 1, .9); /* it would not have bid; E = .45: it is itself above W */
    ship_give_all(&s, 1, 301, 1, .3);
    ship_pass(&s, ROUND);
    assert_false(ship_said(&s, "propose>"));
    ship_assert_said(&s, "F1 accept-proposal> A2: receive-links\n");
    assert_int_equal(ship_desk(&s, 1)->queue.count, 3);
    ship_close(&s);
}

/* E = .3 and .25: the more able is served. */
static void of_two_managers_one_is_served(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=4 think=0s", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .5);
    ship_give_all(&s, 1, 201, 20, .6);
    ship_pass(&s, ROUND);
    ship_assert_said(&s, "F1 refuse> A1: another call is served\n");
    assert_int_equal(ship_desk(&s, 0)->queue.count, 20);
    assert_int_equal(ship_desk(&s, 1)->queue.count, 18);
    assert_int_equal(ship_desk(&s, 2)->queue.count, 2);
    ship_close(&s);
}

static void or_both_with_a_contractor_each(void **state)
{
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=4 think=0s managers=all candidates=1", 0);
    ship_settle(&s);
    ship_give_all(&s, 0, 101, 20, .5);
    ship_give_all(&s, 1, 201, 20, .6);
    ship_pass(&s, ROUND);
    assert_int_equal(ship_desk(&s, 0)->queue.count, 18);
    assert_int_equal(ship_desk(&s, 1)->queue.count, 18);
    assert_true(link_queue_has(&ship_desk(&s, 2)->queue, 201)); /* the more able came first */
    assert_true(link_queue_has(&ship_desk(&s, 3)->queue, 101));
    ship_close(&s);
}

/* ---- what goes wrong ------------------------------------------------------------- */

/* Everything up to the first message of this kind is delivered. */
static void until(struct ship *s, const char *performative)
{
    for (int i = 0; i < 20 && ship_find(s, performative) == SIZE_MAX; i++)
        ship_turn(s);
    assert_int_not_equal(ship_find(s, performative), SIZE_MAX);
}

static void to_negotiate(struct ship *s)
{
    ship_open(s, "interval=120s crawlers=3 think=0s", 0);
    ship_settle(s);
    ship_give_all(s, 0, 101, 20, .5);
    ship_give_all(s, 1, 201, 1, .3);
    s->ctx.now += ROUND;
    s->model->ops->talks->tick(s->model);
}

static void assert_all_links(const struct ship *s)
{
    for (uint32_t url = 101; url <= 120; url++)
        assert_int_equal(crew_places(s->model, url), 1);
}

static void a_late_bid_is_rejected(void **state)
{
    struct ship s;

    (void)state;
    to_negotiate(&s);
    until(&s, "propose");
    s.ctx.now += 10 * SECOND; /* the facilitator's deadline */
    s.model->ops->talks->tick(s.model);
    ship_assert_said(&s, "F1 refuse> A1: nobody bids\n");
    ship_settle(&s);
    ship_assert_said(&s, "F1 reject-proposal> A3: too late\n");
    assert_int_equal(ship_desk(&s, 0)->queue.count, 20);
    assert_int_equal(ship_crew(&s)->ndeals, 0);
    ship_close(&s);
}

static void links_come_back_where_no_answer_comes(void **state)
{
    struct ship s;

    (void)state;
    to_negotiate(&s);
    ship_lose(&s, ship_find(&s, "cfp"));
    ship_settle(&s);
    assert_int_equal(ship_desk(&s, 0)->queue.count, 18);
    assert_all_links(&s);
    ship_pass(&s, 50 * SECOND);
    assert_int_equal(ship_desk(&s, 0)->queue.count, 20);
    assert_int_equal(ship_crew(&s)->ended[CONTRACT_TIMED_OUT], 1);
    assert_int_equal(ship_crew(&s)->ndeals, 0);
    ship_close(&s);
}

/* The links are the contractor's, but nobody hears so: they do not come back. */
static void a_lost_agreement_doubles_nothing(void **state)
{
    struct ship s;

    (void)state;
    to_negotiate(&s);
    until(&s, "agree");
    ship_lose(&s, ship_find(&s, "agree"));
    ship_settle(&s);
    assert_int_equal(ship_desk(&s, 2)->queue.count, 2);
    for (int i = 0; i < 10; i++) {
        ship_pass(&s, 10 * SECOND);
        assert_all_links(&s);
    }
    assert_int_equal(ship_desk(&s, 0)->queue.count, 18);
    assert_int_equal(ship_crew(&s)->ended[CONTRACT_TIMED_OUT], 1);
    ship_close(&s);
}

/* The request is on its way when the manager gives up: the links are back already. */
static void a_late_request_finds_nothing(void **state)
{
    struct ship s;

    (void)state;
    to_negotiate(&s);
    until(&s, "request"); /* manager to facilitator */
    ship_turn(&s);        /* facilitator to contractor */
    s.ctx.now += 10 * SECOND;
    s.model->ops->talks->tick(s.model);
    assert_int_equal(ship_desk(&s, 0)->queue.count, 20);
    ship_settle(&s);
    ship_assert_said(&s, "A3 failure> F1: the links are not there any more\n");
    assert_all_links(&s);
    assert_int_equal(ship_desk(&s, 2)->queue.count, 0);
    ship_close(&s);
}

static void a_contractor_dies_before_it_has_the_links(void **state)
{
    struct ship s;

    (void)state;
    to_negotiate(&s);
    until(&s, "accept-proposal");
    crew_lose(s.model, 2, "lost");
    assert_false(agent_is_alive(s.ctx.population, ship_desk(&s, 2)->crawler));
    for (int i = 0; i < 8; i++) {
        ship_pass(&s, 10 * SECOND);
        assert_all_links(&s);
    }
    assert_int_equal(ship_desk(&s, 0)->queue.count, 20);
    assert_int_equal(ship_crew(&s)->ndeals, 0);
    ship_close(&s);
}

/* What it had goes to the one with the fewest links. */
static void a_contractor_dies_with_the_links(void **state)
{
    struct ship s;

    (void)state;
    to_negotiate(&s);
    ship_settle(&s);
    assert_int_equal(ship_desk(&s, 2)->queue.count, 2);
    crew_lose(s.model, 2, "lost");
    assert_all_links(&s);
    ship_settle(&s);
    ship_assert_said(&s, "F1 inform> A2: urls 101=0.5 102=0.5\n");
    assert_int_equal(ship_desk(&s, 1)->queue.count, 3);
    for (int i = 0; i < 20; i++)
        ship_pass(&s, 10 * SECOND);
    assert_all_links(&s);
    ship_close(&s);
}

static void a_manager_dies_while_it_negotiates(void **state)
{
    struct ship s;

    (void)state;
    to_negotiate(&s);
    until(&s, "propose");
    crew_lose(s.model, 0, "lost");
    assert_all_links(&s);
    for (int i = 0; i < 10; i++) {
        ship_pass(&s, 10 * SECOND);
        assert_all_links(&s);
    }
    assert_int_equal(ship_crew(&s)->ended[CONTRACT_LOST], 1);
    ship_close(&s);
}

/* 77 is in two hands: with the first asked about, in the mail; the second is let through.
 * The first dies: its link is nobody's. */
static void what_others_crawled_is_not_inherited(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    ship_open(&s, "interval=120s crawlers=2", 0);
    ship_settle(&s);
    ship_give(&s, 0, 77, .5);
    ship_give(&s, 1, 77, .5);
    assert_false(s.model->ops->next(s.model, 0, &c)); /* both ask, the second first */
    assert_int_equal(s.nposted, 2);
    ship_deliver(&s, 0);
    crew_lose(s.model, 0, "lost");
    assert_true(ship_next(&s, &c));
    assert_int_equal(c.url, 77);
    assert_int_equal(c.agent, ship_desk(&s, 1)->crawler);
    ship_page(&s, c, "bees", NULL);
    for (int i = 0; i < 20; i++) {
        ship_pass(&s, SECOND);
        assert_false(ship_next(&s, &c));
    }
    assert_int_equal(ship_desk(&s, 1)->overlap, 0);
    assert_int_equal(crew_places(s.model, 77), 0);
    ship_close(&s);
}

/* The manager finds a link that lies aside on another page, and crawls it; then nobody
 * bids, and it comes back. */
static void what_was_crawled_meanwhile_does_not_come_back(void **state)
{
    struct choice c;
    struct ship s;

    (void)state;
    to_negotiate(&s);
    assert_int_equal(ship_crew(&s)->deals[0]->links.items[0].url, 101);
    while (s.nposted > 0)
        ship_lose(&s, 0);
    ship_give(&s, 0, 101, 1);
    assert_int_equal(crew_places(s.model, 101), 2);
    do
        assert_true(ship_next(&s, &c));
    while (c.url != 101);
    ship_page(&s, c, "bees", NULL);
    for (int i = 0; i < 20; i++)
        ship_pass(&s, 10 * SECOND);
    assert_int_equal(crew_places(s.model, 101), 0);
    while (ship_next(&s, &c)) {
        assert_int_not_equal(c.url, 101);
        ship_page(&s, c, "bees", NULL);
    }
    ship_close(&s);
}

/* An agreement and a report that no contractor sent: the links come back in the end. */
static void lies_lose_no_link(void **state)
{
    static const char *const lies[] = {"agree", "inform-done"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
        struct ship s;
        struct message lie = {.performative = str_of(lies[i]), .content = STR("receive-links")};

        to_negotiate(&s);
        until(&s, "request");
        lie.sender = ship_crew(&s)->groups[0].facilitator;
        lie.receiver = ship_desk(&s, 0)->assistant;
        lie.conversation = ship_crew(&s)->deals[0]->conversation;
        ship_lose(&s, ship_find(&s, "request"));
        s.model->ops->talks->receive(s.model, &lie);
        for (int t = 0; t < 40; t++) {
            ship_pass(&s, 10 * SECOND);
            assert_all_links(&s);
        }
        ship_close(&s);
    }
}

/* Saved and loaded after every turn of a negotiation, it comes to the same end. */
static void a_negotiation_survives_being_saved(void **state)
{
    struct ship a, b;

    (void)state;
    to_negotiate(&a);
    to_negotiate(&b);
    for (int i = 0; i < 12; i++) {
        ship_turn(&a);
        ship_reload(&b);
        ship_turn(&b);
    }
    assert_string_equal(a.log.data, b.log.data);
    assert_int_equal(ship_desk(&b, 2)->queue.count, 2);
    ship_close(&a);
    ship_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contract_from_call_to_end),
        cmocka_unit_test(below_the_threshold_nobody_calls),
        cmocka_unit_test(without_wordnet_the_most_able_calls_in_the_end),
        cmocka_unit_test(on_few_pages_the_most_able_calls_in_the_end),
        cmocka_unit_test(links_without_a_score_are_not_offered),
        cmocka_unit_test(bids_are_for_links_better_than_ones_own),
        cmocka_unit_test(losers_are_told),
        cmocka_unit_test(the_least_able_can_get_links_unasked),
        cmocka_unit_test(of_two_managers_one_is_served),
        cmocka_unit_test(or_both_with_a_contractor_each),
        cmocka_unit_test(a_late_bid_is_rejected),
        cmocka_unit_test(links_come_back_where_no_answer_comes),
        cmocka_unit_test(a_lost_agreement_doubles_nothing),
        cmocka_unit_test(a_late_request_finds_nothing),
        cmocka_unit_test(a_contractor_dies_before_it_has_the_links),
        cmocka_unit_test(a_contractor_dies_with_the_links),
        cmocka_unit_test(a_manager_dies_while_it_negotiates),
        cmocka_unit_test(what_others_crawled_is_not_inherited),
        cmocka_unit_test(what_was_crawled_meanwhile_does_not_come_back),
        cmocka_unit_test(lies_lose_no_link),
        cmocka_unit_test(a_negotiation_survives_being_saved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
