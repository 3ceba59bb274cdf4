/* balanced.c - agents live on energy that is balanced over all pages, and kept on them.
 *
 * In: a page and its links. Out: where the agent whose turn it is goes next.
 *
 *     N agents with E = 1 on the seeds; then each in turn:
 *       E < 0      goes to a page with energy left on it, at no cost; where there is
 *                  none, to an open URL (the best of some drawn at random: rescue)
 *       else       with probability p_db to a page with energy left on it;
 *                  otherwise it follows a link of its page
 *       a new page is worth f(r, R)                        worth.h
 *       agents > UB:  E -= C, and the page keeps the rest  energy.h: crowd
 *       otherwise     E += what the page is worth, or what was left on it; the page is
 *                     empty then. Nothing there: E -= C
 *       E > 1      it multiplies                           energy.h: reproduction
 *       E < 0      it dies, unless there are fewer than LB
 *
 * buffer=off leaves out everything that needs energy on pages: UB, LB, p_db, teleports.
 * Seeds cost nothing and are worth nothing: agents are put there. A visit that failed
 * costs C. A page that no agent asked for, and a page of an earlier crawl
 * (--base-from), keeps its worth, at least 0, for the next agent.
 *
 * The books of energy are checked by assertions after every step (ledger.h), except
 * with reproduction hal000 and copy001, which create energy.
 *
 * Source: Mouton & Marteau: Population control for multi-agent based topical crawlers
 * (2008), algorithm 2. docs/models/balanced.md lists its errors.
 * SPDX-License-Identifier: MIT */
#include "agent/model.h"
#include "models/energy/balanced.h"

#include "agent/greedy.h"
#include "agent/population.h"
#include "agent/url_notes.h"

#include <math.h>
#include <stdlib.h>

static const struct field debt_fields[] = {{.type = FIELD_F64, .size = sizeof(double)}, FIELD_END};

struct balanced {
    struct roam roam;
    struct worth worth;
    struct url_notes debts; /* crowd=printed: pages of negative energy */
    struct account owed;    /* their sum */
    bool ready;
};

static bool balanced_aim(struct model *m, uint32_t agent, struct roam_visit *ret);
static void balanced_again(struct model *m, const struct roam_visit *v,
                           const struct base_page *page);

static struct balanced *balanced_of(struct model *m)
{
    const struct balanced_options *o = m->options;
    struct population_bounds bounds = {.cap = balanced_cap(o)};
    struct balanced *s = m->state;
    struct worth_config config;

    if (s->ready)
        return s;
    s->ready = true;
    roam_init(&s->roam, &o->roam);
    s->roam.rules.aim = balanced_aim;
    s->roam.rules.visit = balanced_again;
    config = balanced_worth(o);
    worth_init(&s->worth, &config);
    url_notes_init(&s->debts, sizeof(double), debt_fields);
    if (o->buffer) {
        bounds.low = (uint32_t)o->low;
        bounds.high = (uint32_t)o->high;
    }
    population_set_bounds(m->ctx->population, bounds);
    return s;
}

/* ---- energy on pages ----------------------------------------------------- */

/* The energy left on a page: below 0 only if crowd=printed left it so. */
static double page_left(const struct balanced *s, const struct base_page *page)
{
    const double *debt = url_notes_find(&s->debts, page->url);

    return debt ? *debt : page->energy;
}

static void page_keep(struct model *m, struct balanced *s, uint32_t url, double energy)
{
    const double *old = url_notes_find(&s->debts, url);
    double kept;

    if (old) {
        account_add(&s->owed, -*old);
        url_notes_remove(&s->debts, url);
    }
    if (energy < 0) {
        bool is_new;

        *(double *)url_notes_at(&s->debts, url, &is_new) = energy;
        account_add(&s->owed, energy);
        energy = 0;
    }
    kept = page_base_set_energy(s->roam.base, url, energy);
    if (energy - kept != 0) /* no agent would walk there for less */
        population_burnt(m->ctx->population, energy - kept);
}

static double left_on_pages(const struct balanced *s)
{
    return page_base_energy(s->roam.base) + account_total(s->owed);
}

/* ---- life ---------------------------------------------------------------- */

