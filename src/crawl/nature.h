/* nature.h - what the model tells of its agents (model.h: tell), kept for those who ask
 * later.
 *
 * An agent is told when it dies, as it was; and with a checkpoint after its birth, after
 * visits, and where the model says that it changed otherwise: who waits longest first, at
 * most NATURE_AT_ONCE and for NATURE_TIME with one checkpoint, all with the last. So what is kept of a
 * living agent is a little old; who wants it new asks the running crawl
 * (control.h: agent). It goes to the store as EVENT_TOLD: table `nature`.
 *
 * Terms are told as words (wordbook.h). One that was taken from a page seen again, whose text
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

void nature_begin(struct crawl *c); /* where the model tells, with its wordbook */
void nature_free(struct nature *n); /* NULL is fine */

/* An event of the population, before anybody else hears of it. */
void nature_hear(struct crawl *c, const struct event *e);
void nature_all_changed(struct crawl *c); /* after a load */

/* With a checkpoint; `all`: with the last. */
void nature_post(struct crawl *c, bool all);

/* What is told of a living agent just now: members of an open object; none of others. */
void nature_put(struct crawl *c, uint32_t agent, struct json *j);
