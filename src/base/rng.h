/* rng.h - random numbers from a seed, the same on every machine.
 *
 * xoshiro256++ seeded by splitmix64. No global state: each user has a generator
 * of its own. rng_fork() makes an independent stream for a part (an agent, a
 * host), named by a number, so that parts do not change each other's draws.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_init(struct rng *r, uint64_t seed);
struct rng rng_fork(const struct rng *r, uint64_t stream);

uint64_t rng_u64(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* uniform in [0, n), 0 for n = 0 */
double rng_unit(struct rng *r);                /* uniform in [0, 1) */
double rng_range(struct rng *r, double low, double high);
double rng_normal(struct rng *r);      /* mean 0, variance 1 */
double rng_exponential(struct rng *r); /* mean 1 */
