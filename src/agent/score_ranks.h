/* score_ranks.h - how many scores stand above a score, and which is the n-th best.
 *
 * Counts in 65,536 classes by the leading half of a float's bits: scores within 0.8 %
 * of each other are equal here. Adding is two increments, asking looks at 512 counts
 * at most. 258 KB.
 */
#pragma once

#include <stdint.h>

struct score_ranks {
    uint32_t coarse[256]; /* sums of 256 classes */
    uint32_t fine[65536];
};

struct score_ranks *score_ranks_new(void);

void score_ranks_count(struct score_ranks *r, double score, int by);

/* A score became another: nothing is written where both are of one class. */
void score_ranks_move(struct score_ranks *r, double from, double to);

/* The least score that belongs to the n best, rounded down to its class; -INFINITY where
 * there are no more than n. */
float score_ranks_bound(const struct score_ranks *r, uint64_t n);

/* The least score of a class such that it and the classes above it have at most n members in all.
 * -INFINITY: all classes together have no more; INFINITY: the best class alone has more. */
float score_ranks_within(const struct score_ranks *r, uint64_t n);
