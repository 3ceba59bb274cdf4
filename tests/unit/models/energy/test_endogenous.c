/* endogenous, computed by hand. All energies are sums of powers of two.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/population.h"
#include "../tank.h"
#include "../told.h"

static double energy(const struct tank *t, uint32_t agent)
{
    return agent_energy(t->ctx.population, agent);
}

static uint32_t alive(const struct tank *t)
{
    return population_counts(t->ctx.population).alive;
}

/* Visits up to `most`, and the order. */
#define ORDER(t, most, want) assert_string_equal(tank_order(t, most), want)

/* C = .25, rho = 2. Agent 1 begins on page 1 and costs nothing there.
 *   1 -> 2 (r = .5):  1 - .25 + 1 = 1.75 > 1: a clone, .875 each
 *   the clone's turn: 2 -> 3 (r = 0): .625
 *   the parent's:     2 -> 4 (r = 0): .625 */
static const struct tank_page tree[TANK_PAGES + 1] = {
    [1] = {.relevance = .5f, .links = {{2, 0, 1}}},
    [2] = {.relevance = .5f, .links = {{3, 0, 1}, {4, 0, .5f}}},
    [3] = {.links = {{5, 0, 1}}},
    [4] = {.links = {{6, 0, 1}}},
};

static void who_finds_much_shares_it_with_a_clone(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, tree, "endogenous", "N=1 C=0.25 rho=2 pick=best links=new", SEED(1));
    assert_int_equal(alive(&t), 1);
    ORDER(&t, 1, "1");
    assert_true(energy(&t, 1) == 1);
    ORDER(&t, 1, "2");
    assert_int_equal(alive(&t), 2);
    assert_true(energy(&t, 1) == .875 && energy(&t, 2) == .875);
    assert_int_equal(agent_of(t.ctx.population, 2)->parent, 1);
    assert_int_equal(agent_of(t.ctx.population, 2)->at, 2);
    ORDER(&t, 2, "34");
    assert_true(energy(&t, 1) == .625 && energy(&t, 2) == .625);
    tank_close(&t);
}

/* C = .5: page 2 gives nothing, and neither do those behind it.
 *   2: .5   3: 0, which is not below 0   4: -.5, death. 5 is never visited. */
static const struct tank_page desert[TANK_PAGES + 1] = {
    [1] = {.links = {{2, 0, 1}}},
    [2] = {.links = {{3, 0, 1}}},
    [3] = {.links = {{4, 0, 1}}},
    [4] = {.links = {{5, 0, 1}}},
};

static void below_zero_is_death(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, desert, "endogenous", "N=1 C=0.5", SEED(1));
    ORDER(&t, 3, "123");
    assert_true(energy(&t, 1) == 0);
    ORDER(&t, 99, "4");
    assert_int_equal(alive(&t), 0);
    assert_true(population_ledger(t.ctx.population).dead == -.5);
    tank_close(&t);
}

/* Between 1 and 2, whose link to each other is the better one. C = .25, rho = 1:
 * 2 gives .25 and costs .25, once. Then 1, 2, 1, 2, 1 cost .25 each, and the last
 * one its life. */
static const struct tank_page circle[TANK_PAGES + 1] = {
    [1] = {.relevance = .25f, .links = {{2, 0, 1}, {3, 0, .1f}}},
    [2] = {.relevance = .25f, .links = {{1, 0, 1}}},
};

static void a_page_feeds_the_first_who_comes(void **state)
{
    struct ledger l;
    struct tank t;

    (void)state;
    tank_open(&t, circle, "endogenous", "N=1 C=0.25 rho=1 pick=best links=all", SEED(1));
    ORDER(&t, 99, "12");
    assert_int_equal(alive(&t), 0);
    l = population_ledger(t.ctx.population);
    assert_true(l.given == 1 && l.earned == 0 && l.burnt == 1.25 && l.dead == -.25);
    tank_close(&t);
}

/* As printed the two feed everybody who comes: 1 + .25 - .25 for ever. Nobody
 * finds 3, until it is enough. */
static void as_printed_a_page_feeds_for_ever(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, circle, "endogenous", "N=1 C=0.25 rho=1 pick=best links=all revisits=printed",
              SEED(1));
    ORDER(&t, 2, "12");
    ORDER(&t, 1, "3");
    assert_int_equal(alive(&t), 1);
    tank_close(&t);
}

