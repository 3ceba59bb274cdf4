/* population.c - the living agents, their births, deaths and parents, and where energy went.
 *
 * Two parallel arrays of the living in order of birth, which is the order of
 * their numbers: the numbers, dense, so that a binary search stays in the cache;
 * and the records, each allocated by itself, so that they may be lent.
 * SPDX-License-Identifier: MIT */
#include "agent/population.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define KINDS_MOST 100

/* A range of numbers for agents that are born. */
struct lot {
    uint32_t next, left;
};

struct kind {
    char *name;
    struct population_counts counts;
};

struct population {
    uint32_t *ids;         /* of living agents, ascending */
    struct agent **agents; /* the agents of these numbers */
    size_t alive, cap;
    size_t agents_cap;
    uint32_t born, left, came;
    uint32_t last;      /* the highest number that was given out here */
    struct lot lots[2]; /* the second is used after the first */
    uint32_t elsewhere; /* alive on other machines */
    struct kind *kinds; /* in order of first birth */
    size_t nkinds, kinds_cap;
    struct population_bounds bounds;
    struct account dead, cut, given, earned, burnt, gone_away, come_here, lost;
    double worth; /* earned, and not yet reported with a visit; NAN: nothing */
    population_free_fn *free_traits;
    population_sink_fn *sink;
    void *sink_ctx;
};

struct population *population_new(population_sink_fn *sink, void *sink_ctx)
{
    struct population *p = MEM_NEW(struct population);

    p->sink = sink;
    p->sink_ctx = sink_ctx;
    p->worth = NAN;
    p->lots[0] = (struct lot){1, UINT32_MAX};
    return p;
}

static void agent_free(const struct population *p, struct agent *a)
{
    if (p->free_traits)
        p->free_traits(a->traits);
    free(a);
}

void population_free(struct population *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->alive; i++)
        agent_free(p, p->agents[i]);
    for (size_t i = 0; i < p->nkinds; i++)
        free(p->kinds[i].name);
    free(p->ids);
    free(p->agents);
    free(p->kinds);
    free(p);
}

void population_set_free(struct population *p, population_free_fn *fn)
{
    p->free_traits = fn;
}

/* ---- books --------------------------------------------------------------- */

void population_earned(struct population *p, double worth)
{
    account_add(&p->earned, worth);
    p->worth = worth;
}

void population_stored(struct population *p, double worth)
{
    account_add(&p->earned, worth);
}

void population_burnt(struct population *p, double amount)
{
    account_add(&p->burnt, amount);
}

struct ledger population_ledger(const struct population *p)
{
    struct account living = {0, 0};

    for (size_t i = 0; i < p->alive; i++)
        account_add(&living, p->agents[i]->energy);
    return (struct ledger){
        .living = account_total(living),
        .dead = account_total(p->dead),
        .cut = account_total(p->cut),
        .given = account_total(p->given),
        .earned = account_total(p->earned),
        .burnt = account_total(p->burnt),
        .left = account_total(p->gone_away),
        .came = account_total(p->come_here),
        .lost = account_total(p->lost),
    };
}

void population_verify(const struct population *p, double on_pages)
{
    struct ledger l = population_ledger(p);

    assert(ledger_error(&l, on_pages) < LEDGER_EPSILON);
    (void)l;
}

/* ---- look-ups ------------------------------------------------------------- */

/* Returns how many living agents have a number below `id`. */
static size_t rank_of(const struct population *p, uint32_t id)
{
    size_t i;

    FIND_FIRST(i, 0, p->alive, p->ids[i] >= id);
    return i;
}

static struct agent *agent_find(const struct population *p, uint32_t id)
{
    size_t i = rank_of(p, id);

    return i < p->alive && p->ids[i] == id ? p->agents[i] : NULL;
}

/* The agent with this number. The caller knows that it is alive. */
static struct agent *agent_at(const struct population *p, uint32_t id)
{
    struct agent *a = agent_find(p, id);

    assert(a != NULL);
    return a;
}

bool agent_is_alive(const struct population *p, uint32_t id)
{
    return agent_find(p, id) != NULL;
}

