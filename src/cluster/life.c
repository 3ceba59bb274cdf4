/* life.c - signs of life: a node's lease, how it joins, and which of the others are gone.
 *
 * A node whose lease does not change for its whole duration is excluded (fenced) in two steps.
 * First its lease is overwritten, at the revision that was seen: from then on the node cannot renew
 * it. Then the book says that the node is gone, and its partitions are free. So the last lease that
 * it wrote itself says for ever how far it had committed each log: agents up to there are its own.
 * SPDX-License-Identifier: MIT */
#include "cluster/branch.h"
#include "cluster/cluster_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"

#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define RENEW_PART 4                 /* a lease is renewed after a fourth of its time … */
#define RENEW_MOST (500 * US_PER_MS) /* … or sooner, because it reports the number of pages … */
#define SAFE_PART  5                 /* … and not relied on in its last fifth */
#define RECALLS    100               /* attempts to write the newest book back, when it joins … */
#define RECALL     (50 * US_PER_MS)  /* … and the wait between two */

/* ---- the lease ---- */

static void figures_tell(struct cluster *c)
{
    struct lease *l = &c->lease;
    const struct cluster_report *r = &c->report;

    l->agents = r->agents;
    l->born = r->born;
    l->died = r->died;
    l->left = r->left;
    l->came = r->came;
    l->ledger = r->ledger;
    l->on_pages = r->on_pages;
    l->nsums = r->nsums;
    memcpy(l->sums, r->sums, r->nsums);
    memcpy(l->asks, r->asks, sizeof l->asks);
    for (uint32_t i = 0; i < PARTITIONS && !r->wills; i++) /* never back: others rely on it */
        if (l->positions[i] < r->safe[i])
            l->positions[i] = r->safe[i];
}

/* This renewal follows the previous one, so no node can have ended that one (see line_set()). */
static void life_confirm(struct cluster *c)
{
    if (c->renewed_at == 0)
        return;
    memcpy(c->safe, c->unconfirmed, sizeof c->safe);
    c->will_safe = c->will_unconfirmed;
    if (c->will_safe == c->will_told && c->told.count > 0)
        receipts_move(&c->stood, &c->told);
    pthread_mutex_lock(&c->mutex);
    c->view.will = c->will_safe;
    c->view.until = c->renewed_at + c->config.lease - c->config.lease / SAFE_PART;
    pthread_mutex_unlock(&c->mutex);
}

enum status life_write(struct cluster *c)
{
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];
    int64_t now = clock_boot(), step = c->config.lease / RENEW_PART;
    enum status st;

    if (c->rewrites)
        return status_fail(ST_NET, "the will that the lease names is not on the bus yet");
    c->lease.turn++;
    c->lease.pages = c->report.committed;
    c->lease.relevant = c->report.relevant;
    c->lease.urls = c->report.urls;
    c->lease.lost = c->report.lost;
    figures_tell(c);
    c->lease.idle = c->idle_at;
    c->lease.holds = c->idle_holds;
    lease_save(&c->lease, &bytes);
    cluster_lease_key(c->config.id, key);
    st = line_set(c->line, key, buf_str(&bytes), c->lease_revision, &c->lease_revision);
    buf_free(&bytes);
    c->renew_at = now + ROUND;
    if (st != ST_OK)
        return st;
    c->lease_turn = c->lease.turn;
    c->renew_at = now + (step < RENEW_MOST ? step : RENEW_MOST);
    if (c->renewed_at == 0)
        c->renew_at = now; /* it is confirmed by the next one */
    life_confirm(c);
    c->renewed_at = now;
    memcpy(c->unconfirmed, c->lease.positions, sizeof c->unconfirmed);
    c->will_unconfirmed = c->will_told;
    if (keys_went_back(c, c->lease_revision)) /* perhaps in the middle of a will */
        heirs_write_again(c, &c->lease);
    return ST_OK;
}

