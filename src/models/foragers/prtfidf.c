/* prtfidf.c - PrTFIDF: Pr(C|w) as a table of floats. SPDX-License-Identifier: MIT */
#include "models/foragers/prtfidf.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/order.h"

#include <stdlib.h>

/* ---- the table ---- */

struct prtfidf *prtfidf_new(uint32_t words, uint32_t classes)
{
    struct prtfidf *t = MEM_NEW(struct prtfidf);

    t->words = words;
    t->classes = classes;
    t->ids = mem_zero((size_t)words + 1, sizeof *t->ids);
    t->shares = mem_zero((size_t)words + 1, sizeof *t->shares);
    t->table = mem_zero((size_t)words * classes + 1, sizeof *t->table);
    map_init(&t->rows);
    return t;
}

void prtfidf_free(struct prtfidf *t)
{
    if (t == NULL)
        return;
    free(t->ids);
    free(t->shares);
    free(t->table);
    map_free(&t->rows);
    free(t);
}

void prtfidf_index(struct prtfidf *t)
{
    for (uint32_t i = 0; i < t->words; i++)
        map_set(&t->rows, hash_u64(t->ids[i]), i);
}

/* Returns MAP_NONE if the term has no row. */
static uint32_t row_of(const struct prtfidf *t, uint32_t term)
{
    return map_get(&t->rows, hash_u64(term));
}

const float *prtfidf_row(const struct prtfidf *t, uint32_t term)
{
    uint32_t row = row_of(t, term);

    return row == MAP_NONE ? NULL : t->table + (size_t)row * t->classes;
}

/* ---- training ---- */

ORDER(by_number, uint32_t, UP_VALUE)

/* All terms of the documents, ascending; free it. */
static uint32_t *all_terms(const struct vec *docs, size_t n, size_t *ret_count)
{
    uint32_t *ids = NULL;
    size_t count = 0, cap = 0;
    struct map seen;

    map_init(&seen);
    for (size_t d = 0; d < n; d++) {
        for (size_t i = 0; i < docs[d].n; i++) {
            bool is_new;

            (void)map_at(&seen, hash_u64(docs[d].terms[i].id), 0, &is_new);
            if (is_new) {
                MEM_GROW(ids, count, &cap);
                ids[count++] = docs[d].terms[i].id;
            }
        }
    }
    map_free(&seen);
    if (count > 0)
        qsort(ids, count, sizeof *ids, by_number);
    *ret_count = count;
    return ids;
}

/* Adds Pr(w|d) to the sums of its class. */
static void train_on(const struct prtfidf *t, const struct vec *doc, uint32_t class, double *sums)
{
    double length = 0;

    for (size_t i = 0; i < doc->n; i++)
        if (row_of(t, doc->terms[i].id) != MAP_NONE)
            length += doc->terms[i].count;
    for (size_t i = 0; i < doc->n && length > 0; i++) {
        uint32_t row = row_of(t, doc->terms[i].id);

        if (row != MAP_NONE)
            sums[(size_t)row * t->classes + class] += doc->terms[i].count / length;
    }
}

/* Turns sums into shares; words that are in no document are left out. */
static void normalise(struct prtfidf *t, const double *sums, size_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < t->words; i++) {
        const double *from = sums + (size_t)i * t->classes;
        float *to = t->table + (size_t)kept * t->classes;
        double sum = 0;

        for (uint32_t c = 0; c < t->classes; c++)
            sum += from[c];
        if (sum <= 0)
            continue;
        for (uint32_t c = 0; c < t->classes; c++)
            to[c] = (float)(from[c] / sum);
        t->ids[kept] = t->ids[i];
        t->shares[kept++] = (float)(sum / (double)n);
    }
    if (kept < t->words) {
        t->words = kept;
        map_clear(&t->rows);
        prtfidf_index(t);
    }
}

struct prtfidf *prtfidf_train(const struct vec *docs, size_t n, const uint32_t *class_of,
                              uint32_t classes, const uint32_t *vocabulary, size_t nvocabulary)
{
    uint32_t *all = vocabulary ? NULL : all_terms(docs, n, &nvocabulary);
    struct prtfidf *t = prtfidf_new((uint32_t)nvocabulary, classes);
    LOCAL_HEAP double *sums = mem_zero(nvocabulary * classes + 1, sizeof *sums);

    if (nvocabulary > 0)
        memcpy(t->ids, vocabulary ? vocabulary : all, nvocabulary * sizeof *t->ids);
    prtfidf_index(t);
    for (size_t d = 0; d < n; d++)
        train_on(t, &docs[d], class_of[d], sums);
    normalise(t, sums, n);
    free(all);
    return t;
}

/* ---- judging ---- */

static inline void add_row(float *restrict sums, const float *restrict row, float count, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++)
        sums[c] += count * row[c];
}

double prtfidf_judge(const struct prtfidf *t, const struct term *terms, size_t nterms, float *ret)
{
    double known = 0, length = 0;

    for (uint32_t c = 0; c < t->classes; c++)
        ret[c] = 0;
    for (size_t i = 0; i < nterms; i++) {
        const float *row = prtfidf_row(t, terms[i].id);

        length += terms[i].count;
        if (row == NULL)
            continue;
        add_row(ret, row, (float)terms[i].count, t->classes);
        known += terms[i].count;
    }
    if (known <= 0)
        return 0;
    for (uint32_t c = 0; c < t->classes; c++)
        ret[c] = (float)(ret[c] / known);
    return known / length;
}
