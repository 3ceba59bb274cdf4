/* balanced, computed by hand. C = .5 and G = 2 nearly everywhere, so that energies are
 * sums of powers of two; the first (G + C) / C = 5 pages are judged by the step at half
 * of the seeds' relevance. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/population.h"
#include "models/models.h"
#include "../tank.h"

#include <math.h>
#include <string.h>

#define RULES                "C=0.5 G=2 pick=best links=new p_db=0 "
#define ORDER(t, most, want) assert_string_equal(tank_order(t, most), want)

/* A tank with dice in it. */
static void pour(struct tank *t, const struct tank_page *web, const char *settings,
                 const uint32_t *seeds)
{
    tank_open(t, web, "balanced", settings, seeds);
    rng_init(&t->ctx.rng, 1);
}

static double energy(const struct tank *t, uint32_t agent)
{
    return agent_energy(t->ctx.population, agent);
}

static uint32_t alive(const struct tank *t)
{
    return population_counts(t->ctx.population).alive;
}

static uint32_t place(const struct tank *t, uint32_t agent)
{
    return agent_of(t->ctx.population, agent)->at;
}

/* What the books say that lies on pages; the model asserts that it really does. */
static double on_pages(const struct tank *t)
{
    struct ledger l = population_ledger(t->ctx.population);

    return l.given + l.earned - l.burnt - l.living - l.dead - l.cut;
}

/* The seed is worth .5: R = .25. */
static const struct tank_page rich[TANK_PAGES + 1] = {
    [1] = {.relevance = .5f, .links = {{2, 0, 1}, {3, 0, .5f}}},
    [2] = {.relevance = .5f, .links = {{4, 0, 1}, {5, 0, .5f}}},
    [3] = {.relevance = .25f, .links = {{6, 0, 1}}},
    [4] = {.links = {{7, 0, 1}}},
};

/* 1 costs nothing. 2 gives 2: E = 3 becomes three agents of 1, then 4 and 5 cost the
 * clones .5 each. The parent, on 2, has no new link: 4 is better than 5, and costs .5. */
static void a_page_above_R_gives_G(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, rich, RULES "N=1 LB=0", SEED(1));
    ORDER(&t, 1, "1");
    assert_true(energy(&t, 1) == 1);
    ORDER(&t, 1, "2");
    assert_int_equal(alive(&t), 3);
    assert_true(energy(&t, 1) == 1 && energy(&t, 2) == 1 && energy(&t, 3) == 1);
    ORDER(&t, 2, "45");
    assert_true(energy(&t, 2) == .5 && energy(&t, 3) == .5 && energy(&t, 1) == 1);
    tank_close(&t);
}

/* ---- crowds ---- */

/* Two agents, UB = 1. Agent 1 fetches the seed; agent 2 goes to 2: pays .5, and the page
 * keeps 2 + .5. Agent 1 takes the other link, to 3, which is worth -.5: it keeps 0.
 * Both have .5. */
static void above_UB_the_page_keeps_its_energy(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, rich, RULES "N=2 LB=0 UB=1", SEED(1));
    ORDER(&t, 2, "12");
    assert_true(energy(&t, 2) == .5 && on_pages(&t) == 2.5);
    ORDER(&t, 1, "3");
    assert_true(energy(&t, 1) == .5 && on_pages(&t) == 2.5);
    assert_true(population_ledger(t.ctx.population).burnt == 0);
    tank_close(&t);
}

/* The same, clamped: the page keeps 2, and .5 is nowhere. */
static void clamped_the_cost_is_burnt(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, rich, RULES "N=2 LB=0 UB=1 crowd=clamp", SEED(1));
    ORDER(&t, 3, "123");
    assert_true(on_pages(&t) == 2);
    assert_true(population_ledger(t.ctx.population).burnt == .5);
    tank_close(&t);
}

/* As printed: 2 keeps 2, and 3 a debt of .5; the agents' costs are burnt. */
static void as_printed_pages_keep_debts(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, rich, RULES "N=2 LB=0 UB=1 crowd=printed", SEED(1));
    ORDER(&t, 3, "123");
    assert_true(on_pages(&t) == 1.5);
    assert_true(population_ledger(t.ctx.population).burnt == 1);
    tank_resume(&t, "balanced", RULES "N=2 LB=0 UB=1 crowd=printed");
    assert_true(on_pages(&t) == 1.5);
    tank_close(&t);
}

