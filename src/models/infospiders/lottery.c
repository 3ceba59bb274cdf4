/* lottery.c - one of several, by chance, the better the likelier.
 * SPDX-License-Identifier: MIT */
#include "models/infospiders/lottery.h"

#include <assert.h>
#include <math.h>

static double greatest(const double *scores, size_t n)
{
    double most = scores[0];

    for (size_t i = 1; i < n; i++)
        most = scores[i] > most ? scores[i] : most;
    return most;
}

double lottery_chances(enum lottery rule, double beta, const double *scores, size_t n,
                       double *ret_chances)
{
    double most = greatest(scores, n), sum = 0;

    for (size_t i = 0; i < n; i++) {
        ret_chances[i] =
            rule == LOTTERY_SOFTMAX ? exp(beta * (scores[i] - most)) : fmax(0, 1 + scores[i]);
        sum += ret_chances[i];
    }
    if (sum > 0)
        return sum;
    for (size_t i = 0; i < n; i++)
        ret_chances[i] = 1;
    return (double)n;
}

size_t lottery_draw(enum lottery rule, double beta, const double *scores, size_t n, double *chances,
                    struct rng *r)
{
    double left;
    size_t i, last = 0;

    assert(n > 0);
    left = rng_unit(r) * lottery_chances(rule, beta, scores, n, chances);
    for (i = 0; i < n; i++) {
        if (left < chances[i])
            return i;
        left -= chances[i];
        last = chances[i] > 0 ? i : last;
    }
    return last; /* the rest was lost by rounding */
}