static void a_visit_that_fails_costs_C_and_leads_nowhere(void **state)
{
    struct choice c;
    struct tank t;

    (void)state;
    tank_open(&t, tree, "endogenous", "N=1 C=0.25 rho=2 pick=best links=new", SEED(1));
    ORDER(&t, 2, "12");
    assert_true(tank_next(&t, &c));
    assert_int_equal(c.url, 3);
    assert_int_equal(c.agent, 2);
    tank_fail(&t, c);
    assert_true(energy(&t, 2) == .625);
    assert_int_equal(agent_of(t.ctx.population, 2)->at, 2);
    ORDER(&t, 1, "4"); /* the parent; the clone finds nothing else on page 2 but 4 */
    tank_close(&t);
}

/* Two seeds, five agents: the first two fetch them, the others wait. */
static const struct tank_page two[TANK_PAGES + 1] = {
    [1] = {.links = {{3, 0, 1}, {4, 0, .5f}, {7, 0, .2f}}},
    [2] = {.links = {{5, 0, 1}, {6, 0, .5f}}},
};

static void agents_begin_spread_over_the_seeds(void **state)
{
    struct choice a, b, c;
    struct tank t;

    (void)state;
    tank_open(&t, two, "endogenous", "N=5 C=0.25 pick=best links=new", SEED(1, 2));
    assert_true(tank_next(&t, &a) && tank_next(&t, &b));
    assert_int_equal(a.url, 1);
    assert_int_equal(b.url, 2);
    assert_false(tank_next(&t, &c)); /* nobody is anywhere yet */
    tank_answer(&t, a);
    assert_true(tank_next(&t, &c)); /* agent 3, on page 1 */
    assert_int_equal(c.agent, 3);
    assert_int_equal(c.url, 3);
    tank_answer(&t, b);
    tank_answer(&t, c);
    ORDER(&t, 4, "5476"); /* agents 4, 5, 1, 2 */
    assert_true(energy(&t, 3) == .75);
    tank_close(&t);
}

/* A seed that cannot be had: who should have begun there begins at the other. */
static void a_lost_seed_is_replaced_by_another(void **state)
{
    struct choice a, b;
    struct tank t;

    (void)state;
    tank_open(&t, two, "endogenous", "N=2 C=0.25 pick=best links=new", SEED(1, 2));
    assert_true(tank_next(&t, &a) && tank_next(&t, &b));
    tank_fail(&t, b);
    tank_answer(&t, a);
    ORDER(&t, 2, "34");
    assert_true(energy(&t, 2) == .75); /* the seed's failure cost nothing */
    tank_close(&t);
}

static void no_seed_no_crawl(void **state)
{
    struct choice a;
    struct tank t;

    (void)state;
    tank_open(&t, two, "endogenous", "N=2", SEED(1));
    assert_true(tank_next(&t, &a));
    tank_fail(&t, a);
    assert_false(tank_next(&t, &a));
    tank_close(&t);
}

/* Page 2 is a dead end: the agent goes back, at cost, and takes the other link.
 *   1 -> 2: .75; back to 1: .5; 1 -> 2 is visited but better: .25; back: 0; … */
static const struct tank_page dead_end[TANK_PAGES + 1] = {
    [1] = {.links = {{2, 0, 1}, {3, 0, .5f}}},
};

static void a_dead_end_means_the_way_back(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, dead_end, "endogenous", "N=1 C=0.25 pick=best links=new", SEED(1));
    ORDER(&t, 99, "123");
    assert_true(energy(&t, 1) == .25); /* 2, back, 3 */
    tank_close(&t);
}

/* 2 has moved to 4. Whoever follows the link to 2 again comes to 4. */
static const struct tank_page moved[TANK_PAGES + 1] = {
    [1] = {.links = {{2, 0, 1}, {5, 0, .5f}}},
    [2] = {.moved = 4},
    [4] = {.relevance = .5f, .links = {{1, 0, 1}}},
};

static void a_redirect_stands_for_its_target(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, moved, "endogenous", "N=1 C=0.25 rho=0 pick=best links=all", SEED(1));
    ORDER(&t, 2, "12");
    assert_int_equal(agent_of(t.ctx.population, 1)->at, 4);
    ORDER(&t, 99, ""); /* 4, 1, 4, 1 … until it dies: */
    assert_int_equal(alive(&t), 0);
    tank_close(&t);
}