const struct agent *agent_of(const struct population *p, uint32_t id)
{
    return agent_find(p, id);
}

double agent_energy(const struct population *p, uint32_t id)
{
    const struct agent *a = agent_find(p, id);

    return a ? a->energy : 0;
}

/* The number in base 100, a syllable a digit: unique by construction, and the
 * multiplication by a number prime to 100^3 sets neighbours apart. */
const char *agent_name(uint32_t agent, char ret[AGENT_NAME])
{
    static const char consonants[] = "bdfghjklmnprstvwxzcq";
    static const char vowels[] = "aeiou";
    uint64_t n = agent < 1000000 ? agent * UINT64_C(618033) % 1000000 : agent;
    size_t at = 0;

    for (int digits = agent < 1000000 ? 3 : 6; digits > 0; digits--, n /= 100) {
        ret[at++] = consonants[n % 100 / 5];
        ret[at++] = vowels[n % 5];
    }
    ret[at] = '\0';
    ret[0] = (char)(ret[0] - 'a' + 'A');
    return ret;
}

uint32_t population_after(const struct population *p, uint32_t id)
{
    size_t i = id == UINT32_MAX ? p->alive : rank_of(p, id + 1);

    return i < p->alive ? p->ids[i] : 0;
}

const struct agent *population_nth(const struct population *p, uint32_t i)
{
    assert(i < p->alive);
    return p->agents[i];
}

struct population_counts population_counts(const struct population *p)
{
    uint32_t alive = (uint32_t)p->alive;

    return (struct population_counts){.alive = alive,
                                      .born = p->born,
                                      .died = p->born + p->came - p->left - alive,
                                      .left = p->left,
                                      .came = p->came};
}

const char *population_kind(const struct population *p, uint32_t kind,
                            struct population_counts *ret)
{
    assert(kind < p->nkinds);
    if (ret)
        *ret = p->kinds[kind].counts;
    return p->kinds[kind].name;
}

void agent_sent(const struct population *p, int64_t now, uint32_t agent, uint32_t url,
                uint32_t document, bool relevant)
{
    struct event e = {.kind = EVENT_SENT, .at = now, .sent = {agent, url, document, relevant}};

    p->sink(p->sink_ctx, &e);
}

/* ---- numbers -------------------------------------------------------------- */

/* Makes sure that so many consecutive numbers are available: the rest of a lot that
 * has fewer is dropped. */
static void numbers_need(struct population *p, uint32_t count)
{
    if (p->lots[0].left < count) {
        p->lots[0] = p->lots[1];
        p->lots[1] = (struct lot){0};
    }
    assert(p->lots[0].left >= count);
}

static uint32_t number_take(struct population *p)
{
    numbers_need(p, 1);
    p->lots[0].left--;
    if (p->last < p->lots[0].next)
        p->last = p->lots[0].next;
    return p->lots[0].next++;
}

static uint32_t numbers_in_a_row(const struct population *p)
{
    return p->lots[0].left > p->lots[1].left ? p->lots[0].left : p->lots[1].left;
}

uint32_t population_numbers(const struct population *p)
{
    return p->lots[0].left + p->lots[1].left;
}

uint32_t population_last(const struct population *p)
{
    return p->last;
}

void population_add_lot(struct population *p, uint32_t first, uint32_t count)
{
    bool endless = p->lots[0].left > UINT32_MAX / 2;
    struct lot *to = endless || p->lots[0].left == 0 ? &p->lots[0] : &p->lots[1];

    *to = (struct lot){first, count};
}

void population_set_elsewhere(struct population *p, uint32_t alive)
{
    p->elsewhere = alive;
}

/* ---- bounds -------------------------------------------------------------- */

void population_set_bounds(struct population *p, struct population_bounds bounds)
{
    p->bounds = bounds;
}

void population_announce(const struct population *p, int64_t now, struct population_range range)
{
    struct event e = {.kind = EVENT_RANGE,
                      .at = now,
                      .range = {range.reach, range.least, range.most, range.upper}};

    p->sink(p->sink_ctx, &e);
}

bool population_is_sparse(const struct population *p)
{
    return p->alive + p->elsewhere < p->bounds.low;
}

