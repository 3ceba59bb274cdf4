/* matching.h - the best matching of two small sets: who goes with whom, so that the sum
 * of the weights is largest (the assignment problem). */
#pragma once

#include <stddef.h>

#define MATCHING_MAX 64 /* members of each set */

/* weight[i][k] >= 0 of rows i < n and columns k < m. Members may stay alone. Returns the
 * largest sum: the Hungarian method, n * n * m steps for n <= m. */
double matching_weight(float weight[][MATCHING_MAX], size_t n, size_t m);
