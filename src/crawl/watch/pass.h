/* pass.h - when a watch works: a single pass over the known pages (`brood watch --once`), and quiet
 * hours.
 *
 * In: the bus. A pass is over when no new pages appear: after PASS_REPEATS visits in a row, plus a
 * twentieth of the pages seen, to pages that this pass has already seen; or when nothing was due
 * for PASS_IDLE. Thread: the mind's.
 */
#pragma once

#include "base/map.h"
#include "base/status.h"
#include "base/str.h"
#include "flow.h"
#include <stdint.h>

#define PASS_REPEATS 20
#define PASS_IDLE    INT64_C(2000000) /* us */

struct pass {
    struct map seen;  /* URLs answered in this pass */
    uint64_t repeats; /* answers in a row for URLs that were seen */
    int64_t idle_at;  /* since when no request is under way; 0: one is */
};

void pass_init(struct pass *p);
void pass_clear(struct pass *p);
void pass_event(void *pass, const struct event *e); /* bus_listen_fn */

/* `busy`: requests wait or are under way. */
bool pass_is_over(struct pass *p, bool busy, int64_t now);

/* ---- hours of the day in which no request is sent ----
 *
 * "22:00-06:00", in local time (TZ). Windows may go over midnight; from and to may not be
 * the same. */

struct quiet {
    int from, to; /* minutes since midnight; equal: no quiet hours */
};

/* Reads "22:00", "6:30" or "24:00" as minutes since midnight; returns false if it is not a time. */
bool time_of_day(struct str text, int *ret);

enum status quiet_parse(struct str text, struct quiet *ret) MUST_USE;

/* Returns the end of the quiet hours, if `now` is in them; else 0. */
int64_t quiet_until(const struct quiet *q, int64_t now);
