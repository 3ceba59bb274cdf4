/* graph_measure.c - degree exponents, clustering, distance, locality.
 *
 * In: a graph in rows. Out: figures. Exponents use the continuous
 * approximation a = 1 + n / sum ln(k / (kmin - 1/2)), good for kmin of 6 and
 * more and still within a few per cent below; degree 0 is left out.
 *
 * Workload: once a world, some 10^5 links; nothing is kept.
 * SPDX-License-Identifier: MIT
 */
#include "sim/graph_measure.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/rng.h"
#include "base/search.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define SAMPLE_PAGES     4000 /* for clustering */
#define SAMPLE_PAIRS     300
#define SAMPLE_STARTS    40 /* for distance */
#define EXPONENT_TAIL    50 /* values a fit needs */
#define EXPONENT_CUTOFFS 60 /* candidates tried */

void graph_out_degrees(const struct graph_rows *g, uint32_t *ret)
{
    for (uint32_t i = 0; i < g->pages; i++)
        ret[i] = (uint32_t)(g->off[i + 1] - g->off[i]);
}

void graph_in_degrees(const struct graph_rows *g, uint32_t *ret)
{
    for (uint32_t i = 0; i < g->pages; i++)
        ret[i] = 0;
    for (uint64_t l = 0; l < g->off[g->pages]; l++)
        ret[g->to[l]]++;
}

ORDER(by_number, uint32_t, UP_VALUE)

/* Fits the sorted tail k[0..n), and returns the distance between data and law. */
static double fit_tail(const uint32_t *k, uint32_t n, double *ret_gap)
{
    double low = k[0] - 0.5, sum = 0, gap = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += log(k[i] / low);
    double a = 1 + n / sum;
    for (uint32_t i = 0; i < n;) {
        uint32_t j = i;

        while (j < n && k[j] == k[i])
            j++;
        double law = 1 - pow((k[i] + 0.5) / low, 1 - a);
        gap = fmax(gap, fabs((double)j / n - law));
        i = j;
    }
    *ret_gap = gap;
    return a;
}

double graph_exponent(const uint32_t *degrees, uint32_t count, uint32_t *ret_cutoff)
{
    uint32_t *k = mem_alloc((count + 1) * sizeof *k), n = 0, cutoff = 0;
    double best = NAN, best_gap = INFINITY;

    for (uint32_t i = 0; i < count; i++)
        if (degrees[i] > 0)
            k[n++] = degrees[i];
    qsort(k, n, sizeof *k, by_number);
    uint32_t from = 0;
    for (int tried = 0; tried < EXPONENT_CUTOFFS && n - from >= EXPONENT_TAIL; tried++) {
        double gap, a = fit_tail(k + from, n - from, &gap);
        uint32_t old = k[from];

        if (k[n - 1] > old && gap < best_gap) {
            best_gap = gap;
            best = a;
            cutoff = old;
        }
        while (from < n && k[from] == old)
            from++;
    }
    free(k);
    if (ret_cutoff)
        *ret_cutoff = cutoff;
    return best;
}

/* ---- clustering ---------------------------------------------------------- */

/* Neighbours in both directions, sorted and distinct: near[off[i] .. end[i]). */
struct neighbours {
    uint64_t *off, *end;
    uint32_t *near;
};

static struct neighbours neighbours_make(const struct graph_rows *g)
{
    uint64_t links = g->off[g->pages];
    struct neighbours n = {mem_zero(g->pages + 2, sizeof *n.off),
                           mem_zero(g->pages + 1, sizeof *n.end),
                           mem_alloc((links * 2 + 1) * sizeof *n.near)};

    for (uint32_t i = 0; i < g->pages; i++)
        for (uint64_t l = g->off[i]; l < g->off[i + 1]; l++) {
            n.off[i + 1]++;
            n.off[g->to[l] + 1]++;
        }
    for (uint32_t i = 0; i < g->pages; i++) {
        n.off[i + 1] += n.off[i];
        n.end[i] = n.off[i];
    }
    for (uint32_t i = 0; i < g->pages; i++)
        for (uint64_t l = g->off[i]; l < g->off[i + 1]; l++) {
            n.near[n.end[i]++] = g->to[l];
            n.near[n.end[g->to[l]]++] = i;
        }
    for (uint32_t i = 0; i < g->pages; i++) {
        uint64_t kept = n.off[i];

        qsort(n.near + n.off[i], n.end[i] - n.off[i], sizeof *n.near, by_number);
        for (uint64_t l = n.off[i]; l < n.end[i]; l++)
            if (n.near[l] != i && (kept == n.off[i] || n.near[kept - 1] != n.near[l]))
                n.near[kept++] = n.near[l];
        n.end[i] = kept;
    }
    return n;
}

