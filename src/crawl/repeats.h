/* repeats.h - takes passages that many pages of a host share out of their main text.
 *
 * A single page does not show which passages are notes and teasers and which are its story; many
 * pages of a host do. For each host the crawl keeps a small sketch: the hashes of passages, and on
 * how many pages they were. A passage that was on REPEATS_PAGES pages, and on a tenth of all pages,
 * is taken out of the main text of later pages. The text itself, relevance and links stay as they
 * were.
 *
 * Memory: LIMIT_REPEAT_HOSTS hosts (those that come first), LIMIT_REPEATS passages each: a new one
 * replaces the one seen on the fewest pages. A checkpoint keeps those that were on two pages or
 * more. Thread: the mind.
 */
#pragma once

#include "flow.h"

#define REPEATS_PAGES 4 /* pages with a passage before it counts as repeated */

struct repeats;
struct repeats *repeats_new(void);
void repeats_free(struct repeats *r);

/* Learns the passages of a page of this host, and empties (length 0) those that repeat. The
 * page's main text must be the caller's own. */
void repeats_take_out(struct repeats *r, uint32_t host, const struct page *page);

void repeats_save(const struct repeats *r, struct buf *out);
enum status repeats_load(struct repeats *r, struct cursor *from) MUST_USE;