/* learn = 1, a = .5. Page 1 is worth .5, the words around its link 1 / 2 = .5 too:
 * nothing to learn there. Page 2 (r = 0) has a link with words worth .5:
 * expected .25; found (page 3) 1: a += (1 - .25) * (0 - .5) = .125. */
static const struct tank_page lesson[TANK_PAGES + 1] = {
    [1] = {.relevance = .5f, .links = {{2, 0, 1}}},
    [2] = {.links = {{3, 0, 1}}},
    [3] = {.relevance = 1, .links = {{4, 0, 1}}},
};

static void an_agent_learns_what_to_trust(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, lesson, "endogenous", "N=1 C=0.25 rho=0 page=0.5 learn=1 pick=best links=all",
              SEED(1));
    ORDER(&t, 2, "12");
    assert_true(*(double *)agent_of(t.ctx.population, 1)->traits == .5);
    ORDER(&t, 1, "3");
    assert_true(*(double *)agent_of(t.ctx.population, 1)->traits == .125);
    assert_non_null(strstr(told(t.model, 1), "\"value\":0.125}]}"));
    tank_resume(&t, "endogenous", "N=1 C=0.25 rho=0 page=0.5 learn=1 pick=best links=all");
    assert_true(*(double *)agent_of(t.ctx.population, 1)->traits == .125);
    ORDER(&t, 1, "4");
    tank_close(&t);
}

/* Who learns nothing is like all others but for energy and place, which are kept anyway. */
static void an_agent_that_does_not_learn_tells_nothing(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, lesson, "endogenous", "N=1", SEED(1));
    assert_string_equal(told(t.model, 1), "{}");
    tank_close(&t);
}

static void a_resumed_model_goes_on(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, tree, "endogenous", "N=1 C=0.25 rho=2 pick=best links=new", SEED(1));
    ORDER(&t, 2, "12");
    tank_resume(&t, "endogenous", "N=1 C=0.25 rho=2 pick=best links=new");
    ORDER(&t, 99, "3456");
    tank_close(&t);
}

/* What there is no room for is cut, and booked. */
static void the_cap_cuts(void **state)
{
    struct ledger l;
    struct tank t;

    (void)state;
    tank_open(&t, tree, "endogenous", "N=1 C=0.25 rho=8 reproduction=fix cap=3 pick=best links=all",
              SEED(1));
    ORDER(&t, 2, "12"); /* 1 - .25 + 4 = 4.75: five of .95, but there is room for two more */
    l = population_ledger(t.ctx.population);
    assert_int_equal(alive(&t), 3);
    assert_true(l.cut > 1.9 - 1e-12 && l.cut < 1.9 + 1e-12);
    tank_close(&t);
}

/* 1 and 2 were eaten by an earlier crawl: 2 costs .25 and feeds nobody, 3 costs .25. */
static void pages_of_an_earlier_crawl_are_places(void **state)
{
    struct tank t;

    (void)state;
    tank_open(&t, tree, "endogenous", "N=1 C=0.25 rho=2 pick=best links=new", SEED(1));
    tank_adopt(&t, SEED(1, 2));
    ORDER(&t, 1, "3");
    assert_int_equal(alive(&t), 1);
    assert_true(energy(&t, 1) == .5);
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_finds_much_shares_it_with_a_clone),
        cmocka_unit_test(below_zero_is_death),
        cmocka_unit_test(a_page_feeds_the_first_who_comes),
        cmocka_unit_test(as_printed_a_page_feeds_for_ever),
        cmocka_unit_test(a_visit_that_fails_costs_C_and_leads_nowhere),
        cmocka_unit_test(agents_begin_spread_over_the_seeds),
        cmocka_unit_test(a_lost_seed_is_replaced_by_another),
        cmocka_unit_test(no_seed_no_crawl),
        cmocka_unit_test(a_dead_end_means_the_way_back),
        cmocka_unit_test(a_redirect_stands_for_its_target),
        cmocka_unit_test(an_agent_learns_what_to_trust),
        cmocka_unit_test(an_agent_that_does_not_learn_tells_nothing),
        cmocka_unit_test(a_resumed_model_goes_on),
        cmocka_unit_test(the_cap_cuts),
        cmocka_unit_test(pages_of_an_earlier_crawl_are_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
