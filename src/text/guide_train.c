/* guide_train.c - how a guide learns: from words and start pages, and from the pages that came out
 * best. SPDX-License-Identifier: MIT */
#include "text/guide_fit.h"

#include "base/mem.h"
#include "text/lens.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_SEEDS 1.5  /* untrained: a page that is this many times as similar is certain */
#define ALONE_NEAR 0.05 /* cosine with the words that makes a lone start page an example */
#define ALONE_LOW  0.3  /* its share of the best products with the words: no weight below … */
#define ALONE_HIGH 0.6  /* … and the full one above */
#define SEEDS      1.0  /* total weight of the start pages in w0, beside the words */
#define RIDGE      0.3  /* cost of an error in training */
#define SEED_COST  3.0  /* a start page counts as much as this many pages */
#define BEST       0.1  /* share of pages that become examples … */
#define BEST_MOST  30.0 /* … but no more than this many */
#define REST       0.7  /* share of pages that do not become counterexamples */
#define PASSES     12   /* over the pages, for one regression of a crawl that goes on */

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

/* ---- words and start pages ---- */

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
            guide_add_to(&g->pages[i], (double)g->pages[i].seed, c);
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

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x > y ? -1 : x < y;
}

/* How many of n pages a training takes as the best. */
static size_t number_of_best(size_t n)
{
    return (size_t)ceil(fmin(BEST * (double)n, BEST_MOST));
}

/* Returns the mean product with the words of the pages that are best by it. Start pages and pages
 * that match no pattern of the topic are left out. */
static double best_product(const struct guide *g, const float *q)
{
    double *products = mem_alloc((g->npages + 1) * sizeof *products), sum = 0;
    size_t n = 0, best;

    for (size_t i = 0; i < g->npages; i++)
        if (!g->pages[i].is_seed && !g->pages[i].is_out)
            products[n++] = guide_dot(&g->pages[i], q);
    qsort(products, n, sizeof *products, descending);
    best = number_of_best(n);
    for (size_t i = 0; i < best; i++)
        sum += products[i] / (double)best;
    free(products);
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
        p->seed = (float)(guide_dot(p, q) + (guide_dot(p, sum) - p->square) / others);
        most = fmax(most, (double)p->seed);
    }
    if (g->nseeds == 1)
        most = fmax(most, ALONE_NEAR);
    for (size_t i = 0; i < g->npages; i++)
        if (g->pages[i].is_seed)
            g->pages[i].seed =
                guide_weight_of_share(most > 0 ? (double)g->pages[i].seed / most : 1);
    free(sum);
}

/* A single start page is often only a place to begin: the front page of a manual or a site. Then
 * the crawl soon finds pages that are much more similar to the words than it is. */
static void weigh_lone_seed(struct guide *g, const float *q)
{
    double best = best_product(g, q), share;

    for (size_t i = 0; i < g->npages && best > 0; i++) {
        if (!g->pages[i].is_seed)
            continue;
        share = guide_dot(&g->pages[i], q) / best;
        share = (share - ALONE_LOW) / (ALONE_HIGH - ALONE_LOW);
        g->pages[i].seed = (float)fmin(fmax(share, 0), (double)g->pages[i].seed);
    }
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
                s *
                (guide_dot(p, q) + (length > 0 ? (guide_dot(p, sum) - s * own.xy) / length : 0)) /
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
    guide_place_words(g);
    v.x = guide_weights(g, g->pages, g->npages);
    g->pivot = mean_length(g, by_seeds);
    guide_divide(g, g->pages, g->npages);
    v.marks = guide_vectors(g, g->marks, g->nmarks);
    v.q = guide_words(g);
    weigh_seeds(g, v.q);
    if (g->nseeds == 1 && g->npages > GUIDE_FIRST)
        weigh_lone_seed(g, v.q);
    v.share = seeds_share(g);
    v.c = seeds_sum(g, v.share);
    v.own = guide_make_length(v.c, g->nterms, 1);
    v.w0 = mem_zero(g->nterms + 1, sizeof *v.w0);
    for (size_t i = 0; i < g->nterms; i++)
        v.w0[i] = v.q[i] + (float)SEEDS * v.c[i];
    v.own *= SEEDS * guide_make_length(v.w0, g->nterms, GUIDE_PULL);
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
    guide_bar_words(g, v.q);
    g->scale = seeds_scale(g, v.q, v.share);
    free_all(&v);
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
        a[i] = guide_dot(&g->pages[i], v->q);
        b[i] = guide_dot(&g->pages[i], v->c);
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
        double dot = guide_dot(p, g->w);

        if (p->is_seed)
            dot -= seed_products(p, v->share, v->q, v->c).xy * v->own * (double)p->seed +
                   (p->square + 1) * all[i].alpha;
        p->p = (float)guide_label(g, p, dot);
        tell(ctx, p->page, (double)(p->is_seed ? p->seed : p->p));
    }
}

/* Fits w and bias. */
static void regress(struct guide *g, struct example *all, size_t n)
{
    if (g->config.is_exact)
        guide_solve(all, n, g->nterms, g->w, &g->bias);
    else
        guide_fit(all, n, false, PASSES, g->w, &g->bias);
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
    if (guide_balance(all, g->npages + g->nmarks, RIDGE)) {
        memcpy(g->w, v.w0, g->nterms * sizeof *v.w0);
        g->bias = 0;
        regress(g, all, g->npages + g->nmarks);
        guide_bar_words(g, v.q);
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
