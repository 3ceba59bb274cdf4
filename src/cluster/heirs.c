/* heirs.c - writes this node's will to the bus, and carries out the wills of nodes that are gone.
 *
 *     the mind's will -> chunks under keys -> the lease names it -> it is confirmed
 *     the will of a node that is gone -> batches for the logs of its agents' partitions -> settled
 *
 * When a will is carried out, each agent becomes an item of a batch whose sender is made of the
 * will's name, and batches of the node are sent as they are. So if an heir dies half-way, the next
 * one sends the same messages again. SPDX-License-Identifier: MIT */
#include "cluster/cluster_int.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WILL_KEY 64 /* bytes of a key of the bus */

/* A message for the log of a partition. */
struct legacy_message {
    struct legacy_message *next;
    uint32_t part;
    size_t len;
    char bytes[];
};

/* Two sets of keys are used alternately: the last will stays until the lease names the next one. */
static void will_key(uint64_t node, uint64_t number, size_t chunk, char ret[WILL_KEY])
{
    (void)snprintf(ret, WILL_KEY, "will.%016" PRIx64 ".%d.%zu", node, (int)(number % 2), chunk);
}

void cluster_will_free(struct cluster_will *w)
{
    for (size_t i = 0; w && i < w->count; i++)
        buf_free(&w->chunks[i].items);
    if (w)
        receipts_clear(&w->taken);
    free(w);
}

/* ---- our own ---- */

static enum status put_chunk(struct cluster *c)
{
    const struct cluster_will *w = c->writing;
    struct will_head head = w->head;
    struct buf bytes = BUF_INIT(LIMIT_WILL);
    char key[WILL_KEY];
    enum status st;

    head.node = c->config.id;
    head.run = c->lease.run;
    head.number = c->lease.will.number + 1;
    head.index = (uint32_t)c->put;
    head.count = w->chunks[c->put].count;
    will_begin(&bytes, &head);
    buf_add_str(&bytes, buf_str(&w->chunks[c->put].items));
    will_key(head.node, head.number, c->put, key);
    st = line_put(c->line, key, buf_str(&bytes));
    buf_free(&bytes);
    c->put += st == ST_OK;
    return st;
}

/* The receipts come first: a lease must not name a will without them. */
static enum status put_taken(struct cluster *c)
{
    struct will_name will = {.run = c->lease.run, .number = c->lease.will.number + 1};
    enum status st = receipts_put_will(c, &will, &c->writing->taken);

    c->put_taken = st == ST_OK;
    return st;
}

/* The next lease says what the will contains, and how far the logs were read at that time. */
static void will_tell(struct cluster *c)
{
    struct cluster_will *w = c->writing;

    c->lease.will = (struct will_name){c->lease.run, c->lease.will.number + 1, w->count};
    for (uint32_t i = 0; i < PARTITIONS; i++) /* never back: others rely on it */
        if (c->lease.positions[i] < w->safe[i])
            c->lease.positions[i] = w->safe[i];
    c->will_told = w->number;
    receipts_copy(&c->told, &w->taken);
    c->renew_at = 0;
    cluster_will_free(c->last);
    c->last = w;
    c->writing = NULL;
    c->rewrites = false;
}

/* The mind has given these partitions away, and the book does not know it yet. */
static void add_given(struct cluster *c, struct receipts *ret)
{
    pthread_mutex_lock(&c->mutex);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (!receipts_were_open(ret, p, c->parts[p].token))
            receipts_add_part(ret, &c->given_taken[p], p);
    pthread_mutex_unlock(&c->mutex);
}

