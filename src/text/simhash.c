/* simhash.c - 64 votes at once.
 *
 * Counting 64 bits of 1,400 features one by one would cost 90,000 additions a
 * page. The counters stand upright instead: plane k holds bit k of all 64
 * counts, and eight features at a time go through carry-save adders before one
 * carry is rippled into the higher planes (Harley and Seal). About 2 ns a feature.
 * SPDX-License-Identifier: MIT */
#include "text/simhash.h"

#include "base/hash.h"

#define PLANES 33 /* counts below 2^33 */

struct votes {
    uint64_t plane[PLANES];
    size_t cast;
};

/* a + b + c = *sum + 2 * return, in each of the 64 columns. */
static inline uint64_t carry_save(uint64_t a, uint64_t b, uint64_t c, uint64_t *sum)
{
    uint64_t u = a ^ b;

    *sum = u ^ c;
    return (a & b) | (u & c);
}

/* Adds `carry` to the planes from `at` on. */
static inline void ripple(struct votes *v, uint64_t carry, int at)
{
    for (; carry != 0 && at < PLANES; at++) {
        uint64_t both = v->plane[at] & carry;

        v->plane[at] ^= carry;
        carry = both;
    }
}

static inline void vote_eight(struct votes *v, const uint64_t f[8])
{
    uint64_t *p = v->plane;
    uint64_t two_a = carry_save(p[0], f[0], f[1], &p[0]);
    uint64_t two_b = carry_save(p[0], f[2], f[3], &p[0]);
    uint64_t four_a = carry_save(p[1], two_a, two_b, &p[1]);
    uint64_t two_c = carry_save(p[0], f[4], f[5], &p[0]);
    uint64_t two_d = carry_save(p[0], f[6], f[7], &p[0]);
    uint64_t four_b = carry_save(p[1], two_c, two_d, &p[1]);
    uint64_t eight = carry_save(p[2], four_a, four_b, &p[2]);

    ripple(v, eight, 3);
    v->cast += 8;
}

/* Bit i: did more than half vote for it? */
static uint64_t outcome(const struct votes *v)
{
    uint64_t more = 0, equal = ~UINT64_C(0); /* than half, compared from the top plane */

    for (int k = PLANES - 1; k >= 0; k--) {
        uint64_t half = (v->cast / 2) >> k & 1 ? ~UINT64_C(0) : 0;

        more |= equal & v->plane[k] & ~half;
        equal &= ~(v->plane[k] ^ half);
    }
    return more;
}

uint64_t simhash_of(const uint32_t *ids, size_t n)
{
    struct votes v = {.cast = 0};
    uint64_t features[8];
    size_t waiting = 0;

    if (n == 0)
        return 0;
    for (size_t i = 0; i + 1 < n || i == 0; i++) { /* a single word makes a pair with nobody */
        features[waiting++] = hash_u64((uint64_t)ids[i] << 32 | (n > 1 ? ids[i + 1] : 0));
        if (waiting == 8) {
            vote_eight(&v, features);
            waiting = 0;
        }
    }
    for (size_t i = 0; i < waiting; i++, v.cast++)
        ripple(&v, features[i], 0);
    return outcome(&v);
}
