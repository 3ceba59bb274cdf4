/* made.c - results made by hand. SPDX-License-Identifier: MIT */
#include "made.h"

#include "base/mem.h"
#include "base/rng.h"
#include "lab/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REACHABLE 1000

static char *topic_name(size_t i)
{
    char text[64];

    (void)snprintf(text, sizeof text, "Science.Topic %02zu", i + 1);
    return str_dup(str_of(text));
}

static void make_world(struct result_world *w, const struct plan_world *p, size_t ntopics)
{
    *w = (struct result_world){.name = p->name,
                               .pages = 20000,
                               .hosts = 200,
                               .versions = 20000,
                               .links = 412345,
                               .out_exponent = 2.31,
                               .in_exponent = 2.12,
                               .clustering = 0.184,
                               .mean_distance = 4.71,
                               .locality = NAN,
                               .ntopics = ntopics};
    w->topics = mem_zero(ntopics + 1, sizeof *w->topics);
    w->words = mem_zero(ntopics + 1, sizeof *w->words);
    for (size_t i = 0; i < ntopics; i++) {
        w->topics[i] = topic_name(i);
        w->words[i] = str_dup(STR("science and its words"));
    }
}

static double last_x(const struct plan *p)
{
    if (p->pages.kind == QUANTITY_SHARE)
        return p->sample.kind == QUANTITY_SHARE ? p->pages.value : p->pages.value * REACHABLE;
    return p->sample.kind == QUANTITY_SHARE ? p->pages.value / REACHABLE : p->pages.value;
}

static void make_run(const struct results *r, struct result_run *run, size_t npoints,
                     made_value_fn *value)
{
    run->targets = 40 + run->topic * 3;
    run->reachable = REACHABLE;
    run->pages = 200;
    run->seconds = 300;
    run->end = run->model == 1 && run->topic == 2 ? "nothing was left to visit"
                                                  : "the limit of pages was reached";
    run->npoints = npoints;
    run->x = mem_zero(npoints, sizeof *run->x);
    run->values = mem_zero(npoints * r->nmetrics, sizeof *run->values);
    run->pages_at = mem_zero(npoints, sizeof *run->pages_at);
    run->seconds_at = mem_zero(npoints, sizeof *run->seconds_at);
    for (size_t k = 0; k < npoints; k++) {
        double share = npoints > 1 ? (double)k / (double)(npoints - 1) : 1;

        run->x[k] = share * last_x(r->plan);
        run->pages_at[k] =
            round(r->plan->sample.kind == QUANTITY_SHARE ? run->x[k] * REACHABLE : run->x[k]);
        run->seconds_at[k] = run->pages_at[k];
        for (size_t m = 0; m < r->nmetrics; m++) {
            struct made_point at = {run->world, run->topic, run->model, run->repeat, (int)m, share};

            run->values[k * r->nmetrics + m] = value(&at);
        }
    }
}

struct results *made_results(const char *plan, size_t ntopics, size_t npoints, made_value_fn *value)
{
    struct results *r = MEM_NEW(struct results);
    const struct plan *p;

    if (plan_parse(str_of(plan), "made.plan", &r->plan) != ST_OK)
        fail_msg("%s", status_text());
    p = r->plan;
    r->nmetrics = p->metrics.count;
    r->metrics = (const char **)p->metrics.items;
    r->worlds = mem_zero(p->nworlds, sizeof *r->worlds);
    r->runs = mem_zero(p->nworlds * ntopics * p->nmodels * p->repeats, sizeof *r->runs);
    for (uint32_t w = 0; w < p->nworlds; w++) {
        make_world(&r->worlds[w], &p->worlds[w], ntopics);
        for (uint32_t t = 0; t < ntopics; t++) {
            for (uint32_t m = 0; m < p->nmodels; m++) {
                for (uint32_t k = 0; k < p->repeats; k++) {
                    struct result_run *run = &r->runs[r->nruns++];

                    *run = (struct result_run){.world = w, .topic = t, .model = m, .repeat = k};
                    make_run(r, run, npoints, value);
                }
            }
        }
    }
    return r;
}

