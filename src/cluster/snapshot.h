/* snapshot.h - a summary of the log of a partition, up to one of its messages.
 *
 * A snapshot is a function of the log (fold.h makes it). It has all URLs, with their best link or
 * with what became of them and who said so; waits of hosts; and which batches of each node came.
 * Whoever reads it and then the messages behind `upto` knows what the whole log says, except
 * agents: `upto` is chosen so that those before it live somewhere.
 *
 * It is written in chunks, and then a mark with their number and their digest, to a subject beside
 * the log. Whatever has no mark, lacks a chunk or does not match the digest is no snapshot, and is
 * not looked at: a writer may die at any moment, and write again.
 *
 * Bytes come from other machines: each chunk is checked as a whole, and a snapshot counts only when
 * all of its chunks are there.
 */
#pragma once

#include "cluster/batch.h"

struct snapshot_head {
    bool is_mark;
    uint64_t id;     /* no two snapshots have the same */
    uint64_t upto;   /* the last message of the log that is in it */
    uint64_t before; /* the mark of the snapshot that it was made from; 0: none */
    uint32_t index;  /* of the chunk; of a mark: how many there are */
    uint32_t count;  /* items of the chunk */
    uint64_t digest; /* of a mark */
};

/* Is it a chunk or a mark, whole and within all ceilings? ST_INVALID otherwise. */
enum status snapshot_check(struct str bytes, struct snapshot_head *ret) MUST_USE;

/* Does a chunk or mark that is message `number` speak only of messages before it? One that claims the
 * future would hide what the log says. */
bool snapshot_is_of_past(const struct snapshot_head *head, uint64_t number);

/* The items of a chunk that was checked; batch_next() follows. */
void snapshot_open(struct cursor *from);

/* The beginning of a chunk, and a mark. */
void snapshot_begin(struct buf *out, const struct snapshot_head *head);

/* The digest of one chunk after the other; 0 before the first. */
uint64_t snapshot_digest(uint64_t before, struct str chunk);

/* ---- those that are on the bus ---- */

struct snapshot {
    uint64_t id, upto;
    uint64_t mark;      /* the number of its mark; 0: it is not whole */
    struct str *chunks; /* owned; those that did not come are empty */
    size_t count, cap;
};

#define SHELF_MOST 4 /* snapshots that are written at the same time, or were */

struct shelf {
    struct snapshot snapshots[SHELF_MOST];
    size_t count;
};

void shelf_clear(struct shelf *s);
/* A message and its number, in the order of the bus. What is broken is left out. */
void shelf_take(struct shelf *s, uint64_t number, struct str bytes);
/* The newest that is whole; NULL: there is none. Lent. */
const struct snapshot *shelf_best(const struct shelf *s);