bool population_is_crowded(const struct population *p)
{
    return p->bounds.high && p->alive + p->elsewhere > p->bounds.high;
}

uint32_t population_room(const struct population *p)
{
    size_t alive = p->alive + p->elsewhere;
    uint32_t numbers = numbers_in_a_row(p), room;

    if (p->bounds.cap == 0)
        return numbers;
    room = alive < p->bounds.cap ? p->bounds.cap - (uint32_t)alive : 0;
    return room < numbers ? room : numbers;
}

uint32_t population_cap(const struct population *p)
{
    return p->bounds.cap;
}

/* ---- birth and death ----------------------------------------------------- */

/* Returns the number of a kind, new or known. A search will do: there are few kinds, and births are
 * rare compared with visits. */
static uint32_t kind_of(struct population *p, struct str name)
{
    uint32_t i = 0;

    while (i < p->nkinds && !str_eq(str_of(p->kinds[i].name), name))
        i++;
    if (i == p->nkinds) {
        MEM_GROW(p->kinds, p->nkinds, &p->kinds_cap);
        p->kinds[p->nkinds++] = (struct kind){.name = str_dup(name)};
    }
    return i;
}

/* Inserts an empty record among the living agents, mostly at the end. */
static struct agent *insert(struct population *p, uint32_t id)
{
    struct agent *a = MEM_NEW(struct agent);
    size_t at = rank_of(p, id), younger = p->alive - at;

    MEM_GROW(p->ids, p->alive, &p->cap);
    MEM_GROW(p->agents, p->alive, &p->agents_cap);
    memmove(p->ids + at + 1, p->ids + at, younger * sizeof *p->ids);
    memmove(p->agents + at + 1, p->agents + at, younger * sizeof(struct agent *));
    p->ids[at] = id;
    p->agents[at] = a;
    p->alive++;
    a->id = id;
    return a;
}

static struct agent *agent_create(struct population *p, uint32_t kind, int64_t now, uint32_t page,
                                  double energy)
{
    struct agent *a = insert(p, number_take(p));

    p->born++;

    a->kind = kind;
    a->energy = a->born_energy = energy;
    a->born_at = now;
    a->born_page = page;
    p->kinds[kind].counts.born++;
    p->kinds[kind].counts.alive++;
    return a;
}

static void agent_become_child(struct agent *child, struct agent *parent)
{
    child->parent = parent->id;
    child->generation = parent->generation + 1;
    parent->children++;
}

static void post_born(const struct population *p, const struct agent *a)
{
    char name[AGENT_NAME];
    struct event e = {.kind = EVENT_BORN, .at = a->born_at};

    e.born.id = a->id;
    e.born.parent = a->parent;
    e.born.name = str_of(agent_name(a->id, name));
    e.born.kind = str_of(p->kinds[a->kind].name);
    e.born.page = a->born_page;
    e.born.energy = a->energy;
    p->sink(p->sink_ctx, &e);
}

uint32_t agent_born(struct population *p, int64_t now, uint32_t parent, const char *kind,
                    uint32_t page, double energy)
{
    struct agent *a = agent_create(p, kind_of(p, str_of(kind)), now, page, energy);

    if (parent)
        agent_become_child(a, agent_at(p, parent));
    account_add(&p->given, energy);
    post_born(p, a);
    return a->id;
}

/* Sets its energy and reports the change as a visit: of `page`, or of page 0. */
static void energy_set(struct population *p, struct agent *a, int64_t now, uint32_t page,
                       bool first, double delta, double after)
{
    struct event e = {.kind = EVENT_VISIT, .at = now, .visit = {.worth = NAN}};

    e.visit.agent = a->id;
    e.visit.page = page;
    e.visit.first = first;
    e.visit.before = a->energy;
    e.visit.delta = delta;
    e.visit.after = a->energy = after;
    if (first)
        e.visit.worth = p->worth;
    p->worth = NAN;
    p->sink(p->sink_ctx, &e);
}

