/* compact.c - the owner of a partition writes a snapshot of it when its log has grown.
 *
 *     the log has grown -> read the last snapshot, and the log behind it -> fold -> chunks -> mark
 *
 * In: logs of partitions that are open here. One is read at a time, in small steps between other
 * work. It goes up to the message that our lease calls committed: agents before it live somewhere,
 * as our receipts say, and are not in the snapshot.
 *
 * Limit: messages that a snapshot replaces stay on the bus. nats-server 2.9 can delete messages of
 * one subject, but if a server is killed after that, older messages of others are gone, too
 * (ADR 0023).
 * SPDX-License-Identifier: MIT */
#include "cluster/cluster_int.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/os/clock.h"

#include <stdlib.h>
#include <string.h>

#define STEP      (10 * US_PER_MS) /* of reading in one round … */
#define STEP_MOST 500              /* … and so many messages */
#define ACK_MOST  (5 * US_PER_S)
#define GROWN     2 /* the log is as large as this part of its snapshot, or larger */

enum { COMPACT_NONE, COMPACT_SHELF, COMPACT_FOLD, COMPACT_LOG, COMPACT_SEND };

/* A message of the snapshot on its way. */
struct unsent {
    struct unsent *next;
    size_t len;
    char bytes[];
};

static void message_add(void *ctx, struct str message)
{
    struct compact *w = ctx;
    struct unsent *m = mem_alloc(sizeof *m + message.len);

    m->next = NULL;
    m->len = message.len;
    memcpy(m->bytes, message.ptr, message.len);
    *w->tail = m;
    w->tail = &m->next;
    w->bytes += message.len;
}

static void drop_first(struct compact *w)
{
    struct unsent *m = w->first;

    w->first = m->next;
    free(m);
    w->nflight = 0;
}

void compact_abandon(struct cluster *c)
{
    struct compact *w = &c->compact;

    while (w->first)
        drop_first(w);
    snapshot_shelf_clear(&w->shelf);
    fold_free(w->fold);
    *w = (struct compact){.tail = &w->first, .made = w->made};
}

/* ---- reading ---- */

static bool has_time(const struct cluster *c)
{
    int64_t now = clock_boot();

    return now < c->compact.until && !keeper_is_due(c, now);
}

static bool take_chunk(void *ctx, uint64_t number, struct str bytes)
{
    struct cluster *c = ctx;

    snapshot_shelf_take(&c->compact.shelf, number, bytes);
    c->compact.read = number;
    return number < c->compact.last && has_time(c);
}

/* A snapshot has no agents. But if the servers have lost messages and nobody has noticed this yet,
 * there may be agents that we have not taken where others were before. */
static bool lives_somewhere(const struct cluster *c, struct str bytes)
{
    struct batch_head head;

    return !batch_is_agents(bytes) || batch_check(bytes, &head) != ST_OK ||
           receipts_have(&c->stood, c->compact.part, head.sender, head.number);
}

static bool take_batch(void *ctx, uint64_t number, struct str bytes)
{
    struct cluster *c = ctx;

    if (number <= c->compact.upto && !lives_somewhere(c, bytes)) {
        c->compact.stage = COMPACT_NONE;
        return false;
    }
    if (number <= c->compact.upto)
        fold_take(c->compact.fold, bytes);
    c->compact.read = number;
    return number < c->compact.upto && has_time(c);
}

/* Folds the older snapshot, chunk by chunk, and then the log. */
static void step_fold(struct cluster *c)
{
    struct compact *w = &c->compact;
    const struct snapshot *s = snapshot_shelf_best(&w->shelf);

    if (w->fold == NULL)
        w->fold = fold_new();
    while (s && w->folded < s->count && has_time(c))
        fold_take(w->fold, s->chunks[w->folded++]);
    if (s && w->folded < s->count)
        return;
    w->read = s ? s->upto : 0;
    w->head.before = s ? s->mark : 0;
    snapshot_shelf_clear(&w->shelf);
    w->stage = COMPACT_LOG;
}

