/* work.c - the runs of one world, distributed to threads.
 *
 * In: a web, its subjects, the plan. Out: rows of results.db.
 *
 * Runs are taken in the order topic, repeat, model. What they share is prepared by the
 * first thread that needs it and freed with the last run that did:
 *
 *   topic_case   of a topic: targets by URL, description, the topic's words
 *   draw_case    of a topic and repeat: seeds, examples, how far one gets
 *
 * The result of a run does not depend on its thread or on earlier runs.
 * SPDX-License-Identifier: MIT */
#include "lab/run/runner_int.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "crawl/simulate.h"
#include "agent/model.h"
#include "models/models.h"
#include "lab/run/seeds.h"
#include "text/topic.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LOOK_EVERY_MS 50 /* at the user's wish to stop */

enum case_state { CASE_NEW, CASE_BUSY, CASE_READY };

struct topic_case {
    enum case_state state;
    size_t refs;         /* runs that still need it */
    struct topic *words; /* what crawlers are given */
    bool *is_target;     /* by URL */
    float *description;  /* by URL; NULL without labels */
};

struct draw_case {
    enum case_state state;
    size_t refs;
    struct draw draw;
    bool *is_given;        /* by URL: seeds and examples */
    bool *is_reachable;    /* by URL */
    uint32_t targets;      /* that can be found */
    uint32_t reachable;    /* pages */
    struct topic *learner; /* words and examples; NULL: no model wants any */
};

struct work_item {
    uint32_t topic, repeat, model;
};

struct work {
    struct lab *lab;
    const struct plan_world *spec;
    const struct ground *ground;
    const struct subject *subjects;
    bool wants_examples;  /* some model does */
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    struct topic_case *topics; /* by subject */
    struct draw_case *draws;   /* by subject and repeat */
    struct work_item *items;
    size_t count, cap, next;
    unsigned running; /* threads */
    enum status failed;
    char error[1000];
};

/* ---- what runs share ----------------------------------------------------- */

static struct draw_case *draw_of(struct work *w, const struct work_item *i)
{
    return &w->draws[(size_t)i->topic * w->lab->plan->repeats + i->repeat];
}

static enum status topic_prepare(struct work *w, const struct work_item *i)
{
    const struct ground *g = w->ground;
    const struct subject *s = &w->subjects[i->topic];
    struct topic_case *c = &w->topics[i->topic];
    enum status st = topic_from_words(str_of(s->words), STR("en"), &c->words);

    if (st != ST_OK)
        return status_prefix(st, "topic '%s'", s->name);
    c->is_target = mem_zero((size_t)g->counts.urls + 1, sizeof *c->is_target);
    for (uint32_t k = 0; k < s->count; k++)
        c->is_target[s->targets[k]] = true;
    if (w->lab->plan->label_topics)
        c->description = subject_description(g, s);
    return ST_OK;
}

static void topic_clear(struct topic_case *c)
{
    topic_free(c->words);
    free(c->is_target);
    free(c->description);
    *c = (struct topic_case){0};
}

static enum status add_samples(const struct ground *g, struct topic *t, const uint32_t *pages,
                               size_t count, bool positive)
{
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < count; i++) {
        struct profile p = web_profile(g->web, g->alive[pages[i]].first);

        if (p.nterms > 0) /* a page without words is not used as an example */
            st = topic_add_sample(t, p.terms, p.nterms, positive);
    }
    return st;
}

static enum status learner_prepare(struct work *w, const struct work_item *i, struct draw_case *c)
{
    const struct ground *g = w->ground;

    TRY(topic_from_words(str_of(w->subjects[i->topic].words), STR("en"), &c->learner));
    TRY(add_samples(g, c->learner, c->draw.positive, c->draw.npositive, true));
    TRY(add_samples(g, c->learner, c->draw.negative, c->draw.nnegative, false));
    topic_train(c->learner, web_idf(g->web));
    return ST_OK;
}

static void give(struct draw_case *c, const uint32_t *pages, size_t count)
{
    for (size_t i = 0; i < count; i++)
        c->is_given[pages[i]] = true;
}

static enum status draw_prepare(struct work *w, const struct work_item *i)
{
    const struct plan *p = w->lab->plan;
    const struct subject *s = &w->subjects[i->topic];
    struct draw_case *c = draw_of(w, i);

