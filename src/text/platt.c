/* platt.c - from the margins of a linear classifier to probabilities.
 *
 * Minimises F(slope, shift) = sum of -t ln p - (1 - t) ln(1 - p), which is convex
 * in both: with z = slope * m + shift it is ln(1 + e^z) - t z for each example.
 * SPDX-License-Identifier: MIT */
#include "text/platt.h"

#include <math.h>

#define STEPS    100   /* of Newton; ten are usual */
#define FLATNESS 1e-10 /* of the gradient where it ends */
#define RIDGE    1e-12 /* keeps the Hessian regular */
#define HALVINGS 40

/* Margins with their truth and the targets of the two classes. */
struct fit {
    const double *margins;
    const bool *positive;
    size_t n;
    double high, low;
};

/* Gradient and Hessian at a point. */
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

/* One step of Newton, halved until it helps; false where it is at the bottom. */
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
