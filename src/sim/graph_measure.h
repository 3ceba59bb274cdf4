/* graph_measure.h - what a link structure is like.
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

/* The exponent of p(k) ~ k^-a by maximum likelihood above the cut-off that
 * makes data and law agree best (Kolmogorov-Smirnov), after Clauset, Shalizi
 * and Newman 2009. The cut-off goes to *ret_cutoff (may be NULL). NAN and 0 with
 * fewer than 50 values. */
double graph_exponent(const uint32_t *degrees, uint32_t count, uint32_t *ret_cutoff);

/* Degrees into an array of `pages` entries. */
void graph_out_degrees(const struct graph_rows *g, uint32_t *ret);
void graph_in_degrees(const struct graph_rows *g, uint32_t *ret);

/* Mean local clustering coefficient (Watts and Strogatz 1998) over pages with
 * two neighbours or more, links taken as undirected. Up to 4000 pages and 300
 * pairs of neighbours of each are looked at. */
double graph_clustering(const struct graph_rows *g);

/* Mean number of links on the shortest way between pages that have one, from
 * up to 40 starting points; NAN where there is none. */
double graph_distance(const struct graph_rows *g);

/* The labels of pages in rows: those of page i are label[off[i] .. off[i+1]). */
struct graph_labels {
    const uint64_t *off; /* pages + 1 */
    const uint32_t *label;
};

/* Of the links of pages with a label, the share that leads to a page with one of
 * the same. NAN without such links. */
double graph_label_locality(const struct graph_rows *g, const struct graph_labels *labels);
