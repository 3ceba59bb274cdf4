/* The agents of the model brood on several machines: who is born where, who leaves, who dies to
 * make room. Two islands, and an agent carried from one to the other by hand.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/population.h"
#include "models/brood/policies.h"
#include "models/brood/web_map.h"
#include "models/models.h"
#include "text/topic.h"

#include <math.h>
#include <string.h>

#define BOOKS 1e-12

struct island {
    struct model_ctx ctx;
    struct model model;
    struct policies policies;
    struct percept page;
};

static void ignore(void *ctx UNUSED, const struct event *e UNUSED)
{
}

/* With numbers from `first` on. */
static void island_open(struct island *s, uint32_t size, uint32_t machines, uint32_t first)
{
    *s = (struct island){.page = {.page = 1, .first = true, .choice = {.url = 7}}};
    s->ctx.population = population_new(ignore, NULL);
    s->ctx.machines = machines;
    population_add_lot(s->ctx.population, first, 1000);
    rng_init(&s->ctx.rng, first);
    s->model.ctx = &s->ctx;
    policies_init(&s->model, &s->policies, size, 0.05);
    policies_begin(&s->model, &s->policies);
}

/* One of two, which have four agents together. */
static void half_open(struct island *s)
{
    island_open(s, 4, 2, 1);
}

static void pair_open(struct island *home, struct island *there)
{
    half_open(home);
    island_open(there, 4, 2, 5001);
}

static void island_close(struct island *s)
{
    struct ledger l = population_ledger(s->ctx.population);

    assert_true(ledger_error(&l, 0) < BOOKS);
    policies_clear(&s->policies);
    population_free(s->ctx.population);
}

static uint32_t alive(const struct island *s)
{
    return population_counts(s->ctx.population).alive;
}

/* An agent finds a page that is better than others, and divides. */
static void prosper(struct island *s, uint32_t agent)
{
    uint32_t born = population_counts(s->ctx.population).born;

    for (int i = 0; i < 100 && population_counts(s->ctx.population).born == born; i++) {
        s->policies.mean = 0;
        policies_paid(&s->model, &s->policies, agent, &s->page, 0.9);
    }
    assert_true(population_counts(s->ctx.population).born > born);
}

/* Until a child is about to leave. */
static uint32_t leaver_of(struct island *s)
{
    for (int i = 0; i < 100 && s->policies.leaver == 0; i++)
        prosper(s, population_after(s->ctx.population, 0));
    assert_int_not_equal(s->policies.leaver, 0);
    return s->policies.leaver;
}

static void each_island_begins_with_its_share_and_has_one_agent_at_least(void **state UNUSED)
{
    static const struct {
        uint32_t machines, alive;
    } cases[] = {{0, 12}, {1, 12}, {2, 6}, {5, 2}, {20, 1}};
    struct island s;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        island_open(&s, 12, cases[i].machines, 1);
        assert_int_equal(alive(&s), cases[i].alive);
        island_close(&s);
    }
}

static void the_bound_counts_all_islands_but_none_loses_its_share(void **state UNUSED)
{
    struct island s;

    island_open(&s, 12, 1, 1); /* another machine is about to come */
    s.ctx.machines = 2;
    population_set_elsewhere(s.ctx.population, 2);
    prosper(&s, 1);
    assert_int_equal(alive(&s), 10);
    population_set_elsewhere(s.ctx.population, 100);
    prosper(&s, population_after(s.ctx.population, 0));
    assert_int_equal(alive(&s), 6);
    population_set_elsewhere(s.ctx.population, 4);
    prosper(&s, population_after(s.ctx.population, 0));
    prosper(&s, population_after(s.ctx.population, 0));
    assert_int_equal(alive(&s), 8); /* there was room for two more */
    prosper(&s, population_after(s.ctx.population, 0));
    assert_int_equal(alive(&s), 8);
    island_close(&s);
}

static void nobody_leaves_where_no_link_leads_elsewhere(void **state UNUSED)
{
    struct island s;
    struct str url;
    uint16_t depth;

    half_open(&s);
    population_set_elsewhere(s.ctx.population, 2);
    for (int i = 0; i < 20; i++)
        prosper(&s, population_after(s.ctx.population, 0));
    assert_int_equal(policies_settle(&s.model, &s.policies, &url, &depth), 0);
    island_close(&s);
}

