/* order.h - a priority queue whose members can be moved and taken out.
 *
 * Like base/heap.h, but a member is known by its number: order_set() enters it
 * or gives it a new key, order_remove() takes it out, both in O(log n). Where a
 * member stands is kept in a `struct order_index`, which several orders may
 * share if a member is in at most one of them (a host is in one address group).
 * Smallest key first; ties in the order in which the keys were set.
 */
#pragma once

#include "base/heap.h"

/* Position + 1 of each member by its number; 0: in no order. */
struct order_index {
    uint32_t *pos;
    size_t cap; /* numbers below it have a place */
};

struct order {
    struct heap_item *items; /* items[0] is the first */
    size_t count, cap;
    uint64_t seq; /* next tie-breaker */
};

void order_index_free(struct order_index *x);
void order_free(struct order *o);

/* Enters `id`, or moves it where its key changed. */
void order_set(struct order *o, struct order_index *x, uint32_t id, double key);

/* Takes `id` out; false where it was not in. */
bool order_remove(struct order *o, struct order_index *x, uint32_t id);

/* The first member; NULL where there is none. Lent until the next change. */
static inline const struct heap_item *order_first(const struct order *o)
{
    return o->count ? &o->items[0] : NULL;
}

static inline bool order_has(const struct order_index *x, uint32_t id)
{
    return id < x->cap && x->pos[id] != 0;
}
