/* endogenous.c - agents live on the relevance they find; their number is not controlled.
 *
 * In: a page and its links. Out: where the agent whose turn it is goes next.
 *
 *     N agents with E = 1 on the seeds; then each in turn:
 *       D = a link of D                          to a visited page: without a fetch
 *       E = E - C + rho * r(D)
 *       learn from r(D)                          where learn > 0
 *       E > 1: a clone, and both have half;  E < 0: death
 *
 * A page gives energy once: later agents pay C and get nothing. (In the printed form it
 * gives energy to every agent, every time: revisits=printed.) A visit that failed costs
 * C. Seeds cost nothing and are worth nothing: agents are put there.
 *
 * Learning, which the paper leaves open: an agent expects of a link
 * a * r(page that has it) + (1 - a) * r(words around it), and moves its own a by the
 * delta rule; clones inherit it.
 *
 * Source: Menczer, Belew, Willuhn 1995; algorithm 1 of Mouton & Marteau 2008.
 * SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "models/energy/energy.h"
#include "agent/population.h"
#include "models/energy/roam.h"
#include "agent/tell.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct endogenous_options {
    double cost, rho, learn;
    int64_t agents, cap;
    int reproduction, revisits;
    struct roam_options roam;
};

#define AT(field) .offset = offsetof(struct endogenous_options, field)

static const struct option endogenous_option_table[] = {
    {REAL_OPTION("C", cost, "X", "0.2", 0.000001, 1000), .help = "energy that a visit costs",
     .source = "the paper gives none; ours, measured"},
    {REAL_OPTION("rho", rho, "X", "20", 0, 1e6),
     .help = "energy that a page of relevance 1 is worth", .source = "ours, measured"},
    {INT_OPTION("N", agents, "N", "200", 1, 1e6),
     .help = "agents at the beginning, spread over the seeds", .source = "Mouton & Marteau: 200"},
    {INT_OPTION("cap", cap, "N", "10000", 1, 1e7),
     .help = "never more agents than this: a safety net; energy of clones beyond it is cut",
     .source = "ours"},
    {CHOICE_OPTION("reproduction", reproduction, REPRODUCTION_CHOICES, "halve"),
     .help = "how an agent of more than 1 divides itself ('brood models balanced' explains)",
     .source = "Mouton & Marteau: clone agent and share E between clones"},
    {CHOICE_OPTION("revisits", revisits, PRINTED_CHOICES, "repaired"),
     .help = "repaired: a page feeds the first who comes, others pay C; printed: it feeds all",
     .source = "printed: algorithm 1; repaired is ours"},
    {REAL_OPTION("learn", learn, "ETA", "0", 0, 10),
     .help = "how fast an agent learns whether to trust pages or the words around links (0: not)",
     .source = "optional in the paper, which names no technique; ours: the delta rule"},
    ROAM_OPTIONS(roam),
    {.name = NULL},
};

static enum status endogenous_check(const void *options)
{
    const struct endogenous_options *o = options;

    if (o->agents <= o->cap)
        return ST_OK;
    return status_fail(ST_USAGE,
                       "N=%lld agents are more than cap=%lld allows: raise cap, or lower N",
                       (long long)o->agents, (long long)o->cap);
}

struct endogenous {
    struct roam roam;
};

/* What an agent learns, and its clones inherit. */
struct page_learner {
    double page; /* a */
};

static bool endogenous_aim(struct model *m, uint32_t agent, struct roam_visit *ret);
static void endogenous_again(struct model *m, const struct roam_visit *v,
                             const struct base_page *page);

static struct endogenous *endogenous_of(struct model *m)
{
    const struct endogenous_options *o = m->options;
    struct endogenous *s = m->state;

    if (s->roam.base)
        return s;
    roam_init(&s->roam, &o->roam);
    s->roam.rules.aim = endogenous_aim;
    s->roam.rules.visit = endogenous_again;
    population_set_bounds(m->ctx->population, (struct population_bounds){.cap = (uint32_t)o->cap});
    population_set_free(m->ctx->population, free);
    return s;
}

/* ---- learning ------------------------------------------------------------ */

static void learner_give(struct model *m, uint32_t agent, double page)
{
    struct page_learner *l = MEM_NEW(struct page_learner);

    l->page = page;
    agent_set_traits(m->ctx->population, agent, l);
}

static double learner_page(const struct model *m, uint32_t agent)
{
    const struct endogenous_options *o = m->options;
    const struct page_learner *l = agent_of(m->ctx->population, agent)->traits;

    return l ? l->page : o->roam.page;
}

