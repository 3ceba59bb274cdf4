/* graph_measure.h - measures a link structure.
 *
 * Works on any graph in rows: the links of page i are to[off[i] .. off[i+1]).
 * Sampled measures draw from a generator with a fixed seed, so the same graph
 * always gives the same figures.
 */
#pragma once

#include <stdint.h>

struct graph_rows {
    uint32_t pages;
    const uint64_t *off; /* pages + 1 */
    const uint32_t *to;
};

/* Returns the exponent a of p(k) ~ k^-a by maximum likelihood, above the cut-off at which data and
 * law agree best (Kolmogorov-Smirnov), after Clauset, Shalizi and Newman 2009. The cut-off goes to
 * *ret_cutoff (may be NULL). With fewer than 50 values the exponent is NAN and the cut-off 0. */
double graph_exponent(const uint32_t *degrees, uint32_t count, uint32_t *ret_cutoff);

/* Writes the degrees into an array of `pages` entries. */
void graph_out_degrees(const struct graph_rows *g, uint32_t *ret);
void graph_in_degrees(const struct graph_rows *g, uint32_t *ret);

/* Returns the mean local clustering coefficient (Watts and Strogatz 1998) over pages with two
 * neighbours or more; links are taken as undirected. At most 4000 pages are sampled, and 300 pairs
 * of neighbours of each. */
double graph_clustering(const struct graph_rows *g);

/* Returns the mean length of the shortest paths, in links, from up to 40 starting points to the
 * pages that can be reached; NAN if none can. */
double graph_distance(const struct graph_rows *g);

/* The labels of pages in rows: those of page i are label[off[i] .. off[i+1]). */
struct graph_labels {
    const uint64_t *off; /* pages + 1 */
    const uint32_t *label;
};

/* Returns the share of the links of labelled pages that lead to a page with one of the same labels.
 * NAN if there are no such links. */
double graph_label_locality(const struct graph_rows *g, const struct graph_labels *labels);
