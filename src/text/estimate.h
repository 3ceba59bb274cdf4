/* estimate.h - how good a classifier is, by examples it was not trained on, and how
 * probable its answers are. */
#pragma once

#include "base/buf.h"
#include <stdbool.h>
#include <stddef.h>

struct estimate {
    unsigned folds;            /* 0: too few examples, nothing was held out */
    size_t positive, negative; /* examples */
    double accuracy;           /* share judged right at a probability of .5 */
    double precision;          /* of those called positive, the share that is; 0 where none is */
    double recall;             /* of the positive ones, the share found */
    double auc;                /* a positive one has the larger margin than a negative one */
    double log_loss;           /* mean of -ln(probability given to the truth) */
};

/* From held-out margins and the probabilities made of them. Sets all but `folds`. */
void estimate_fill(struct estimate *e, const double *margins, const double *probabilities,
                   const bool *positive, size_t n);

/* "held-out accuracy 0.93, AUC 0.97 (10-fold)", or why there is none. */
void estimate_describe(const struct estimate *e, struct buf *out);

/* A sentence that says how sure one can be: "unsure: only 3 positive examples". */
void estimate_doubt(const struct estimate *e, struct buf *out);

/* ---- from the margins of a linear classifier to probabilities ----
 *
 *     p(margin) = 1 / (1 + exp(-(slope * margin + shift)))
 *
 * Source: J. Platt 1999, with the fitting of Lin, Lin and Weng 2007 (Newton's
 * method with backtracking: exact, no random numbers). The targets are not 1 and
 * 0 but (n+ + 1) / (n+ + 2) and 1 / (n- + 2), so that a few examples that happen
 * to be separable do not give certainty.
 */

struct platt {
    double slope, shift;
};

/* Fits the curve to margins whose truth is known. False, and *ret untouched, where
 * a class is missing or larger margins do not mean the positive class. */
bool platt_fit(const double *margins, const bool *positive, size_t n, struct platt *ret);

double platt_probability(const struct platt *p, double margin);
