/* order.c - a priority queue whose members can be moved and taken out.
 *
 * A binary heap with back pointers. Every write of an item goes through put(),
 * which keeps its position. SPDX-License-Identifier: MIT */
#include "frontier/order.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void order_index_free(struct order_index *x)
{
    free(x->pos);
    memset(x, 0, sizeof *x);
}

void order_free(struct order *o)
{
    free(o->items);
    memset(o, 0, sizeof *o);
}

static bool before(const struct heap_item *a, const struct heap_item *b)
{
    return a->key < b->key || (!(b->key < a->key) && a->seq < b->seq);
}

static void put(struct order *o, struct order_index *x, size_t i, struct heap_item item)
{
    o->items[i] = item;
    x->pos[item.id] = (uint32_t)i + 1;
}

static size_t sift_up(struct order *o, struct order_index *x, size_t i, struct heap_item item)
{
    while (i > 0 && before(&item, &o->items[(i - 1) / 2])) {
        put(o, x, i, o->items[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put(o, x, i, item);
    return i;
}

static void sift_down(struct order *o, struct order_index *x, size_t i, struct heap_item item)
{
    size_t child;

    while ((child = 2 * i + 1) < o->count) {
        if (child + 1 < o->count && before(&o->items[child + 1], &o->items[child]))
            child++;
        if (!before(&o->items[child], &item))
            break;
        put(o, x, i, o->items[child]);
        i = child;
    }
    put(o, x, i, item);
}

static void index_reach(struct order_index *x, uint32_t id)
{
    size_t cap = x->cap < 64 ? 64 : x->cap;

    if (id < x->cap)
        return;
    while (cap <= id)
        cap += cap / 2;
    x->pos = mem_resize(x->pos, cap, sizeof *x->pos);
    memset(x->pos + x->cap, 0, (cap - x->cap) * sizeof *x->pos);
    x->cap = cap;
}

void order_set(struct order *o, struct order_index *x, uint32_t id, double key)
{
    struct heap_item item = {key, 0, id};
    size_t i;

    index_reach(x, id);
    if (x->pos[id] != 0) {
        i = x->pos[id] - 1;
        if (!(o->items[i].key < key || key < o->items[i].key))
            return;
    } else {
        if (o->count == o->cap) { /* most groups hold one host: start small */
            o->cap = o->cap ? 2 * o->cap : 1;
            o->items = mem_resize(o->items, o->cap, sizeof *o->items);
        }
        i = o->count++;
    }
    item.seq = o->seq++;
    i = sift_up(o, x, i, item);
    sift_down(o, x, i, item);
}

bool order_remove(struct order *o, struct order_index *x, uint32_t id)
{
    size_t i;

    if (!order_has(x, id))
        return false;
    i = x->pos[id] - 1;
    x->pos[id] = 0;
    if (i == --o->count)
        return true;
    struct heap_item last = o->items[o->count];
    i = sift_up(o, x, i, last);
    sift_down(o, x, i, last);
    return true;
}