/* expected = a * page + (1 - a) * context; the error's slope in a is page - context. */
static void learner_learn(struct model *m, const struct roam_visit *v, double r)
{
    const struct endogenous_options *o = m->options;
    struct page_learner *l = agent_of(m->ctx->population, v->agent)->traits;
    double page = (double)v->relevance, context = (double)v->context;

    if (l == NULL || v->why != ROAM_LINK)
        return;
    l->page += o->learn * (r - l->page * page - (1 - l->page) * context) * (page - context);
    l->page = fmin(fmax(l->page, 0), 1);
}

/* ---- life ---------------------------------------------------------------- */

/* After a change of energy: makes clones, lets the agent die, or neither. */
static void endogenous_settle(struct model *m, uint32_t agent)
{
    const struct endogenous_options *o = m->options;
    struct population *p = m->ctx->population;
    double energy = agent_energy(p, agent);
    uint32_t first, born;
    struct litter l;

    if (energy > 1) {
        l = energy_litter((enum reproduction)o->reproduction, energy);
        born = agent_split(p, m->ctx->now, agent, l.clones, l.each, &first);
        for (uint32_t i = 0; o->learn > 0 && i < born; i++)
            learner_give(m, first + i, learner_page(m, agent));
    } else if (energy < 0) {
        agent_died(p, m->ctx->now, agent, "starved");
    }
    if (o->reproduction != REPRODUCE_HAL000 && o->reproduction != REPRODUCE_COPY001)
        population_check(p, 0);
}

static void endogenous_pay(struct model *m, uint32_t agent, uint32_t page)
{
    const struct endogenous_options *o = m->options;
    struct population *p = m->ctx->population;

    population_burnt(p, o->cost);
    if (page)
        agent_visited(p, m->ctx->now, agent, page, false, -o->cost);
    else
        agent_changed(p, m->ctx->now, agent, -o->cost);
    endogenous_settle(m, agent);
}

static void endogenous_eat(struct model *m, const struct roam_visit *v,
                           const struct base_page *page, bool first)
{
    const struct endogenous_options *o = m->options;
    struct population *p = m->ctx->population;
    double worth = o->rho * (double)page->relevance - o->cost;

    population_earned(p, worth);
    agent_visited(p, m->ctx->now, v->agent, page->page, first, worth);
    endogenous_settle(m, v->agent);
}

static void endogenous_again(struct model *m, const struct roam_visit *v,
                             const struct base_page *page)
{
    const struct endogenous_options *o = m->options;

    learner_learn(m, v, (double)page->relevance);
    if (o->revisits == RULE_PRINTED)
        endogenous_eat(m, v, page, false);
    else
        endogenous_pay(m, v->agent, page->page);
}

static bool endogenous_aim(struct model *m, uint32_t agent, struct roam_visit *ret)
{
    struct endogenous *s = m->state;
    enum roam_found found = roam_pick(m, &s->roam, agent, learner_page(m, agent), ret);

    if (found == ROAM_NONE)
        return roam_back(m, &s->roam, agent, ret);
    return found == ROAM_FOUND;
}

/* ---- the contract -------------------------------------------------------- */

static void endogenous_start(struct model *m, const uint32_t *urls, size_t count)
{
    const struct endogenous_options *o = m->options;
    struct population *p = m->ctx->population;
    struct endogenous *s = endogenous_of(m);
    int64_t founders = roam_founders(m, &s->roam, o->agents, count);

    roam_start(&s->roam, urls, count);
    for (int64_t i = 0; i < founders; i++) {
        uint32_t agent = agent_born(p, m->ctx->now, 0, "endogenous", 0, 1);

        agent_moved(p, agent, urls[(size_t)i % count]);
        if (o->learn > 0)
            learner_give(m, agent, o->roam.page);
    }
}

static bool endogenous_next(struct model *m, uint32_t host, struct choice *ret)
{
    (void)host;
    return roam_next(m, &endogenous_of(m)->roam, ret);
}

static void endogenous_perceive(struct model *m, struct percept *p)
{
    struct endogenous *s = endogenous_of(m);
    struct base_page page;
    struct roam_visit v;

    if (!roam_arrived(m, &s->roam, p, &v, &page))
        return;
    if (page.url == 0) {
        endogenous_pay(m, v.agent, 0);
    } else if (v.why == ROAM_PLACED) {
        agent_visited(m->ctx->population, m->ctx->now, v.agent, page.page, p->first, 0);
    } else {
        learner_learn(m, &v, (double)page.relevance);
        endogenous_eat(m, &v, &page, p->first);
    }
}

