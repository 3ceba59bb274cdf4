/* profile.h - what a page is about, and how near to the topic that is.
 *
 * A profiler belongs to one thread: it holds the stem cache and the counting
 * table. It reads document frequencies from an immutable df_table that the mind
 * publishes now and then (text/vocab.h).
 */
#ifndef TEXT_PROFILE_H
#define TEXT_PROFILE_H

#include "text/topic.h"

struct profiler;
struct profiler *profiler_new(const struct topic *topic);
void profiler_free(struct profiler *p);

/* Fills *ret; terms go to `arena`. `df` may be NULL (no documents seen yet).
 * `url` is for the topic's match/reject patterns: DROP_REJECTED, or DROP_NONE. */
enum drop profile_page(struct profiler *p, const struct page *page, struct str url,
                       const struct df_table *df, struct arena *arena, struct profile *ret);

/* The topic's measure of a part of the page's words (a link's context), and
 * the raw-count cosine of it; both in [0,1], 0 for an empty span. */
float profile_span(struct profiler *p, const struct page *page, struct span span,
                   const struct df_table *df);
float profile_span_raw(struct profiler *p, const struct page *page, struct span span);

/* The same for any text, e.g. an example file. */
float profile_text(struct profiler *p, struct str text, const struct df_table *df);

#endif
