/* prompt.h - visits that the model did not ask for, because a feed or a hub says that a page
 * changed.
 *
 *     a feed or sitemap has a newer date for a page than when it was last read, or, in the first
 *     reading of a run, than our last look at the page
 *     a hub says that a feed changed (crawl/watch/push.h)
 *
 * Then the crawl itself visits the page, once and politely. The model gets to see it and it is
 * announced like any other page. Pages that such a feed names for the first time are visited too,
 * unless the model chooses among all links itself (struct model_late).
 *
 * Only for models that return to pages. At most LIMIT_PROMPTS visits wait at once, and
 * at most LIMIT_FEED_DATES dates are remembered, each for one run. Thread: the mind.
 */
#pragma once

#include "flow.h"

struct crawl;
struct prompts;

struct prompts *prompts_new(void);
void prompts_free(struct prompts *p); /* NULL is fine */

/* A feed or sitemap has arrived, and its links are marked; other pages are ignored. */
void prompts_hear(struct crawl *c, const struct arrival *a);

/* Asks for another visit to the page of this URL. Returns false if it is not known, or if too many
 * visits wait. */
bool prompts_look(struct crawl *c, struct str url);

/* Gets the next visit; returns false if there is none. */
bool prompts_next(struct crawl *c, struct choice *ret);
size_t prompts_waiting(const struct prompts *p); /* NULL: 0 */
