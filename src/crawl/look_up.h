/* look_up.h - a page that was visited, once more: model_ctx.look_up.
 *
 * Only for models that say so (model_ops.looks_back); the others cost nothing.
 *
 *   live       from the shelf (crawl/shelf.h); what is not there any more from the
 *              archive, where the page was committed and archived (crawl/reread.h).
 *              After a resume the shelf is empty
 *   simulated  from the web itself, in the version that was fetched
 *
 * The marks are made anew: numbers are those the links have, verdicts and `taken`
 * those of now, scores NAN; nothing is new.
 */
#ifndef CRAWL_LOOK_UP_H
#define CRAWL_LOOK_UP_H

#include "flow.h"

struct crawl;
struct look_up;

struct look_up *look_up_new(size_t max_bytes); /* of the shelf */
void look_up_free(struct look_up *l);

/* A page came, and its links are marked. */
void look_up_keep(struct crawl *c, const struct arrival *a, uint32_t page);

/* The calls of struct model_ctx; `engine` is the crawl. */
bool look_up_live(void *engine, uint32_t url, struct percept *ret);
bool look_up_simulated(void *engine, uint32_t url, struct percept *ret);

#endif
