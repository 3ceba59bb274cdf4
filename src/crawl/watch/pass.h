/* pass.h - one pass over the known pages: `brood watch --once`.
 *
 * In: the bus. A pass is over when visits bring nobody to a page that this pass has not
 * seen: PASS_REPEATS of them in a row and a twentieth of the pages seen besides, or
 * when nothing was due for PASS_IDLE. Thread: the mind's.
 */
#pragma once

#include "flow.h"

#include "base/map.h"

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
