/* lottery.h - one of several, by chance, the better the likelier.
 *
 *     softmax   p_i = exp(beta * s_i) : SUM exp(beta * s_j)     the greatest score is
 *               subtracted first, so that no beta overflows
 *     linear    p_i = (1 + s_i) : SUM (1 + s_j)                 scores lie in [-1,1]
 *
 * Where all chances are 0 each is as likely as the others.
 */
#pragma once

#include "base/rng.h"

enum lottery { LOTTERY_SOFTMAX, LOTTERY_LINEAR };
#define LOTTERY_CHOICES "softmax|linear"

/* Turns scores into chances, not yet divided by their sum; returns the sum, > 0. */
double lottery_chances(enum lottery rule, double beta, const double *scores, size_t n,
                       double *ret_chances);

/* The winner's place in [0,n), n > 0. One draw. `chances` is room for n. */
size_t lottery_draw(enum lottery rule, double beta, const double *scores, size_t n, double *chances,
                    struct rng *r);
