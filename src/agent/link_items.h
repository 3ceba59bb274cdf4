/* link_items.h - the links that wait at one host: a list, or a heap with the best link on top.
 *
 * There are millions of them, so an item is the URL and its key as a float, 8 bytes. The turn of a
 * URL, which decides between equal keys, is in a table of all hosts (link_turns.h), and so is its
 * place (struct heap_index). If one key of the host is not exactly a float, all items of this host
 * take 12 bytes, so that the order of links never depends on how items are kept.
 *
 * The heap has four children a node, like that of base/heap.h, and moves items in the same way.
 */
#pragma once

#include "agent/link_turns.h"
#include "base/heap.h"

struct link_items {
    unsigned char *bytes;
    uint32_t count, cap;
    uint32_t gone;   /* in order: how many of the first items are taken */
    bool is_wide;    /* an item takes 12 bytes */
    bool is_mixed;   /* they are not in order, but a heap */
    bool is_changed; /* for link_queue.c: it is in link_queue.changed */
};

/* What a link is found by, for all hosts: its place plus 1, and its turn. */
struct link_places {
    struct heap_index at;
    struct link_turns turns;
};

struct link_item {
    double key; /* the score, negated */
    uint32_t url;
};

void link_items_clear(struct link_items *x);

/* The item at a place, below `count`. */
struct link_item link_items_at(const struct link_items *x, size_t i);
/* The item will soon be asked for. */
void link_items_near(const struct link_items *x, size_t i);

/* Inserts the item behind all others, which must be in order. */
void link_items_append(struct link_items *x, struct link_places *p, struct link_item item);
/* Inserts the item into the heap, or moves it. Its turn must be set. */
void link_items_put(struct link_items *x, struct link_places *p, struct link_item item);
/* Removes a URL from the heap. */
void link_items_remove(struct link_items *x, struct link_places *p, uint32_t url);
/* Frees the room of items that are gone. */
void link_items_pack(struct link_items *x, struct link_places *p);

/* Does a come before b? */
static inline bool link_item_before(const struct link_places *p, struct link_item a,
                                    struct link_item b)
{
    return a.key < b.key || (!(b.key < a.key) &&
                             link_turns_get(&p->turns, a.url) < link_turns_get(&p->turns, b.url));
}