    if (!draw_make(w->ground, s, p, draw_rng(p, w->spec->name, s->name, i->repeat), &c->draw))
        return status_fail(ST_INTERNAL, "topic '%s': its seeds cannot be drawn", s->name);
    c->is_given = mem_zero((size_t)w->ground->counts.urls + 1, sizeof *c->is_given);
    give(c, c->draw.seeds, c->draw.nseeds);
    give(c, c->draw.positive, c->draw.npositive);
    give(c, c->draw.negative, c->draw.nnegative);
    c->reachable = ground_reachable(w->ground, c->draw.seeds, c->draw.nseeds, &c->is_reachable);
    for (uint32_t k = 0; k < s->count; k++)
        c->targets += !c->is_given[s->targets[k]] && c->is_reachable[s->targets[k]];
    return w->wants_examples ? learner_prepare(w, i, c) : ST_OK;
}

static void draw_case_clear(struct draw_case *c)
{
    draw_clear(&c->draw);
    free(c->is_given);
    free(c->is_reachable);
    topic_free(c->learner);
    *c = (struct draw_case){0};
}

/* Ready when this returns ST_OK; the lock is held before and after. */
static enum status case_ready(struct work *w, enum case_state *state, const struct work_item *i,
                              enum status (*prepare)(struct work *w, const struct work_item *i))
{
    enum status st = ST_OK;

    while (*state == CASE_BUSY)
        (void)pthread_cond_wait(&w->changed, &w->lock);
    if (w->failed != ST_OK)
        return ST_STOPPED;
    if (*state == CASE_READY)
        return ST_OK;
    *state = CASE_BUSY;
    (void)pthread_mutex_unlock(&w->lock);
    st = prepare(w, i);
    (void)pthread_mutex_lock(&w->lock);
    *state = CASE_READY;
    (void)pthread_cond_broadcast(&w->changed);
    return st;
}

/* Releases a shared case; the last run frees it. */
static void let_go(struct work *w, const struct work_item *i)
{
    struct draw_case *d = draw_of(w, i);
    struct topic_case *t = &w->topics[i->topic];

    if (--d->refs == 0)
        draw_case_clear(d);
    if (--t->refs == 0)
        topic_clear(t);
}

/* ---- one run ------------------------------------------------------------- */

static uint64_t model_rng(const struct rng *r, const char *label)
{
    struct rng own = rng_fork(r, hash_str(str_of(label)));

    return rng_u64(&own) >> 1; /* an option holds it, which has a sign */
}

static void simulation_of(const struct work *w, const struct work_item *i,
                          const struct topic_case *t, const struct draw_case *d,
                          struct simulation *s)
{
    const struct plan *p = w->lab->plan;
    const struct plan_model *m = &p->models[i->model];
    struct rng r = draw_rng(p, w->spec->name, w->subjects[i->topic].name, i->repeat);

    simulation_init(s);
    s->web = w->ground->web;
    s->topic = t->words;
    if (d->learner && model_find(str_of(m->name))->learns)
        s->topic = d->learner;
    s->model = m->name;
    s->settings = &m->settings;
    s->rng = model_rng(&r, m->label);
    s->seeds = d->draw.seeds;
    s->nseeds = d->draw.nseeds;
    if (p->pages.kind != QUANTITY_NONE)
        s->pages = quantity_pages(p->pages, 1, d->reachable);
    s->duration = p->time.kind == QUANTITY_TIME ? (int64_t)p->time.value : 0;
    s->delay = p->delay;
    s->patience = p->patience;
    s->latency = p->latency;
    s->measured = p->measured;
    s->measured_rng = p->rng;
    s->slow = p->slow;
    s->slow_latency = p->slow_latency;
    s->connections = p->connections;
    s->per_host = p->per_host;
    s->robots = p->robots;
    s->host_budget = p->host_budget;
    s->relevant = p->relevant;
    s->learned_idf = p->idf == IDF_LEARNED;
    s->exclude = &w->spec->exclude;
    s->on_topic = t->is_target;
    s->stop = &w->lab->stop;
}

