/* spiders.h - what the tests of infospiders share.
 *
 * Nets begin with equal weights, so with the two words "bee wax" w = (.5, .5), b = 0.
 */
#pragma once

#include "support/support.h"

#include "models/infospiders/infospiders_int.h"
#include "pond.h"

#include <math.h>

#define ONE   "population=1 theta=2 max_pages=100 "
#define BIRTH ONE "theta=1 cost=latency mutation=0 " /* pages cost nothing */

extern const struct pond_page two_links[POND_PAGES + 1]; /* spiders.c */
extern const struct pond_page lesson[POND_PAGES + 1];
extern const struct pond_page birth[POND_PAGES + 1];

static inline void assert_near(double a, double b)
{
    if (fabs(a - b) > 1e-6)
        fail_msg("%.9g is not %.9g", a, b);
}

static inline void assert_all_near(const float *a, size_t n, const double *b)
{
    for (size_t i = 0; i < n; i++)
        assert_near((double)a[i], b[i]);
}

static inline struct spider *spider_of(const struct pond *p, uint32_t agent)
{
    return agent_of(p->ctx.population, agent)->traits;
}

static inline double energy_of(const struct pond *p, uint32_t agent)
{
    return agent_energy(p->ctx.population, agent);
}

static inline uint32_t alive(const struct pond *p)
{
    return population_counts(p->ctx.population).alive;
}

static inline void visit(struct pond *p, uint32_t url)
{
    struct choice c;

    assert_true(pond_next(p, &c));
    assert_int_equal(c.url, url);
    pond_answer(p, c);
}

static inline void books_are_balanced(const struct pond *p)
{
    struct ledger l = population_ledger(p->ctx.population);

    assert_true(ledger_error(&l, 0) < 1e-9);
}
