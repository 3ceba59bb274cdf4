/* rate.c - bytes a second: a token bucket that is paid in advance.
 * SPDX-License-Identifier: MIT */
#include "fetch/rate.h"

#include "base/os/clock.h"

#define FIRST_MEAN    32768.0 /* bytes expected of a page before any has come */
#define MEAN_WEIGHT   0.1     /* of the newest transfer in the moving average */
#define BURST_SECONDS 0.25    /* how much an idle bucket saves */

void rate_init(struct rate *p, uint64_t rate, int64_t now)
{
    *p = (struct rate){.rate = (double)rate, .mean = FIRST_MEAN, .at = now};
}

int64_t rate_wait(struct rate *p, int64_t now)
{
    double missing;

    if (p->rate <= 0)
        return 0;
    p->tokens += p->rate * (double)(now - p->at) / (double)US_PER_S;
    if (p->tokens > p->rate * BURST_SECONDS)
        p->tokens = p->rate * BURST_SECONDS;
    p->at = now;
    missing = p->in_flight * p->mean - p->tokens;
    return missing <= 0 ? 0 : (int64_t)(missing / p->rate * (double)US_PER_S) + 1;
}

void rate_start(struct rate *p)
{
    p->in_flight++;
}

void rate_done(struct rate *p, uint64_t bytes)
{
    p->in_flight--;
    p->tokens -= (double)bytes;
    p->mean += MEAN_WEIGHT * ((double)bytes - p->mean);
}
