/* life.c - documents sent and answered; multiplication and deletion.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/foragers_int.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- birth ----------------------------------------------------------------------- */

/* The kind as which it was born; a loaded population may name an unknown kind. */
static enum forager_kind kind_of(const struct population *p, uint32_t agent)
{
    const struct agent *a = agent_of(p, agent);
    enum forager_kind kind = a ? fleet_find(str_of(population_kind(p, a->kind, NULL))) : KINDS;

    return kind == KINDS ? KIND_WLRL : kind;
}

struct forager *forager_new(struct model *m, uint32_t agent)
{
    struct forager *f = MEM_NEW(struct forager);

    f->id = agent;
    f->kind = kind_of(m->ctx->population, agent);
    f->rng = rng_fork(&m->ctx->rng, agent);
    weblog_init(&f->weblog, (size_t)options_of(m)->weblog);
    td_init(&f->td, foragers_of(m)->k);
    forage_path_init(&f->path);
    forage_path_init(&f->past);
    return f;
}

/* Its pages are released before, while they still exist. */
void forager_free(void *forager)
{
    struct forager *f = forager;

    if (f == NULL)
        return;
    weblog_clear(&f->weblog);
    td_clear(&f->td);
    url_set_clear(&f->marked);
    forage_path_clear(&f->path, NULL);
    forage_path_clear(&f->past, NULL);
    free(f->looks);
    free(f);
}

static void found_one(struct model *m, enum forager_kind kind)
{
    struct foragers *st = foragers_of(m);
    struct population *p = m->ctx->population;
    uint32_t agent =
        agent_born(p, m->ctx->now, 0, fleet_kind(kind), 0, (double)st->rules.init * SCORE_UNIT);
    struct forager *f = forager_new(m, agent);

    f->score = st->rules.init;
    weblog_copy(&st->seeds, &f->weblog);
    td_draw(&f->td, (enum td_weights)options_of(m)->weights, &f->rng);
    agent_set_traits(p, agent, f);
}

void foragers_found(struct model *m)
{
    const struct fleet *fleet = &foragers_of(m)->fleet;

    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < fleet->least[kind]; i++)
            found_one(m, (enum forager_kind)kind);
}

/* ---- documents ------------------------------------------------------------------- */

static void answer(struct model *m, struct forager *f, const struct late_answer *a);

/* The answer takes as long as the lag; if too many are under way, the oldest is given at once. */
static void answer_later(struct model *m, const struct late_answer *a)
{
    struct foragers *st = foragers_of(m);
    struct forager *f;

    if (st->nlate == LATE_MAX) {
        f = forager_find(m, st->late[0].agent);
        if (f)
            answer(m, f, &st->late[0]);
        st->nlate--;
        memmove(st->late, st->late + 1, st->nlate * sizeof *st->late);
    }
    MEM_GROW(st->late, st->nlate, &st->late_cap);
    st->late[st->nlate++] = *a;
}

/* Algorithm 5, then 7. */
int64_t forager_send(struct model *m, struct forager *f, const struct document *d)
{
    const struct foragers_options *o = options_of(m);
    struct foragers *st = foragers_of(m);
    struct late_answer a = {.agent = f->id, .path = f->path.id, .step = (uint32_t)f->path.nsteps};
    struct judgement j;

    if (d->id == 0 || a.step == 0 || !document_is_recent(d, st->rules.max_age, m->ctx->now) ||
        (o->send == SEND_RELEVANT && d->relevance < st->rules.relevant) ||
        !url_set_add(&f->marked, d->id))
        return 0;
    j = reinforcer_judge(&st->agent, &st->rules, d, m->ctx->now);
    f->sent++;
    f->relevant += j.relevant;
    agent_sent(m->ctx->population, m->ctx->now, f->id, f->to, d->id, j.relevant);
    a.profit = j.profit;
    a.reward = j.relevant ? j.profit : 0;
    a.due = m->ctx->now + o->lag;
    if (o->lag > 0)
        answer_later(m, &a);
    else
        answer(m, f, &a);
    return j.units;
}

void forager_book(struct model *m, struct forager *f, int64_t units, uint32_t page, bool first)
{
    struct population *p = m->ctx->population;
    double delta;

    f->score = reinforcer_bound(&foragers_of(m)->rules, f->score + units);
    delta = (double)f->score * SCORE_UNIT - agent_energy(p, f->id);
    if (page)
        agent_visited(p, m->ctx->now, f->id, page, first, delta);
    else if (units)
        agent_changed(p, m->ctx->now, f->id, delta);
    else
        return;
    if (delta > 0)
        population_earned(p, delta);
    else
        population_burnt(p, -delta);
    population_check(p, 0);
}

/* ---- answers --------------------------------------------------------------------- */

