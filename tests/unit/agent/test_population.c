/* Births, deaths, names and events of agents. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/population.h"
#include "base/hash.h"
#include "base/map.h"

struct heard {
    int born, died, visits;
    double after;
    uint32_t parent;
};

static void hear(void *ctx, const struct event *e)
{
    struct heard *h = ctx;

    h->born += e->kind == EVENT_BORN;
    h->died += e->kind == EVENT_DIED;
    h->visits += e->kind == EVENT_VISIT;
    if (e->kind == EVENT_VISIT)
        h->after = e->visit.after;
    if (e->kind == EVENT_BORN)
        h->parent = e->born.parent;
}

static void every_birth_visit_and_death_is_heard_once(void **state)
{
    struct heard h = {0};
    struct population *p = population_new(hear, &h);
    struct population_counts n;
    uint32_t mother, child;

    (void)state;
    mother = agent_born(p, 1, 0, "test", 0, 1.0);
    child = agent_born(p, 2, mother, "test", 7, 0.5);
    assert_int_equal(h.parent, mother);
    agent_visited(p, 3, child, 7, true, -0.75);
    assert_true(h.after == -0.25);
    agent_died(p, 4, child, "starved");
    agent_died(p, 5, child, "starved"); /* nobody dies twice */
    n = population_counts(p);
    assert_int_equal(n.alive, 1);
    assert_int_equal(n.born, 2);
    assert_int_equal(n.died, 1);
    assert_int_equal(h.born, 2);
    assert_int_equal(h.died, 1);
    assert_int_equal(h.visits, 1);
    assert_true(agent_is_alive(p, mother));
    assert_false(agent_is_alive(p, child));
    assert_false(agent_is_alive(p, 99));
    population_free(p);
}

static void a_hundred_thousand_names_are_all_different(void **state)
{
    struct map seen;
    char name[AGENT_NAME];

    (void)state;
    map_init(&seen);
    for (uint32_t i = 1; i <= 100000; i++) {
        bool is_new;

        (void)map_at(&seen, hash_str(str_of(agent_name(i, name))), i, &is_new);
        assert_true(is_new);
    }
    assert_string_not_equal(agent_name(1000001, name), "");
    map_free(&seen);
}

static void saved_population_comes_back(void **state)
{
    struct heard h = {0};
    struct population *p = population_new(hear, &h), *back = population_new(hear, &h);
    struct buf saved = BUF_INIT(1000);
    struct cursor c;

    (void)state;
    (void)agent_born(p, 1, 0, "test", 0, 1.0);
    agent_died(p, 2, agent_born(p, 1, 1, "test", 0, 2.5), "age");
    population_save(p, &saved);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(population_load(back, &c), ST_OK);
    assert_int_equal(population_counts(back).alive, 1);
    assert_int_equal(population_counts(back).born, 2);
    assert_true(agent_energy(back, 1) == 1.0);
    population_free(p);
    population_free(back);
    buf_free(&saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_birth_visit_and_death_is_heard_once),
        cmocka_unit_test(a_hundred_thousand_names_are_all_different),
        cmocka_unit_test(saved_population_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
