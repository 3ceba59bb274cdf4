/* rank.h - the history of relevances, and its quantiles (models.md 3.6).
 *
 * A Fenwick tree over 2^16 bins of [0,1]; bin 0 is exactly 0. Adding, removing
 * and finding the k-th smallest cost 16 additions each; two histories merge by
 * adding their arrays. Kept beside it: how many, the least, the greatest.
 *
 *   history = all          every page for ever
 *           = last:N       a window: the N newest
 *           = decay:H      weights halve every H pages
 */
#ifndef AGENT_RANK_H
#define AGENT_RANK_H

#include "base/buf.h"
#include "base/str.h"

#define RANK_BINS 65536

struct rank;

enum rank_history { RANK_ALL, RANK_LAST, RANK_DECAY };

struct rank *rank_new(enum rank_history history, double n);
void rank_free(struct rank *r);
/* "all", "last:5000", "decay:10000". ST_USAGE with a sentence. */
enum status rank_parse(struct str text, enum rank_history *ret, double *ret_n) MUST_USE;

void rank_add(struct rank *r, double relevance); /* kept in [0,1] */
double rank_weight(const struct rank *r);        /* how many, decayed */
double rank_least(const struct rank *r);         /* of what is in it; NAN: empty */
double rank_greatest(const struct rank *r);

/* The k-th smallest, k = clamp(ceil(share * weight), 1, weight); NAN: empty. */
double rank_quantile(const struct rank *r, double share);

/* Walks over non-empty bins in ascending order: value and weight. */
typedef void rank_bin_fn(void *ctx, double value, double weight);
void rank_each(const struct rank *r, rank_bin_fn *fn, void *ctx);

void rank_merge(struct rank *into, const struct rank *from); /* both RANK_ALL */

void rank_save(const struct rank *r, struct buf *out);
enum status rank_load(struct rank *r, struct cursor *from) MUST_USE;

#endif
