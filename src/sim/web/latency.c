/* latency.c - how long a web server takes to answer, drawn from a measured distribution.
 * SPDX-License-Identifier: MIT */
#include "sim/web/latency.h"

#include "base/hash.h"
#include "base/os/clock.h"
#include "base/rng.h"

#include <math.h>

#define SITE_QUARTILE   (867.0 * US_PER_MS) /* the third, of the median site */
#define SITE_SIGMA      0.715
#define ANSWER_SIGMA    0.5
#define NORMAL_QUARTILE 0.6745 /* the third, of the normal distribution */
#define LEAST           (20 * US_PER_MS)
#define MOST            (20 * US_PER_S)

static double normal(uint64_t seed)
{
    struct rng r;

    rng_init(&r, seed);
    return rng_normal(&r);
}

int64_t latency_measured(uint64_t rng, uint64_t host, uint64_t url)
{
    double site = SITE_SIGMA * normal(hash_u64(rng + 1) ^ host);
    double answer = ANSWER_SIGMA * (normal(hash_u64(rng + 2) ^ url) - NORMAL_QUARTILE);
    double us = SITE_QUARTILE * exp(site + answer);

    return us < LEAST ? LEAST : us > MOST ? MOST : (int64_t)us;
}
