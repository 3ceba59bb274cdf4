/* guide_fit.h - pages as vectors, the topic's words as a vector, and a linear fit to them: what the
 * trainings of a guide share (guide_train.c, guide_examples.c). */
#pragma once

#include "text/guide_int.h"

/* ---- pages ---- */

/* The weights of the terms of pages, in one block that the caller frees. */
float *guide_weights(const struct guide *g, struct guide_page *pages, size_t n);
void guide_divide(const struct guide *g, struct guide_page *pages, size_t n);
/* Both: vectors of pages, in one block that the caller frees. */
float *guide_vectors(const struct guide *g, struct guide_page *pages, size_t n);
double guide_dot(const struct guide_page *p, const float *with);
void guide_add_to(const struct guide_page *p, double share, float *to);
/* Scales a vector to a length. Returns the factor; 0 if the vector is zero. */
double guide_make_length(float *v, size_t n, double length);

/* ---- the topic ---- */

/* Gives every term of the topic a place. */
void guide_place_words(struct guide *g);
/* Returns q with the negative words, by place; the caller frees it. */
float *guide_words(struct guide *g);
/* Makes sure that training has not made a negative word count for the topic, or less against it. */
void guide_bar_words(struct guide *g, const float *q);
/* The weight of a start page whose likeness to the topic is this share of that of the likeliest
 * start page. */
float guide_weight_of_share(double share);

/* ---- a linear fit ---- */

struct example {
    const struct guide_page *page;
    double y, cost;       /* +1 or -1; cost of its error, 0: it is left out */
    double alpha, square; /* of its vector */
};

/* w = start + SUM alpha x minimises |w - start|^2 / 2 + SUM cost (y - w x - bias)^2, or with
 * `hinge` the squared error only where y (w x + bias) < 1. The bias is the weight of one more
 * feature that is always 1. */
void guide_fit(struct example *all, size_t n, bool hinge, int passes, float *w, double *bias);
/* The same without `hinge`, solved as one system of equations instead of in passes: exact to a
 * millionth, whatever the order of the examples. It takes about as long as forty passes. */
void guide_solve(struct example *all, size_t n, size_t nterms, float *w, double *bias);
/* Gives both kinds the same total cost, `cost` for each example on average. Returns false if one
 * kind is missing. */
bool guide_balance(struct example *all, size_t n, double cost);
