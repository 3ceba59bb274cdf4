/* ring.c - a first-in, first-out queue that grows. SPDX-License-Identifier: MIT */
#include "base/ring.h"

#include "base/mem.h"

#include <string.h>

void ring_grow(struct ring *r, size_t size)
{
    size_t cap = r->cap ? 2 * r->cap : 16, tail = r->cap - r->head;
    unsigned char *items = mem_resize(NULL, cap, size);

    if (r->cap) { /* it is full: put the oldest item first again */
        memcpy(items, r->items + r->head * size, tail * size);
        memcpy(items + tail * size, r->items, r->head * size);
    }
    free(r->items);
    *r = (struct ring){.items = items, .count = r->count, .cap = cap};
}