/* Reads our lease after all writes that were under way. If it is missing, its run is 0. */
static enum status lease_settled(struct cluster *c, struct lease *ret, uint64_t *ret_revision)
{
    enum status st = line_settle(c->line);

    *ret = (struct lease){0};
    *ret_revision = 0;
    if (st == ST_OK)
        st = cluster_lease(c->line, c->config.id, ret, ret_revision);
    return st == ST_MISSING ? ST_OK : st;
}

/* A write without an answer may have succeeded: then the lease is ours, and of this turn. If it is
 * of an earlier turn than one that was acknowledged, or of our process before this one, or missing,
 * the servers have lost what we wrote since. If it is of another run, the same directory, or a copy
 * of it, is used elsewhere, and the newest process counts. */
static void lease_again(struct cluster *c)
{
    struct lease there;
    uint64_t revision;

    if (lease_settled(c, &there, &revision) != ST_OK)
        return;
    c->fenced = revision > 0 && there.run != c->run_before &&
                (there.run != c->lease.run || there.turn > c->lease.turn);
    if (c->fenced)
        return;
    c->lease_revision = revision;
    c->renew_at = 0;
    if (there.run != c->lease.run || there.turn < c->lease_turn) {
        keys_lost(c);
        heirs_write_again(c, &there);
    }
}

void life_renew(struct cluster *c)
{
    if (life_write(c) == ST_BUSY)
        lease_again(c);
}

/* ---- joining ---- */

/* Agents that no node has inherited yet are ours again. */
static void join_estate(struct cluster *c, struct book_node *me)
{
    c->legacy = (struct will_name){0};
    if (me == NULL)
        return;
    if (me->estate == ESTATE_OPEN && me->heir == 0)
        me->estate = ESTATE_NONE;
    if (me->estate != ESTATE_NONE)
        c->legacy = me->will;
    c->is_settled = me->estate == ESTATE_SETTLED;
}

static void join_book(struct book *b, void *ctx)
{
    struct cluster *c = ctx;

    if (b->end == BOOK_STOPPED) /* a node that comes back continues the crawl */
        b->end = BOOK_RUNNING;
    join_estate(c, book_find(b, c->config.id));
    if (b->end != BOOK_RUNNING || book_join(b, c->config.id, c->config.stored) != ST_OK)
        return;
    c->view.lot = c->config.numbers ? book_number(b) : 0;
}

/* Reads our figures from our last run, because others still count them. */
static void life_remember(struct cluster *c, const struct lease *before)
{
    c->run_before = before->run;
    memcpy(c->known, before->positions, sizeof c->known);
    memcpy(c->lease.positions, before->positions, sizeof c->known);
    c->lease.will = before->will;
    if (before->turn != LEASE_GONE)
        c->lease.turn = before->turn;
    c->report.relevant = before->relevant;
    c->report.urls = before->urls;
    c->report.agents = before->agents;
    c->report.born = before->born;
    c->report.died = before->died;
    c->report.left = before->left;
    c->report.came = before->came;
    c->report.ledger = before->ledger;
    c->report.on_pages = before->on_pages;
}

static enum status has_ended(void)
{
    return status_fail(ST_USAGE,
                       "the crawl has ended: every page it wanted is fetched, or its time "
                       "was up (`brood nodes ... --pages N` lets it go on)");
}

/* Our directory may have a newer book than the bus. */
static enum status life_recall(struct cluster *c)
{
    enum branch_age age;

    if (c->config.seen.len == 0 || book_load(&c->seen, c->config.seen) != ST_OK)
        return ST_OK;
    for (int tries = 0; tries < RECALLS; tries++) {
        age = branch_compare(&c->book, &c->seen);
        if (age == BRANCH_SAME || age == BRANCH_NEWER)
            return ST_OK;
        c->hold_until = clock_boot() + c->config.lease; /* others may know even more */
        (void)keys_check(c);
        clock_sleep(RECALL);
        TRY(cluster_book(c->line, &c->book, &c->book_revision));
    }
    return status_fail(ST_NET, "the servers have lost the newest record of the crawl's nodes, and "
                               "do not take it back");
}

