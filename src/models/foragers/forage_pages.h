/* forage_pages.h - what foragers know about a page: its newest document, and its state.
 *
 * There is one record for each URL, shared by all foragers, because they use the same
 * classifier. A record is held by the paths whose frontier has the URL. Without a holder
 * it is kept as long as it may save a download and there is room: above `max`, records
 * without a holder are removed in the order of a ring.
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
    int64_t looked_at;        /* time of the last look by any forager; 0: never */
    bool gone;                /* at that time it was not available */
    struct document document; /* id 0: there is none */
};

struct forage_pages {
    struct map where;          /* hash of a URL -> record */
    struct forage_page *pages; /* counted from 1; the first is not used */
    float *states;             /* td_stride(k) for each record */
    size_t count, cap, states_cap;
    size_t used; /* records with a URL */
    size_t max;
    uint32_t k;
    uint32_t free, hand; /* the next free record; the position in the ring */
};

void forage_pages_init(struct forage_pages *p, uint32_t k, size_t max);
void forage_pages_clear(struct forage_pages *p);

/* Returns the record of a URL, or 0 if there is none; forage_pages_at() makes a new one with a
 * state of zeros. Lent pointers are valid until the next new record. */
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

/* Save and load states with two bytes for each number. */
void forage_state_save(const float *state, uint32_t k, struct buf *out);
void forage_state_load(float *state, uint32_t k, struct cursor *from);

/* Saves the records that have a holder, or were looked at after `since`. After a load,
 * holders are counted again. */
void forage_pages_save(const struct forage_pages *p, int64_t since, struct buf *out);
enum status forage_pages_load(struct forage_pages *p, struct cursor *from) MUST_USE;