/* A place to walk on, without energy: the earlier crawl used it up. */
static void endogenous_adopt(struct model *m, struct percept *p)
{
    if (p)
        roam_adopt(m, &endogenous_of(m)->roam, p);
}

static void endogenous_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct endogenous *s = endogenous_of(m);
    struct roam_visit v;

    (void)why;
    if (roam_failed(&s->roam, c, &v) && v.why != ROAM_PLACED)
        endogenous_pay(m, v.agent, 0);
}

static void endogenous_save(const struct model *m, struct buf *out)
{
    const struct endogenous_options *o = m->options;
    const struct endogenous *s = m->state;
    const struct population *p = m->ctx->population;

    roam_save(&s->roam, out);
    for (uint32_t id = population_after(p, 0); o->learn > 0 && id; id = population_after(p, id))
        buf_put_f64(out, learner_page(m, id));
    roam_guests_save(&s->roam, out);
}

static enum status endogenous_load(struct model *m, struct str state)
{
    const struct endogenous_options *o = m->options;
    struct endogenous *s = endogenous_of(m);
    const struct population *p = m->ctx->population;
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    enum status st = roam_load(&s->roam, &c);

    for (uint32_t id = population_after(p, 0); o->learn > 0 && id; id = population_after(p, id))
        learner_give(m, id, cursor_f64(&c));
    if (st == ST_OK && c.bad)
        return status_fail(ST_CORRUPT, "the saved agents are cut");
    return st == ST_OK && c.rest.len > 0 ? roam_guests_load(&s->roam, &c) : st;
}

/* ---- several machines ---------------------------------------------------- */

static bool endogenous_record(const struct model *m, uint32_t agent, struct buf *out,
                              uint32_t *ret_url)
{
    const struct endogenous *s = m->state;

    buf_put_f64(out, learner_page(m, agent));
    *ret_url = roam_record(m, &s->roam, agent, out);
    return true;
}

static void endogenous_let_go(struct model *m, uint32_t agent)
{
    roam_let_go(&endogenous_of(m)->roam, agent);
}

static enum status endogenous_unpack(struct model *m, uint32_t agent, uint32_t url,
                                     struct str state)
{
    const struct endogenous_options *o = m->options;
    struct cursor from = {.rest = state};
    double page = cursor_f64(&from);

    if (from.bad || !(page >= 0 && page <= 1))
        return status_fail(ST_INVALID, "the trust of an agent from another node is damaged");
    TRY(roam_unpack(m, &endogenous_of(m)->roam, agent, url, from.rest));
    if (o->learn > 0)
        learner_give(m, agent, page);
    return ST_OK;
}

static void endogenous_describe(const struct model *m, struct json *j)
{
    const struct endogenous *s = m->state;

    if (s->roam.base)
        roam_describe(&s->roam, j);
}

/* If agents learn, they differ in their weights; otherwise only in energy and place. */
static void endogenous_tell(const struct model *m, uint32_t agent, struct json *j)
{
    const struct agent *a = agent_of(m->ctx->population, agent);
    const struct page_learner *l = a ? a->traits : NULL;

    if (l == NULL)
        return;
    json_open_array(j, "facts");
    tell_number(j, "page",
                "its trust in the page that has a link (the words around it: the rest to 1)",
                l->page);
    json_close(j);
}

static void endogenous_finish(struct model *m)
{
    roam_clear(&((struct endogenous *)m->state)->roam);
}

const struct model_ops model_endogenous = {
    .name = "endogenous",
    .summary = "agents live on the relevance they find, multiply and die",
    .advice = "For study: a population whose size has no bounds.",
    .common = "N rho C cap learn",
    .source = "Menczer, Belew, Willuhn: Artificial life applied to adaptive information agents "
              "(1995); algorithm 1 of Mouton & Marteau (2008)",
    .options = endogenous_option_table,
    .check = endogenous_check,
    .options_size = sizeof(struct endogenous_options),
    .state_size = sizeof(struct endogenous),
    .start = endogenous_start,
    .next = endogenous_next,
    .perceive = endogenous_perceive,
    .failed = endogenous_failed,
    .save = endogenous_save,
    .load = endogenous_load,
    .describe = endogenous_describe,
    .finish = endogenous_finish,
    .walks = &(const struct model_walks){.adopt = endogenous_adopt},
    .moves = &(const struct model_moves){.record = endogenous_record,
                                         .let_go = endogenous_let_go,
                                         .unpack = endogenous_unpack},
    .tells = &(const struct model_tells){.tell = endogenous_tell},
};
