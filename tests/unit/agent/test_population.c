/* Births, deaths, names, places, traits and books of agents. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/population.h"
#include "base/hash.h"
#include "base/map.h"

#include <math.h>
#include <stdlib.h>

struct heard {
    int born, died, visits, left, came;
    double after, worth;
    uint32_t parent, most, sent;
};

static void hear(void *ctx, const struct event *e)
{
    struct heard *h = ctx;

    h->born += e->kind == EVENT_BORN;
    h->died += e->kind == EVENT_DIED;
    h->visits += e->kind == EVENT_VISIT;
    if (e->kind == EVENT_VISIT)
        h->after = e->visit.after;
    if (e->kind == EVENT_VISIT)
        h->worth = e->visit.worth;
    if (e->kind == EVENT_BORN)
        h->parent = e->born.parent;
    if (e->kind == EVENT_TRAVEL)
        *(e->travel.came ? &h->came : &h->left) += 1;
    if (e->kind == EVENT_RANGE)
        h->most = e->range.most;
    if (e->kind == EVENT_SENT)
        h->sent =
            e->sent.agent * 1000 + e->sent.url * 100 + e->sent.document * 10 + e->sent.relevant;
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

/* What a new page is worth is told with the visit that found it, whoever gets it, and
 * with no other. */
