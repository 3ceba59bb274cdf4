/* lattice.c - the context and the diagram: what both ways of building share.
 * SPDX-License-Identifier: MIT */
#include "models/crew/lattice_int.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct lattice *lattice_new(unsigned nattributes)
{
    struct lattice *l = MEM_NEW(struct lattice);

    assert(nattributes <= LIMIT_LATTICE_ATTRIBUTES);
    l->nattributes = nattributes;
    l->all = nattributes == 64 ? UINT64_MAX : (UINT64_C(1) << nattributes) - 1;
    l->free_edge = LATTICE_NONE;
    map_init(&l->by_intent);
    return l;
}

void lattice_free(struct lattice *l)
{
    if (l == NULL)
        return;
    map_free(&l->by_intent);
    free(l->rows);
    free(l->objects);
    free(l->nodes);
    free(l->edges);
    free(l);
}

void lattice_forget(struct lattice *l)
{
    l->nnodes = l->nedges = 0;
    l->used_edges = 0;
    l->free_edge = LATTICE_NONE;
    l->is_complete = false;
    l->marks = 0;
    map_clear(&l->by_intent);
}

void lattice_clear(struct lattice *l)
{
    lattice_forget(l);
    l->nrows = 0;
}

/* ---- rows ---- */

enum status lattice_check_row(const struct lattice *l, uint64_t row)
{
    if (row & ~l->all)
        return status_fail(ST_INVALID, "a row with attributes beyond the %u of the lattice",
                           l->nattributes);
    if (bits_count(row) > LIMIT_LATTICE_ROW)
        return status_fail(ST_LIMIT, "a row of %u attributes; a lattice takes %d", bits_count(row),
                           LIMIT_LATTICE_ROW);
    if (l->nrows >= LIMIT_LATTICE_OBJECTS)
        return status_fail(ST_LIMIT, "a lattice takes %d objects", LIMIT_LATTICE_OBJECTS);
    return ST_OK;
}

void lattice_append(struct lattice *l, uint32_t object, uint64_t row)
{
    MEM_GROW(l->rows, l->nrows, &l->rows_cap);
    MEM_GROW(l->objects, l->nrows, &l->objects_cap);
    l->objects[l->nrows] = object;
    l->rows[l->nrows++] = row;
}

enum status lattice_put(struct lattice *l, uint32_t object, uint64_t row)
{
    enum status st = lattice_check_row(l, row);

    if (st != ST_OK)
        return st;
    if (l->nnodes > 0)
        lattice_forget(l);
    lattice_append(l, object, row);
    return ST_OK;
}

unsigned lattice_attributes(const struct lattice *l)
{
    return l->nattributes;
}

uint32_t lattice_objects(const struct lattice *l)
{
    return (uint32_t)l->nrows;
}

uint32_t lattice_object(const struct lattice *l, uint32_t i, uint64_t *ret_row)
{
    *ret_row = l->rows[i];
    return l->objects[i];
}

uint32_t lattice_share(const struct lattice *l, double share)
{
    double objects = ceil(share * (double)l->nrows - 1e-9); /* 1 % of 300 is 3 */

    return objects > 1 ? (uint32_t)objects : 1;
}

/* ---- nodes and edges ---- */

uint32_t lattice_new_node(struct lattice *l, uint64_t intent, uint32_t extent)
{
    uint32_t i = (uint32_t)l->nnodes;

    MEM_GROW(l->nodes, l->nnodes, &l->nodes_cap);
    l->nodes[l->nnodes++] =
        (struct lattice_node){.intent = intent, .extent = extent, .up = LATTICE_NONE};
    map_set(&l->by_intent, hash_u64(intent), i);
    return i;
}

void lattice_link(struct lattice *l, uint32_t from, uint32_t to)
{
    uint32_t e = l->free_edge;

    if (e == LATTICE_NONE) {
        MEM_GROW(l->edges, l->nedges, &l->edges_cap);
        e = (uint32_t)l->nedges++;
    } else {
        l->free_edge = l->edges[e].next;
    }
    l->edges[e] = (struct lattice_edge){to, l->nodes[from].up};
    l->nodes[from].up = e;
    l->used_edges++;
}

