/* rate.h - bytes a second: when may the next transfer start?
 *
 * A token bucket that is paid in advance: the transfers under way are expected
 * to cost the mean of those before them, and a new one starts only while the
 * bucket covers that. So starts are spread evenly, the rate holds on average,
 * and no transfer is stopped half way (it would run into its deadline). A body
 * far above the mean leaves a debt, which those after it wait off.
 * Pure: the time arrives as an argument. One a loop, with its share of --rate.
 */
#pragma once

#include <stdint.h>

struct rate {
    double rate;        /* bytes a second; 0: no limit */
    double tokens;      /* bytes that may come; negative: a debt */
    double mean;        /* bytes of a transfer, moving average */
    unsigned in_flight; /* transfers under way */
    int64_t at;         /* when tokens were counted last */
};

void rate_init(struct rate *p, uint64_t rate, int64_t now);

/* Microseconds until a transfer may start; 0: now. */
int64_t rate_wait(struct rate *p, int64_t now);

void rate_start(struct rate *p);
void rate_done(struct rate *p, uint64_t bytes);
