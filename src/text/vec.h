/* vec.h - documents as sparse vectors: arrays of struct term, ascending by id.
 *
 * Sums run in ascending order of ids and in double, so that the same input
 * gives the same float everywhere.
 */
#pragma once

#include "flow.h"

struct df_table; /* text/vocab.h */

/* A document that somebody else owns. */
struct vec {
    const struct term *terms; /* ascending by id */
    size_t n;
};

/* Counts equal ids: fills ret (room for n) and returns how many are distinct.
 * `ids` is used up; `scratch` has room for n. Linear time (radix sort). */
size_t vec_count(uint32_t *ids, size_t n, uint32_t *scratch, struct term *ret);

/* 1 + ln(count); 0 for 0. */
double vec_tf(uint32_t count);

/* The count of a term; 0 where it is not in the vector. */
uint32_t vec_find(const struct term *a, size_t na, uint32_t id);

/* Cosine of the raw counts, in [0,1]; 0 where one is empty. */
float vec_cosine_raw(const struct term *a, size_t na, const struct term *b, size_t nb);

/* Cosine with weights (1 + ln tf) * idf; df may be NULL (idf 1). */
float vec_cosine_tfidf(const struct term *a, size_t na, const struct term *b, size_t nb,
                       const struct df_table *df);

/* The sum of two vectors into ret (room for na + nb); returns its length.
 * Counts stop at UINT32_MAX. */
size_t vec_merge(const struct term *a, size_t na, const struct term *b, size_t nb,
                 struct term *ret);

/* dot / sqrt(aa * bb), kept in [0,1]; 0 where a norm is 0. */
float vec_ratio(double dot, double aa, double bb);
