/* tron.c - the weights of a linear classifier.
 *
 * Workload: most of the time is spent on products of all rows with a vector. Sums run in the order
 * of the features, so each addition waits for the one before it; hence four rows take turns.
 * SPDX-License-Identifier: MIT */
#include "text/tron.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step is good if the loss falls by these shares of what was predicted. */
#define TAKEN  1e-4
#define POOR   0.25
#define GOOD   0.75
/* Factors of the region's radius. */
#define LEAST  0.25
#define HALF   0.5
#define WIDER  4.0

#define SOFTEN 0.01 /* share of the Hessian's diagonal in the preconditioner */
#define FINE   0.1  /* relative size of the last residue of a step */
#define ROUGH  0.5
#define STEPS  1000
#define TINY   1e-12

/* A search for w, with its vectors; those of the second block have an entry for each row. */
struct tron {
    const struct tron_problem *p;
    const struct tron_row **rows; /* the positive ones first */
    size_t n, l;                  /* features, rows */
    double *w, *next;
    double *gradient, *scale, *step, *residue; /* scale: of the preconditioner */
    double *z, *d, *hd;                        /* of the conjugate gradients */
    double *margins;
    const struct tron_row **active; /* rows that the gradient and the Hessian depend on */
    double *slopes, *curves;        /* derivatives of their losses; curves without the cost */
    size_t nactive;
};

/* ---- vectors ---- */

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* to += by x */
static void add(double *restrict to, double by, const double *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += by * x[i];
}

/* The product of a and b by the preconditioner, in the order of liblinear: five at a time. */
static double scaled_dot(const struct tron *t, const double *a, const double *b)
{
    const double *m = t->scale;
    double sum = 0;
    size_t i = 0;

    for (; i + 4 < t->n; i += 5)
        sum += a[i] * m[i] * b[i] + a[i + 1] * m[i + 1] * b[i + 1] +
               a[i + 2] * m[i + 2] * b[i + 2] + a[i + 3] * m[i + 3] * b[i + 3] +
               a[i + 4] * m[i + 4] * b[i + 4];
    for (; i < t->n; i++)
        sum += a[i] * m[i] * b[i];
    return sum;
}

/* ---- rows ---- */

/* The rest of a product, from feature number `k` of the row on. */
static double row_dot_from(const struct tron_row *r, const double *v, size_t k, double sum)
{
    for (; k < r->count; k++)
        sum += v[r->at[k]] * r->x[k];
    return sum;
}

static void dot_four(const struct tron_row *const rows[4], const double *v, double ret[4])
{
    const struct tron_row a = *rows[0], b = *rows[1], c = *rows[2], d = *rows[3];
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t n = a.count, k;

    n = b.count < n ? b.count : n;
    n = c.count < n ? c.count : n;
    n = d.count < n ? d.count : n;
    for (k = 0; k < n; k++) {
        s0 += v[a.at[k]] * a.x[k];
        s1 += v[b.at[k]] * b.x[k];
        s2 += v[c.at[k]] * c.x[k];
        s3 += v[d.at[k]] * d.x[k];
    }
    ret[0] = row_dot_from(&a, v, k, s0);
    ret[1] = row_dot_from(&b, v, k, s1);
    ret[2] = row_dot_from(&c, v, k, s2);
    ret[3] = row_dot_from(&d, v, k, s3);
}

static void row_add(const struct tron_row *r, double by, double *to)
{
    const uint32_t *at = r->at;
    const double *x = r->x;

    for (size_t k = 0, n = r->count; k < n; k++)
        to[at[k]] += by * x[k];
}

/* ret: the product of each row with v. */
static void multiply(const struct tron_row *const *rows, size_t n, const double *v, double *ret)
{
    size_t i = 0;

    for (; i + 4 <= n; i += 4)
        dot_four(rows + i, v, ret + i);
    for (; i < n; i++)
        ret[i] = row_dot_from(rows[i], v, 0, 0);
}

static double cost_of(const struct tron *t, const struct tron_row *r)
{
    return t->p->cost[r->is_positive];
}

static double sign_of(const struct tron_row *r)
{
    return r->is_positive ? 1 : -1;
}

/* ---- the function, its gradient and its Hessian ---- */

/* Computes the function, and the margins with which derive() goes on. */
static double value_at(struct tron *t, const double *w)
{
    double sum = dot(w, w, t->n) / 2;

    multiply(t->rows, t->l, w, t->margins);
    for (size_t i = 0; i < t->l; i++) {
        double cost = cost_of(t, t->rows[i]), m = sign_of(t->rows[i]) * t->margins[i];

        if (!t->p->is_logistic)
            sum += m < 1 ? cost * (1 - m) * (1 - m) : 0;
        else if (m >= 0)
            sum += cost * log(1 + exp(-m));
        else
            sum += cost * (-m + log(1 + exp(m)));
        t->margins[i] = m;
    }
    return sum;
}

