/* shelf.h - visited pages kept in memory, for models that come back to them.
 *
 * It keeps what a model reads of a page, in one block each that can be read in place: links with
 * their spans, terms, the sequence of words; no markup and no text (as in a simulated web,
 * sim/web/web.h). When a shelf is full, the least recently used page is dropped. The page put last
 * always stays, however large it is.
 *
 * Workload: 5 to 20 KB a page; each visit puts one page, and pages are read several times as often.
 * Thread: the mind only.
 */
#pragma once

#include "flow.h"

struct shelf;
struct shingles; /* text/shingle.h */

/* A page and the visit that brought it. */
struct shelf_page {
    uint32_t page;  /* its number */
    uint32_t url;   /* where it was found */
    uint32_t agent; /* for which agent; 0: none */
    uint16_t depth;
    uint8_t robots;  /* ROBOTS_* of page and headers joined */
    int64_t latency; /* us */
    int64_t date;    /* of the document: percept.date */
    uint32_t first;  /* the first version of its URL, perhaps this one */
    uint64_t hash;   /* of the decoded payload */
    struct str etag, last_modified;
    const struct shingles *main; /* for later comparisons; NULL: not kept */
    struct page body;            /* title, text and words are empty; nwords is right */
    struct profile profile;
};

struct shelf *shelf_new(size_t max_bytes);
void shelf_free(struct shelf *s);

/* Copies a page, without the texts of `page->body`; replaces one of the same number. */
void shelf_put(struct shelf *s, const struct shelf_page *page);

/* Returns a page, lent until the next put; NULL if it is not on the shelf. */
const struct shelf_page *shelf_get(struct shelf *s, uint32_t page);

/* Memory is scarce: drops all pages but the one put last. */
void shelf_spare(struct shelf *s);

size_t shelf_bytes(const struct shelf *s);