static void a_new_pages_worth_is_heard_with_its_visit(void **state)
{
    struct heard h = {0};
    struct population *p = population_new(hear, &h);
    uint32_t agent = agent_born(p, 1, 0, "test", 0, 1.0);

    (void)state;
    agent_visited(p, 2, agent, 6, true, 0);
    assert_true(isnan(h.worth)); /* nobody said */
    population_earned(p, 4);
    agent_visited(p, 3, agent, 7, true, -0.5); /* the page keeps 4.5 */
    assert_true(h.worth == 4);
    agent_visited(p, 4, agent, 7, false, 4.5);
    assert_true(isnan(h.worth));
    population_stored(p, 3); /* of a page that nobody is on */
    agent_visited(p, 4, agent, 8, true, 0);
    assert_true(isnan(h.worth));
    assert_true(population_ledger(p).earned == 7);
    population_announce(p, 5, (struct population_range){50, 49, 281, 250});
    assert_int_equal(h.most, 281);
    agent_sent(p, 6, 4, 3, 2, true);
    assert_int_equal(h.sent, 4321);
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

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

/* Seeds with energies 1, 2, 3 … on pages 11, 12, 13 … */
static struct population *seeded(uint32_t n)
{
    struct population *p = population_new(ignore, NULL);

    for (uint32_t i = 1; i <= n; i++)
        (void)agent_born(p, i, 0, i % 2 ? "odd" : "even", 10 + i, i);
    return p;
}

static void the_living_are_met_in_order_of_birth_whoever_dies_on_the_way(void **state)
{
    struct population *p = seeded(6);
    uint32_t met[8], n = 0, first;

    (void)state;
    for (uint32_t id = population_after(p, 0); id; id = population_after(p, id)) {
        met[n++] = id;
        if (id == 2) { /* itself, one behind, one ahead; and two are born */
            agent_died(p, 9, 1, "test");
            agent_died(p, 9, 2, "test");
            agent_died(p, 9, 4, "test");
            assert_int_equal(agent_split(p, 9, 3, 2, 1.0, &first), 2);
            assert_int_equal(first, 7);
        }
    }
    assert_int_equal(n, 7); /* 1 2 3 5 6 7 8 */
    assert_memory_equal(met, ((uint32_t[]){1, 2, 3, 5, 6, 7, 8}), 7 * sizeof *met);
    assert_int_equal(population_counts(p).alive, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(population_nth(p, i)->id, ((uint32_t[]){3, 5, 6, 7, 8})[i]);
    assert_int_equal(population_after(p, UINT32_MAX), 0);
    assert_null(agent_of(p, 4));
    assert_true(agent_energy(p, 4) == 0);
    population_free(p);
}

static void kinds_are_counted_apart(void **state)
{
    struct population *p = seeded(5);
    struct population_counts n;

    (void)state;
    agent_died(p, 9, 3, "test");
    (void)agent_split(p, 9, 2, 1, 1.0, NULL);
    assert_string_equal(population_kind(p, 0, &n), "odd"); /* 1 3 5 */
    assert_int_equal(n.alive, 2);
    assert_int_equal(n.born, 3);
    assert_int_equal(n.died, 1);
    assert_string_equal(population_kind(p, 1, &n), "even"); /* 2 4 6 */
    assert_int_equal(n.alive, 3);
    assert_int_equal(n.born, 3);
    population_free(p);
}

static void an_agent_knows_its_way_back(void **state)
{
    struct population *p = seeded(1);
    const struct agent *a = agent_of(p, 1);

    (void)state;
    assert_int_equal(agent_returned(p, 1), 0);
    agent_moved(p, 1, 100);
    assert_int_equal(a->from, 0);
    assert_int_equal(agent_returned(p, 1), 0);
    assert_int_equal(a->at, 100);
    agent_moved(p, 1, 101);
    agent_moved(p, 1, 101); /* it did not move */
    agent_moved(p, 1, 102);
    assert_int_equal(a->at, 102);
    assert_int_equal(a->from, 101);
    assert_int_equal(agent_path(a, 2), 100);
    assert_int_equal(agent_path(a, 3), 0);
    assert_int_equal(agent_returned(p, 1), 101);
    assert_int_equal(a->from, 100);
    for (uint32_t i = 0; i < 40; i++) /* the oldest places are forgotten */
        agent_moved(p, 1, 200 + i);
    assert_int_equal(a->npath, AGENT_PATH);
    assert_int_equal(agent_path(a, 0), 239);
    assert_int_equal(agent_path(a, AGENT_PATH - 1), 239 - (AGENT_PATH - 1));
    for (uint32_t i = 1; i < AGENT_PATH; i++)
        assert_int_equal(agent_returned(p, 1), 239 - i);
    assert_int_equal(a->from, 0);
    population_free(p);
}

/* 10.3 among an agent and ten clones: 10.3 / 11 each. */
static void a_split_divides_energy_and_hands_the_place_on(void **state)
{
    struct population *p = seeded(1);
    const struct agent *parent = agent_of(p, 1), *child;
    uint32_t first;

    (void)state;
    agent_moved(p, 1, 100);
    agent_moved(p, 1, 101);
    population_earned(p, 9.3);
    agent_visited(p, 5, 1, 77, true, 9.3);
    assert_int_equal(agent_split(p, 6, 1, 10, 10.3 / 11, &first), 10);
    child = agent_of(p, first + 9);
    assert_int_equal(child->id, 11);
    assert_int_equal(child->parent, 1);
    assert_int_equal(child->generation, 1);
    assert_int_equal(child->born_page, 77);
    assert_int_equal(child->born_at, 6);
    assert_int_equal(child->visits, 0);
    assert_int_equal(child->at, 101);
    assert_int_equal(child->from, 100);
    assert_int_equal(agent_path(child, 1), 100);
    assert_true(child->energy == 10.3 / 11 && parent->energy == 10.3 / 11);
    assert_true(child->born_energy == 10.3 / 11 && parent->born_energy == 1);
    assert_int_equal(parent->children, 10);
    assert_int_equal(parent->visits, 1);
    assert_int_equal(parent->found, 1);
    population_check(p, 0);
    assert_int_equal(agent_split(p, 6, first, 0, 5.0, NULL), 0); /* nobody: nothing happens */
    assert_true(child->energy == 10.3 / 11);
    population_free(p);
}

static void the_hard_cap_cuts_what_the_unborn_would_have_had(void **state)
{
    struct population *p = seeded(1);
    struct ledger l;

    (void)state;
    population_set_bounds(p, (struct population_bounds){.low = 2, .high = 3, .cap = 4});
    assert_true(population_is_sparse(p));
    assert_int_equal(population_room(p), 3);
    population_earned(p, 7);
    agent_visited(p, 5, 1, 77, true, 7); /* 8 */
    assert_int_equal(agent_split(p, 6, 1, 7, 1.0, NULL), 3);
    l = population_ledger(p);
    assert_true(l.living == 4 && l.cut == 4 && l.given == 1 && l.earned == 7);
    assert_false(population_is_sparse(p));
    assert_true(population_is_crowded(p));
    assert_int_equal(population_room(p), 0);
    agent_died(p, 7, 4, "test");
    assert_false(population_is_crowded(p));
    population_check(p, 0);
    population_free(p);
}

/* The balance of docs/models/balanced.md. Start: 3 agents with 1 + 2 + 3 = 6. */
static void the_books_say_where_energy_went(void **state)
{
    struct population *p = seeded(3);
    struct ledger l;
    double on_pages;

    (void)state;
    population_earned(p, -0.5); /* a poor page: agent 1 has 0.5 */
    agent_visited(p, 1, 1, 21, true, -0.5);
    population_earned(p, 4); /* crowded: agent 2 pays 0.5, the page keeps 4.5 */
    agent_visited(p, 1, 2, 22, true, -0.5);
    on_pages = 4.5;
    agent_visited(p, 2, 1, 22, false, 4.5); /* agent 1 finds it: 5 */
    on_pages -= 4.5;
    agent_visited(p, 3, 3, 22, false, -0.5); /* agent 3 comes too late and pays: 2.5 */
    population_burnt(p, 0.5);
    population_earned(p, -2); /* agent 2 has 1.5: -0.5 */
    agent_visited(p, 4, 2, 23, true, -2);
    agent_died(p, 4, 2, "starved");
    l = population_ledger(p);
    assert_true(l.living == 7.5 && l.dead == -0.5 && l.cut == 0);
    assert_true(l.given == 6 && l.earned == 1.5 && l.burnt == 0.5);
    /* 7.5 - 0.5 + 0 + 0 = 6 + 1.5 - 0.5 */
    assert_true(ledger_error(&l, on_pages) == 0);
    /* a page's energy forgotten: 0.75 : 7.5 */
    assert_true(ledger_error(&l, 0.75) == 0.1);
    population_free(p);
}

/* floor(E) clones with E/floor(E) each: E = 1.5 becomes 3. The books notice:
 * 1.5 too much, of a largest term of 3. */
static void a_split_that_makes_energy_is_noticed(void **state)
{
    struct population *p = population_new(ignore, NULL);
    struct ledger l;

    (void)state;
    (void)agent_born(p, 1, 0, "test", 0, 1.5);
    (void)agent_split(p, 2, 1, 1, 1.5, NULL);
    l = population_ledger(p);
    assert_true(l.living == 3 && l.given == 1.5);
    assert_true(ledger_error(&l, 0) == 0.5);
    population_free(p);
}

/* What the lab's meter and the store rely on: born + deltas - died is what the
 * living have, and `after` is what an agent has. */
struct listener {
    double living;
    double energy[64]; /* by number, as told last */
};

static void listen(void *ctx, const struct event *e)
{
    struct listener *l = ctx;

    if (e->kind == EVENT_BORN) {
        l->living += e->born.energy;
        l->energy[e->born.id] = e->born.energy;
    }
    if (e->kind == EVENT_DIED)
        l->living -= e->died.energy;
    if (e->kind == EVENT_VISIT) {
        assert_true(e->visit.before == l->energy[e->visit.agent]);
        l->living += e->visit.delta;
        l->energy[e->visit.agent] = e->visit.after;
    }
}

static uint32_t any_of(const struct population *p, struct rng *r)
{
    return population_nth(p, (uint32_t)rng_below(r, population_counts(p).alive))->id;
}

static void who_listens_knows_every_energy(void **state)
{
    struct listener l = {0};
    struct population *p = population_new(listen, &l);
    struct rng r;

    (void)state;
    rng_init(&r, 3);
    (void)agent_born(p, 1, 0, "test", 0, 4.0);
    for (int i = 0; i < 40; i++) {
        uint32_t id = any_of(p, &r);

        agent_visited(p, i, id, 5, false, rng_range(&r, -1, 2));
        if (i % 3 == 0)
            (void)agent_split(p, i, id, 1, agent_energy(p, id) / 2, NULL);
        if (i % 7 == 6)
            agent_died(p, i, any_of(p, &r), "test");
        agent_changed(p, i, population_after(p, 0), 0.125);
    }
    for (uint32_t id = population_after(p, 0); id; id = population_after(p, id))
        assert_true(l.energy[id] == agent_energy(p, id));
    assert_true(population_counts(p).alive > 3);
    assert_float_equal(l.living, population_ledger(p).living, 1e-12);
    population_free(p);
}

/* 0.1 has no exact binary form: a plain sum of a million is off by 1e-6. */
static void a_million_bookings_stay_exact(void **state)
{
    struct account a = {0, 0};
    double plain = 0;

    (void)state;
    for (int i = 0; i < 1000000; i++) {
        account_add(&a, 0.1);
        plain += 0.1;
    }
    assert_true(account_total(a) == 100000.0);
    assert_false(plain == 100000.0);
}

static int freed;

static void free_trait(void *trait)
{
    freed += trait != NULL;
    free(trait);
}

static void traits_live_and_die_with_their_agent(void **state)
{
    struct population *p = seeded(3);

    (void)state;
    freed = 0;
    population_set_free(p, free_trait);
    for (uint32_t i = 1; i <= 3; i++)
        agent_set_traits(p, i, str_dup(STR("net")));
    agent_set_traits(p, 1, agent_of(p, 1)->traits); /* the same again */
    assert_int_equal(freed, 0);
    agent_set_traits(p, 1, str_dup(STR("another")));
    assert_int_equal(freed, 1);
    agent_died(p, 9, 2, "test");
    assert_int_equal(freed, 2);
    (void)agent_split(p, 9, 3, 1, 1.5, NULL);
    assert_null(agent_of(p, 4)->traits); /* the model's to give */
    population_free(p);
    assert_int_equal(freed, 4);
}

/* Everything that can be different from its beginning. */
static struct population *lived(void)
{
    struct population *p = seeded(5);

    population_set_bounds(p, (struct population_bounds){.cap = 7});
    for (uint32_t url = 100; url < 120; url++)
        agent_moved(p, 2, url);
    population_earned(p, 0.1);
    agent_visited(p, 6, 2, 31, true, 0.1);
    population_burnt(p, 0.7);
    agent_visited(p, 7, 4, 31, false, -0.7);
    (void)agent_split(p, 8, 2, 4, agent_energy(p, 2) / 5, NULL); /* two of four are cut */
    agent_died(p, 9, 3, "test");
    return p;
}

static void saved_population_comes_back_to_the_bit(void **state)
{
    struct population *p = lived(), *back = population_new(ignore, NULL);
    struct buf saved = BUF_INIT(10000), again = BUF_INIT(10000);
    struct cursor c;
    struct ledger before, after;
    const struct agent *child;

    (void)state;
    population_save(p, &saved);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(population_load(back, &c), ST_OK);
    assert_int_equal(c.rest.len, 0);
    population_save(back, &again);
    assert_int_equal(saved.len, again.len);
    assert_memory_equal(saved.data, again.data, saved.len);
    before = population_ledger(p);
    after = population_ledger(back);
    assert_memory_equal(&before, &after, sizeof before);
    child = agent_of(back, 7);
    assert_int_equal(child->parent, 2);
    assert_int_equal(child->born_page, 31);
    assert_int_equal(agent_path(child, 15), 104);
    assert_string_equal(population_kind(back, child->kind, NULL), "even");
    assert_int_equal(agent_born(back, 10, 7, "odd", 0, 0), 8); /* numbers go on */
    assert_int_equal(agent_of(back, 8)->generation, 2);
    population_free(p);
    population_free(back);
    buf_free(&saved);
    buf_free(&again);
}

static void a_damaged_population_is_refused(void **state)
{
    struct population *p = lived();
    struct buf saved = BUF_INIT(10000);

    (void)state;
    population_save(p, &saved);
    for (size_t len = 0; len < saved.len; len++) { /* cut anywhere */
        struct population *back = population_new(ignore, NULL);
        struct cursor c = {.rest = {saved.data, len}};

        assert_int_equal(population_load(back, &c), ST_CORRUPT);
        population_free(back);
    }
    for (size_t at = 0; at < saved.len; at++) { /* any byte wrong: refused or loaded, no more */
        struct population *back = population_new(ignore, NULL);
        struct cursor c = {.rest = buf_str(&saved)};

        saved.data[at] = (char)(saved.data[at] ^ 0xff);
        (void)!population_load(back, &c);
        saved.data[at] = (char)(saved.data[at] ^ 0xff);
        population_free(back);
    }
    population_free(p);
    buf_free(&saved);
}

/* Ten thousand agents, and all those who died before them. */
static void ten_thousand_agents_are_small(void **state)
{
    struct population *p = population_new(ignore, NULL);
    struct buf saved = BUF_INIT(10 << 20);

    (void)state;
    for (uint32_t i = 1; i <= 30000; i++) {
        (void)agent_born(p, i, 0, "test", 0, 1);
        if (i > 10000)
            agent_died(p, i, i - 10000, "test");
    }
    assert_int_equal(population_counts(p).alive, 10000);
    assert_int_equal(population_counts(p).died, 20000);
    assert_int_equal(population_after(p, 0), 20001);
    assert_true(sizeof(struct agent) <= 200);
    population_save(p, &saved);
    assert_true(saved.len < 10000 * 100); /* the dead are not in it */
    buf_free(&saved);
    population_free(p);
}

static void an_agent_moves_to_another_population_and_lives_on(void **state)
{
    struct heard h = {0}, g = {0};
    struct population *home = population_new(hear, &h), *there = population_new(hear, &g);
    struct buf bytes = BUF_INIT(1000);
    struct cursor from, again;
    struct population_counts n;
    const struct agent *a;
    struct ledger l;
    uint32_t mother, child, came = 0;

    (void)state;
    population_add_lot(home, 1, 100);
    population_add_lot(there, 101, 100);
    mother = agent_born(home, 1, 0, "test", 0, 1.0);
    child = agent_born(home, 2, mother, "test", 7, 0.5);
    agent_visited(home, 3, child, 7, true, 0.25);
    (void)agent_born(there, 4, 0, "test", 0, 2.0);
    agent_leave(home, 5, child, &bytes);
    assert_false(agent_is_alive(home, child));
    n = population_counts(home);
    assert_int_equal(n.alive, 1);
    assert_int_equal(n.died, 0);
    assert_int_equal(n.left, 1);
    l = population_ledger(home);
    assert_true(l.left == 0.75);
    from = again = (struct cursor){.rest = buf_str(&bytes)};
    assert_int_equal(agent_come(there, 6, &from, &came), ST_OK);
    assert_int_equal(came, child);
    a = agent_of(there, child);
    assert_true(a->energy == 0.75 && a->born_energy == 0.5);
    assert_int_equal(a->parent, mother);
    assert_int_equal(a->generation, 1);
    assert_int_equal(a->found, 1);
    assert_int_equal(a->trips, 1);
    assert_int_equal(population_after(there, 0), child); /* by number, before who was born there */
    assert_int_equal(agent_come(there, 7, &again, &came), ST_INVALID); /* nobody is there twice */
    agent_died(there, 8, child, "starved");
    n = population_counts(there);
    assert_int_equal(n.died, 1);
    assert_int_equal(n.came, 1);
    l = population_ledger(there);
    assert_true(l.came == 0.75 && l.dead == 0.75);
    assert_int_equal(h.left, 1);
    assert_int_equal(g.came, 1);
    population_free(home);
    population_free(there);
    buf_free(&bytes);
}

static void an_agent_that_cannot_be_does_not_come(void **state)
{
    struct heard h = {0};
    struct population *home = population_new(hear, &h), *there = population_new(hear, &h);
    uint32_t agent = agent_born(home, 1, 0, "test", 0, 1.0), came;
    struct buf bytes = BUF_INIT(1000);

    (void)state;
    agent_leave(home, 2, agent, &bytes);
    for (size_t cut = 0; cut < bytes.len; cut++) {
        struct cursor from = {.rest = {bytes.data, cut}};

        assert_int_equal(agent_come(there, 3, &from, &came), ST_INVALID);
    }
    bytes.data[3] = (char)0xff; /* a number beyond all that are given out */
    assert_int_equal(agent_come(there, 3, &(struct cursor){.rest = buf_str(&bytes)}, &came),
                     ST_INVALID);
    assert_int_equal(population_counts(there).alive, 0);
    population_free(home);
    population_free(there);
    buf_free(&bytes);
}

/* It was written down, has lived on, and then others found it only as it was written down. */
static void what_an_agent_had_won_since_it_was_written_down_is_lost(void **state)
{
    struct heard h = {0};
    struct population *home = population_new(hear, &h), *there = population_new(hear, &h);
    uint32_t agent = agent_born(home, 1, 0, "test", 0, 1.0), came;
    struct buf record = BUF_INIT(1000), again = BUF_INIT(1000), unused = BUF_INIT(1000);
    struct ledger l, sum = {0};
    double energy;

    (void)state;
    agent_record(home, agent, &record);
    assert_true(agent_is_alive(home, agent));
    population_earned(home, 0.25);
    agent_visited(home, 2, agent, 7, true, 0.25);
    agent_leave(home, 3, agent, &unused);
    population_lost(home, 1.25, 1.0);
    assert_int_equal(agent_come(there, 4, &(struct cursor){.rest = buf_str(&record)}, &came),
                     ST_OK);
    assert_int_equal(agent_of(there, agent)->trips, 1);
    l = population_ledger(home);
    assert_true(l.left == 1.0 && l.lost == 0.25);
    assert_true(ledger_error(&l, 0) < LEDGER_EPSILON);
    ledger_add(&sum, &l);
    l = population_ledger(there);
    ledger_add(&sum, &l);
    assert_true(sum.left == sum.came);
    assert_true(agent_record_again(buf_str(&record), &again, &energy)); /* before it lived there */
    assert_true(energy == 1.0);
    agent_died(there, 5, agent, "starved");
    assert_int_equal(agent_come(there, 6, &(struct cursor){.rest = buf_str(&again)}, &came), ST_OK);
    assert_int_equal(agent_of(there, agent)->trips, 2);
    assert_false(agent_record_again((struct str){record.data, record.len - 1}, &again, &energy));
    population_free(home);
    population_free(there);
    buf_free(&record);
    buf_free(&again);
    buf_free(&unused);
}

static void numbers_come_in_lots_and_clones_have_them_in_a_row(void **state)
{
    struct heard h = {0};
    struct population *p = population_new(hear, &h), *back = population_new(hear, &h);
    struct buf bytes = BUF_INIT(10000);
    uint32_t agent, first;

    (void)state;
    population_add_lot(p, 1001, 4);
    agent = agent_born(p, 1, 0, "test", 0, 6);
    assert_int_equal(agent, 1001);
    population_add_lot(p, 5001, 10);
    assert_int_equal(population_numbers(p), 13);
    assert_int_equal(agent_split(p, 2, agent, 5, 1, &first), 5);
    assert_int_equal(first, 5001); /* the three that were left are too few */
    assert_int_equal(population_last(p), 5005);
    assert_int_equal(agent_split(p, 3, agent, 100, 0.01, &first), 5); /* no numbers, no births */
    population_save(p, &bytes);
    assert_int_equal(population_load(back, &(struct cursor){.rest = buf_str(&bytes), .most = 9999}),
                     ST_OK);
    assert_int_equal(population_numbers(back), 0);
    assert_int_equal(population_last(back), 5010);
    population_free(p);
    population_free(back);
    buf_free(&bytes);
}

static void bounds_count_who_lives_elsewhere(void **state)
{
    struct heard h = {0};
    struct population *p = population_new(hear, &h);

    (void)state;
    population_set_bounds(p, (struct population_bounds){.low = 3, .high = 5, .cap = 8});
    (void)agent_born(p, 1, 0, "test", 0, 1.0);
    assert_true(population_is_sparse(p));
    population_set_elsewhere(p, 2);
    assert_false(population_is_sparse(p));
    assert_int_equal(population_room(p), 5);
    population_set_elsewhere(p, 5);
    assert_true(population_is_crowded(p));
    population_set_elsewhere(p, 50);
    assert_int_equal(population_room(p), 0);
    population_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_birth_visit_and_death_is_heard_once),
        cmocka_unit_test(a_new_pages_worth_is_heard_with_its_visit),
        cmocka_unit_test(a_hundred_thousand_names_are_all_different),
        cmocka_unit_test(the_living_are_met_in_order_of_birth_whoever_dies_on_the_way),
        cmocka_unit_test(kinds_are_counted_apart),
        cmocka_unit_test(an_agent_knows_its_way_back),
        cmocka_unit_test(a_split_divides_energy_and_hands_the_place_on),
        cmocka_unit_test(the_hard_cap_cuts_what_the_unborn_would_have_had),
        cmocka_unit_test(the_books_say_where_energy_went),
        cmocka_unit_test(a_split_that_makes_energy_is_noticed),
        cmocka_unit_test(who_listens_knows_every_energy),
        cmocka_unit_test(a_million_bookings_stay_exact),
        cmocka_unit_test(traits_live_and_die_with_their_agent),
        cmocka_unit_test(saved_population_comes_back_to_the_bit),
        cmocka_unit_test(a_damaged_population_is_refused),
        cmocka_unit_test(ten_thousand_agents_are_small),
        cmocka_unit_test(an_agent_moves_to_another_population_and_lives_on),
        cmocka_unit_test(an_agent_that_cannot_be_does_not_come),
        cmocka_unit_test(what_an_agent_had_won_since_it_was_written_down_is_lost),
        cmocka_unit_test(numbers_come_in_lots_and_clones_have_them_in_a_row),
        cmocka_unit_test(bounds_count_who_lives_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
