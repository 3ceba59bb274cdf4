/* pace.h - how long the pages that are left will take.
 *
 * The mean of two paces: over the last quarter of the pages, since hosts and patience change
 * it on the way, and over all of this run, since a few bad minutes do not last. Measured on
 * runs of several models, the recent pace alone is wrong by more than a quarter half as
 * often again.
 *
 * Limit: with patience on many hosts the pace itself jumps, when the links of a page that
 * promised much are used up, and nothing here foresees that.
 *
 * When pages came is kept for one of `step` pages; when the list is full every second goes.
 */
#pragma once

#include <stdint.h>

#define PACE_MARKS 128

struct pace {
    int64_t began;          /* of this run, or after a pause */
    uint64_t pages;         /* since then */
    uint64_t step;          /* pages from one mark to the next */
    uint32_t count;         /* marks */
    int64_t at[PACE_MARKS]; /* when page (i + 1) * step came */
};

void pace_begin(struct pace *p, int64_t now);
void pace_page(struct pace *p, int64_t now); /* a page came */

/* How long `left` more pages will take; -1: nothing is known yet. */
int64_t pace_left(const struct pace *p, int64_t now, uint64_t left);
