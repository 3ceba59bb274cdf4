/* exchange.h - random rewiring that keeps every degree.
 *
 * Pairs of links exchange their targets: a->b and c->d become a->d and c->b, unless that makes a
 * link of a page to itself or a second link to the same page. So each page keeps the number of its
 * links and of the links to it; everything else becomes random.
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
    const int64_t *since; /* link -> when it first exists … */
    const int64_t *birth; /* … page -> since when it exists; both may be NULL */
};

/* Returns false to stop: the caller gets ST_STOPPED. */
typedef bool exchange_progress_fn(void *ctx, uint64_t done, uint64_t total);

/* Exchanges the links. The same links and the same `rng` give the same result. `progress` may be
 * NULL. */
enum status exchange_links(struct link_exchange *x, uint64_t rng, exchange_progress_fn *progress,
                           void *ctx) MUST_USE;
