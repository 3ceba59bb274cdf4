/* stored_text.h - turns stored pages into words again, for counting after a crawl.
 *
 * The database has the text of a page as the crawl saw it. Here it is split into words and stemmed
 * again, together with the title, in the language of the page (English if it declared none). Newest
 * versions only, in order of number; hidden pages and duplicates are left out, as in `brood top`.
 */
#pragma once

#include "store/read/query.h"
#include "text/appraisal.h"

struct vocab; /* text/vocab.h */

struct stored_text {
    const struct query_page *row;
    struct str text;
    struct text_extent extent;
    const struct page *page;       /* words of title and text; where main text begins; no links */
    const struct profile *profile; /* its terms, without a topic */
};

typedef enum status stored_text_fn(void *ctx, const struct stored_text *t);

struct stored_texts {
    uint32_t agent;     /* only pages fetched for it; 0: all */
    bool team;          /* and for its descendants, such as the crawlers of an assistant */
    struct vocab *into; /* learns every page, and stems if it keeps texts; may be NULL */
    bool (*wants)(void *ctx, const struct query_page *row); /* NULL: all */
    /* Returns true if it knows the page already; it has then filled in sizes and profile, and the
     * text is not read. May be NULL. */
    bool (*knows)(void *ctx, const struct query_page *row, struct stored_text *io);
    /* Of its row in the database, a page has only number, type, language, title, relevance and
     * depth. That takes a third of the time. */
    bool brief;
    const int *stop; /* ends with ST_STOPPED when it becomes 1; may be NULL */
};

/* Gets how many pages there are at most, of all agents; some may have no text. */
enum status stored_texts_count(struct query *q, uint64_t *ret) MUST_USE;
/* Calls `fn` (may be NULL) for one page after the other. Its arguments are lent for the call. */
enum status stored_texts_each(struct query *q, const struct stored_texts *which, stored_text_fn *fn,
                              void *ctx) MUST_USE;
