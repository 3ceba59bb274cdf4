/* snapshot.h - a summary of the log of a partition, up to one of its messages.
 *
 * A snapshot is a function of the log (fold.h makes it). It has all URLs, with their best link, or
 * with their outcome and the node that reported it; the pauses of hosts; and which batches of each
 * node arrived. A node that reads it and then the messages after `upto` knows what the whole log
 * says, except for agents: `upto` is chosen so that all agents before it have been taken in by a
 * node.
 *
 * It is written in chunks, and then a mark with their number and their digest, to a subject beside
 * the log. Chunks without a mark, with a chunk missing or with another digest are not a snapshot
 * and are ignored, because a writer may die at any moment and start again.
 *
 * Bytes come from other machines: each chunk is checked as a whole, and a snapshot counts only when
 * it has all of its chunks.
 */
#pragma once

#include "cluster/batch.h"

struct snapshot_head {
    bool is_mark;
    uint64_t id;     /* unique */
    uint64_t upto;   /* the last message of the log that is in it */
    uint64_t before; /* the mark of the snapshot that it was made from; 0: none */
    uint32_t index;  /* of the chunk; in a mark: the number of chunks */
    uint32_t count;  /* items of the chunk */
    uint64_t digest; /* of a mark */
};

/* ST_INVALID unless it is a complete chunk or mark within all ceilings. */
enum status snapshot_check(struct str bytes, struct snapshot_head *ret) MUST_USE;

/* Does a chunk or mark that is message `number` cover only messages before it? One that claimed to
 * cover later messages would hide them. */
bool snapshot_is_of_past(const struct snapshot_head *head, uint64_t number);

/* Begins to read the items of a chunk that was checked; batch_next() follows. */
void snapshot_open(struct cursor *from);

/* These append the beginning of a chunk, and a mark. */
void snapshot_begin(struct buf *out, const struct snapshot_head *head);

/* Returns the digest with one more chunk; `before` is 0 for the first. */
uint64_t snapshot_digest(uint64_t before, struct str chunk);

/* ---- snapshots on the bus ---- */

struct snapshot {
    uint64_t id, upto;
    uint64_t mark;      /* the number of its mark; 0: it is incomplete */
    struct str *chunks; /* owned; missing ones are empty */
    size_t count, cap;
};

#define SHELF_MOST 4 /* snapshots that are written at the same time, or were */

struct snapshot_shelf {
    struct snapshot snapshots[SHELF_MOST];
    size_t count;
};

void snapshot_shelf_clear(struct snapshot_shelf *s);
/* Adds a message with its number, in the order of the bus. Broken ones are left out. */
void snapshot_shelf_take(struct snapshot_shelf *s, uint64_t number, struct str bytes);
/* Returns the newest complete snapshot, lent; NULL if there is none. */
const struct snapshot *snapshot_shelf_best(const struct snapshot_shelf *s);
