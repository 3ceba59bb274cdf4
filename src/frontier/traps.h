/* traps.h - URLs that look like part of an endless space.
 *
 * It judges one URL by its shape alone: a run of path segments that is repeated
 * (/a/b/a/b/a/b), a path that is too long or too deep, a query with too many
 * parameters or with one of them too often, a month in a year that no page is
 * about (/2093/04/, ?year=1650&month=2: the pages of a calendar). The figures
 * are in base/limits.h and far beyond what ordinary sites use. Limit: an endless
 * space whose URLs all look normal is not recognised here, but by its pages
 * (duplicates, frontier_feed()), by variants.h and by the host's budget.
 */
#pragma once

#include "base/str.h"

/* `path` has its query, as in a normalised URL; `year` is the current one, 0: unknown. */
bool trap_looks_endless(struct str path, int year);
