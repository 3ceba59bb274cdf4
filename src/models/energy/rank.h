/* rank.h - the history of relevances, and its quantiles (docs/models/balanced.md).
 *
 * A Fenwick tree over 2^16 bins of [0,1]. Bin 0 is exactly 0; bin b > 0 holds
 * ((b-1)/2^16, b/2^16], the last one up to 1, and stands for its upper end: its
 * members are never greater than its value, so that counting r <= R gives the same
 * by value and by bin. Adding, removing and finding the k-th smallest cost 16
 * additions each. All sums are of whole numbers, so they do not depend on the order
 * of additions or on a resume.
 *
 *   history = all          every page for ever
 *           = last:N       a window: the N newest
 *           = decay:H      weights halve every H pages; the newest weighs 1. Pages
 *                          older than 16 to 32 times H are forgotten
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

#define RANK_BINS       65536
#define RANK_WINDOW_MAX 10000000 /* of last:N; 2 bytes each */

struct rank;

enum rank_history { RANK_ALL, RANK_LAST, RANK_DECAY };

struct rank *rank_new(enum rank_history history, double n);
void rank_free(struct rank *r);
/* Reads "all", "last:5000" or "decay:10000". Returns ST_USAGE with a sentence. */
enum status rank_parse(struct str text, enum rank_history *ret, double *ret_n) MUST_USE;

void rank_add(struct rank *r, double relevance); /* limited to [0,1]; NAN counts as 0 */
double rank_value(double relevance);             /* as stored: the value of its bin */
double rank_least(const struct rank *r);         /* the least in the history; NAN: empty */
double rank_greatest(const struct rank *r);

/* Returns the k-th smallest, k = clamp(ceil(share * weight), 1, weight); NAN if it is empty. With
 * weights: the smallest value up to which the weights make at least that share. share * weight
 * counts as a whole number if it is one up to rounding: 10/10.5 of 21 are 20. */
double rank_quantile(const struct rank *r, double share);

/* Calls `fn` with the value and the weight of every non-empty bin, in ascending order. */
typedef void rank_bin_fn(void *ctx, double value, double weight);
void rank_each(const struct rank *r, rank_bin_fn *fn, void *ctx);

void rank_save(const struct rank *r, struct buf *out);
/* Loads into a history of the same kind and replaces its content. After ST_CORRUPT it is empty. */
enum status rank_load(struct rank *r, struct cursor *from) MUST_USE;
