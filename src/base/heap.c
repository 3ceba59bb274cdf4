/* heap.c - a priority queue of (key, id) pairs.
 *
 * Every write of an item goes through put(), which keeps its place in
 * the index. Without an index `at` is NULL, a constant in the callers,
 * where everything is inlined.
 * SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WAYS  4          /* children per node */
#define LARGE (1U << 20) /* items: a larger array grows by remapping, not by copying */

_Static_assert(sizeof(struct heap_item) == 16, "four children are a line of memory");
_Static_assert(LIMIT_URLS <= HEAP_IDS && LIMIT_AGENTS <= HEAP_IDS, "ids are URLs, hosts, agents");

void heap_free(struct heap *h)
{
    free(h->items);
    *h = (struct heap){0};
}

void heap_index_free(struct heap_index *x)
{
    free(x->at);
    *x = (struct heap_index){0};
}

static inline bool before(const struct heap_item *a, const struct heap_item *b)
{
    return a->key < b->key || (!(b->key < a->key) && a->seq < b->seq);
}

static inline void put(struct heap *h, uint32_t *at, size_t i, struct heap_item item)
{
    h->items[i] = item;
    if (at)
        at[item.id] = (uint32_t)i + 1;
}

/* Puts an item at place i, which is free, or above it, so that the order holds. */
static inline void sift_up(struct heap *h, uint32_t *at, size_t i, struct heap_item item)
{
    while (i > 0 && before(&item, &h->items[(i - 1) / WAYS])) {
        put(h, at, i, h->items[(i - 1) / WAYS]);
        i = (i - 1) / WAYS;
    }
    put(h, at, i, item);
}

static inline size_t first_child(const struct heap *h, size_t i)
{
    size_t first = WAYS * i + 1, end = first + WAYS < h->count ? first + WAYS : h->count;

    for (size_t child = first + 1; child < end; child++)
        if (before(&h->items[child], &h->items[first]))
            first = child;
    return first;
}

/* Puts an item at place i, which is free, or below it, so that the order holds. */
static inline void sift_down(struct heap *h, uint32_t *at, size_t i, struct heap_item item)
{
    while (WAYS * i + 1 < h->count) {
        size_t child = first_child(h, i);

        if (!before(&h->items[child], &item))
            break;
        put(h, at, i, h->items[child]);
        i = child;
    }
    put(h, at, i, item);
}

static inline void settle(struct heap *h, uint32_t *at, size_t i, struct heap_item item)
{
    if (i > 0 && before(&item, &h->items[(i - 1) / WAYS]))
        sift_up(h, at, i, item);
    else
        sift_down(h, at, i, item);
}

static uint32_t count_until(const struct heap *h, double key, size_t i, uint32_t max)
{
    uint32_t n = 1;

    if (max == 0 || i >= h->count || h->items[i].key > key)
        return 0;
    for (size_t child = WAYS * i + 1; child <= WAYS * i + WAYS; child++)
        n += count_until(h, key, child, max - n);
    return n;
}

uint32_t heap_until(const struct heap *h, double key, uint32_t max)
{
    return count_until(h, key, 0, max);
}

/* ---- without an index ---- */

void heap_restore(struct heap *h, struct heap_item item)
{
    MEM_GROW(h->items, h->count, &h->cap);
    sift_up(h, NULL, h->count++, item);
    if (item.seq >= h->seq)
        h->seq = item.seq + 1;
}

void heap_push(struct heap *h, double key, uint32_t id)
{
    heap_restore(h, heap_item(key, h->seq, id));
}

bool heap_pop(struct heap *h, struct heap_item *ret)
{
    if (h->count == 0)
        return false;
    *ret = h->items[0];
    if (--h->count > 0)
        sift_down(h, NULL, 0, h->items[h->count]);
    return true;
}

/* ---- with an index ---- */

void heap_index_reach(struct heap_index *x, uint32_t id)
{
    size_t cap = x->cap < 64 ? 64 : x->cap;

    if (id < x->cap)
        return;
    while (cap <= id)
        cap += cap < LARGE ? cap / 2 : cap / 8;
    x->at = mem_resize(x->at, cap, sizeof *x->at);
    memset(x->at + x->cap, 0, (cap - x->cap) * sizeof *x->at);
    x->cap = cap;
}

static void reserve(struct heap *h)
{
    if (h->count < h->cap)
        return;
    /* There are many heaps with one member: start small. */
    h->cap = h->cap < 4 ? h->cap * 2 + !h->cap : h->cap + h->cap / (h->cap < 64 ? 2 : 8);
    h->items = mem_resize(h->items, h->cap, sizeof *h->items);
}

/* Inserts an item, or moves the one of that id, with the insertion number given. */
void heap_put(struct heap *h, struct heap_index *x, struct heap_item item)
{
    heap_index_reach(x, item.id);
    if (x->at[item.id] != 0) {
        settle(h, x->at, x->at[item.id] - 1, item);
        return;
    }
    reserve(h);
    sift_up(h, x->at, h->count++, item);
}

void heap_set(struct heap *h, struct heap_index *x, uint32_t id, double key)
{
    if (heap_has(x, id)) {
        double old = h->items[x->at[id] - 1].key;

        if (!(old < key || key < old))
            return;
    }
    heap_put(h, x, heap_item(key, h->seq++, id));
}

void heap_take_out(struct heap *h, struct heap_index *x, uint32_t id)
{
    size_t i = x->at[id] - 1;

    x->at[id] = 0;
    if (i < --h->count)
        settle(h, x->at, i, h->items[h->count]);
}
