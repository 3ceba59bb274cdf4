/* matching.c - the Hungarian method by shortest augmenting paths.
 * SPDX-License-Identifier: MIT
 *
 * Rows are matched one after the other. Potentials u (rows) and v (columns) keep every
 * reduced cost -w[i][k] - u[i] - v[k] at 0 or above, and at 0 on matched pairs; a new row
 * finds the cheapest path of such edges to a free column (Dijkstra on a dense table)
 * and the pairs along it change partners. Weights are never negative, so that a
 * matching of all rows is as good as the best one. Column m stands for "before the
 * first": the row being placed. */
#include "models/crew/matching.h"

#include <math.h>
#include <stdbool.h>

struct state {
    double u[MATCHING_MAX + 1], v[MATCHING_MAX + 1]; /* potentials */
    size_t row[MATCHING_MAX + 1];                    /* matched with a column; n: none */
    size_t n, m;
    bool turned; /* the table is read across: n <= m */
};

static double cost(float weight[][MATCHING_MAX], const struct state *s, size_t i, size_t k)
{
    return -(double)(s->turned ? weight[k][i] : weight[i][k]);
}

static void place(float weight[][MATCHING_MAX], struct state *s, size_t row)
{
    double slack[MATCHING_MAX + 1]; /* least reduced cost of a way to a column */
    size_t way[MATCHING_MAX + 1];   /* the column before it */
    bool done[MATCHING_MAX + 1] = {false};
    size_t at = s->m;

    for (size_t k = 0; k <= s->m; k++)
        slack[k] = INFINITY;
    s->row[at] = row;
    do {
        size_t next = s->m;
        double least = INFINITY;

        done[at] = true;
        for (size_t k = 0; k < s->m; k++) {
            double c;

            if (done[k])
                continue;
            c = cost(weight, s, s->row[at], k) - s->u[s->row[at]] - s->v[k];
            if (c < slack[k]) {
                slack[k] = c;
                way[k] = at;
            }
            if (slack[k] < least) {
                least = slack[k];
                next = k;
            }
        }
        for (size_t k = 0; k <= s->m; k++) {
            if (done[k]) {
                s->u[s->row[k]] += least;
                s->v[k] -= least;
            } else {
                slack[k] -= least;
            }
        }
        at = next;
    } while (s->row[at] != s->n);
    for (; at != s->m; at = way[at])
        s->row[at] = s->row[way[at]];
}

double matching_weight(float weight[][MATCHING_MAX], size_t n, size_t m)
{
    struct state s = {.turned = n > m};
    double sum = 0;

    s.n = s.turned ? m : n;
    s.m = s.turned ? n : m;
    for (size_t k = 0; k <= s.m; k++)
        s.row[k] = s.n;
    for (size_t i = 0; i < s.n; i++)
        place(weight, &s, i);
    for (size_t k = 0; k < s.m; k++) {
        if (s.row[k] != s.n)
            sum -= cost(weight, &s, s.row[k], k);
    }
    return sum;
}
