/* heap.h - a priority queue of (key, id) pairs, smallest key first.
 *
 * Ties are broken by order of insertion, so that results never depend on the
 * heap's layout. Largest first: insert the negated key. Zeroed is empty.
 *
 * With a `struct heap_index`, an item can be found by its id, moved and removed.
 * Several heaps may share an index if an id is in at most one of them. A heap is
 * used either always with an index or never.
 *
 * A node has four children, and entries hold their keys, so that a step down reads
 * one or two cache lines. An entry takes 16 bytes; an index takes 4 for each id up
 * to the highest.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_item {
    double key;        /* the order; a time in microseconds is exact below 2^53 */
    uint64_t seq : 36; /* insertion number: the tie-breaker */
    uint64_t id : 28;  /* the caller's, up to HEAP_IDS */
};

#define HEAP_IDS  ((UINT64_C(1) << 28) - 1)
#define HEAP_SEQS ((UINT64_C(1) << 36) - 1)

static inline struct heap_item heap_item(double key, uint64_t seq, uint32_t id)
{
    return (struct heap_item){key, seq & HEAP_SEQS, id & HEAP_IDS};
}

struct heap {
    struct heap_item *items; /* items[0] is the smallest */
    size_t count, cap;
    uint64_t seq; /* next insertion number */
};

void heap_free(struct heap *h); /* empty afterwards */

/* The smallest item, or NULL. Lent until the next change. */
static inline const struct heap_item *heap_peek(const struct heap *h)
{
    return h->count ? &h->items[0] : NULL;
}

/* Returns how many items have a key up to `key`, but counts no further than `max`. Reads only these
 * items and their children. */
uint32_t heap_until(const struct heap *h, double key, uint32_t max);

/* ---- without an index ---- */

void heap_push(struct heap *h, double key, uint32_t id);

/* Puts an item back with the insertion number it had (for checkpoints). */
void heap_restore(struct heap *h, struct heap_item item);
bool heap_pop(struct heap *h, struct heap_item *ret);

/* ---- with an index ---- */

struct heap_index {
    uint32_t *at; /* by id: place in items, counted from 1; 0: in no heap */
    size_t cap;
};

void heap_index_free(struct heap_index *x);
/* Makes room for an id. */
void heap_index_reach(struct heap_index *x, uint32_t id);

static inline bool heap_has(const struct heap_index *x, uint32_t id)
{
    return id < x->cap && x->at[id] != 0;
}

/* Inserts `id`, or moves it if its key changed: then it comes after those that have the same
 * key. */
void heap_set(struct heap *h, struct heap_index *x, uint32_t id, double key);

/* Inserts an item, or moves it, with a tie-breaker that the caller chose. */
void heap_put(struct heap *h, struct heap_index *x, struct heap_item item);

/* Removes `id`, which must be in the heap. */
void heap_take_out(struct heap *h, struct heap_index *x, uint32_t id);

/* The same, but returns false if `id` was not in the heap. */
static inline bool heap_remove(struct heap *h, struct heap_index *x, uint32_t id)
{
    bool is_in = heap_has(x, id);

    if (is_in)
        heap_take_out(h, x, id);
    return is_in;
}
