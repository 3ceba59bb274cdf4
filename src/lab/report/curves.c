/* curves.c - a metric along the crawl: means over topics, with their intervals.
 * SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/mem.h"
#include "lab/report/stats.h"

#include <math.h>
#include <stdlib.h>

#define CURVE_POINTS 161

double curve_x(const struct results *r, const struct result_run *run, size_t k,
               enum quantity_kind x)
{
    if (x == QUANTITY_NONE || x == r->plan->sample.kind)
        return run->x[k];
    if (x == QUANTITY_TIME)
        return run->seconds_at[k];
    return x == QUANTITY_PAGES ? run->pages_at[k] : run->pages_at[k] / run->reachable;
}

double curve_end(const struct results *r, const struct result_run *run, enum quantity_kind x)
{
    return run->npoints ? curve_x(r, run, run->npoints - 1, x) : -INFINITY;
}

/* The run that goes furthest, and of these the one with most points. */
static const struct result_run *longest(const struct results *r, uint32_t world,
                                        enum quantity_kind x)
{
    const struct result_run *best = NULL;

    for (size_t i = 0; i < r->nruns; i++) {
        const struct result_run *run = &r->runs[i];

        if (run->world != world || run->npoints == 0)
            continue;
        if (best == NULL || curve_end(r, run, x) > curve_end(r, best, x) ||
            (!(curve_end(r, run, x) < curve_end(r, best, x)) && run->npoints > best->npoints))
            best = run;
    }
    return best;
}

static void make_grid(const struct results *r, const struct result_run *run, enum quantity_kind x,
                      struct curves *c)
{
    size_t n = run ? run->npoints : 0;

    c->npoints = n < CURVE_POINTS ? n : CURVE_POINTS;
    c->x = mem_zero(c->npoints + 1, sizeof *c->x);
    for (size_t k = 0; k < c->npoints; k++)
        c->x[k] = curve_x(r, run, c->npoints > 1 ? k * (n - 1) / (c->npoints - 1) : 0, x);
    c->slack = c->npoints > 1 ? (c->x[c->npoints - 1] - c->x[c->npoints - 2]) / 2 : 0;
}

/* The state of reading values from a run: x grows, and `from` is where the last search ended. */
struct curve_reading {
    const struct results *r;
    const struct result_run *run;
    int metric;
    enum quantity_kind x;
    double slack;
    size_t from;
};

static double read_off(struct curve_reading *g, double x)
{
    const struct result_run *run = g->run;
    size_t k = g->from, stride = g->r->nmetrics;
    const double *values = run->values + g->metric;
    double here, next;

    if (run->npoints == 0 || x < curve_x(g->r, run, 0, g->x) ||
        x > curve_end(g->r, run, g->x) + g->slack)
        return NAN;
    while (k + 1 < run->npoints && curve_x(g->r, run, k + 1, g->x) <= x)
        k++;
    g->from = k;
    here = curve_x(g->r, run, k, g->x);
    if (k + 1 >= run->npoints || !(x > here))
        return values[k * stride];
    next = curve_x(g->r, run, k + 1, g->x);
    return values[k * stride] +
           (x - here) / (next - here) * (values[(k + 1) * stride] - values[k * stride]);
}

/* Sums over repeats: sum and n are nmodels x ntopics x npoints. */
static void add_runs(const struct results *r, uint32_t world, int metric, enum quantity_kind x,
                     const struct curves *c, double *sum, uint32_t *n)
{
    size_t ntopics = r->worlds[world].ntopics;

    for (size_t i = 0; i < r->nruns; i++) {
        const struct result_run *run = &r->runs[i];
        struct curve_reading g = {r, run, metric, x, c->slack, 0};
        size_t row = (run->model * ntopics + run->topic) * c->npoints;

        for (size_t k = 0; run->world == world && k < c->npoints; k++) {
            double v = read_off(&g, c->x[k]);

            if (isnan(v))
                continue;
            sum[row + k] += v;
            n[row + k]++;
        }
    }
}

/* Topics that the model was run on, whether or not their crawls still go on. */
static size_t topics_run(const struct results *r, uint32_t world, uint32_t model)
{
    size_t n = 0;

    for (size_t i = 0; i < r->nruns; i++)
        n += r->runs[i].world == world && r->runs[i].model == model && r->runs[i].repeat == 0;
    return n;
}

void curves_make(const struct results *r, uint32_t world, int metric, enum quantity_kind x,
                 struct curves *ret)
{
    size_t ntopics = r->worlds[world].ntopics;
    struct curves c = {.nmodels = r->plan->nmodels};
    double *sum, *topic = mem_zero(ntopics + 1, sizeof *topic);
    uint32_t *n;

    make_grid(r, longest(r, world, x), x, &c);
    c.mean = mem_zero(c.nmodels * c.npoints + 1, sizeof *c.mean);
    c.half = mem_zero(c.nmodels * c.npoints + 1, sizeof *c.half);
    sum = mem_zero(c.nmodels * ntopics * c.npoints + 1, sizeof *sum);
    n = mem_zero(c.nmodels * ntopics * c.npoints + 1, sizeof *n);
    add_runs(r, world, metric, x, &c, sum, n);
    for (uint32_t m = 0; m < c.nmodels; m++) {
        size_t run = topics_run(r, world, m);

        for (size_t k = 0; k < c.npoints; k++) {
            size_t count = 0;

            for (size_t t = 0; t < ntopics; t++) {
                size_t at = (m * ntopics + t) * c.npoints + k;

                if (n[at])
                    topic[count++] = sum[at] / n[at];
            }
            count = 2 * count >= run ? count : 0;
            c.mean[m * c.npoints + k] = stats_mean(topic, count);
            c.half[m * c.npoints + k] = stats_half_width(topic, count);
        }
    }
    free(sum);
    free(n);
    free(topic);
    *ret = c;
}

void curves_free(struct curves *c)
{
    free(c->x);
    free(c->mean);
    free(c->half);
}
