/* exchange.h - random rewiring that keeps every degree.
 *
 * Pairs of links exchange their targets: a->b and c->d become a->d and c->b, as
 * long as that makes no link to itself and no second link to the same page. So
 * each page keeps the number of its links and of those that lead to it, and
 * everything else about them becomes chance.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct link_exchange {
    uint32_t pages;
    uint64_t *off;        /* page -> first link; pages + 1 */
    uint32_t *to;         /* targets, distinct within a page; changed */
    const bool *fixed;    /* link -> it keeps its target */
    const int64_t *since; /* link -> when it is first there … */
    const int64_t *birth; /* … page -> since when it can be linked to; both may be NULL */
};

/* False stops: ST_STOPPED. */
typedef bool exchange_progress_fn(void *ctx, uint64_t done, uint64_t total);

/* The same links and number give the same result. `progress` may be NULL. */
enum status exchange_links(struct link_exchange *x, uint64_t rng, exchange_progress_fn *progress,
                           void *ctx) MUST_USE;
