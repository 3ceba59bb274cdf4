/* report_curve.c - means along the crawl with their 95 % bands, as data.
 *
 * All runs of a world are read off at the points of its longest run, thinned to
 * what a plot can show: between two points along the line through them, after
 * the last one at its value. Repeats are averaged first, then topics.
 * SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/json.h"
#include "base/mem.h"
#include "lab/run/metric.h"
#include "lab/report/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CURVE_POINTS 161

/* The run that goes furthest, and of these the one with most points. */
static const struct result_run *longest(const struct results *r, uint32_t world)
{
    const struct result_run *best = NULL;

    for (size_t i = 0; i < r->nruns; i++) {
        const struct result_run *run = &r->runs[i];

        if (run->world != world || run->npoints == 0)
            continue;
        if (best == NULL || run->x[run->npoints - 1] > best->x[best->npoints - 1] ||
            (!(run->x[run->npoints - 1] < best->x[best->npoints - 1]) &&
             run->npoints > best->npoints))
            best = run;
    }
    return best;
}

static void make_grid(const struct result_run *run, struct curves *c)
{
    size_t n = run ? run->npoints : 0;

    c->npoints = n < CURVE_POINTS ? n : CURVE_POINTS;
    c->x = mem_zero(c->npoints + 1, sizeof *c->x);
    for (size_t k = 0; k < c->npoints; k++)
        c->x[k] = run->x[c->npoints > 1 ? k * (n - 1) / (c->npoints - 1) : 0];
}

/* A metric of a run at x; *from is where the last search ended (x grows). */
static double read_off(const struct results *r, const struct result_run *run, int metric, double x,
                       size_t *from)
{
    size_t k = *from;
    double a, b, share;

    if (run->npoints == 0 || x < run->x[0])
        return NAN;
    while (k + 1 < run->npoints && run->x[k + 1] <= x)
        k++;
    *from = k;
    a = run->values[k * r->nmetrics + (size_t)metric];
    if (k + 1 >= run->npoints || !(x > run->x[k]))
        return a;
    b = run->values[(k + 1) * r->nmetrics + (size_t)metric];
    share = (x - run->x[k]) / (run->x[k + 1] - run->x[k]);
    return a + share * (b - a);
}

/* Sums over repeats: sum and n are nmodels x ntopics x npoints. */
static void add_runs(const struct results *r, uint32_t world, int metric, const struct curves *c,
                     double *sum, uint32_t *n)
{
    size_t ntopics = r->worlds[world].ntopics;

    for (size_t i = 0; i < r->nruns; i++) {
        const struct result_run *run = &r->runs[i];
        size_t from = 0, row = (run->model * ntopics + run->topic) * c->npoints;

        for (size_t k = 0; run->world == world && k < c->npoints; k++) {
            double v = read_off(r, run, metric, c->x[k], &from);

            if (isnan(v))
                continue;
            sum[row + k] += v;
            n[row + k]++;
        }
    }
}

void curves_make(const struct results *r, uint32_t world, int metric, struct curves *ret)
{
    size_t ntopics = r->worlds[world].ntopics;
    struct curves c = {.nmodels = r->plan->nmodels};
    double *sum, *topic = mem_zero(ntopics + 1, sizeof *topic);
    uint32_t *n;

    make_grid(longest(r, world), &c);
    c.mean = mem_zero(c.nmodels * c.npoints + 1, sizeof *c.mean);
    c.half = mem_zero(c.nmodels * c.npoints + 1, sizeof *c.half);
    sum = mem_zero(c.nmodels * ntopics * c.npoints + 1, sizeof *sum);
    n = mem_zero(c.nmodels * ntopics * c.npoints + 1, sizeof *n);
    add_runs(r, world, metric, &c, sum, n);
    for (size_t m = 0; m < c.nmodels; m++) {
        for (size_t k = 0; k < c.npoints; k++) {
            size_t count = 0;

            for (size_t t = 0; t < ntopics; t++) {
                size_t at = (m * ntopics + t) * c.npoints + k;

                if (n[at])
                    topic[count++] = sum[at] / n[at];
            }
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

/* Five digits are more than a plot shows, and keep the file small. */
static void put_rounded(struct json *j, const double *v, size_t n, const char *name)
{
    json_open_array(j, name);
    for (size_t i = 0; i < n; i++) {
        char text[32];

        (void)snprintf(text, sizeof text, "%.5g", v[i]);
        json_put_num(j, NULL, isfinite(v[i]) ? strtod(text, NULL) : NAN);
    }
    json_close(j);
}

void curve_json(const struct results *r, uint32_t world, int metric, struct json *j)
{
    struct curves c;

    curves_make(r, world, metric, &c);
    json_open_object(j, "curve");
    put_rounded(j, c.x, c.npoints, "x");
    json_open_array(j, "mean");
    for (size_t m = 0; m < c.nmodels; m++)
        put_rounded(j, c.mean + m * c.npoints, c.npoints, NULL);
    json_close(j);
    json_open_array(j, "half");
    for (size_t m = 0; m < c.nmodels; m++)
        put_rounded(j, c.half + m * c.npoints, c.npoints, NULL);
    json_close(j);
    json_close(j);
    curves_free(&c);
}
