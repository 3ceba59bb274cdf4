/* policies.c - the agents of the model brood: ways to choose among the same links.
 * SPDX-License-Identifier: MIT */
#include "models/brood/policies.h"

#include "agent/population.h"
#include "agent/tell.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define BIRTH_ENERGY 1.0
#define DIVIDE_ABOVE 2.0
#define LEAST_CHANCE 0.05
#define FORGET       0.98
#define LEAVES       0.5 /* the share of children that leave for another machine */

void policies_init(struct model *m, struct policies *p, uint32_t size, double spread)
{
    bool is_alone = m->ctx->machines == 0;

    *p = (struct policies){.size = size, .spread = spread};
    population_set_free(m->ctx->population, free);
    population_set_bounds(
        m->ctx->population,
        (struct population_bounds){.low = size, .high = size, .cap = is_alone ? size + 1 : 0});
}

void policies_clear(struct policies *p)
{
    free(p->abroad);
    free(p->ticket);
}

/* How many agents this machine keeps in any case. */
static uint32_t share(const struct model *m, const struct policies *p)
{
    uint32_t ret = m->ctx->machines > 1 ? p->size / m->ctx->machines : p->size;

    return ret > 1 ? ret : 1;
}

static const struct policy *policy_of(const struct model *m, uint32_t agent)
{
    const struct agent *a = agent_of(m->ctx->population, agent);

    return a ? a->traits : NULL;
}

/* Gives the agent the traits of `parent`, with small random changes. */
static void inherit(struct model *m, const struct policies *p, uint32_t agent,
                    const struct policy *parent)
{
    struct policy *own = MEM_NEW(struct policy);

    for (int i = 0; i < FEATURES; i++)
        own->delta[i] =
            (parent ? parent->delta[i] : 0) + (float)(p->spread * rng_normal(&m->ctx->rng));
    agent_set_traits(m->ctx->population, agent, own);
}

/* The first founder has delta 0. */
static void founders_born(struct model *m, const struct policies *p, uint32_t count)
{
    struct population *all = m->ctx->population;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t agent = agent_born(all, m->ctx->now, 0, "policy", 0, BIRTH_ENERGY);

        if (i == 0)
            agent_set_traits(all, agent, MEM_NEW(struct policy));
        else
            inherit(m, p, agent, NULL);
    }
}

void policies_begin(struct model *m, struct policies *p)
{
    struct population *all = m->ctx->population;

    if (p->has_begun)
        return;
    p->has_begun = true;
    founders_born(m, p, share(m, p));
    population_announce(all, m->ctx->now,
                        (struct population_range){p->size, p->size, p->size, p->size});
}

/* ---- choosing ---- */

static double chance(const struct agent *a)
{
    return a->energy > LEAST_CHANCE ? a->energy : LEAST_CHANCE;
}

uint32_t policies_draw(struct model *m, const struct policies *p)
{
    const struct population *all = m->ctx->population;
    uint32_t alive = population_counts(all).alive;
    double sum = 0, at;

    if (alive == 0 && p->has_begun && population_numbers(all) > 0)
        founders_born(m, p, 1);
    alive = population_counts(all).alive;
    if (p->size == 1)
        return population_after(all, 0);
    for (uint32_t i = 0; i < alive; i++)
        sum += chance(population_nth(all, i));
    at = sum * rng_unit(&m->ctx->rng);
    for (uint32_t i = 0; i < alive; i++) {
        at -= chance(population_nth(all, i));
        if (at < 0 || i + 1 == alive)
            return population_nth(all, i)->id;
    }
    return 0;
}

double policy_likes(const struct model *m, uint32_t agent, const double w[FEATURES],
                    const float x[FEATURES])
{
    const struct policy *own = policy_of(m, agent);
    double square = 0, sum = 0;

    for (int i = 0; i < FEATURES; i++) {
        square += w[i] * w[i];
        sum += own ? (double)own->delta[i] * (double)x[i] : 0;
    }
    return sum + weighted_sum(w, x) / sqrt(square);
}

/* ---- life ---- */

/* Returns the agent with the most energy, or the least; among equal ones the oldest. */
static uint32_t extreme(const struct population *all, bool richest)
{
    uint32_t ret = 0;
    double best = 0;

    for (uint32_t id = population_after(all, 0); id; id = population_after(all, id)) {
        double energy = agent_energy(all, id) * (richest ? 1 : -1);

        if (ret == 0 || energy > best) {
            ret = id;
            best = energy;
        }
    }
    return ret;
}

/* Where there are too many agents, the poorest ones die, but not below this machine's share. An
 * agent that is to leave is not counted. */
static void make_room(struct model *m, const struct policies *p)
{
    struct population *all = m->ctx->population;

    while (population_is_crowded(all) &&
           population_counts(all).alive > share(m, p) + agent_is_alive(all, p->leaver))
        agent_died(all, m->ctx->now, extreme(all, false), "crowded out");
}