static void begin_sending(struct cluster *c)
{
    struct compact *w = &c->compact;

    w->head.id = hash_u64(c->lease.run + ++w->made) | 1;
    w->head.upto = w->upto;
    if (fold_write(w->fold, &w->head, clock_now(), message_add, w) != ST_OK) {
        compact_abandon(c);
        return;
    }
    fold_free(w->fold);
    w->fold = NULL;
    w->stage = COMPACT_SEND;
}

static void step_read(struct cluster *c)
{
    struct compact *w = &c->compact;

    if (w->stage == COMPACT_SHELF) {
        if (w->read < w->last)
            (void)!line_walk(c->line, LINE_SHELF(w->part), w->read + 1, STEP_MOST, take_chunk, c);
        if (w->read >= w->last)
            w->stage = COMPACT_FOLD;
    }
    if (w->stage == COMPACT_FOLD)
        step_fold(c);
    if (w->stage == COMPACT_LOG && has_time(c)) {
        if (w->read < w->upto)
            (void)!line_walk(c->line, w->part, w->read + 1, STEP_MOST, take_batch, c);
        if (w->stage == COMPACT_NONE)
            compact_abandon(c);
        else if (w->read >= w->upto)
            begin_sending(c);
    }
}

/* ---- writing ---- */

/* Sends some chunks at once, and the mark by itself when the bus has all chunks. */
static void flight_fill(struct compact *w)
{
    struct unsent *m = w->first;

    for (; m && w->nflight < COMPACT_FLIGHT && (m->next || w->nflight == 0); m = m->next)
        w->flight[w->nflight++] = (struct line_letter){
            .part = LINE_SHELF(w->part), .bytes = {m->bytes, m->len}, .behind = LINE_ANYWHERE};
    w->in_flight = w->nflight;
    w->flown_at = clock_boot();
}

static void step_send(struct cluster *c)
{
    struct compact *w = &c->compact;
    size_t left = 0;
    bool late;

    if (w->nflight == 0)
        flight_fill(w);
    line_send_all(c->line, w->flight, w->nflight);
    late = clock_boot() > w->flown_at + ACK_MOST;
    if (late)
        w->flown_at = clock_boot(); /* what is sent again gets its time for an answer, too */
    for (size_t i = 0; i < w->nflight; i++) {
        if (w->flight[i].number)
            continue;
        if (late)
            w->flight[i].id = 0; /* it is sent again; a repeat does no harm */
        w->flight[left++] = w->flight[i];
    }
    w->nflight = left;
    for (size_t i = 0; left == 0 && i < w->in_flight; i++)
        drop_first(w);
    if (w->first == NULL) {
        c->parts[w->part].base = w->bytes;
        c->lease.snapshots++;
        compact_abandon(c);
    }
}

/* ---- when ---- */

static bool has_grown(const struct cluster *c, uint32_t i)
{
    const struct part *p = &c->parts[i];

    return p->state == PART_OPEN && p->tail >= c->config.snapshot && p->tail >= p->base / GROWN &&
           c->safe[i] > p->upto;
}

static void start_next(struct cluster *c)
{
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        struct part *p = &c->parts[i];
        uint64_t from, last;

        if (!has_grown(c, i) || takeover_shelf(c->line, i, &from, &last) != ST_OK)
            continue;
        compact_abandon(c);
        c->compact.part = i;
        c->compact.read = from - 1;
        c->compact.last = last;
        c->compact.upto = p->upto = c->safe[i];
        c->compact.stage = COMPACT_SHELF;
        p->tail = 0;
        return;
    }
}

void compact_step(struct cluster *c)
{
    struct compact *w = &c->compact;

    if (c->config.snapshot == 0 || c->book.end != BOOK_RUNNING)
        return;
    w->until = clock_boot() + STEP;
    if (w->stage != COMPACT_NONE && c->parts[w->part].state != PART_OPEN)
        compact_abandon(c);
    if (w->stage == COMPACT_NONE && !c->report.idle)
        start_next(c);
    if (w->stage == COMPACT_SEND)
        step_send(c);
    else if (w->stage != COMPACT_NONE)
        step_read(c);
}
