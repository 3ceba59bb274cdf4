/* repeats.h - passages that many pages of a host have are not their main text.
 *
 * One page does not tell its notes and teasers from its story; many pages of a host do. Of
 * each host the crawl keeps a small sketch: which passages its pages had, by hash, and how
 * many pages. A passage that REPEATS_PAGES pages and a tenth of all had is taken out of the
 * main text of the pages that follow. The text itself, relevance and links stay as they were.
 *
 * Memory: LIMIT_REPEAT_HOSTS hosts (those that come first), LIMIT_REPEATS passages each: the
 * one seen on the fewest pages makes room. A checkpoint has those that two pages had or more.
 * Thread: the mind.
 */
#pragma once

#include "flow.h"

#define REPEATS_PAGES 4 /* that have a passage before it counts as repeated */

struct repeats;
struct repeats *repeats_new(void);
void repeats_free(struct repeats *r);

/* Learns the passages of a page of this host, and empties (length 0) those that repeat. The
 * page's main text must be the caller's own. */
void repeats_take_out(struct repeats *r, uint32_t host, const struct page *page);

void repeats_save(const struct repeats *r, struct buf *out);
enum status repeats_load(struct repeats *r, struct cursor *from) MUST_USE;
