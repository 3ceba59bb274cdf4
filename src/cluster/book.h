/* book.h - which nodes take part in a crawl, which of them owns which partition, and how many pages
 * each may fetch.
 *
 * All of it is one value under one key of the bus. A node reads it, changes it, and writes it back
 * if no other node has written it meanwhile (compare and set), so every state of the book follows
 * from the previous one. The functions here make those changes; they use no bus and no clock.
 *
 * A partition that changes hands gets a new token. Links and outcomes need none: they are facts,
 * and repeats are harmless. If the token is the same as at its last checkpoint, an owner may go on
 * with the state that it has on disk; otherwise it must read the partition's log again.
 *
 * Agents move between nodes and keep their numbers, so the numbers are assigned here too: each node
 * gets BOOK_LOT of them at a time. `kept` decides which owner has an agent that was sent to a
 * partition while the partition changed hands: agents in batches that earlier owners have receipts
 * for (receipts.h) live at one of these owners, and the others belong to the new owner
 * (crawl/node/travel.h). Earlier versions of brood wrote no receipts: then agents in messages up to
 * `taken` live at an earlier owner.
 *
 * Pages are granted in lots: the sum of all grants never exceeds the limit, and a node never
 * stores more than it was granted. A node returns the grant that it does not need.
 */
#pragma once

#include "base/buf.h"
#include "cluster/partition.h"
#include "cluster/will.h"

/* These numbers are stored: add new ones at the end. */
enum book_end { BOOK_RUNNING, BOOK_COMPLETE, BOOK_PAGES, BOOK_TIME, BOOK_STOPPED, BOOK_ENDS };

/* The state of the agents of a node that is gone (will.h). */
enum book_estate {
    ESTATE_NONE,    /* they belong to the node itself */
    ESTATE_OPEN,    /* other nodes are to take them */
    ESTATE_SETTLED, /* all of them are in the logs */
    ESTATES
};

struct book_node {
    uint64_t id;      /* of its directory, never 0 */
    uint64_t granted; /* pages it may store in all; after it has gone: those that it had stored */
    bool alive;
    enum book_estate estate;
    struct will_name will; /* the will to which `estate` refers */
    uint64_t heir;         /* the node that sends them to the logs; 0: none has begun */
    uint64_t settled;      /* the last message of the stream when that was done */
};

struct book_part {
    uint64_t owner; /* a node's id; 0: nobody */
    uint64_t token; /* changes of owner so far */
    uint64_t taken; /* the last message of its log that earlier owners have committed */
    uint64_t kept;  /* the token of the earlier owner whose receipts are kept; 0: there are none */
};

#define BOOK_CHANGES 16

struct book {
    enum book_end end;
    uint64_t crawl;                 /* unique number of the crawl; 0: of an earlier brood */
    uint64_t limit;                 /* pages of all nodes; 0: any number */
    uint32_t numbers;               /* of agents, given out so far */
    uint64_t version;               /* how often it was changed … */
    uint64_t changes[BOOK_CHANGES]; /* … and unique numbers of the last changes, newest first */
    uint64_t rollbacks; /* how often a node found that the stream had lost messages … */
    uint64_t rolled_to; /* … the last time: all after this one */
    struct book_node *nodes;
    size_t count, cap;
    struct book_part parts[PARTITIONS];
};

void book_init(struct book *b);
void book_clear(struct book *b);
void book_copy(struct book *b, const struct book *of);

void book_save(const struct book *b, struct buf *out);
/* Reads bytes from the bus. ST_INVALID leaves the book empty. */
enum status book_load(struct book *b, struct str bytes) MUST_USE;

/* Returns a node, lent until the next change; NULL if it never joined. */
struct book_node *book_find(const struct book *b, uint64_t id);
/* Returns the place of the node with this id, which never changes; SIZE_MAX if it never joined. */
size_t book_place(const struct book *b, const char *hex);
size_t book_alive(const struct book *b);
size_t book_owned(const struct book *b, uint64_t id);
size_t book_free_parts(const struct book *b);

/* Returns a fingerprint of the partitions that a node owns and of their tokens. */
uint64_t book_print(const struct book *b, uint64_t id);

/* Returns how many partitions each node should have, if there are `nodes` nodes or more. */
size_t book_share(const struct book *b, size_t nodes);

/* Lets a node join, for the first time, or again with the pages that it has stored. ST_LIMIT if
 * there are too many nodes. */
enum status book_join(struct book *b, uint64_t id, uint64_t stored) MUST_USE;

/* Gives the node free partitions up to its share. Returns how many. */
size_t book_take(struct book *b, uint64_t id, size_t nodes);

/* The node returns a partition, after it has processed its log up to message `taken`. */
void book_give(struct book *b, uint64_t id, uint32_t part, uint64_t taken);

/* The receipts of this partition's owner are kept; called before it changes hands. */
void book_keep(struct book *b, uint32_t part);

/* The node left, or its lease expired: its partitions become free, and of the pages granted to it
 * only those count that it stored. `taken` has PARTITIONS entries, as for book_give(). */
void book_leave(struct book *b, uint64_t id, uint64_t stored, const uint64_t *taken);

/* Returns the first of BOOK_LOT new numbers for agents; 0 if there are none left. */
#define BOOK_LOT 1000
uint32_t book_number(struct book *b);

/* book_stamp() gives the book the number of a change, before it is written. book_follows(): does a
 * book that was read later contain that change? */
void book_stamp(struct book *b, uint64_t change);
bool book_follows(const struct book *b, uint64_t change);

/* Records that the stream has lost the messages after `end`: their numbers are used again for
 * others. */
void book_roll_back(struct book *b, uint64_t end);

/* Returns how many pages are not granted yet; UINT64_MAX without a limit. */
uint64_t book_left(const struct book *b);

/* A node that is gone leaves its agents to others: the node `heir` sends them to the logs. */
void book_bequeath(struct book *b, uint64_t id, struct will_name will, uint64_t heir);
/* Returns a node whose agents wait for an heir that is there, and makes `id` the heir. NULL: there
 * is none. Lent. */
const struct book_node *book_inherit(struct book *b, uint64_t id);
/* Records that all of them are in the logs; `end` is the last of their messages. */
void book_settle(struct book *b, uint64_t id, struct will_name will, uint64_t end);
/* The stream is at least this long if it has lost nothing that an heir sent. */
uint64_t book_settled(const struct book *b);
bool book_has_estates(const struct book *b); /* do agents of any node still wait for it? */

/* Grants a node more pages, a part of those that are left. Returns how many. */
uint64_t book_grant(struct book *b, uint64_t id);

/* The node needs no more pages than it has stored. Returns true if that changes its grant. */
bool book_return(struct book *b, uint64_t id, uint64_t stored);
