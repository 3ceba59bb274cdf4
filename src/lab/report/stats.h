/* stats.h - the few statistics that the lab needs, exact enough to print.
 *
 * Pure: arrays in, numbers out; the bootstrap draws from the generator it is
 * given. Comparisons are paired and two-sided: x[i] and y[i] belong together
 * (one topic, two crawlers).
 *
 * Checked against published tables and worked examples (tests/unit/lab).
 */
#pragma once

#include <stddef.h>

struct rng;

double stats_mean(const double *x, size_t n); /* NAN for n = 0 */
double stats_sd(const double *x, size_t n);   /* of the sample (n - 1); NAN below 2 */

/* P(T <= t) of Student's t with `df` degrees of freedom, and its inverse. */
double stats_t_cdf(double t, double df);
double stats_t_quantile(double p, double df);

/* P(Z <= z) of the normal distribution. */
double stats_normal_cdf(double z);

/* Half the width of the 95 % interval of a mean; NAN below 2 values. */
double stats_half_width(const double *x, size_t n);

struct stats_test {
    double statistic; /* t, or the sum of the positive ranks */
    double p;         /* two-sided; 1 if nothing differs */
    size_t n;         /* pairs that count */
};

/* Student's paired t-test. */
struct stats_test stats_t_paired(const double *x, const double *y, size_t n);

/* Wilcoxon's signed-rank test: pairs without a difference are left out, ties
 * get mean ranks. Exact up to 50 pairs without ties; else the normal
 * approximation with corrections for ties and continuity. */
struct stats_test stats_wilcoxon(const double *x, const double *y, size_t n);

/* Holm's correction for n tests at once, in place. */
void stats_holm(double *p, size_t n);

/* 95 % bootstrap interval (percentiles) of the mean of x, by `draws` samples. */
void stats_bootstrap(const double *x, size_t n, size_t draws, struct rng *r, double *ret_low,
                     double *ret_high);

/* Quantile of sorted values by linear interpolation (type 7); for box plots. */
double stats_quantile(const double *sorted, size_t n, double q);
