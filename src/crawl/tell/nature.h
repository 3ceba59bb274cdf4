/* nature.h - the model's descriptions of its agents (model.h: tell), kept for later readers.
 *
 * An agent is described when it dies; and at a checkpoint after its birth, after visits, and after
 * other changes that the model reports. Each checkpoint describes those that have waited longest:
 * at most NATURE_AT_ONCE of them, and for at most NATURE_TIME; the last checkpoint describes all of
 * them. So the stored description of a living agent is a little old; the running crawl itself gives
 * the newest one (control.h: agent). It goes to the store as EVENT_TOLD: table `nature`.
 *
 * Terms are written as words (wordbook.h). A term from a page that was seen again, and whose text
 * is not in memory, gets its word at a later checkpoint, when that page is read from the archive;
 * without an archive, from a later page.
 *
 * A simulated crawl keeps no descriptions, and a model without `tell` gives none: then there is no
 * struct nature, and the functions below do nothing. Thread: the mind.
 */
#pragma once

#include "base/json.h"
#include "flow.h"

#define NATURE_AT_ONCE 1000
#define NATURE_TIME    5000 /* us */

struct crawl;
struct nature;

void nature_begin(struct crawl *c); /* if the model has `tell`; makes the wordbook too */
void nature_free(struct nature *n); /* NULL is fine */

/* Takes an event of the population, before the listeners of the bus get it. */
void nature_hear(struct crawl *c, const struct event *e);
void nature_all_changed(struct crawl *c); /* after a load */

/* Called at each checkpoint; `all`: at the last. */
void nature_post(struct crawl *c, bool all);

/* Describes a living agent as it is now, as members of an open object. Writes nothing for other
 * agents. */
void nature_put(struct crawl *c, uint32_t agent, struct json *j);
