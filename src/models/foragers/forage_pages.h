/* forage_pages.h - what foragers know of a page: its newest document, and its state.
 *
 * One record a URL, shared by all foragers: the classifier is the same for all,
 * and so is what it says of a page. A record is held by the paths whose frontier has the
 * URL; without a holder it is kept as long as it may save a download, and while there
 * is room: above `max` the records without a holder make room, in the order of a ring.
 *
 * States are rounded to 1/32767, so that a checkpoint has two bytes for a number and
 * nothing changes by being saved. Thread: the mind only.
 */
#pragma once

#include "models/foragers/reinforcer.h"
#include "base/map.h"

struct forage_page {
    uint32_t url;             /* 0: free, and `refs` is the next free one */
    uint32_t refs;            /* holders */
    int64_t looked_at;        /* when a forager was there last; 0: never */
    bool gone;                /* it could not be had then */
    struct document document; /* id 0: it has none */
};

struct forage_pages {
    struct map where;          /* hash of a URL -> record */
    struct forage_page *pages; /* counted from 1: the first is not used */
    float *states;             /* td_stride(k) a record */
    size_t count, cap, states_cap;
    size_t used; /* records with a URL */
    size_t max;
    uint32_t k;
    uint32_t free, hand; /* the next free record; where the ring stands */
};

void forage_pages_init(struct forage_pages *p, uint32_t k, size_t max);
void forage_pages_clear(struct forage_pages *p);

/* The record of a URL: 0 where there is none; or a new one with a state of zeros. Lent
 * pointers live until the next new record. */
uint32_t forage_pages_find(const struct forage_pages *p, uint32_t url);
uint32_t forage_pages_at(struct forage_pages *p, uint32_t url);
static inline struct forage_page *forage_page(const struct forage_pages *p, uint32_t record)
{
    return &p->pages[record];
}

float *forage_state(const struct forage_pages *p, uint32_t record);
void forage_state_set(struct forage_pages *p, uint32_t record, const float *state, uint32_t k);

void forage_page_hold(struct forage_pages *p, uint32_t record);
void forage_page_release(struct forage_pages *p, uint32_t record);

/* States in two bytes a number. */
void forage_state_save(const float *state, uint32_t k, struct buf *out);
void forage_state_load(float *state, uint32_t k, struct cursor *from);

/* Saves the records that have a holder, or were looked at after `since`. After a load the
 * holders are counted again. */
void forage_pages_save(const struct forage_pages *p, int64_t since, struct buf *out);
enum status forage_pages_load(struct forage_pages *p, struct cursor *from) MUST_USE;
