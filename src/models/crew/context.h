/* context.h - the pages that an agent has read, as rows of a lattice (docs/words.md).
 *
 * Objects are pages, attributes are keywords; a page has a keyword if it is among its k
 * heaviest tf-idf terms. A context remembers these terms for a window of the newest
 * pages. The keywords are chosen only when a lattice is made: the terms that most pages
 * have, or any list, such as that of another context, so that two lattices can be
 * compared attribute by attribute.
 *
 *     context_add(c, page_number, profile, df);                 for each page
 *     n = context_keywords(c, 50, words);
 *     l = context_lattice(c, words, n);
 *     lattice_build(l, lattice_share(l, .01));
 *
 * Terms are ids of stems (text/vocab.h); models/crew/lexicon.h finds words for them, and
 * cs_terms() how near they are. Belongs to one thread.
 */
#pragma once

#include "flow.h"
#include "models/crew/lattice.h"

struct df_table; /* text/vocab.h */

/* ---- the heaviest terms of a page ---- */

/* Weights are (1 + ln tf) * idf, as in every cosine of brood; among equal ones the lower id comes
 * first. They are also used for the Sim of a page (models/crew/relate.h). */
struct top_term {
    uint32_t id;
    float weight;
};

/* Gives the n heaviest terms, in descending order; `df` may be NULL (idf 1). Returns how many;
 * fewer than n if the page has fewer terms. */
size_t top_terms(const struct profile *p, const struct df_table *df, size_t n,
                 struct top_term *ret);

/* ---- contexts ---- */

struct context;

/* Makes a context of the `window` newest pages, with `per_page` terms each; both are at least 1,
 * and at most LIMIT_LATTICE_OBJECTS and LIMIT_LATTICE_ROW. */
struct context *context_new(size_t window, size_t per_page);
void context_free(struct context *c); /* NULL is fine */

/* Adds a page, by the caller's number; a page that is in already gets new terms and keeps its age.
 * If the window is full, the oldest page is removed. `df` may be NULL. */
void context_add(struct context *c, uint32_t object, const struct profile *p,
                 const struct df_table *df);
size_t context_pages(const struct context *c);

/* Gives the terms that most pages have, the most frequent first, among equal ones the lower id; at
 * most `max` (room in `ret`), which is at most LIMIT_LATTICE_ATTRIBUTES. Returns how many. */
size_t context_keywords(const struct context *c, size_t max, uint32_t *ret);
/* The same, with the number of pages that have each term. */
size_t context_commonest(const struct context *c, size_t max, struct term *ret);

/* Makes a lattice of the rows, the oldest page first, with attribute i for terms[i]; it is not
 * built yet. A page without any of the keywords is an object with an empty row. */
struct lattice *context_lattice(const struct context *c, const uint32_t *terms, size_t n);

/* Checkpoint. The window and k must not be larger than when it was saved; if they are smaller, the
 * oldest pages and the lightest terms are dropped. */
void context_save(const struct context *c, struct buf *out);
enum status context_restore(struct context *c, struct cursor *in) MUST_USE;