/* Until a lease is confirmed, the previous one may be our last: its will must not be changed. */
void heirs_write(struct cluster *c)
{
    if (c->writing == NULL && c->next_will && c->will_told == c->will_safe) {
        c->writing = c->next_will;
        c->next_will = NULL;
        add_given(c, &c->writing->taken);
        c->put = 0;
        c->put_taken = false;
    }
    if (c->writing == NULL)
        return;
    if (!c->put_taken && put_taken(c) != ST_OK)
        return;
    do {
        if (put_chunk(c) != ST_OK)
            return;
    } while (c->put < c->writing->count && !keeper_is_due(c, clock_boot()));
    if (c->put == c->writing->count)
        will_tell(c);
}

void heirs_write_again(struct cluster *c, const struct lease *there)
{
    c->will_unconfirmed = c->will_safe; /* the lease that named it is lost */
    if (c->writing == NULL) {
        c->writing = c->last;
        c->last = NULL;
    }
    c->rewrites = c->writing != NULL;
    c->put = 0;
    c->put_taken = false;
    if (c->writing == NULL)
        c->lease.will = there->will; /* of our process before this one */
    else if (c->lease.will.number % 2 != there->will.number % 2)
        c->lease.will.number++; /* the will that is named now stays until ours is whole */
}

bool heirs_are_told(const struct cluster *c)
{
    return c->writing == NULL && c->next_will == NULL && c->will_told == c->will_safe;
}

/* The numbers now belong to other messages. */
void heirs_roll_back(struct cluster *c, uint32_t part, uint64_t end)
{
    struct cluster_will *wills[] = {c->writing, c->next_will};

    for (size_t i = 0; i < ARRAY_LEN(wills); i++)
        if (wills[i] && wills[i]->safe[part] > end)
            wills[i]->safe[part] = end;
}

/* ---- another's ---- */

/* Reads a chunk of this will. ST_INVALID or ST_MISSING if it is not one. */
static enum status read_chunk(struct line *l, uint64_t node, const struct will_name *will,
                              size_t index, struct buf *ret, struct will_head *ret_head)
{
    char key[WILL_KEY];
    uint64_t revision;
    enum status st;

    will_key(node, will->number, index, key);
    st = line_get(l, key, ret, &revision);
    if (st == ST_OK)
        st = will_check(buf_str(ret), ret_head);
    if (st == ST_OK && (ret_head->node != node || ret_head->run != will->run ||
                        ret_head->number != will->number || ret_head->index != index))
        st = status_fail(ST_INVALID, "a will was overwritten by a later one");
    return st;
}

static void message_add(struct bequest *q, uint32_t part, struct str bytes)
{
    struct legacy_message *m = mem_alloc(sizeof *m + bytes.len);

    *m = (struct legacy_message){.part = part, .len = bytes.len};
    memcpy(m->bytes, bytes.ptr, bytes.len);
    if (q->first)
        q->last->next = m;
    else
        q->first = m;
    q->last = m;
}

struct bequest_writer {
    struct bequest *to;
    uint64_t sender;
    uint64_t numbers[PARTITIONS];
    struct batch open[PARTITIONS];
};

static void batch_end(struct bequest_writer *w, uint32_t part)
{
    struct buf bytes = BUF_INIT(2 * LIMIT_BATCH);

    if (w->open[part].count == 0)
        return;
    batch_take(&w->open[part], w->sender, ++w->numbers[part], &bytes);
    message_add(w->to, part, buf_str(&bytes));
    buf_free(&bytes);
}

static void take_item(struct bequest_writer *w, const struct will_item *item)
{
    struct batch_item agent = {
        .kind = BATCH_AGENT, .url = item->url, .depth = item->depth, .agent = item->bytes};
    uint32_t part;

    if (item->is_batch) {
        message_add(w->to, item->part, item->bytes);
        return;
    }
    if (item->is_here) {
        w->to->energy += item->energy;
        w->to->agents++;
    }
    part = partition_of_url(item->url);
    if (batch_is_tight(&w->open[part], &agent) || batch_is_full(&w->open[part]))
        batch_end(w, part);
    batch_add(&w->open[part], &agent);
}