static void clone_born(struct population *p, int64_t now, struct agent *parent, double energy)
{
    struct agent *a = agent_create(p, parent->kind, now, parent->page, energy);

    agent_become_child(a, parent);
    a->at = parent->at;
    a->page = parent->page; /* it is there, too, and may have children before it moves */
    a->from = parent->from;
    a->npath = parent->npath;
    memcpy(a->path, parent->path, sizeof a->path);
    post_born(p, a);
}

uint32_t agent_split(struct population *p, int64_t now, uint32_t id, uint32_t clones, double share,
                     uint32_t *ret_first)
{
    struct agent *a = agent_at(p, id);
    uint32_t room = population_room(p), born = clones < room ? clones : room;

    if (clones == 0)
        return 0;
    energy_set(p, a, now, 0, false, share - a->energy, share);
    if (born > 0)
        numbers_need(p, born);
    if (ret_first)
        *ret_first = p->lots[0].next;
    for (uint32_t i = 0; i < born; i++)
        clone_born(p, now, a, share);
    account_add(&p->cut, share * (clones - born));
    return born;
}

/* Agents stay in the order of their numbers: younger ones move up by one place. */
static void remove_agent(struct population *p, struct agent *a)
{
    size_t i = rank_of(p, a->id), younger = --p->alive - i;

    memmove(p->ids + i, p->ids + i + 1, younger * sizeof *p->ids);
    memmove(p->agents + i, p->agents + i + 1, younger * sizeof(struct agent *));
    p->kinds[a->kind].counts.alive--;
    agent_free(p, a);
}

void agent_died(struct population *p, int64_t now, uint32_t id, const char *cause)
{
    struct event e = {.kind = EVENT_DIED, .at = now};
    struct agent *a = agent_find(p, id);

    if (a == NULL)
        return;
    e.died.id = id;
    e.died.cause = str_of(cause);
    e.died.energy = a->energy;
    p->sink(p->sink_ctx, &e); /* listeners may still read it */
    p->kinds[a->kind].counts.died++;
    account_add(&p->dead, a->energy);
    remove_agent(p, a);
}

/* ---- life ---------------------------------------------------------------- */

void agent_moved(struct population *p, uint32_t id, uint32_t url)
{
    struct agent *a = agent_at(p, id);

    if (url == a->at)
        return;
    if (a->npath == AGENT_PATH)
        memmove(a->path, a->path + 1, --a->npath * sizeof *a->path);
    a->path[a->npath++] = url;
    a->from = a->at;
    a->at = url;
}

uint32_t agent_returned(struct population *p, uint32_t id)
{
    struct agent *a = agent_at(p, id);

    if (a->npath < 2)
        return 0;
    a->path[--a->npath] = 0;
    a->at = agent_path(a, 0);
    a->from = agent_path(a, 1);
    return a->at;
}

uint32_t agent_path(const struct agent *a, uint32_t i)
{
    return i < a->npath ? a->path[a->npath - 1 - i] : 0;
}

void agent_visited(struct population *p, int64_t now, uint32_t id, uint32_t page, bool first,
                   double delta)
{
    struct agent *a = agent_at(p, id);

    a->visits++;
    a->found += first;
    a->page = page;
    energy_set(p, a, now, page, first, delta, a->energy + delta);
}

void agent_changed(struct population *p, int64_t now, uint32_t id, double delta)
{
    struct agent *a = agent_at(p, id);

    energy_set(p, a, now, 0, false, delta, a->energy + delta);
}

void agent_set_traits(struct population *p, uint32_t id, void *traits)
{
    struct agent *a = agent_at(p, id);

    if (p->free_traits && a->traits != traits)
        p->free_traits(a->traits);
    a->traits = traits;
}

/* ---- several machines ------------------------------------------------------- */

/* What an agent takes along. Its places are not included: numbers of URLs mean
 * nothing elsewhere. */
static const struct field travel_fields[] = {
    FIELD(REAL, struct agent, energy),    FIELD(REAL, struct agent, born_energy),
    FIELD(U64, struct agent, born_at),    FIELD(U32, struct agent, parent),
    FIELD(U32, struct agent, generation), FIELD(U32, struct agent, children),
    FIELD(U32, struct agent, visits),     FIELD(U32, struct agent, found),
    FIELD(U32, struct agent, trips),      FIELD_END,
};

