/* heap.h - a priority queue of (key, id) pairs, smallest key first.
 *
 * Ties are broken by order of insertion, so that results never depend on the
 * heap's layout. Largest first: insert the negated key. 24 bytes an entry.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_item {
    double key;   /* the order; a time in microseconds is exact below 2^53 */
    uint64_t seq; /* insertion number: the tie-breaker */
    uint32_t id;  /* the caller's */
};

struct heap {
    struct heap_item *items; /* items[0] is the smallest */
    size_t count, cap;
    uint64_t seq; /* next insertion number */
};

void heap_init(struct heap *h);
void heap_free(struct heap *h);
void heap_push(struct heap *h, double key, uint32_t id);

/* Puts an item back with the insertion number it had (for checkpoints). */
void heap_restore(struct heap *h, struct heap_item item);

/* The smallest item, or NULL. Lent until the next change. */
const struct heap_item *heap_peek(const struct heap *h);
bool heap_pop(struct heap *h, struct heap_item *ret);

/* Takes the item at index `i` of h->items out, wherever it stands. */
void heap_remove_at(struct heap *h, size_t i);