/* After a change of energy: makes clones, lets the agent die, or neither. */
static void balanced_settle(struct model *m, struct balanced *s, uint32_t agent)
{
    const struct balanced_options *o = m->options;
    struct population *p = m->ctx->population;
    double energy = agent_energy(p, agent);
    uint32_t first;

    if (energy > 1) {
        struct litter l = energy_litter((enum reproduction)o->reproduction, energy);

        (void)agent_split(p, m->ctx->now, agent, l.clones, l.each, &first);
    } else if (energy < 0 && !population_is_sparse(p)) {
        agent_died(p, m->ctx->now, agent, "starved");
    }
    if (o->reproduction != REPRODUCE_HAL000 && o->reproduction != REPRODUCE_COPY001)
        population_check(p, left_on_pages(s));
}

/* Charges an agent for nothing in return, on a page or (0) nowhere. */
static void balanced_pay(struct model *m, struct balanced *s, uint32_t agent, uint32_t page,
                         double cost)
{
    struct population *p = m->ctx->population;

    population_burnt(p, cost);
    if (page)
        agent_visited(p, m->ctx->now, agent, page, false, -cost);
    else
        agent_changed(p, m->ctx->now, agent, -cost);
    balanced_settle(m, s, agent);
}

/* Handles a visit of a page that no agent had visited. */
static void balanced_first(struct model *m, struct balanced *s, const struct roam_visit *v,
                           const struct base_page *page)
{
    const struct balanced_options *o = m->options;
    struct population *p = m->ctx->population;
    double worth = worth_page(&s->worth, (double)page->relevance), delta = worth;

    if (v->why == ROAM_FORCED && o->teleport == TELEPORT_FREE && worth < 0)
        worth = delta = 0;
    population_earned(p, worth);
    if (o->buffer && population_is_crowded(p)) {
        struct crowded c = energy_crowded((enum crowd)o->crowd, worth, o->cost);

        delta = -o->cost;
        population_burnt(p, c.burnt);
        page_keep(m, s, page->url, c.kept);
    }
    agent_visited(p, m->ctx->now, v->agent, page->page, true, delta);
    balanced_settle(m, s, v->agent);
}

/* Handles a visit of a page that was visited before. */
static void balanced_again(struct model *m, const struct roam_visit *v,
                           const struct base_page *page)
{
    const struct balanced_options *o = m->options;
    struct population *p = m->ctx->population;
    struct balanced *s = m->state;
    double left = page_left(s, page);
    bool free = v->why == ROAM_FORCED;

    if (!o->buffer && o->revisits == RULE_PRINTED) {
        left = worth_now(&s->worth, (double)page->relevance);
        population_earned(p, left);
    } else if (left == 0 || (o->buffer && population_is_crowded(p))) {
        free = free || (o->revisits == RULE_PRINTED && !population_is_crowded(p));
        balanced_pay(m, s, v->agent, page->page, free ? 0 : o->cost);
        return;
    } else {
        page_keep(m, s, page->url, 0);
    }
    agent_visited(p, m->ctx->now, v->agent, page->page, false, left);
    balanced_settle(m, s, v->agent);
}

/* ---- where to ------------------------------------------------------------ */

/* Aims at a page with energy left on it. */
static bool aim_at_energy(struct model *m, struct balanced *s, struct roam_visit *ret)
{
    ret->why = ROAM_DRAWN;
    return page_base_draw(s->roam.base, &m->ctx->rng, &ret->url);
}

static bool balanced_aim(struct model *m, uint32_t agent, struct roam_visit *ret)
{
    const struct balanced_options *o = m->options;
    struct balanced *s = m->state;
    double energy = agent_energy(m->ctx->population, agent);
    enum roam_found found;

    *ret = (struct roam_visit){.agent = agent};
    if (energy < 0) { /* it stays alive, because there are too few */
        bool any = aim_at_energy(m, s, ret) || roam_anywhere(m, &s->roam, o->rescue, ret);

        ret->why = ROAM_FORCED;
        return any;
    }
    if (o->buffer && o->p_db > 0 && rng_unit(&m->ctx->rng) < o->p_db && aim_at_energy(m, s, ret))
        return true;
    found = roam_pick(m, &s->roam, agent, o->roam.page, ret);
    if (found == ROAM_NONE)
        return aim_at_energy(m, s, ret) || roam_back(m, &s->roam, agent, ret);
    return found == ROAM_FOUND;
}

