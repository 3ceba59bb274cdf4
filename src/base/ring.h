/* ring.h - a first-in, first-out queue of items of one type that grows.
 *
 * Zeroed is empty. The type is named in every call and is always the same one:
 * `*RING_ADD(&r, uint32_t) = 7;`. Pointers are lent until the next addition.
 */
#pragma once

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct ring {
    unsigned char *items;
    size_t head, count, cap; /* head: the oldest item; cap: a power of two */
};

/* Makes room for one more item at the end and returns it, not yet filled. */
#define RING_ADD(r, type)   ((type *)ring_add((r), sizeof(type)))
/* The item that has `i` older ones before it; i < count. */
#define RING_AT(r, i, type) ((type *)ring_at((r), (i), sizeof(type)))
/* Takes the oldest item out of a ring, which must not be empty. */
#define RING_TAKE(r, type)  ((type *)ring_take((r), sizeof(type)))

/* Called when it is full: puts the oldest item first again. */
static inline void ring_grow(struct ring *r, size_t size)
{
    size_t cap = r->cap ? 2 * r->cap : 16, tail = r->cap - r->head;
    unsigned char *items = mem_resize(NULL, cap, size);

    if (r->cap) {
        memcpy(items, r->items + r->head * size, tail * size);
        memcpy(items + tail * size, r->items, r->head * size);
    }
    free(r->items);
    *r = (struct ring){.items = items, .count = r->count, .cap = cap};
}

static inline void *ring_at(const struct ring *r, size_t i, size_t size)
{
    return r->items + ((r->head + i) & (r->cap - 1)) * size;
}

static inline void *ring_add(struct ring *r, size_t size)
{
    if (r->count == r->cap)
        ring_grow(r, size);
    return ring_at(r, r->count++, size);
}

static inline void *ring_take(struct ring *r, size_t size)
{
    void *first = ring_at(r, 0, size);

    r->head = (r->head + 1) & (r->cap - 1);
    r->count--;
    return first;
}

static inline void ring_free(struct ring *r) /* empty afterwards */
{
    free(r->items);
    *r = (struct ring){0};
}
