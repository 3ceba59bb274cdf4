/* guide_train.c - how a guide learns: from words and start pages, from the pages that came out
 * best, or from example pages. SPDX-License-Identifier: MIT */
#include "text/guide_int.h"

#include "base/mem.h"
#include "text/lens.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_SEEDS 1.5  /* untrained: a page that is this many times as similar is certain */
#define ALONE_NEAR 0.05 /* cosine with the words that makes a lone start page an example */
#define SEEDS      1.0  /* total weight of the start pages in w0, beside the words */
#define RIDGE      0.3  /* cost of an error in training */
#define SEED_COST  3.0  /* a start page counts as much as this many pages */
#define BEST       0.1  /* share of pages that become examples … */
#define BEST_MOST  30.0 /* … but no more than this many */
#define REST       0.7  /* share of pages that do not become counterexamples */
#define SVM        10.0 /* cost of an error with example pages */
#define FOLDS      5

/* When a ridge regression ends: after so many passes over the pages, or after one that moves no alpha
 * by more than this share of the largest. */
struct effort {
    int passes;
    double still;
};

static const struct effort quick = {12, 0.003}, exact = {1000, 0.0001};
static const struct effort svm = {200, 0}; /* it has a few dozen examples */

/* ---- vectors ---- */

/* The weights of the terms of pages, in one block that the caller frees. */
static float *make_weights(const struct guide *g, struct guide_page *pages, size_t n)
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

static void divide_by_lengths(const struct guide *g, struct guide_page *pages, size_t n)
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

/* Vectors of pages, in one block that the caller frees. */
static float *make_vectors(const struct guide *g, struct guide_page *pages, size_t n)
{
    float *block = make_weights(g, pages, n);

    divide_by_lengths(g, pages, n);
    return block;
}

/* The mean length of start pages, or of all pages. */
static double mean_length(const struct guide *g, bool seeds_only)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < g->npages; i++) {
        double square = seeds_only && !g->pages[i].is_seed ? 0 : g->pages[i].square;

        sum += sqrt(square);
        n += square > 0;
    }
    return n > 0 ? sum / n : 0;
}

/* Training spends its time here: four sums run side by side, and no number is converted. */
static double page_dot(const struct guide_page *p, const float *with)
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

static void page_add_to(const struct guide_page *p, double share, float *to)
{
    const struct term *t = p->terms;
    float by = (float)share;

    for (const float *x = p->x, *end = p->x + p->nterms; x < end; x++, t++)
        to[t->id] += by * *x;
}

/* Scales a vector to a length. Returns the factor; 0 if the vector is zero. */
static double make_length(float *v, size_t n, double length)
{
    double square = 0, by;

    for (size_t i = 0; i < n; i++)
        square += (double)v[i] * (double)v[i];
    by = square > 0 ? length / sqrt(square) : 0;
    for (size_t i = 0; i < n; i++)
        v[i] = (float)((double)v[i] * by);
    return by;
}

/* ---- words and start pages ---- */

/* Gives every term of the topic a place. */
static void place_words(struct guide *g)
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

/* Returns q with the negative words, by place. */
static float *words_vector(struct guide *g)
{
    float *q = mem_zero(g->nterms + 1, sizeof *q);

    for (size_t i = 0; i < topic_terms(g->topic); i++) {
        float weight;
        uint32_t id, at;

        (void)topic_term(g->topic, i, &weight, &id);
        at = guide_place(g, id);
        q[at] += weight * g->idf[at];
    }
    (void)make_length(q, g->nterms, 1);
    take_against(g, q);
    return q;
}

/* Makes sure that training has not made a negative word count for the topic, or less against it. */
static void bar_words(struct guide *g, const float *q)
{
    for (size_t i = 0; i < topic_against(g->topic); i++) {
        float weight;
        uint32_t at = guide_place(g, topic_against_term(g->topic, i, &weight));

        g->w[at] = fminf(g->w[at], (float)GUIDE_PULL * q[at]);
    }
}

/* For the term at each place: the weighted share of the start pages that have it, squared. Words
 * that start pages share belong to the topic; words that only one of them has mostly do not. */
static float *seeds_share(const struct guide *g)
{
    float *share = mem_zero(g->nterms + 1, sizeof *share), all = 0;

    for (size_t i = 0; i < g->npages; i++) {
        const struct guide_page *p = &g->pages[i];

        all += p->is_seed ? p->seed : 0;
        for (uint32_t k = 0; p->is_seed && k < p->nterms; k++)
            share[p->terms[k].id] += p->seed;
    }
    for (size_t i = 0; i < g->nterms && all > 0; i++)
        share[i] *= share[i] / (all * all);
    return share;
}

