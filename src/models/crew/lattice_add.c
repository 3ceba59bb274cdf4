/* lattice_add.c - one more object in a complete lattice: AddIntent.
 * SPDX-License-Identifier: MIT
 *
 * van der Merwe, Obiedkov, Kourie: AddIntent, a new incremental algorithm for
 * constructing concept lattices (2004). To make a concept with intent I:
 *
 *     its generator G is the highest concept whose intent contains I
 *     each concept above G gives a candidate: itself where its intent lies in I, else
 *     the concept of what it shares with I, which is made first, in the same way
 *     the lowest candidates become the parents of I, and G moves below it
 *
 * What is shared is smaller every time, so a row of 8 attributes nests 9 deep: a stack
 * of that many frames, no recursion. Two short cuts: an intent that exists is found
 * by its hash, without a climb; and the extents are counted at the end, once. */
#include "models/crew/lattice_int.h"

#include "base/limits.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

/* A concept being made. */
struct making {
    uint64_t intent;
    uint32_t generator;
    uint32_t edge;     /* up from the generator: the next candidate */
    uint32_t *parents; /* the lowest candidates so far */
    size_t nparents, cap;
};

#define DEPTH (LIMIT_LATTICE_ROW + 2)

/* The highest concept at or above `i` whose intent contains `intent`. */
static uint32_t climb(const struct lattice *l, uint32_t i, uint64_t intent)
{
    uint32_t e = l->nodes[i].up;

    while (e != LATTICE_NONE) {
        uint32_t above = l->edges[e].to;

        if (intent & ~l->nodes[above].intent) {
            e = l->edges[e].next;
        } else {
            i = above;
            e = l->nodes[i].up;
        }
    }
    return i;
}

static void begin(const struct lattice *l, struct making *m, uint64_t intent, uint32_t from)
{
    m->intent = intent;
    m->generator = climb(l, from, intent);
    m->edge = l->nodes[m->generator].up;
    m->nparents = 0;
}

/* Keeps the candidate unless one below it is kept; drops those above it. */
static void offer(const struct lattice *l, struct making *m, uint32_t candidate)
{
    uint64_t intent = l->nodes[candidate].intent;
    size_t kept = 0;

    for (size_t i = 0; i < m->nparents; i++) {
        uint64_t other = l->nodes[m->parents[i]].intent;

        if ((intent & ~other) == 0)
            return; /* nothing was dropped: two kept ones are never above each other */
        if (other & ~intent)
            m->parents[kept++] = m->parents[i];
    }
    m->nparents = kept;
    MEM_GROW(m->parents, m->nparents, &m->cap);
    m->parents[m->nparents++] = candidate;
}

static uint32_t finish(struct lattice *l, struct making *m)
{
    uint32_t made = lattice_new_node(l, m->intent, l->nodes[m->generator].extent);

    for (size_t i = 0; i < m->nparents; i++) {
        lattice_unlink(l, m->generator, m->parents[i]);
        lattice_link(l, made, m->parents[i]);
    }
    lattice_link(l, m->generator, made);
    return made;
}

/* The concept with this intent, made where there is none. */
static uint32_t add_intent(struct lattice *l, uint64_t row, struct making stack[DEPTH])
{
    struct making *m = stack;
    uint32_t made = lattice_find(l, row);

    if (made != LATTICE_NONE)
        return made;
    begin(l, m, row, lattice_find(l, l->all));
    for (;;) {
        uint32_t candidate, shared;
        uint64_t intent;

        if (m->edge == LATTICE_NONE) {
            made = finish(l, m);
            if (m == stack)
                return made;
            m--;
            offer(l, m, made);
            continue;
        }
        candidate = l->edges[m->edge].to;
        m->edge = l->edges[m->edge].next;
        intent = l->nodes[candidate].intent & m->intent;
        shared = lattice_find(l, intent);
        if (shared != LATTICE_NONE) {
            offer(l, m, shared);
        } else {
            m++;
            assert(m < stack + DEPTH);
            begin(l, m, intent, candidate);
        }
    }
}

/* One more object for `i` and all above it. */
static void count_object(struct lattice *l, uint32_t i)
{
    uint32_t *queue = NULL;
    size_t n = 0, cap = 0;

    l->marks++;
    MEM_GROW(queue, n, &cap);
    queue[n++] = i;
    l->nodes[i].mark = l->marks;
    while (n > 0) {
        struct lattice_node *node = &l->nodes[queue[--n]];

        node->extent++;
        for (uint32_t e = node->up; e != LATTICE_NONE; e = l->edges[e].next) {
            uint32_t above = l->edges[e].to;

            if (l->nodes[above].mark == l->marks)
                continue;
            l->nodes[above].mark = l->marks;
            MEM_GROW(queue, n, &cap);
            queue[n++] = above;
        }
    }
    free(queue);
}

enum status lattice_add(struct lattice *l, uint32_t object, uint64_t row)
{
    struct making stack[DEPTH] = {0};
    enum status st = lattice_check_row(l, row);

    if (st != ST_OK)
        return st;
    if (!l->is_complete)
        return status_fail(ST_REFUSED, "only a complete lattice takes one more object");
    count_object(l, add_intent(l, row, stack));
    lattice_append(l, object, row);
    for (size_t i = 0; i < DEPTH; i++)
        free(stack[i].parents);
    if (l->nnodes > LIMIT_LATTICE_CONCEPTS)
        lattice_build(l, 2);
    return ST_OK;
}
