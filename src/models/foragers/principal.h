/* principal.h - the direction in which documents differ most.
 *
 * Documents are sparse columns a_1 … a_m of unit length; C is the matrix of the
 * columns minus their mean w. The result is its leading singular triple: u (in the
 * space of words), sigma, and v with
 *
 *     v_j = u . (a_j - w)          (so |v| is sigma)
 *
 * C is never formed. Lanczos runs on C'C in the space of documents, with full
 * reorthogonalisation, from the column that lies farthest from w:
 *
 *     t = A y - w (e . y)          C y      in the space of words
 *     y' = A't - (w . t) e         C't      in the space of documents
 *
 * Nothing is random: the same columns give the same numbers. The sign of u
 * is such that its largest component is positive; of several equally large
 * ones the first word decides.
 *
 * Workload: some thousand columns of some hundred words each, 50 times with
 * fewer columns each time; a step takes two passes over their numbers. Source
 * of the method: Boley 1998.
 */
#pragma once

#include "text/vec.h"

/* In the order of the option's choices. */
enum vec_scaling {
    VEC_TFIDF, /* (1 + ln tf) ln(1 + n/df) by these documents, made length 1 */
    VEC_NORM,  /* counts, made length 1 */
};
#define VEC_SCALINGS "tfidf|norm"

struct columns; /* scaled documents */

/* Copies what it needs of the documents. An empty one is a column of zeros. */
struct columns *columns_new(const struct vec *docs, size_t n, enum vec_scaling scaling);
void columns_free(struct columns *c);

/* Of the columns named by `list`: their mean (a number for each distinct word, in the
 * order they were met; may be NULL)
 * and the sum of squared distances from it, SUM |a_j|^2 - m |w|^2, never below 0. */
double columns_scatter(const struct columns *c, const uint32_t *list, size_t m, double *ret_mean);

struct principal {
    double sigma;   /* the singular value; 0: all columns are equal */
    unsigned steps; /* of Lanczos */
};

/* Writes v of the columns named by `list` (at least one) to ret_v, and u to ret_u
 * (may be NULL). Stops when the residual of sigma^2 is below `tolerance` times
 * sigma^2, or after PRINCIPAL_STEPS. */
struct principal columns_principal(const struct columns *c, const uint32_t *list, size_t m,
                                   double tolerance, double *ret_v, double *ret_u);

#define PRINCIPAL_STEPS 60
