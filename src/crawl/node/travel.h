/* travel.h - agents on their way between nodes. Inside crawl/node/ only.
 *
 *     home                          the log of partition P                    the owner of P
 *     travelling  -- a batch, committed -->  message 17  -- read -->  guest
 *                                                                     committed: checkpoint
 *                                                                     its lease says: P up to 17
 *     forgotten   <-- that lease ---------------------------------->  alive
 *
 * At home the agent is no longer alive when its batch is committed. The batch is sent when the will
 * of that checkpoint is confirmed (cluster/will.h), which has the batch instead of the agent; the
 * batch is kept, and sent again, until a lease says that the owner of P has committed it. There it
 * is a guest, which does nothing, until that same lease is written. A lease is written only if
 * nobody has overwritten it (compare and set), so if two nodes both believe that they own P, only
 * one of them can make a guest alive: a node that takes over P finds in the book how far the
 * previous owner had read (book_part.taken), and takes in the agents after that. So a lost message
 * kills no agent, and neither a repeated message nor a change of owners at any moment duplicates
 * one.
 *
 * Limit: that holds while the bus keeps what it acknowledged. If all servers lose a lease or the
 * book of the last minutes, an agent may be on two nodes.
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
    uint64_t at;      /* the log has it up to this message; 0: not yet */
};

/* An agent that has arrived, until it may live. */
struct guest {
    uint32_t part;
    uint64_t position; /* of its message */
    bool ours;         /* it is ours, even if another node owns the partition now */
    struct str bytes;  /* URL, depth, agent; owned */
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
    uint64_t revived_pages;      /* stored at revived_at */
    bool links_wait;             /* for an agent: see revive() */
    struct cluster_will *will;   /* of a checkpoint that is not committed yet */
    uint64_t wills;              /* made by this process */
    uint64_t willed[PARTITIONS]; /* of each log: agents up to here are in the last will … */
    int64_t willed_at;           /* … which was made then */
    bool owed;                   /* an agent has left since */
    bool returns;                /* will_return() is to be called */
    struct will_name settled;    /* our last will that others have carried out */
};

void travel_clear(struct travel *t);

/* Takes an agent for us from a batch. */
void travel_take(struct crawl *c, uint32_t part, uint64_t position, const struct batch_item *item);
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
bool travel_load(struct crawl *c, struct cursor *from, bool has_wills);
