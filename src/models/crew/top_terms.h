/* top_terms.h - the heaviest terms of a page, by tf-idf.
 *
 * Weights are (1 + ln tf) * idf, as in every cosine of brood; of equal ones the
 * lower id comes first. What a page's Sim is computed from (models/crew/relate.h), and
 * the keywords that make its row of a lattice (models/crew/lattice.h).
 */
#pragma once

#include "flow.h"

struct df_table; /* text/vocab.h */

struct top_term {
    uint32_t id;
    float weight;
};

/* The n heaviest, in descending order; `df` may be NULL (idf 1). Returns how many:
 * fewer where the page has fewer terms. */
size_t top_terms(const struct profile *p, const struct df_table *df, size_t n,
                 struct top_term *ret);