/* p_db = 1: whoever can goes to energy. Two agents on UB = 1: agent 2 leaves 2.5 on page
 * 2. Agent 1 is drawn there, but still there are two: it pays .5 for nothing and has .5;
 * agent 2 pays and has 0; agent 1 has 0; agent 2 falls to -.5 and dies. Now agent 1 may
 * eat: 2.5 are three agents of 5/6. They walk between the two empty pages, 1/3, -1/6, and
 * die: -.5 - 3/6 together. 6 is open all the time and never visited. */
static const struct tank_page drawn[TANK_PAGES + 1] = {
    [1] = {.relevance = .5f, .links = {{2, 0, 1}, {6, 0, .5f}}},
    [2] = {.relevance = .5f, .links = {{1, 0, 1}}},
};

static void in_a_crowd_coming_back_is_paid_for_nothing(void **state)
{
    struct choice c;
    struct ledger l;
    struct tank t;

    (void)state;
    pour(&t, drawn, "C=0.5 G=2 pick=best links=all p_db=1 N=2 LB=0 UB=1", SEED(1));
    ORDER(&t, 2, "12");
    assert_false(tank_next(&t, &c));
    l = population_ledger(t.ctx.population);
    assert_true(l.dead > -1 - 1e-12 && l.dead < -1 + 1e-12);
    assert_int_equal(population_counts(t.ctx.population).born, 4);
    assert_true(l.given == 2 && l.earned == 2);
    assert_true(on_pages(&t) < 1e-12);
    tank_close(&t);
}

/* As above agent 2 leaves 2.5 on page 2. Agent 1, on 1, has an open link, to 3, but is drawn
 * to 2. In the crowd both pay: .5, 0, 0, and agent 2 dies of the next. Agent 1 eats: three
 * agents of 5/6. Nothing is left to be drawn to: the next one follows a link of 2, to 4. */
static void energy_is_preferred_to_links_as_often_as_p_db_says(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, rich, "C=0.5 G=2 pick=best links=new p_db=1 N=2 LB=0 UB=1", SEED(1));
    ORDER(&t, 3, "124");
    assert_int_equal(population_counts(t.ctx.population).died, 1);
    assert_int_equal(population_counts(t.ctx.population).born, 4);
    tank_close(&t);
}

/* ---- revisits ---- */

/* 1 and 2 link to each other. C = .25: page 2 (r = .25 = R) costs .25, then every
 * further step does, until death; as printed a page without energy costs nothing. */
static const struct tank_page circle[TANK_PAGES + 1] = {
    [1] = {.relevance = .5f, .links = {{2, 0, 1}, {3, 0, .1f}}},
    [2] = {.relevance = .25f, .links = {{1, 0, 1}}},
};

static void an_empty_page_costs_C(void **state)
{
    struct ledger l;
    struct tank t;

    (void)state;
    pour(&t, circle, "C=0.25 G=1 pick=best links=all p_db=0 N=1 LB=0", SEED(1));
    ORDER(&t, 99, "12"); /* .75, then 1: .5, 2: .25, 1: 0, 2: death */
    l = population_ledger(t.ctx.population);
    assert_true(l.dead == -.25 && l.burnt == 1 && l.earned == -.25);
    tank_close(&t);
}

static void as_printed_an_empty_page_costs_nothing(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, circle, "C=0.25 G=1 pick=best links=all p_db=0 N=1 LB=0 revisits=printed", SEED(1));
    ORDER(&t, 2, "12");
    ORDER(&t, 1, "3"); /* after very many circles it is sent there */
    assert_true(energy(&t, 1) == .5);
    tank_close(&t);
}

/* ---- few agents ---- */

/* LB = 2, one agent: it may not die. C = .5.
 *   2: .5   3: 0   4: -.5, and no page has energy: any open URL, at no cost, which is 5,
 *   6 or 7. The first of these is worth -.5, but the cost is waived. */
static const struct tank_page desert[TANK_PAGES + 1] = {
    [1] = {.relevance = .5f, .links = {{2, 0, 1}}},
    [2] = {.links = {{3, 0, 1}}},
    [3] = {.links = {{4, 0, 1}}},
    [4] = {.links = {{5, 0, 1}, {6, 0, 1}, {7, 0, 1}}},
};