static void run_of(const struct meter *m, const struct crawl_status *s, const struct truth *t,
                   struct result_run *ret)
{
    *ret = (struct result_run){
        .targets = t->targets,
        .reachable = t->reachable,
        .pages = s->pages,
        .seconds = (double)s->elapsed / 1e6,
        .end = crawl_end_sentence(s->end),
        .npoints = meter_points(m),
    };
    ret->x = mem_zero(ret->npoints + 1, sizeof *ret->x);
    for (size_t i = 0; i < ret->npoints; i++)
        ret->x[i] = meter_x(m, i);
    ret->values = (double *)meter_row(m, 0); /* lent; only read */
}

static enum status keep_run(struct work *w, const struct work_item *i, const struct result_run *run,
                            const struct run_timing *timing)
{
    const struct plan *p = w->lab->plan;
    struct run_name name = {w->spec->name, w->subjects[i->topic].name, p->models[i->model].label,
                            i->repeat};
    enum status st;

    (void)pthread_mutex_lock(&w->lock);
    st = results_db_run(w->lab->db, &name, run, timing);
    if (st == ST_OK) {
        w->lab->progress.done++;
        w->lab->progress.ran++;
        w->lab->progress.visits += run->pages;
    }
    (void)pthread_mutex_unlock(&w->lock);
    return st;
}

/* Returns the end of a run: stored pages age until the time is over, even if the crawl ended
 * earlier. */
static int64_t end_of(const struct simulation *s, const struct crawl_status *status)
{
    int64_t end = status->started_at + s->duration;

    return s->duration > 0 && end > status->now ? end : status->now;
}

/* A metric of the ranked list, or of the estimate. */
static bool is_of_ranks(const char *name)
{
    int i = metric_find(str_of(name));

    return i >= METRIC_P_20 && i <= METRIC_PROMISE;
}

/* Are these metrics wanted? Each row costs a pass over all pages. */
static bool wants_ranks(const struct plan *p)
{
    for (size_t i = 0; i < p->metrics.count; i++)
        if (is_of_ranks(p->metrics.items[i]))
            return true;
    return p->metrics.count == 0 && p->label_topics;
}

static enum status simulate(struct work *w, const struct work_item *i, const struct topic_case *t,
                            const struct draw_case *d)
{
    struct truth truth = {
        .web = w->ground->web,
        .urls = w->ground->counts.urls,
        .is_target = t->is_target,
        .is_reachable = d->is_reachable,
        .is_given = d->is_given,
        .targets = d->targets,
        .reachable = d->reachable,
        .description = t->description,
        .relevant = w->lab->plan->relevant,
    };
    struct run_timing timing = {.wall = clock_now(), .cpu = clock_cpu_thread()};
    struct crawl_status status = {0};
    struct result_run run;
    struct simulation s;
    struct meter *meter;
    enum status st;

    simulation_of(w, i, t, d, &s);
    truth.judge = s.topic == t->words ? NULL : t->words;
    meter = meter_new(&truth, w->lab->plan->sample);
    s.listen = meter_listen;
    s.listen_ctx = meter;
    s.lend = meter_set_model;
    if (wants_ranks(w->lab->plan))
        meter_want_ranks(meter);
    st = crawl_simulate(&s, &status);
    if (st == ST_OK && status.end != CRAWL_STOPPED) {
        meter_finish(meter, end_of(&s, &status));
        timing.wall = clock_now() - timing.wall;
        timing.cpu = clock_cpu_thread() - timing.cpu;
        run_of(meter, &status, &truth, &run);
        st = keep_run(w, i, &run, &timing);
        free(run.x);
    }
    meter_free(meter);
    return st;
}

/* ---- threads ------------------------------------------------------------- */

static enum status run_item(struct work *w, const struct work_item *i)
{
    struct topic_case *t = &w->topics[i->topic];
    struct draw_case *d = draw_of(w, i);
    enum status st = case_ready(w, &t->state, i, topic_prepare);

    if (st == ST_OK)
        st = case_ready(w, &d->state, i, draw_prepare);
    if (st != ST_OK)
        return st;
    (void)pthread_mutex_unlock(&w->lock);
    st = simulate(w, i, t, d);
    (void)pthread_mutex_lock(&w->lock);
    let_go(w, i);
    return st;
}

