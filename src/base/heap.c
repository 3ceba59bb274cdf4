/* heap.c - a priority queue of (key, id) pairs. SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void heap_init(struct heap *h)
{
    memset(h, 0, sizeof *h);
}

void heap_free(struct heap *h)
{
    free(h->items);
    heap_init(h);
}

static bool before(const struct heap_item *a, const struct heap_item *b)
{
    return a->key < b->key || (!(b->key < a->key) && a->seq < b->seq);
}

static void sift_up(struct heap *h, size_t i)
{
    struct heap_item item = h->items[i];

    while (i > 0 && before(&item, &h->items[(i - 1) / 2])) {
        h->items[i] = h->items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->items[i] = item;
}

static void sift_down(struct heap *h, size_t i)
{
    struct heap_item item = h->items[i];
    size_t child;

    while ((child = 2 * i + 1) < h->count) {
        if (child + 1 < h->count && before(&h->items[child + 1], &h->items[child]))
            child++;
        if (!before(&h->items[child], &item))
            break;
        h->items[i] = h->items[child];
        i = child;
    }
    h->items[i] = item;
}

void heap_restore(struct heap *h, struct heap_item item)
{
    MEM_GROW(h->items, h->count, &h->cap);
    h->items[h->count++] = item;
    sift_up(h, h->count - 1);
    if (item.seq >= h->seq)
        h->seq = item.seq + 1;
}

void heap_push(struct heap *h, double key, uint32_t id)
{
    heap_restore(h, (struct heap_item){key, h->seq, id});
}

const struct heap_item *heap_peek(const struct heap *h)
{
    return h->count ? &h->items[0] : NULL;
}

void heap_remove_at(struct heap *h, size_t i)
{
    h->count--;
    if (i == h->count)
        return;
    h->items[i] = h->items[h->count];
    sift_down(h, i);
    sift_up(h, i);
}

bool heap_pop(struct heap *h, struct heap_item *ret)
{
    if (h->count == 0)
        return false;
    *ret = h->items[0];
    heap_remove_at(h, 0);
    return true;
}
