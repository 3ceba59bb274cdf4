/* link_items.c - the links that wait at one host. See link_items.h.
 *
 * Every write of an item goes through put(), which keeps its place in the index.
 * SPDX-License-Identifier: MIT */
#include "agent/link_items.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WAYS  4 /* children per node */
#define SHORT 8
#define WIDE  12

void link_items_clear(struct link_items *x)
{
    free(x->bytes);
    *x = (struct link_items){0};
}

static inline size_t size_of(const struct link_items *x)
{
    return x->is_wide ? WIDE : SHORT;
}

struct link_item link_items_at(const struct link_items *x, size_t i)
{
    const unsigned char *at = x->bytes + i * size_of(x);
    struct link_item ret;
    float key;

    if (x->is_wide) {
        memcpy(&ret.key, at, sizeof ret.key);
        memcpy(&ret.url, at + sizeof ret.key, sizeof ret.url);
    } else {
        memcpy(&key, at, sizeof key);
        memcpy(&ret.url, at + sizeof key, sizeof ret.url);
        ret.key = (double)key;
    }
    return ret;
}

void link_items_near(const struct link_items *x, size_t i)
{
    __builtin_prefetch(x->bytes + i * size_of(x));
}

/* Writes an item, whose key fits. */
static inline void write_item(struct link_items *x, size_t i, struct link_item item)
{
    unsigned char *at = x->bytes + i * size_of(x);
    float key = (float)item.key;

    if (x->is_wide) {
        memcpy(at, &item.key, sizeof item.key);
        memcpy(at + sizeof item.key, &item.url, sizeof item.url);
    } else {
        memcpy(at, &key, sizeof key);
        memcpy(at + sizeof key, &item.url, sizeof item.url);
    }
}

static inline void put(struct link_items *x, struct link_places *p, size_t i, struct link_item item)
{
    write_item(x, i, item);
    p->at.at[item.url] = (uint32_t)i + 1;
}

static bool is_float(double key)
{
    return (double)(float)key >= key && (double)(float)key <= key;
}

/* Gives every item 12 bytes, from the last to the first. */
static void widen(struct link_items *x)
{
    struct link_items old = *x;

    x->bytes = mem_resize(x->bytes, x->cap, WIDE);
    old.bytes = x->bytes;
    x->is_wide = true;
    for (size_t i = x->count; i-- > x->gone;)
        write_item(x, i, link_items_at(&old, i));
}

static void reserve(struct link_items *x, struct link_places *p, struct link_item item)
{
    if (x->count == 0)
        x->is_wide = false;
    if (x->count >= x->cap) {
        /* There are many hosts with one link: start small. */
        x->cap = x->cap < 4 ? x->cap * 2 + !x->cap : x->cap + x->cap / (x->cap < 64 ? 2 : 8);
        x->bytes = mem_resize(x->bytes, x->cap, size_of(x));
    }
    heap_index_reach(&p->at, item.url);
}

/* Puts an item at place i, which is free, or above it, so that the order holds. */
static void sift_up(struct link_items *x, struct link_places *p, size_t i, struct link_item item)
{
    while (i > 0) {
        struct link_item parent = link_items_at(x, (i - 1) / WAYS);

        if (!link_item_before(p, item, parent))
            break;
        put(x, p, i, parent);
        i = (i - 1) / WAYS;
    }
    put(x, p, i, item);
}

/* Puts an item at place i, which is free, or below it, so that the order holds. */
static void sift_down(struct link_items *x, struct link_places *p, size_t i, struct link_item item)
{
    while (WAYS * i + 1 < x->count) {
        size_t best = WAYS * i + 1, end = best + WAYS < x->count ? best + WAYS : x->count;
        struct link_item child = link_items_at(x, best);

        for (size_t k = best + 1; k < end; k++) {
            struct link_item other = link_items_at(x, k);

            if (link_item_before(p, other, child)) {
                child = other;
                best = k;
            }
        }
        if (!link_item_before(p, child, item))
            break;
        put(x, p, i, child);
        i = best;
    }
    put(x, p, i, item);
}

static void settle(struct link_items *x, struct link_places *p, size_t i, struct link_item item)
{
    if (i > 0 && link_item_before(p, item, link_items_at(x, (i - 1) / WAYS)))
        sift_up(x, p, i, item);
    else
        sift_down(x, p, i, item);
}

void link_items_append(struct link_items *x, struct link_places *p, struct link_item item)
{
    reserve(x, p, item);
    if (!x->is_wide && !is_float(item.key))
        widen(x);
    put(x, p, x->count++, item);
}

void link_items_put(struct link_items *x, struct link_places *p, struct link_item item)
{
    bool is_in = heap_has(&p->at, item.url);

    if (!is_in)
        reserve(x, p, item);
    if (!x->is_wide && !is_float(item.key))
        widen(x);
    if (is_in)
        settle(x, p, p->at.at[item.url] - 1, item);
    else
        sift_up(x, p, x->count++, item);
}

void link_items_remove(struct link_items *x, struct link_places *p, uint32_t url)
{
    size_t i = p->at.at[url] - 1;

    p->at.at[url] = 0;
    if (i != --x->count)
        settle(x, p, i, link_items_at(x, x->count));
}

void link_items_pack(struct link_items *x, struct link_places *p)
{
    x->count -= x->gone;
    for (size_t i = 0; i < x->count && x->gone; i++)
        put(x, p, i, link_items_at(x, i + x->gone));
    x->gone = 0;
}
