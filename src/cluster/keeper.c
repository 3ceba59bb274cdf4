/* keeper.c - the thread that keeps a node's place: lease, book, logs.
 *
 * In each round it renews the lease if that is due, looks at the book and at the other nodes (a
 * tick), sends batches and reads logs. Nothing depends on this thread being in time: if renewals
 * fail, the mind stops by the clock (cluster_view.until), whatever this thread waits for.
 *
 * A node whose lease does not change for its whole time is shut out (fenced) in two steps. First
 * its lease is overwritten, at the revision that was seen: from then on it cannot renew. Then the
 * book says that it is gone, and its partitions are free.
 * SPDX-License-Identifier: MIT */
#include "cluster/cluster_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define ROUND      (10 * US_PER_MS)  /* from one round to the next, unless there is work */
#define TICK       (80 * US_PER_MS)  /* from one look at the book to the next … */
#define TICK_NODE  (10 * US_PER_MS)  /* … and so much more for each node */
#define RENEW_PART 4                 /* a lease is renewed in the fourth part of its time … */
#define RENEW_MOST (500 * US_PER_MS) /* … or sooner: it tells how many pages there are … */
#define SAFE_PART  5                 /* … and not relied on in its last fifth */
#define LOOK_STEP  US_PER_S          /* logs are looked at without a hint */
#define READ_MOST  50                /* messages of a log in one round */
#define STOP_WAIT  (3 * US_PER_S)    /* for what is left to be sent, when it stops */
#define STALE_MOST 20                /* times that an old book is not believed */
#define GRACE      2                 /* leases for which expected nodes are waited for */

/* ---- the lease ---- */

static enum status lease_write(struct cluster *c)
{
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];
    int64_t now = clock_boot(), step = c->config.lease / RENEW_PART;
    enum status st;

    c->lease.turn++;
    c->lease.pages = c->report.committed;
    c->lease.relevant = c->report.relevant;
    c->lease.urls = c->report.urls;
    c->lease.lost = c->report.lost;
    c->lease.idle = c->idle_at;
    c->lease.holds = c->idle_holds;
    lease_save(&c->lease, &bytes);
    cluster_lease_key(c->config.id, key);
    st = line_set(c->line, key, buf_str(&bytes), c->lease_revision, &c->lease_revision);
    buf_free(&bytes);
    c->renew_at = now + ROUND;
    if (st != ST_OK)
        return st;
    c->renew_at = now + (step < RENEW_MOST ? step : RENEW_MOST);
    pthread_mutex_lock(&c->mutex);
    c->view.until = now + c->config.lease - c->config.lease / SAFE_PART;
    pthread_mutex_unlock(&c->mutex);
    return ST_OK;
}

/* A write that was not answered may have been made: then the lease is ours, and of this turn. Of
 * an earlier turn: the server has lost what we wrote since. Of another run: the same directory, or
 * a copy of it, is at work elsewhere, and the newest one counts. */
static bool lease_is_ours(struct cluster *c)
{
    struct lease there;
    uint64_t revision;

    if (cluster_lease(c->line, c->config.id, &there, &revision) != ST_OK ||
        there.run != c->lease.run || there.turn > c->lease.turn)
        return false;
    c->lease_revision = revision;
    return true;
}

static void lease_renew(struct cluster *c)
{
    if (lease_write(c) != ST_BUSY)
        return;
    if (lease_is_ours(c))
        c->renew_at = 0;
    else
        c->fenced = true;
}

/* ---- joining ---- */

static void join_book(struct book *b, void *ctx)
{
    struct cluster *c = ctx;

    if (b->end == BOOK_STOPPED) /* whoever comes back goes on with it */
        b->end = BOOK_RUNNING;
    if (b->end == BOOK_RUNNING)
        (void)!book_join(b, c->config.id, c->config.stored);
}

enum status keeper_join(struct cluster *c)
{
    struct lease before;
    enum status st;

