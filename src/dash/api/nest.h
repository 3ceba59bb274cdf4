/* nest.h - trees as nested JSON, of bounded size and any depth.
 *
 * Nodes are added breadth first, so that the upper generations are complete even if not all nodes
 * fit. Each node comes with its own members as a finished JSON object; the nesting is done here,
 * without recursion, because a family may be deeper than base/json.h can nest. */
#pragma once

#include "base/arena.h"
#include "base/buf.h"

#define NEST_NONE UINT32_MAX

struct nest_node {
    uint32_t id;
    uint32_t parent, first, last, next; /* places in nodes; NEST_NONE: none */
    uint32_t depth;                     /* 0: at the top */
    uint64_t more;                      /* children that are not among the nodes */
    struct str object;                  /* "{…}" */
};

struct nest {
    struct nest_node *nodes;
    size_t count, cap;
    uint32_t first, last; /* at the top */
    uint64_t more;        /* nodes that are missing at the top */
    struct arena strings;
};

void nest_init(struct nest *n);
void nest_clear(struct nest *n);
/* Adds a node below `parent` (NEST_NONE: at the top); the object is copied. */
void nest_add(struct nest *n, uint32_t parent, uint32_t id, struct str object);
/* Appends the nodes at the top: "[{…,"children":[…],"more":N}, …]". */
void nest_write(const struct nest *n, struct buf *out);
