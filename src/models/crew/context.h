/* context.h - what an agent has read, as rows of a lattice (docs/words.md).
 *
 * Objects are pages, attributes keywords; a page has a keyword where that is among its k
 * heaviest tf-idf terms. A context remembers these terms for the newest pages, a window of
 * them. Which terms are the keywords is decided when a lattice is wanted: those that most
 * pages have, or any list, such as that of another context, so that two lattices can
 * be compared attribute by attribute.
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

/* Weights are (1 + ln tf) * idf, as in every cosine of brood; of equal ones the lower id
 * comes first. A page's Sim is computed from them too (models/crew/relate.h). */
struct top_term {
    uint32_t id;
    float weight;
};

/* The n heaviest, in descending order; `df` may be NULL (idf 1). Returns how many:
 * fewer where the page has fewer terms. */
size_t top_terms(const struct profile *p, const struct df_table *df, size_t n,
                 struct top_term *ret);

/* ---- contexts ---- */

struct context;

/* Of the `window` newest pages, `per_page` terms each; both are cut to
 * LIMIT_LATTICE_OBJECTS and LIMIT_LATTICE_ROW, and are at least 1. */
struct context *context_new(size_t window, size_t per_page);
void context_free(struct context *c); /* NULL is fine */

/* A page, by the caller's number; one that is there already gets new terms and keeps its
 * age. The oldest goes where the window is full. `df` may be NULL. */
void context_add(struct context *c, uint32_t object, const struct profile *p,
                 const struct df_table *df);
size_t context_pages(const struct context *c);

/* The terms that most pages have, most first, of equal ones the lower id; at most `max`
 * (room in `ret`), which is at most LIMIT_LATTICE_ATTRIBUTES. Returns how many. */
size_t context_keywords(const struct context *c, size_t max, uint32_t *ret);
/* The same, each with the number of pages that have it. */
size_t context_commonest(const struct context *c, size_t max, struct term *ret);

/* The rows, oldest page first, with attribute i for terms[i]; not built yet. A page
 * without any of the keywords is an object with an empty row. */
struct lattice *context_lattice(const struct context *c, const uint32_t *terms, size_t n);

/* Checkpoint. The window and k must be those it was saved with, or smaller: then the
 * oldest pages and lightest terms go. */
void context_save(const struct context *c, struct buf *out);
enum status context_restore(struct context *c, struct cursor *in) MUST_USE;