    c->started = clock_boot();
    if (getrandom(&c->lease.run, sizeof c->lease.run, 0) != (ssize_t)sizeof c->lease.run)
        return status_fail(ST_IO, "no random number for this node");
    c->report.committed = c->said.committed = c->config.stored;
    for (uint32_t i = 0; i < PARTITIONS; i++) /* as long as that it was */
        if (c->config.parts[i].position > c->stream_end)
            c->stream_end = c->config.parts[i].position;
    (void)gethostname(c->lease.host, sizeof c->lease.host);
    c->lease.host[sizeof c->lease.host - 1] = '\0';
    st = cluster_lease(c->line, c->config.id, &before, &c->lease_revision);
    if (st == ST_OK && before.turn != LEASE_GONE)
        c->lease.turn = before.turn;
    if (st != ST_NET) /* none yet, our own, or one that others have overwritten */
        st = lease_write(c);
    if (st == ST_OK)
        st = cluster_change(c->line, join_book, c, &c->newest);
    while (st == ST_OK && c->book_revision < c->newest)
        st = cluster_book(c->line, &c->book, &c->book_revision);
    if (st == ST_OK && c->book.end != BOOK_RUNNING)
        st = status_fail(ST_USAGE, "the crawl has ended: every page it wanted is fetched");
    if (st == ST_OK && book_find(&c->book, c->config.id) == NULL)
        st = status_fail(ST_LIMIT, "%d nodes have taken part in this crawl: no more can join",
                         LIMIT_NODES);
    c->view.granted = c->book.limit ? 0 : UINT64_MAX;
    return st;
}

/* ---- the others ---- */

static struct neighbour *neighbour_of(struct cluster *c, uint64_t id)
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
    uint64_t revision = n->revision;
    enum status st = cluster_lease(c->line, n->id, &n->lease, &revision);

    if (st == ST_OK || st == ST_INVALID || st == ST_MISSING) {
        n->lapsed = st != ST_OK || n->lease.turn == LEASE_GONE;
        if (revision != n->revision)
            n->seen = clock_boot();
        n->revision = revision;
    } else {
        n->seen = clock_boot(); /* nothing was seen: its time starts again */
    }
}

/* Ends the lease of a node whose time is over; false: it lives. */
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
    lease_save(&gone, &bytes);
    cluster_lease_key(n->id, key);
    n->lapsed = line_set(c->line, key, buf_str(&bytes), n->revision, &n->revision) == ST_OK;
    buf_free(&bytes);
    return n->lapsed;
}

/* No node is gone only because we did not look: after a pause everybody's time starts again. */
static void forgive_pause(struct cluster *c)
{
    int64_t now = clock_boot();

    if (now - c->looked_at > c->config.lease / RENEW_PART)
        for (size_t i = 0; i < c->nneighbours; i++)
            c->neighbours[i].seen = now;
    c->looked_at = now;
}

/* True: the book was changed. */
static bool look_at_others(struct cluster *c)
{
    bool changed = false;

    forgive_pause(c);

    for (size_t i = 0; i < c->book.count; i++) {
        const struct book_node *node = &c->book.nodes[i];
        struct neighbour *n;

        if (!node->alive || node->id == c->config.id)
            continue;
        n = neighbour_of(c, node->id);
        neighbour_look(c, n);
        if (neighbour_fence(c, n)) {
            book_leave(&c->book, n->id, n->lease.pages);
            changed = true;
        }
    }
    return changed;
}

/* ---- partitions ---- */

/* What the book says of our partitions becomes true here. */
static void follow_book(struct cluster *c)
{
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        const struct cluster_part *had = &c->config.parts[i];
        const struct book_part *b = &c->book.parts[i];
        struct part *p = &c->parts[i];

        if (p->state != PART_NONE && p->state != PART_CLOSED &&
            (b->owner != c->config.id || b->token != p->token))
            c->fenced = true; /* the servers have lost the book in which it was ours */
        if (b->owner != c->config.id || p->state != PART_NONE)
            continue;
        p->token = b->token;
        p->read = 0;
        line_listen(c->line, i, true);
        if (had->token == b->token) {
            p->read = had->position;
            p->state = PART_OPEN;
            incoming_add(c, INCOMING_OPEN, i, p->token, p->read, STR(""));
        } else { /* whoever had it before may have asked its hosts a moment ago */
            p->rest_end = clock_boot() + (b->token > 1 ? c->config.rest : 0);
            p->state = PART_RESTING;
        }
    }
}

