/* will.h - the agents of a node, written down for the other nodes in case this one is gone.
 *
 * A node whose agents travel writes all of them to the bus again and again: as they are at one of
 * its checkpoints, with the batches that carry agents away and that the bus may not have yet. That is
 * its will. It is written in chunks, under two sets of keys in turns, and counts when the node's lease
 * names it. So the last lease that a node wrote itself says which agents it had, and which messages of
 * other nodes are in its will (lease.positions): nobody but this node, or its heirs, has these agents.
 *
 *     checkpoint -> chunks -> lease names them -> the next lease stands -> agents may leave and enter
 *
 * When a node is gone, another one inherits from it (heirs.c): the agents go to the logs of the
 * partitions where they were, and the batches to where they were addressed. Two heirs write the
 * same messages, with the same numbers, so that readers take one of each.
 *
 * Bytes come from other machines: will_check() looks at all of a chunk before anything is taken.
 * Strings are lent from the bytes.
 */
#pragma once

#include "base/buf.h"
#include "base/fields.h"
#include "base/status.h"

/* Which will. */
struct will_name {
    uint64_t run, number; /* of the process that wrote it; counted over all of them */
    uint64_t chunks;      /* 0: there is no will */
};

extern const struct field will_name_fields[];

struct will_head {
    uint64_t node, run, number;
    uint32_t index; /* of the chunk */
    uint32_t count; /* items of it */
    /* the books of the node at that checkpoint (agent/ledger.h), and how many agents that were */
    double left, came;
    uint64_t nleft, ncame;
};

/* An agent, or a batch with agents that may be on its way. */
struct will_item {
    bool is_batch;
    struct str bytes; /* the batch; or the agent, as in struct batch_item */
    uint32_t part;    /* of a batch */
    /* of an agent */
    uint32_t agent; /* its number */
    double energy;
    bool is_here;   /* it lives at the node; else it has arrived, and is about to live */
    struct str url; /* where it is, or goes, and its depth */
    uint16_t depth;
};

void will_begin(struct buf *out, const struct will_head *head);
void will_put(struct buf *out, const struct will_item *item);

/* Is it a whole chunk, and within all ceilings? ST_INVALID otherwise. */
enum status will_check(struct str bytes, struct will_head *ret) MUST_USE;

/* The items of a chunk that was checked: `from` begins with its bytes. */
void will_open(struct cursor *from);
void will_next(struct cursor *from, struct will_item *ret);