static void take_chunk(struct bequest_writer *w, struct str bytes, const struct will_head *head)
{
    struct cursor from = {.rest = bytes};
    struct will_item item;

    will_open(&from);
    for (uint32_t i = 0; i < head->count; i++) {
        will_next(&from, &item);
        take_item(w, &item);
    }
    w->to->head = *head;
}

static void writer_begin(struct bequest_writer *w, struct bequest *q)
{
    w->to = q;
    w->sender = hash_u64(hash_u64(q->node + q->will.run) + q->will.number) | 1;
    for (uint32_t p = 0; p < PARTITIONS; p++)
        batch_init(&w->open[p]);
}

static void writer_end(struct bequest_writer *w)
{
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        batch_end(w, p);
        batch_clear(&w->open[p]);
    }
}

/* Makes the messages of a will whose chunks are here, and were checked. */
static void bequest_from(struct bequest *q, const struct buf *chunks)
{
    struct bequest_writer w = {0};
    struct will_head head = {0};

    writer_begin(&w, q);
    for (size_t i = 0; i < q->will.chunks; i++)
        if (will_check(buf_str(&chunks[i]), &head) == ST_OK)
            take_chunk(&w, buf_str(&chunks[i]), &head);
    writer_end(&w);
}

/* Reads the messages of a will; an incomplete will has none. */
static enum status bequest_read(struct line *l, struct bequest *q)
{
    struct bequest_writer w = {0};
    enum status st = ST_OK;

    writer_begin(&w, q);
    for (size_t i = 0; i < q->will.chunks && st == ST_OK; i++) {
        struct buf bytes = BUF_INIT(LIMIT_WILL);
        struct will_head head;

        st = read_chunk(l, q->node, &q->will, i, &bytes, &head);
        if (st == ST_OK)
            take_chunk(&w, buf_str(&bytes), &head);
        buf_free(&bytes);
    }
    writer_end(&w);
    if (st != ST_OK) { /* it may be read again, from its beginning */
        struct bequest whose = {.node = q->node, .will = q->will};

        heirs_drop(q);
        *q = whose;
    }
    return st;
}

static enum status send_first(struct cluster *c)
{
    struct bequest *q = &c->bequest;
    struct legacy_message *m = q->first;
    struct str bytes = {m->bytes, m->len};
    uint64_t number;
    enum status st = line_send(c->line, m->part, bytes, &number);

    if (st == ST_OK) {
        logs_mark(c, m->part, number, bytes);
        q->first = m->next;
        free(m);
    }
    return st;
}

void heirs_drop(struct bequest *q)
{
    while (q->first) {
        struct legacy_message *m = q->first;

        q->first = m->next;
        free(m);
    }
    *q = (struct bequest){0};
}

/* Books the energy that the node had at its last report, less the energy of the agents that live on
 * elsewhere, as lost. Repeating this changes nothing. If the node is back, its own figures
 * count. */
static void close_books(struct cluster *c, const struct bequest *q)
{
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    struct ledger *l;
    struct lease lease;
    char key[CLUSTER_LEASE];
    uint64_t revision;
    double left;

    if (cluster_lease(c->line, q->node, &lease, &revision) != ST_OK ||
        (lease.turn != LEASE_GONE && lease.will.number != q->will.number))
        return;
    l = &lease.ledger;
    left = q->head.left + q->energy + l->came - q->head.came;
    l->lost += l->living + l->left - left;
    l->left = left;
    l->living = 0;
    lease.left = q->head.nleft + q->agents + lease.came - q->head.ncame;
    lease.agents = 0;
    lease_save(&lease, &bytes);
    cluster_lease_key(q->node, key);
    if (line_set(c->line, key, buf_str(&bytes), revision, &revision) == ST_OK) {
        life_of(c, q->node)->lease = lease;
        life_of(c, q->node)->is_closed = true;
    }
    buf_free(&bytes);
}

