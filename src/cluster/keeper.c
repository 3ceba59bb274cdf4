/* keeper.c - the thread that keeps a node's place: lease, book, logs.
 *
 * In each round it renews the lease if that is due, looks at the book and at the other nodes (a
 * tick), sends batches and reads logs. Nothing depends on this thread being in time: if renewals
 * fail, the mind stops by the clock (cluster_view.until), even while this thread waits.
 *
 * Its work is divided: life.c has the leases, keys.c restores what the servers have lost of these
 * and of the book, logs.c has the partitions and their logs, takeover.c and compact.c the snapshots
 * of these. SPDX-License-Identifier: MIT */
#include "cluster/branch.h"
#include "cluster/cluster_int.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"

#include <time.h>

#define TICK      (80 * US_PER_MS) /* from one look at the book to the next … */
#define TICK_NODE (10 * US_PER_MS) /* … and this much more for each node */
#define HURRY     (50 * US_PER_MS) /* from one renewal to the next while agents wait for it */
#define STOP_WAIT (3 * US_PER_S)   /* to send what is left, when it stops */
#define GRACE     2                /* leases: how long expected nodes are waited for */

/* ---- limits and ends ---- */

/* Returns the first of some more numbers for agents; 0 if none are needed. */
static uint32_t ask_for_numbers(struct cluster *c)
{
    return c->report.numbers && c->report.lots == c->view.lots ? book_number(&c->book) : 0;
}

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
    return n->id == c->config.id ? c->report.committed : life_of(c, n->id)->lease.pages;
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
    const struct lease *l = &life_of(c, id)->lease;

    return l->idle == c->idle_at && l->holds == book_print(&c->book, id);
}

/* Every message is taken, no node has work left, and none has sent anything since: then nothing
 * more can happen. */
static bool all_are_idle(struct cluster *c)
{
    uint64_t end;

    if (c->idle_at == 0 || book_free_parts(&c->book) > 0 || book_has_estates(&c->book) ||
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
    uint32_t ours[PARTITIONS];
    uint64_t last[PARTITIONS];
    size_t count = 0;
    bool all = true;

    for (uint32_t i = 0; i < PARTITIONS; i++) {
        bool is_ours = c->book.parts[i].owner == c->config.id;

        if (c->parts[i].state != (is_ours ? PART_OPEN : PART_NONE))
            return false;
        if (is_ours)
            ours[count++] = i;
    }
    if (line_last_all(c->line, ours, count, last) != ST_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct part *p = &c->parts[ours[i]];

        if (last[i] > p->read)
            p->full_at = 0;
        all &= last[i] <= p->read && last[i] <= c->report.positions[ours[i]];
    }
    return all;
}

static void look_whether_idle(struct cluster *c)
{
    uint64_t before = c->idle_at, holds = book_print(&c->book, c->config.id);

    if (!c->report.idle || c->sending || c->report_taken != c->added) {
        c->idle_at = 0;
    } else if (c->end_known && (c->end + 1 != c->idle_at || holds != c->idle_holds)) {
        c->idle_at = has_taken_all(c) ? c->end + 1 : 0;
        c->idle_holds = holds;
    }
    if (c->idle_at != before)
        c->renew_at = 0; /* the others should know soon */
}

/* ---- a tick ---- */

static void publish_asks(struct cluster *c, const struct lease *l)
{
    for (size_t i = 0; i < LEASE_ASKS && c->view.nasked < CLUSTER_ASKED; i++)
        if (l->asks[i].from > 0 && l->asks[i].sender == c->config.id)
            c->view.asked[c->view.nasked++] = l->asks[i];
}

/* Nodes that were expected and never came are waited for only a limited time. */
static size_t expected_nodes(const struct cluster *c)
{
    bool awaited = clock_boot() < c->started + GRACE * c->config.lease;

    return awaited && c->book.count < c->config.nodes ? c->config.nodes : 0;
}

uint32_t keeper_nodes(const struct cluster *c)
{
    size_t alive = book_alive(&c->book), expected = expected_nodes(c);

    return (uint32_t)(expected > alive ? expected : alive);
}

/* Publishes the figures of the other nodes' agents, and the batches that they miss. */
static void publish_others(struct cluster *c)
{
    c->view.agents = 0;
    c->view.nodes = keeper_nodes(c);
    c->view.nasked = 0;
    publish_asks(c, &c->lease); /* own messages can be lost, too */
    buf_clear(&c->sums);
    for (size_t i = 0; i < c->book.count; i++) {
        const struct book_node *n = &c->book.nodes[i];
        const struct lease *l;

        if (!n->alive || n->id == c->config.id)
            continue;
        l = &life_of(c, n->id)->lease;
        publish_asks(c, l);
        c->view.agents += l->agents < LIMIT_AGENTS ? l->agents : LIMIT_AGENTS;
        if (l->nsums)
            buf_put_str(&c->sums, (struct str){l->sums, l->nsums});
    }
}

static void publish_view(struct cluster *c)
{
    const struct book_node *me = book_find(&c->book, c->config.id);

    pthread_mutex_lock(&c->mutex);
    publish_others(c);
    c->view.end = c->book.end;
    c->view.granted = c->book.limit == 0 ? UINT64_MAX : me ? me->granted : 0;
    pthread_mutex_unlock(&c->mutex);
}

static void publish_lot(struct cluster *c, uint32_t first)
{
    pthread_mutex_lock(&c->mutex);
    c->view.lot = first;
    c->view.lots++;
    pthread_mutex_unlock(&c->mutex);
}

/* Reads the book. Returns whether this node may do what it says, and change it. */
static bool tick_begin(struct cluster *c)
{
    const struct book_node *me;
    bool may_change;

    if (cluster_book(c->line, &c->book, &c->book_revision) != ST_OK)
        return false;
    may_change = keys_check(c);
    me = book_find(&c->book, c->config.id);
    if (me == NULL || !me->alive)
        c->fenced = branch_compare(&c->book, &c->seen) == BRANCH_SAME;
    return may_change && !c->fenced;
}

static void tick(struct cluster *c)
{
    uint32_t lot;
    bool changed;

    if (!tick_begin(c))
        return;
    c->end_known = line_end(c->line, &c->end) == ST_OK;
    changed = logs_lost(c);
    look_whether_idle(c);
    changed |= life_look(c);
    if (c->book.end == BOOK_RUNNING)
        changed |= book_take(&c->book, c->config.id, expected_nodes(c)) > 0;
    changed |= logs_give(c);
    changed |= heirs_tick(c);
    changed |= ask_for_pages(c);
    lot = ask_for_numbers(c);
    changed |= find_end(c) || lot > 0;
    if (changed && cluster_write(c->line, &c->book, &c->book_revision) != ST_OK)
        return; /* the change did not take effect; the next tick reads the book as it is */
    if (!changed && logs_are_new(c) &&
        cluster_book_newest(c->line, &c->book, &c->book_revision) != ST_OK)
        return; /* a change of ours without an answer may have been undone */
    if (changed && keys_went_back(c, c->book_revision))
        return; /* that changed an older book, so the others undo it */
    keys_remember(c);
    if (lot > 0)
        publish_lot(c, lot);
    logs_rolled(c);
    logs_follow(c);
    heirs_follow(c);
    logs_forget(c);
    logs_surplus(c);
    arrived_look(c);
    publish_view(c);
}

/* ---- the thread ---- */

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

/* Takes the newest will. */
static void take_will(struct cluster *c)
{
    if (c->said_will == NULL)
        return;
    cluster_will_free(c->next_will);
    c->next_will = c->said_will;
    c->said_will = NULL;
}

bool keeper_is_due(const struct cluster *c, int64_t now)
{
    return now >= c->renew_at || now >= c->tick_at;
}

static void wait_for_work(struct cluster *c)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ROUND * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (c->is_stuck || (c->first_out == NULL && c->sending == NULL && !c->stopping))
        (void)pthread_cond_timedwait(&c->work, &c->mutex, &until);
}

