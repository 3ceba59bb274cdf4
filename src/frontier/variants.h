/* variants.h - how many query strings of one path have been met.
 *
 * A shop's list with filters, a calendar with buttons, or a page that appends a
 * random number to its links has one path with endless queries. URLs are
 * counted by host and path, separately for one, two, and three or more
 * parameters, because ordinary sites have many of the first (?id=…) and few of
 * the last. Each kind has its ceiling (LIMIT_VARIANTS_* in base/limits.h).
 *
 * Limit: at most LIMIT_VARIANT_PATHS paths are counted; later ones are bounded
 * only by the host's budget. Each takes 12 to 24 bytes.
 */
#pragma once

#include "base/map.h"
#include "base/str.h"

struct variants {
    struct map counts; /* host, path, kind -> URLs */
};

void variants_init(struct variants *v);
void variants_free(struct variants *v);

/* Counts one more URL ("/path?query"; without a query nothing is counted). Returns false if its
 * path has reached its ceiling; then it is not counted. */
bool variants_add(struct variants *v, uint32_t host, struct str path);

size_t variants_bytes(const struct variants *v);
