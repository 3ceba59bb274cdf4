/* principal.c - the direction in which documents differ most: Lanczos on the
 * centred columns, which are never formed. See the header for the method.
 *
 * The small tridiagonal matrix needs its largest eigenvalue only: bisection on
 * "x I - T is positive definite", then inverse iteration from just above it, where
 * elimination needs no pivots. Its other diagonals are not negative, so the
 * wanted vector has one sign throughout and the start (1, 1, …) is never orthogonal to it.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/principal.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct columns {
    size_t n;
    uint32_t words;
    size_t *off;     /* n + 1: where a column begins */
    uint32_t *index; /* words, counted in the order they were met */
    float *value;
    double *square; /* |a_j|^2: 1, or 0 for an empty one */
};

/* ---- scaled columns ---- */

static void number_words(struct columns *c, const struct vec *docs, uint32_t **ret_df)
{
    uint32_t *df = NULL;
    size_t cap = 0, at = 0;
    struct map seen;

    map_init(&seen);
    for (size_t j = 0; j < c->n; j++) {
        c->off[j] = at;
        for (size_t i = 0; i < docs[j].n; i++) {
            bool is_new;
            uint32_t w = *map_at(&seen, hash_u64(docs[j].terms[i].id), c->words, &is_new);

            if (is_new) {
                MEM_GROW(df, c->words, &cap);
                df[c->words++] = 0;
            }
            df[w]++;
            c->index[at++] = w;
        }
    }
    c->off[c->n] = at;
    map_free(&seen);
    *ret_df = df;
}

static void scale_column(struct columns *c, const struct vec *doc, size_t j, const uint32_t *df,
                         enum vec_scaling scaling)
{
    float *value = c->value + c->off[j];
    double square = 0;

    for (size_t i = 0; i < doc->n; i++) {
        double x = doc->terms[i].count;

        if (scaling == VEC_TFIDF)
            x = vec_tf(doc->terms[i].count) * log(1 + (double)c->n / df[c->index[c->off[j] + i]]);
        value[i] = (float)x;
        square += x * x;
    }
    for (size_t i = 0; i < doc->n && square > 0; i++) {
        value[i] = (float)(value[i] / sqrt(square));
        c->square[j] += (double)value[i] * value[i];
    }
}

struct columns *columns_new(const struct vec *docs, size_t n, enum vec_scaling scaling)
{
    struct columns *c = MEM_NEW(struct columns);
    size_t numbers = 0;
    uint32_t *df;

    for (size_t j = 0; j < n; j++)
        numbers += docs[j].n;
    c->n = n;
    c->off = mem_zero(n + 1, sizeof *c->off);
    c->square = mem_zero(n + 1, sizeof *c->square);
    c->index = mem_zero(numbers + 1, sizeof *c->index);
    c->value = mem_zero(numbers + 1, sizeof *c->value);
    number_words(c, docs, &df);
    for (size_t j = 0; j < n; j++)
        scale_column(c, &docs[j], j, df, scaling);
    free(df);
    return c;
}

void columns_free(struct columns *c)
{
    if (c == NULL)
        return;
    free(c->off);
    free(c->square);
    free(c->index);
    free(c->value);
    free(c);
}

/* sum += x * a_j */
static inline void column_add(const struct columns *c, uint32_t j, double x, double *sum)
{
    for (size_t i = c->off[j]; i < c->off[j + 1]; i++)
        sum[c->index[i]] += x * c->value[i];
}