/* The end of this node's part in the crawl. */
struct leaving {
    const struct cluster *c;
    bool kept[PARTITIONS]; /* the receipts of these partitions */
};

static void leave_book(struct book *b, void *ctx)
{
    const struct leaving *l = ctx;
    const struct cluster *c = l->c;
    const struct book_node *me = book_find(b, c->config.id);

    if (b->end == BOOK_RUNNING)
        b->end = c->stop_end;
    if (me == NULL || !me->alive)
        return; /* others were first */
    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (l->kept[p] && b->parts[p].owner == c->config.id &&
            b->parts[p].token == c->book.parts[p].token)
            book_keep(b, p);
    book_leave(b, c->config.id, c->stop_stored, c->lease.positions);
    if (b->end == BOOK_RUNNING)
        book_bequeath(b, c->config.id, c->lease.will, 0);
}

static void leave(struct cluster *c)
{
    int64_t until = clock_boot() + STOP_WAIT;
    struct leaving l = {.c = c};

    c->report.committed = c->stop_stored;
    while (!heirs_are_told(c) && !c->fenced && clock_boot() < until) {
        heirs_write(c);
        life_renew(c);
        clock_sleep(ROUND);
    }
    if (c->fenced) /* another process has our place in the book */
        return;
    while (c->sending && clock_boot() < until)
        if (!logs_send_some(c))
            clock_sleep(ROUND);
    (void)!life_write(c); /* its last figures */
    if (cluster_book(c->line, &c->book, &c->book_revision) == ST_OK)
        (void)keys_check(c);
    if (receipts_inherit(c, c->config.id, c->told.count ? &c->told : &c->stood, l.kept) == ST_OK)
        (void)!cluster_change(c->line, leave_book, &l, &c->newest);
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
        take_will(c);
        stopping = c->stopping;
        pthread_mutex_unlock(&c->mutex);
        now = clock_boot();
        if (now >= c->renew_at ||
            ((c->report.waits || c->will_told != c->will_safe) && now >= c->renewed_at + HURRY))
            life_renew(c);
        if (now >= c->tick_at && !c->fenced) {
            tick(c);
            c->tick_at = clock_boot() + TICK + TICK_NODE * (int64_t)book_alive(&c->book);
        }
        heirs_write(c);
        logs_send(c);
        logs_read(c);
        heirs_step(c);
        compact_step(c);
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
