/* platt.h - from the margins of a linear classifier to probabilities.
 *
 *     p(margin) = 1 / (1 + exp(-(slope * margin + shift)))
 *
 * Source: J. Platt 1999, with the fitting of Lin, Lin and Weng 2007 (Newton's
 * method with backtracking: exact, no random numbers). The targets are not 1 and
 * 0 but (n+ + 1) / (n+ + 2) and 1 / (n- + 2), so that a few examples that happen
 * to be told apart do not make anybody certain.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct platt {
    double slope, shift;
};

/* Fits the curve to margins whose truth is known. False, and *ret untouched, where
 * a class is missing or larger margins do not mean the positive class. */
bool platt_fit(const double *margins, const bool *positive, size_t n, struct platt *ret);

double platt_probability(const struct platt *p, double margin);
