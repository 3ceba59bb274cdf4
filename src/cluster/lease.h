/* lease.h - the figures that a node writes each time it renews its lease.
 *
 * A lease is a key of the bus that its node writes repeatedly. A node trusts only its own clock: to
 * an observer, another node is gone when its key has not changed for the whole duration of a lease.
 * The node itself stops sending requests to web servers earlier than that, by its own clock,
 * counted from before its last successful renewal.
 */
#pragma once

#include "agent/ledger.h"
#include "base/buf.h"
#include "cluster/partition.h"
#include "cluster/will.h"

#define LEASE_HOST 64
#define LEASE_SUMS 1024       /* largest report of a model to the models of other nodes, in bytes */
#define LEASE_GONE UINT64_MAX /* a turn that no node reaches: another node has ended this lease */

/* Batches that a node misses in the log of a partition. */
struct lease_ask {
    uint64_t sender, part, from, to;
};
#define LEASE_ASKS 16

struct lease {
    uint64_t run;       /* unique number of the process */
    uint64_t turn;      /* renewals so far, which makes each lease unique */
    uint64_t pages;     /* committed */
    uint64_t relevant;  /* of them */
    uint64_t urls;      /* known */
    uint64_t outbox;    /* batches that are not on the bus yet */
    uint64_t lost;      /* batches that no node could send again */
    uint64_t snapshots; /* that it wrote in this run */
    uint64_t idle;   /* 0: it has work. Else it had taken all that is addressed to it and sent all
                        * it had; this is the number of the stream's last message then, plus 1 */
    uint64_t holds;  /* book_print() of the partitions to which `idle` refers */
    uint64_t agents; /* that live here, or left and have not been taken in elsewhere */
    uint64_t born, died;               /* here, so far */
    uint64_t left, came;               /* agents that moved away, and in */
    uint64_t positions[PARTITIONS];    /* of each log that is ours: the last committed message */
    struct lease_ask asks[LEASE_ASKS]; /* `from` 0: none */
    struct ledger ledger;
    double on_pages;       /* energy on pages */
    struct will_name will; /* has its agents */
    char host[LEASE_HOST]; /* the machine, for people */
    uint32_t nsums;
    char sums[LEASE_SUMS]; /* model_moves.say */
};

void lease_save(const struct lease *l, struct buf *out);
enum status lease_load(struct lease *l, struct str bytes) MUST_USE;