/* Computes slopes and curves at the last margins, of the rows that have any. */
static void derive_rows(struct tron *t)
{
    t->nactive = 0;
    for (size_t i = 0; i < t->l; i++) {
        double cost = cost_of(t, t->rows[i]), y = sign_of(t->rows[i]), m = t->margins[i];
        double share = t->p->is_logistic ? 1 / (1 + exp(-m)) : m;

        if (share >= 1 && !t->p->is_logistic)
            continue;
        t->active[t->nactive] = t->rows[i];
        t->slopes[t->nactive] = t->p->is_logistic ? cost * (share - 1) * y : cost * y * (share - 1);
        t->curves[t->nactive++] = t->p->is_logistic ? share * (1 - share) : 1;
    }
}

/* The squared loss is derived without its factor of 2, which is applied at the end. */
static double factor(const struct tron *t)
{
    return t->p->is_logistic ? 1 : 2;
}

/* The gradient at w, where value_at() was called last. */
static void derive(struct tron *t, const double *w)
{
    double *g = t->gradient;

    derive_rows(t);
    memset(g, 0, t->n * sizeof *g);
    for (size_t i = 0; i < t->nactive; i++)
        row_add(t->active[i], t->slopes[i], g);
    for (size_t i = 0; i < t->n; i++)
        g[i] = w[i] + factor(t) * g[i];
}

static void precondition(struct tron *t)
{
    for (size_t i = 0; i < t->n; i++)
        t->scale[i] = 1;
    for (size_t i = 0; i < t->nactive; i++) {
        const struct tron_row *r = t->active[i];
        double cost = cost_of(t, r), curve = factor(t) * t->curves[i];

        for (size_t k = 0; k < r->count; k++)
            t->scale[r->at[k]] += r->x[k] * r->x[k] * cost * curve;
    }
    for (size_t i = 0; i < t->n; i++)
        t->scale[i] = (1 - SOFTEN) + SOFTEN * t->scale[i];
}

/* hd = the Hessian times d. Returns d hd; what is done in the same loop costs nothing, since the
 * additions of the sum wait for each other. */
static double bend(struct tron *t)
{
    double by = factor(t), sum = 0;
    size_t i = 0;

    memset(t->hd, 0, t->n * sizeof *t->hd);
    for (; i < t->nactive; i += 4) {
        size_t n = t->nactive - i < 4 ? t->nactive - i : 4;
        double products[4];

        multiply(t->active + i, n, t->d, products);
        for (size_t k = 0; k < n; k++)
            row_add(t->active[i + k], cost_of(t, t->active[i + k]) * t->curves[i + k] * products[k],
                    t->hd);
    }
    for (i = 0; i < t->n; i++) {
        double h = t->hd[i] = t->d[i] + by * t->hd[i];

        sum += t->d[i] * h;
    }
    return sum;
}

/* Takes `by` hd off the residue, and sets z. Returns z times the residue. */
static double reduce_residue(struct tron *t, double by)
{
    double sum = 0;

    for (size_t i = 0; i < t->n; i++) {
        double r = t->residue[i] -= by * t->hd[i];

        t->z[i] = r / t->scale[i];
        sum += t->z[i] * r;
    }
    return sum;
}

/* ---- a step ---- */

/* Goes from inside the region to its boundary. */
static void walk_to_boundary(struct tron *t, double radius)
{
    double sd = scaled_dot(t, t->step, t->d), ss = scaled_dot(t, t->step, t->step);
    double dd = scaled_dot(t, t->d, t->d), square = radius * radius;
    double root = sqrt(sd * sd + dd * (square - ss));
    double by = sd >= 0 ? (square - ss) / (sd + root) : (root - sd) / dd;

    add(t->step, by, t->d, t->n);
    add(t->residue, -by, t->hd, t->n);
}

/* Finds the step by conjugate gradients. Returns true if it ends at the boundary. */
static bool find_step(struct tron *t, double radius)
{
    double zr, end;
    size_t most = t->n + 5;

    for (size_t i = 0; i < t->n; i++) {
        t->step[i] = 0;
        t->residue[i] = -t->gradient[i];
        t->d[i] = t->z[i] = t->residue[i] / t->scale[i];
    }
    zr = dot(t->z, t->residue, t->n);
    end = (t->p->is_near ? ROUGH : FINE) * sqrt(zr);
    for (; sqrt(zr) > end && most > 0; most--) {
        double by = zr / bend(t), now, share;

        add(t->step, by, t->d, t->n);
        if (sqrt(scaled_dot(t, t->step, t->step)) > radius) {
            add(t->step, -by, t->d, t->n);
            walk_to_boundary(t, radius);
            return true;
        }
        now = reduce_residue(t, by);
        share = now / zr;
        for (size_t i = 0; i < t->n; i++)
            t->d[i] = share * t->d[i] + t->z[i];
        zr = now;
    }
    return false;
}

