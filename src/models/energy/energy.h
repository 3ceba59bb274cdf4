/* energy.h - what a page is worth to an agent, and how an agent's energy is shared.
 *
 * The formulas of Mouton & Marteau (2008) as pure functions: no state, no web.
 *
 *   g(r, R) = -C              where r <= R, else G                  a step
 *   f(r, R) = (G + C) * s(lambda * (r - R)) - C                     a sigmoid
 *             s(x) = 1 / (1 + exp(-x))
 *
 * f runs from -C to G, is (G - C) / 2 at R and 0 at R - ln(G / C) / lambda.
 * R is the G / (G + C) quantile of the pages seen: then the pages above it
 * pay, on average, for those below. docs/models/balanced.md lists errors of
 * the printed paper and what we do instead; the options marked `printed`
 * restore the paper's form.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what a page is worth ------------------------------------------------ */

/* The order of the models' options. */
enum balance { BALANCE_STEP, BALANCE_SIGMOID, BALANCE_EXACT };
#define BALANCE_CHOICES "step|sigmoid|exact"
enum printed { RULE_REPAIRED, RULE_PRINTED };
#define PRINTED_CHOICES "repaired|printed"

/* Energy as a function of relevance. */
struct energy {
    double cost, gain; /* C and G, both > 0 */
    double R;          /* the threshold */
    double lambda;     /* steepness; 0: the step */
    bool plus;         /* the printed sign: r + R instead of r - R */
};

double energy_of(const struct energy *e, double r);

/* G / (G + C): the share of pages that pay. n* of the paper is n times this. */
double energy_share(double cost, double gain);
/* ceil((G + C) / C): how many pages it takes until the quantile can separate one from the rest. */
double energy_cold_pages(double cost, double gain);

/* The steepness for pages between `least` and `greatest`:
 *   repaired  8 / min(R - least, greatest - R); 0 where R is one of them
 *   printed   8 / (R - least) where that is <= greatest - R, else 8 / (greatest - R);
 *             0 where R is the greatest */
double energy_lambda(enum printed rule, double R, double least, double greatest);

/* Finds the R for which the weighted sum of f over the values is 0, with the given lambda, by
 * bisection, since f falls as R grows. `values` are ascending, at least one. */
double energy_exact_R(const struct energy *e, const double *values, const double *weights,
                      size_t count);

/* ---- how it is shared ---------------------------------------------------- */

/* An agent of more than 1 multiplies: it and every clone then have `each`.
 *
 *   fix           ceil(E) - 1 clones, E / ceil(E) each: none is left above 1
 *   hal000        floor(E) clones, E / floor(E) each    first copy of the paper: makes energy
 *   copy001       floor(E) clones, E / ceil(E) each     second copy: makes 1 of whole numbers
 *   floor_plus_1  floor(E) clones, E / (floor(E) + 1) each
 *   halve         1 clone, half for each                algorithm 1
 */
enum reproduction {
    REPRODUCE_FIX,
    REPRODUCE_HAL000,
    REPRODUCE_COPY001,
    REPRODUCE_FLOOR_PLUS_1,
    REPRODUCE_HALVE
};
#define REPRODUCTION_CHOICES "fix|hal000|copy001|floor_plus_1|halve"

struct litter {
    uint32_t clones; /* beside the parent */
    double each;     /* energy of the parent and of every clone */
};

struct litter energy_litter(enum reproduction rule, double energy);

/* ---- too many agents ----------------------------------------------------- */

/* While there are more than UB agents, a page keeps its energy for later.
 *
 *   conserve  the agent pays C, the page keeps f + C, in [0, G + C]
 *   clamp     the agent pays C, the page keeps max(f, 0)
 *   printed   the agent pays C, the page keeps f, also where it is negative
 */
enum crowd { CROWD_CONSERVE, CROWD_CLAMP, CROWD_PRINTED };
#define CROWD_CHOICES "conserve|clamp|printed"

/* Of a page worth `worth`: what it keeps; what nobody has of it afterwards, since
 * kept - cost = worth - burnt. */
struct crowded {
    double kept, burnt;
};

struct crowded energy_crowded(enum crowd rule, double worth, double cost);
