/* overlap.h - how related two keywords are, by the pages that have them, if there is no WordNet.
 *
 *     cs(a,b) = 1                    the same term
 *               |A & B| / |A + B|    A, B: the pages among whose heaviest terms a, b are
 *
 * Words that occur on the same pages are about the same thing, in any language. Only pages that
 * were read so far count, so the value changes during the crawl. Pure.
 */
#pragma once

#include "models/crew/context.h"

/* cs of every term i of `a` with every term j of `b`: ret[i * nb + j], as cs_terms() does. Pages of
 * both contexts count; a page that is in both counts twice. Each has at most
 * LIMIT_LATTICE_ATTRIBUTES terms. */
void overlap_terms(const struct context *mine, const struct context *theirs, const uint32_t *a,
                   size_t na, const uint32_t *b, size_t nb, float *ret);
