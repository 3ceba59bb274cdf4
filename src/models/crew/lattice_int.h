/* lattice_int.h - the inside of a lattice, for its parts. */
#pragma once

#include "base/map.h"
#include "models/crew/lattice.h"

struct lattice_node {
    uint64_t intent;
    uint32_t extent; /* objects */
    uint32_t up;     /* its first edge, or LATTICE_NONE */
    uint32_t mark;   /* of the last row whose object it got (lattice_add.c) */
};

/* Edges of one node are a list: AddIntent moves them one by one. */
struct lattice_edge {
    uint32_t to;   /* the node above */
    uint32_t next; /* of the same node, or of the list of free ones */
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
    uint32_t free_edge; /* first of the list of free edges */
    uint32_t used_edges;
    struct map by_intent; /* hash of an intent -> its node */
    uint32_t min_extent;
    uint32_t marks; /* given so far */
    bool is_complete;
};

/* Appends a row; the checks are done. */
void lattice_append(struct lattice *l, uint32_t object, uint64_t row);
/* ST_OK: this row may be appended. */
enum status lattice_check_row(const struct lattice *l, uint64_t row) MUST_USE;

void lattice_forget(struct lattice *l); /* the concepts, not the rows */
uint32_t lattice_new_node(struct lattice *l, uint64_t intent, uint32_t extent);
void lattice_link(struct lattice *l, uint32_t from, uint32_t to);
void lattice_unlink(struct lattice *l, uint32_t from, uint32_t to); /* there may be none */

static inline unsigned bits_count(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

/* The lowest element of a set that is not empty. */
static inline unsigned bits_first(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}