/* ---- the contract -------------------------------------------------------- */

/* Announces what the bounds amount to: an agent that falls below 0 at LB
 * dies, and at UB one page may feed as many clones as it has energy. Without
 * a buffer this is not enforced. */
static void balanced_announce(const struct model *m)
{
    const struct balanced_options *o = m->options;
    uint32_t low = (uint32_t)o->low;

    population_announce(m->ctx->population, m->ctx->now,
                        (struct population_range){
                            .reach = low,
                            .least = low > 0 ? low - 1 : 0,
                            .most = (uint32_t)((double)o->high + ceil(o->gain + o->cost)),
                            .upper = (uint32_t)o->high,
                        });
}

static void balanced_start(struct model *m, const uint32_t *urls, size_t count)
{
    const struct balanced_options *o = m->options;
    struct population *p = m->ctx->population;
    struct balanced *s = balanced_of(m);
    int64_t founders = roam_founders(m, &s->roam, o->agents, count);

    if (s->roam.nseeds == 0 && count > 0)
        balanced_announce(m);
    roam_start(&s->roam, urls, count);
    for (int64_t i = 0; i < founders; i++) {
        uint32_t agent = agent_born(p, m->ctx->now, 0, "balanced", 0, 1);

        agent_moved(p, agent, urls[(size_t)i % count]);
    }
}

static bool balanced_next(struct model *m, uint32_t host, struct choice *ret)
{
    (void)host;
    return roam_next(m, &balanced_of(m)->roam, ret);
}

/* A page that no agent asked for: it keeps its worth as energy. */
static void balanced_inherit(struct model *m, struct balanced *s, const struct base_page *page)
{
    double worth = fmax(worth_page(&s->worth, (double)page->relevance), 0);
    const struct balanced_options *o = m->options;

    if (!o->buffer)
        return;
    population_stored(m->ctx->population, worth);
    page_keep(m, s, page->url, worth);
}

static void balanced_perceive(struct model *m, struct percept *p)
{
    struct balanced *s = balanced_of(m);
    const struct balanced_options *o = m->options;
    struct base_page page;
    struct roam_visit v;

    if (!roam_arrived(m, &s->roam, p, &v, &page)) {
        if (page.url)
            balanced_inherit(m, s, &page);
    } else if (page.url == 0) {
        balanced_pay(m, s, v.agent, 0, o->cost);
    } else if (v.why == ROAM_PLACED) {
        worth_seed(&s->worth, (double)page.relevance);
        agent_visited(m->ctx->population, m->ctx->now, v.agent, page.page, p->first, 0);
    } else {
        balanced_first(m, s, &v, &page);
    }
}

/* Pages of an earlier crawl get their worth in view of all of them. The energy that the earlier
 * crawl left there is ignored: it had its own topic and rules. */
static void balanced_price(struct model *m, struct balanced *s)
{
    const struct balanced_options *o = m->options;
    uint32_t pages = page_base_count(s->roam.base);

    if (!o->buffer || (double)s->worth.pages < energy_cold_pages(o->cost, o->gain))
        return;
    for (uint32_t i = 0; i < pages; i++) {
        struct base_page page;
        double worth;

        (void)page_base_get(s->roam.base, page_base_nth(s->roam.base, i), &page);
        worth = fmax(worth_now(&s->worth, (double)page.relevance), 0);
        population_stored(m->ctx->population, worth);
        page_keep(m, s, page.url, worth);
    }
    population_check(m->ctx->population, left_on_pages(s));
}

static void balanced_adopt(struct model *m, struct percept *p)
{
    struct balanced *s = balanced_of(m);

    if (p == NULL) {
        balanced_price(m, s);
        return;
    }
    roam_adopt(m, &s->roam, p);
    (void)worth_page(&s->worth, page_similarity(p, s->roam.rules.similarity));
}

static void balanced_failed(struct model *m, const struct choice *c, enum drop why)
{
    const struct balanced_options *o = m->options;
    struct balanced *s = balanced_of(m);
    struct roam_visit v;

    (void)why;
    if (roam_failed(&s->roam, c, &v) && v.why != ROAM_PLACED && v.why != ROAM_FORCED)
        balanced_pay(m, s, v.agent, 0, o->cost);
}

