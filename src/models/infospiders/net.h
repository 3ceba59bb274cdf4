/* net.h - an agent's small feed-forward net: how good is a link?
 *
 * It has one input for each keyword, one output in (-1,1), and tanh everywhere; by
 * default it has no hidden layer, optionally one.
 *
 *     hidden = 0    out = tanh(b + SUM w_k in_k)
 *     hidden = H    h_j = tanh(b_j + SUM w_jk in_k),   out = tanh(b + SUM v_j h_j)
 *
 * The weights are in one array, one unit after another, each with its bias last:
 *
 *     hidden = 0    w_1 … w_K b
 *     hidden = H    w_11 … w_1K b_1  …  w_H1 … w_HK b_H  v_1 … v_H b
 *
 * Sums run in that order, so that the same weights give the same bits.
 */
#pragma once

#include "base/buf.h"
#include "base/rng.h"

#include <stdint.h>

#define NET_INPUTS 256 /* at most */
#define NET_HIDDEN 64

enum net_start {
    NET_RANDOM, /* weights U[-0.5, 0.5), biases 0 */
    NET_EVEN,   /* 1 / inputs of the unit, biases 0 */
};

struct net {
    uint32_t inputs, hidden;
    double *weights; /* net_size() of them, owned */
};

void net_init(struct net *n, uint32_t inputs, uint32_t hidden, enum net_start start, struct rng *r);
void net_clear(struct net *n); /* frees the weights; zeroed is empty */
struct net net_copy(const struct net *n);

size_t net_size(const struct net *n);

double net_output(const struct net *n, const float *in);

/* One step of gradient descent on (target - output)^2 / 2: every weight moves by
 * eta * (target - output) * d output / d weight. The target is limited to
 * [-1,1]. Returns target - output before the step. */
double net_learn(struct net *n, const float *in, double target, double eta);

/* Each weight with probability `fraction` becomes w * (1 + U[-amplitude, amplitude)). */
void net_mutate(struct net *n, double fraction, double amplitude, struct rng *r);

/* Adds an input after the others, or gives an old one another meaning. Its weights are drawn, or
 * even, as those of a new net. */
void net_add_input(struct net *n, enum net_start start, struct rng *r);
void net_renew_input(struct net *n, uint32_t input, enum net_start start, struct rng *r);

/* The sum of |w| over the connections of an input. */
double net_use_of(const struct net *n, uint32_t input);

void net_save(const struct net *n, struct buf *out);
enum status net_load(struct net *n, struct cursor *from) MUST_USE; /* into an empty net */
