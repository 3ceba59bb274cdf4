/* population.c - who is alive, who was, and whose child.
 *
 * One record of 24 bytes an agent, dead ones included: their number stays
 * theirs, and the genealogy is in the database. SPDX-License-Identifier: MIT */
#include "agent/population.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

struct agent {
    double energy;
    uint32_t parent;
    uint32_t pages; /* visits so far */
    bool alive;
};

struct population {
    struct agent *agents; /* agents[i] has the number i + 1 */
    size_t count, cap;
    uint32_t alive;
    population_sink_fn *sink;
    void *sink_ctx;
};

struct population *population_new(population_sink_fn *sink, void *sink_ctx)
{
    struct population *p = MEM_NEW(struct population);

    p->sink = sink;
    p->sink_ctx = sink_ctx;
    return p;
}

void population_free(struct population *p)
{
    if (p == NULL)
        return;
    free(p->agents);
    free(p);
}

static struct agent *agent_of(const struct population *p, uint32_t id)
{
    assert(id >= 1 && id <= p->count);
    return &p->agents[id - 1];
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

uint32_t agent_born(struct population *p, int64_t now, uint32_t parent, const char *kind,
                    uint32_t page, double energy)
{
    struct event e = {.kind = EVENT_BORN, .at = now};
    char name[AGENT_NAME];
    uint32_t id;

    MEM_GROW(p->agents, p->count, &p->cap);
    p->agents[p->count++] = (struct agent){.energy = energy, .parent = parent, .alive = true};
    p->alive++;
    id = (uint32_t)p->count;
    e.born.id = id;
    e.born.parent = parent;
    e.born.name = str_of(agent_name(id, name));
    e.born.kind = str_of(kind);
    e.born.page = page;
    e.born.energy = energy;
    p->sink(p->sink_ctx, &e);
    return id;
}

void agent_died(struct population *p, int64_t now, uint32_t id, const char *cause)
{
    struct event e = {.kind = EVENT_DIED, .at = now};
    struct agent *a = agent_of(p, id);

    if (!a->alive)
        return;
    a->alive = false;
    p->alive--;
    e.died.id = id;
    e.died.cause = str_of(cause);
    e.died.energy = a->energy;
    p->sink(p->sink_ctx, &e);
}

void agent_visited(struct population *p, int64_t now, uint32_t id, uint32_t page, bool first,
                   double delta)
{
    struct event e = {.kind = EVENT_VISIT, .at = now};
    struct agent *a = agent_of(p, id);

    e.visit.agent = id;
    e.visit.page = page;
    e.visit.first = first;
    e.visit.before = a->energy;
    e.visit.delta = delta;
    a->energy += delta;
    a->pages++;
    e.visit.after = a->energy;
    p->sink(p->sink_ctx, &e);
}

bool agent_is_alive(const struct population *p, uint32_t id)
{
    return id >= 1 && id <= p->count && agent_of(p, id)->alive;
}

double agent_energy(const struct population *p, uint32_t id)
{
    return agent_of(p, id)->energy;
}

struct population_counts population_counts(const struct population *p)
{
    uint32_t born = (uint32_t)p->count;

    return (struct population_counts){.alive = p->alive, .born = born, .died = born - p->alive};
}

void population_save(const struct population *p, struct buf *out)
{
    buf_put_u32(out, (uint32_t)p->count);
    for (size_t i = 0; i < p->count; i++) {
        buf_put_f64(out, p->agents[i].energy);
        buf_put_u32(out, p->agents[i].parent);
        buf_put_u32(out, p->agents[i].pages);
        buf_put_u8(out, p->agents[i].alive);
    }
}

enum status population_load(struct population *p, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        MEM_GROW(p->agents, p->count, &p->cap);
        p->agents[p->count] = (struct agent){.energy = cursor_f64(from),
                                             .parent = cursor_u32(from),
                                             .pages = cursor_u32(from),
                                             .alive = cursor_u8(from) != 0};
        p->alive += p->agents[p->count++].alive;
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved population is cut") : ST_OK;
}
