/* cluster.c - between the mind and the keeper: two lists and two small structs under one lock.
 * SPDX-License-Identifier: MIT */
#include "cluster/cluster_int.h"

#include "base/limits.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define CHANGE_TRIES 100

/* ---- the bus's keys ---- */

void cluster_lease_key(uint64_t id, char ret[CLUSTER_LEASE])
{
    (void)snprintf(ret, CLUSTER_LEASE, "node.%016" PRIx64, id);
}

enum status cluster_book(struct line *l, struct book *ret, uint64_t *ret_revision)
{
    struct buf bytes = BUF_INIT(LIMIT_BOOK);
    enum status st = line_get(l, CLUSTER_BOOK, &bytes, ret_revision);

    if (st == ST_OK)
        st = book_load(ret, buf_str(&bytes));
    buf_free(&bytes);
    return st;
}

enum status cluster_lease(struct line *l, uint64_t id, struct lease *ret, uint64_t *ret_revision)
{
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];
    enum status st;

    cluster_lease_key(id, key);
    st = line_get(l, key, &bytes, ret_revision);
    if (st == ST_OK)
        st = lease_load(ret, buf_str(&bytes));
    buf_free(&bytes);
    return st;
}

enum status cluster_book_newest(struct line *l, struct book *ret, uint64_t *ret_revision)
{
    struct buf bytes = BUF_INIT(LIMIT_BOOK);
    enum status st = line_settle(l);

    if (st == ST_OK)
        st = line_get(l, CLUSTER_BOOK, &bytes, ret_revision);
    if (st == ST_OK)
        st = book_load(ret, buf_str(&bytes));
    buf_free(&bytes);
    return st;
}

enum status cluster_write(struct line *l, struct book *b, uint64_t *revision)
{
    struct buf bytes = BUF_INIT(LIMIT_BOOK);
    uint64_t change;
    enum status st;

    if (getrandom(&change, sizeof change, 0) != (ssize_t)sizeof change)
        return status_fail(ST_IO, "there is no random number for a change of the book");
    book_stamp(b, change);
    book_save(b, &bytes);
    st = line_set(l, CLUSTER_BOOK, buf_str(&bytes), *revision, revision);
    if (st == ST_OK)
        st = cluster_book_newest(l, b, revision);
    if (st == ST_OK && !book_follows(b, change))
        st = status_fail(ST_BUSY, "the book was changed by another node at the same moment");
    buf_free(&bytes);
    return st;
}

enum status cluster_change(struct line *l, book_fn *fn, void *ctx, uint64_t *ret_revision)
{
    enum status st = ST_BUSY;

    for (int tries = 0; st == ST_BUSY && tries < CHANGE_TRIES; tries++) {
        struct book book;

        book_init(&book);
        st = cluster_book(l, &book, ret_revision);
        if (st == ST_OK) {
            fn(&book, ctx);
            st = cluster_write(l, &book, ret_revision);
        }
        book_clear(&book);
    }
    return st;
}

/* ---- for the keeper ---- */

void incoming_add(struct cluster *c, enum incoming_kind kind, uint32_t part, uint64_t token,
                  uint64_t position, struct str bytes)
{
    struct incoming *in = mem_alloc(sizeof *in + bytes.len);

    *in = (struct incoming){
        .kind = kind, .part = part, .token = token, .position = position, .len = bytes.len};
    if (bytes.len)
        memcpy(in->bytes, bytes.ptr, bytes.len);
    pthread_mutex_lock(&c->mutex);
    *c->last_in = in;
    c->last_in = &in->next;
    c->added++;
    pthread_mutex_unlock(&c->mutex);
}

size_t incoming_count(struct cluster *c)
{
    size_t n;

    pthread_mutex_lock(&c->mutex);
    n = (size_t)(c->added - c->taken);
    pthread_mutex_unlock(&c->mutex);
    return n;
}

/* ---- for the mind ---- */

struct incoming *cluster_take(struct cluster *c)
{
    struct incoming *in;

    pthread_mutex_lock(&c->mutex);
    in = c->first_in;
    if (in) {
        c->first_in = in->next;
        c->taken++;
    }
    if (c->first_in == NULL)
        c->last_in = &c->first_in;
    pthread_mutex_unlock(&c->mutex);
    return in;
}

void cluster_send(struct cluster *c, uint32_t part, uint64_t number, uint64_t will,
                  struct str bytes)
{
    struct outgoing *out = mem_alloc(sizeof *out + bytes.len);

    *out = (struct outgoing){.part = part,
                             .number = number,
                             .will = will,
                             .is_outcomes = batch_is_outcomes(bytes),
                             .len = bytes.len};
    memcpy(out->bytes, bytes.ptr, bytes.len);
    pthread_mutex_lock(&c->mutex);
    *c->last_out = out;
    c->last_out = &out->next;
    pthread_mutex_unlock(&c->mutex);
}

void cluster_will(struct cluster *c, struct cluster_will *will)
{
    cluster_will_free(c->staged);
    c->staged = will;
}

struct will_name cluster_legacy(const struct cluster *c)
{
    return c->legacy;
}

struct str cluster_legacy_chunk(const struct cluster *c, size_t index)
{
    return buf_str(&c->legacy_chunks[index]);
}

