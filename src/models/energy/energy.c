/* energy.c - what a page is worth to an agent, and how an agent's energy is shared.
 *
 * Source: Mouton & Marteau: Population control for multi-agent based topical crawlers
 * (ISDA 2008). SPDX-License-Identifier: MIT */
#include "models/energy/energy.h"

#include <math.h>

#define STEEPNESS     8.0   /* [P]: s(8) = 0.99966 */
#define FLAT          40    /* lambda * (r - R) beyond which f equals -C or G in every bit */
#define HALVINGS      200   /* at most; a double cannot be halved so often */
#define ROUNDING      1e-12 /* 2.1 / 0.1 are 21 pages */
#define LITTER_CLONES 1e9   /* most children of an agent at once */

/* ---- what a page is worth ------------------------------------------------ */

double energy_of(const struct energy *e, double r)
{
    double x = e->plus ? r + e->R : r - e->R;

    if (e->lambda <= 0)
        return x <= 0 ? -e->cost : e->gain;
    return (e->gain + e->cost) / (1 + exp(-e->lambda * x)) - e->cost;
}

double energy_share(double cost, double gain)
{
    return gain / (gain + cost);
}

double energy_cold_pages(double cost, double gain)
{
    return ceil((gain + cost) / cost * (1 - ROUNDING));
}

double energy_lambda(enum printed rule, double R, double least, double greatest)
{
    double below = R - least, above = greatest - R;

    if (above <= 0)
        return 0;
    if (rule == RULE_PRINTED) /* R = least: 8 / 0 is larger than anything */
        return below > 0 && STEEPNESS / below <= above ? STEEPNESS / below : STEEPNESS / above;
    return below > 0 ? STEEPNESS / fmin(below, above) : 0;
}

static double energy_sum(const struct energy *e, const double *values, const double *weights,
                         size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += weights[i] * energy_of(e, values[i]);
    return sum;
}

double energy_exact_R(const struct energy *e, const double *values, const double *weights,
                      size_t count)
{
    struct energy at = *e;
    double low = values[0] - FLAT / e->lambda, high = values[count - 1] + FLAT / e->lambda;

    for (int i = 0; i < HALVINGS; i++) {
        at.R = low + (high - low) / 2;
        if (at.R <= low || at.R >= high)
            break;
        if (energy_sum(&at, values, weights, count) > 0)
            low = at.R;
        else
            high = at.R;
    }
    return at.R;
}

/* ---- how it is divided -------------------------------------------------- */

struct litter energy_litter(enum reproduction rule, double energy)
{
    double whole = fmin(floor(energy), LITTER_CLONES), up = fmin(ceil(energy), LITTER_CLONES);

    switch (rule) {
    case REPRODUCE_FIX:
        return (struct litter){(uint32_t)up - 1, energy / up};
    case REPRODUCE_HAL000:
        return (struct litter){(uint32_t)whole, energy / whole};
    case REPRODUCE_COPY001:
        return (struct litter){(uint32_t)whole, energy / up};
    case REPRODUCE_FLOOR_PLUS_1:
        return (struct litter){(uint32_t)whole, energy / (whole + 1)};
    case REPRODUCE_HALVE:
        break;
    }
    return (struct litter){1, energy / 2};
}

/* ---- too many agents ----------------------------------------------------- */

struct crowded energy_crowded(enum crowd rule, double worth, double cost)
{
    double kept = worth;

    if (rule == CROWD_CONSERVE)
        kept = fmax(worth + cost, 0); /* never below 0: worth >= -cost but for rounding */
    else if (rule == CROWD_CLAMP)
        kept = fmax(worth, 0);
    return (struct crowded){.kept = kept, .burnt = worth - kept + cost};
}