void forager_says_diverged(struct model *m, struct forager *f)
{
    struct foragers *st = foragers_of(m);
    char text[80];

    (void)snprintf(text, sizeof text, "values diverged after %llu steps; the weights stay",
                   (unsigned long long)f->td.steps);
    if (st->diverged++ == 0) {
        st->diverged_after = f->td.steps;
        m->ctx->talk->say(m->ctx->engine, text);
    }
    m->ctx->talk->send(m->ctx->engine, &(struct message){.sender = f->id,
                                                         .receiver = f->id,
                                                         .performative = STR("failure"),
                                                         .content = str_of(text)});
}

static void learn_late(struct model *m, struct forager *f, const struct forage_path *path,
                       const struct late_answer *a)
{
    struct foragers *st = foragers_of(m);

    if (has_learning(f) && a->step > 1 &&
        !td_late(&f->td, &st->td, forage_path_state(path, &st->pages, a->step - 2), a->profit))
        forager_says_diverged(m, f);
}

/* The path is over: its URLs are worth more, or less, than the weblog says. */
static void weblog_hears(struct model *m, struct forager *f, const struct late_answer *a)
{
    const struct foragers_options *o = options_of(m);
    double gain = o->gain == GAIN_NET ? a->profit : a->reward;
    struct weblog_step *steps;

    if (!has_weblog(f))
        return;
    steps = mem_zero(a->step, sizeof *steps);
    for (uint32_t i = 0; i < a->step; i++) {
        steps[i].url = f->past.steps[i].url;
        steps[i].revisited = f->past.steps[i].revisited;
    }
    weblog_late(&f->weblog, steps, a->step, gain, o->beta);
    free(steps);
}

static void answer(struct model *m, struct forager *f, const struct late_answer *a)
{
    struct forage_path *path = a->path == f->path.id ? &f->path : &f->past;
    struct forage_step *step;

    if (a->path != path->id || a->step > path->nsteps) {
        foragers_of(m)->lost++;
        return;
    }
    step = &path->steps[a->step - 1];
    step->profit += a->profit;
    step->rewards += a->reward;
    if (step->learned)
        learn_late(m, f, path, a);
    if (path == &f->past)
        weblog_hears(m, f, a);
}

void foragers_answer_late(struct model *m)
{
    struct foragers *st = foragers_of(m);
    size_t n = 0;

    for (; n < st->nlate && st->late[n].due <= m->ctx->now; n++) {
        struct forager *f = forager_find(m, st->late[n].agent);

        if (f)
            answer(m, f, &st->late[n]);
    }
    if (n == 0)
        return;
    st->nlate -= n;
    memmove(st->late, st->late + n, st->nlate * sizeof *st->late);
}

/* ---- multiplication and deletion ------------------------------------------------- */

/* Algorithm 6. What the parent had beyond two new scores is lost, and what it lacked is added. */
static void multiply(struct model *m, struct forager *f)
{
    struct foragers *st = foragers_of(m);
    struct population *p = m->ctx->population;
    double share = (double)st->rules.init * SCORE_UNIT;
    struct forager *child;
    uint32_t id;

    forager_book(m, f, 2 * st->rules.init - f->score, 0, false);
    if (agent_split(p, m->ctx->now, f->id, 1, share, &id) == 0)
        return;
    child = forager_new(m, id);
    f->score = child->score = st->rules.init;
    if (has_weblog(f))
        weblog_split(&f->weblog, &child->weblog, &f->rng);
    else
        weblog_copy(&f->weblog, &child->weblog);
    if (has_learning(f))
        td_copy(&f->td, &child->td);
    else
        td_draw(&child->td, (enum td_weights)options_of(m)->weights, &child->rng);
    agent_set_traits(p, id, child);
    population_check(p, 0);
}

/* In a mixed fleet each kind has its own bounds. */
static enum forager_fate fate_of(const struct model *m, const struct forager *f)
{
    const struct foragers *st = foragers_of(m);
    const struct population *p = m->ctx->population;
    struct reinforcer_config rules = st->rules;
    struct population_counts counts = population_counts(p);

    if (st->fleet.most[f->kind] < st->fleet.all_most) {
        rules.least = st->fleet.least[f->kind];
        rules.most = st->fleet.most[f->kind];
        (void)population_kind(p, agent_of(p, f->id)->kind, &counts);
    }
    return reinforcer_manage(&rules, f->score, counts.alive);
}

bool forager_manage(struct model *m, struct forager *f)
{
    struct foragers *st = foragers_of(m);
    struct population *p = m->ctx->population;

    switch (fate_of(m, f)) {
    case FATE_MULTIPLIES:
        multiply(m, f);
        return true;
    case FATE_DIES:
        forage_path_begin(&f->path, &st->pages);
        forage_path_begin(&f->past, &st->pages);
        agent_died(p, m->ctx->now, f->id, "score");
        return false;
    default:
        return true;
    }
}
