/* lease.h - the figures that a node writes each time it renews its lease.
 *
 * A lease is a key of the bus that its node writes again and again. Others trust no clock but
 * their own: a node counts as gone when its key has not changed for the whole time of a lease,
 * as seen by one observer. The node itself stops asking web servers earlier than that, by its
 * own clock, counted from before the last renewal that succeeded.
 */
#pragma once

#include "base/buf.h"

#define LEASE_HOST 64
#define LEASE_GONE UINT64_MAX /* a turn that no node has: others have ended this lease */

struct lease {
    uint64_t run;      /* of the process: a number that no other one has */
    uint64_t turn;     /* renewals so far: no two are alike */
    uint64_t pages;    /* committed */
    uint64_t relevant; /* of them */
    uint64_t urls;     /* known */
    uint64_t outbox;   /* batches that are not on the bus yet */
    uint64_t lost;     /* batches that nobody could send again */
    uint64_t idle;     /* 0: it has work. Else it had taken all that is addressed to it and sent all
                        * it had; this is the number of the stream's last message then, plus 1 */
    uint64_t holds;    /* book_print() of the partitions of which `idle` speaks */
    char host[LEASE_HOST]; /* the machine, for people */
};

void lease_save(const struct lease *l, struct buf *out);
enum status lease_load(struct lease *l, struct str bytes) MUST_USE;
