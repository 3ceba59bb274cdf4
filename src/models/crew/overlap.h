/* overlap.h - how near two keywords are by the pages that have them, where no WordNet says it.
 *
 *     cs(a,b) = 1                    the same term
 *               |A & B| / |A + B|    A, B: the pages among whose heaviest terms a, b are
 *
 * Words that come on the same pages are about the same thing, in any language. It is of what was
 * read so far, so it grows with the crawl. Pure.
 */
#pragma once

#include "models/crew/context.h"

/* Of every term of `a` with every one of `b`: ret[i * nb + j], as cs_terms() does. Both contexts
 * count; a page that is in both counts twice. At most LIMIT_LATTICE_ATTRIBUTES terms each. */
void overlap_terms(const struct context *mine, const struct context *theirs, const uint32_t *a,
                   size_t na, const uint32_t *b, size_t nb, float *ret);
