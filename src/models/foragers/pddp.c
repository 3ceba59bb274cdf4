/* pddp.c - clusters documents by principal directions.
 *
 * The documents stand in one array, leaf by leaf, those of a leaf in their own
 * order; a cut moves documents within the leaf's part of it.
 * SPDX-License-Identifier: MIT */
#include "models/foragers/pddp.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

#define SINGULAR_TOLERANCE 1e-3 /* only signs matter */
#define NOTHING            1e-6 /* smaller shares of the largest |v| are rounding errors */

struct pddp_leaf {
    size_t from, count; /* part of `order` */
    double scatter;
};

struct pddp_tree {
    const struct columns *columns;
    struct pddp_leaf *leaves;
    uint32_t nleaves;
    uint32_t *order; /* documents, leaf by leaf */
    uint32_t *spare; /* room for as many */
    double *v;
    bool *goes;
};

/* ---- which documents go ---- */

struct ranked {
    double v;
    size_t at;
};

ORDER(by_value, struct ranked, UP(v) ?: UP(at))

/* The larger half goes; of an odd number the middle one stays. */
static void cut_at_median(const double *v, size_t m, bool *ret_goes)
{
    LOCAL_HEAP struct ranked *all = mem_zero(m, sizeof *all);

    for (size_t j = 0; j < m; j++)
        all[j] = (struct ranked){v[j], j};
    qsort(all, m, sizeof *all, by_value);
    for (size_t j = 0; j < m; j++)
        ret_goes[all[j].at] = j >= m - m / 2;
}

size_t pddp_cut(const double *v, size_t m, bool *ret_goes)
{
    double largest = 0;
    size_t going = 0;

    for (size_t j = 0; j < m; j++)
        largest = fmax(largest, fabs(v[j]));
    for (size_t j = 0; j < m; j++) {
        ret_goes[j] = v[j] > NOTHING * largest;
        going += ret_goes[j];
    }
    if (going > 0 && going < m)
        return going;
    cut_at_median(v, m, ret_goes);
    return m / 2;
}

/* ---- the tree ---- */

static struct pddp_leaf *largest_leaf(const struct pddp_tree *t)
{
    struct pddp_leaf *best = t->leaves;

    for (uint32_t i = 1; i < t->nleaves; i++)
        if (t->leaves[i].scatter > best->scatter * (1 + 1e-9)) /* equal but for rounding */
            best = &t->leaves[i];
    return best;
}

static void leaf_measure(const struct pddp_tree *t, struct pddp_leaf *l)
{
    l->scatter = columns_scatter(t->columns, t->order + l->from, l->count, NULL);
}

static void leaf_cut(struct pddp_tree *t, struct pddp_leaf *old)
{
    uint32_t *part = t->order + old->from;
    struct pddp_leaf *made = &t->leaves[t->nleaves++];
    size_t stay = 0, go = 0;

    (void)columns_principal(t->columns, part, old->count, SINGULAR_TOLERANCE, t->v, NULL);
    (void)pddp_cut(t->v, old->count, t->goes);
    for (size_t j = 0; j < old->count; j++) {
        if (t->goes[j])
            t->spare[go++] = part[j];
        else
            part[stay++] = part[j];
    }
    memcpy(part + stay, t->spare, go * sizeof *part);
    *made = (struct pddp_leaf){.from = old->from + stay, .count = go};
    old->count = stay;
    leaf_measure(t, old);
    leaf_measure(t, made);
}

static enum status tree_grow(struct pddp_tree *t, const struct pddp_config *config)
{
    double tolerance = config->tolerance > 0 ? config->tolerance : PDDP_TOLERANCE;

    while (t->nleaves < config->leaves) {
        struct pddp_leaf *l = largest_leaf(t);

        if (l->scatter < tolerance)
            break;
        if (config->go_on && !config->go_on(config->ctx, t->nleaves, config->leaves))
            return status_fail(ST_STOPPED, "stopped at %u of %u clusters", t->nleaves,
                               config->leaves);
        leaf_cut(t, l);
    }
    return ST_OK;
}

enum status pddp(const struct vec *docs, size_t n, const struct pddp_config *config,
                 uint32_t *ret_leaf, uint32_t *ret_leaves)
{
    struct columns *columns = columns_new(docs, n, config->scaling);
    struct pddp_tree t = {.columns = columns, .nleaves = 1};
    enum status st = ST_OK;

    t.leaves = mem_zero((size_t)config->leaves + 1, sizeof *t.leaves);
    t.order = mem_zero(n + 1, sizeof *t.order);
    t.spare = mem_zero(n + 1, sizeof *t.spare);
    t.v = mem_zero(n + 1, sizeof *t.v);
    t.goes = mem_zero(n + 1, sizeof *t.goes);
    for (size_t j = 0; j < n; j++)
        t.order[j] = (uint32_t)j;
    t.leaves[0].count = n;
    if (n > 0) {
        leaf_measure(&t, &t.leaves[0]);
        st = tree_grow(&t, config);
    }
    for (uint32_t i = 0; st == ST_OK && i < t.nleaves; i++)
        for (size_t j = 0; j < t.leaves[i].count; j++)
            ret_leaf[t.order[t.leaves[i].from + j]] = i;
    if (st == ST_OK)
        *ret_leaves = n > 0 ? t.nleaves : 0;
    free(t.leaves);
    free(t.order);
    free(t.spare);
    free(t.v);
    free(t.goes);
    columns_free(columns);
    return st;
}