/* The weighted sum of the start pages, by place. If `share` is NULL, all words count. */
static float *seeds_sum(const struct guide *g, const float *share)
{
    float *c = mem_zero(g->nterms + 1, sizeof *c);

    for (size_t i = 0; i < g->npages; i++)
        if (g->pages[i].is_seed)
            page_add_to(&g->pages[i], (double)g->pages[i].seed, c);
    for (size_t i = 0; share && i < g->nterms; i++)
        c[i] *= share[i];
    return c;
}

/* Products of a start page x, and of y, its part of c: each term times its share. */
struct products {
    double xy, yy, yq, yc;
};

static struct products seed_products(const struct guide_page *p, const float *share, const float *q,
                                     const float *c)
{
    struct products ret = {0};

    for (uint32_t k = 0; k < p->nterms; k++) {
        uint32_t at = p->terms[k].id;
        double x = (double)p->x[k], y = x * (double)share[at];

        ret.xy += x * y;
        ret.yy += y * y;
        ret.yq += y * (double)q[at];
        ret.yc += y * (double)c[at];
    }
    return ret;
}

static double dot(const float *a, const float *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

/* A start page that is less than half as similar as the most similar one counts less; one that has
 * more of the topic's negative words than of its words does not count. A single start page can be
 * compared with the words only: it has to be as similar to them as a page about the topic is. */
static void weigh_seeds(struct guide *g, const float *q)
{
    double others = g->nseeds > 1 ? (double)g->nseeds - 1 : 1, most = 0;
    float *sum;

    for (size_t i = 0; i < g->npages; i++)
        if (g->pages[i].is_seed)
            g->pages[i].seed = 1;
    sum = seeds_sum(g, NULL);
    for (size_t i = 0; i < g->npages; i++) {
        struct guide_page *p = &g->pages[i];

        if (!p->is_seed)
            continue;
        p->seed = (float)(page_dot(p, q) + (page_dot(p, sum) - p->square) / others);
        most = fmax(most, (double)p->seed);
    }
    if (g->nseeds == 1)
        most = fmax(most, ALONE_NEAR);
    for (size_t i = 0; i < g->npages; i++)
        if (g->pages[i].is_seed) {
            double share = most > 0 ? fmax((double)g->pages[i].seed / most, 0) : 1;

            g->pages[i].seed = (float)(share < 0.5 ? 4 * share * share : 1);
        }
    free(sum);
}

/* Returns the mean product of a start page with q + c of the others, increased a little. Let C be
 * the sum of all, s the weight of this page, y its part of C, and L the length of C - s y; then
 * that product is x (q + (C - s y) / L) : |q + (C - s y) / L|. */
static double seeds_scale(const struct guide *g, const float *q, const float *share)
{
    float *sum = seeds_sum(g, share);
    double qq = dot(q, q, g->nterms), qc = dot(q, sum, g->nterms), cc = dot(sum, sum, g->nterms);
    double total = 0, n = 0;

    for (size_t i = 0; i < g->npages; i++) {
        const struct guide_page *p = &g->pages[i];
        double s = (double)p->seed, length, square;
        struct products own;

        if (!p->is_seed)
            continue;
        own = seed_products(p, share, q, sum);
        square = cc - 2 * s * own.yc + s * s * own.yy;
        length = square > 1e-9 ? sqrt(square) : 0;
        square = qq + (length > 0 ? 1 + 2 * (qc - s * own.yq) / length : 0);
        if (square > 1e-9)
            total +=
                s * (page_dot(p, q) + (length > 0 ? (page_dot(p, sum) - s * own.xy) / length : 0)) /
                sqrt(square);
        n += s;
    }
    free(sum);
    return n > 0 ? NEAR_SEEDS * total / n : 0;
}

/* The vectors during one training; by_seeds: only start pages determine the length of
 * a usual page. */
struct vectors {
    float *x, *marks; /* of the pages; of the pages that the user marked */
    float *q, *c, *w0;
    float *share; /* of seeds_share() */
    double own;   /* a start page of weight 1 adds this times its part of c to w0 */
};

static struct vectors make_all(struct guide *g, bool by_seeds)
{
    struct vectors v;

    guide_renew_idf(g);
    place_words(g);
    v.x = make_weights(g, g->pages, g->npages);
    g->pivot = mean_length(g, by_seeds);
    divide_by_lengths(g, g->pages, g->npages);
    v.marks = make_vectors(g, g->marks, g->nmarks);
    v.q = words_vector(g);
    weigh_seeds(g, v.q);
    v.share = seeds_share(g);
    v.c = seeds_sum(g, v.share);
    v.own = make_length(v.c, g->nterms, 1);
    v.w0 = mem_zero(g->nterms + 1, sizeof *v.w0);
    for (size_t i = 0; i < g->nterms; i++)
        v.w0[i] = v.q[i] + (float)SEEDS * v.c[i];
    v.own *= SEEDS * make_length(v.w0, g->nterms, GUIDE_PULL);
    return v;
}

static void free_all(struct vectors *v)
{
    free(v->x);
    free(v->marks);
    free(v->q);
    free(v->c);
    free(v->share);
    free(v->w0);
}

void guide_begin(struct guide *g)
{
    struct vectors v = make_all(g, true);

    memcpy(g->w, v.w0, g->nterms * sizeof *v.w0);
    bar_words(g, v.q);
    g->scale = seeds_scale(g, v.q, v.share);
    free_all(&v);
}

/* ---- a linear fit ---- */

struct example {
    const struct guide_page *page;
    double y, cost;       /* +1 or -1; cost of its error, 0: it is left out */
    double alpha, square; /* of its vector */
};

/* w = start + SUM alpha x minimises |w - start|^2 / 2 + SUM cost (y - w x - bias)^2, or with
 * `hinge` the squared error only where y (w x + bias) < 1: coordinate descent in the dual,
 * always in the same order (Hsieh et al. 2008). The bias is the weight of one more feature
 * that is always 1. */
static void fit(struct example *all, size_t n, bool hinge, struct effort effort, float *w,
                double *bias)
{
    for (size_t i = 0; i < n; i++)
        all[i].square = all[i].cost > 0 ? all[i].page->square : 0;
    for (int pass = 0; pass < effort.passes; pass++) {
        double moved = 0, most = 0;

        for (size_t i = 0; i < n; i++) {
            struct example *e = &all[i];
            double slack, alpha;

            if (e->cost <= 0)
                continue;
            slack = 1 / (2 * e->cost);
            alpha = e->alpha + (e->y - page_dot(e->page, w) - *bias - e->alpha * slack) /
                                   (e->square + 1 + slack);
            if (hinge && alpha * e->y < 0)
                alpha = 0;
            page_add_to(e->page, alpha - e->alpha, w);
            *bias += alpha - e->alpha;
            moved = fmax(moved, fabs(alpha - e->alpha));
            most = fmax(most, fabs(alpha));
            e->alpha = alpha;
        }
        if (!hinge && moved <= effort.still * most)
            return;
    }
}

/* Gives both kinds the same total cost, `cost` for each example on average. Returns
 * false if one kind is missing. */
static bool balance(struct example *all, size_t n, double cost)
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

/* ---- training on visited pages ---- */

struct moments {
    double mean, sd;
};

static struct moments moments_of(const double *v, size_t n)
{
    struct moments m = {0, 0};

    for (size_t i = 0; i < n; i++)
        m.mean += v[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        m.sd += (v[i] - m.mean) * (v[i] - m.mean) / (double)n;
    m.sd = sqrt(m.sd);
    return m;
}

static void add_scores(double *s, const double *v, size_t n)
{
    struct moments m = moments_of(v, n);

    for (size_t i = 0; i < n && m.sd > 1e-9; i++)
        s[i] += 0.5 * (v[i] - m.mean) / m.sd;
}

/* Returns s of every remembered page. */
static double *page_scores(const struct guide *g, const struct vectors *v, guide_near_fn *near,
                           void *ctx)
{
    size_t n = g->npages;
    double *s = mem_zero(n + 1, sizeof *s), *a = mem_zero(n + 1, sizeof *a);
    double *b = mem_zero(n + 1, sizeof *b), sd;
    struct moments of_q, of_c;

    for (size_t i = 0; i < n; i++) {
        a[i] = page_dot(&g->pages[i], v->q);
        b[i] = page_dot(&g->pages[i], v->c);
    }
    of_q = moments_of(a, n);
    of_c = moments_of(b, n);
    sd = sqrt(of_q.sd * of_q.sd + of_c.sd * of_c.sd);
    for (size_t i = 0; i < n && sd > 0; i++)
        s[i] = (a[i] - of_q.mean + b[i] - of_c.mean) / sd;
    for (size_t i = 0; i < n; i++) {
        a[i] = near ? near(ctx, g->pages[i].page) : 0;
        b[i] = (double)g->pages[i].p;
    }
    add_scores(s, a, n);
    add_scores(s, b, n);
    free(a);
    free(b);
    return s;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x > y ? -1 : x < y;
}

/* Returns the lowest score among the best `share`. */
static double score_bound(const double *s, size_t n, double share)
{
    double *sorted = mem_alloc((n + 1) * sizeof *sorted), bound;

    memcpy(sorted, s, n * sizeof *s);
    qsort(sorted, n, sizeof *sorted, descending);
    bound = sorted[(size_t)ceil(share * (double)n) - 1];
    free(sorted);
    return bound;
}

/* Returns npages + nmarks examples. */
static struct example *choose_examples(const struct guide *g, const double *s)
{
    struct example *all = mem_zero(g->npages + g->nmarks + 1, sizeof *all);
    double share = fmin(BEST, BEST_MOST / (double)g->npages);
    double best = score_bound(s, g->npages, share), rest = score_bound(s, g->npages, REST);

    for (size_t i = 0; i < g->npages; i++) {
        const struct guide_page *p = &g->pages[i];
        bool is_seed = p->is_seed && (double)p->seed > 0.5;
        bool is_best = is_seed || (s[i] >= best && !p->is_out);

        all[i] = (struct example){.page = p, .y = is_best ? 1 : -1};
        all[i].cost = is_seed ? SEED_COST * (double)p->seed : is_best || s[i] <= rest ? 1 : 0;
    }
    for (size_t i = 0; i < g->nmarks; i++)
        all[g->npages + i] = (struct example){
            .page = &g->marks[i], .y = g->marks[i].seed > 0 ? 1 : -1, .cost = SEED_COST};
    return all;
}

/* A start page would confirm itself: what it contributed to w0 and to the fit (its words, and the
 * feature that is always 1) is left out of its own p. */
static void tell_all(struct guide *g, const struct vectors *v, const struct example *all,
                     guide_tell_fn *tell, void *ctx)
{
    for (size_t i = 0; i < g->npages; i++) {
        struct guide_page *p = &g->pages[i];
        double dot = page_dot(p, g->w);

        if (p->is_seed)
            dot -= seed_products(p, v->share, v->q, v->c).xy * v->own * (double)p->seed +
                   (p->square + 1) * all[i].alpha;
        p->p = (float)guide_label(g, p, dot);
        tell(ctx, p->page, (double)(p->is_seed ? p->seed : p->p));
    }
}

void guide_train(struct guide *g, const struct df_table *df, guide_near_fn *near,
                 guide_tell_fn *tell, void *ctx)
{
    struct vectors v;
    struct example *all;
    double *s;

    g->train_at = g->seen < 64 ? g->seen + (g->seen + 1) / 2 : 2 * g->seen;
    if (g->npages == 0)
        return;
    guide_use(g, df);
    v = make_all(g, false);
    s = page_scores(g, &v, near, ctx);
    all = choose_examples(g, s);
    if (balance(all, g->npages + g->nmarks, RIDGE)) {
        memcpy(g->w, v.w0, g->nterms * sizeof *v.w0);
        g->bias = 0;
        fit(all, g->npages + g->nmarks, false, g->config.is_exact ? exact : quick, g->w, &g->bias);
        bar_words(g, v.q);
        guide_forget_found(g);
        g->is_trained = true;
        g->trainings++;
        guide_touch_all(g);
        tell_all(g, &v, all, tell, ctx);
    }
    free_all(&v);
    free(s);
    free(all);
}

/* ---- example pages ---- */

/* Takes over the topic's examples and the user's marks. */
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
    (void)balance(all, n, SVM); /* both kinds are there */
}

/* Computes the margins of the examples of a fold by a fit to the others. */
static void hold_out(const struct guide *g, const struct example *all, size_t n, unsigned fold,
                     double *ret)
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
    fit(others, n, true, svm, w, &bias);
    for (size_t i = 0; i < n; i++)
        if (others[i].cost <= 0)
            ret[i] = page_dot(all[i].page, w) + bias;
    free(others);
    free(w);
}

void guide_train_on_examples(struct guide *g)
{
    size_t samples = topic_samples(g->topic), n = samples + g->nmarks;
    struct guide_page *pages = mem_zero(n + 1, sizeof *pages);
    struct example *all = mem_zero(n + 1, sizeof *all);
    double *margins = mem_zero(n + 1, sizeof *margins);
    bool *positive = mem_zero(n + 1, sizeof *positive);
    float *x, *q;

    guide_renew_idf(g);
    place_words(g);
    take_examples(g, pages, all, n);
    x = make_vectors(g, pages, n);
    for (unsigned fold = 0; fold < FOLDS; fold++)
        hold_out(g, all, n, fold, margins);
    for (size_t i = 0; i < n; i++)
        positive[i] = all[i].y > 0;
    g->platt = (struct platt){2, 0};
    (void)platt_fit(margins, positive, n, &g->platt);
    memset(g->w, 0, g->nterms * sizeof *g->w);
    g->bias = 0;
    fit(all, n, true, svm, g->w, &g->bias);
    q = words_vector(g);
    bar_words(g, q);
    for (size_t i = 0; i < samples; i++)
        free(pages[i].terms);
    free(q);
    free(x);
    free(pages);
    free(all);
    free(margins);
    free(positive);
}
