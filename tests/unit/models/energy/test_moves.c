/* Agents that move between machines: two tanks with the same web, and an agent carried from one to
 * the other by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"
#include "../tank.h"

#include "agent/population.h"

#include <math.h>
#include <string.h>

/* Page 1 leads to 2 and 3; 2 is another machine's. */
static const struct tank_page web[TANK_PAGES + 1] = {
    [1] = {.relevance = 0.5F, .similarity = 0.5F, .links = {{2, 0.9F, 0.9F}, {3, 0.1F, 0.1F}}},
    [2] = {.relevance = 0.8F, .similarity = 0.8F, .links = {{4, 0.5F, 0.5F}}},
    [3] = {.relevance = 0.1F, .similarity = 0.1F},
    [4] = {.relevance = 0.1F, .similarity = 0.1F},
};

#define SETTINGS "N=1 LB=1 UB=10"

/* What crawl/node/travel.c does at home. */
static void leave(struct tank *t, const struct choice *c, struct buf *record, struct buf *mind)
{
    uint32_t url;

    assert_true(t->model->ops->moves->record(t->model, c->agent, mind, &url));
    assert_int_equal(url, c->url);
    t->model->ops->moves->let_go(t->model, c->agent);
    agent_leave(t->ctx.population, 2, c->agent, record);
}

/* And on the other side. */
static enum status come(struct tank *t, struct str record, struct str mind, uint32_t url)
{
    struct cursor from = {.rest = record};
    uint32_t agent;
    enum status st = agent_come(t->ctx.population, 3, &from, &agent);

    if (st == ST_OK)
        st = t->model->ops->moves->unpack(t->model, agent, url, mind);
    return st;
}

/* The first agent is on page 1 and chooses a link. */
static void open_home(struct tank *t, struct choice *ret)
{
    tank_open(t, web, "balanced", SETTINGS, SEED(1));
    assert_true(tank_next(t, ret));
    tank_answer(t, *ret);
    while (tank_next(t, ret) && ret->url != 2)
        tank_answer(t, *ret);
    assert_int_equal(ret->url, 2);
}

static void an_agent_goes_on_where_its_link_leads(void **state)
{
    struct buf record = BUF_INIT(10000), mind = BUF_INIT(10000);
    struct tank home, there;
    struct choice c, next;
    double energy;

    (void)state;
    open_home(&home, &c);
    energy = agent_energy(home.ctx.population, c.agent);
    leave(&home, &c, &record, &mind);
    assert_false(agent_is_alive(home.ctx.population, c.agent));
    while (tank_next(&home, &next)) { /* nobody else goes there from here */
        assert_int_not_equal(next.url, 2);
        tank_answer(&home, next);
    }
    memset(&there, 0, sizeof there);
    tank_open(&there, web, "balanced", SETTINGS, NULL);
    assert_false(tank_next(&there, &next));
    assert_int_equal(come(&there, buf_str(&record), buf_str(&mind), 2), ST_OK);
    assert_true(fabs(agent_energy(there.ctx.population, c.agent) - energy) < 1e-15);
    tank_resume(&there, "balanced", SETTINGS);
    assert_true(tank_next(&there, &next));
    assert_int_equal(next.agent, c.agent);
    assert_int_equal(next.url, 2);
    tank_answer(&there, next);
    assert_true(tank_next(&there, &next));
    assert_int_equal(next.url, 4);
    tank_close(&home);
    tank_close(&there);
    buf_free(&record);
    buf_free(&mind);
}

static void a_mind_that_is_cut_is_refused(void **state)
{
    struct buf record = BUF_INIT(10000), mind = BUF_INIT(10000);
    struct tank home, there;
    struct choice c;

    (void)state;
    open_home(&home, &c);
    leave(&home, &c, &record, &mind);
    tank_open(&there, web, "balanced", SETTINGS, NULL);
    for (size_t cut = 0; cut < mind.len; cut++) {
        assert_int_equal(come(&there, buf_str(&record), (struct str){mind.data, cut}, 2),
                         ST_INVALID);
        agent_died(there.ctx.population, 4, c.agent, "damaged");
    }
    tank_close(&home);
    tank_close(&there);
    buf_free(&record);
    buf_free(&mind);
}

static void a_link_that_comes_back_to_us_is_open_again(void **state)
{
    struct link link = {.kind = LINK_A};
    struct link_mark mark = {.url = 2, .score = NAN};
    struct page page = {.links = &link, .nlinks = 1};
    struct profile profile = {.relevance = 0.5F, .similarity = 0.5F};
    struct percept heard = {.hearsay = true, .body = &page, .profile = &profile, .marks = &mark};
    struct buf record = BUF_INIT(10000), mind = BUF_INIT(10000);
    struct tank home;
    struct choice c, next = {0};

    (void)state;
    open_home(&home, &c);
    leave(&home, &c, &record, &mind);
    home.model->ops->perceive(home.model, &heard); /* the partition is ours now */
    home.taken[2] = false;
    assert_int_equal(come(&home, buf_str(&record), buf_str(&mind), 2), ST_OK);
    while (next.url != 2) {
        assert_true(tank_next(&home, &next));
        tank_answer(&home, next);
    }
    tank_close(&home);
    buf_free(&record);
    buf_free(&mind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_goes_on_where_its_link_leads),
        cmocka_unit_test(a_mind_that_is_cut_is_refused),
        cmocka_unit_test(a_link_that_comes_back_to_us_is_open_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
