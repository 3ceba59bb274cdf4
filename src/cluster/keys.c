/* keys.c - what happens when the servers have lost the newest keys: book, leases, wills, receipts.
 *
 * The servers write keys to disk minutes after they have acknowledged them, so if they lose power
 * together, they come back with keys of an earlier moment. Every node remembers what it wrote and
 * saw, and writes it back:
 *
 *     the book         every node that has seen a newer one (its directory has it, too)
 *     a lease, a will  their own node: first the will, then the lease that names it
 *     the end of a lease, and what was lost with that node
 *                      the nodes that saw the end
 *     the receipts of a partition's last owner
 *                      the node that wrote them
 *
 * A node that notices a loss changes nothing else in the book for the time of a lease, and opens no
 * partition. By then every node that is still there has written back what it knows: one that could
 * not would have lost its own lease. A node notices a loss because the book or its own lease is an
 * older one, or because a key that it wrote got a revision that is not the highest.
 *
 * Limit: what only one node knew is lost if that node died, left or was shut out in the lost
 * seconds, or before it could write it back. SPDX-License-Identifier: MIT */
#include "cluster/branch.h"
#include "cluster/cluster_int.h"

#include "base/limits.h"
#include "base/os/clock.h"

bool keys_are_held(const struct cluster *c)
{
    return clock_boot() < c->hold_until;
}

/* ---- the leases of others ---- */

/* It must stay known that a node is gone, or that node would go on as if it were not. */
static void lease_restore(struct cluster *c, struct neighbour *n)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];
    struct lease there;
    uint64_t revision;

    if ((n->lease.turn != LEASE_GONE && !n->is_closed) ||
        cluster_lease(c->line, n->id, &there, &revision) != ST_OK || there.run != n->lease.run)
        return; /* another process of that node is there */
    lease_save(&n->lease, &bytes);
    cluster_lease_key(n->id, key);
    (void)!line_set(c->line, key, buf_str(&bytes), revision, &n->revision);
}

/* Servers whose copies differ seem to lose keys again and again. So between two waits the crawl
 * goes on for the time of a lease. */
void keys_lost(struct cluster *c)
{
    int64_t now = clock_boot();

    if (c->hold_until == 0 || now > c->hold_until + c->config.lease)
        c->hold_until = now + c->config.lease;
    c->newest = c->top = 0;
    c->renew_at = 0;
    for (size_t i = 0; i < c->nneighbours; i++)
        lease_restore(c, &c->neighbours[i]);
    receipts_put_again(c);
    pthread_mutex_lock(&c->mutex);
    c->view.losses++;
    pthread_mutex_unlock(&c->mutex);
}

bool keys_went_back(struct cluster *c, uint64_t revision)
{
    bool is_back = revision <= c->top;

    if (is_back)
        keys_lost(c);
    c->top = revision;
    return is_back;
}

/* ---- the book ---- */

void keys_remember(struct cluster *c)
{
    bool is_same = branch_compare(&c->book, &c->seen) == BRANCH_SAME;

    c->newest = c->book_revision;
    if (is_same && c->seen_bytes.len > 0)
        return;
    book_copy(&c->seen, &c->book);
    pthread_mutex_lock(&c->mutex);
    buf_clear(&c->seen_bytes);
    book_save(&c->seen, &c->seen_bytes);
    pthread_mutex_unlock(&c->mutex);
}

/* Writes the same bytes, so that every node finds the changes in it that it knows; if two branches
 * were joined, it is a new book. If another node was first, the next look shows what it wrote. */
static enum status write_back(struct cluster *c, bool is_new)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_BOOK);

    if (is_new)
        return cluster_write(c->line, &c->book, &c->book_revision);
    book_save(&c->book, &bytes);
    return line_set(c->line, CLUSTER_BOOK, buf_str(&bytes), c->book_revision, &c->book_revision);
}

/* Two nodes that write at the same moment may both be told that they were first (line.h). A node
 * that has seen the book of the second one, which never stood, finds another branch, too, although
 * nothing was lost. But then the book that it has seen has the lower revision. */
bool keys_check(struct cluster *c)
{
    enum branch_age age = branch_compare(&c->book, &c->seen);
    bool is_back = c->book_revision < c->newest;
    bool is_lost = age == BRANCH_OLDER || (age == BRANCH_OTHER && (is_back || keys_are_held(c)));

    if (is_lost) {
        branch_join(&c->book, &c->seen);
        if (write_back(c, age == BRANCH_OTHER) != ST_OK)
            return false; /* it was a server that lags, or another node was first */
    }
    if (is_lost || is_back)
        keys_lost(c);
    keys_remember(c);
    return !keys_are_held(c);
}
