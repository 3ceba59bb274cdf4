/* variants.h - how many query strings of one path have been met.
 *
 * A shop's list with filters, a calendar with a button, a page that puts a
 * random number behind its links: one path, and queries without end. Counted
 * are the URLs of a path of a host apart for one, two, and three or more
 * parameters, because honest sites have many of the first (?id=…) and few of
 * the last; each kind has its ceiling (LIMIT_VARIANTS_* in base/limits.h).
 *
 * Limit: at most LIMIT_VARIANT_PATHS paths are counted; those met later are
 * not bounded here, but by the host's budget. 12 to 24 bytes each.
 */
#pragma once

#include "base/map.h"
#include "base/str.h"

struct variants {
    struct map counts; /* host, path, kind -> URLs */
};

void variants_init(struct variants *v);
void variants_free(struct variants *v);

/* Counts one more URL ("/path?query"; without a query nothing is counted).
 * False where its path has reached its ceiling; it is then not counted. */
bool variants_add(struct variants *v, uint32_t host, struct str path);

size_t variants_bytes(const struct variants *v);
