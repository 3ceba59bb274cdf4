/* pass.h - when a watch works: one pass over the known pages (`brood watch --once`), and
 * quiet hours.
 *
 * In: the bus. A pass is over when visits no longer lead to a page that this pass has
 * not seen: PASS_REPEATS of them in a row and a twentieth of the pages seen besides, or
 * when nothing was due for PASS_IDLE. Thread: the mind's.
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
    int64_t idle_at;  /* since when nothing is under way; 0: something is */
};

void pass_init(struct pass *p);
void pass_clear(struct pass *p);
void pass_event(void *pass, const struct event *e); /* bus_listen_fn */

/* `busy`: requests wait or are under way. */
bool pass_is_over(struct pass *p, bool busy, int64_t now);

/* ---- hours of the day in which no host is asked for anything ----
 *
 * "22:00-06:00", in local time (TZ). Windows may go over midnight; from and to may not be
 * the same. */

struct quiet {
    int from, to; /* minutes since midnight; equal: no quiet hours */
};

/* "22:00", "6:30", "24:00" as minutes since midnight; false: it is none. */
bool time_of_day(struct str text, int *ret);

enum status quiet_parse(struct str text, struct quiet *ret) MUST_USE;

/* When the quiet hours end that `now` lies in; 0: it lies in none. */
int64_t quiet_until(const struct quiet *q, int64_t now);
