/* timeline.h - the answers of a world that moves, at any moment.
 *
 * It is made once from a world's versions and ends, and is read-only afterwards. A URL that is not
 * a page (robots.txt, a redirect) gives its last answer at every moment.
 */
#pragma once

#include "sim/world.h"

struct timeline;

/* Returns NULL if the world does not move. The world is lent. */
struct timeline *timeline_new(const struct world *w);
void timeline_free(struct timeline *t);

/* Returns the version that exists at that moment, or WORLD_NONE: then *ret_status is the answer,
 * 404 before the page appeared, 404 or 410 after it disappeared. */
uint32_t timeline_at(const struct timeline *t, uint32_t entry, int64_t moment, int *ret_status);

/* Returns the world's moment after `passed` us at `speed` times the normal pace, at most the end of
 * its window. */
int64_t timeline_moment(const struct timeline *t, int64_t passed, double speed);
