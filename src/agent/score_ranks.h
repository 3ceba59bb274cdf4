/* score_ranks.h - how many scores are above a score, and which is the n-th best.
 *
 * Counts in 65,536 classes by the leading half of a float's bits: scores within 0.8 %
 * of each other are equal here. Adding takes two increments, a query reads at most
 * 512 counts. It takes 258 KB.
 */
#pragma once

#include <stdint.h>

struct score_ranks {
    uint32_t coarse[256]; /* sums of 256 classes */
    uint32_t fine[65536];
};

struct score_ranks *score_ranks_new(void);

void score_ranks_count(struct score_ranks *r, double score, int by);

/* Replaces a score by another; nothing is written if both are in one class. */
void score_ranks_move(struct score_ranks *r, double from, double to);

/* Returns the lowest score among the n best, rounded down to its class; -INFINITY if
 * there are no more than n. */
float score_ranks_bound(const struct score_ranks *r, uint64_t n);

/* Returns the lowest score of the last class such that this class and those above it have
 * at most n members in all. -INFINITY if all classes together have no more; INFINITY if the
 * best class alone has more. */
float score_ranks_within(const struct score_ranks *r, uint64_t n);
