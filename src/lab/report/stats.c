/* stats.c - the few statistics that the lab needs.
 *
 * Student's distribution by the regularised incomplete beta function (Lentz's
 * continued fraction); the signed-rank distribution by counting subsets.
 * SPDX-License-Identifier: MIT */
#include "lab/report/stats.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

#define EXACT_PAIRS 50 /* the counts of subsets stay below 2^53 */

double stats_mean(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / (double)n : NAN;
}

double stats_sd(const double *x, size_t n)
{
    double mean = stats_mean(x, n), sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return n < 2 ? NAN : sqrt(sum / (double)(n - 1));
}

/* ---- Student's t --------------------------------------------------------- */

/* One step of Lentz's method: multiplies the fraction by the next term. */
static double lentz(double term, double *c, double *d)
{
    const double tiny = 1e-300;

    *d = 1 + term * *d;
    *c = 1 + term / *c;
    if (fabs(*d) < tiny)
        *d = tiny;
    if (fabs(*c) < tiny)
        *c = tiny;
    *d = 1 / *d;
    return *c * *d;
}

/* The continued fraction of the incomplete beta function. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), f = d;

    for (int m = 1; m < 300; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step;

        f *= lentz(even, &c, &d);
        step = lentz(odd, &c, &d);
        f *= step;
        if (fabs(step - 1) < 1e-15)
            break;
    }
    return f;
}

/* I_x(a, b), regularised. */
static double beta_regular(double a, double b, double x)
{
    double front;

    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stats_t_cdf(double t, double df)
{
    double tail = 0.5 * beta_regular(df / 2, 0.5, df / (df + t * t));

    return t > 0 ? 1 - tail : tail;
}

double stats_t_quantile(double p, double df)
{
    double low = -1, high = 1;

    while (stats_t_cdf(low, df) > p)
        low *= 2;
    while (stats_t_cdf(high, df) < p)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-12 * (1 + fabs(low)); i++) {
        double middle = (low + high) / 2;

        if (stats_t_cdf(middle, df) < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double stats_normal_cdf(double z)
{
    return 0.5 * erfc(-z / M_SQRT2);
}

double stats_half_width(const double *x, size_t n)
{
    if (n < 2)
        return NAN;
    return stats_t_quantile(0.975, (double)(n - 1)) * stats_sd(x, n) / sqrt((double)n);
}

static double *differences(const double *x, const double *y, size_t n)
{
    double *d = mem_alloc(n * sizeof *d);

    for (size_t i = 0; i < n; i++)
        d[i] = x[i] - y[i];
    return d;
}

struct stats_test stats_t_paired(const double *x, const double *y, size_t n)
{
    struct stats_test test = {.statistic = 0, .p = 1, .n = n};
    LOCAL_HEAP double *d = differences(x, y, n);
    double sd = stats_sd(d, n), mean = stats_mean(d, n);

    if (n >= 2 && sd > 0) {
        test.statistic = mean / (sd / sqrt((double)n));
        test.p = 2 * stats_t_cdf(-fabs(test.statistic), (double)(n - 1));
    } else if (n >= 2 && mean != 0) { /* every pair differs by the same */
        test.statistic = copysign(INFINITY, mean);
        test.p = 0;
    }
    return test;
}

/* ---- Wilcoxon's signed ranks --------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

    return (x > y) - (x < y);
}

/* P(W <= w) where every subset of the ranks 1..n is equally likely. */
static double ranks_cdf(size_t n, double w)
{
    size_t total = n * (n + 1) / 2;
    LOCAL_HEAP double *ways = mem_zero(total + 1, sizeof *ways);
    double sum = 0;

    ways[0] = 1;
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t s = total; s >= rank; s--)
            ways[s] += ways[s - rank];
    for (size_t s = 0; s <= total && (double)s <= w; s++)
        sum += ways[s];
    return ldexp(sum, -(int)n);
}

/* Sum of the ranks of positive differences in d, sorted by size; *ret_ties is
 * the sum of t^3 - t over groups of t equal sizes. */
static double positive_ranks(const double *d, size_t n, double *ret_ties)
{
    double sum = 0, ties = 0;

    for (size_t from = 0, to; from < n; from = to) {
        double group, rank;

        for (to = from + 1; to < n && !(fabs(d[to]) > fabs(d[from])); to++)
            ;
        group = (double)(to - from);
        rank = (double)(from + 1 + to) / 2; /* the mean of from+1 .. to */
        ties += group * group * group - group;
        for (size_t i = from; i < to; i++)
            sum += d[i] > 0 ? rank : 0;
    }
    *ret_ties = ties;
    return sum;
}

static double ranks_p_normal(double w, double n, double ties)
{
    double mean = n * (n + 1) / 4;
    double sd = sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48);
    double distance = fabs(w - mean) - 0.5;

    if (sd <= 0)
        return 1;
    return 2 * stats_normal_cdf(-(distance > 0 ? distance : 0) / sd);
}

struct stats_test stats_wilcoxon(const double *x, const double *y, size_t n)
{
    struct stats_test test = {.p = 1};
    LOCAL_HEAP double *d = differences(x, y, n);
    double ties, low, total;

    for (size_t i = 0; i < n; i++)
        if (d[i] > 0 || d[i] < 0)
            d[test.n++] = d[i];
    if (test.n > 0) {
        qsort(d, test.n, sizeof *d, by_size);
        test.statistic = positive_ranks(d, test.n, &ties);
        total = (double)(test.n * (test.n + 1) / 2);
        low = test.statistic < total / 2 ? test.statistic : total - test.statistic;
        test.p = test.n <= EXACT_PAIRS && !(ties > 0)
                     ? 2 * ranks_cdf(test.n, low)
                     : ranks_p_normal(test.statistic, (double)test.n, ties);
        if (test.p > 1)
            test.p = 1;
    }
    return test;
}

/* ---- many tests, intervals ----------------------------------------------- */

/* A p value and where it stood. */
struct ranked_p {
    double p;
    size_t place;
};

ORDER(by_p, struct ranked_p, UP(p) ?: UP(place))

void stats_holm(double *p, size_t n)
{
    LOCAL_HEAP struct ranked_p *all = mem_zero(n + 1, sizeof *all);
    double least = 0; /* corrected values never fall */

    for (size_t i = 0; i < n; i++)
        all[i] = (struct ranked_p){p[i], i};
    qsort(all, n, sizeof *all, by_p);
    for (size_t i = 0; i < n; i++) {
        double corrected = all[i].p * (double)(n - i);

        least = corrected > least ? corrected : least;
        p[all[i].place] = least > 1 ? 1 : least;
    }
}

ORDER(ascending, double, UP_VALUE)

double stats_quantile(const double *sorted, size_t n, double q)
{
    double at;
    size_t low;

    if (n == 0)
        return NAN;
    at = q * (double)(n - 1);
    low = (size_t)floor(at);
    if (low + 1 >= n)
        return sorted[n - 1];
    return sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]);
}

void stats_bootstrap(const double *x, size_t n, size_t draws, struct rng *r, double *ret_low,
                     double *ret_high)
{
    LOCAL_HEAP double *means = mem_alloc(draws * sizeof *means);

    for (size_t b = 0; b < draws; b++) {
        double sum = 0;

        for (size_t i = 0; i < n; i++)
            sum += x[rng_below(r, n)];
        means[b] = n ? sum / (double)n : NAN;
    }
    qsort(means, draws, sizeof *means, ascending);
    *ret_low = stats_quantile(means, draws, 0.025);
    *ret_high = stats_quantile(means, draws, 0.975);
}
