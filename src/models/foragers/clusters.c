/* clusters.c - pages into clusters, and what a page is about by them.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/foragers.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING     1e-5 /* of a float, as a share of it */
#define NO_DEVIATION 1e-6 /* of p, a float sum: rounding too */

void clusters_free(struct clusters *c)
{
    if (c == NULL)
        return;
    for (uint32_t i = 0; c->stems && i < c->judge->words; i++)
        free(c->stems[i]);
    free(c->stems);
    prtfidf_free(c->judge);
    free(c->mean);
    free(c->std);
    free(c->sizes);
    free(c);
}

/* ---- the vocabulary ---- */

struct cluster_word {
    uint32_t id, df;
    double worth;
};

ORDER(by_worth, struct cluster_word, DOWN(worth) ?: UP(id))

ORDER(by_number, uint32_t, UP_VALUE)

static struct cluster_word *count_terms(const struct vec *docs, size_t n, size_t *ret_count)
{
    struct cluster_word *all = NULL;
    size_t count = 0, cap = 0;
    struct map seen;

    map_init(&seen);
    for (size_t d = 0; d < n; d++) {
        for (size_t i = 0; i < docs[d].n; i++) {
            uint32_t id = docs[d].terms[i].id;
            bool is_new;
            uint32_t at = *map_at(&seen, hash_u64(id), (uint32_t)count, &is_new);

            if (is_new) {
                MEM_GROW(all, count, &cap);
                all[count++] = (struct cluster_word){.id = id};
            }
            all[at].df++;
        }
    }
    map_free(&seen);
    *ret_count = count;
    return all;
}

/* The best `max` terms, ascending; free it. */
static uint32_t *choose_words(const struct vec *docs, size_t n, size_t max, size_t *ret_count)
{
    size_t count;
    struct cluster_word *all = count_terms(docs, n, &count);
    uint32_t *ids;

    for (size_t i = 0; i < count; i++)
        all[i].worth = all[i].df * log((double)n / all[i].df);
    if (count > max) {
        qsort(all, count, sizeof *all, by_worth);
        count = max;
    }
    ids = mem_zero(count + 1, sizeof *ids);
    for (size_t i = 0; i < count; i++)
        ids[i] = all[i].id;
    qsort(ids, count, sizeof *ids, by_number);
    free(all);
    *ret_count = count;
    return ids;
}

/* ---- documents of these words alone ---- */

struct reduced {
    struct vec *docs;   /* n of them */
    struct term *terms; /* of all of them */
    size_t with_words;  /* documents that are not empty */
};

static struct reduced reduce(const struct vec *docs, size_t n, const uint32_t *words, size_t nwords)
{
    struct reduced r = {.docs = mem_zero(n + 1, sizeof *r.docs)};
    size_t total = 0, at = 0;
    struct map known;

    map_init(&known);
    for (size_t i = 0; i < nwords; i++)
        map_set(&known, hash_u64(words[i]), 1);
    for (size_t d = 0; d < n; d++)
        total += docs[d].n;
    r.terms = mem_alloc((total + 1) * sizeof *r.terms);
    for (size_t d = 0; d < n; d++) {
        size_t from = at;

        for (size_t i = 0; i < docs[d].n; i++)
            if (map_get(&known, hash_u64(docs[d].terms[i].id)) != MAP_NONE)
                r.terms[at++] = docs[d].terms[i];
        r.docs[d] = (struct vec){.terms = r.terms + from, .n = at - from};
        r.with_words += at > from;
    }
    map_free(&known);
    return r;
}

static void reduced_free(struct reduced *r)
{
    free(r->docs);
    free(r->terms);
}

/* ---- making them ---- */

struct clusters_maker {
    const struct clusters_config *config;
    const struct vec *docs; /* as given */
    size_t n;
    uint32_t *words; /* the vocabulary */
    size_t nwords;
    struct reduced pages;
    uint32_t *cluster_of;
};

/* Uses all pages as background, with the weight of an average cluster. */
static void pool_background(struct prtfidf *t)
{
    uint32_t k = t->classes - 1;

    for (uint32_t i = 0; i < t->words; i++) {
        float *row = t->table + (size_t)i * t->classes;

        for (uint32_t c = 0; c < k; c++)
            row[c] *= (float)k / (float)(k + 1);
        row[k] = 1 / (float)(k + 1);
    }
}

static struct prtfidf *train(const struct clusters_maker *m, uint32_t k)
{
    const struct clusters_config *config = m->config;
    size_t n = m->n + config->nbackground;
    LOCAL_HEAP struct vec *docs = mem_zero(n + 1, sizeof *docs);
    LOCAL_HEAP uint32_t *class_of = mem_zero(n + 1, sizeof *class_of);
    struct prtfidf *t;

    for (size_t d = 0; d < m->n; d++) {
        docs[d] = m->pages.docs[d];
        class_of[d] = m->cluster_of[d];
    }
    for (size_t d = 0; d < config->nbackground; d++) {
        docs[m->n + d] = config->background[d];
        class_of[m->n + d] = k;
    }
    t = prtfidf_train(docs, n, class_of, k + 1, m->words, m->nwords);
    if (config->nbackground == 0)
        pool_background(t);
    return t;
}