/* One partition too many is handed over at a time, while somebody has too few. */
static void give_surplus(struct cluster *c)
{
    size_t own = book_owned(&c->book, c->config.id);

    if (own <= book_share(&c->book, 0) || clock_boot() < c->started + c->config.lease)
        return;
    for (uint32_t i = 0; i < PARTITIONS; i++)
        if (c->parts[i].state == PART_CLOSING || c->parts[i].state == PART_CLOSED)
            own--;
    for (uint32_t i = PARTITIONS; i-- > 0 && own > book_share(&c->book, 0);)
        if (c->parts[i].state == PART_OPEN) {
            c->parts[i].state = PART_CLOSING;
            incoming_add(c, INCOMING_CLOSE, i, 0, 0, STR(""));
            own--;
        }
}

/* True: the book was changed. */
static bool give_closed(struct cluster *c)
{
    bool changed = false;

    for (uint32_t i = 0; i < PARTITIONS; i++) {
        pthread_mutex_lock(&c->mutex);
        if (c->given[i] && c->parts[i].state == PART_CLOSING)
            c->parts[i].state = PART_CLOSED;
        c->given[i] = false;
        pthread_mutex_unlock(&c->mutex);
        if (c->parts[i].state == PART_CLOSED && c->sending == NULL) {
            book_give(&c->book, c->config.id, i);
            changed = true;
        }
    }
    return changed;
}

static void forget_given(struct cluster *c)
{
    for (uint32_t i = 0; i < PARTITIONS; i++)
        if (c->parts[i].state == PART_CLOSED && c->book.parts[i].owner != c->config.id) {
            line_listen(c->line, i, false);
            c->parts[i] = (struct part){0};
            c->config.parts[i] = (struct cluster_part){0};
        }
}

/* ---- limits and ends ---- */

static bool ask_for_pages(struct cluster *c)
{
    if (c->report.idle)
        return book_return(&c->book, c->config.id, c->report.committed);
    return c->report.wants && book_grant(&c->book, c->config.id) > 0;
}

static uint64_t pages_of(struct cluster *c, const struct book_node *n)
{
    if (!n->alive)
        return n->granted;
    return n->id == c->config.id ? c->report.committed : neighbour_of(c, n->id)->lease.pages;
}

static bool all_pages_are_stored(struct cluster *c)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < c->book.count; i++)
        sum += pages_of(c, &c->book.nodes[i]);
    return c->book.limit > 0 && sum >= c->book.limit;
}

/* Does a node say that it was idle at the same end of the stream as we, with the partitions that
 * the book gives it now? */
static bool is_idle_too(struct cluster *c, uint64_t id)
{
    const struct lease *l = &neighbour_of(c, id)->lease;

    return l->idle == c->idle_at && l->holds == book_print(&c->book, id);
}

/* Everything that was ever sent is taken, everybody has nothing left to do, and nobody has sent
 * anything since: then nothing can happen any more. */
static bool all_are_idle(struct cluster *c)
{
    uint64_t end;

    if (c->idle_at == 0 || book_free_parts(&c->book) > 0 ||
        c->idle_holds != book_print(&c->book, c->config.id))
        return false;
    for (size_t i = 0; i < c->book.count; i++) {
        const struct book_node *n = &c->book.nodes[i];

        if (n->alive && n->id != c->config.id && !is_idle_too(c, n->id))
            return false;
    }
    return line_end(c->line, &end) == ST_OK && end + 1 == c->idle_at;
}

static bool find_end(struct cluster *c)
{
    if (c->book.end != BOOK_RUNNING)
        return false;
    if (all_pages_are_stored(c))
        c->book.end = BOOK_PAGES;
    else if (all_are_idle(c))
        c->book.end = BOOK_COMPLETE;
    return c->book.end != BOOK_RUNNING;
}

/* Has this node taken all that is addressed to it, in all partitions that the book gives it? */
static bool has_taken_all(struct cluster *c)
{
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        bool ours = c->book.parts[i].owner == c->config.id;
        uint64_t last;

        if (c->parts[i].state != (ours ? PART_OPEN : PART_NONE))
            return false;
        if (ours && (line_last(c->line, i, &last) != ST_OK || last > c->parts[i].read ||
                     last > c->report.positions[i]))
            return false;
    }
    return true;
}

