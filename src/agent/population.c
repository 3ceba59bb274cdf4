/* population.c - who is alive, who was, and whose child; and where energy went.
 *
 * Two parallel arrays of the living in order of birth, which is the order of
 * their numbers: the numbers, dense, so that a binary search stays in the cache;
 * and the records, each allocated by itself, so that they may be lent.
 * SPDX-License-Identifier: MIT */
#include "agent/population.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct kind {
    char *name;
    struct population_counts counts;
};

struct population {
    uint32_t *ids;         /* of the living, ascending */
    struct agent **agents; /* the same ones */
    size_t alive, cap;
    size_t agents_cap;
    uint32_t born;
    struct kind *kinds; /* in order of first birth */
    size_t nkinds, kinds_cap;
    struct population_bounds bounds;
    struct account dead, cut, given, earned, burnt;
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
    };
}

void population_verify(const struct population *p, double on_pages)
{
    struct ledger l = population_ledger(p);

    assert(ledger_error(&l, on_pages) < LEDGER_EPSILON);
    (void)l;
}

/* ---- who ----------------------------------------------------------------- */

/* How many of the living have a number below `id`. */
static size_t rank_of(const struct population *p, uint32_t id)
{
    size_t low = 0, high = p->alive;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (p->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct agent *agent_find(const struct population *p, uint32_t id)
{
    size_t i = rank_of(p, id);

    return i < p->alive && p->ids[i] == id ? p->agents[i] : NULL;
}

/* Of whom the caller knows that it is alive. */
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

uint32_t population_any(const struct population *p, struct rng *r)
{
    return p->alive ? p->ids[rng_below(r, p->alive)] : 0;
}

struct population_counts population_counts(const struct population *p)
{
    uint32_t alive = (uint32_t)p->alive;

    return (struct population_counts){.alive = alive, .born = p->born, .died = p->born - alive};
}

uint32_t population_kinds(const struct population *p)
{
    return (uint32_t)p->nkinds;
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

/* ---- bounds -------------------------------------------------------------- */

void population_set_bounds(struct population *p, struct population_bounds bounds)
{
    p->bounds = bounds;
}

void population_announce(const struct population *p, int64_t now, uint32_t reach, uint32_t least,
                         uint32_t most)
{
    struct event e = {.kind = EVENT_RANGE, .at = now, .range = {reach, least, most}};

    p->sink(p->sink_ctx, &e);
}

bool population_is_sparse(const struct population *p)
{
    return p->alive < p->bounds.low;
}

bool population_is_crowded(const struct population *p)
{
    return p->bounds.high && p->alive > p->bounds.high;
}

uint32_t population_room(const struct population *p)
{
    if (p->bounds.cap == 0)
        return UINT32_MAX;
    return p->alive < p->bounds.cap ? p->bounds.cap - (uint32_t)p->alive : 0;
}

uint32_t population_cap(const struct population *p)
{
    return p->bounds.cap;
}

/* ---- birth and death ----------------------------------------------------- */

/* There are few kinds, and births are rare beside visits. */
/* The number of a kind, new or known. */
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

/* An empty record at the end of the living. */
static struct agent *append(struct population *p, uint32_t id)
{
    struct agent *a = MEM_NEW(struct agent);

    MEM_GROW(p->ids, p->alive, &p->cap);
    MEM_GROW(p->agents, p->alive, &p->agents_cap);
    p->ids[p->alive] = id;
    p->agents[p->alive++] = a;
    a->id = id;
    return a;
}

static struct agent *agent_create(struct population *p, uint32_t kind, int64_t now, uint32_t page,
                                  double energy)
{
    struct agent *a = append(p, ++p->born);

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

/* Sets its energy and tells of it as of a visit: of page 0, nowhere, or of `page`. */
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
    a->page = parent->page; /* it stands there too, and may have children before it moves */
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

    if (ret_first)
        *ret_first = p->born + 1;
    if (clones == 0)
        return 0;
    energy_set(p, a, now, 0, false, share - a->energy, share);
    for (uint32_t i = 0; i < born; i++)
        clone_born(p, now, a, share);
    account_add(&p->cut, share * (clones - born));
    return born;
}

void agent_died(struct population *p, int64_t now, uint32_t id, const char *cause)
{
    struct event e = {.kind = EVENT_DIED, .at = now};
    size_t i = rank_of(p, id), younger;
    struct agent *a;

    if (i == p->alive || p->ids[i] != id)
        return;
    a = p->agents[i];
    e.died.id = id;
    e.died.cause = str_of(cause);
    e.died.energy = a->energy;
    p->sink(p->sink_ctx, &e); /* it can still be looked at */
    younger = --p->alive - i;
    memmove(p->ids + i, p->ids + i + 1, younger * sizeof *p->ids);
    memmove(p->agents + i, p->agents + i + 1, younger * sizeof(struct agent *));
    p->kinds[a->kind].counts.alive--;
    p->kinds[a->kind].counts.died++;
    account_add(&p->dead, a->energy);
    agent_free(p, a);
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

void agent_cut(struct population *p, int64_t now, uint32_t id, double amount)
{
    account_add(&p->cut, amount);
    agent_changed(p, now, id, -amount);
}

void agent_set_traits(struct population *p, uint32_t id, void *traits)
{
    struct agent *a = agent_at(p, id);

    if (p->free_traits && a->traits != traits)
        p->free_traits(a->traits);
    a->traits = traits;
}

/* ---- checkpoint ------------------------------------------------------------------- */

#define STATE_VERSION 2 /* 1 began with the number of agents, and had no books */
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
}

/* False: what was saved cannot be. */
static bool agent_load(struct population *p, struct cursor *from)
{
    uint32_t before = p->alive ? p->ids[p->alive - 1] : 0, id = cursor_u32(from);
    struct agent *a;

    if (from->bad || id <= before || id > p->born)
        return false;
    a = append(p, id);
    fields_load(agent_fields, a, from);
    if (a->npath > AGENT_PATH || a->kind >= p->nkinds) {
        a->npath = 0;
        return false;
    }
    for (uint32_t i = 0; i < a->npath; i++)
        a->path[i] = cursor_u32(from);
    return !from->bad;
}

void population_save(const struct population *p, struct buf *out)
{
    buf_put_u32(out, STATE_MARK | STATE_VERSION);
    fields_save(population_fields, p, out);
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
    bool good = true;
    uint32_t count;

    if (cursor_u32(from) != (STATE_MARK | STATE_VERSION))
        return status_fail(ST_CORRUPT, "the saved population is of another version of brood");
    fields_load(population_fields, p, from);
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t kind = kind_of(p, cursor_str(from));

        fields_load(counts_fields, &p->kinds[kind].counts, from);
    }
    count = cursor_u32(from);
    for (uint32_t i = 0; i < count && good; i++)
        good = agent_load(p, from);
    return good && !from->bad ? ST_OK : status_fail(ST_CORRUPT, "the saved population is damaged");
}
