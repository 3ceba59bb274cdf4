/* foragers.c - a fleet that watches a changing web for new documents.
 *
 * In: a page a forager looked at. Out: the page it looks at next. A forager goes along paths:
 * it starts at a URL of its weblog, looks at the page and at every page linked from it, sends
 * what may be new to the reinforcing agent, and goes on at the most promising page of all it
 * has seen on this path. Only the first to send a document is rewarded, so foragers spread out
 * without communicating. Good ones multiply, useless ones are deleted.
 *
 *     kind=wl     learns where to start (weblog); its weights are drawn once
 *     kind=rl     learns what to follow (TD); it always starts at the same URLs
 *     kind=wlrl   both
 *     wlrl:8,wl:8 a mixed fleet
 *
 * A page is looked at again and again: choices ask for a refresh. Every forager has at
 * most one visit under way; with slices all of them together. A visit that had to wait for its
 * host is reconsidered when it can be sent.
 *
 * Source: Palotai, Farkas, Lorincz: Selection in scale-free small world (2005). Where
 * it is silent or contradicts itself, and what we do: docs/models/foragers.md.
 * SPDX-License-Identifier: MIT */
#include "agent/model.h"
#include "models/foragers/foragers_int.h"

#include "models/foragers/foragers.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define MAX_AGE     INT64_C(86400000000) /* us; the paper's 24 hours */
#define SCALE_PAGES 30000.0              /* a crawl of so many pages has the paper's scores */
#define SCALE_LEAST 0.01                 /* 100 becomes 1: twenty documents sent in vain */

struct forager *forager_find(const struct model *m, uint32_t agent)
{
    const struct agent *a = agent_of(m->ctx->population, agent);

    return a ? a->traits : NULL;
}

struct forager *forager_nth(const struct model *m, uint32_t i)
{
    return population_nth(m->ctx->population, i)->traits;
}

static uint32_t alive(const struct model *m)
{
    return population_counts(m->ctx->population).alive;
}

/* The scores of the paper are multiplied by this. The paper's foragers lived through 540,000
 * downloads and more; in a crawl of some hundred pages no score would ever reach 200 or 0. */
static double scale_of(const struct model *m)
{
    double scale = options_of(m)->scale;

    if (scale > 0 || m->ctx->pages == 0)
        return scale > 0 ? scale : 1;
    return fmin(1, fmax(SCALE_LEAST, (double)m->ctx->pages / SCALE_PAGES));
}

/* A crawl with a limit of pages gathers what there is, once: all of it is news to the crawl. */
static int64_t max_age_of(const struct model *m)
{
    int64_t age = options_of(m)->max_age;

    return age > 0 ? age : m->ctx->pages > 0 ? INT64_MAX : MAX_AGE;
}

static struct reinforcer_config rules_of(const struct model *m)
{
    const struct foragers_options *o = options_of(m);
    const struct foragers *st = foragers_of(m);
    double scale = scale_of(m);
    struct reinforcer_config r = {
        .reward = o->reward,
        .penalty = o->penalty,
        .init = score_units(scale * o->init_score),
        .min = score_units(scale * o->min_score),
        .max = score_units(scale * o->max_score),
        .plus = score_units(o->score_plus),
        .minus = score_units(o->score_minus),
        .below = o->death == DEATH_BELOW,
        .cap = o->cap,
        .clamp = o->clamp || (o->scale <= 0 && m->ctx->pages > 0),
        .least = st->fleet.all_least,
        .most = st->fleet.all_most,
        .max_age = max_age_of(m),
        .relevant = o->relevant,
    };

    r.init = r.init > r.min ? r.init : r.min + 1;
    r.max = r.max > r.init ? r.max : r.init + 1;
    return r;
}

struct foragers *foragers_begin(struct model *m)
{
    const struct foragers_options *o = options_of(m);
    struct foragers *st = foragers_of(m);
    enum status known;

    if (st->ready)
        return st;
    st->ready = true;
    known = fleet_read(o->kind, (uint32_t)o->min_foragers, (uint32_t)o->max_foragers, &st->fleet);
    assert(known == ST_OK); /* foragers_check() has refused invalid options */
    st->rules = rules_of(m);
    st->td = (struct td_config){.alpha = o->alpha, .gamma = o->gamma, .rule = (enum td_rule)o->td};
    foragers_open_clusters(m);
    forage_pages_init(&st->pages, st->k, (size_t)o->pages);
    weblog_init(&st->seeds, (size_t)o->weblog);
    population_set_free(m->ctx->population, forager_free);
    population_set_bounds(m->ctx->population, (struct population_bounds){
                                                  .low = st->rules.least,
                                                  .high = st->rules.most,
                                                  .cap = st->rules.most,
                                              });
    return st;
}

