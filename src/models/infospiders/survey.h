/* survey.h - a page's links as one agent sees them: every target once, with the
 * inputs that the agent's net has for it. The memory is reused from page to page.
 *
 * A target that is linked several times has the sum of its inputs. Links that must
 * not be followed are left out. Thread: the mind only.
 */
#pragma once

#include "models/infospiders/lottery.h"
#include "models/infospiders/net.h"
#include "agent/url_index.h"
#include "flow.h"

struct survey {
    uint32_t *urls;           /* targets in order of their first link */
    float *in;                /* a row of `keywords` numbers for each target */
    uint8_t *lit;             /* by row: it is not all 0 */
    double *estimates;        /* survey_estimate() */
    size_t count, keywords;   /* targets; inputs of each */
    struct url_index targets; /* URL -> place, counted from 1; only those of this page */
    /* Further links to a target have rows of their own, from the last one down, until
     * they are joined. */
    uint32_t *rows;           /* by link of the page */
    size_t nlinks, spare;     /* links; those of them with a row of their own */
    double *scores, *chances; /* of the targets that may be drawn */
    size_t *drawn;            /* their places */
    size_t links_cap, in_cap;
};

void survey_clear(struct survey *s); /* frees everything; zeroed is empty */

void survey_make(struct survey *s, const struct percept *p, const uint32_t *keywords, size_t count,
                 unsigned rho);

/* The net's output for every target. */
void survey_estimate(struct survey *s, const struct net *n);
double survey_best(const struct survey *s); /* the greatest estimate; 0: no target */

/* Writes the estimates into the marks of the links. */
void survey_mark(const struct survey *s, struct percept *p);

static inline const float *survey_inputs(const struct survey *s, size_t i)
{
    return s->in + i * s->keywords;
}

/* Draws one of the targets that `allows` accepts; -1 if there is none. Uses one
 * random number if there is one. */
typedef bool survey_filter_fn(void *ctx, uint32_t url);
long survey_draw(struct survey *s, enum lottery rule, double beta, struct rng *r,
                 survey_filter_fn *allows, void *ctx);
