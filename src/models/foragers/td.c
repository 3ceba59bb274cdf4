/* td.c - linear temporal-difference learning. SPDX-License-Identifier: MIT */
#include "models/foragers/td.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void td_init(struct td *t, uint32_t k)
{
    *t = (struct td){.k = k};
    t->weights = mem_zero(td_stride(k), sizeof *t->weights);
    t->quick = mem_zero(td_stride(k), sizeof *t->quick);
}

void td_clear(struct td *t)
{
    free(t->weights);
    free(t->quick);
    *t = (struct td){0};
}

static void quicken(struct td *t)
{
    for (uint32_t i = 0; i < t->k; i++)
        t->quick[i] = (float)t->weights[i];
}

void td_draw(struct td *t, enum td_weights how, struct rng *r)
{
    for (uint32_t i = 0; i < t->k; i++)
        t->weights[i] =
            how == TD_UNIFORM ? rng_range(r, -1, 1) : rng_normal(r) / sqrt((double)t->k);
    quicken(t);
}

void td_copy(const struct td *t, struct td *to)
{
    memcpy(to->weights, t->weights, t->k * sizeof *t->weights);
    to->diverged = t->diverged;
    to->steps = t->steps;
    quicken(to);
}

/* Eight sums side by side: the compiler makes vectors of them, and the order of
 * additions is the same everywhere. */
float td_value(const struct td *t, const float *state)
{
    float lanes[TD_LANES] = {0}, sum = 0;

    for (uint32_t i = 0; i < t->k; i += TD_LANES)
        for (uint32_t j = 0; j < TD_LANES; j++)
            lanes[j] += t->quick[i + j] * state[i + j];
    for (uint32_t j = 0; j < TD_LANES; j++)
        sum += lanes[j];
    return sum;
}

static double exact_value(const struct td *t, const float *state)
{
    double sum = 0;

    for (uint32_t i = 0; i < t->k; i++)
        sum += t->weights[i] * (double)state[i];
    return sum;
}

/* Adds alpha x by x s to w, unless the weights would leave all bounds. */
static bool shift(struct td *t, const struct td_config *c, const float *state, double by)
{
    double square = 0, step;

    for (uint32_t i = 0; i < t->k; i++)
        square += (double)state[i] * (double)state[i];
    step = c->alpha * by / (c->rule == TD_STABLE && square > 1 ? square : 1);
    for (uint32_t i = 0; i < t->k; i++)
        if (!(fabs(t->weights[i] + step * (double)state[i]) <= TD_LIMIT)) {
            t->diverged = true;
            return false;
        }
    for (uint32_t i = 0; i < t->k; i++)
        t->weights[i] += step * (double)state[i];
    quicken(t);
    return true;
}

bool td_learn(struct td *t, const struct td_config *c, const float *from, const float *to,
              double reward)
{
    double delta = reward - exact_value(t, from);

    if (t->diverged)
        return true;
    t->steps++;
    if (to)
        delta += c->gamma * exact_value(t, to);
    return shift(t, c, from, delta);
}

bool td_late(struct td *t, const struct td_config *c, const float *from, double reward)
{
    return t->diverged || shift(t, c, from, reward);
}

void td_save(const struct td *t, struct buf *out)
{
    buf_put_u64(out, t->steps);
    buf_put_u8(out, t->diverged);
    for (uint32_t i = 0; i < t->k; i++)
        buf_put_f64(out, t->weights[i]);
}

enum status td_load(struct td *t, struct cursor *from)
{
    t->steps = cursor_u64(from);
    t->diverged = cursor_u8(from);
    for (uint32_t i = 0; i < t->k; i++) {
        t->weights[i] = cursor_f64(from);
        from->bad |= !(fabs(t->weights[i]) <= TD_LIMIT);
    }
    quicken(t);
    return from->bad ? status_fail(ST_CORRUPT, "saved weights are damaged") : ST_OK;
}