static inline double column_dot(const struct columns *c, uint32_t j, const double *with)
{
    double sum = 0;

    for (size_t i = c->off[j]; i < c->off[j + 1]; i++)
        sum += with[c->index[i]] * c->value[i];
    return sum;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double columns_scatter(const struct columns *c, const uint32_t *list, size_t m, double *ret_mean)
{
    double *mean = ret_mean ? ret_mean : mem_alloc((c->words + 1) * sizeof *mean);
    double squares = 0, scatter;

    memset(mean, 0, c->words * sizeof *mean);
    for (size_t j = 0; j < m; j++) {
        column_add(c, list[j], 1 / (double)m, mean);
        squares += c->square[list[j]];
    }
    scatter = squares - (double)m * dot(mean, mean, c->words);
    if (mean != ret_mean)
        free(mean);
    return scatter > 0 ? scatter : 0;
}

/* ---- the tridiagonal matrix ---- */

struct tridiagonal {
    size_t n;
    double alpha[PRINCIPAL_STEPS]; /* its diagonal */
    double beta[PRINCIPAL_STEPS];  /* beta[i] is between i and i + 1 */
};

/* Is x I - T positive definite? Then all eigenvalues are below x. */
static bool is_above(const struct tridiagonal *t, double x)
{
    double d = x - t->alpha[0];

    for (size_t i = 1; i < t->n && d > 0; i++)
        d = x - t->alpha[i] - t->beta[i - 1] * t->beta[i - 1] / d;
    return d > 0;
}

/* Returns a number just above the largest eigenvalue. */
static double tridiagonal_top(const struct tridiagonal *t)
{
    double low = t->alpha[0], high = 0;

    for (size_t i = 0; i < t->n; i++) {
        double reach = (i > 0 ? t->beta[i - 1] : 0) + (i + 1 < t->n ? t->beta[i] : 0);

        low = fmax(low, t->alpha[i]);
        high = fmax(high, t->alpha[i] + reach); /* Gershgorin */
    }
    high = high * (1 + 1e-9) + 1e-300;
    for (int i = 0; i < 100 && high - low > 1e-14 * high; i++) {
        double middle = low + (high - low) / 2;

        if (is_above(t, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Solves (x I - T) s = s, in place; x is above all eigenvalues. */
static void tridiagonal_solve(const struct tridiagonal *t, double x, double *s)
{
    double d[PRINCIPAL_STEPS];

    d[0] = x - t->alpha[0];
    for (size_t i = 1; i < t->n; i++) {
        double l = t->beta[i - 1] / d[i - 1];

        d[i] = x - t->alpha[i] - l * t->beta[i - 1];
        s[i] += l * s[i - 1];
    }
    for (size_t i = t->n; i-- > 0;)
        s[i] = (s[i] + (i + 1 < t->n ? t->beta[i] * s[i + 1] : 0)) / d[i];
}

/* Returns the largest eigenvalue, and its vector, of length 1, in ret_s. */
static double tridiagonal_leading(const struct tridiagonal *t, double *ret_s)
{
    double top = tridiagonal_top(t);

    for (size_t i = 0; i < t->n; i++)
        ret_s[i] = 1;
    for (int round = 0; round < 3; round++) {
        double length;

        tridiagonal_solve(t, top, ret_s);
        length = sqrt(dot(ret_s, ret_s, t->n));
        for (size_t i = 0; i < t->n; i++)
            ret_s[i] /= length;
    }
    return top;
}

/* ---- Lanczos ---- */

struct lanczos {
    const struct columns *columns;
    const uint32_t *list;
    size_t m;
    double *mean;    /* w, words long */
    double *image;   /* t = C q, words long */
    double *basis;   /* rows of m: q_0, q_1, … orthonormal */
    double *next;    /* m: what will be the next row */
    double scatter;  /* the sum of all eigenvalues of C'C */
    double captured; /* of those found so far: the trace of `t` */
    size_t block;    /* row of `t` where the last start was made */
    struct tridiagonal t;
    double s[PRINCIPAL_STEPS]; /* leading vector of t */
};

/* image = C y */
static void to_words(struct lanczos *l, const double *y)
{
    double sum = 0;

    memset(l->image, 0, l->columns->words * sizeof *l->image);
    for (size_t j = 0; j < l->m; j++) {
        column_add(l->columns, l->list[j], y[j], l->image);
        sum += y[j];
    }
    for (size_t i = 0; i < l->columns->words; i++)
        l->image[i] -= sum * l->mean[i];
}

/* ret = C' image */
static void to_documents(const struct lanczos *l, double *ret)
{
    double middle = dot(l->mean, l->image, l->columns->words);

    for (size_t j = 0; j < l->m; j++)
        ret[j] = column_dot(l->columns, l->list[j], l->image) - middle;
}

/* The image of the start: the column farthest from the mean, centred. */
static void start_image(struct lanczos *l)
{
    double best = -1;
    size_t far = 0;

    for (size_t j = 0; j < l->m; j++) {
        /* minus |w|^2, which all have in common */
        double d = l->columns->square[l->list[j]] - 2 * column_dot(l->columns, l->list[j], l->mean);

        if (j == 0 || d > best + 1e-9) {
            best = d;
            far = j;
        }
    }
    for (size_t i = 0; i < l->columns->words; i++)
        l->image[i] = -l->mean[i];
    column_add(l->columns, l->list[far], 1, l->image);
}

/* Removes its part in the basis from `next`; returns the length of the rest. */
static double orthogonalise(struct lanczos *l)
{
    for (size_t i = 0; i < l->t.n; i++) {
        const double *q = l->basis + i * l->m;
        double part = dot(l->next, q, l->m);

        for (size_t j = 0; j < l->m; j++)
            l->next[j] -= part * q[j];
    }
    return sqrt(dot(l->next, l->next, l->m));
}

/* The basis cannot grow, but something larger may lie outside it: continues with the first document
 * that does, centred. Returns its length. */
static double another_start(struct lanczos *l)
{
    for (size_t from = 0; from < l->m; from++) {
        double length;

        for (size_t j = 0; j < l->m; j++)
            l->next[j] = (j == from) - 1 / (double)l->m;
        length = orthogonalise(l);
        if (length > 1e-3)
            return length;
    }
    return 0;
}

static void add_to_basis(struct lanczos *l, double length)
{
    double *q = l->basis + l->t.n * l->m;

    for (size_t j = 0; j < l->m; j++)
        q[j] = l->next[j] / length;
}

/* Is the leading vector accurate enough? One that lies before the last start is, but something
 * larger may still grow from there. */
static bool has_converged(const struct lanczos *l, double top, double length, double tolerance)
{
    double here = dot(l->s + l->block, l->s + l->block, l->t.n - l->block);

    return here > .5 && length * fabs(l->s[l->t.n - 1]) <= tolerance * top;
}

/* One step: adds a row to the tridiagonal matrix. Returns false at the end. */
static bool lanczos_step(struct lanczos *l, double tolerance)
{
    struct tridiagonal *t = &l->t;
    double top, length, alpha;

    to_words(l, l->basis + t->n * l->m);
    alpha = dot(l->image, l->image, l->columns->words);
    to_documents(l, l->next);
    t->alpha[t->n++] = alpha;
    l->captured += alpha;
    (void)orthogonalise(l); /* twice is enough (Kahan), once is not */
    length = orthogonalise(l);
    t->beta[t->n - 1] = length;
    top = tridiagonal_leading(t, l->s);
    if (t->n == PRINCIPAL_STEPS || t->n >= l->m)
        return false;
    if (length > 1e-10 * top) {
        add_to_basis(l, length);
        return !has_converged(l, top, length, tolerance);
    }
    t->beta[t->n - 1] = 0;
    l->block = t->n;
    /* What lies outside the basis shares the rest of the sum of all eigenvalues. */
    if (top >= l->scatter - l->captured || (length = another_start(l)) == 0)
        return false;
    add_to_basis(l, length);
    return true;
}

/* u from the leading vector: of length 1, its first largest component positive. */
static void make_direction(struct lanczos *l)
{
    size_t words = l->columns->words, at = 0;
    double length, largest = 0;

    memset(l->next, 0, l->m * sizeof *l->next);
    for (size_t i = 0; i < l->t.n; i++)
        for (size_t j = 0; j < l->m; j++)
            l->next[j] += l->s[i] * l->basis[i * l->m + j];
    to_words(l, l->next);
    length = sqrt(dot(l->image, l->image, words));
    for (size_t i = 0; i < words; i++)
        largest = fmax(largest, fabs(l->image[i]));
    while (at < words && fabs(l->image[at]) < largest * (1 - 1e-6))
        at++;
    if (at < words && l->image[at] < 0)
        length = -length;
    for (size_t i = 0; i < words && length != 0; i++)
        l->image[i] /= length;
}

static void lanczos_run(struct lanczos *l, double tolerance)
{
    double length;

    start_image(l);
    to_documents(l, l->next);
    length = sqrt(dot(l->next, l->next, l->m));
    if (length > 1e-12) {
        add_to_basis(l, length);
        while (lanczos_step(l, tolerance))
            ;
    }
    make_direction(l); /* 0 if there was no step */
}

struct principal columns_principal(const struct columns *c, const uint32_t *list, size_t m,
                                   double tolerance, double *ret_v, double *ret_u)
{
    size_t rows = m < PRINCIPAL_STEPS ? m : PRINCIPAL_STEPS;
    struct lanczos l = {.columns = c, .list = list, .m = m};
    struct principal ret;

    l.mean = mem_zero(c->words + 1, sizeof *l.mean);
    l.image = mem_zero(c->words + 1, sizeof *l.image);
    l.basis = mem_zero(rows * m, sizeof *l.basis);
    l.next = mem_zero(m, sizeof *l.next);
    l.scatter = columns_scatter(c, list, m, l.mean);
    lanczos_run(&l, tolerance);
    to_documents(&l, ret_v);
    if (ret_u)
        memcpy(ret_u, l.image, c->words * sizeof *ret_u);
    ret = (struct principal){.sigma = sqrt(dot(ret_v, ret_v, m)), .steps = (unsigned)l.t.n};
    free(l.mean);
    free(l.image);
    free(l.basis);
    free(l.next);
    return ret;
}
