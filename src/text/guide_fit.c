/* guide_fit.c - pages as vectors, the topic's words as a vector, and a linear fit to them.
 * SPDX-License-Identifier: MIT */
#include "text/guide_fit.h"

#include "base/mem.h"
#include "text/lens.h"
#include "text/topic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STILL \
    0.003 /* of the largest alpha: a regression ends after a pass that moves none by more */
#define NEAR  1e-6 /* a solution ends when this share of the first error is left … */
#define STEPS 500  /* … or after this many, if the digits do not suffice for that */

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

/* An example in the equations (x x' + 1 + 1 / (2 cost)) alpha = y - start x. The first two terms of
 * the matrix are there for all pairs of examples, the third only on the diagonal. */
struct unknown {
    struct example *of;
    double diagonal;
    double rest;         /* how far apart the two sides still are */
    double step, change; /* the next step of alpha, and what it does to the left side */
};

/* Computes the changes from the sum of all vectors times their steps. */
static void multiply(struct unknown *u, size_t n, float *sum, size_t nterms)
{
    double steps = 0;

    memset(sum, 0, nterms * sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        guide_add_to(u[i].of->page, u[i].step, sum);
        steps += u[i].step;
    }
    for (size_t i = 0; i < n; i++)
        u[i].change = guide_dot(u[i].of->page, sum) + steps + u[i].step / (2 * u[i].of->cost);
}

/* Takes the step and chooses the next one. `far` is the sum of the squares of the rests, each
 * divided by its diagonal. Returns its new value. */
static double go(struct unknown *u, size_t n, double far)
{
    double along = 0, left = 0;

    for (size_t i = 0; i < n; i++)
        along += u[i].step * u[i].change;
    for (size_t i = 0; i < n; i++) {
        u[i].of->alpha += far / along * u[i].step;
        u[i].rest -= far / along * u[i].change;
        left += u[i].rest * u[i].rest / u[i].diagonal;
    }
    for (size_t i = 0; i < n; i++)
        u[i].step = u[i].rest / u[i].diagonal + left / far * u[i].step;
    return left;
}

/* Conjugate gradients, preconditioned by the diagonal (Hestenes and Stiefel 1952): the vectors of
 * pages are short, so a step costs far less than a look at all pairs of examples, and some forty
 * steps are enough. */
void guide_solve(struct example *all, size_t n, size_t nterms, float *w, double *bias)
{
    struct unknown *u = mem_zero(n + 1, sizeof *u);
    float *sum = mem_zero(nterms + 1, sizeof *sum);
    double first = 0, far;
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        struct example *e = &all[i];
        double diagonal = e->page->square + 1 + 1 / (2 * e->cost), rest;

        if (e->cost <= 0)
            continue;
        rest = e->y - guide_dot(e->page, w) - *bias;
        u[count++] = (struct unknown){e, diagonal, rest, rest / diagonal, 0};
        first += rest * rest / diagonal;
    }
    far = first;
    for (int step = 0; step < STEPS && far > NEAR * NEAR * first; step++) {
        multiply(u, count, sum, nterms);
        far = go(u, count, far);
    }
    for (size_t i = 0; i < count; i++) {
        guide_add_to(u[i].of->page, u[i].of->alpha, w);
        *bias += u[i].of->alpha;
    }
    free(u);
    free(sum);
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