static void look_whether_idle(struct cluster *c)
{
    uint64_t before = c->idle_at, holds = book_print(&c->book, c->config.id), end;

    if (!c->report.idle || c->sending || c->report_taken != c->added) {
        c->idle_at = 0;
    } else if (line_end(c->line, &end) == ST_OK &&
               (end + 1 != c->idle_at || holds != c->idle_holds)) {
        c->idle_at = has_taken_all(c) ? end + 1 : 0;
        c->idle_holds = holds;
    }
    if (c->idle_at != before)
        c->renew_at = 0; /* the others shall know */
}

/* ---- a tick ---- */

static void publish_view(struct cluster *c)
{
    const struct book_node *me = book_find(&c->book, c->config.id);

    pthread_mutex_lock(&c->mutex);
    c->view.end = c->book.end;
    c->view.granted = c->book.limit == 0 ? UINT64_MAX : me ? me->granted : 0;
    pthread_mutex_unlock(&c->mutex);
}

static enum status book_write(struct cluster *c)
{
    struct buf bytes = BUF_INIT(LIMIT_BOOK);
    enum status st;

    book_save(&c->book, &bytes);
    st = line_set(c->line, CLUSTER_BOOK, buf_str(&bytes), c->book_revision, &c->book_revision);
    buf_free(&bytes);
    return st;
}

/* Is the stream shorter than it was? Then what we keep is sent again. */
static void look_for_rollback(struct cluster *c)
{
    uint64_t end;

    if (c->stream_end == 0 || line_end(c->line, &end) != ST_OK || end >= c->stream_end)
        return;
    c->stream_end = end;
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        if (c->parts[i].state == PART_READING) /* the message it reads up to may be gone */
            c->parts[i].state = PART_RESTING;
        if (c->parts[i].read > end)
            c->parts[i].read = end;
        if (c->config.parts[i].position > end)
            c->config.parts[i].position = end;
    }
    pthread_mutex_lock(&c->mutex);
    c->view.rollbacks++;
    pthread_mutex_unlock(&c->mutex);
}

/* Nodes that were announced and never came are waited for only so long. */
static size_t expected_nodes(const struct cluster *c)
{
    bool awaited = clock_boot() < c->started + GRACE * c->config.lease;

    return awaited && c->book.count < c->config.nodes ? c->config.nodes : 0;
}

static void tick(struct cluster *c)
{
    const struct book_node *me;
    bool changed;

    if (cluster_book(c->line, &c->book, &c->book_revision) != ST_OK)
        return;
    if (c->book_revision < c->newest && ++c->stale < STALE_MOST)
        return; /* a server that lags; unless all of them have lost what was written since */
    c->newest = c->book_revision;
    c->stale = 0;
    me = book_find(&c->book, c->config.id);
    if (me == NULL || !me->alive) {
        c->fenced = true;
        return;
    }
    look_for_rollback(c);
    look_whether_idle(c);
    changed = look_at_others(c);
    if (c->book.end == BOOK_RUNNING)
        changed |= book_take(&c->book, c->config.id, expected_nodes(c)) > 0;
    changed |= give_closed(c);
    changed |= ask_for_pages(c);
    changed |= find_end(c);
    if (changed && book_write(c) != ST_OK)
        return; /* what was changed here never happened; the next tick reads what did */
    follow_book(c);
    forget_given(c);
    give_surplus(c);
    publish_view(c);
}

/* ---- batches ---- */

static void take_outgoing(struct cluster *c)
{
    struct outgoing **end = &c->sending;

    while (*end)
        end = &(*end)->next;
    *end = c->first_out;
    c->first_out = NULL;
    c->last_out = &c->first_out;
    c->lease.outbox = 0;
    for (const struct outgoing *o = c->sending; o; o = o->next)
        c->lease.outbox++;
}

static bool send_one(struct cluster *c)
{
    struct outgoing *o = c->sending;
    uint64_t at;

    if (line_send(c->line, o->part, (struct str){o->bytes, o->len}, &at) != ST_OK)
        return false;
    if (at > c->stream_end)
        c->stream_end = at;
    pthread_mutex_lock(&c->mutex);
    if (o->number > c->view.sent[o->part])
        c->view.sent[o->part] = o->number;
    pthread_mutex_unlock(&c->mutex);
    c->sending = o->next;
    free(o);
    return true;
}

