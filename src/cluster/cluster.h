/* cluster.h - a node's place in a crawl on several machines, as its mind sees it.
 *
 * The keeper, a thread of its own, does all that waits for the bus: it renews the lease, keeps
 * the book (book.h), sends batches and reads the logs of the partitions that this node owns. The
 * mind hands it committed batches, takes incoming messages, and asks for the state of things; none
 * of these calls waits for the network.
 *
 * For each partition, incoming messages have this order:
 *
 *     INCOMING_BEGIN  it is ours now, and its log follows from the beginning
 *     INCOMING_LOG    a batch of that log, ours or another's
 *     INCOMING_OPEN   the log is read: its hosts may be asked
 *     INCOMING_BATCH  a batch that came since
 *     INCOMING_CLOSE  another node is to have it: no more requests, then cluster_give()
 *
 * If this node owned the partition at its last checkpoint and nobody has owned it since, only
 * INCOMING_OPEN comes, and then the batches from where the node had stopped reading.
 */
#pragma once

#include "cluster/book.h"
#include "cluster/lease.h"
#include "cluster/line.h"

struct cluster;

/* What a node had of a partition at its last checkpoint. */
struct cluster_part {
    uint64_t token;    /* of the book; 0: it was not ours */
    uint64_t position; /* the last message of its log that was taken */
};

struct cluster_config {
    uint64_t id;     /* of the directory */
    int64_t lease;   /* us */
    int64_t rest;    /* us that the hosts of another's partition are left alone */
    uint64_t stored; /* pages it has already */
    size_t nodes;    /* that are expected at the beginning: each leaves the others their share */
    struct cluster_part parts[PARTITIONS];
};

/* The state of the mind, for the keeper. */
struct cluster_report {
    uint64_t committed, relevant, urls; /* pages; of them; known */
    uint64_t lost;                      /* batches */
    bool wants;                         /* more pages could be fetched than are granted */
    bool idle; /* nothing is left to do, and nothing to hand over to the keeper */
    uint64_t positions[PARTITIONS]; /* of the last batch taken from each log */
};

/* The state of the node, for the mind. */
struct cluster_view {
    int64_t until;             /* no request may start after this moment of clock_boot() */
    uint64_t granted;          /* pages this node may store in all; UINT64_MAX: any number */
    enum book_end end;         /* of the whole crawl */
    bool fenced;               /* others have taken its partitions: it must stop */
    uint64_t rollbacks;        /* how often the stream was found shorter than it had been */
    uint64_t sent[PARTITIONS]; /* the last batch that the bus has taken */
};

enum incoming_kind {
    INCOMING_BEGIN,
    INCOMING_LOG,
    INCOMING_OPEN,
    INCOMING_BATCH,
    INCOMING_CLOSE,
};

struct incoming {
    struct incoming *next;
    enum incoming_kind kind;
    uint32_t part;
    uint64_t token;    /* BEGIN, OPEN */
    uint64_t position; /* LOG, BATCH: of this message; OPEN: of the last one read */
    size_t len;
    char bytes[]; /* LOG, BATCH: not checked yet */
};

/* Joins. The cluster owns the line from here on, also if this fails. */
enum status cluster_start(struct line *line, const struct cluster_config *config,
                          struct cluster **ret) MUST_USE;

/* Sends what is left, leaves the crawl and says why it ended (BOOK_RUNNING: only this node
 * leaves). `stored`: pages committed. Frees it. NULL is fine. */
void cluster_stop(struct cluster *c, enum book_end end, uint64_t stored);

/* When this node joined, was the partition still ours, as at our last checkpoint? */
bool cluster_holds(const struct cluster *c, uint32_t part);

void cluster_exchange(struct cluster *c, const struct cluster_report *say,
                      struct cluster_view *ret);

/* A batch of this node that is committed; in the order of its numbers. */
void cluster_send(struct cluster *c, uint32_t part, uint64_t number, struct str bytes);

/* The oldest incoming message; free() it. NULL: there is none. */
struct incoming *cluster_take(struct cluster *c);

/* After INCOMING_CLOSE: no request to its hosts is under way, and its outcomes are sent. */
void cluster_give(struct cluster *c, uint32_t part);

/* ---- for `brood nodes`, and before a node joins ---- */

#define CLUSTER_BOOK   "book"
#define CLUSTER_SHARED "shared" /* the options and seeds of the crawl */
#define CLUSTER_LEASE  32       /* bytes of a lease's key */

void cluster_lease_key(uint64_t id, char ret[CLUSTER_LEASE]);
enum status cluster_book(struct line *l, struct book *ret, uint64_t *ret_revision) MUST_USE;
enum status cluster_lease(struct line *l, uint64_t id, struct lease *ret,
                          uint64_t *ret_revision) MUST_USE;
/* Reads the book, changes it and writes it; does so again if another node wrote it meanwhile. A
 * server that lags may still show the book as it was before this revision. */
typedef void book_fn(struct book *b, void *ctx);
enum status cluster_change(struct line *l, book_fn *fn, void *ctx, uint64_t *ret_revision) MUST_USE;