static void below_LB_nobody_dies(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, desert, RULES "N=1 LB=2", SEED(1));
    ORDER(&t, 4, "1234");
    assert_true(energy(&t, 1) == -.5);
    assert_int_equal(strlen(tank_order(&t, 99)), 3);
    assert_true(energy(&t, 1) == -.5);
    assert_int_equal(alive(&t), 1);
    tank_close(&t);
}

/* The same, but the links of 4 differ: of 64 draws among three URLs none misses the best. */
static void who_is_saved_goes_where_a_link_promised_most(void **state)
{
    static const struct tank_page hope[TANK_PAGES + 1] = {
        [1] = {.relevance = .5f, .links = {{2, 0, 1}}},
        [2] = {.links = {{3, 0, 1}}},
        [3] = {.links = {{4, 0, 1}}},
        [4] = {.links = {{5, 0, .2f}, {6, 0, .9f}, {7, 0, .5f}}},
    };
    struct tank t;

    (void)state;
    pour(&t, hope, RULES "N=1 LB=2", SEED(1));
    ORDER(&t, 4, "1234");
    tank_resume(&t, "balanced", RULES "N=1 LB=2"); /* promises are kept */
    ORDER(&t, 99, "675");
    tank_close(&t);
}

static void a_teleport_may_be_charged(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, desert, RULES "N=1 LB=2 teleport=charged", SEED(1));
    assert_int_equal(strlen(tank_order(&t, 99)), 7);
    assert_true(energy(&t, 1) == -2);
    tank_close(&t);
}

static void at_LB_agents_die(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, desert, RULES "N=1 LB=1", SEED(1));
    ORDER(&t, 99, "1234");
    assert_int_equal(alive(&t), 0);
    tank_close(&t);
}

/* Three agents, LB = 2, UB = 2, C = .5, G = 2. Agent 1 fetches 1 (R = .25).
 *   agent 2 -> 2 (worth 2): crowd: .5, page 2 keeps 2.5
 *   agent 3 -> 3 (worth -.5): .5;   agent 1 -> 4: .5
 *   agent 2, on 2, -> 5: 0;   agent 3, on 3: nothing there, so it is drawn to page 2,
 *   where there is energy, but also a crowd: 0, burnt .5;   agent 1, on 4: the same, 0
 *   agent 2, on 5, goes back to 2: -.5. Three are not fewer than LB: death
 *   agent 3, on 2 -> 5, where nothing is: -.5. Two are not fewer: death
 *   agent 1, on 2 -> 5: -.5, but one is fewer: it lives, and is sent to the 2.5 on page 2:
 *   2, two agents of 1. Both go 5, 2, 5: -.5; agent 4 comes first and dies, agent 1 may
 *   not, and is sent to 9, which is open. */
static const struct tank_page feast[TANK_PAGES + 1] = {
    [1] = {.relevance = .5f, .links = {{2, 0, 1}, {3, 0, .5f}, {4, 0, .25f}, {9, 0, .1f}}},
    [2] = {.relevance = .5f, .links = {{5, 0, 1}}},
};

static void at_a_dead_end_an_agent_is_drawn_to_energy(void **state)
{
    struct choice c;
    struct ledger l;
    struct tank t;

    (void)state;
    pour(&t, feast, RULES "N=3 LB=2 UB=2", SEED(1));
    ORDER(&t, 4, "1234");
    assert_true(on_pages(&t) == 2.5);
    ORDER(&t, 1, "5");
    assert_true(energy(&t, 2) == 0 && on_pages(&t) == 2.5);
    assert_true(tank_next(&t, &c));
    assert_int_equal(c.url, 9);
    assert_int_equal(c.agent, 1);
    l = population_ledger(t.ctx.population);
    assert_true(l.dead == -1.5);
    assert_true(energy(&t, 1) == -.5 && on_pages(&t) == 0);
    assert_int_equal(place(&t, 1), 5);
    assert_int_equal(alive(&t), 1);
    tank_close(&t);
}

/* ---- without a buffer ---- */

/* No UB: two agents, UB = 1, and the one that comes to 2 has 3. */
static void without_a_buffer_nothing_is_kept(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, rich, RULES "N=2 LB=0 UB=1 buffer=off", SEED(1));
    ORDER(&t, 2, "12");
    assert_int_equal(alive(&t), 4);
    assert_true(on_pages(&t) == 0);
    tank_close(&t);
}

