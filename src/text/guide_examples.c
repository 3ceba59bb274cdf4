/* guide_examples.c - how a guide learns from example pages and start pages.
 * SPDX-License-Identifier: MIT */
#include "text/guide_fit.h"

#include "base/mem.h"
#include "text/topic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SVM        10.0 /* cost of an error with example pages */
#define SVM_PULL   2.0  /* length of the topic's words, from which its w begins */
#define SEED_LEAST 0.25 /* p of the most probable start page, if no start page has more */
#define FOLDS      5
#define SVM_PASSES 200 /* for one SVM: it has a few dozen examples */

/* Takes over the topic's examples and the user's marks, and the start pages behind them. Start pages
 * do not count yet. */
static void take_examples(struct guide *g, struct guide_page *pages, struct example *all, size_t n)
{
    size_t samples = topic_samples(g->topic);

    for (size_t i = 0; i < n; i++) {
        size_t nterms = 0;
        bool is_positive;

        if (i < samples) {
            const struct term *terms = topic_sample(g->topic, i, &nterms, &is_positive);

            guide_keep_terms(g, &pages[i], terms, nterms);
        } else {
            pages[i] = g->marks[i - samples]; /* its terms are lent */
            is_positive = pages[i].seed > 0;
        }
        all[i] = (struct example){.page = &pages[i], .y = is_positive ? 1 : -1, .cost = 1};
    }
    for (size_t i = 0; i < g->npages; i++)
        all[n + i] = (struct example){.page = &g->pages[i], .y = 1};
    (void)guide_balance(all, n, SVM); /* both kinds are there */
}

/* Begins at the topic's words. */
static void fit_svm(const struct guide *g, const float *q, struct example *all, size_t n, float *w,
                    double *bias)
{
    for (size_t i = 0; i < g->nterms; i++)
        w[i] = (float)SVM_PULL * q[i];
    *bias = 0;
    for (size_t i = 0; i < n; i++)
        all[i].alpha = 0;
    guide_fit(all, n, true, SVM_PASSES, w, bias);
}

/* Computes the margins of the examples of a fold by a fit to the others. */
static void hold_out(const struct guide *g, const float *q, const struct example *all, size_t n,
                     unsigned fold, double *ret)
{
    struct example *others = mem_zero(n + 1, sizeof *others);
    float *w = mem_zero(g->nterms + 1, sizeof *w);
    unsigned dealt[2] = {0, 0};
    double bias = 0;

    for (size_t i = 0; i < n; i++) {
        others[i] = all[i];
        if (dealt[all[i].y > 0]++ % FOLDS == fold)
            others[i].cost = 0;
    }
    fit_svm(g, q, others, n, w, &bias);
    for (size_t i = 0; i < n; i++)
        if (others[i].cost <= 0)
            ret[i] = guide_dot(all[i].page, w) + bias;
    free(others);
    free(w);
}

/* Fits probabilities to the margins of examples that were held out. */
static void fit_platt(struct guide *g, const float *q, const struct example *all, size_t n)
{
    double *margins = mem_zero(n + 1, sizeof *margins);
    bool *positive = mem_zero(n + 1, sizeof *positive);

    for (unsigned fold = 0; fold < FOLDS; fold++)
        hold_out(g, q, all, n, fold, margins);
    for (size_t i = 0; i < n; i++)
        positive[i] = all[i].y > 0;
    g->platt = (struct platt){2, 0};
    (void)platt_fit(margins, positive, n, &g->platt);
    free(margins);
    free(positive);
}

/* The start pages are examples of the topic, too; one that is less than half as probable as the
 * most probable one, judged by the example pages alone, counts less. */
static void join_seeds(struct guide *g, struct example *all, size_t n)
{
    double most = SEED_LEAST;

    for (size_t i = 0; i < g->npages; i++) {
        struct guide_page *p = &g->pages[i];

        p->p = (float)guide_label(g, p, guide_dot(p, g->w));
        most = fmax(most, (double)p->p);
    }
    for (size_t i = 0; i < n; i++)
        all[i].cost = 1;
    for (size_t i = 0; i < g->npages; i++) {
        g->pages[i].seed = guide_weight_of_share((double)g->pages[i].p / most);
        all[n + i].cost = (double)g->pages[i].seed;
    }
    (void)guide_balance(all, n + g->npages, SVM);
}

/* What a start page contributed to w and bias is left out of its own p. */
static void judge_seeds(struct guide *g, const struct example *seeds)
{
    for (size_t i = 0; i < g->npages; i++) {
        struct guide_page *p = &g->pages[i];

        p->p = (float)guide_label(g, p, guide_dot(p, g->w) - (p->square + 1) * seeds[i].alpha);
    }
}

void guide_train_on_examples(struct guide *g)
{
    size_t samples = topic_samples(g->topic), n = samples + g->nmarks;
    struct guide_page *pages = mem_zero(n + 1, sizeof *pages);
    struct example *all = mem_zero(n + g->npages + 1, sizeof *all);
    float *x, *seeds, *q;

    guide_renew_idf(g);
    guide_place_words(g);
    take_examples(g, pages, all, n);
    x = guide_vectors(g, pages, n);
    seeds = guide_vectors(g, g->pages, g->npages);
    q = guide_words(g);
    fit_platt(g, q, all, n);
    fit_svm(g, q, all, n, g->w, &g->bias);
    if (g->npages > 0) {
        join_seeds(g, all, n);
        fit_svm(g, q, all, n + g->npages, g->w, &g->bias);
        judge_seeds(g, all + n);
    }
    guide_bar_words(g, q);
    for (size_t i = 0; i < samples; i++)
        free(pages[i].terms);
    free(q);
    free(seeds);
    free(x);
    free(pages);
    free(all);
}
