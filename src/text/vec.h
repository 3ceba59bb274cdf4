/* vec.h - documents as sparse vectors: arrays of struct term, ascending by id.
 *
 * Sums run in ascending order of ids and in double, so that the same input
 * gives the same float everywhere.
 */
#pragma once

#include "flow.h"

/* A document, borrowed. */
struct vec {
    const struct term *terms; /* ascending by id */
    size_t n;
};

/* Counts equal ids: fills ret (room for n) and returns how many are distinct.
 * `ids` is overwritten; `scratch` has room for n. Linear time (radix sort). */
size_t vec_count(uint32_t *ids, size_t n, uint32_t *scratch, struct term *ret);

/* 1 + ln(count); 0 for 0. */
double vec_tf(uint32_t count);

/* The count of a term; 0 if it is not in the vector. */
uint32_t vec_find(const struct term *a, size_t na, uint32_t id);

/* dot / sqrt(aa * bb), limited to [0,1]; 0 if a norm is 0. */
float vec_ratio(double dot, double aa, double bb);