static void foragers_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct foragers *st = foragers_begin(m);

    for (size_t i = 0; i < count; i++) {
        if (!weblog_add(&st->seeds, urls[i], 0))
            continue;
        for (uint32_t j = 0; j < alive(m); j++)
            (void)weblog_add(&forager_nth(m, j)->weblog, urls[i], 0);
    }
    if (st->seeds.count > 0 && population_counts(m->ctx->population).born == 0)
        foragers_found(m);
}

/* ---- whose turn ------------------------------------------------------------------ */

static bool is_open(const struct model *m, uint32_t url)
{
    for (uint32_t i = 0; i < alive(m); i++) {
        const struct forager *f = forager_nth(m, i);

        if (f->under_way && f->to == url)
            return true;
    }
    return false;
}

static void give_out(struct model *m, struct forager *f, struct choice *ret)
{
    *ret = (struct choice){.url = f->to, .agent = f->id, .refresh = true};
    f->under_way = true;
    f->waits = 0;
    foragers_of(m)->open++;
}

/* A step has ended: the forager learns from it and is managed, at once or when its slice ends.
 * Returns false if it is no longer its turn. */
static bool end_step(struct model *m, struct forager *f)
{
    struct foragers *st = foragers_of(m);
    bool goes_on = options_of(m)->slice == 0 || m->ctx->now < st->slice_ends;

    f->looking = false;
    forager_learn(m, f);
    if (options_of(m)->slice > 0 && goes_on)
        return true;
    return forager_manage(m, f) && goes_on;
}

/* Returns false if it has nothing to fetch now, or it is no longer its turn. */
static bool advance(struct model *m, struct forager *f, struct choice *ret)
{
    while (!f->under_way) {
        if (f->to == 0 && f->looking && f->look == f->nlooks && !end_step(m, f))
            return false;
        if (f->to == 0 && !forager_choose(m, f))
            return false;
        if (is_open(m, f->to)) {
            f->waits = f->waits ? f->waits : m->ctx->now;
            return false;
        }
        if (f->looking && forager_looks_back(m, f))
            continue;
        give_out(m, f, ret);
        return true;
    }
    return false;
}

/* The host of its visit is free. Another forager may have visited the page meanwhile, or another
 * place on its path may be better by now. The start of a path was drawn, so it stays. */
static bool foragers_again(struct model *m, const struct choice *c, struct choice *ret)
{
    struct forager *f = forager_find(m, c->agent);
    uint32_t best;

    if (f == NULL || !f->under_way || f->to != c->url || f->at_start)
        return false;
    if (f->looking) {
        if (!forager_looks_back(m, f))
            return false;
    } else {
        best = forager_best_place(m, f);
        if (best == 0 || best == f->to || is_open(m, best))
            return false;
        f->to = best;
    }
    f->under_way = false;
    foragers_of(m)->open--;
    *ret = (struct choice){0};
    (void)advance(m, f, ret);
    return true;
}

/* Returns the next forager in order of birth, starting again after the last. */
static struct forager *next_forager(struct model *m)
{
    struct foragers *st = foragers_of(m);

    st->turn = population_after(m->ctx->population, st->turn);
    if (st->turn == 0)
        st->turn = population_after(m->ctx->population, 0);
    st->slice_ends = m->ctx->now + options_of(m)->slice;
    return forager_find(m, st->turn);
}

static bool next_of_all(struct model *m, struct choice *ret)
{
    for (uint32_t n = alive(m); n > 0; n--)
        if (advance(m, next_forager(m), ret))
            return true;
    return false;
}

/* One after another: a forager works until its slice is over. */
static bool next_in_slices(struct model *m, struct choice *ret)
{
    struct foragers *st = foragers_of(m);
    struct forager *f = forager_find(m, st->turn);

    if (st->open > 0)
        return false;
    for (uint32_t n = alive(m) + 1; n > 0; n--) {
        if (f && advance(m, f, ret))
            return true;
        f = next_forager(m);
    }
    return false;
}

/* No forager has anything to do: one may have when its rest is over, or when an answer arrives. */
static void wish_to_wake(struct model *m)
{
    int64_t first = foragers_of(m)->nlate ? foragers_of(m)->late[0].due : 0;

    for (uint32_t i = 0; i < alive(m); i++) {
        int64_t rests = forager_nth(m, i)->rests;

        if (rests && (first == 0 || rests < first))
            first = rests;
    }
    m->ctx->wake = first;
}

