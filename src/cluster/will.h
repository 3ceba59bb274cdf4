/* will.h - the agents of a node, written down for the other nodes in case this one is gone.
 *
 * A node whose agents travel repeatedly writes all of them to the bus: their state at one of its
 * checkpoints, with the batches of departing agents that have not arrived yet. That is its
 * will. It is written in chunks, alternately under two sets of keys, and is valid when the node's
 * lease names it. So the last lease that a node wrote itself says which agents it had, and which
 * batches of other nodes are in its will (receipts.h): nobody but this node, or its heirs, has these
 * agents.
 *
 *     checkpoint -> chunks -> lease names them -> next lease is there -> agents may leave and enter
 *
 * When a node is gone, another one inherits from it (heirs.c): the agents go to the logs of the
 * partitions where they were, and the batches to their addressees. Two heirs write the same
 * messages, with the same numbers, so that readers take one of each.
 *
 * Bytes come from other machines: will_check() checks a whole chunk before anything is used.
 * Strings point into the bytes.
 */
#pragma once

#include "base/buf.h"
#include "base/fields.h"
#include "base/status.h"

/* Identifies a will. */
struct will_name {
    uint64_t run, number; /* of the process that wrote it; counted over all of them */
    uint64_t chunks;      /* 0: there is no will */
};

extern const struct field will_name_fields[];

struct will_head {
    uint64_t node, run, number;
    uint32_t index; /* of the chunk */
    uint32_t count; /* its number of items */
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
    bool is_here;   /* it lives at the node; else it has arrived but does not live there yet */
    struct str url; /* where it is or where it goes, and the depth of that URL */
    uint16_t depth;
};

void will_begin(struct buf *out, const struct will_head *head);
void will_put(struct buf *out, const struct will_item *item);

/* ST_INVALID unless it is a complete chunk within all ceilings. */
enum status will_check(struct str bytes, struct will_head *ret) MUST_USE;

/* Begins to read the items of a chunk that was checked: `from` has its bytes. */
void will_open(struct cursor *from);
void will_next(struct cursor *from, struct will_item *ret);