void lattice_unlink(struct lattice *l, uint32_t from, uint32_t to)
{
    uint32_t *at = &l->nodes[from].up, e;

    while (*at != LATTICE_NONE && l->edges[*at].to != to)
        at = &l->edges[*at].next;
    if (*at == LATTICE_NONE)
        return;
    e = *at;
    *at = l->edges[e].next;
    l->edges[e].next = l->free_edge;
    l->free_edge = e;
    l->used_edges--;
}

/* ---- reading ---- */

bool lattice_is_complete(const struct lattice *l)
{
    return l->is_complete;
}

uint32_t lattice_min_extent(const struct lattice *l)
{
    return l->min_extent;
}

uint32_t lattice_count(const struct lattice *l)
{
    return (uint32_t)l->nnodes;
}

struct concept lattice_concept(const struct lattice *l, uint32_t i)
{
    return (struct concept){l->nodes[i].intent, l->nodes[i].extent};
}

uint32_t lattice_find(const struct lattice *l, uint64_t intent)
{
    uint32_t i = map_get(&l->by_intent, hash_u64(intent));

    return i == MAP_NONE ? LATTICE_NONE : i;
}

uint32_t lattice_extent(const struct lattice *l, uint64_t intent, uint32_t *ret)
{
    uint32_t n = 0;

    for (size_t i = 0; i < l->nrows; i++) {
        if (intent & ~l->rows[i])
            continue;
        if (ret)
            ret[n] = l->objects[i];
        n++;
    }
    return n;
}

uint32_t lattice_up(const struct lattice *l, uint32_t concept)
{
    return l->nodes[concept].up;
}

uint32_t lattice_up_next(const struct lattice *l, uint32_t edge)
{
    return l->edges[edge].next;
}

uint32_t lattice_up_to(const struct lattice *l, uint32_t edge)
{
    return l->edges[edge].to;
}

uint32_t lattice_edges(const struct lattice *l)
{
    return l->used_edges;
}

/* ---- the largest ---- */

struct ranked {
    uint64_t intent;
    uint32_t extent, node;
};

/* The bottom can share its extent with nobody, and above means strictly larger: so
 * this order never puts a concept before one above it. */
static int larger_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->extent != y->extent)
        return x->extent < y->extent ? 1 : -1;
    return (x->intent > y->intent) - (x->intent < y->intent);
}

/* The smallest extent that is certainly among the first `max`: only those need to
 * be sorted. */
static uint32_t least_extent(const struct ranked *r, size_t n, uint32_t max, size_t nrows)
{
    uint32_t *count = mem_zero(nrows + 1, sizeof *count), extent = (uint32_t)nrows;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        count[r[i].extent]++;
    for (;; extent--) {
        sum += count[extent];
        if (sum >= max || extent == 0)
            break;
    }
    free(count);
    return extent;
}

uint32_t lattice_largest(const struct lattice *l, uint32_t max, bool bare, uint32_t *ret)
{
    struct ranked *r = mem_alloc((l->nnodes + 1) * sizeof *r);
    size_t n = 0, kept = 0;
    uint32_t least;

    for (size_t i = 0; i < l->nnodes; i++) {
        const struct lattice_node *node = &l->nodes[i];

        if (bare || (node->intent != 0 && node->extent != 0))
            r[n++] = (struct ranked){node->intent, node->extent, (uint32_t)i};
    }
    least = least_extent(r, n, max, l->nrows);
    for (size_t i = 0; i < n; i++) {
        if (r[i].extent >= least)
            r[kept++] = r[i];
    }
    qsort(r, kept, sizeof *r, larger_first);
    if (kept > max)
        kept = max;
    for (size_t i = 0; i < kept; i++)
        ret[i] = r[i].node;
    free(r);
    return (uint32_t)kept;
}
