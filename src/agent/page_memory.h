/* page_memory.h - the last pages that a model visited: their words and links.
 *
 * For models that learn during the crawl. It is a ring: when it is full, the newest
 * page replaces the oldest. Everything is copied. Thread: the mind only.
 */
#pragma once

#include "base/buf.h"
#include "flow.h"

struct remembered_page {
    struct term *terms; /* ascending by id; owned */
    uint32_t nterms;
    float relevance; /* the topic's verdict when it was visited */
    uint32_t *links; /* URLs offered to the model, in the page's order; owned */
    uint32_t nlinks;
};

struct page_memory {
    struct remembered_page *pages; /* a ring */
    size_t max;                    /* 0: nothing is remembered */
    size_t count, first;           /* pages in it; place of the oldest */
};

void page_memory_init(struct page_memory *m, size_t max);
void page_memory_clear(struct page_memory *m); /* frees everything */

/* Remembers a page with the links that are neither dropped nor taken. Pages without words, or with
 * more than PAGE_MEMORY_TERMS, are ignored. */
#define PAGE_MEMORY_TERMS 10000
void page_memory_add(struct page_memory *m, const struct percept *p);

/* Returns the i-th page; 0 is the oldest. */
static inline const struct remembered_page *page_memory_at(const struct page_memory *m, size_t i)
{
    return &m->pages[(m->first + i) % m->max];
}

void page_memory_save(const struct page_memory *m, struct buf *out);
enum status page_memory_load(struct page_memory *m, struct cursor *from) MUST_USE;
