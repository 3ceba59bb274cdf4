/* lattice.c - a context, its concepts and their diagram.
 * SPDX-License-Identifier: MIT
 *
 * Close-by-One (Kuznetsov 1993): from a concept with extent E and intent I, each
 * attribute j outside I leads down to the concept of the objects of E that have j. The
 * same concept is met on several ways; it is taken only where its intent brings
 * nothing new below j (it is canonical), which is true on exactly one of them.
 *
 * In-Close tests this on a partial closure to save most of the work of failed tests.
 * Our rows are short (8 attributes), so there is a better way: one pass over E, with
 * each row ANDed into the closures of its own attributes, gives the extents' sizes and
 * the closures of all attributes at once (the delivery of occurrences of LCM, Uno
 * 2004). It costs |E| * 8 steps for a concept however many attributes there are,
 * and failed tests cost nothing.
 *
 * The same table gives the edges down from the concept: D, the closure of j, is next
 * below I exactly where every attribute of D - I has the count of j, for else one of
 * them would close to something in between. */
#include "models/crew/lattice.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct lattice_node {
    uint64_t intent;
    uint32_t extent; /* objects */
    uint32_t up;     /* its first edge, or LATTICE_NONE */
};

/* The edges of one node form a list. */
struct lattice_edge {
    uint32_t to;   /* the node above */
    uint32_t next; /* of the same node */
};

struct lattice {
    uint64_t all; /* the attributes of the context */
    unsigned nattributes;
    uint64_t *rows;    /* attributes of each object */
    uint32_t *objects; /* the caller's numbers of them */
    size_t nrows, rows_cap, objects_cap;
    struct lattice_node *nodes;
    size_t nnodes, nodes_cap;
    struct lattice_edge *edges;
    size_t nedges, edges_cap;
    struct map by_intent; /* hash of an intent -> its node */
    uint32_t min_extent;
    bool is_complete;
};

struct lattice *lattice_new(unsigned nattributes)
{
    struct lattice *l = MEM_NEW(struct lattice);

    assert(nattributes <= LIMIT_LATTICE_ATTRIBUTES);
    l->nattributes = nattributes;
    l->all = nattributes == 64 ? UINT64_MAX : (UINT64_C(1) << nattributes) - 1;
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

/* Forgets the concepts, but not the rows. */
static void forget(struct lattice *l)
{
    l->nnodes = l->nedges = 0;
    l->is_complete = false;
    map_clear(&l->by_intent);
}

/* ---- rows ---- */

enum status lattice_put(struct lattice *l, uint32_t object, uint64_t row)
{
    unsigned count = bits_count(row);

