/* estimate.h - how good a classifier is, measured on examples that it was not trained on, and how
 * its margins become probabilities. */
#pragma once

#include "base/buf.h"
#include <stdbool.h>
#include <stddef.h>

struct estimate {
    unsigned folds;            /* 0: too few examples, nothing was held out */
    size_t positive, negative; /* examples */
    double accuracy;           /* share judged correctly, with a threshold of .5 */
    double precision;          /* share of those called positive that are; 0 if none are */
    double recall;             /* share of the positive ones that were found */
    double auc;                /* chance that a positive one has the larger margin */
    double log_loss;           /* mean of -ln(probability given to the truth) */
};

/* Computes all members but `folds`, from held-out margins and the probabilities made from them. */
void estimate_fill(struct estimate *e, const double *margins, const double *probabilities,
                   const bool *positive, size_t n);

/* Writes "held-out accuracy 0.93, AUC 0.97 (10-fold)", or why there is no estimate. */
void estimate_describe(const struct estimate *e, struct buf *out);

/* Writes a sentence if there is reason for doubt: "unsure: only 3 positive examples". */
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

/* Fits the curve to margins whose truth is known. Returns false, and leaves *ret unchanged, if a
 * class is missing or larger margins do not mean the positive class. */
bool platt_fit(const double *margins, const bool *positive, size_t n, struct platt *ret);

double platt_probability(const struct platt *p, double margin);
