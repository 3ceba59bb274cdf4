/* cluster.h - a node's place in a crawl on several machines, as its mind sees it.
 *
 * The keeper, a thread of its own, does everything that waits for the bus: it renews the lease,
 * keeps the book (book.h), sends batches and reads the logs of the partitions that this node owns.
 * The mind gives it committed batches, takes incoming messages, and asks for the state of the node;
 * none of these calls waits for the network.
 *
 * For each partition, incoming messages have this order:
 *
 *     INCOMING_BEGIN  it is ours now, and what is known of it follows from the beginning (perhaps
 *                     for the second time). Its bytes are receipts: agents in those batches live at
 *                     an earlier owner. Without bytes, agents in messages up to `position` do
 *     INCOMING_SNAPSHOT  a chunk of the newest snapshot; all of them come, in their order
 *     INCOMING_LOG    a batch of the log behind that, ours or another's
 *     INCOMING_OPEN   the log is read: its hosts may be asked
 *     INCOMING_BATCH  a batch that came since
 *     INCOMING_CLOSE  another node is to have it: no more requests, then cluster_give()
 *
 * INCOMING_ROLLED comes for all partitions when messages were lost on the bus: all those after
 * `position`. Later messages have numbers that lost messages had before.
 *
 * If this node owned the partition at its last checkpoint and nobody has owned it since, only
 * INCOMING_OPEN comes, and then the batches from where the node had stopped reading.
 */
#pragma once

#include "base/limits.h"
#include "cluster/book.h"
#include "cluster/lease.h"
#include "cluster/line.h"
#include "cluster/receipts.h"

struct cluster;

/* What a node had of a partition at its last checkpoint. */
struct cluster_part {
    uint64_t token;    /* of the partition in the book; 0: it was not ours */
    uint64_t position; /* the last message of its log that was taken */
};

struct cluster_config {
    uint64_t id;            /* of the directory */
    int64_t lease;          /* us */
    int64_t rest;           /* us that the hosts of a partition taken over are left alone */
    uint64_t stored;        /* pages it has already */
    uint64_t rollbacks;     /* of the stream, when this node last took part */
    size_t snapshot;        /* bytes that a log may grow without a new snapshot; 0: any number */
    bool numbers;           /* it needs numbers for its agents from the beginning */
    size_t nodes;           /* expected at the beginning: each leaves the others their share */
    line_answer_fn *answer; /* to questions; NULL: there is none */
    void *answer_ctx;
    struct str seen; /* cluster_book_seen() at its last checkpoint; read only while it joins */
    struct cluster_part parts[PARTITIONS];
};

/* The state of the mind, for the keeper. */
struct cluster_report {
    uint64_t committed, relevant, urls; /* pages; relevant pages; known URLs */
    uint64_t lost;                      /* batches */
    bool wants;                         /* more pages could be fetched than are granted */
    bool numbers;                       /* more numbers for agents are needed … */
    uint64_t lots;                      /* … than those of the lots that were taken so far */
    bool waits;                         /* agents wait until a will stands */
    bool awaits;                        /* agents that left have not arrived yet */
    bool wills;                         /* `safe` comes with wills */
    bool idle;                      /* there is no work left, and nothing to give to the keeper */
    uint64_t positions[PARTITIONS]; /* of the last batch taken from each log … */
    uint64_t safe[PARTITIONS];      /* … and of the last that is committed */
    uint64_t agents, born, died, left, came; /* as struct lease has them */
    struct lease_ask asks[LEASE_ASKS];       /* batches that are missing */
    struct ledger ledger;
    double on_pages;
    uint32_t nsums;
    char sums[LEASE_SUMS];
};

/* The agents of this node at a checkpoint (will.h), and how far it had read the logs at that
 * time. */
struct cluster_will {
    uint64_t number;           /* counted by the mind, from 1 */
    uint64_t safe[PARTITIONS]; /* replaces cluster_report.safe */
    struct receipts taken;     /* batches whose agents are in it, or were */
    struct will_head head;     /* only its figures are set */
    uint32_t left_out;         /* agents and batches for which there was no room */
    size_t count;
    struct {
        struct buf items;
        uint32_t count;
    } chunks[LIMIT_WILL_CHUNKS];
};

#define CLUSTER_ASKED 64

/* The state of the node, for the mind. */
struct cluster_view {
    int64_t until;     /* no request may start after this moment of clock_boot() */
    uint64_t granted;  /* pages this node may store in all; UINT64_MAX: any number */
    enum book_end end; /* of the whole crawl */
    bool fenced;       /* others have taken its partitions: it must stop */
    struct lease_ask asked[CLUSTER_ASKED]; /* batches of ours that others miss */
    uint32_t nasked;
    uint64_t sent[PARTITIONS]; /* the last batch that the bus has taken */
    uint64_t will;             /* the newest of ours that stands: others will always find it */
    uint64_t agents;           /* that live on other nodes, or are on their way from one */
    uint32_t nodes;            /* that are there or about to come, with this one */
    uint64_t losses;           /* how often the servers were found to have lost keys */
    uint64_t lots;             /* of numbers, so far … */
    uint32_t lot;              /* … and where the last of them begins */
};

