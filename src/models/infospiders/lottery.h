/* lottery.h - draws one of several, with chances that grow with their scores.
 *
 *     softmax   p_i = exp(beta * s_i) : SUM exp(beta * s_j)     the greatest score is
 *               subtracted first, so that no beta overflows
 *     linear    p_i = (1 + s_i) : SUM (1 + s_j)                 scores lie in [-1,1]
 *
 * If all chances are 0, all are equally likely.
 */
#pragma once

#include "base/rng.h"

enum lottery { LOTTERY_SOFTMAX, LOTTERY_LINEAR };
#define LOTTERY_CHOICES "softmax|linear"

/* Turns scores into chances, not yet divided by their sum; returns the sum, > 0. */
double lottery_chances(enum lottery rule, double beta, const double *scores, size_t n,
                       double *ret_chances);

/* Draws one and returns its place in [0,n), n > 0. Uses one random number. `chances`
 * has room for n. */
size_t lottery_draw(enum lottery rule, double beta, const double *scores, size_t n, double *chances,
                    struct rng *r);