static void without_a_buffer_LB_saves_nobody(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, desert, RULES "N=1 LB=2 buffer=off", SEED(1));
    ORDER(&t, 99, "1234");
    assert_int_equal(alive(&t), 0);
    tank_close(&t);
}

/* Printed: 2 is worth -.25 every time: .75, then 1 (the seed: .5 > R): 1.75, two agents. */
static void without_a_buffer_as_printed_pages_pay_again(void **state)
{
    struct choice c;
    struct tank t;

    (void)state;
    pour(&t, circle, "C=0.25 G=1 pick=best links=all p_db=0 N=1 buffer=off revisits=printed cap=4",
         SEED(1));
    ORDER(&t, 2, "12");
    assert_true(energy(&t, 1) == .75);
    (void)tank_next(&t, &c);
    assert_int_equal(alive(&t), 4);
    tank_close(&t);
}

/* ---- failures, pages from elsewhere, resuming ---- */

static void a_failed_visit_costs_C(void **state)
{
    struct choice c;
    struct tank t;

    (void)state;
    pour(&t, rich, RULES "N=1 LB=0", SEED(1));
    ORDER(&t, 1, "1");
    assert_true(tank_next(&t, &c));
    assert_int_equal(c.url, 2);
    tank_fail(&t, c);
    assert_true(energy(&t, 1) == .5);
    assert_int_equal(place(&t, 1), 1);
    ORDER(&t, 1, "3");
    tank_close(&t);
}

/* The engine came to it by itself: it keeps what it is worth. */
static void pages_that_nobody_asked_for_have_energy(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, rich, RULES "N=1 LB=0", NULL);
    tank_answer(&t, (struct choice){.url = 2});
    assert_true(on_pages(&t) == 2);
    tank_close(&t);
}

/* Pages 1 to 5 are of an earlier crawl, and 1 is the seed. */
static const struct tank_page known[TANK_PAGES + 1] = {
    [1] = {.relevance = .1f, .links = {{2, 0, 1}}}, [2] = {.relevance = .2f, .links = {{6, 0, 1}}},
    [3] = {.relevance = .3f, .links = {{1, 0, 1}}}, [4] = {.relevance = .4f, .links = {{1, 0, 1}}},
    [5] = {.relevance = .5f, .links = {{7, 0, 1}}},
};

/* R is the fourth (.8 * 5) of five relevances, .4: page 5 keeps 2, the others nothing.
 * The agent walks from 1 to 2, where nothing is: E = .5, and fetches 6, which is worth
 * -.5: E = 0. There is no link: it is drawn to 5 and takes the 2, which makes two agents
 * of 1. The clone, on 5, fetches 7, worth -.5. */
static void pages_of_an_earlier_crawl_are_places(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, known, RULES "balance=step N=1 LB=0", SEED(1));
    tank_adopt(&t, SEED(3, 1, 2, 5, 4));
    assert_true(on_pages(&t) == 2);
    assert_true(t.model->ops->walks->on_pages(t.model) == 2);
    tank_resume(&t, "balanced", RULES "balance=step N=1 LB=0");
    ORDER(&t, 1, "6");
    assert_true(energy(&t, 1) == 0);
    assert_true(on_pages(&t) == 2);
    ORDER(&t, 9, "7");
    assert_int_equal(alive(&t), 2);
    assert_true(energy(&t, 1) == 1 && energy(&t, 2) == .5);
    assert_true(on_pages(&t) == 0);
    tank_close(&t);
}

/* Four are fewer than (G + C) / C = 5: nobody can say which of them is a good one. */
static void few_pages_of_an_earlier_crawl_have_no_energy(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, known, RULES "balance=step N=1 LB=0", SEED(1));
    tank_adopt(&t, SEED(1, 2, 5, 4));
    assert_true(on_pages(&t) == 0);
    ORDER(&t, 1, "6");
    tank_close(&t);
}

