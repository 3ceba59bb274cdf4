/* estimate.c - how good a classifier is, by examples it was not trained on.
 *
 * Workload: once a crawl, some ten to a few thousand examples.
 * SPDX-License-Identifier: MIT */
#include "text/estimate.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define FEW   5    /* examples of a class: with fewer the figures say little */
#define BLUR  0.75 /* below this AUC the examples hardly differ */
#define LEAST 1e-15

struct ranked_margin {
    double margin;
    bool is_positive;
};

static int margin_cmp(const void *a, const void *b)
{
    double x = ((const struct ranked_margin *)a)->margin,
           y = ((const struct ranked_margin *)b)->margin;

    return x < y ? -1 : x > y;
}

/* Counts the pairs of a positive and a negative example that are in the right order;
 * ties count half. */
static double area(const double *margins, const bool *positive, size_t n, double pairs)
{
    struct ranked_margin *all = mem_zero(n + 1, sizeof *all);
    double below = 0, sum = 0;

    for (size_t i = 0; i < n; i++)
        all[i] = (struct ranked_margin){margins[i], positive[i]};
    qsort(all, n, sizeof *all, margin_cmp);
    for (size_t i = 0, end; i < n; i = end) {
        double plus = 0, minus = 0;

        for (end = i; end < n && all[end].margin == all[i].margin; end++) {
            plus += all[end].is_positive;
            minus += !all[end].is_positive;
        }
        sum += plus * (below + minus / 2);
        below += minus;
    }
    free(all);
    return pairs > 0 ? sum / pairs : 0;
}

void estimate_fill(struct estimate *e, const double *margins, const double *probabilities,
                   const bool *positive, size_t n)
{
    double called = 0, found = 0, right = 0, loss = 0;

    e->positive = 0;
    for (size_t i = 0; i < n; i++) {
        bool call = probabilities[i] >= 0.5;
        double truth = positive[i] ? probabilities[i] : 1 - probabilities[i];

        e->positive += positive[i];
        called += call;
        found += call && positive[i];
        right += call == positive[i];
        loss -= log(truth > LEAST ? truth : LEAST);
    }
    e->negative = n - e->positive;
    e->accuracy = n ? right / (double)n : 0;
    e->precision = called > 0 ? found / called : 0;
    e->recall = e->positive ? found / (double)e->positive : 0;
    e->log_loss = n ? loss / (double)n : 0;
    e->auc = area(margins, positive, n, (double)e->positive * (double)e->negative);
}

void estimate_describe(const struct estimate *e, struct buf *out)
{
    if (e->folds == 0)
        buf_add_z(out, "not estimated: at least two examples of either kind are needed");
    else
        buf_addf(out, "held-out accuracy %.2f, AUC %.2f, precision %.2f, recall %.2f (%u-fold)",
                 e->accuracy, e->auc, e->precision, e->recall, e->folds);
}

void estimate_doubt(const struct estimate *e, struct buf *out)
{
    bool few_positive = e->positive <= e->negative;
    size_t least = few_positive ? e->positive : e->negative;

    if (e->folds > 0 && e->auc < BLUR)
        buf_add_z(out, "very unsure: by their words the examples hardly differ");
    else if (least < FEW)
        buf_addf(out, "unsure: only %zu %s example%s (give at least %d)", least,
                 few_positive ? "positive" : "negative", least == 1 ? "" : "s", FEW);
    else
        buf_add_z(out, "a probability, calibrated on the examples");
}

/* ---- from margins to probabilities ----
 *
 * Minimises F(slope, shift) = sum of -t ln p - (1 - t) ln(1 - p), which is convex
 * in both: with z = slope * m + shift it is ln(1 + e^z) - t z for each example. */

#define STEPS    100   /* of Newton; ten are usual */
#define FLATNESS 1e-10 /* of the gradient where it ends */
#define RIDGE    1e-12 /* keeps the Hessian invertible */
#define HALVINGS 40

/* Margins with their truth and the targets of the two classes. */
struct fit {
    const double *margins;
    const bool *positive;
    size_t n;
    double high, low;
};

/* The gradient and the Hessian at a point. */
struct slope_at {
    double ga, gb, haa, hab, hbb;
};

static double logistic(double z)
{
    return z >= 0 ? 1 / (1 + exp(-z)) : exp(z) / (1 + exp(z));
}

double platt_probability(const struct platt *p, double margin)
{
    return logistic(p->slope * margin + p->shift);
}

static double loss(const struct fit *f, struct platt at)
{
    double sum = 0;

    for (size_t i = 0; i < f->n; i++) {
        double z = at.slope * f->margins[i] + at.shift;
        double target = f->positive[i] ? f->high : f->low;

        sum += z >= 0 ? log1p(exp(-z)) + (1 - target) * z : log1p(exp(z)) - target * z;
    }
    return sum;
}

static struct slope_at derive(const struct fit *f, struct platt at)
{
    struct slope_at d = {.haa = RIDGE, .hbb = RIDGE};

    for (size_t i = 0; i < f->n; i++) {
        double m = f->margins[i], p = platt_probability(&at, m);
        double error = p - (f->positive[i] ? f->high : f->low), spread = p * (1 - p);

        d.ga += error * m;
        d.gb += error;
        d.haa += spread * m * m;
        d.hab += spread * m;
        d.hbb += spread;
    }
    return d;
}

/* Takes one Newton step, halved until it helps. Returns false at the minimum. */
static bool step(const struct fit *f, struct platt *at)
{
    struct slope_at d = derive(f, *at);
    double det = d.haa * d.hbb - d.hab * d.hab, size = 1, before = loss(f, *at);
    double da = -(d.hbb * d.ga - d.hab * d.gb) / det, db = -(d.haa * d.gb - d.hab * d.ga) / det;
    double fall = d.ga * da + d.gb * db;

    if ((fabs(d.ga) < FLATNESS && fabs(d.gb) < FLATNESS) || !(det > 0))
        return false;
    for (int i = 0; i < HALVINGS; i++, size /= 2) {
        struct platt next = {at->slope + size * da, at->shift + size * db};

        if (loss(f, next) <= before + 1e-4 * size * fall) {
            bool moved = next.slope != at->slope || next.shift != at->shift;

            *at = next;
            return moved;
        }
    }
    return false;
}

bool platt_fit(const double *margins, const bool *positive, size_t n, struct platt *ret)
{
    struct fit f = {.margins = margins, .positive = positive, .n = n};
    struct platt at = {0};
    double plus = 0, minus;

    for (size_t i = 0; i < n; i++)
        plus += positive[i];
    minus = (double)n - plus;
    if (plus == 0 || minus == 0)
        return false;
    f.high = (plus + 1) / (plus + 2);
    f.low = 1 / (minus + 2);
    at.shift = log((plus + 1) / (minus + 1));
    for (int i = 0; i < STEPS && step(&f, &at); i++)
        ;
    if (!(at.slope > 0) || !isfinite(at.slope) || !isfinite(at.shift))
        return false;
    *ret = at;
    return true;
}
