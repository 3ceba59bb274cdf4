/* compare.c - two models on the same topics: differences, tests, intervals.
 * SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/mem.h"
#include "base/rng.h"
#include "lab/report/stats.h"

#include <math.h>
#include <stdlib.h>

#define BOOTSTRAP_DRAWS 2000
#define BOOTSTRAP_SEED  20050101 /* any; fixed, so that a report is the same every time */

/* The pairs without a NAN, packed; returns how many. */
static size_t take_pairs(const double *a, const double *b, size_t n, double *x, double *y)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i]))
            continue;
        x[kept] = a[i];
        y[kept++] = b[i];
    }
    return kept;
}

/* Equal differences must be equal for the ranks, whatever the last bits of means
 * over repeats are: all are taken to ten decimals. */
static double rounded(double d)
{
    return rint(d * 1e10) / 1e10;
}

void compare_values(const double *a, const double *b, size_t n, struct comparison *c)
{
    double *x = mem_alloc((n + 1) * sizeof *x), *y = mem_alloc((n + 1) * sizeof *y);
    struct rng rng;

    c->topics = take_pairs(a, b, n, x, y);
    c->mean_a = stats_mean(x, c->topics);
    c->mean_b = stats_mean(y, c->topics);
    for (size_t i = 0; i < c->topics; i++) {
        x[i] = rounded(x[i] - y[i]);
        y[i] = 0;
    }
    c->difference = stats_mean(x, c->topics);
    c->low = c->high = c->t_p = c->wilcoxon_p = NAN;
    if (c->topics >= 2) {
        c->t_p = stats_t_paired(x, y, c->topics).p;
        c->wilcoxon_p = stats_wilcoxon(x, y, c->topics).p;
    }
    c->by_t = c->topics >= 2 && c->topics < COMPARE_BOOTSTRAP;
    if (c->by_t) {
        double half = stats_half_width(x, c->topics);

        c->low = c->difference - half;
        c->high = c->difference + half;
    } else if (c->topics >= 2) {
        rng_init(&rng, BOOTSTRAP_SEED);
        stats_bootstrap(x, c->topics, BOOTSTRAP_DRAWS, &rng, &c->low, &c->high);
    }
    free(x);
    free(y);
}

/* Holm's correction of one of the two p values; pairs without a test do not count. */
static void correct(struct comparison *all, size_t count, size_t offset)
{
    double *p = mem_alloc((count + 1) * sizeof *p);
    size_t n = 0;

#define P(i) (*(double *)((char *)&all[i] + offset))
    for (size_t i = 0; i < count; i++)
        if (!isnan(P(i)))
            p[n++] = P(i);
    stats_holm(p, n);
    n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(P(i)))
            P(i) = p[n++];
#undef P
    free(p);
}

size_t compare_all(const struct results *r, uint32_t world, int metric, struct quantity at,
                   struct comparison **ret)
{
    size_t n = r->plan->nmodels, count = 0;
    struct comparison *all = mem_zero(n * n / 2 + 1, sizeof *all);
    struct summary s;

    summary_make(r, world, metric, at, &s);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = a + 1; b < n; b++) {
            struct comparison *c = &all[count++];

            *c = (struct comparison){.world = world, .a = a, .b = b, .metric = metric, .at = at};
            compare_values(s.values + a * s.ntopics, s.values + b * s.ntopics, s.ntopics, c);
        }
    }
    summary_free(&s);
    correct(all, count, offsetof(struct comparison, t_p));
    correct(all, count, offsetof(struct comparison, wilcoxon_p));
    *ret = all;
    return count;
}

struct comparison comparison_turned(struct comparison c)
{
    struct comparison t = c;

    t.a = c.b;
    t.b = c.a;
    t.mean_a = c.mean_b;
    t.mean_b = c.mean_a;
    t.difference = -c.difference;
    t.low = -c.high;
    t.high = -c.low;
    return t;
}

double comparison_p(const struct comparison *c)
{
    return c->t_p > c->wilcoxon_p ? c->t_p : c->wilcoxon_p;
}

size_t compare_topics_needed(size_t pairs)
{
    size_t n = 1;

    for (double least = (double)pairs; least >= COMPARE_LEVEL; least /= 2)
        n++;
    return n;
}

bool comparison_is_decided(const struct comparison *c)
{
    return c->t_p < COMPARE_LEVEL && c->wilcoxon_p < COMPARE_LEVEL;
}
