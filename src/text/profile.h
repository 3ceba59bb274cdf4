/* profile.h - what a page is about, and how near to the topic that is.
 *
 * A profiler belongs to one thread: it holds the stem cache and the counting
 * table. It reads document frequencies from an immutable df_table that the mind
 * publishes from time to time (text/vocab.h).
 */
#pragma once

#include "text/topic.h"

struct vocab;
struct profiler;
struct profiler *profiler_new(const struct topic *topic); /* NULL: no page is relevant */
void profiler_free(struct profiler *p);

/* What is read from the main text of a page alone (parse/main/main.h), if that has at least 20
 * words. The sequence always has all words. */
#define PROFILE_MAIN_TERMS    1u
#define PROFILE_MAIN_CONTEXTS 2u /* in a span, words outside it count as little as stop words */
#define PROFILE_MAIN_SIMHASH  4u
#define PROFILE_MAIN_CHANGE   8u /* used where versions of a page are compared: sim/web/load.c */
#define PROFILE_MAIN_NONE     16u

/* A profiler's initial setting: what measurably helps (docs/relevance.md). */
#define PROFILE_MAIN_USUAL    PROFILE_MAIN_SIMHASH

void profiler_read_main(struct profiler *p, unsigned parts);

/* Fills *ret; terms go to `arena`. `df` may be NULL (no documents seen yet). Terms are those
 * of title and text together, without stop words, stemmed in the page's language if there is a
 * stemmer for it, otherwise in the topic's. The relevance is 0 if the topic has `match`
 * patterns and none matches. The simhash is that of the main text, or 0 if there is no text.
 * For a joint topic, the relevance is that of the best part, `topics` has all parts, and only
 * a page that every part rejects is dropped. `url` is for the topic's match/reject patterns.
 * Returns DROP_REJECTED or DROP_NONE. */
enum drop profile_page(struct profiler *p, const struct page *page, struct str url,
                       const struct df_table *df, struct arena *arena, struct profile *ret);

/* The terms of a page as a guide reads them (p->nterms of them). A page usually
 * states its subject in its title and in the first 40 words of its main text, so each
 * of these words counts 9 times. */
void profile_terms(const struct profile *p, struct term *ret);

/* Where in the sequence the main text begins, or the text if there is no main text. */
uint32_t profile_lead(const struct page *page, uint32_t ntitle);

/* Returns a copy that the caller frees with profile_drop(). It has all terms, but of the sequence
 * only the title and those 40 words. */
struct profile profile_copy(const struct profile *p);
void profile_drop(struct profile *p);

/* The same as profile_page(), for a page that was profiled without a topic (profiler_new(NULL))
 * and shared since: fills relevance and similarity only (not `topics`), to the bit as
 * profile_page() would. `io->square` must be that of `df`. If the page has no text, patterns see
 * only URL and title. It costs one search for each word of the topic. */
enum drop profile_judge(struct profiler *p, const struct page *page, struct str url,
                        const struct df_table *df, struct profile *io);

/* The topic's measure of a part of the page's words (a link's context), and the cosine of its raw
 * counts; both in [0,1], 0 for an empty span. */
float profile_span(struct profiler *p, const struct profile *page, struct span span,
                   const struct df_table *df);
float profile_span_raw(struct profiler *p, const struct profile *page, struct span span);

/* Adds a page to a vocab as one document, with the texts of its stems if the
 * vocab keeps them (vocab_keep_text()). For `brood topic idf`. */
void profile_learn(struct profiler *p, const struct page *page, struct vocab *v);
