/* infospiders, computed by hand: what pages give and cost, and when an agent divides itself or dies.
 * SPDX-License-Identifier: MIT */
#include "spiders.h"

/* c_t = founders * theta : max_pages; ten agents on three seeds, twelve on twelve. */
static void c_t_follows_founders_theta_and_pages(void **state)
{
    static const struct pond_page none[POND_PAGES + 1];
    struct pond p;

    (void)state;
    pond_open(&p, none, "bee", "infospiders", "", SEED(1, 2, 3));
    assert_int_equal(alive(&p), 10);
    assert_near(spiders_c_t(p.model), 10 * .2 / 300.);
    assert_int_equal(spider_of(&p, 1)->to, 1);
    assert_int_equal(spider_of(&p, 6)->to, 3);
    p.model->ops->start(p.model, SEED(7), 1); /* later: one agent more, the same c_t */
    assert_int_equal(alive(&p), 11);
    assert_near(spiders_c_t(p.model), 10 * .2 / 300.);
    pond_close(&p);
    pond_open(&p, none, "bee", "infospiders", "theta=3 max_pages=500",
              SEED(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    assert_int_equal(alive(&p), 12);
    assert_near(spiders_c_t(p.model), 12 * 3 / 500.);
    assert_near(energy_of(&p, 12), 1.5);
    pond_close(&p);
    /* What the user allows, where the option says nothing. */
    pond_open(&p, none, "bee", "infospiders", "cost=latency", SEED(1));
    assert_near(spiders_c_t(p.model), 10 * .2 / 1000.);
    p.ctx.pages = 50;
    assert_near(spiders_c_t(p.model), 10 * .2 / 50.);
    pond_close(&p);
}

/* Ten began; with each that is there besides, a page costs a tenth more. */
static void a_page_costs_the_more_the_more_are_alive(void **state)
{
    static const struct pond_page none[POND_PAGES + 1];
    struct pond p;
    double before;

    (void)state;
    pond_open(&p, none, "bee", "infospiders", "cost=crowded max_pages=100", SEED(1, 2, 3));
    before = spiders_cost_of_failure(p.model, DROP_TIMEOUT);
    assert_near(before, spiders_c_t(p.model) / 2);
    p.model->ops->start(p.model, SEED(7), 1);
    assert_int_equal(alive(&p), 11);
    assert_near(spiders_cost_of_failure(p.model, DROP_TIMEOUT), 1.1 * before);
    pond_close(&p);
}

/* sim = .5, c_t = .02. Of 30 s the download took 6: a fifth; 60 s: no more than all. */
static void costs_are_constant_or_by_the_clock_or_drawn(void **state)
{
    static const struct pond_page fast[POND_PAGES + 1] = {[1] = {"<p>wax oak", 6000000, 0}};
    static const struct pond_page slow[POND_PAGES + 1] = {[1] = {"<p>wax oak", 60000000, 0}};
    struct rng r;
    struct pond p;

    (void)state;
    pond_open(&p, fast, "bee wax", "infospiders", ONE, SEED(1));
    visit(&p, 1);
    assert_near(energy_of(&p, 1), 1 + .5 - .01);
    pond_close(&p);
    pond_open(&p, fast, "bee wax", "infospiders", ONE "cost=latency", SEED(1));
    visit(&p, 1);
    assert_near(energy_of(&p, 1), 1 + .5 - .004);
    pond_close(&p);
    pond_open(&p, slow, "bee wax", "infospiders", ONE "cost=latency", SEED(1));
    visit(&p, 1);
    assert_near(energy_of(&p, 1), 1 + .5 - .02);
    pond_close(&p);
    pond_open(&p, slow, "bee wax", "infospiders", ONE "cost=simulated", SEED(1));
    r = p.ctx.rng;
    visit(&p, 1);
    assert_near(energy_of(&p, 1), 1 + .5 - .02 * rng_unit(&r));
    pond_close(&p);
}

/* A visit that fails costs what a page does; one that was never sent a tenth of c_t. A
 * founder whose seed is not there has nowhere to be. */
static void failures_cost_too(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>wax <a href=2>oak</a> <a href=3>oak</a>"}, [3] = {"<p>oak"}};
    struct choice c;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", ONE "expand=none", SEED(1));
    visit(&p, 1);
    assert_true(pond_next(&p, &c));
    pond_fail(&p, c, DROP_STATUS);
    assert_near(p.last_visit.visit.delta, -.01);
    assert_true(pond_next(&p, &c)); /* the other link of the page */
    pond_fail(&p, c, DROP_ROBOTS);
    assert_near(p.last_visit.visit.delta, -.002);
    assert_int_equal(p.last_visit.visit.page, 0);
    assert_false(pond_next(&p, &c));
    books_are_balanced(&p);
    pond_close(&p);
    pond_open(&p, web, "bee wax", "infospiders", ONE "cost=latency", SEED(1));
    assert_true(pond_next(&p, &c));
    pond_fail(&p, c, DROP_TIMEOUT);
    assert_near(p.last_visit.visit.delta, -.02);
    assert_false(pond_next(&p, &c));
    pond_close(&p);
    pond_open(&p, web, "bee wax", "infospiders", ONE, SEED(4, 1));
    visit(&p, 4);
    visit(&p, 1);
    assert_true(pond_next(&p, &c));
    assert_string_equal(p.cause, "no start");
    pond_answer(&p, c);
    pond_close(&p);
}

/* theta = 1, no cost: .5 + .5 is exactly theta. theta = 1, max_pages = 2: c_t = .5, and
 * a page without the words that took all the time leaves exactly 0. */
static void thresholds_are_reached_or_passed(void **state)
{
    static const struct pond_page rich[POND_PAGES + 1] = {[1] = {"<p>wax oak", 0, 0}};
    static const struct pond_page poor[POND_PAGES + 1] = {[1] = {"<p>oak elm", 30000000, 0}};
    struct pond p;

    (void)state;
    pond_open(&p, rich, "bee wax", "infospiders", ONE "theta=1 cost=latency", SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 2);
    assert_true(energy_of(&p, 1) == .5 && energy_of(&p, 2) == .5);
    assert_int_equal(p.last_born.born.parent, 1);
    assert_int_equal(p.last_born.born.page, 1);
    books_are_balanced(&p);
    pond_close(&p);
    pond_open(&p, rich, "bee wax", "infospiders", ONE "theta=1 cost=latency thresholds=passed",
              SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 1);
    pond_close(&p);
    pond_open(&p, poor, "bee wax", "infospiders", "population=1 theta=1 cost=latency max_pages=2",
              SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 0);
    assert_string_equal(p.cause, "starved");
    books_are_balanced(&p);
    pond_close(&p);
    pond_open(&p, poor, "bee wax", "infospiders",
              "population=1 theta=1 cost=latency max_pages=2 thresholds=passed", SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 1);
    assert_true(energy_of(&p, 1) == 0);
    pond_close(&p);
}

static void nobody_is_born_beyond_the_ceiling(void **state)
{
    static const struct pond_page rich[POND_PAGES + 1] = {[1] = {"<p>wax oak", 0, 0}};
    struct pond p;

    (void)state;
    pond_open(&p, rich, "bee wax", "infospiders", ONE "theta=1 cost=latency max_population=1",
              SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 1);
    assert_true(energy_of(&p, 1) == 1);
    pond_close(&p);
}

/* Two agents on one seed: who is first is paid, the other pays a tenth of c_t = .04. */
static void only_the_first_visit_pays(void **state)
{
    struct choice c, again;
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", "population=2 theta=2 max_pages=100", SEED(1));
    assert_true(pond_next(&p, &c));
    assert_int_equal(c.agent, 1);
    assert_false(pond_next(&p, &again)); /* the other one waits for the page */
    pond_answer(&p, c);
    assert_near(energy_of(&p, 1), 1 + 2 / sqrt(10) - .02);
    assert_near(energy_of(&p, 2), 1);
    assert_true(pond_next(&p, &c)); /* it walks; then the first goes on */
    assert_int_equal(c.agent, 1);
    assert_int_equal(c.url, 2);
    assert_near(energy_of(&p, 2), 1 - .004);
    assert_false(p.last_visit.visit.first);
    assert_false(pond_next(&p, &again)); /* it wants to go to 2 as well */
    pond_answer(&p, c);
    books_are_balanced(&p);
    pond_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c_t_follows_founders_theta_and_pages),
        cmocka_unit_test(a_page_costs_the_more_the_more_are_alive),
        cmocka_unit_test(costs_are_constant_or_by_the_clock_or_drawn),
        cmocka_unit_test(failures_cost_too),
        cmocka_unit_test(thresholds_are_reached_or_passed),
        cmocka_unit_test(nobody_is_born_beyond_the_ceiling),
        cmocka_unit_test(only_the_first_visit_pays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