static bool is_near(const struct neighbours *n, uint32_t a, uint32_t b)
{
    uint64_t i;

    FIND_FIRST(i, n->off[a], n->end[a], n->near[i] >= b);
    return i < n->end[a] && n->near[i] == b;
}

/* The share of neighbour pairs of page i that are neighbours themselves. */
static double local_clustering(const struct neighbours *n, uint32_t i, struct rng *r)
{
    const uint32_t *near = n->near + n->off[i];
    uint64_t k = n->end[i] - n->off[i], pairs = k * (k - 1) / 2, hits = 0;

    if (pairs <= SAMPLE_PAIRS) {
        for (uint64_t a = 0; a < k; a++)
            for (uint64_t b = a + 1; b < k; b++)
                hits += is_near(n, near[a], near[b]);
        return (double)hits / (double)pairs;
    }
    for (int s = 0; s < SAMPLE_PAIRS; s++) {
        uint64_t a = rng_below(r, k), b = rng_below(r, k - 1);

        hits += is_near(n, near[a], near[b + (b >= a)]);
    }
    return (double)hits / SAMPLE_PAIRS;
}

double graph_clustering(const struct graph_rows *g)
{
    struct neighbours n = neighbours_make(g);
    uint32_t step = g->pages / SAMPLE_PAGES + 1, counted = 0;
    double sum = 0;
    struct rng r;

    rng_init(&r, 1);
    for (uint32_t i = 0; i < g->pages; i += step)
        if (n.end[i] - n.off[i] >= 2) {
            sum += local_clustering(&n, i, &r);
            counted++;
        }
    free(n.off);
    free(n.end);
    free(n.near);
    return counted ? sum / counted : 0;
}

/* ---- distance and locality ----------------------------------------------- */

/* Breadth first from one page: adds the distances and counts the pages. */
static void spread(const struct graph_rows *g, uint32_t start, uint32_t *far, uint32_t *queue,
                   double *sum, double *reached)
{
    uint32_t head = 0, tail = 0;

    for (uint32_t i = 0; i < g->pages; i++)
        far[i] = UINT32_MAX;
    far[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        uint32_t i = queue[head++];

        for (uint64_t l = g->off[i]; l < g->off[i + 1]; l++)
            if (far[g->to[l]] == UINT32_MAX) {
                far[g->to[l]] = far[i] + 1;
                queue[tail++] = g->to[l];
                *sum += far[i] + 1;
                *reached += 1;
            }
    }
}

double graph_distance(const struct graph_rows *g)
{
    LOCAL_HEAP uint32_t *far = mem_alloc((g->pages + 1) * sizeof *far);
    LOCAL_HEAP uint32_t *queue = mem_alloc((g->pages + 1) * sizeof *queue);
    double sum = 0, reached = 0;
    struct rng r;

    rng_init(&r, 2);
    for (int s = 0; s < SAMPLE_STARTS && g->pages > 0; s++)
        spread(g, (uint32_t)rng_below(&r, g->pages), far, queue, &sum, &reached);
    return reached > 0 ? sum / reached : NAN;
}

static bool share_label(const struct graph_labels *labels, uint32_t a, uint32_t b)
{
    for (uint64_t i = labels->off[a]; i < labels->off[a + 1]; i++)
        for (uint64_t j = labels->off[b]; j < labels->off[b + 1]; j++)
            if (labels->label[i] == labels->label[j])
                return true;
    return false;
}

double graph_label_locality(const struct graph_rows *g, const struct graph_labels *labels)
{
    uint64_t all = 0, same = 0;

    for (uint32_t i = 0; i < g->pages; i++) {
        if (labels->off[i] == labels->off[i + 1])
            continue;
        for (uint64_t l = g->off[i]; l < g->off[i + 1]; l++) {
            all++;
            same += share_label(labels, i, g->to[l]);
        }
    }
    return all ? (double)same / (double)all : NAN;
}