static void a_child_leaves_for_the_best_link_and_nobody_dies_for_it(void **state UNUSED)
{
    struct island s;
    struct str url;
    uint32_t child;
    uint16_t depth = 0;

    half_open(&s);
    population_set_elsewhere(s.ctx.population, 2);
    policies_met(&s.policies, STR("http://b.example/"), 0.2, 1);
    policies_met(&s.policies, STR("http://a.example/"), 0.9, 3);
    policies_met(&s.policies, STR("http://c.example/"), 0.5, 1);
    child = leaver_of(&s);
    assert_int_equal(alive(&s), 3);
    assert_int_equal(policies_settle(&s.model, &s.policies, &url, &depth), child);
    assert_true(str_eq(url, STR("http://a.example/")));
    assert_int_equal(depth, 3);
    assert_int_equal(policies_settle(&s.model, &s.policies, &url, &depth), 0); /* once */
    assert_null(s.policies.abroad); /* the next one looks for another link */
    island_close(&s);
}

static void a_child_that_died_before_it_could_leave_does_not(void **state UNUSED)
{
    struct island s;
    struct str url;
    uint16_t depth;

    half_open(&s);
    policies_met(&s.policies, STR("http://a.example/"), 0.9, 3);
    agent_died(s.ctx.population, 1, leaver_of(&s), "starved");
    assert_int_equal(policies_settle(&s.model, &s.policies, &url, &depth), 0);
    assert_non_null(s.policies.abroad);
    island_close(&s);
}

/* What crawl/node/travel.c does. */
static void carry(struct island *from, struct island *to, uint32_t agent, struct buf *mind)
{
    struct buf record = BUF_INIT(1000);
    uint32_t url, is;

    assert_true(policy_record(&from->model, agent, mind, &url));
    agent_leave(from->ctx.population, 2, agent, &record);
    assert_int_equal(
        agent_come(to->ctx.population, 3, &(struct cursor){.rest = buf_str(&record)}, &is), ST_OK);
    assert_int_equal(is, agent);
    buf_free(&record);
}

static void a_child_arrives_as_it_was_and_the_poorest_there_dies(void **state UNUSED)
{
    struct island home, there;
    struct buf mind = BUF_INIT(1000);
    struct policy was;
    double energy;
    uint32_t child;

    pair_open(&home, &there);
    population_set_elsewhere(there.ctx.population, 3);
    policies_met(&home.policies, STR("http://a.example/"), 0.9, 3);
    child = leaver_of(&home);
    was = *(const struct policy *)agent_of(home.ctx.population, child)->traits;
    energy = agent_energy(home.ctx.population, child);
    carry(&home, &there, child, &mind);
    home.policies.leaver = 0;
    agent_changed(there.ctx.population, 1, 5002, -0.5);
    population_burnt(there.ctx.population, 0.5);
    assert_int_equal(policy_unpack(&there.model, &there.policies, child, 9, buf_str(&mind)), ST_OK);
    assert_int_equal(alive(&there), 2);
    assert_false(agent_is_alive(there.ctx.population, 5002));
    assert_memory_equal(agent_of(there.ctx.population, child)->traits, &was, sizeof was);
    assert_true(fabs(agent_energy(there.ctx.population, child) - energy) < BOOKS);
    assert_int_equal(agent_of(there.ctx.population, child)->at, 9);
    island_close(&home);
    island_close(&there);
    buf_free(&mind);
}

static void a_mind_that_is_cut_or_no_number_is_refused(void **state UNUSED)
{
    struct island home, there;
    struct buf mind = BUF_INIT(1000);
    float none = NAN;

    pair_open(&home, &there);
    carry(&home, &there, 1, &mind);
    for (size_t cut = 0; cut < mind.len; cut++)
        assert_int_equal(
            policy_unpack(&there.model, &there.policies, 1, 9, (struct str){mind.data, cut}),
            ST_INVALID);
    memcpy(mind.data + 8, &none, sizeof none);
    assert_int_equal(policy_unpack(&there.model, &there.policies, 1, 9, buf_str(&mind)),
                     ST_INVALID);
    assert_null(agent_of(there.ctx.population, 1)->traits);
    agent_died(there.ctx.population, 4, 1, "damaged");
    island_close(&home);
    island_close(&there);
    buf_free(&mind);
}

/* In a will, an agent is left to the next owner of the host where it was last. */
static void an_agent_is_where_its_last_page_was(void **state UNUSED)
{
    struct island s;
    struct buf mind = BUF_INIT(1000);
    uint32_t url = 0;

    half_open(&s);
    policies_paid(&s.model, &s.policies, 1, &s.page, 0.5);
    assert_true(policy_record(&s.model, 1, &mind, &url));
    assert_int_equal(url, 7);
    island_close(&s);
    buf_free(&mind);
}

static void an_island_without_agents_gets_one(void **state UNUSED)
{
    struct island s;
    uint32_t agent;

    half_open(&s);
    for (uint32_t id = 1; id <= 2; id++)
        agent_died(s.ctx.population, 1, id, "gone");
    agent = policies_draw(&s.model, &s.policies);
    assert_int_equal(agent, 3);
    assert_int_equal(alive(&s), 1);
    assert_int_equal(policies_draw(&s.model, &s.policies), 3);
    prosper(&s, 3); /* up to its share, although the others are many */
    assert_int_equal(alive(&s), 2);
    island_close(&s);
}