static void post_travel(const struct population *p, const struct agent *a, int64_t now, bool came)
{
    char name[AGENT_NAME];
    struct event e = {.kind = EVENT_TRAVEL, .at = now};

    e.travel.id = a->id;
    e.travel.parent = a->parent;
    e.travel.generation = a->generation;
    e.travel.trip = a->trips;
    e.travel.came = came;
    e.travel.born_at = a->born_at;
    e.travel.energy = a->energy;
    e.travel.name = str_of(agent_name(a->id, name));
    e.travel.kind = str_of(p->kinds[a->kind].name);
    p->sink(p->sink_ctx, &e);
}

/* Writes its record for its next trip. */
static void put_record(struct str kind, const struct agent *a, struct buf *out)
{
    struct agent next = *a;

    next.trips++;
    buf_put_u32(out, a->id);
    buf_put_str(out, kind);
    fields_save(travel_fields, &next, out);
}

void agent_record(const struct population *p, uint32_t id, struct buf *out)
{
    const struct agent *a = agent_of(p, id);

    put_record(str_of(p->kinds[a->kind].name), a, out);
}

bool agent_record_again(struct str record, struct buf *out, double *ret_energy)
{
    struct cursor from = {.rest = record};
    struct agent a = {.id = cursor_u32(&from)};
    struct str kind = cursor_str(&from);

    fields_load(travel_fields, &a, &from);
    if (from.bad)
        return false;
    put_record(kind, &a, out);
    buf_add_str(out, from.rest);
    *ret_energy = a.energy;
    return true;
}

void population_lost(struct population *p, double had, double has)
{
    account_add(&p->gone_away, has - had);
    account_add(&p->lost, had - has);
}

void agent_leave(struct population *p, int64_t now, uint32_t id, struct buf *out)
{
    struct agent *a = agent_at(p, id);

    put_record(str_of(p->kinds[a->kind].name), a, out);
    a->trips++;
    post_travel(p, a, now, false);
    account_add(&p->gone_away, a->energy);
    p->left++;
    remove_agent(p, a);
}

/* Kinds are words of models: there must not be many, whatever another machine sends. */
static bool kind_may_come(const struct population *p, struct str kind)
{
    for (size_t i = 0; i < kind.len; i++)
        if (kind.ptr[i] < 'a' || kind.ptr[i] > 'z')
            return false;
    return kind.len > 0 && kind.len <= AGENT_KIND && p->nkinds < KINDS_MOST;
}

enum status agent_come(struct population *p, int64_t now, struct cursor *from, uint32_t *ret_agent)
{
    uint32_t id = cursor_u32(from);
    struct str kind = cursor_str(from);
    struct agent read = {0}, *a;

    fields_load(travel_fields, &read, from);
    if (from->bad || id == 0 || id > LIMIT_AGENTS || !kind_may_come(p, kind) ||
        agent_is_alive(p, id))
        return status_fail(ST_INVALID, "the record of an agent from another node is not valid");
    a = insert(p, id);
    read.id = id;
    read.kind = kind_of(p, kind);
    *a = read;
    p->kinds[a->kind].counts.alive++;
    p->came++;
    account_add(&p->come_here, a->energy);
    post_travel(p, a, now, true);
    *ret_agent = id;
    return ST_OK;
}

/* ---- checkpoint ------------------------------------------------------------------- */

/* Version 1 began with the number of agents, 2 had no other machines, 3 had no lost energy. */
#define STATE_VERSION 4
#define STATE_MARK    0x504f5000u

static const struct field population_fields[] = {
    FIELD(URL, struct population, born),
    FIELD_OF_PART(struct population, dead, account_fields),
    FIELD_OF_PART(struct population, cut, account_fields),
    FIELD_OF_PART(struct population, given, account_fields),
    FIELD_OF_PART(struct population, earned, account_fields),
    FIELD_OF_PART(struct population, burnt, account_fields),
    FIELD_END,
};

static const struct field lot_fields[] = {
    FIELD(U32, struct lot, next),
    FIELD(U32, struct lot, left),
    FIELD_END,
};