/* Called before anything is written, because a crawl that has ended must not be changed. */
static enum status life_begin(struct cluster *c)
{
    enum status st = cluster_book(c->line, &c->book, &c->book_revision);

    if (st == ST_OK)
        st = life_recall(c);
    if (st == ST_OK && c->book.end != BOOK_RUNNING && c->book.end != BOOK_STOPPED)
        st = has_ended();
    c->book_revision = 0; /* it is read again after we have joined */
    c->started = clock_boot();
    if (st == ST_OK &&
        getrandom(&c->lease.run, sizeof c->lease.run, 0) != (ssize_t)sizeof c->lease.run)
        st = status_fail(ST_IO, "no random number for this node");
    c->report.committed = c->said.committed = c->config.stored;
    for (uint32_t i = 0; i < PARTITIONS; i++) /* as long as that it was */
        if (c->config.parts[i].position > c->stream_end)
            c->stream_end = c->config.parts[i].position;
    (void)gethostname(c->lease.host, sizeof c->lease.host);
    c->lease.host[sizeof c->lease.host - 1] = '\0';
    return st;
}

/* Which batches had we taken, by our last will? An earlier version of brood wrote no receipts. */
static enum status read_taken(struct cluster *c, const struct lease *before)
{
    enum status st = before->will.chunks == 0
                         ? ST_MISSING
                         : receipts_get_will(c->line, c->config.id, &before->will, &c->known_taken);

    return st == ST_NET ? st : ST_OK;
}

/* Writes our first lease. There is none yet, or our own, or one that others have overwritten. */
static enum status life_first(struct cluster *c)
{
    struct lease before;
    enum status st = cluster_lease(c->line, c->config.id, &before, &c->lease_revision);

    if (st == ST_OK) {
        life_remember(c, &before);
        st = read_taken(c, &before);
    }
    return st == ST_NET ? st : life_write(c);
}

/* Are we in the book that was written? */
static enum status life_joined(const struct cluster *c)
{
    if (c->book.end != BOOK_RUNNING)
        return has_ended();
    if (book_find(&c->book, c->config.id) == NULL)
        return status_fail(ST_LIMIT, "%d nodes have taken part in this crawl: no more can join",
                           LIMIT_NODES);
    if (c->config.numbers && c->view.lot == 0)
        return status_fail(ST_LIMIT, "this crawl has had %d agents: no more can be born",
                           LIMIT_AGENTS);
    return ST_OK;
}

enum status life_join(struct cluster *c)
{
    enum status st = life_begin(c);

    if (st == ST_OK)
        st = life_first(c);
    if (st == ST_OK)
        st = cluster_change(c->line, join_book, c, &c->newest);
    while (st == ST_OK && c->book_revision < c->newest)
        st = cluster_book(c->line, &c->book, &c->book_revision);
    if (st == ST_OK)
        st = life_joined(c);
    if (st == ST_OK && c->legacy.chunks)
        st = heirs_return(c);
    c->view.nodes = keeper_nodes(c);
    c->view.lots = c->view.lot > 0;
    c->view.granted = c->book.limit ? 0 : UINT64_MAX;
    return st;
}

/* ---- the others ---- */

struct neighbour *life_of(struct cluster *c, uint64_t id)
{
    for (size_t i = 0; i < c->nneighbours; i++)
        if (c->neighbours[i].id == id)
            return &c->neighbours[i];
    MEM_GROW(c->neighbours, c->nneighbours, &c->neighbours_cap);
    c->neighbours[c->nneighbours] = (struct neighbour){.id = id, .seen = clock_boot()};
    return &c->neighbours[c->nneighbours++];
}

