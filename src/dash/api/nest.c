/* nest.c - trees as nested JSON. See nest.h. SPDX-License-Identifier: MIT */
#include "dash/api/nest.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>

void nest_init(struct nest *n)
{
    *n = (struct nest){.first = NEST_NONE, .last = NEST_NONE};
    arena_init(&n->strings, LIMIT_DASH_ANSWER);
}

void nest_clear(struct nest *n)
{
    free(n->nodes);
    arena_free(&n->strings);
}

void nest_add(struct nest *n, uint32_t parent, uint32_t id, struct str object)
{
    uint32_t place = (uint32_t)n->count, *last;

    MEM_GROW(n->nodes, n->count, &n->cap);
    n->nodes[n->count++] = (struct nest_node){
        .id = id,
        .parent = parent,
        .first = NEST_NONE,
        .last = NEST_NONE,
        .next = NEST_NONE,
        .depth = parent == NEST_NONE ? 0 : n->nodes[parent].depth + 1,
        .object = arena_str(&n->strings, object),
    };
    last = parent == NEST_NONE ? &n->last : &n->nodes[parent].last;
    if (*last != NEST_NONE)
        n->nodes[*last].next = place;
    else if (parent == NEST_NONE)
        n->first = place;
    else
        n->nodes[parent].first = place;
    *last = place;
}

static void write_end(const struct nest_node *node, struct buf *out)
{
    buf_addf(out, "],\"more\":%llu}", (unsigned long long)node->more);
}

void nest_write(const struct nest *n, struct buf *out)
{
    uint32_t at = n->first;

    buf_add_char(out, '[');
    while (at != NEST_NONE) {
        const struct nest_node *node = &n->nodes[at];

        buf_add(out, node->object.ptr, node->object.len ? node->object.len - 1 : 0);
        buf_add_z(out, node->object.len > 2 ? ",\"children\":[" : "\"children\":[");
        if (node->first != NEST_NONE) {
            at = node->first;
            continue;
        }
        for (;; node = &n->nodes[at]) {
            write_end(node, out);
            if (node->next != NEST_NONE || node->parent == NEST_NONE)
                break;
            at = node->parent;
        }
        at = node->next;
        if (at != NEST_NONE)
            buf_add_char(out, ',');
    }
    buf_add_char(out, ']');
}
