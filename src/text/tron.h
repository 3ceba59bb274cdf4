/* tron.h - the weights of a linear classifier.
 *
 *     minimise  |w|^2 / 2 + SUM cost loss(y w x)       y = +1 or -1
 *     loss(m) = ln(1 + e^-m), or max(0, 1 - m)^2
 *
 * by the trust region Newton method of Lin, Weng, Keerthi (2008) with the preconditioner of Hsia,
 * Chiang, Lin (2018). These are the solvers 0 and 2 of liblinear 2.30: steps, constants and the
 * order of all sums are the same, and so are the weights, bit for bit, on every machine. No random
 * numbers are drawn. Any number of threads may solve at once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An example: its features that are not zero, each once. */
struct tron_row {
    const uint32_t *at; /* features, from 0 */
    const double *x;
    size_t count;
    bool is_positive;
};

struct tron_problem {
    const struct tron_row *rows; /* of both kinds */
    size_t nrows, nfeatures;
    double cost[2]; /* of an error with a negative row, with a positive one */
    bool is_logistic;
    bool is_near;   /* w is near the solution: a step need not be exact */
    double epsilon; /* relative size of the last gradient */
};

/* Improves w, which has nfeatures weights. */
void tron_solve(const struct tron_problem *p, double *w);
