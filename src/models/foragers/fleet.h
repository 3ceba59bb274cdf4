/* fleet.h - which kinds of foragers a fleet has, and how many of each.
 *
 *     wl              all of one kind, from min_foragers to max_foragers
 *     wlrl:8,wl:8     two fleets before one reinforcing agent: at most so many of each kind,
 *                     and never fewer than their share of min_foragers, at least one
 *
 * Kinds of a mixed fleet multiply and are deleted by their own numbers, so that none can
 * take the other's places; what they compete for is news.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <stdint.h>

enum forager_kind { KIND_WL, KIND_RL, KIND_WLRL, KINDS };

struct fleet {
    uint32_t least[KINDS], most[KINDS]; /* both 0: none of this kind */
    uint32_t all_least, all_most;
};

const char *fleet_kind(enum forager_kind kind); /* "wl" */
/* ST_USAGE, with a sentence, where it makes no sense. `least` and `most`: of a fleet. */
enum status fleet_read(const char *text, uint32_t least, uint32_t most, struct fleet *ret) MUST_USE;
/* The kind of that name; KINDS: there is none. */
enum forager_kind fleet_find(struct str name);
