/* profile.h - what a page is about, and how near to the topic that is.
 *
 * A profiler belongs to one thread: it holds the stem cache and the counting
 * table. It reads document frequencies from an immutable df_table that the mind
 * publishes now and then (text/vocab.h).
 */
#pragma once

#include "text/topic.h"

struct vocab;
struct profiler;
struct profiler *profiler_new(const struct topic *topic); /* NULL: nothing is relevant */
void profiler_free(struct profiler *p);

/* What is read in the main text of a page alone (parse/main/main.h), where it has at least 20
 * words. All words stay in the sequence. */
#define PROFILE_MAIN_TERMS    1u
#define PROFILE_MAIN_CONTEXTS 2u /* in a span, words elsewhere count as little as stop words */
#define PROFILE_MAIN_SIMHASH  4u
#define PROFILE_MAIN_CHANGE   8u /* whoever compares versions looks at it: sim/web/load.c */
#define PROFILE_MAIN_NONE     16u

/* What a profiler begins with: what was measured to help (docs/relevance.md). */
#define PROFILE_MAIN_USUAL    PROFILE_MAIN_SIMHASH

void profiler_read_main(struct profiler *p, unsigned parts);

/* Fills *ret; terms go to `arena`. `df` may be NULL (no documents seen yet).
 * Terms are those of title and text together, stop words left out, stemmed
 * under the page's declared language where we have a stemmer for it, else under
 * the topic's. relevance is 0 where the topic has `match` patterns and none
 * matches. simhash is of the main text, 0 where there is no text.
 * Of a joint topic relevance is that of the best part; `topics` has all of them, and only what
 * every part rejects is dropped.
 * `url` is for the topic's match/reject patterns: DROP_REJECTED, or DROP_NONE. */
enum drop profile_page(struct profiler *p, const struct page *page, struct str url,
                       const struct df_table *df, struct arena *arena, struct profile *ret);

/* The terms of a page as its guide reads them (p->nterms of them). A page usually says what it is
 * about in its title and in the first 40 words of its main text, so each of these words counts 9
 * times. */
void profile_terms(const struct profile *p, struct term *ret);

/* The place in the sequence of the first word of the main text; of the text where there is none. */
uint32_t profile_lead(const struct page *page, uint32_t ntitle);

/* A copy that the caller frees with profile_drop(): the terms, and of the sequence the title and
 * those 40 words. */
struct profile profile_copy(const struct profile *p);
void profile_drop(struct profile *p);

/* The same for a page that was profiled without a topic (profiler_new(NULL)) and
 * shared since: fills relevance and similarity only (not `topics`), to the bit as profile_page()
 * would. `io->square` must be that of `df`. Patterns look at URL and title alone
 * where the page has no text. Costs a search for each word of the topic. */
enum drop profile_judge(struct profiler *p, const struct page *page, struct str url,
                        const struct df_table *df, struct profile *io);

/* The topic's measure of a part of the page's words (a link's context), and
 * the raw-count cosine of it; both in [0,1], 0 for an empty span. */
float profile_span(struct profiler *p, const struct profile *page, struct span span,
                   const struct df_table *df);
float profile_span_raw(struct profiler *p, const struct profile *page, struct span span);

/* Adds a page to a vocab as one document, with the texts of its stems where the
 * vocab keeps them (vocab_keep_text()): `brood topic idf`. */
void profile_learn(struct profiler *p, const struct page *page, struct vocab *v);
