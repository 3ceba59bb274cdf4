/* url_heap.c - URLs with a key each, the highest on top, every one within reach.
 * SPDX-License-Identifier: MIT */
#include "agent/url_heap.h"

#define WAYS 4 /* children of a node */

static bool above(const struct url_node *x, const struct url_node *y)
{
    return x->key > y->key || (!(y->key > x->key) && x->seq < y->seq);
}

static void place(struct url_heap *h, size_t i, const struct url_node *node)
{
    h->nodes[i] = *node;
    h->at.value[node->url] = (uint32_t)i + 1;
}

/* Puts a node at place i, which is free, or above it. */
static void sift_up(struct url_heap *h, size_t i, struct url_node node)
{
    while (i > 0 && above(&node, &h->nodes[(i - 1) / WAYS])) {
        place(h, i, &h->nodes[(i - 1) / WAYS]);
        i = (i - 1) / WAYS;
    }
    place(h, i, &node);
}

static size_t best_child(const struct url_heap *h, size_t i)
{
    size_t best = WAYS * i + 1, end = best + WAYS < h->count ? best + WAYS : h->count;

    for (size_t child = best + 1; child < end; child++)
        if (above(&h->nodes[child], &h->nodes[best]))
            best = child;
    return best;
}

/* Puts a node at place i, which is free, or below it. */
static void sift_down(struct url_heap *h, size_t i, struct url_node node)
{
    while (WAYS * i + 1 < h->count) {
        size_t child = best_child(h, i);

        if (!above(&h->nodes[child], &node))
            break;
        place(h, i, &h->nodes[child]);
        i = child;
    }
    place(h, i, &node);
}

static void settle(struct url_heap *h, size_t i, struct url_node node)
{
    if (i > 0 && above(&node, &h->nodes[(i - 1) / WAYS]))
        sift_up(h, i, node);
    else
        sift_down(h, i, node);
}

void url_heap_clear(struct url_heap *h)
{
    free(h->nodes);
    url_index_clear(&h->at);
    *h = (struct url_heap){0};
}

void url_heap_add(struct url_heap *h, struct url_node node)
{
    MEM_GROW(h->nodes, h->count, &h->cap);
    url_index_set(&h->at, node.url, 0); /* makes room */
    sift_up(h, h->count++, node);
}

void url_heap_change(struct url_heap *h, struct url_node node)
{
    settle(h, h->at.value[node.url] - 1, node);
}

void url_heap_remove(struct url_heap *h, uint32_t url)
{
    size_t i = h->at.value[url] - 1;
    struct url_node last = h->nodes[--h->count];

    h->at.value[url] = 0;
    if (i < h->count)
        settle(h, i, last);
}
