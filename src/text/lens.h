/* lens.h - a topic as a vector, with its words stemmed in one language.
 *
 * A topic's words are stemmed under the language of the page they are compared
 * with; so a profiler holds one lens for each language it has met.
 *
 * relevance   q . p / (|q+| |p|), kept in [0,1]
 *             p  the document: (1 + ln tf) * idf for each term, and for each
 *                phrase of the topic that occurs
 *             q  weight * idf; negative words have negative weights, and only
 *                the positive part q+ is in the norm: a topic's negative words
 *                cost only those pages that have them
 *             The idf of a phrase is that of its rarest word.
 * similarity  the cosine of raw counts with topic_terms(), no idf
 *
 * Once the topic is trained (topic_train()), relevance is the classifier's
 * probability. Negative words take the same share of it as they take of the cosine;
 * positive words have no further effect.
 *
 * A joint topic has a lens for each of its parts, and both measures are those of the part that
 * fits best.
 *
 * Without a classifier, examples move the query by Rocchio's method: q = q0/|q0| + 0.75 * mean
 * of the positive examples - 0.25 * mean of the negative ones, where each example is a tf-idf
 * vector of length 1. Besides the topic's own words, only the 256 largest terms are kept.
 */
#pragma once

#include "text/words/stem.h"
#include "text/topic_int.h"

struct df_table;
struct lens;

/* The topic is borrowed; `lang` as in text/words/stem.h. */
struct lens *lens_new(const struct topic *t, int lang, struct stemmer *s);
void lens_free(struct lens *l);

/* The lens of the i-th part of a joint topic. */
struct lens *lens_part(const struct lens *l, size_t i);

/* Computes the weights again. Call it before lens_relevance() whenever the df table
 * has changed. NULL: idf is 1. */
void lens_weigh(struct lens *l, const struct df_table *df);

/* 1 + ln(count), from a table for small counts; 0 for 0. */
double lens_tf(uint32_t count);

/* |p|^2 of a document without its phrases: the sum of ((1 + ln tf) * idf)^2. */
double lens_square(const struct term *terms, size_t nterms, const struct df_table *df);

/* The relevance of a document, given its terms, their lens_square(), and its sequence of
 * words for the phrases (0 separates parts that are not neighbours). `df` is the table that
 * square was computed with. */
float lens_relevance(struct lens *l, const struct term *terms, size_t nterms, double square,
                     const uint32_t *sequence, size_t length, const struct df_table *df);
/* `raw_square`: the sum of count^2 over the terms. */
float lens_similarity(const struct lens *l, const struct term *terms, size_t nterms,
                      double raw_square);
