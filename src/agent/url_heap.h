/* url_heap.h - URLs with a key each, the highest on top, every one within reach.
 *
 * Ties: the lower sequence number stands above. A heap of four children a node
 * with the keys in it, so that a step down looks at two lines of memory; where a
 * URL stands is kept in an array. 28 bytes a URL, and 4 for each that ever was in.
 *
 * Workload: 30 additions a page, most of URLs that are in already.
 */
#pragma once

#include "agent/url_index.h"

#include <stdbool.h>

struct url_node {
    double key;
    uint64_t seq; /* the tie-breaker */
    uint32_t url;
};

struct url_heap {
    struct url_node *nodes; /* nodes[0] is the top */
    size_t count, cap;
    struct url_index at; /* URL -> place in nodes, counted from 1 */
};

void url_heap_clear(struct url_heap *h); /* frees everything; zeroed is empty */

/* The node of a URL, or NULL. Lent until the next change. */
static inline const struct url_node *url_heap_find(const struct url_heap *h, uint32_t url)
{
    uint32_t at = url_index_get(&h->at, url);

    return at ? &h->nodes[at - 1] : NULL;
}

void url_heap_add(struct url_heap *h, struct url_node node);    /* of a URL that is not in */
void url_heap_change(struct url_heap *h, struct url_node node); /* of one that is */
void url_heap_remove(struct url_heap *h, uint32_t url);         /* one that is in */