static void balanced_save(const struct model *m, struct buf *out)
{
    const struct balanced *s = m->state;

    fields_save(account_fields, &s->owed, out);
    url_notes_save(&s->debts, out);
    worth_save(&s->worth, out);
    roam_save(&s->roam, out);
    roam_guests_save(&s->roam, out);
}

static enum status balanced_load(struct model *m, struct str state)
{
    struct balanced *s = balanced_of(m);
    struct cursor c = {.rest = state, .most = m->ctx->urls};

    fields_load(account_fields, &s->owed, &c);
    TRY(url_notes_load(&s->debts, &c));
    TRY(worth_load(&s->worth, &c));
    TRY(roam_load(&s->roam, &c));
    return c.rest.len > 0 ? roam_guests_load(&s->roam, &c) : ST_OK;
}

/* ---- several machines ---------------------------------------------------- */

static bool balanced_record(const struct model *m, uint32_t agent, struct buf *out,
                            uint32_t *ret_url)
{
    const struct balanced *s = m->state;

    *ret_url = roam_record(m, &s->roam, agent, out);
    return true;
}

static void balanced_let_go(struct model *m, uint32_t agent)
{
    roam_let_go(&balanced_of(m)->roam, agent);
}

static enum status balanced_unpack(struct model *m, uint32_t agent, uint32_t url, struct str state)
{
    return roam_unpack(m, &balanced_of(m)->roam, agent, url, state);
}

/* There are links but no agents, and the bounds apply to all machines together: an agent is placed
 * there as the founders were. */
static bool balanced_revive(struct model *m, bool (*is_here)(void *ctx, uint32_t url), void *ctx)
{
    struct balanced *s = balanced_of(m);
    uint32_t url = roam_best(&s->roam, is_here, ctx), agent;

    if (url == 0)
        return false;
    agent = agent_born(m->ctx->population, m->ctx->now, 0, "balanced", 0, 1);
    roam_start(&s->roam, &url, 1);
    agent_moved(m->ctx->population, agent, url);
    return true;
}

static void balanced_say(const struct model *m, struct buf *out)
{
    const struct balanced *s = m->state;

    if (s->ready)
        worth_say(&s->worth, out);
}

static void balanced_hear(struct model *m, struct cursor *said)
{
    worth_hear(&balanced_of(m)->worth, said);
}

static double balanced_on_pages(const struct model *m)
{
    const struct balanced *s = m->state;

    return s->ready ? left_on_pages(s) : 0;
}

static void balanced_describe(const struct model *m, struct json *j)
{
    const struct balanced *s = m->state;

    if (!s->ready)
        return;
    roam_describe(&s->roam, j);
    json_put_num(j, "R", s->worth.energy.R);
    json_put_num(j, "lambda", s->worth.energy.lambda);
    json_put_int(j, "rewarded", (int64_t)s->worth.rewarded);
    json_put_num(j, "energy_on_pages", left_on_pages(s));
}

static void balanced_finish(struct model *m)
{
    struct balanced *s = m->state;

    roam_clear(&s->roam);
    if (!s->ready)
        return;
    worth_clear(&s->worth);
    url_notes_clear(&s->debts);
}

const struct model_ops model_balanced = {
    .name = "balanced",
    .summary = "agents live on relevant pages, multiply and die; their number stays between bounds",
    .advice = "To watch a population live on what it finds, multiply and die.",
    .common = "N LB UB C G",
    .source = "Mouton & Marteau: Population control for multi-agent based topical crawlers (2008)",
    .options = balanced_option_table,
    .check = balanced_check,
    .options_size = sizeof(struct balanced_options),
    .state_size = sizeof(struct balanced),
    .start = balanced_start,
    .next = balanced_next,
    .perceive = balanced_perceive,
    .failed = balanced_failed,
    .save = balanced_save,
    .load = balanced_load,
    .describe = balanced_describe,
    .finish = balanced_finish,
    .walks = &(const struct model_walks){.adopt = balanced_adopt, .on_pages = balanced_on_pages},
    .moves = &(const struct model_moves){.record = balanced_record,
                                         .let_go = balanced_let_go,
                                         .unpack = balanced_unpack,
                                         .revive = balanced_revive,
                                         .say = balanced_say,
                                         .hear = balanced_hear},
};
