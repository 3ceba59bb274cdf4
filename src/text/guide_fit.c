/* guide_fit.c - pages as vectors, the topic's words as a vector, and a linear fit to them.
 * SPDX-License-Identifier: MIT */
#include "text/guide_fit.h"

#include "base/mem.h"
#include "text/lens.h"
#include "text/topic.h"

#include <math.h>
#include <stdlib.h>

#define STILL \
    0.003 /* of the largest alpha: a regression ends after a pass that moves none by more */

/* ---- pages ---- */

float *guide_weights(const struct guide *g, struct guide_page *pages, size_t n)
{
    size_t all = 0;
    float *block, *at;

    for (size_t i = 0; i < n; i++)
        all += pages[i].nterms;
    block = at = mem_alloc((all + 1) * sizeof *block);
    for (size_t i = 0; i < n; i++) {
        struct guide_page *p = &pages[i];

        p->x = at;
        p->square = 0;
        at += p->nterms;
        for (uint32_t k = 0; k < p->nterms; k++) {
            p->x[k] = (float)lens_tf(p->terms[k].count) * g->idf[p->terms[k].id];
            p->square += (double)p->x[k] * (double)p->x[k];
        }
    }
    return block;
}

void guide_divide(const struct guide *g, struct guide_page *pages, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct guide_page *p = &pages[i];
        double length = guide_length(g, sqrt(p->square));
        float by = p->square > 0 ? (float)(1 / length) : 1;

        for (uint32_t k = 0; k < p->nterms; k++)
            p->x[k] *= by;
        p->square *= (double)by * (double)by;
    }
}

float *guide_vectors(const struct guide *g, struct guide_page *pages, size_t n)
{
    float *block = guide_weights(g, pages, n);

    guide_divide(g, pages, n);
    return block;
}

/* Training spends its time here: four sums run side by side, and no number is converted. */
double guide_dot(const struct guide_page *p, const float *with)
{
    float sum[4] = {0, 0, 0, 0};
    const struct term *t = p->terms;
    const float *x = p->x, *end = p->x + p->nterms;

    for (; end - x >= 4; x += 4, t += 4) {
        sum[0] += x[0] * with[t[0].id];
        sum[1] += x[1] * with[t[1].id];
        sum[2] += x[2] * with[t[2].id];
        sum[3] += x[3] * with[t[3].id];
    }
    for (; x < end; x++, t++)
        sum[0] += *x * with[t->id];
    return (double)(sum[0] + sum[1]) + (double)(sum[2] + sum[3]);
}

void guide_add_to(const struct guide_page *p, double share, float *to)
{
    const struct term *t = p->terms;
    float by = (float)share;

    for (const float *x = p->x, *end = p->x + p->nterms; x < end; x++, t++)
        to[t->id] += by * *x;
}

static void clear_terms(const struct guide_page *p, float *x)
{
    for (uint32_t k = 0; k < p->nterms; k++)
        x[p->terms[k].id] = 0;
}

double guide_make_length(float *v, size_t n, double length)
{
    double square = 0, by;

    for (size_t i = 0; i < n; i++)
        square += (double)v[i] * (double)v[i];
    by = square > 0 ? length / sqrt(square) : 0;
    for (size_t i = 0; i < n; i++)
        v[i] = (float)((double)v[i] * by);
    return by;
}

/* ---- the topic ---- */

void guide_place_words(struct guide *g)
{
    for (size_t i = 0; i < topic_terms(g->topic); i++) {
        float weight;
        uint32_t id;

        (void)topic_term(g->topic, i, &weight, &id);
        (void)guide_place(g, id);
    }
    for (size_t i = 0; i < topic_against(g->topic); i++) {
        float weight;

        (void)guide_place(g, topic_against_term(g->topic, i, &weight));
    }
}

/* Adds what the topic's negative words take away, by place, on the scale of q: they weigh as much
 * as positive words, and do not lower the weights of those. */
static void take_against(struct guide *g, float *q)
{
    double square = 0;

    for (size_t i = 0; i < topic_terms(g->topic); i++) {
        float weight;
        uint32_t id;

        (void)topic_term(g->topic, i, &weight, &id);
        weight *= g->idf[guide_place(g, id)];
        square += (double)weight * (double)weight;
    }
    for (size_t i = 0; i < topic_against(g->topic) && square > 0; i++) {
        float weight;
        uint32_t at = guide_place(g, topic_against_term(g->topic, i, &weight));

        q[at] -= (float)((double)(weight * g->idf[at]) / sqrt(square));
    }
}

float *guide_words(struct guide *g)
{
    float *q = mem_zero(g->nterms + 1, sizeof *q);

    for (size_t i = 0; i < topic_terms(g->topic); i++) {
        float weight;
        uint32_t id, at;

        (void)topic_term(g->topic, i, &weight, &id);
        at = guide_place(g, id);
        q[at] += weight * g->idf[at];
    }
    (void)guide_make_length(q, g->nterms, 1);
    take_against(g, q);
    return q;
}