static bool foragers_next(struct model *m, uint32_t host, struct choice *ret)
{
    struct foragers *st = foragers_begin(m);
    uint64_t patience = (uint64_t)options_of(m)->patience;

    (void)host;
    if (alive(m) == 0 || (patience && st->in_vain >= patience))
        return false;
    if (options_of(m)->slice ? next_in_slices(m, ret) : next_of_all(m, ret))
        return true;
    if (st->open == 0)
        wish_to_wake(m);
    return false;
}

/* ---- answers --------------------------------------------------------------------- */

static struct forager *answered(struct model *m, const struct choice *c)
{
    struct foragers *st = foragers_begin(m);
    struct forager *f = c->url && c->agent ? forager_find(m, c->agent) : NULL;

    if (f == NULL || !f->under_way)
        return NULL; /* the engine's own visit, without a forager */
    f->under_way = false;
    st->open--;
    st->fetched++;
    return f;
}

/* Sitemaps that a host's robots.txt names are additional places to begin. */
static void hear_of_sitemaps(struct model *m, const struct percept *p)
{
    if (!options_of(m)->feeds || p->body->kind != PAGE_SITEMAP)
        return;
    for (uint32_t i = 0; i < p->body->nlinks && i < WEBLOG_MAX; i++)
        if (p->marks[i].url && p->marks[i].drop == DROP_NONE)
            foragers_start(m, &p->marks[i].url, 1);
}

static void foragers_perceive(struct model *m, struct percept *p)
{
    struct forager *f = answered(m, &p->choice);

    if (f)
        forager_arrive(m, f, p);
    else if (p->choice.url == 0)
        hear_of_sitemaps(m, p);
}

static void foragers_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct forager *f = answered(m, c);

    if (f)
        forager_miss(m, f, why);
}

static void foragers_tick(struct model *m)
{
    foragers_answer_late(m);
}

static void foragers_receive(struct model *m, const struct message *msg)
{
    struct forager *f = forager_find(m, msg->receiver);
    struct str rest = msg->content, number;
    double profit;
    uint64_t url;

    if (f == NULL || !str_cut(&rest, ' ', &number) || !str_to_u64(number, &url) ||
        !str_to_double(rest, &profit) || url == 0 || url > UINT32_MAX)
        return;
    forager_hear(m, f, (uint32_t)url, profit);
}

/* ---- figures --------------------------------------------------------------------- */

static void foragers_describe(const struct model *m, struct json *j)
{
    const struct foragers *st = foragers_of(m);
    double score = 0;

    for (uint32_t i = 0; i < alive(m); i++)
        score += (double)forager_nth(m, i)->score * SCORE_UNIT;
    json_put_int(j, "open", st->open);
    json_put_int(j, "looks", (int64_t)st->looks);
    json_put_int(j, "downloaded", (int64_t)st->fetched);
    json_put_int(j, "sent", (int64_t)st->agent.sent);
    json_put_int(j, "relevant", (int64_t)st->agent.relevant);
    json_put_int(j, "paths", (int64_t)st->paths);
    json_put_num(j, "mean_score", alive(m) ? score / alive(m) : 0);
    json_put_int(j, "clusters", st->clusters ? st->clusters->k : 0);
    json_put_num(j, "mean_square_state", st->states ? st->squares / (double)st->states : 0);
    json_put_int(j, "told", (int64_t)st->told);
    json_put_int(j, "diverged", st->diverged);
    if (st->diverged)
        json_put_int(j, "diverged_after", (int64_t)st->diverged_after);
}

static void foragers_finish(struct model *m)
{
    struct foragers *st = foragers_of(m);

    reinforcer_clear(&st->agent);
    forage_pages_clear(&st->pages);
    clusters_free(st->clusters);
    page_memory_clear(&st->lesson);
    weblog_clear(&st->seeds);
    free(st->late);
    free(st->names);
}

const struct model_ops model_foragers = {
    .name = "foragers",
    .summary = "a fleet that watches a changing web: the first to bring a new document is rewarded",
    .advice = "For `brood watch`: to bring news of a topic from many places, soon "
              "after they appear.",
    .common = "kind max_age relevant max_foragers recheck",
    .source = "Palotai, Farkas, Lorincz: Selection in Scale-Free Small World (2005)",
    .options = foragers_option_table,
    .options_size = sizeof(struct foragers_options),
    .state_size = sizeof(struct foragers),
    .check = foragers_check,
    .start = foragers_start,
    .next = foragers_next,
    .again = foragers_again,
    .perceive = foragers_perceive,
    .failed = foragers_failed,
    .save = foragers_save,
    .load = foragers_load,
    .describe = foragers_describe,
    .finish = foragers_finish,
    .talks = &(const struct model_talks){.receive = foragers_receive, .tick = foragers_tick},
    .returns = &(const struct model_returns){.watches = true},
    .tells = &(const struct model_tells){.tell = foragers_tell},
};
