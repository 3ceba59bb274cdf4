/* graph_int.h - between graph.c (links) and graph_layout.c (pages). */
#ifndef SIM_GRAPH_INT_H
#define SIM_GRAPH_INT_H

#include "base/rng.h"
#include "sim/graph.h"

#include <stdbool.h>

/* Fills topic, host, copy_of, host_first and host_topic. */
void graph_layout(struct graph *g, const struct graph_config *c);

/* A power law p(x) ~ x^-exponent on [low, high], by inversion. */
double graph_pareto(struct rng *r, double exponent, double low, double high);

/* The low end that gives this law the mean asked for. */
double graph_pareto_low(double exponent, double high, double mean);

#endif
