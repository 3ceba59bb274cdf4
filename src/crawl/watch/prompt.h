/* prompt.h - visits that the model did not ask for: something else says that a page changed.
 *
 *     a feed or sitemap says that a page changed since it said so last
 *     a hub says that a feed changed (crawl/watch/push.h)
 *
 * Then the engine visits the page itself, once and politely; what comes is perceived by the model
 * like any page, and announced like any page. What such a feed names for the first time is visited
 * too where the model does not choose by itself among all links (struct model_late).
 *
 * Only for models that return to pages. Bounded: LIMIT_PROMPTS wait at once, LIMIT_FEED_DATES
 * dates are remembered, none over a resume. Thread: the mind.
 */
#pragma once

#include "flow.h"

struct crawl;
struct prompts;

struct prompts *prompts_new(void);
void prompts_free(struct prompts *p); /* NULL is fine */

/* A feed or sitemap came, and its links are marked; any other page is passed over. */
void prompts_hear(struct crawl *c, const struct arrival *a);

/* The page of this URL is to be visited again; false: it is not known, or too many wait. */
bool prompts_look(struct crawl *c, struct str url);

/* The next visit. */
bool prompts_next(struct crawl *c, struct choice *ret);
size_t prompts_waiting(const struct prompts *p); /* NULL: 0 */