/* What a page of the base is worth is not told with the next seed's visit. */
static void a_seed_is_worth_nothing_after_an_earlier_crawl(void **state)
{
    struct tank t;

    (void)state;
    pour(&t, known, RULES "balance=step N=1 LB=0", SEED(6));
    tank_adopt(&t, SEED(3, 1, 2, 5, 4));
    assert_true(on_pages(&t) == 2);
    ORDER(&t, 1, "6");
    assert_true(isnan(t.worth));
    ORDER(&t, 1, "7"); /* drawn to 5, it has 3 others with it; one of them goes on */
    assert_true(t.worth == -.5);
    tank_close(&t);
}

/* Options that are right each by itself. */
static void settings_that_make_no_sense_together_are_refused(void **state)
{
    /* decay:H weighs 1 / (1 - 2^(-1/H)) pages: 14.9 for 10, 21.1 for 14.3 */
    static const struct {
        const char *settings, *says;
    } cases[] = {
        {"LB=300", "LB=300 is above UB=250"},
        {"LB=250", NULL},
        {"LB=300 buffer=off", NULL},
        {"N=11 cap=10", "N=11 agents are more than cap=10"},
        {"N=10 cap=10", NULL},
        {"N=30 UB=2 LB=1", NULL},
        {"C=1 G=20 history=last:20", "one page in 21"},
        {"C=1 G=20 history=last:21", NULL},
        {"C=1 G=20 history=decay:10", "one page in 21"},
        {"C=1 G=20 history=decay:14.3", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str rest = str_of(cases[i].settings), one;
        struct text_list list = {0};
        struct model_ctx ctx = {0};
        struct model *m = NULL;

        while (rest.len > 0 && str_cut(&rest, ' ', &one))
            text_list_add(&list, one);
        assert_int_equal(model_new(model_find(STR("balanced")), &list, &ctx, &m),
                         cases[i].says ? ST_USAGE : ST_OK);
        if (cases[i].says)
            assert_non_null(strstr(status_text(), cases[i].says));
        else
            model_free(m);
        text_list_free(&list);
    }
}

/* In the middle, with visits under way, and at every point: the same order. */
static void a_resumed_model_goes_on(void **state)
{
    struct choice a, b;
    struct tank t;

    (void)state;
    pour(&t, rich, RULES "N=2 LB=0 UB=1", SEED(1));
    ORDER(&t, 1, "1");
    assert_true(tank_next(&t, &a) && tank_next(&t, &b));
    assert_int_equal(a.agent, 2);
    assert_int_equal(b.agent, 1);
    tank_resume(&t, "balanced", RULES "N=2 LB=0 UB=1");
    assert_false(tank_next(&t, &a));
    tank_answer(&t, b);
    tank_answer(&t, (struct choice){.url = 2, .agent = 2});
    assert_true(on_pages(&t) == 2.5);
    ORDER(&t, 3, "467"); /* agents 2, 1, 2 */
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_above_R_gives_G),
        cmocka_unit_test(above_UB_the_page_keeps_its_energy),
        cmocka_unit_test(clamped_the_cost_is_burnt),
        cmocka_unit_test(as_printed_pages_keep_debts),
        cmocka_unit_test(in_a_crowd_coming_back_is_paid_for_nothing),
        cmocka_unit_test(energy_is_preferred_to_links_as_often_as_p_db_says),
        cmocka_unit_test(an_empty_page_costs_C),
        cmocka_unit_test(as_printed_an_empty_page_costs_nothing),
        cmocka_unit_test(below_LB_nobody_dies),
        cmocka_unit_test(who_is_saved_goes_where_a_link_promised_most),
        cmocka_unit_test(a_teleport_may_be_charged),
        cmocka_unit_test(at_LB_agents_die),
        cmocka_unit_test(at_a_dead_end_an_agent_is_drawn_to_energy),
        cmocka_unit_test(without_a_buffer_nothing_is_kept),
        cmocka_unit_test(without_a_buffer_LB_saves_nobody),
        cmocka_unit_test(without_a_buffer_as_printed_pages_pay_again),
        cmocka_unit_test(a_failed_visit_costs_C),
        cmocka_unit_test(pages_that_nobody_asked_for_have_energy),
        cmocka_unit_test(pages_of_an_earlier_crawl_are_places),
        cmocka_unit_test(few_pages_of_an_earlier_crawl_have_no_energy),
        cmocka_unit_test(a_seed_is_worth_nothing_after_an_earlier_crawl),
        cmocka_unit_test(settings_that_make_no_sense_together_are_refused),
        cmocka_unit_test(a_resumed_model_goes_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
