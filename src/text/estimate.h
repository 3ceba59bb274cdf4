/* estimate.h - how good a classifier is, by examples it was not trained on. */
#pragma once

#include "base/buf.h"

struct estimate {
    unsigned folds;            /* 0: too few examples, nothing was held out */
    size_t positive, negative; /* examples */
    double accuracy;           /* share told right at a probability of .5 */
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
