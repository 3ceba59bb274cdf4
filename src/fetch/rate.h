/* rate.h - a limit in bytes a second: when may the next transfer start?
 *
 * A token bucket that is paid in advance: the transfers under way are expected
 * to cost the mean of those before them, and a new one starts only while the
 * bucket covers that. So starts are spread evenly, the rate is kept on average,
 * and no transfer is stopped half way (it would miss its deadline). A body far
 * above the mean leaves a debt, for which later transfers wait. Pure: the time
 * arrives as an argument. Each loop has one, with its share of --rate.
 */
#pragma once

#include <stdint.h>

struct rate {
    double rate;        /* bytes a second; 0: no limit */
    double tokens;      /* bytes that may be received; negative: a debt */
    double mean;        /* bytes of a transfer, moving average */
    unsigned in_flight; /* transfers under way */
    int64_t at;         /* when tokens were last counted */
};

void rate_init(struct rate *p, uint64_t rate, int64_t now);

/* Microseconds until a transfer may start; 0 if it may start now. */
int64_t rate_wait(struct rate *p, int64_t now);

void rate_start(struct rate *p);
void rate_done(struct rate *p, uint64_t bytes);
