/* net.c - an agent's small feed-forward net.
 *
 * A unit is a row of weights with its bias last. SPDX-License-Identifier: MIT */
#include "models/infospiders/net.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t size_of(uint32_t inputs, uint32_t hidden)
{
    return hidden ? (size_t)hidden * (inputs + 1) + hidden + 1 : (size_t)inputs + 1;
}

size_t net_size(const struct net *n)
{
    return size_of(n->inputs, n->hidden);
}

/* The units to which the inputs lead: the hidden ones, or the only one. */
static uint32_t net_rows(const struct net *n)
{
    return n->hidden ? n->hidden : 1;
}

static double *net_row(const struct net *n, uint32_t row)
{
    return n->weights + (size_t)row * (n->inputs + 1);
}

static double weight_draw(enum net_start start, uint32_t inputs, struct rng *r)
{
    return start == NET_EVEN ? 1.0 / inputs : rng_range(r, -0.5, 0.5);
}

static void row_init(double *row, uint32_t inputs, enum net_start start, struct rng *r)
{
    for (uint32_t i = 0; i < inputs; i++)
        row[i] = weight_draw(start, inputs, r);
    row[inputs] = 0;
}

void net_init(struct net *n, uint32_t inputs, uint32_t hidden, enum net_start start, struct rng *r)
{
    assert(inputs <= NET_INPUTS && hidden <= NET_HIDDEN);
    *n = (struct net){.inputs = inputs, .hidden = hidden};
    n->weights = mem_alloc(net_size(n) * sizeof *n->weights);
    for (uint32_t j = 0; j < net_rows(n); j++)
        row_init(net_row(n, j), inputs, start, r);
    if (hidden)
        row_init(net_row(n, hidden), hidden, start, r);
}

void net_clear(struct net *n)
{
    free(n->weights);
    *n = (struct net){0};
}

struct net net_copy(const struct net *n)
{
    struct net copy = *n;

    copy.weights = mem_alloc(net_size(n) * sizeof *copy.weights);
    memcpy(copy.weights, n->weights, net_size(n) * sizeof *copy.weights);
    return copy;
}

/* ---- forward, and one step of learning -------------------------------------- */

static double unit_of_inputs(const double *row, const float *in, uint32_t inputs)
{
    double sum = row[inputs];

    for (uint32_t i = 0; i < inputs; i++)
        sum += row[i] * (double)in[i];
    return tanh(sum);
}

/* Returns the output, and sets the outputs of the hidden units. */
static double net_forward(const struct net *n, const float *in, double hidden[NET_HIDDEN])
{
    const double *top;
    double sum;

    if (n->hidden == 0)
        return unit_of_inputs(n->weights, in, n->inputs);
    top = net_row(n, n->hidden);
    sum = top[n->hidden];
    for (uint32_t j = 0; j < n->hidden; j++) {
        hidden[j] = unit_of_inputs(net_row(n, j), in, n->inputs);
        sum += top[j] * hidden[j];
    }
    return tanh(sum);
}

double net_output(const struct net *n, const float *in)
{
    double hidden[NET_HIDDEN];

    return net_forward(n, in, hidden);
}

static void row_learn(double *row, const float *in, uint32_t inputs, double step)
{
    for (uint32_t i = 0; i < inputs; i++)
        row[i] += step * (double)in[i];
    row[inputs] += step;
}

double net_learn(struct net *n, const float *in, double target, double eta)
{
    double hidden[NET_HIDDEN], out = net_forward(n, in, hidden);
    double delta = fmax(-1, fmin(1, target)) - out;
    double step = eta * delta * (1 - out * out);
    double *top;

    if (n->hidden == 0) {
        row_learn(n->weights, in, n->inputs, step);
        return delta;
    }
    top = net_row(n, n->hidden);
    for (uint32_t j = 0; j < n->hidden; j++) {
        double below = step * top[j] * (1 - hidden[j] * hidden[j]); /* by the old v_j */

        row_learn(net_row(n, j), in, n->inputs, below);
        top[j] += step * hidden[j];
    }
    top[n->hidden] += step;
    return delta;
}

/* ---- evolution --------------------------------------------------------------- */

void net_mutate(struct net *n, double fraction, double amplitude, struct rng *r)
{
    size_t size = net_size(n);

    for (size_t i = 0; i < size; i++)
        if (rng_unit(r) < fraction)
            n->weights[i] *= 1 + rng_range(r, -amplitude, amplitude);
}

void net_add_input(struct net *n, enum net_start start, struct rng *r)
{
    struct net grown = {.inputs = n->inputs + 1, .hidden = n->hidden};

    assert(grown.inputs <= NET_INPUTS);
    grown.weights = mem_alloc(net_size(&grown) * sizeof *grown.weights);
    for (uint32_t j = 0; j < net_rows(n); j++) {
        const double *old = net_row(n, j);
        double *row = net_row(&grown, j);

        memcpy(row, old, n->inputs * sizeof *row);
        row[n->inputs] = weight_draw(start, grown.inputs, r);
        row[grown.inputs] = old[n->inputs];
    }
    if (n->hidden)
        memcpy(net_row(&grown, n->hidden), net_row(n, n->hidden),
               (n->hidden + 1) * sizeof *n->weights);
    net_clear(n);
    *n = grown;
}

void net_renew_input(struct net *n, uint32_t input, enum net_start start, struct rng *r)
{
    for (uint32_t j = 0; j < net_rows(n); j++)
        net_row(n, j)[input] = weight_draw(start, n->inputs, r);
}

double net_use_of(const struct net *n, uint32_t input)
{
    double sum = 0;

    for (uint32_t j = 0; j < net_rows(n); j++)
        sum += fabs(net_row(n, j)[input]);
    return sum;
}

/* ---- checkpoints --------------------------------------------------------------- */

void net_save(const struct net *n, struct buf *out)
{
    buf_put_u32(out, n->inputs);
    buf_put_u32(out, n->hidden);
    for (size_t i = 0; i < net_size(n); i++)
        buf_put_f64(out, n->weights[i]);
}

enum status net_load(struct net *n, struct cursor *from)
{
    uint32_t inputs = cursor_u32(from), hidden = cursor_u32(from);

    if (from->bad || inputs > NET_INPUTS || hidden > NET_HIDDEN)
        return status_fail(ST_CORRUPT, "a saved net is cut");
    *n = (struct net){.inputs = inputs, .hidden = hidden};
    n->weights = mem_alloc(net_size(n) * sizeof *n->weights);
    for (size_t i = 0; i < net_size(n); i++)
        n->weights[i] = cursor_f64(from);
    return from->bad ? status_fail(ST_CORRUPT, "a saved net is cut") : ST_OK;
}