void cluster_look(struct cluster *c, struct cluster_view *ret)
{
    pthread_mutex_lock(&c->mutex);
    *ret = c->view;
    pthread_mutex_unlock(&c->mutex);
}

void cluster_exchange(struct cluster *c, const struct cluster_report *say, struct cluster_view *ret)
{
    pthread_mutex_lock(&c->mutex);
    c->said = *say;
    c->said_taken = c->taken;
    if (c->staged) {
        cluster_will_free(c->said_will);
        c->said_will = c->staged;
        c->staged = NULL;
    }
    *ret = c->view;
    if (c->first_out)
        pthread_cond_signal(&c->work);
    pthread_mutex_unlock(&c->mutex);
}

bool cluster_holds(const struct cluster *c, uint32_t part)
{
    const struct cluster_part *had = &c->config.parts[part];

    return c->held[part] && had->token > 0;
}

bool cluster_covers(const struct cluster *c, uint32_t part, uint64_t sender, uint64_t number,
                    uint64_t position)
{
    return sender ? receipts_have(&c->known_taken, part, sender, number)
                  : position <= c->known[part];
}

bool cluster_has_arrived(struct cluster *c, uint32_t part, uint64_t number)
{
    bool has;

    pthread_mutex_lock(&c->mutex);
    has = receipts_have(&c->arrived, part, c->config.id, number);
    pthread_mutex_unlock(&c->mutex);
    return has;
}

void cluster_sums(struct cluster *c, struct buf *ret)
{
    pthread_mutex_lock(&c->mutex);
    buf_add_str(ret, buf_str(&c->sums));
    pthread_mutex_unlock(&c->mutex);
}

void cluster_book_seen(struct cluster *c, struct buf *ret)
{
    pthread_mutex_lock(&c->mutex);
    buf_add_str(ret, buf_str(&c->seen_bytes));
    pthread_mutex_unlock(&c->mutex);
}

void cluster_give(struct cluster *c, uint32_t part, uint64_t position, struct receipts *taken)
{
    pthread_mutex_lock(&c->mutex);
    c->given_at[part] = position;
    receipts_move(&c->given_taken[part], taken);
    c->given[part] = true;
    pthread_mutex_unlock(&c->mutex);
}

/* ---- start and stop ---- */

static void cluster_free(struct cluster *c)
{
    struct incoming *in;

    while ((in = cluster_take(c)) != NULL)
        free(in);
    for (struct outgoing *out = c->first_out, *next; out; out = next) {
        next = out->next;
        free(out);
    }
    for (struct outgoing *out = c->sending, *next; out; out = next) {
        next = out->next;
        free(out);
    }
    compact_abandon(c);
    heirs_drop(&c->bequest);
    cluster_will_free(c->staged);
    cluster_will_free(c->said_will);
    cluster_will_free(c->next_will);
    cluster_will_free(c->writing);
    cluster_will_free(c->last);
    for (size_t i = 0; i < LIMIT_WILL_CHUNKS; i++)
        buf_free(&c->legacy_chunks[i]);
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        snapshot_shelf_clear(&c->parts[p].shelf);
        receipts_clear(&c->given_taken[p]);
        receipts_clear(&c->kept[p].taken);
    }
    for (size_t i = 0; i < c->nneighbours; i++) {
        receipts_clear(&c->neighbours[i].arrived);
        receipts_clear(&c->neighbours[i].next);
    }
    receipts_clear(&c->known_taken);
    receipts_clear(&c->arrived);
    receipts_clear(&c->told);
    receipts_clear(&c->stood);
    line_close(c->line);
    book_clear(&c->book);
    book_clear(&c->seen);
    buf_free(&c->sums);
    buf_free(&c->seen_bytes);
    free(c->neighbours);
    pthread_cond_destroy(&c->work);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}

enum status cluster_start(struct line *line, const struct cluster_config *config,
                          struct cluster **ret)
{
    struct cluster *c = MEM_NEW(struct cluster);
    enum status st;
    int rc;

    c->config = *config;
    c->line = line;
    c->rollbacks = config->rollbacks;
    c->last_in = &c->first_in;
    c->last_out = &c->first_out;
    c->compact.tail = &c->compact.first;
    book_init(&c->book);
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->work, NULL);
    c->sums = BUF_INIT(LIMIT_NODES * (LEASE_SUMS + 4));
    c->seen_bytes = BUF_INIT(LIMIT_BOOK);
    st = life_join(c);
    if (st == ST_OK && config->answer)
        st = line_answer(line, config->answer, config->answer_ctx);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        c->held[p] = c->book.parts[p].owner == config->id &&
                     c->book.parts[p].token == config->parts[p].token;
    if (st == ST_OK) {
        rc = pthread_create(&c->thread, NULL, keeper_main, c);
        if (rc != 0)
            st = status_fail(ST_IO, "the thread for the bus cannot be started: %s", strerror(rc));
    }
    if (st == ST_OK)
        *ret = c;
    else
        cluster_free(c);
    return st;
}

void cluster_stop(struct cluster *c, enum book_end end, uint64_t stored)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&c->mutex);
    c->stopping = true;
    c->stop_end = end;
    c->stop_stored = stored;
    pthread_cond_signal(&c->work);
    pthread_mutex_unlock(&c->mutex);
    (void)pthread_join(c->thread, NULL);
    cluster_free(c);
}