static void neighbour_look(struct cluster *c, struct neighbour *n)
{
    struct lease there = {0};
    uint64_t revision = n->revision;
    enum status st = cluster_lease(c->line, n->id, &there, &revision);

    if (st == ST_OK || st == ST_INVALID || st == ST_MISSING) {
        bool is_old = st == ST_OK && there.run == n->lease.run && there.turn < n->lease.turn;

        n->lapsed = st != ST_OK || there.turn == LEASE_GONE;
        if (revision != n->revision && !is_old) /* else the servers have lost the newer one */
            n->seen = clock_boot();
        n->revision = revision;
        if (st == ST_OK && !is_old)
            n->lease = there;
        if (st == ST_OK)
            n->will = there.will;
    } else {
        n->seen = clock_boot(); /* it was not observed: its time starts again */
    }
}

/* Checks that the node did not renew its lease at the very moment at which we ended it. */
static bool stays_ended(struct cluster *c, struct neighbour *n)
{
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];
    uint64_t revision;
    enum status st = line_settle(c->line);

    cluster_lease_key(n->id, key);
    if (st == ST_OK)
        st = line_get(c->line, key, &bytes, &revision);
    if (st == ST_OK)
        st = lease_load(&n->lease, buf_str(&bytes));
    buf_free(&bytes);
    return st == ST_OK && n->lease.turn == LEASE_GONE;
}

/* Ends the lease of a node whose time is over. Returns false if the node is alive. */
static bool neighbour_fence(struct cluster *c, struct neighbour *n)
{
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    struct lease gone = n->lease;
    char key[CLUSTER_LEASE];

    if (n->lapsed)
        return true;
    if (clock_boot() - n->seen < c->config.lease)
        return false;
    gone.turn = LEASE_GONE; /* its figures stay: how many pages it had */
    gone.will = n->will;    /* a newer one is lost */
    lease_save(&gone, &bytes);
    cluster_lease_key(n->id, key);
    if (line_set(c->line, key, buf_str(&bytes), n->revision, &n->revision) == ST_OK)
        n->lapsed = stays_ended(c, n);
    buf_free(&bytes);
    return n->lapsed;
}

/* A node is not gone just because we did not look: after a pause the time of every node starts
 * again. A look that takes long because the servers are slow does not count. */
static void forgive_pause(struct cluster *c)
{
    int64_t now = clock_boot();

    if (now - c->looked_at > c->config.lease / RENEW_PART)
        for (size_t i = 0; i < c->nneighbours; i++)
            c->neighbours[i].seen = now;
}

/* Its partitions become free. Before that, the receipts of its last will are kept, so that the next
 * owners take no agents of that will a second time. False: the servers do not answer. */
static bool neighbour_leave(struct cluster *c, const struct neighbour *n)
{
    struct receipts taken = {0};
    bool kept[PARTITIONS] = {false};
    enum status st = ST_OK;

    if (n->lease.will.chunks > 0)
        st = receipts_get_will(c->line, n->id, &n->lease.will, &taken);
    if (st != ST_NET)
        st = receipts_inherit(c, n->id, &taken, kept);
    receipts_clear(&taken);
    if (st != ST_OK)
        return false;
    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (kept[p])
            book_keep(&c->book, p);
    book_leave(&c->book, n->id, n->lease.pages, n->lease.positions);
    if (c->book.end == BOOK_RUNNING)
        book_bequeath(&c->book, n->id, n->lease.will, c->config.id);
    return true;
}

bool life_look(struct cluster *c)
{
    bool changed = false;

    forgive_pause(c);

    for (size_t i = 0; i < c->book.count; i++) {
        const struct book_node *node = &c->book.nodes[i];
        struct neighbour *n;

        if (!node->alive || node->id == c->config.id)
            continue;
        n = life_of(c, node->id);
        neighbour_look(c, n);
        changed |= neighbour_fence(c, n) && neighbour_leave(c, n);
    }
    c->looked_at = clock_boot();
    return changed;
}
