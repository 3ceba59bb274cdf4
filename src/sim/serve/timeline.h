/* timeline.h - what a world that moves answers at a moment.
 *
 * Made once of a world's versions and ends; read-only afterwards. Of an address that
 * is no page (robots.txt, a redirect) the last answer counts at every moment.
 */
#pragma once

#include "sim/world.h"

struct timeline;

/* NULL where the world stands still. The world is lent. */
struct timeline *timeline_new(const struct world *w);
void timeline_free(struct timeline *t);

/* The version that stands at the moment, or WORLD_NONE: then *ret_status is what is
 * answered instead, 404 before the page appeared, 404 or 410 after it went. */
uint32_t timeline_at(const struct timeline *t, uint32_t entry, int64_t moment, int *ret_status);

/* The world's moment after `passed` us at `speed` times the pace; its end at the latest. */
int64_t timeline_moment(const struct timeline *t, int64_t passed, double speed);
