/* classify.h - a linear classifier of documents, trained on examples.
 *
 * A document is its tf-idf vector, (1 + ln tf) * idf for each term, made length 1.
 *
 *     margin(d) = w . d + bias                  p(d) = sigmoid of it (text/estimate.h)
 *
 * w comes from liblinear: logistic regression or a linear SVM with squared loss, by
 * the primal solvers, which draw no random numbers: the same examples give the same
 * weights, bit for bit, on any number of threads at once. Classes of different size
 * have the same total weight.
 *
 * It is calibrated and evaluated on margins that are held out: the examples are dealt
 * into k = min(10, examples of the smaller class) folds in the order in which they are
 * given, each class separately, and every fold is measured by a classifier trained on
 * the others. Guesses (examples that no user confirmed) are trained on, but never held
 * out, unless there is nothing else. With k < 2 there is no estimate and the
 * calibration is done on the training margins.
 *
 * idf is that of a table, or, without one, of the examples themselves; either way it
 * stays as it was in training, so a document's margin never changes.
 *
 * A trained classifier is immutable: any number of threads may use it.
 */
#pragma once

#include "flow.h"
#include "text/estimate.h"

struct classifier;
struct df_table; /* text/vocab.h */

/* In the order of the option `learner`. */
enum learner { LEARNER_LOGISTIC, LEARNER_SVM };

struct classify_example {
    const struct term *terms; /* ascending by id */
    size_t nterms;
    bool is_positive;
    bool is_guess;
};

struct classify_config {
    enum learner learner;
    double c;       /* the cost of an error, compared with long weights; above 0 */
    unsigned folds; /* at most; 0: CLASSIFY_FOLDS */
};

#define CLASSIFY_C     10.0
#define CLASSIFY_FOLDS 10

/* `df` is held; NULL: idf is that of the examples. Returns ST_INVALID if a class is missing. */
enum status classify_train(const struct classify_example *examples, size_t n,
                           const struct df_table *df, const struct classify_config *config,
                           struct classifier **ret) MUST_USE;
void classify_free(struct classifier *c);

/* The table that it was trained with, or NULL if it used the idf of the examples. */
const struct df_table *classify_table(const struct classifier *c);

/* The margin and the probability of a document. `square` is the sum of ((1 + ln tf) *
 * idf)^2 by classify_table(), as struct profile has it; below 0: computed here. They
 * search once or twice for each term. */
double classify_margin(const struct classifier *c, const struct term *terms, size_t nterms,
                       double square);
float classify_probability(const struct classifier *c, const struct term *terms, size_t nterms,
                           double square);

/* What a word of a document adds to its margin, before the factors of its count and
 * of the document's length. */
double classify_weight(const struct classifier *c, uint32_t term);

const struct estimate *classify_estimate(const struct classifier *c);
enum learner classify_learner(const struct classifier *c);
const char *learner_name(enum learner learner);

/* Checkpoint: everything but the table, which is given again for loading. */
void classify_save(const struct classifier *c, struct buf *out);
enum status classify_load(struct cursor *from, const struct df_table *df,
                          struct classifier **ret) MUST_USE;