enum incoming_kind {
    INCOMING_BEGIN,
    INCOMING_SNAPSHOT,
    INCOMING_LOG,
    INCOMING_OPEN,
    INCOMING_BATCH,
    INCOMING_CLOSE,
    INCOMING_ROLLED,
};

struct incoming {
    struct incoming *next;
    enum incoming_kind kind;
    uint32_t part;
    uint64_t token;    /* BEGIN, OPEN; ROLLED: how often that has happened */
    uint64_t position; /* LOG, BATCH: of this message; OPEN: of the last one read; else see above */
    size_t len;
    char bytes[]; /* BEGIN, SNAPSHOT: checked; LOG, BATCH: not yet */
};

/* Joins the crawl. The cluster owns the line from here on, even if this fails. */
enum status cluster_start(struct line *line, const struct cluster_config *config,
                          struct cluster **ret) MUST_USE;

/* Sends what is left, leaves the crawl and says why it ended (BOOK_RUNNING: only this node
 * leaves). `stored`: pages committed. Frees it. NULL is fine. */
void cluster_stop(struct cluster *c, enum book_end end, uint64_t stored);

/* When this node joined, did it still own the partition, as at its last checkpoint? */
bool cluster_holds(const struct cluster *c, uint32_t part);

/* Is an agent in this batch ours? True if the last will that we left on the bus has it, even if we
 * did not know at that time whether we still owned the partition. If the sender is not known (0),
 * `position` decides, which is that of the message. */
bool cluster_covers(const struct cluster *c, uint32_t part, uint64_t sender, uint64_t number,
                    uint64_t position);

/* Is it certain that another node has taken a batch of ours and has its agents in its will? Then no
 * other node will take them. */
bool cluster_has_arrived(struct cluster *c, uint32_t part, uint64_t number);

/* Appends the last reports of the other nodes' models (lease.sums), one string after the other, for
 * cursor_str(). */
void cluster_sums(struct cluster *c, struct buf *ret);

/* Appends the newest book that this node has seen, for its checkpoint: if the servers lose that
 * book and all nodes die, this node writes it back when it joins again. */
void cluster_book_seen(struct cluster *c, struct buf *ret);

/* Gets only the view, before there is anything to report. */
void cluster_look(struct cluster *c, struct cluster_view *ret);
void cluster_exchange(struct cluster *c, const struct cluster_report *say,
                      struct cluster_view *ret);

/* Queues a committed batch of this node, in the order of its numbers. The keeper sends all queued
 * batches together after the next cluster_exchange() wakes it. The batch, and all after it, wait
 * until the will of this number is confirmed (0: they wait for none). */
void cluster_send(struct cluster *c, uint32_t part, uint64_t number, uint64_t will,
                  struct str bytes);

/* Hands over a will that is committed, for the next cluster_exchange(). The cluster owns it from
 * here on. A will that is not written yet when the next one comes is left out. */
void cluster_will(struct cluster *c, struct cluster_will *will);
void cluster_will_free(struct cluster_will *will); /* NULL is fine */

/* Returns the will with which others have taken this node's agents while it was away; `chunks` is 0
 * if they have not. */
struct will_name cluster_legacy(const struct cluster *c);
struct str cluster_legacy_chunk(const struct cluster *c, size_t index);

/* Returns the oldest incoming message, to be freed with free(); NULL if there is none. */
struct incoming *cluster_take(struct cluster *c);

/* To be called after INCOMING_CLOSE, when no request to its hosts is under way, its outcomes are
 * sent, and its log is processed and committed up to `position`. `taken` is emptied. */
void cluster_give(struct cluster *c, uint32_t part, uint64_t position, struct receipts *taken);

/* ---- for `brood nodes`, and before a node joins ---- */

#define CLUSTER_BOOK   "book"
#define CLUSTER_SHARED "shared" /* the options and seeds of the crawl */
#define CLUSTER_LEASE  32       /* bytes of a lease's key */

void cluster_lease_key(uint64_t id, char ret[CLUSTER_LEASE]);
enum status cluster_book(struct line *l, struct book *ret, uint64_t *ret_revision) MUST_USE;
enum status cluster_lease(struct line *l, uint64_t id, struct lease *ret,
                          uint64_t *ret_revision) MUST_USE;
/* Reads the book, changes it and writes it; does so again if another node wrote it meanwhile. A
 * server that lags may still return an earlier revision of the book. */
typedef void book_fn(struct book *b, void *ctx);
enum status cluster_change(struct line *l, book_fn *fn, void *ctx, uint64_t *ret_revision) MUST_USE;