/* How a step turned out. */
struct outcome {
    double length, predicted, actual;
    double best; /* factor of the step that a parabola through the values would advise */
    bool at_boundary;
};

static double next_radius(const struct outcome *o, double radius)
{
    double advised = o->best * o->length;

    if (o->actual < TAKEN * o->predicted)
        return fmin(advised, HALF * radius);
    if (o->actual < POOR * o->predicted)
        return fmax(LEAST * radius, fmin(advised, HALF * radius));
    if (o->actual < GOOD * o->predicted)
        return fmax(LEAST * radius, fmin(advised, WIDER * radius));
    return o->at_boundary ? WIDER * radius : fmax(radius, fmin(advised, WIDER * radius));
}

/* Tries a step from a place with this value. Returns the value there. */
static double try_step(struct tron *t, double value, double radius, struct outcome *ret)
{
    double down, there;

    ret->at_boundary = find_step(t, radius);
    memcpy(t->next, t->w, t->n * sizeof *t->w);
    add(t->next, 1, t->step, t->n);
    down = dot(t->gradient, t->step, t->n);
    ret->predicted = -0.5 * (down - dot(t->step, t->residue, t->n));
    there = value_at(t, t->next);
    ret->actual = value - there;
    ret->length = sqrt(scaled_dot(t, t->step, t->step));
    ret->best =
        there - value - down <= 0 ? WIDER : fmax(LEAST, -0.5 * (down / (there - value - down)));
    return there;
}

static bool is_over(const struct outcome *o, double value)
{
    return o->predicted <= 0 ||
           (fabs(o->actual) <= TINY * fabs(value) && fabs(o->predicted) <= TINY * fabs(value));
}

static double length_of(const double *v, size_t n)
{
    return sqrt(dot(v, v, n));
}

static void descend(struct tron *t, double end)
{
    double value = value_at(t, t->w), radius = 0;
    bool is_first = true;

    derive(t, t->w);
    for (int steps = 0; steps < STEPS && length_of(t->gradient, t->n) > end;) {
        struct outcome o;
        double there;

        precondition(t);
        if (is_first)
            radius = sqrt(scaled_dot(t, t->gradient, t->gradient));
        there = try_step(t, value, radius, &o);
        if (is_first)
            radius = fmin(radius, o.length);
        is_first = false;
        radius = next_radius(&o, radius);
        if (o.actual > TAKEN * o.predicted) {
            steps++;
            value = there;
            memcpy(t->w, t->next, t->n * sizeof *t->w);
            derive(t, t->w);
        }
        if (is_over(&o, value))
            return;
    }
}

/* The gradient's length at w = 0, with which others are compared. */
static double first_length(struct tron *t)
{
    memset(t->next, 0, t->n * sizeof *t->next);
    (void)value_at(t, t->next);
    derive(t, t->next);
    return length_of(t->gradient, t->n);
}

/* Puts the rows in order. Returns the smaller number of one kind, at least 1. */
static double sort_rows(struct tron *t)
{
    size_t positive = 0, fewer;

    for (int kind = 1; kind >= 0; kind--)
        for (size_t i = 0; i < t->p->nrows; i++)
            if (t->p->rows[i].is_positive == kind)
                t->rows[t->l++] = &t->p->rows[i];
    while (positive < t->l && t->rows[positive]->is_positive)
        positive++;
    fewer = positive < t->l - positive ? positive : t->l - positive;
    return fewer > 1 ? (double)fewer : 1;
}

void tron_solve(const struct tron_problem *p, double *w)
{
    struct tron t = {.p = p, .n = p->nfeatures, .w = w};
    double **const of_features[] = {&t.next,    &t.gradient, &t.scale, &t.step,
                                    &t.residue, &t.z,        &t.d,     &t.hd};
    double **const of_rows[] = {&t.margins, &t.slopes, &t.curves};
    LOCAL_HEAP const struct tron_row **rows = mem_alloc((2 * p->nrows + 1) * sizeof *rows);
    LOCAL_HEAP double *block = mem_alloc(
        (ARRAY_LEN(of_features) * t.n + ARRAY_LEN(of_rows) * p->nrows + 1) * sizeof *block);
    double *at = block, fewer;

    for (size_t i = 0; i < ARRAY_LEN(of_features); i++, at += t.n)
        *of_features[i] = at;
    for (size_t i = 0; i < ARRAY_LEN(of_rows); i++, at += p->nrows)
        *of_rows[i] = at;
    t.rows = rows;
    t.active = rows + p->nrows;
    fewer = sort_rows(&t);
    descend(&t, p->epsilon * fewer / (double)t.l * first_length(&t));
}
