/* traps.h - URLs that look like part of an endless space.
 *
 * Judges one URL by its shape alone: a run of path segments that follows itself
 * again and again (/a/b/a/b/a/b), a path too long or too deep, a query with too
 * many parameters or one of them too often, a month of a year that no page is
 * about (/2093/04/, ?year=1650&month=2: a calendar is being leafed through). The
 * figures are in base/limits.h and far from what honest sites use. Limit: a
 * space whose URLs each look sound is not seen here, but by what its pages are
 * (duplicates, frontier_feed()), by variants.h and by the host's budget.
 */
#pragma once

#include "base/str.h"

/* `path` with its query, as in a normalised URL; the present year, 0: unknown. */
bool trap_looks_endless(struct str path, int year);
