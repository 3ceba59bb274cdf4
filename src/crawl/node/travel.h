/* travel.h - agents on their way between nodes. Inside crawl/node/ only.
 *
 *     home                        the log of partition P                 the owner of P
 *     travelling  -- batch 5, committed -->  a message  -- read -->  guest
 *                                                                    committed: checkpoint
 *                                                                    its will has the agent, and
 *                                                                    a receipt of our batch 5
 *                                                                    its lease names that will
 *     forgotten   <-- that receipt -------------------------------->  alive
 *
 * At home the agent is no longer alive when its batch is committed. The batch is sent when the will
 * of that checkpoint, which has the batch instead of the agent, is confirmed (cluster/will.h). The
 * batch is kept, sent again, and part of every will, until the will of another node has a receipt
 * for it (cluster/receipts.h). There the agent is a guest, which does nothing, until that will is
 * confirmed. A lease is written only if nobody has overwritten it (compare and set). So if two
 * nodes both believe that they own P, only one of them can make a guest alive: a node that takes
 * over P finds the receipts of the previous owners, and takes in the agents of all other batches.
 *
 * So every agent is at any time in exactly one of the wills that count, as itself or in a batch. No
 * position of a message plays a part in this: the servers may lose the last messages of the logs,
 * and give their positions to others.
 *
 * Limit: if the servers lose the newest keys, nodes write them again (cluster/keys.c). If a node
 * that alone knew some of them is gone by then, an agent may be on two nodes, or on none.
 */
#pragma once

#include "cluster/batch.h"
#include "cluster/cluster.h"
#include "crawl/crawl.h"

/* An agent that left, until another node has it. */
struct traveller {
    uint32_t agent, part;
    uint64_t number;  /* of its batch; 0: none yet … */
    struct str bytes; /* … but this: URL, depth, agent; owned */
};

/* An agent that has arrived, until it may live. */
struct guest {
    uint32_t part;
    uint64_t sender, number; /* of its batch … */
    uint64_t position;       /* … and of the message */
    uint64_t will;           /* the first one of this process that has it; 0: none yet */
    bool ours;               /* it is ours, even if another node owns the partition now */
    struct str bytes;        /* URL, depth, agent; owned */
};

struct travel {
    struct traveller *away;
    size_t naway, away_cap;
    struct guest *guests;
    size_t nguests, guests_cap;
    uint64_t lots;                                /* of numbers that were taken */
    uint64_t safe[PARTITIONS], saved[PARTITIONS]; /* committed positions; those that will be … */
    uint64_t saved_in; /* … with this checkpoint; 0: no checkpoint is awaited */
    int64_t exchanged_at, revived_at;
    uint64_t revived_pages;    /* stored at revived_at */
    bool links_wait;           /* for an agent: see revive() */
    struct cluster_will *will; /* of a checkpoint that is not committed yet */
    uint64_t wills;            /* made by this process */
    uint32_t left_out;         /* of the last one, because there was no room … */
    size_t left_out_receipts;  /* … and receipts */
    int64_t willed_at;         /* when the last one was made */
    bool owed;                 /* an agent has left since */
    bool returns;              /* will_return() is to be called */
    struct will_name settled;  /* our last will that others have carried out */
};

void travel_clear(struct travel *t);

/* Takes an agent for us from a batch; `in` says from which. */
void travel_take(struct crawl *c, const struct guest *in, const struct batch_item *item);
/* Called once a turn: finds which agents have arrived and which may live, asks for numbers, and
 * reads the figures of other nodes. `idle`: there is no other work. */
void travel_turn(struct crawl *c, bool idle);
/* Does any of this have to be committed soon? */
bool travel_waits(const struct crawl *c);
bool travel_is_over(const struct crawl *c); /* is no agent on its way or about to be born? */
bool travel_needs_batch(const struct crawl *c, uint32_t part, uint64_t number);
bool travel_has_guests(const struct crawl *c, uint32_t part);

/* travel_mark() is called right before a checkpoint: it notes the positions that the checkpoint
 * commits (returns false if an earlier one is not committed yet) and makes batches of the agents
 * that left. The other function is called after a rollback of the stream to its message `end`. */
bool travel_mark(struct crawl *c);
/* Between the two: an agent of a model without places may set out (model_moves.settles). */
void travel_settle(struct crawl *c);
void travel_send(struct crawl *c);
void travel_rollback(struct crawl *c, uint64_t end);

/* travel_commit() notes what a checkpoint has committed; the other function takes numbers for
 * agents. travel_turn() does both. */
void travel_commit(struct crawl *c);
void travel_numbers(struct crawl *c);

/* Called after joining: drops guests that now belong to another node. */
void travel_join(struct crawl *c);
void travel_drop_guests(struct travel *t);
void travel_report(const struct crawl *c, struct cluster_report *say);

void travel_save(const struct crawl *c, struct buf *out);
/* Returns false if it is damaged. */
bool travel_load(struct crawl *c, struct cursor *from, uint8_t version); /* of the node's state */
