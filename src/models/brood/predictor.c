/* predictor.c - what is a link worth? Learned while the crawl goes.
 * SPDX-License-Identifier: MIT */
#include "models/brood/predictor.h"

#include "base/fields.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEWTON_STEPS 4
#define FIT_EVERY    20         /* pages at least */
#define BESIDE       EDGE_SPARE /* links on each side of a link */
#define BESIDE_PRIOR 2.0

static const double prior[FEATURES] = {
    [F_BIAS] = -1,     [F_YIELD] = 2,    [F_ANCHOR] = 0.7, [F_CONTEXT] = 0.7,
    [F_HOST] = 0.5,    [F_WORDS] = 0.5,  [F_BESIDE] = 0.5, [F_URL] = 0.35,
    [F_SECTION] = 0.3, [F_ENERGY] = 0.3, [F_LIST] = 1.5,
};

const char *const feature_names[FEATURES] = {
    [F_BIAS] = "boldness",
    [F_YIELD] = "pages whose links paid",
    [F_ANCHOR] = "words of the link",
    [F_CONTEXT] = "words around the link",
    [F_HOST] = "hosts that paid",
    [F_WORDS] = "pages with the topic's words",
    [F_DIRECTORY] = "directories that paid",
    [F_LINKS] = "links from many pages",
    [F_PLACE] = "places on pages that paid",
    [F_BESIDE] = "links beside it that paid",
    [F_URL] = "words of the URL",
    [F_SECTION] = "text of the section",
    [F_ENERGY] = "pages with energy left",
    [F_LIST] = "lists with start pages",
};

void predictor_init(struct predictor *p)
{
    *p = (struct predictor){.fit_at = FIT_EVERY};
    memcpy(p->w, prior, sizeof prior);
}

void predictor_clear(struct predictor *p)
{
    free(p->samples);
    parts_clear(&p->changed);
    *p = (struct predictor){0};
}

/* ---- a link as numbers ---- */

