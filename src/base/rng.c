/* rng.c - xoshiro256++ (Blackman & Vigna), seeded by splitmix64.
 * SPDX-License-Identifier: MIT */
#include "base/rng.h"

#include "base/hash.h"

#include <math.h>

void rng_init(struct rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        r->s[i] = hash_u64(seed);
    }
}

struct rng rng_fork(const struct rng *r, uint64_t stream)
{
    struct rng child;

    rng_init(&child, r->s[0] ^ hash_u64(stream + UINT64_C(0x632be59bd9b4e019)));
    return child;
}

static uint64_t rotl(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

uint64_t rng_u64(struct rng *r)
{
    uint64_t result = rotl(r->s[0] + r->s[3], 23) + r->s[0];
    uint64_t t = r->s[1] << 17;

    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = rotl(r->s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    uint64_t x;

    if (n == 0)
        return 0;
    do /* reject the 2^64 mod n lowest values; few draws need that division */
        x = rng_u64(r);
    while (x < n && x < -n % n);
    return x % n;
}

double rng_unit(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

double rng_range(struct rng *r, double low, double high)
{
    return low + (high - low) * rng_unit(r);
}

double rng_exponential(struct rng *r)
{
    return -log1p(-rng_unit(r));
}

double rng_normal(struct rng *r)
{
    double radius = sqrt(2 * rng_exponential(r));

    return radius * cos(6.283185307179586 * rng_unit(r));
}
