/* takeover.c - reads the newest snapshot of a partition that came to this node, and the log after
 * it.
 *
 * One partition is read at a time, in small steps, because leases must be renewed meanwhile.
 * SPDX-License-Identifier: MIT */
#include "cluster/cluster_int.h"

#include "base/limits.h"
#include "base/os/clock.h"

#define STEP_MOST 2000 /* messages at once */

/* ---- where the newest snapshot is ---- */

/* Reads the head of a message of a shelf. `number` becomes 0 if there is no valid one. */
static enum status head_at(struct line *l, uint64_t *number, struct snapshot_head *ret)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    uint32_t part;
    enum status st = line_peek(l, *number, &bytes, &part);

    if (st == ST_MISSING || (st == ST_OK && (snapshot_check(buf_str(&bytes), ret) != ST_OK ||
                                             !snapshot_is_of_past(ret, *number))))
        *number = 0;
    buf_free(&bytes);
    return st == ST_MISSING ? ST_OK : st;
}

/* Each message says where the snapshot before it ends. The newest snapshot begins there if it is
 * whole; if it is still being written, the last whole one ends there. */
enum status takeover_shelf(struct line *l, uint32_t part, uint64_t *ret_from, uint64_t *ret_last)
{
    struct snapshot_head head = {0};
    uint64_t at;
    enum status st = line_last(l, LINE_SHELF(part), ret_last);

    at = *ret_last;
    if (st == ST_OK && at)
        st = head_at(l, &at, &head);
    if (st == ST_OK && at && !head.is_mark) {
        at = head.before;
        if (at)
            st = head_at(l, &at, &head);
    }
    *ret_from = at ? head.before + 1 : 1;
    return st;
}

/* ---- reading ---- */

struct takeover_step {
    struct cluster *c;
    uint32_t i;
    int64_t until;
};

static bool has_time(const struct takeover_step *r)
{
    int64_t now = clock_boot();

    return now < r->until && !keeper_is_due(r->c, now);
}

static bool take_chunk(void *ctx, uint64_t number, struct str bytes)
{
    const struct takeover_step *r = ctx;
    struct part *p = &r->c->parts[r->i];

    snapshot_shelf_take(&p->shelf, number, bytes);
    p->shelf_read = number;
    return number < p->shelf_until && has_time(r);
}

static bool take_batch(void *ctx, uint64_t number, struct str bytes)
{
    const struct takeover_step *r = ctx;
    struct part *p = &r->c->parts[r->i];

    incoming_add(r->c, INCOMING_LOG, r->i, p->token, number, bytes);
    p->read = number;
    p->tail += bytes.len;
    return number < p->until && has_time(r) && incoming_count(r->c) < LIMIT_INCOMING;
}

static void begin(struct cluster *c, uint32_t i)
{
    struct part *p = &c->parts[i];
    uint64_t from;

    if (takeover_shelf(c->line, i, &from, &p->shelf_until) != ST_OK ||
        line_last(c->line, i, &p->until) != ST_OK)
        return;
    snapshot_shelf_clear(&p->shelf);
    p->shelf_read = from - 1;
    p->state = PART_SHELF;
}

/* The receipts of earlier owners; or our own, if our previous process ended when it was about to
 * give the partition away. */
static enum status read_receipts(struct cluster *c, uint32_t i, struct buf *ret)
{
    const struct part *p = &c->parts[i];
    struct receipts own = {0};

    if (receipts_were_open(&c->known_taken, i, p->token)) {
        receipts_add_part(&own, &c->known_taken, i);
        receipts_save(&own, (struct receipts_name){p->token, i}, ret);
        receipts_clear(&own);
        return ST_OK;
    }
    return p->kept ? receipts_get_part(c->line, i, p->kept, ret) : ST_MISSING;
}

/* Gives the mind the receipts, and a complete snapshot, or none. */
static void open_snapshot(struct cluster *c, uint32_t i)
{
    struct part *p = &c->parts[i];
    const struct snapshot *s = snapshot_shelf_best(&p->shelf);
    LOCAL_BUF taken = BUF_INIT(LIMIT_RECEIPTS);

    if (read_receipts(c, i, &taken) == ST_NET)
        return;
    incoming_add(c, INCOMING_BEGIN, i, p->token, p->taken, buf_str(&taken));
    p->read = s ? s->upto : 0;
    p->tail = p->base = 0;
    for (size_t k = 0; s && k < s->count; k++) {
        incoming_add(c, INCOMING_SNAPSHOT, i, p->token, s->upto, s->chunks[k]);
        p->base += s->chunks[k].len;
    }
    snapshot_shelf_clear(&p->shelf);
    p->state = PART_READING;
}

void takeover_step(struct cluster *c, uint32_t i, int64_t until)
{
    struct part *p = &c->parts[i];
    struct takeover_step r = {c, i, until};

    if (p->state == PART_RESTING)
        begin(c, i);
    if (p->state == PART_SHELF) {
        if (p->shelf_read < p->shelf_until)
            (void)!line_walk(c->line, LINE_SHELF(i), p->shelf_read + 1, STEP_MOST, take_chunk, &r);
        if (p->shelf_read >= p->shelf_until)
            open_snapshot(c, i);
    }
    if (p->state == PART_READING) {
        if (p->read < p->until && incoming_count(c) < LIMIT_INCOMING)
            (void)!line_walk(c->line, i, p->read + 1, STEP_MOST, take_batch, &r);
        if (p->read >= p->until) {
            p->state = PART_OPEN;
            incoming_add(c, INCOMING_OPEN, i, p->token, p->read, STR(""));
        }
    }
}