void guide_bar_words(struct guide *g, const float *q)
{
    for (size_t i = 0; i < topic_against(g->topic); i++) {
        float weight;
        uint32_t at = guide_place(g, topic_against_term(g->topic, i, &weight));

        g->w[at] = fminf(g->w[at], (float)GUIDE_PULL * q[at]);
    }
}

float guide_weight_of_share(double share)
{
    return share <= 0 ? 0 : (float)(share < 0.5 ? 4 * share * share : 1);
}

/* ---- a linear fit ---- */

/* Coordinate descent in the dual, always in the same order (Hsieh et al. 2008). */
void guide_fit(struct example *all, size_t n, bool hinge, int passes, float *w, double *bias)
{
    for (size_t i = 0; i < n; i++)
        all[i].square = all[i].cost > 0 ? all[i].page->square : 0;
    for (int pass = 0; pass < passes; pass++) {
        double moved = 0, most = 0;

        for (size_t i = 0; i < n; i++) {
            struct example *e = &all[i];
            double slack, alpha;

            if (e->cost <= 0)
                continue;
            slack = 1 / (2 * e->cost);
            alpha = e->alpha + (e->y - guide_dot(e->page, w) - *bias - e->alpha * slack) /
                                   (e->square + 1 + slack);
            if (hinge && alpha * e->y < 0)
                alpha = 0;
            guide_add_to(e->page, alpha - e->alpha, w);
            *bias += alpha - e->alpha;
            moved = fmax(moved, fabs(alpha - e->alpha));
            most = fmax(most, fabs(alpha));
            e->alpha = alpha;
        }
        if (!hinge && moved <= STILL * most)
            return;
    }
}

/* The lower half of x x' + 1 of all pairs, with 1 / (2 cost) added on the diagonal; row by row. */
static double *gram_matrix(const struct example *all, size_t n, size_t nterms)
{
    double *k = mem_zero(n * n + 1, sizeof *k);
    float *x = mem_zero(nterms + 1, sizeof *x);

    for (size_t i = 0; i < n; i++) {
        guide_add_to(all[i].page, 1, x);
        for (size_t j = 0; j <= i; j++)
            k[i * n + j] = guide_dot(all[j].page, x) + 1;
        k[i * n + i] += 1 / (2 * all[i].cost);
        clear_terms(all[i].page, x);
    }
    free(x);
    return k;
}

/* Four sums run side by side: most of the time of a solution is spent here. */
static double row_dot(const double *a, const double *b, size_t n)
{
    double sum[4] = {0, 0, 0, 0};
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        sum[0] += a[i] * b[i];
        sum[1] += a[i + 1] * b[i + 1];
        sum[2] += a[i + 2] * b[i + 2];
        sum[3] += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Solves k a = b in place of b, for a positive definite k, of which the lower half is given:
 * Cholesky's k = l l', row by row. */
static void solve(double *k, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++) {
        double *row = k + i * n;

        for (size_t j = 0; j < i; j++)
            row[j] = (row[j] - row_dot(row, k + j * n, j)) / k[j * n + j];
        row[i] = sqrt(row[i] - row_dot(row, row, i));
        b[i] = (b[i] - row_dot(row, b, i)) / row[i];
    }
    for (size_t i = n; i-- > 0;) {
        b[i] /= k[i * n + i];
        for (size_t j = 0; j < i; j++)
            b[j] -= k[i * n + j] * b[i];
    }
}

void guide_solve(struct example *all, size_t n, size_t nterms, float *w, double *bias)
{
    struct example *used = mem_zero(n + 1, sizeof *used);
    double *k, *alpha = mem_zero(n + 1, sizeof *alpha);
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (all[i].cost > 0)
            used[count++] = all[i];
    k = gram_matrix(used, count, nterms);
    for (size_t i = 0; i < count; i++)
        alpha[i] = used[i].y - guide_dot(used[i].page, w) - *bias;
    solve(k, count, alpha);
    for (size_t i = 0, at = 0; i < n; i++) {
        if (all[i].cost <= 0)
            continue;
        all[i].alpha = alpha[at++];
        guide_add_to(all[i].page, all[i].alpha, w);
        *bias += all[i].alpha;
    }
    free(used);
    free(alpha);
    free(k);
}

bool guide_balance(struct example *all, size_t n, double cost)
{
    double sum[2] = {0, 0}, total;

    for (size_t i = 0; i < n; i++)
        sum[all[i].y > 0] += all[i].cost;
    total = sum[0] + sum[1];
    if (sum[0] <= 0 || sum[1] <= 0)
        return false;
    for (size_t i = 0; i < n; i++)
        all[i].cost *= cost * total / (2 * sum[all[i].y > 0]);
    return true;
}