void made_free(struct results *r)
{
    for (size_t i = 0; i < r->nruns; i++) {
        free(r->runs[i].x);
        free(r->runs[i].values);
        free(r->runs[i].pages_at);
        free(r->runs[i].seconds_at);
    }
    free(r->runs);
    for (size_t w = 0; w < r->plan->nworlds; w++) {
        for (size_t t = 0; t < r->worlds[w].ntopics; t++) {
            free(r->worlds[w].topics[t]);
            free(r->worlds[w].words[t]);
        }
        free(r->worlds[w].topics);
        free(r->worlds[w].words);
    }
    free(r->worlds);
    plan_free(r->plan);
    free(r);
}

void made_rename(char **text, const char *by)
{
    free(*text);
    *text = str_dup(str_of(by));
}

/* ---- the showcase ---- */

static const char showcase_plan[] =
    "name: baselines\n"
    "about: Ten settings of two strategies on a generated web and on another one, "
    "with values that nobody measured.\n"
    "worlds:\n"
    "  - {name: made, make: {kind: topical, pages: 20000, hosts: 200, rng: 7}}\n"
    "  - {name: second, dir: worlds/second}\n"
    "topics: labels\n"
    "models:\n"
    "  - breadth-first\n"
    "  - {name: best-first, set: {n: [1, 16, 256], parents: [max, mean, first]}}\n"
    "pages: 20%\n"
    "repeats: 2\n"
    "rng: 1\n"
    "sample: 1%\n"
    "at: [5%, 10%, 20%]\n"
    "metrics: [recall, precision, relevance, population]\n"
    "claims:\n"
    "  - {id: B1, says: \"Best-first beats breadth-first clearly\", metric: recall, at: 10%,\n"
    "     better: \"best-first\", than: \"breadth-first\", by: 0.02}\n"
    "  - {id: B2, says: \"Breadth-first is the better one\", metric: recall, at: 20%,\n"
    "     better: \"breadth-first\", than: \"best-first\"}\n"
    "  - {id: B3, says: \"A third of the targets is found\", metric: recall, at: 10%,\n"
    "     better: \"best-first\", value: 0.34, within: 0.02}\n"
    "  - {id: B4, says: \"Mean and first parents differ\", metric: recall, at: 20%,\n"
    "     better: \"best-first n=16 parents=first\", than: \"best-first n=16 parents=mean\"}\n";

/* Saturating curves; strategies, topics and repeats differ in a fixed way. */
static double showcase_value(const struct made_point *at)
{
    struct rng rng;
    double skill, noise, recall;

    rng_init(&rng, 1000 * at->topic + 31 * at->model + at->world);
    skill = at->model == 0 ? 0.7 : 1.35 + 0.22 * at->model - 0.2 * at->world;
    noise = 1 + 0.14 * rng_normal(&rng) + 0.35 * sin(at->topic * 1.7) + 0.03 * at->repeat;
    recall = 1 - exp(-skill * fmax(noise, 0.2) * at->x);
    switch (at->metric) {
    case 0:
        return recall;
    case 1:
        return at->x > 0 ? 0.42 * recall / (0.2 + at->x) : NAN;
    case 2:
        return 0.1 + 0.3 * skill / 4 * exp(-at->x) * fmax(noise, 0.2);
    default:
        return 1;
    }
}

struct results *made_showcase(void)
{
    struct results *r = made_results(showcase_plan, 24, 21, showcase_value);

    made_rename(&r->plan->worlds[1].name, "a \"second\" <script>alert(1)</script> & 'more'");
    r->worlds[1].name = r->plan->worlds[1].name;
    made_rename(&r->worlds[1].topics[3], "</script><img src=x onerror=alert(1)>");
    made_rename(&r->plan->models[4].label,
                "best-first <b>bold</b> \"quoted\" & long enough to be cut");
    return r;
}