static uint64_t four_bytes(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

/* The labels of a link's neighbours on its page, a byte each: BESIDE links before it, and as many
 * behind it in the high bytes. */
static uint64_t labels_beside(const struct web_map *m, const struct map_page *q, uint32_t edge)
{
    const uint8_t *at = m->edges.labels + EDGE_SPARE + edge;
    uint32_t before = edge - q->edge, after = q->nedges - 1 - before;
    uint64_t low = four_bytes(at - BESIDE), high = four_bytes(at + 1);

    if (before < BESIDE)
        low &= UINT64_MAX << 8 * (BESIDE - before);
    if (after < BESIDE)
        high &= (UINT64_C(1) << 8 * after) - 1;
    return (low & UINT32_MAX) | high << 32;
}

/* Adds the labels of visited pages that are linked right before and after an edge, weighted by
 * closeness: links are in lists and sections about one subject. */
static void add_beside(const struct web_map *m, const struct map_page *q, uint32_t edge,
                       struct yield *to)
{
    static const float share[2 * BESIDE] = {1 / 4.0f, 1 / 3.0f, 1 / 2.0f, 1,
                                            1,        1 / 2.0f, 1 / 3.0f, 1 / 4.0f};
    unsigned place = 0;

    for (uint64_t rest = labels_beside(m, q, edge); rest; rest >>= 8, place++) {
        unsigned empty = (unsigned)__builtin_ctzll(rest) / 8;

        place += empty;
        rest >>= 8 * empty;
        to->sum += share[place] * ((float)((int)(rest & 255) - 1) * (1 / 254.0f));
        to->count += share[place];
    }
}

/* What the links beside a link add to the mean yield of its pages. */
static float beside_feature(struct yield beside, double mean, float usual)
{
    if (beside.count <= 0)
        return 0;
    return half_logit(yield_within(((double)beside.sum + BESIDE_PRIOR * mean) /
                                   ((double)beside.count + BESIDE_PRIOR))) -
           usual;
}

void link_features(struct web_map *m, uint32_t url, float ret[FEATURES])
{
    const struct map_link *l = &m->links[url];
    uint32_t host = m->host ? m->host(m->host_ctx, url) : 0;
    double yields = 0, energy = 0, n = l->parents, words = 0, mean;
    float each = n > 0 ? 1 / (MAP_FINE * (float)n) : 0;
    struct yield beside = {0};
    int listed = 0;

    for (uint32_t e = l->edge; e; e = web_map_older(m, e)) {
        const struct map_page *q = &m->pages[web_map_edge_page(m, e - 1)];

        yields += (double)q->used;
        words = fmax(words, (double)q->words);
        energy += (double)q->energy;
        listed = q->examples > listed ? q->examples : listed;
        if (q->links.count > 0) /* otherwise nothing is known about them */
            add_beside(m, q, e - 1, &beside);
    }
    mean = (yields + 2 * m->base) / (n + 2);
    ret[F_BIAS] = 1;
    ret[F_YIELD] = half_logit(mean);
    ret[F_ANCHOR] = 0.5f * l->anchor * each;
    ret[F_CONTEXT] = l->context * each;
    ret[F_HOST] = group_worth(m, MAP_HOST, host, 0);
    ret[F_WORDS] = (float)(3 * words);
    ret[F_DIRECTORY] = group_worth(m, MAP_DIRECTORY, host, l->directory);
    ret[F_LINKS] = m->ln[l->parents];
    ret[F_PLACE] = group_worth(m, MAP_PLACE, host, l->place);
    ret[F_BESIDE] = beside_feature(beside, mean, ret[F_YIELD]);
    ret[F_URL] = 0.5f / MAP_FINE * l->name;
    ret[F_SECTION] = l->section * each;
    ret[F_ENERGY] = n > 0 ? (float)(energy / n) : 0;
    ret[F_LIST] = 0.5f * (float)(listed > 3 ? 2 : listed > 1 ? listed - 1 : 0);
}

double weighted_sum(const double w[FEATURES], const float x[FEATURES])
{
    double sum = 0;

    for (int i = 0; i < FEATURES; i++)
        sum += w[i] * (double)x[i];
    return sum;
}

double link_worth(const double w[FEATURES], const float x[FEATURES])
{
    return 1 / (1 + exp(-weighted_sum(w, x)));
}

/* ---- weights ---- */

void predictor_learn(struct predictor *p, const float x[FEATURES], uint32_t page)
{
    size_t at = (size_t)(p->seen++ % PREDICTOR_SAMPLES);

    if (at == p->nsamples) {
        MEM_GROW(p->samples, p->nsamples, &p->samples_cap);
        p->nsamples++;
    }
    parts_touch(&p->changed, (uint32_t)at);
    memcpy(p->samples[at].x, x, sizeof p->samples[at].x);
    p->samples[at].page = page;
}

bool predictor_is_due(const struct predictor *p)
{
    return p->seen >= p->fit_at;
}

/* Solves a x = b by Cholesky: a is symmetric and positive definite (only the lower half is read)
 * and is overwritten; b becomes x. */
static void solve(double a[FEATURES][FEATURES], double b[FEATURES])
{
    for (int i = 0; i < FEATURES; i++)
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(a[i][i]) : a[i][j] / a[j][j];
        }
    for (int i = 0; i < FEATURES; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (int i = FEATURES - 1; i >= 0; i--) {
        for (int k = i + 1; k < FEATURES; k++)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

/* The function that a fit minimises: the error of these weights, and their distance
 * from the prior. */
static double loss(const struct predictor *p, const struct web_map *m, const double w[FEATURES])
{
    double sum = 0;

    for (int i = 0; i < FEATURES; i++)
        sum += (w[i] - prior[i]) * (w[i] - prior[i]) / 2;
    for (size_t k = 0; k < p->nsamples; k++) {
        double z = weighted_sum(w, p->samples[k].x);

        sum += fmax(z, 0) + log1p(exp(-fabs(z))) - (double)m->pages[p->samples[k].page].p * z;
    }
    return sum;
}

/* If slopes are small, a whole step leads far beyond the minimum, so it is halved until it helps.
 * Returns the loss, which was `before`. */
static double take_step(struct predictor *p, const struct web_map *m, const double step[FEATURES],
                        double before)
{
    for (double share = 1; share > 1e-3; share /= 2) {
        double w[FEATURES], after;

        for (int i = 0; i < FEATURES; i++)
            w[i] = p->w[i] + share * step[i];
        after = loss(p, m, w);
        if (after <= before) {
            memcpy(p->w, w, sizeof w);
            return after;
        }
    }
    return before;
}

_Static_assert(FEATURES % 2 == 0, "rows of the matrix are pairs");

/* Adds a sample to both. Only the lower half of the matrix is needed; two numbers at a time. */
static void add_sample(const struct predictor *p, const struct sample *s, double label,
                       double hessian[FEATURES][FEATURES], double step[FEATURES])
{
    double worth = link_worth(p->w, s->x), error = label - worth, x[FEATURES];
    double slope = fmax(worth * (1 - worth), 1e-6);

    for (int i = 0; i < FEATURES; i++)
        x[i] = (double)s->x[i];
#pragma GCC unroll 16
    for (int i = 0; i < FEATURES; i++) {
        double steep = slope * x[i];

        step[i] += error * x[i];
        for (int j = 0; j <= (i | 1); j++)
            hessian[i][j] += steep * x[j];
    }
}

static double newton_step(struct predictor *p, const struct web_map *m, double before)
{
    double hessian[FEATURES][FEATURES] = {{0}}, step[FEATURES];

    for (int i = 0; i < FEATURES; i++) {
        step[i] = prior[i] - p->w[i];
        hessian[i][i] = 1;
    }
    for (size_t k = 0; k < p->nsamples; k++)
        add_sample(p, &p->samples[k], (double)m->pages[p->samples[k].page].p, hessian, step);
    solve(hessian, step);
    return take_step(p, m, step, before);
}

void predictor_fit(struct predictor *p, const struct web_map *m)
{
    double error;

    memcpy(p->w, prior, sizeof prior);
    error = loss(p, m, p->w);
    for (int i = 0; i < NEWTON_STEPS; i++)
        error = newton_step(p, m, error);
    p->fits++;
    p->fit_at = p->seen + (p->seen / 8 > FIT_EVERY ? p->seen / 8 : FIT_EVERY);
}

/* ---- checkpoint ---- */

static const struct field predictor_fields[] = {
    FIELD(REAL, struct predictor, w),
    FIELD(U64, struct predictor, seen),
    FIELD(U64, struct predictor, fit_at),
    FIELD(U32, struct predictor, fits),
    FIELD_END,
};

static const struct field sample_fields[] = {
    FIELD(FINE, struct sample, x),
    FIELD(U32, struct sample, page),
    FIELD_END,
};

static const struct field old_predictor_fields[] = {
    FIELD_FIRST(REAL, struct predictor, w, FEATURES_0_2),
    FIELD(U64, struct predictor, seen),
    FIELD(U64, struct predictor, fit_at),
    FIELD(U32, struct predictor, fits),
    FIELD_END,
};

static const struct field old_sample_fields[] = {
    FIELD_FIRST(FINE, struct sample, x, FEATURES_0_2),
    FIELD(U32, struct sample, page),
    FIELD_END,
};

static enum status bad_predictor(void)
{
    return status_fail(ST_CORRUPT, "the saved predictor is cut or broken");
}

void predictor_save(const struct predictor *p, struct buf *out)
{
    fields_save(predictor_fields, p, out);
    buf_put_u32(out, (uint32_t)p->nsamples);
}

static void put_sample(const void *predictor, size_t at, struct buf *out)
{
    const struct predictor *p = predictor;

    if (at < p->nsamples)
        fields_save(sample_fields, &p->samples[at], out);
}

void predictor_save_all(const struct predictor *p, uint32_t first, struct buf *out)
{
    parts_put_rows(NULL, p, p->nsamples, put_sample, first, out);
}

void predictor_save_parts(struct predictor *p, uint32_t first, struct buf *out)
{
    parts_put_rows(&p->changed, p, 0, put_sample, first, out);
}

static void load_sample(struct predictor *p, const struct field *fields, struct cursor *from)
{
    MEM_GROW(p->samples, p->nsamples, &p->samples_cap);
    p->samples[p->nsamples] = (struct sample){.page = 0};
    fields_load(fields, &p->samples[p->nsamples++], from);
}

enum status predictor_load(struct predictor *p, struct cursor *from)
{
    fields_load(predictor_fields, p, from);
    p->awaited = cursor_u32(from);
    return from->bad ? bad_predictor() : ST_OK;
}

enum status predictor_load_old(struct predictor *p, struct cursor *from)
{
    fields_load(old_predictor_fields, p, from);
    p->awaited = cursor_u32(from);
    while (p->nsamples < p->awaited && !from->bad)
        load_sample(p, old_sample_fields, from);
    return from->bad ? bad_predictor() : ST_OK;
}

enum status predictor_load_part(struct predictor *p, uint32_t part, struct cursor *from)
{
    from->bad |= (uint64_t)part * PARTS_ROWS != p->nsamples;
    while (!from->bad && from->rest.len > 0)
        load_sample(p, sample_fields, from);
    return from->bad ? bad_predictor() : ST_OK;
}

enum status predictor_loaded(const struct predictor *p, size_t pages)
{
    uint64_t expected = p->seen < PREDICTOR_SAMPLES ? p->seen : PREDICTOR_SAMPLES;

    if (p->nsamples != p->awaited || p->nsamples != expected)
        return bad_predictor();
    for (size_t i = 0; i < p->nsamples; i++)
        if (p->samples[i].page >= pages)
            return bad_predictor();
    return ST_OK;
}
