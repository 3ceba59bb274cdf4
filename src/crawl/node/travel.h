/* travel.h - agents on their way between nodes. Inside crawl/node/ only.
 *
 *     home                          the log of partition P                    the owner of P
 *     travelling  -- a batch, committed -->  message 17  -- read -->  guest
 *                                                                     committed: checkpoint
 *                                                                     its lease says: P up to 17
 *     forgotten   <-- that lease ---------------------------------->  alive
 *
 * At home the agent is no longer alive when its batch is committed. It is sent when the will of that
 * checkpoint stands (cluster/will.h), which has the batch instead of the agent; it is kept, and
 * sent again, until a lease says that the owner of P has committed it. There it is a guest, which
 * does nothing, until that same lease is written. A lease is written only if nobody has overwritten
 * it (compare and set), so of two nodes that both believe to own P only one can ever make a guest
 * alive: whoever takes P over finds in the book how far the owner before had come
 * (book_part.taken), and takes in those behind. So a lost message kills no agent, and a repeated
 * one, or a change of owners at any moment, doubles none.
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
    uint64_t number;  /* of its batch; 0: it has none yet … */
    struct str bytes; /* … but this: URL, depth, agent; owned */
    uint64_t at;      /* the log has it up to this message; 0: not yet */
};

/* An agent that came, until it may live. */
struct guest {
    uint32_t part;
    uint64_t position; /* of its message */
    bool ours;         /* it is, whoever owns the partition now */
    struct str bytes;  /* URL, depth, agent; owned */
};

struct travel {
    struct traveller *away;
    size_t naway, away_cap;
    struct guest *guests;
    size_t nguests, guests_cap;
    uint64_t lots;                                /* of numbers that were taken */
    uint64_t safe[PARTITIONS], saved[PARTITIONS]; /* positions that are committed; that will be … */
    uint64_t saved_in; /* … with this checkpoint; 0: no checkpoint is awaited */
    int64_t exchanged_at, revived_at;
    uint64_t revived_pages;      /* stored at revived_at */
    bool links_wait;             /* for an agent: see revive() */
    struct cluster_will *will;   /* of a checkpoint that is not committed yet */
    uint64_t wills;              /* made by this process */
    uint64_t willed[PARTITIONS]; /* of each log: those who came up to there are in the last one … */
    int64_t willed_at;           /* … which was made then */
    bool owed;                   /* somebody left since */
    bool returns;                /* will_return() is to be called */
    struct will_name settled;    /* the last one of ours that others have carried out */
};

void travel_clear(struct travel *t);

/* A batch has an agent for us. */
void travel_take(struct crawl *c, uint32_t part, uint64_t position, const struct batch_item *item);
/* Once a turn: who has arrived, who may live; numbers; what other nodes said. `idle`: there is
 * nothing else to do. */
void travel_turn(struct crawl *c, bool idle);
/* Some of it must soon be committed. */
bool travel_waits(const struct crawl *c);
bool travel_is_over(const struct crawl *c); /* nobody is on the way, or about to be born */
bool travel_needs_batch(const struct crawl *c, uint32_t part, uint64_t number);
bool travel_has_guests(const struct crawl *c, uint32_t part);

/* Right before a checkpoint: the positions that it commits (false: an earlier one is not committed
 * yet), and batches of those who left; and after a rollback of the stream to its message `end`. */
bool travel_mark(struct crawl *c);
void travel_send(struct crawl *c);
void travel_rollback(struct crawl *c, uint64_t end);

/* What a checkpoint has committed is noticed; numbers for agents are taken. travel_turn() does
 * both. */
void travel_commit(struct crawl *c);
void travel_numbers(struct crawl *c);

/* After joining: guests that are not ours any more are another node's. */
void travel_join(struct crawl *c);
void travel_drop_guests(struct travel *t);
void travel_report(const struct crawl *c, struct cluster_report *say);

void travel_save(const struct crawl *c, struct buf *out);
/* False: it is damaged. */
bool travel_load(struct crawl *c, struct cursor *from, bool has_wills);
