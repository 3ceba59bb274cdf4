/* book.h - who takes part in a crawl, who owns which partition, and who may fetch how many pages.
 *
 * All of it is one value under one key of the bus. A node reads it, makes a change and writes it
 * back if nobody has written it meanwhile (compare and set), so every state of the book follows
 * from the one before. The functions here are those changes; they know no bus and no clock.
 *
 * A partition that changes hands gets a new token. Links and outcomes need none: they are facts,
 * and repeats are harmless. The token says whether an owner may go on with what it has on disk
 * (it is the same as at its last checkpoint) or must read the partition's log again.
 *
 * Pages are granted in lots: the sum of all grants never exceeds the limit, and a node never
 * stores more than it was granted. What a node does not need it gives back.
 */
#pragma once

#include "base/buf.h"
#include "cluster/partition.h"

/* Stored: new ones go to the end. */
enum book_end { BOOK_RUNNING, BOOK_COMPLETE, BOOK_PAGES, BOOK_TIME, BOOK_STOPPED, BOOK_ENDS };

struct book_node {
    uint64_t id;      /* of its directory, never 0 */
    uint64_t granted; /* pages it may store in all; of one that is gone: those that it had stored */
    bool alive;
};

struct book_part {
    uint64_t owner; /* a node's id; 0: nobody */
    uint64_t token; /* changes of owner so far */
};

struct book {
    enum book_end end;
    uint64_t limit; /* pages of all nodes; 0: any number */
    struct book_node *nodes;
    size_t count, cap;
    struct book_part parts[PARTITIONS];
};

void book_init(struct book *b);
void book_clear(struct book *b);

void book_save(const struct book *b, struct buf *out);
/* Bytes from the bus; ST_INVALID leaves the book empty. */
enum status book_load(struct book *b, struct str bytes) MUST_USE;

/* NULL: it never joined. Lent until the next change. */
struct book_node *book_find(const struct book *b, uint64_t id);
size_t book_alive(const struct book *b);
size_t book_owned(const struct book *b, uint64_t id);
size_t book_free_parts(const struct book *b);

/* A fingerprint of the partitions that a node owns, and of their tokens. */
uint64_t book_print(const struct book *b, uint64_t id);

/* How many partitions each node should have, if there are `nodes` nodes or more. */
size_t book_share(const struct book *b, size_t nodes);

/* A node joins, for the first time, or again with the pages that it has stored. ST_LIMIT: there
 * are too many nodes. */
enum status book_join(struct book *b, uint64_t id, uint64_t stored) MUST_USE;

/* It takes free partitions up to its share. Returns how many. */
size_t book_take(struct book *b, uint64_t id, size_t nodes);

/* It gives one back. */
void book_give(struct book *b, uint64_t id, uint32_t part);

/* It left, or its lease ran out: its partitions are free, and of the pages granted to it only
 * those count that it stored. */
void book_leave(struct book *b, uint64_t id, uint64_t stored);

/* Pages that nobody was granted yet; UINT64_MAX without a limit. */
uint64_t book_left(const struct book *b);

/* More pages for a node: a part of what is left. Returns how many. */
uint64_t book_grant(struct book *b, uint64_t id);

/* A node needs no more pages than it has stored. True: something changed. */
bool book_return(struct book *b, uint64_t id, uint64_t stored);
