/* look_ahead.h - how many visits a greedy model has under way at once.
 *
 * At most a share of what waits (but some), so that a fast network does not make
 * it take whatever it knows at the beginning. Choices that wait for a polite
 * delay are not under way (in its queue a host keeps the best in front), as long
 * as they are fewer than the links not chosen yet: otherwise the best hosts keep
 * all others idle. Measured in docs/models/best-first.md. With one connection
 * the bound is never reached.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LOOK_AHEAD_SHARE 16
#define LOOK_AHEAD_LEAST 4

/* May one more be chosen? `open`: choices not answered; `delayed`: those of them
 * that wait for a delay (0: they count as the others); `waiting`: in the queue. */
static inline bool look_ahead_allows(size_t open, size_t delayed, size_t waiting)
{
    size_t spared = delayed < waiting ? delayed : waiting;
    size_t busy = open > spared ? open - spared : 0;

    return busy < LOOK_AHEAD_LEAST || busy < waiting / LOOK_AHEAD_SHARE;
}
