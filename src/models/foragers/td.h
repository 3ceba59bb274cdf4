/* td.h - the long-term value of a page, by linear temporal-difference learning.
 *
 *     value(A) = w . s(A)
 *     delta    = r + gamma value(to) - value(from)           a step from one page to another
 *     w       += alpha delta s(from)
 *
 * This is the form that Palotai, Farkas and Lorincz print (algorithms 3 and 4). With
 * states of a squared length above about 10, the printed step diverges; TD_PLAIN uses it
 * nevertheless, and stops learning when a weight passes TD_LIMIT, so that no value
 * becomes infinite. The default divides alpha by max(1, |s|^2): the same rule for short
 * states, and stable for all.
 *
 * A reward that comes after its step was learned adds what it would have added then, alpha r
 * s(from), because the rule is linear in r. Thread: the mind only.
 */
#pragma once

#include "base/buf.h"
#include "base/rng.h"

#define TD_LIMIT 1e9 /* a weight beyond it means divergence */
#define TD_K_MAX 256 /* numbers of a state */
#define TD_LANES 8u  /* states have td_stride() numbers, the last ones 0 */

/* In the order of the options' choices. */
enum td_rule { TD_STABLE, TD_PLAIN };
#define TD_RULES "stable|plain"
enum td_weights { TD_UNIFORM, TD_NORMAL };
#define TD_WEIGHTS "uniform|normal"

struct td_config {
    double alpha, gamma;
    enum td_rule rule;
};

struct td {
    uint32_t k;
    double *weights; /* td_stride(k) of them, as in `quick` */
    float *quick;    /* the same as floats, for td_value() */
    uint64_t steps;  /* learned so far */
    bool diverged;   /* after `steps` steps; from then on the weights stay the same */
};

static inline uint32_t td_stride(uint32_t k)
{
    return (k + TD_LANES - 1) / TD_LANES * TD_LANES;
}

void td_init(struct td *t, uint32_t k); /* weights of 0 */
void td_clear(struct td *t);
/* uniform: each from [-1, 1). normal: mean 0, variance 1 / k. */
void td_draw(struct td *t, enum td_weights how, struct rng *r);
void td_copy(const struct td *t, struct td *to);

float td_value(const struct td *t, const float *state);

/* Learns a step once. If `to` is NULL, nothing comes after it. Returns false if the
 * weights now diverge. */
bool td_learn(struct td *t, const struct td_config *c, const float *from, const float *to,
              double reward);
bool td_late(struct td *t, const struct td_config *c, const float *from, double reward);

void td_save(const struct td *t, struct buf *out);
enum status td_load(struct td *t, struct cursor *from) MUST_USE; /* into a td with the same k */
