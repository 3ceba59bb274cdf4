/* traps.h - URLs that look like part of an endless space.
 *
 * Judges one URL by its shape alone: a run of path segments that follows itself
 * again and again (/a/b/a/b/a/b), a path too long or too deep, a query with too
 * many parameters or one of them too often. The figures are in base/limits.h
 * and far from what honest sites use. Limit: a space whose URLs each look sound
 * (a calendar without an end) is not seen here; budgets and scores bound it.
 */
#ifndef FRONTIER_TRAPS_H
#define FRONTIER_TRAPS_H

#include "base/str.h"

/* `path` with its query, as in a normalised URL. */
bool trap_looks_endless(struct str path);

#endif
