/* graph_int.h - shared by graph.c (links), graph_layout.c (pages) and graph_circles.c (groups of
 * pages that link to each other). */
#pragma once

#include "base/rng.h"
#include "sim/make/graph.h"

#include <stdbool.h>

/* Fills topic, host, copy_of, host_first and host_topic. */
void graph_layout(struct graph *g, const struct graph_config *c);

/* Draws from the power law p(x) ~ x^-exponent on [low, high], by inversion. */
double graph_pareto(struct rng *r, double exponent, double low, double high);

/* Returns the low end at which this law has the mean asked for. */
double graph_pareto_low(double exponent, double high, double mean);

/* Draws a place in [from, to), each with the weight that it adds to the cumulative sums `cum`; to >
 * from. */
uint32_t graph_draw(const double *cum, uint32_t from, uint32_t to, struct rng *r);

/* Is a link from i to k local: inside the topic of i or, if i has none, on its host? */
static inline bool graph_is_local(const struct graph *g, uint32_t i, uint32_t k)
{
    return g->topic[i] != GRAPH_NONE ? g->topic[i] == g->topic[k] : g->host[i] == g->host[k];
}

/* Returns the share of local links that page i should have. */
static inline double graph_local_share(const struct graph *g, const struct graph_config *c,
                                       uint32_t i)
{
    return g->topic[i] == GRAPH_NONE ? c->host_locality : c->locality;
}

/* ---- circles -------------------------------------------------------------- */

/* The input from which circles are drawn; lent. */
struct circle_source {
    const struct graph *g;
    const struct graph_config *c;
    const uint32_t *degree;   /* page -> number of links that it should have */
    const double *fame;       /* page -> number of links to it, on average */
    const uint32_t *by_topic; /* pages by topic, those without one last */
    const uint32_t *topic_at; /* topic -> first place in by_topic; topics + 2 */
};

struct circles;
struct circles *circles_new(const struct circle_source *from, struct rng r);
void circles_free(struct circles *s);

/* Prepares for pages that keep this share of their links in their circles. */
void circles_share(struct circles *s, double share);

/* Picks up to `want` distinct targets for page i from its circle of local links, or from its circle
 * of other links; never i itself and never `but`. Returns how many. */
uint32_t circles_pick(struct circles *s, uint32_t i, bool local, uint32_t want, uint32_t but,
                      struct rng *r, uint32_t *ret);
