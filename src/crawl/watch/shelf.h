/* shelf.h - visited pages kept in memory, for models that come back to them.
 *
 * What a model reads of a page, in one block each and ready to be read in place:
 * links with their spans, terms, the sequence of words; no markup, no text (as in
 * a simulated web, sim/web/web.h). A shelf has room for so many bytes; then the page
 * that was not asked for longest goes. The one put last stays, however large.
 *
 * Workload: 5 to 20 KB a page; put once a visit, asked for some times as often.
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
    uint32_t first;  /* the first version of its URL; its own number where it is that */
    uint64_t hash;   /* of the decoded payload */
    struct str etag, last_modified;
    const struct shingles *main; /* what is compared with later; NULL: nothing was kept */
    struct page body;            /* title, text and words are empty; nwords is right */
    struct profile profile;
};

struct shelf *shelf_new(size_t max_bytes);
void shelf_free(struct shelf *s);

/* Copies a page; one of the same number is replaced. What `page->body` has of
 * texts is left out. */
void shelf_put(struct shelf *s, const struct shelf_page *page);

/* NULL: it is not here. Lent until the next put. */
const struct shelf_page *shelf_get(struct shelf *s, uint32_t page);

/* Memory is scarce: all but the page put last go. */
void shelf_spare(struct shelf *s);

size_t shelf_bytes(const struct shelf *s);
