/* prtfidf.h - PrTFIDF: which class a text belongs to, word by word (Joachims 1997).
 *
 *     Pr(w|d) = TF(w,d) / |d|        Pr(w|C) = mean of Pr(w|d) over the class
 *     Pr(C|w) = Pr(w|C) Pr(C) / SUM_C' Pr(w|C') Pr(C')        Pr(C) = |C| / |D|
 *
 *     Pr(C|d') = SUM_w Pr(C|w) Pr(w|d')
 *
 * As Pr(C) is the share of documents, Pr(C|w) = SUM_{d in C} Pr(w|d) / SUM_d Pr(w|d):
 * one pass. It is TFIDF with IDF'(w) = sqrt(|D| / DF'(w)), DF'(w) = SUM_d Pr(w|d); the
 * tests compute both. No smoothing is needed. Words that are not in the table are
 * ignored in training and in judging: |d| is the number of known words.
 *
 * The table has one row of floats for each word, so a text costs a
 * lookup and `classes` additions for each distinct word. It is
 * immutable, so threads may share it.
 */
#pragma once

#include "base/map.h"
#include "base/status.h"
#include "text/vec.h"

struct prtfidf {
    uint32_t classes;
    uint32_t words;  /* rows */
    uint32_t *ids;   /* terms of the rows, ascending */
    float *table;    /* words * classes: Pr(C|w); a row's sum is 1 */
    float *shares;   /* Pr(w): DF'(w) / |D| */
    struct map rows; /* hash of a term -> its row */
};

/* Trains on n documents, class_of[i] < classes. If `vocabulary` is not NULL (ascending, nvocabulary
 * of them), other words are ignored. Words of no document get no row. */
struct prtfidf *prtfidf_train(const struct vec *docs, size_t n, const uint32_t *class_of,
                              uint32_t classes, const uint32_t *vocabulary, size_t nvocabulary);

/* Makes a table of that size, all zeros, to be filled from a file; call
 * prtfidf_index() when the ids are set. */
struct prtfidf *prtfidf_new(uint32_t words, uint32_t classes);
void prtfidf_index(struct prtfidf *t);
void prtfidf_free(struct prtfidf *t);

/* The row of a term, or NULL. */
const float *prtfidf_row(const struct prtfidf *t, uint32_t term);

/* Writes Pr(C|d') of each class to ret (room for `classes`): their sum is 1, or all are 0 if no
 * word is known. Returns the share of known words. */
double prtfidf_judge(const struct prtfidf *t, const struct term *terms, size_t nterms, float *ret);
