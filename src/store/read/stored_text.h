/* stored_text.h - stored pages as words again, for counting after a crawl.
 *
 * The text of a page stands in the database as the crawl saw it: it is cut into words
 * and stemmed again, with the title and under the language that the page had (English
 * where it declared none). Newest versions only, in order of number; hidden pages and
 * duplicates are left out, as in `brood top`.
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
    bool team;          /* and for its children and theirs: an assistant's crawlers */
    struct vocab *into; /* learns every page, and stems if it keeps texts; may be NULL */
    bool (*wants)(void *ctx, const struct query_page *row); /* NULL: all */
    /* Knows a page already: fills sizes and profile, and its text is not read. May be NULL. */
    bool (*knows)(void *ctx, const struct query_page *row, struct stored_text *io);
    const int *stop; /* ends with ST_STOPPED when it becomes 1; may be NULL */
};

/* How many there are of all agents, at most: some may have no text. */
enum status stored_texts_count(struct query *q, uint64_t *ret) MUST_USE;
/* One after the other; `fn` may be NULL. What it gets is lent for the call. */
enum status stored_texts_each(struct query *q, const struct stored_texts *which, stored_text_fn *fn,
                              void *ctx) MUST_USE;