bool heirs_tick(struct cluster *c)
{
    struct bequest *q = &c->bequest;

    if (c->book.end != BOOK_RUNNING)
        return false;
    if (q->is_done)
        book_settle(&c->book, q->node, q->will, q->end);
    return q->is_done || (q->node == 0 && book_inherit(&c->book, c->config.id));
}

static bool is_another(const struct will_name *a, const struct will_name *b)
{
    return a->run != b->run || a->number != b->number;
}

/* We are back, and the servers have lost what was sent when our will was carried out. By now the
 * bus has a later will of ours, but we have read the one that counts. */
static void read_own(struct cluster *c)
{
    struct bequest *q = &c->bequest;

    if (is_another(&q->will, &c->legacy))
        return;
    bequest_from(q, c->legacy_chunks);
    q->is_read = true;
}

/* Are these agents for us to send? Our own are, if others have taken them and we are back. */
static bool is_ours(const struct cluster *c, const struct book_node *n)
{
    if (n == NULL || n->estate != ESTATE_OPEN)
        return false;
    if (n->id == c->config.id)
        return c->legacy.chunks > 0;
    return !n->alive && n->heir == c->config.id;
}

void heirs_follow(struct cluster *c)
{
    struct bequest *q = &c->bequest;
    const struct book_node *n = book_find(&c->book, q->node);

    if (q->node && (!is_ours(c, n) || is_another(&n->will, &q->will)))
        heirs_drop(q);
    for (size_t i = 0; i < c->book.count && q->node == 0; i++) {
        n = &c->book.nodes[i];
        if (!is_ours(c, n))
            continue;
        q->node = n->id;
        q->will = n->will;
        if (n->id == c->config.id)
            read_own(c);
    }
}

void heirs_step(struct cluster *c)
{
    struct bequest *q = &c->bequest;
    enum status st;

    if (q->node == 0 || q->is_done)
        return;
    if (!q->is_read) {
        st = bequest_read(c->line, q);
        if (st == ST_NET)
            return;
        if (st != ST_OK) {
            c->lease.lost++;
            q->is_done = true; /* there is no will to carry out */
            return;
        }
        q->is_read = true;
    }
    while (q->first && !keeper_is_due(c, clock_boot()))
        if (send_first(c) != ST_OK)
            return;
    if (q->first || line_end(c->line, &q->end) != ST_OK)
        return;
    if (q->node != c->config.id)
        close_books(c, q);
    q->is_done = true;
    c->tick_at = 0;
}

/* ---- back, and others have our agents ---- */

static void settle_own(struct book *b, void *ctx)
{
    const struct cluster *c = ctx;

    book_settle(b, c->config.id, c->bequest.will, c->bequest.end);
}

static enum status legacy_read(struct cluster *c)
{
    struct will_head head;
    enum status st = ST_OK;

    for (size_t i = 0; i < c->legacy.chunks && st == ST_OK; i++) {
        c->legacy_chunks[i] = BUF_INIT(LIMIT_WILL);
        st = read_chunk(c->line, c->config.id, &c->legacy, i, &c->legacy_chunks[i], &head);
    }
    return st;
}

/* Does what the heirs may have left undone, so that the will is no longer needed. */
enum status heirs_return(struct cluster *c)
{
    struct bequest *q = &c->bequest;
    enum status st = legacy_read(c);

    if (st != ST_OK && st != ST_NET) { /* an earlier process has done this */
        c->legacy = (struct will_name){0};
        return ST_OK;
    }
    q->node = c->config.id;
    q->will = c->legacy;
    if (st == ST_OK && !c->is_settled)
        st = bequest_read(c->line, q);
    while (st == ST_OK && q->first)
        st = send_first(c);
    if (st == ST_OK && !c->is_settled)
        st = line_end(c->line, &q->end);
    if (st == ST_OK && !c->is_settled)
        st = cluster_change(c->line, settle_own, c, &c->newest);
    heirs_drop(q);
    return st;
}