static bool is_due(const struct cluster *c, int64_t now)
{
    return now >= c->renew_at || now >= c->tick_at;
}

static void send_all(struct cluster *c)
{
    c->idle_at = c->sending ? 0 : c->idle_at;
    while (c->sending && !is_due(c, clock_boot()) && send_one(c))
        ;
}

/* Up to READ_MOST messages; false: there is none left. */
static bool read_log(struct cluster *c, uint32_t i, enum incoming_kind kind)
{
    struct part *p = &c->parts[i];
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    enum status st = ST_OK;

    for (int n = 0; n < READ_MOST && st == ST_OK && incoming_count(c) < LIMIT_INCOMING; n++) {
        buf_clear(&bytes);
        st = line_next(c->line, i, p->read + 1, &bytes, &p->read);
        if (st == ST_OK)
            incoming_add(c, kind, i, p->token, p->read, buf_str(&bytes));
    }
    buf_free(&bytes);
    return st == ST_OK;
}

static void read_part(struct cluster *c, uint32_t i, int64_t now)
{
    struct part *p = &c->parts[i];

    if (p->state == PART_RESTING && now >= p->rest_end &&
        line_last(c->line, i, &p->until) == ST_OK) {
        p->state = PART_READING;
        incoming_add(c, INCOMING_BEGIN, i, p->token, 0, STR(""));
    }
    if (p->state == PART_READING) {
        if (p->read < p->until)
            (void)read_log(c, i, INCOMING_LOG);
        if (p->read >= p->until) {
            p->state = PART_OPEN;
            incoming_add(c, INCOMING_OPEN, i, p->token, p->read, STR(""));
        }
    } else if ((p->state == PART_OPEN || p->state == PART_CLOSING) &&
               (line_hint(c->line, i) || now >= p->look_at)) {
        p->look_at = read_log(c, i, INCOMING_BATCH) ? 0 : now + LOOK_STEP;
    }
}

static void read_all(struct cluster *c)
{
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        int64_t now = clock_boot();

        if (is_due(c, now))
            return;
        read_part(c, i, now);
    }
}

/* ---- the thread ---- */

static void wait_for_work(struct cluster *c)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ROUND * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (c->first_out == NULL && c->sending == NULL && !c->stopping)
        (void)pthread_cond_timedwait(&c->work, &c->mutex, &until);
}

static void leave_book(struct book *b, void *ctx)
{
    const struct cluster *c = ctx;

    if (b->end == BOOK_RUNNING)
        b->end = c->stop_end;
    book_leave(b, c->config.id, c->stop_stored);
}

static void leave(struct cluster *c)
{
    int64_t until = clock_boot() + STOP_WAIT;

    while (c->sending && clock_boot() < until)
        if (!send_one(c))
            clock_sleep(ROUND);
    c->report.committed = c->stop_stored;
    (void)!lease_write(c); /* its last figures */
    (void)!cluster_change(c->line, leave_book, c, &c->newest);
}

void *keeper_main(void *ctx)
{
    struct cluster *c = ctx;
    bool stopping = false;

    (void)pthread_setname_np(pthread_self(), "keeper");
    while (!stopping && !c->fenced) {
        int64_t now;

        pthread_mutex_lock(&c->mutex);
        wait_for_work(c);
        c->report = c->said;
        c->report_taken = c->said_taken;
        take_outgoing(c);
        stopping = c->stopping;
        pthread_mutex_unlock(&c->mutex);
        now = clock_boot();
        if (now >= c->renew_at)
            lease_renew(c);
        if (now >= c->tick_at && !c->fenced) {
            tick(c);
            c->tick_at = clock_boot() + TICK + TICK_NODE * (int64_t)book_alive(&c->book);
        }
        send_all(c);
        read_all(c);
    }
    pthread_mutex_lock(&c->mutex);
    c->view.fenced = c->fenced;
    while (c->fenced && !c->stopping)
        (void)pthread_cond_wait(&c->work, &c->mutex);
    pthread_mutex_unlock(&c->mutex);
    if (!c->fenced)
        leave(c);
    return NULL;
}