static void divide(struct model *m, struct policies *p, uint32_t agent)
{
    struct population *all = m->ctx->population;
    uint32_t child;

    if (m->ctx->machines > 0 && population_room(all) == 0)
        return; /* no number is left for a child until others come */
    if (agent_split(all, m->ctx->now, agent, 1, agent_energy(all, agent) / 2, &child) == 1) {
        inherit(m, p, child, policy_of(m, agent));
        if (p->abroad && !agent_is_alive(all, p->leaver) && rng_unit(&m->ctx->rng) < LEAVES)
            p->leaver = child;
    }
    make_room(m, p);
}

void policies_paid(struct model *m, struct policies *p, uint32_t agent, const struct percept *page,
                   double label)
{
    struct population *all = m->ctx->population;
    double gain = label - p->mean;

    p->mean = FORGET * p->mean + (1 - FORGET) * label;
    if (!agent_is_alive(all, agent))
        return;
    if (m->ctx->machines > 0) /* in a will, its place says which machine inherits it */
        agent_moved(all, agent, page->choice.url);
    population_earned(all, gain);
    agent_visited(all, m->ctx->now, agent, page->page, page->first, gain);
    if (agent_energy(all, agent) > DIVIDE_ABOVE) {
        divide(m, p, agent);
    } else if (agent_energy(all, agent) < 0 && population_counts(all).alive > 1) {
        agent_died(all, m->ctx->now, agent, "starved");
        divide(m, p, extreme(all, true));
    }
    population_check(all, 0);
}

/* ---- several machines ---- */

void policies_met(struct policies *p, struct str url, double worth, uint16_t depth)
{
    if (p->abroad && worth <= p->abroad_worth)
        return;
    free(p->abroad);
    p->abroad = str_dup(url);
    p->abroad_worth = worth;
    p->abroad_depth = depth;
}

uint32_t policies_settle(struct model *m, struct policies *p, struct str *ret_url,
                         uint16_t *ret_depth)
{
    uint32_t agent = p->leaver;

    p->leaver = 0;
    if (!agent_is_alive(m->ctx->population, agent))
        return 0;
    free(p->ticket);
    p->ticket = p->abroad;
    p->abroad = NULL;
    *ret_url = str_of(p->ticket);
    *ret_depth = p->abroad_depth;
    return agent;
}

bool policy_record(const struct model *m, uint32_t agent, struct buf *out, uint32_t *ret_url)
{
    const struct agent *a = agent_of(m->ctx->population, agent);
    const struct policy *own = a->traits;

    *ret_url = a->at;
    for (int i = 0; i < FEATURES; i++)
        buf_put_f32(out, own->delta[i]);
    return !out->full;
}

enum status policy_unpack(struct model *m, const struct policies *p, uint32_t agent, uint32_t url,
                          struct str state)
{
    struct cursor from = {.rest = state};
    struct policy *own = MEM_NEW(struct policy);

    for (int i = 0; i < FEATURES; i++) {
        own->delta[i] = cursor_f32(&from);
        from.bad |= !isfinite(own->delta[i]);
    }
    if (from.bad || from.rest.len > 0) {
        free(own);
        return status_fail(ST_INVALID, "the weights of an agent from another node are damaged");
    }
    agent_set_traits(m->ctx->population, agent, own);
    if (url)
        agent_moved(m->ctx->population, agent, url);
    make_room(m, p);
    return ST_OK;
}

void policy_tell(const struct model *m, uint32_t agent, struct json *j)
{
    const struct policy *own = policy_of(m, agent);

    if (own == NULL)
        return;
    json_put_str(j, "weights", STR("how much more than the others it follows"));
    json_open_array(j, "keywords");
    for (int i = 0; i < FEATURES; i++)
        tell_word(j, str_of(feature_names[i]), (double)own->delta[i]);
    json_close(j);
}

/* ---- checkpoint ---- */

void policies_save(const struct model *m, const struct policies *p, struct buf *out)
{
    const struct population *all = m->ctx->population;

    buf_put_f64(out, p->mean);
    buf_put_u8(out, p->has_begun);
    for (uint32_t id = population_after(all, 0); id; id = population_after(all, id))
        for (int i = 0; i < FEATURES; i++)
            buf_put_f32(out, policy_of(m, id)->delta[i]);
}

enum status policies_load(struct model *m, struct policies *p, struct cursor *from, bool is_old)
{
    struct population *all = m->ctx->population;

    p->mean = cursor_f64(from);
    p->has_begun = cursor_u8(from) != 0;
    from->bad |= !isfinite(p->mean);
    for (uint32_t id = population_after(all, 0); id; id = population_after(all, id)) {
        struct policy *own = MEM_NEW(struct policy);

        for (int i = 0; i < (is_old ? FEATURES_0_2 : FEATURES); i++) {
            own->delta[i] = cursor_f32(from);
            from->bad |= !isfinite(own->delta[i]);
        }
        agent_set_traits(all, id, own);
    }
    return from->bad ? status_fail(ST_CORRUPT, "the saved policies are cut or broken") : ST_OK;
}
