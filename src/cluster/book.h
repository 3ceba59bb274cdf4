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
 * Agents move between nodes and keep their numbers, so those are given out here, too: each node
 * gets BOOK_LOT of them at a time. `taken` says whose an agent is that went to a partition which
 * changed hands: those in messages up to it live at an earlier owner, the others are the new
 * owner's (crawl/node/travel.h).
 *
 * Pages are granted in lots: the sum of all grants never exceeds the limit, and a node never
 * stores more than it was granted. What a node does not need it gives back.
 */
#pragma once

#include "base/buf.h"
#include "cluster/partition.h"
#include "cluster/will.h"

/* Stored: new ones go to the end. */
enum book_end { BOOK_RUNNING, BOOK_COMPLETE, BOOK_PAGES, BOOK_TIME, BOOK_STOPPED, BOOK_ENDS };

/* What becomes of the agents of a node that is gone (will.h). */
enum book_estate {
    ESTATE_NONE,    /* they are its own */
    ESTATE_OPEN,    /* others are to have them */
    ESTATE_SETTLED, /* all of them are in the logs */
    ESTATES
};

struct book_node {
    uint64_t id;      /* of its directory, never 0 */
    uint64_t granted; /* pages it may store in all; of one that is gone: those that it had stored */
    bool alive;
    enum book_estate estate;
    struct will_name will; /* of which `estate` speaks */
    uint64_t heir;         /* the node that sends them to the logs; 0: nobody has begun */
    uint64_t settled;      /* the last message of the stream when that was done */
};

struct book_part {
    uint64_t owner; /* a node's id; 0: nobody */
    uint64_t token; /* changes of owner so far */
    uint64_t taken; /* of its log: what owners before this one have committed */
};

#define BOOK_CHANGES 16

struct book {
    enum book_end end;
    uint64_t limit;   /* pages of all nodes; 0: any number */
    uint32_t numbers; /* of agents, given out so far */
    uint64_t
        changes[BOOK_CHANGES]; /* numbers of the last ones, newest first: none is like another */
    uint64_t rollbacks;        /* how often a node found that the stream had lost messages … */
    uint64_t rolled_to;        /* … the last time: all behind this one */
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
/* The place of the node with this id, which it keeps for ever; SIZE_MAX: it never joined. */
size_t book_place(const struct book *b, const char *hex);
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

/* It gives one back, with all of its log taken in up to a message. */
void book_give(struct book *b, uint64_t id, uint32_t part, uint64_t taken);

/* It left, or its lease ran out: its partitions are free, and of the pages granted to it only
 * those count that it stored. `taken`: PARTITIONS of them, as for book_give(). */
void book_leave(struct book *b, uint64_t id, uint64_t stored, const uint64_t *taken);

/* The first of BOOK_LOT numbers for agents; 0: there are none left. */
#define BOOK_LOT 1000
uint32_t book_number(struct book *b);

/* Before it is written: it gets the number of this change. Does a book, as it was read later, follow
 * from that? */
void book_stamp(struct book *b, uint64_t change);
bool book_follows(const struct book *b, uint64_t change);

/* The stream has lost what was behind message `end`: numbers of messages mean others now. */
void book_roll_back(struct book *b, uint64_t end);

/* Pages that nobody was granted yet; UINT64_MAX without a limit. */
uint64_t book_left(const struct book *b);

/* A node that is gone leaves its agents to others: the node `heir` sends them to the logs. */
void book_bequeath(struct book *b, uint64_t id, struct will_name will, uint64_t heir);
/* Returns a node whose agents wait for an heir that is there, and makes `id` the heir. NULL: there
 * is none. Lent. */
const struct book_node *book_inherit(struct book *b, uint64_t id);
/* All of them are in the logs, of which this is the last message. */
void book_settle(struct book *b, uint64_t id, struct will_name will, uint64_t end);
bool book_has_estates(const struct book *b); /* some wait for that */

/* More pages for a node: a part of what is left. Returns how many. */
uint64_t book_grant(struct book *b, uint64_t id);

/* A node needs no more pages than it has stored. True: something changed. */
bool book_return(struct book *b, uint64_t id, uint64_t stored);
