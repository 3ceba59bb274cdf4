/* nature.h - what agents are made of, as the model describes them (model.h: tell),
 * kept for those who ask later.
 *
 * An agent is described when it dies, as it was; and with a checkpoint after its birth, after
 * visits, and where the model says that it changed otherwise. Those that have waited longest
 * come first: at most NATURE_AT_ONCE of them, and for at most NATURE_TIME, with one checkpoint;
 * all of them with the last. So what is kept of a living agent is a little old; the running
 * crawl itself has the newest (control.h: agent). It goes to the store as EVENT_TOLD: table
 * `nature`.
 *
 * Terms are written as words (wordbook.h). One that was taken from a page seen again, whose text
 * is not at hand, gets its word with a later checkpoint, when that page is read from the
 * archive; without an archive, from a page that comes.
 *
 * A simulated crawl keeps nothing, and a model without `tell` has nothing: then there is
 * no struct nature, and the calls below do nothing. Thread: the mind.
 */
#pragma once

#include "base/json.h"
#include "flow.h"

#define NATURE_AT_ONCE 1000
#define NATURE_TIME    5000 /* us */

struct crawl;
struct nature;

void nature_begin(struct crawl *c); /* where the model has `tell`; makes the wordbook too */
void nature_free(struct nature *n); /* NULL is fine */

/* Takes an event of the population, before the listeners of the bus get it. */
void nature_hear(struct crawl *c, const struct event *e);
void nature_all_changed(struct crawl *c); /* after a load */

/* With a checkpoint; `all`: with the last. */
void nature_post(struct crawl *c, bool all);

/* Describes a living agent as it is now: members of an open object. Others have none. */
void nature_put(struct crawl *c, uint32_t agent, struct json *j);