/* ---- links ---- */

/* Another machine says that a page names URL 5, or one of ours does so and its host is foreign. */
static void hear_of(struct model *m, enum drop verdict)
{
    struct link link = {.url = STR("http://a.example/5"), .kind = LINK_A};
    struct link_mark mark = {.url = 5, .score = NAN, .drop = (uint8_t)verdict};
    struct page page = {.links = &link, .nlinks = 1};
    struct profile profile = {.relevance = 0.5F, .similarity = 0.5F};

    m->ops->perceive(
        m, &(struct percept){
               .hearsay = true, .depth = 3, .body = &page, .profile = &profile, .marks = &mark});
}

static struct model *crawler(struct model_ctx *ctx)
{
    struct text_list none = {0};
    struct topic *topic;
    struct model *m;

    assert_int_equal(topic_from_words(STR("reefs"), STR("en"), &topic), ST_OK);
    *ctx = (struct model_ctx){.topic = topic,
                              .population = population_new(ignore, NULL),
                              .machines = 2,
                              .urls = 100,
                              .parallel = 1};
    rng_init(&ctx->rng, 1);
    assert_int_equal(model_new(model_find(STR("brood")), &none, ctx, &m), ST_OK);
    m->ops->start(m, NULL, 0);
    return m;
}

static void crawler_free(struct model *m)
{
    struct model_ctx ctx = *m->ctx;

    model_free(m);
    population_free(ctx.population);
    topic_free((struct topic *)ctx.topic);
}

/* Its host went away before it was fetched, and came back; the map counts no more of its pages. */
static void a_link_that_many_pages_name_is_not_lost_with_its_host(void **state UNUSED)
{
    struct model_ctx ctx;
    struct model *m = crawler(&ctx);
    struct choice c;

    for (int i = 0; i <= MAP_PARENTS; i++)
        hear_of(m, DROP_NONE);
    assert_true(m->ops->next(m, 0, &c));
    assert_int_equal(c.url, 5);
    m->ops->failed(m, &c, DROP_FOREIGN);
    assert_false(m->ops->next(m, 0, &c));
    hear_of(m, DROP_NONE);
    assert_true(m->ops->next(m, 0, &c));
    assert_int_equal(c.url, 5);
    crawler_free(m);
}

/* It says where a child may go, and nothing else is kept of it. */
static void a_link_to_another_machine_is_where_a_child_goes(void **state UNUSED)
{
    struct model_ctx ctx;
    struct model *m = crawler(&ctx);
    struct link link = {.kind = LINK_A};
    struct page page = {.links = &link};
    struct profile profile = {.relevance = 0.5F, .similarity = 0.5F};
    struct percept p = {.page = 1, .first = true, .body = &page, .profile = &profile};
    uint32_t agent = 0, one = 6;
    struct str url;
    uint16_t depth;

    hear_of(m, DROP_FOREIGN);
    assert_false(m->ops->next(m, 0, &p.choice));
    m->ops->start(m, &one, 1);
    assert_true(m->ops->next(m, 0, &p.choice));
    population_earned(ctx.population, 9);
    agent_changed(ctx.population, 1, p.choice.agent, 9);
    for (int i = 0; i < 40 && agent == 0; i++) { /* it divides at each visit */
        m->ops->perceive(m, &p);
        agent = m->ops->moves->settles(m, &url, &depth);
        one = 7 + (uint32_t)i;
        m->ops->start(m, &one, 1);
        if (agent == 0)
            assert_true(m->ops->next(m, 0, &p.choice));
    }
    assert_int_not_equal(agent, 0);
    assert_true(str_eq(url, STR("http://a.example/5")));
    assert_int_equal(depth, 4);
    crawler_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_island_begins_with_its_share_and_has_one_agent_at_least),
        cmocka_unit_test(the_bound_counts_all_islands_but_none_loses_its_share),
        cmocka_unit_test(nobody_leaves_where_no_link_leads_elsewhere),
        cmocka_unit_test(a_child_leaves_for_the_best_link_and_nobody_dies_for_it),
        cmocka_unit_test(a_child_that_died_before_it_could_leave_does_not),
        cmocka_unit_test(a_child_arrives_as_it_was_and_the_poorest_there_dies),
        cmocka_unit_test(a_mind_that_is_cut_or_no_number_is_refused),
        cmocka_unit_test(an_agent_is_where_its_last_page_was),
        cmocka_unit_test(an_island_without_agents_gets_one),
        cmocka_unit_test(a_link_that_many_pages_name_is_not_lost_with_its_host),
        cmocka_unit_test(a_link_to_another_machine_is_where_a_child_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