    if (row & ~l->all)
        return status_fail(ST_INVALID, "a row with attributes beyond the %u of the lattice",
                           l->nattributes);
    if (count > LIMIT_LATTICE_ROW)
        return status_fail(ST_LIMIT, "a row of %u attributes; a lattice takes %d", count,
                           LIMIT_LATTICE_ROW);
    if (l->nrows >= LIMIT_LATTICE_OBJECTS)
        return status_fail(ST_LIMIT, "a lattice takes %d objects", LIMIT_LATTICE_OBJECTS);
    if (l->nnodes > 0)
        forget(l);
    MEM_GROW(l->rows, l->nrows, &l->rows_cap);
    MEM_GROW(l->objects, l->nrows, &l->objects_cap);
    l->objects[l->nrows] = object;
    l->rows[l->nrows++] = row;
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

/* ---- the largest ---- */

struct ranked_concept {
    uint64_t intent;
    uint32_t extent, node;
};

/* No concept has the same extent as the bottom, and a concept above has a strictly larger extent:
 * so this order never puts a concept before one above it. */
ORDER(larger_first, struct ranked_concept, DOWN(extent) ?: UP(intent))

/* Returns the smallest extent that is certainly among the first `max`: only those
 * need to be sorted. */
static uint32_t least_extent(const struct ranked_concept *r, size_t n, uint32_t max, size_t nrows)
{
    LOCAL_HEAP uint32_t *count = mem_zero(nrows + 1, sizeof *count);
    uint32_t extent = (uint32_t)nrows;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        count[r[i].extent]++;
    for (;; extent--) {
        sum += count[extent];
        if (sum >= max || extent == 0)
            break;
    }
    return extent;
}

uint32_t lattice_largest(const struct lattice *l, uint32_t max, bool bare, uint32_t *ret)
{
    LOCAL_HEAP struct ranked_concept *r = mem_alloc((l->nnodes + 1) * sizeof *r);
    size_t n = 0, kept = 0;
    uint32_t least;

    for (size_t i = 0; i < l->nnodes; i++) {
        const struct lattice_node *node = &l->nodes[i];

        if (bare || (node->intent != 0 && node->extent != 0))
            r[n++] = (struct ranked_concept){node->intent, node->extent, (uint32_t)i};
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
    return (uint32_t)kept;
}

/* ---- building ---- */

/* One concept on the way down. */
struct frame {
    uint64_t intent;
    const uint64_t *rows; /* of its extent */
    uint32_t nrows;
    uint64_t children;                          /* canonical attributes, not followed yet */
    uint32_t count[LIMIT_LATTICE_ATTRIBUTES];   /* objects of E that have j */
    uint64_t closure[LIMIT_LATTICE_ATTRIBUTES]; /* what they have in common */
};

/* Intents grow on the way down, and no row with objects has more than its attributes. */
#define FRAMES (LIMIT_LATTICE_ROW + 2)

struct down {
    uint64_t below; /* intent of the lower end */
    uint32_t above; /* number of the upper one */
};

struct builder {
    struct lattice *l;
    struct frame *stack; /* FRAMES of them */
    uint64_t *rows;      /* a list of rows for each frame */
    struct down *edges;
    size_t nedges, edges_cap;
    struct concept *found; /* in the order they are met */
    size_t nfound, found_cap;
    uint32_t min_extent; /* at least 1 */
    bool wants_bottom;   /* a complete lattice was requested */
};

static void add_edge(struct builder *b, uint32_t above, uint64_t below)
{
    MEM_GROW(b->edges, b->nedges, &b->edges_cap);
    b->edges[b->nedges++] = (struct down){below, above};
}

/* Counts and closures of all attributes that objects of the frame have outside its
 * intent; returns these attributes. */
static uint64_t deliver(struct frame *f)
{
    uint64_t seen = 0;

    for (uint32_t i = 0; i < f->nrows; i++) {
        uint64_t row = f->rows[i];

        for (uint64_t rest = row & ~f->intent; rest; rest &= rest - 1) {
            unsigned j = bits_first(rest);

            if (seen >> j & 1) {
                f->count[j]++;
                f->closure[j] &= row;
            } else {
                seen |= UINT64_C(1) << j;
                f->count[j] = 1;
                f->closure[j] = row;
            }
        }
    }
    return seen;
}

/* Has every attribute that the closure of j adds the count of j? */
static bool is_next_below(const struct frame *f, unsigned j)
{
    for (uint64_t rest = f->closure[j] & ~f->intent; rest; rest &= rest - 1) {
        if (f->count[bits_first(rest)] != f->count[j])
            return false;
    }
    return true;
}

/* Records the concept and its lower neighbours; `from` is the first attribute that
 * may lead down from here. */
static void visit(struct builder *b, struct frame *f, unsigned from)
{
    uint32_t number = (uint32_t)b->nfound;
    uint64_t seen = deliver(f);

    MEM_GROW(b->found, b->nfound, &b->found_cap);
    b->found[b->nfound++] = (struct concept){f->intent, f->nrows};
    f->children = 0;
    for (uint64_t rest = seen; rest; rest &= rest - 1) {
        unsigned j = bits_first(rest);
        uint64_t bit = UINT64_C(1) << j, added = f->closure[j] & ~f->intent;

        if (f->count[j] < b->min_extent || bits_first(added) != j)
            continue; /* its lowest attribute represents the closure, here and below */
        if (j >= from)
            f->children |= bit;
        if (is_next_below(f, j))
            add_edge(b, number, f->closure[j]);
    }
    if (seen == 0 && b->wants_bottom && f->intent != b->l->all)
        add_edge(b, number, b->l->all);
}

/* The concept below `f` by its attribute j. */
static void descend(struct builder *b, const struct frame *f, unsigned j)
{
    struct frame *g = &b->stack[f - b->stack + 1];
    uint64_t *rows = b->rows + (size_t)(g - b->stack) * b->l->nrows;
    uint32_t n = 0;

    assert(g < b->stack + FRAMES);
    for (uint32_t i = 0; i < f->nrows; i++) {
        rows[n] = f->rows[i];
        n += (uint32_t)(f->rows[i] >> j & 1);
    }
    g->rows = rows;
    g->nrows = n;
    g->intent = f->closure[j];
    visit(b, g, j + 1);
}

/* Returns false if there are too many. */
static bool find_all(struct builder *b)
{
    struct frame *top = b->stack;
    size_t depth = 1; /* frames in use */

    b->nfound = b->nedges = 0;
    top->rows = b->l->rows;
    top->nrows = (uint32_t)b->l->nrows;
    if (top->nrows < b->min_extent)
        return true;
    top->intent = b->l->all;
    for (uint32_t i = 0; i < top->nrows; i++)
        top->intent &= top->rows[i];
    visit(b, top, 0);
    while (depth > 0) {
        struct frame *f = &b->stack[depth - 1];

        if (f->children == 0) {
            depth--;
            continue;
        }
        if (b->nfound + b->wants_bottom >= LIMIT_LATTICE_CONCEPTS)
            return false;
        descend(b, f, bits_first(f->children));
        f->children &= f->children - 1;
        depth++;
    }
    return true;
}

/* Numbers the nodes: largest extents first, otherwise in the order of discovery;
 * ret_at: old number -> new. */
static void number_nodes(struct builder *b, uint32_t *ret_at)
{
    struct lattice *l = b->l;
    LOCAL_HEAP uint32_t *start = mem_zero(l->nrows + 2, sizeof *start);

    for (size_t i = 0; i < b->nfound; i++)
        start[b->found[i].extent]++;
    for (size_t e = l->nrows, sum = 0; e != SIZE_MAX; e--) {
        uint32_t here = start[e];

        start[e] = (uint32_t)sum;
        sum += here;
    }
    l->nodes = mem_resize(l->nodes, b->nfound + 1, sizeof *l->nodes);
    l->nodes_cap = b->nfound + 1;
    l->nnodes = b->nfound;
    for (size_t i = 0; i < b->nfound; i++) {
        uint32_t at = start[b->found[i].extent]++;

        ret_at[i] = at;
        l->nodes[at] = (struct lattice_node){
            .intent = b->found[i].intent, .extent = b->found[i].extent, .up = LATTICE_NONE};
        map_set(&l->by_intent, hash_u64(b->found[i].intent), at);
    }
}

static void add_node(struct lattice *l, uint64_t intent, uint32_t extent)
{
    MEM_GROW(l->nodes, l->nnodes, &l->nodes_cap);
    map_set(&l->by_intent, hash_u64(intent), (uint32_t)l->nnodes);
    l->nodes[l->nnodes++] =
        (struct lattice_node){.intent = intent, .extent = extent, .up = LATTICE_NONE};
}

static void link_up(struct lattice *l, uint32_t from, uint32_t to)
{
    MEM_GROW(l->edges, l->nedges, &l->edges_cap);
    l->edges[l->nedges] = (struct lattice_edge){to, l->nodes[from].up};
    l->nodes[from].up = (uint32_t)l->nedges++;
}

static void make_diagram(struct builder *b)
{
    struct lattice *l = b->l;
    LOCAL_HEAP uint32_t *at = mem_alloc((b->nfound + 1) * sizeof *at);

    forget(l);
    number_nodes(b, at);
    if (b->wants_bottom && lattice_find(l, l->all) == LATTICE_NONE)
        add_node(l, l->all, 0);
    for (size_t i = 0; i < b->nedges; i++)
        link_up(l, lattice_find(l, b->edges[i].below), at[b->edges[i].above]);
}

void lattice_build(struct lattice *l, uint32_t min_extent)
{
    struct builder b = {.l = l, .min_extent = min_extent ? min_extent : 1};

    b.wants_bottom = min_extent == 0;
    b.stack = mem_zero(FRAMES, sizeof *b.stack);
    b.rows = mem_alloc(FRAMES * (l->nrows + 1) * sizeof *b.rows);
    while (!find_all(&b)) {
        b.wants_bottom = false;
        b.min_extent += 1 + b.min_extent / 2;
    }
    make_diagram(&b);
    l->is_complete = b.wants_bottom;
    l->min_extent = b.wants_bottom ? 0 : b.min_extent;
    free(b.stack);
    free(b.rows);
    free(b.edges);
    free(b.found);
}