static void note_failure(struct work *w, const struct work_item *i, enum status st)
{
    if (st == ST_OK || w->failed != ST_OK)
        return;
    w->failed = st;
    (void)snprintf(w->error, sizeof w->error, "world '%s', topic '%s', model '%s', repeat %u: %s",
                   w->spec->name, w->subjects[i->topic].name, w->lab->plan->models[i->model].label,
                   i->repeat, status_text());
    __atomic_store_n(&w->lab->stop, 1, __ATOMIC_RELAXED);
}

static void *work_thread(void *arg)
{
    struct work *w = arg;

    (void)pthread_mutex_lock(&w->lock);
    while (w->next < w->count && !__atomic_load_n(&w->lab->stop, __ATOMIC_RELAXED)) {
        const struct work_item *i = &w->items[w->next++];

        note_failure(w, i, run_item(w, i));
    }
    w->running--;
    (void)pthread_cond_broadcast(&w->changed);
    (void)pthread_mutex_unlock(&w->lock);
    return NULL;
}

static unsigned jobs_of(const struct work *w)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = w->lab->config->jobs ? w->lab->config->jobs : (size_t)(cores > 0 ? cores : 1);

    return (unsigned)(jobs < w->count ? jobs : w->count);
}

static void wait_a_little(struct work *w)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_EVERY_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&w->changed, &w->lock, &until);
}

/* The lock keeps progress.done and the callback apart from the threads. */
static void watch(struct work *w)
{
    (void)pthread_mutex_lock(&w->lock);
    while (w->running > 0) {
        wait_a_little(w);
        if (!lab_goes_on(w->lab))
            __atomic_store_n(&w->lab->stop, 1, __ATOMIC_RELAXED);
    }
    (void)pthread_mutex_unlock(&w->lock);
}

static enum status run_threads(struct work *w)
{
    unsigned jobs = jobs_of(w), started = 0;
    pthread_t *threads = mem_zero(jobs + 1, sizeof *threads);

    w->running = jobs;
    while (started < jobs && pthread_create(&threads[started], NULL, work_thread, w) == 0)
        started++;
    (void)pthread_mutex_lock(&w->lock);
    w->running -= jobs - started;
    (void)pthread_mutex_unlock(&w->lock);
    watch(w);
    for (unsigned i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    free(threads);
    if (started == 0 && jobs > 0)
        return status_fail(ST_IO, "no thread can be started");
    if (w->failed != ST_OK)
        return status_fail(w->failed, "%s", w->error);
    return w->next < w->count || __atomic_load_n(&w->lab->stop, __ATOMIC_RELAXED)
               ? status_fail(ST_STOPPED, "stopped")
               : ST_OK;
}

/* ---- what is to be done -------------------------------------------------- */

static void add_item(struct work *w, struct work_item i)
{
    const struct plan *p = w->lab->plan;
    struct run_name name = {w->spec->name, w->subjects[i.topic].name, p->models[i.model].label,
                            i.repeat};

    w->lab->progress.total++;
    if (results_db_has(w->lab->db, &name)) {
        w->lab->progress.done++;
        return;
    }
    MEM_GROW(w->items, w->count, &w->cap);
    w->items[w->count++] = i;
    w->topics[i.topic].refs++;
    draw_of(w, &i)->refs++;
    w->wants_examples |=
        model_find(str_of(p->models[i.model].name))->learns && p->positive + p->negative > 0;
}

enum status lab_work(struct lab *l, const struct plan_world *spec, const struct ground *g,
                     const struct subject *subjects, size_t count)
{
    const struct plan *p = l->plan;
    struct work w = {
        .lab = l,
        .spec = spec,
        .ground = g,
        .subjects = subjects,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER,
        .topics = mem_zero(count, sizeof *w.topics),
        .draws = mem_zero(count * p->repeats, sizeof *w.draws),
    };
    enum status st = ST_OK;

    for (uint32_t t = 0; t < count; t++)
        for (uint32_t r = 0; r < p->repeats; r++)
            for (uint32_t m = 0; m < p->nmodels; m++)
                add_item(&w, (struct work_item){t, r, m});
    if (w.count > 0)
        st = run_threads(&w);
    for (size_t i = 0; i < count; i++) /* cases that a stop left behind */
        topic_clear(&w.topics[i]);
    for (size_t i = 0; i < count * p->repeats; i++)
        draw_case_clear(&w.draws[i]);
    free(w.topics);
    free(w.draws);
    free(w.items);
    return st;
}