/* Computes mean and deviation of every p_c over the pages that have a known word. */
static void measure(struct clusters *c, const struct clusters_maker *m)
{
    LOCAL_HEAP double *sum = mem_zero(c->k, sizeof *sum), *square = mem_zero(c->k, sizeof *square);
    LOCAL_HEAP float *p = mem_zero(c->k + 1, sizeof *p);
    double n = (double)m->pages.with_words;

    for (size_t d = 0; d < m->n; d++) {
        (void)prtfidf_judge(c->judge, m->pages.docs[d].terms, m->pages.docs[d].n, p);
        for (uint32_t i = 0; i < c->k; i++) {
            sum[i] += p[i];
            square[i] += (double)p[i] * p[i];
        }
    }
    for (uint32_t i = 0; i < c->k; i++) {
        double mean = sum[i] / n, variance = square[i] / n - mean * mean;

        c->mean[i] = (float)mean;
        c->std[i] = variance > NO_DEVIATION * NO_DEVIATION ? (float)sqrt(variance) : 0;
    }
}

static void keep_stems(struct clusters *c, const struct vocab *v)
{
    c->stems = mem_zero((size_t)c->judge->words + 1, sizeof *c->stems);
    for (uint32_t i = 0; i < c->judge->words; i++) {
        struct str stem = vocab_text(v, c->judge->ids[i]);

        c->stems[i] = stem.len ? str_dup(stem) : NULL;
    }
}

static struct clusters *assemble(const struct clusters_maker *m, uint32_t k)
{
    struct clusters *c = MEM_NEW(struct clusters);

    c->k = k;
    c->mean = mem_zero(k, sizeof *c->mean);
    c->std = mem_zero(k, sizeof *c->std);
    c->sizes = mem_zero(k, sizeof *c->sizes);
    c->documents = (uint32_t)m->n;
    c->background = (uint32_t)m->config->nbackground;
    for (size_t d = 0; d < m->n; d++)
        c->sizes[m->cluster_of[d]]++;
    c->judge = train(m, k);
    measure(c, m);
    if (m->config->stems)
        keep_stems(c, m->config->stems);
    return c;
}

static enum status maker_run(struct clusters_maker *m, uint32_t k, struct clusters **ret)
{
    struct pddp_config tree = {.leaves = k,
                               .scaling = m->config->scaling,
                               .go_on = m->config->go_on,
                               .ctx = m->config->ctx};
    uint32_t leaves;

    if (m->pages.with_words < k || m->pages.with_words == 0)
        return status_fail(ST_INVALID, "%zu page%s with words %s not enough for %u cluster%s",
                           m->pages.with_words, m->pages.with_words == 1 ? "" : "s",
                           m->pages.with_words == 1 ? "is" : "are", k, k == 1 ? "" : "s");
    TRY(pddp(m->pages.docs, m->n, &tree, m->cluster_of, &leaves));
    *ret = assemble(m, leaves);
    return ST_OK;
}

enum status clusters_make(const struct vec *docs, size_t n, const struct clusters_config *config,
                          uint32_t *ret_cluster, struct clusters **ret)
{
    struct clusters_maker m = {.config = config, .docs = docs, .n = n};
    uint32_t k = config->k ? config->k : CLUSTERS_K;
    size_t words = config->words ? config->words : CLUSTERS_WORDS;
    enum status st;

    if (k > LIMIT_CLUSTERS || words > LIMIT_CLUSTER_WORDS || n + config->nbackground > UINT32_MAX ||
        (k + 1) * words * sizeof(float) > LIMIT_CLUSTERS_FILE / 2)
        return status_fail(ST_LIMIT, "%u clusters of %zu words are too many: take fewer words", k,
                           words);
    m.words = choose_words(docs, n, words, &m.nwords);
    m.pages = reduce(docs, n, m.words, m.nwords);
    m.cluster_of = mem_zero(n + 1, sizeof *m.cluster_of);
    st = maker_run(&m, k, ret);
    if (st == ST_OK && ret_cluster)
        memcpy(ret_cluster, m.cluster_of, n * sizeof *ret_cluster);
    reduced_free(&m.pages);
    free(m.cluster_of);
    free(m.words);
    return st;
}

/* ---- queries ---- */

void clusters_state(const struct clusters *c, const struct term *terms, size_t nterms,
                    enum clusters_mapping mapping, float *ret)
{
    float p[LIMIT_CLUSTERS + 1];
    bool known = prtfidf_judge(c->judge, terms, nterms, p) > 0;

    for (uint32_t i = 0; i < c->k; i++) {
        if (!known)
            ret[i] = 0;
        else if (mapping == CLUSTERS_RAW)
            ret[i] = tanhf(p[i]);
        else
            ret[i] = c->std[i] > 0 ? tanhf((p[i] - c->mean[i]) / c->std[i]) : 0;
    }
}

size_t clusters_telling(const struct clusters *c, uint32_t cluster, uint32_t *ret_rows, size_t n)
{
    double pooled = c->background ? 1 : c->k / (double)(c->k + 1);
    double prior = pooled * c->sizes[cluster] / ((double)c->documents + c->background);
    LOCAL_HEAP double *worth = mem_zero(n + 1, sizeof *worth);
    size_t count = 0;

    for (uint32_t row = 0; row < c->judge->words && n > 0; row++) {
        double p = c->judge->table[(size_t)row * c->judge->classes + cluster];
        double w = prior > 0 && p > prior * (1 + ROUNDING)
                       ? c->judge->shares[row] * p * log(p / prior)
                       : 0;
        size_t at;

        if (w <= 0 || (count == n && w <= worth[n - 1]))
            continue;
        for (at = count < n ? count++ : n - 1; at > 0 && worth[at - 1] < w; at--) {
            worth[at] = worth[at - 1];
            ret_rows[at] = ret_rows[at - 1];
        }
        worth[at] = w;
        ret_rows[at] = row;
    }
    return count;
}