static const struct field machines_fields[] = {
    FIELD(U32, struct population, left),
    FIELD(U32, struct population, came),
    FIELD(U32, struct population, last),
    FIELD_OF_PART(struct population, lots[0], lot_fields),
    FIELD_OF_PART(struct population, lots[1], lot_fields),
    FIELD_OF_PART(struct population, gone_away, account_fields),
    FIELD_OF_PART(struct population, come_here, account_fields),
    FIELD_END,
};

static const struct field lost_fields[] = {
    FIELD_OF_PART(struct population, lost, account_fields),
    FIELD_END,
};

static const struct field counts_fields[] = {
    FIELD(U32, struct population_counts, alive),
    FIELD(U32, struct population_counts, born),
    FIELD(U32, struct population_counts, died),
    FIELD_END,
};

static const struct field agent_fields[] = {
    FIELD(F64, struct agent, energy),
    FIELD(F64, struct agent, born_energy),
    FIELD(U64, struct agent, born_at),
    FIELD(U32, struct agent, parent),
    FIELD(U32, struct agent, generation),
    FIELD(U32, struct agent, kind),
    FIELD(U32, struct agent, born_page),
    FIELD(U32, struct agent, children),
    FIELD(U32, struct agent, visits),
    FIELD(U32, struct agent, found),
    FIELD(U32, struct agent, page),
    FIELD(U32, struct agent, at),
    FIELD(U32, struct agent, from),
    FIELD(U32, struct agent, npath),
    FIELD_END,
};

static void agent_save(const struct agent *a, struct buf *out)
{
    buf_put_u32(out, a->id);
    fields_save(agent_fields, a, out);
    for (uint32_t i = 0; i < a->npath; i++)
        buf_put_u32(out, a->path[i]);
    buf_put_u32(out, a->trips);
}

/* Returns false if the saved values are impossible, so the state is damaged. */
static bool agent_load(struct population *p, struct cursor *from, bool travels)
{
    uint32_t before = p->alive ? p->ids[p->alive - 1] : 0, id = cursor_u32(from);
    struct agent *a;

    if (from->bad || id <= before || (!travels && id > p->born))
        return false;
    a = insert(p, id);
    fields_load(agent_fields, a, from);
    if (a->npath > AGENT_PATH || a->kind >= p->nkinds) {
        a->npath = 0;
        return false;
    }
    for (uint32_t i = 0; i < a->npath; i++)
        a->path[i] = cursor_u32(from);
    if (travels)
        a->trips = cursor_u32(from);
    return !from->bad;
}

void population_save(const struct population *p, struct buf *out)
{
    buf_put_u32(out, STATE_MARK | STATE_VERSION);
    fields_save(population_fields, p, out);
    fields_save(machines_fields, p, out);
    fields_save(lost_fields, p, out);
    buf_put_u32(out, (uint32_t)p->nkinds);
    for (size_t i = 0; i < p->nkinds; i++) {
        buf_put_str(out, str_of(p->kinds[i].name));
        fields_save(counts_fields, &p->kinds[i].counts, out);
    }
    buf_put_u32(out, (uint32_t)p->alive);
    for (size_t i = 0; i < p->alive; i++)
        agent_save(p->agents[i], out);
}

enum status population_load(struct population *p, struct cursor *from)
{
    uint32_t version = cursor_u32(from) - STATE_MARK, count;
    bool good = true;

    if (version < 2 || version > STATE_VERSION)
        return status_fail(ST_CORRUPT, "the saved population is of another version of brood");
    fields_load(population_fields, p, from);
    p->last = p->born;
    p->lots[0] = (struct lot){p->born + 1, UINT32_MAX - p->born};
    if (version >= 3)
        fields_load(machines_fields, p, from);
    if (version >= 4)
        fields_load(lost_fields, p, from);
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t kind = kind_of(p, cursor_str(from));

        fields_load(counts_fields, &p->kinds[kind].counts, from);
    }
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && good; i++)
        good = agent_load(p, from, version >= 3);
    return good && !from->bad ? ST_OK : status_fail(ST_CORRUPT, "the saved population is damaged");
}
