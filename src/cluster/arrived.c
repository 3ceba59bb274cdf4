/* arrived.c - receipts on the bus: what nodes say that they have taken, so that every agent lives
 * on one node, whatever became of the positions of messages.
 *
 *     will.NODE.SLOT.taken   the receipts of a will, written before the lease names it
 *     taken.PP.SLOT          those of the last owner of a partition, for the next one
 *
 * Both have two slots, which are used in turns: whoever reads one that a lease or the book names
 * finds it, although the next one is being written. SPDX-License-Identifier: MIT */
#include "cluster/cluster_int.h"

#include "base/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define KEY 64 /* bytes */

static void will_key(uint64_t node, uint64_t number, char ret[KEY])
{
    (void)snprintf(ret, KEY, "will.%016" PRIx64 ".%d.taken", node, (int)(number % 2));
}

/* Each owner's token is greater by two than that of the owner before. */
static void part_key(uint32_t part, uint64_t token, char ret[KEY])
{
    (void)snprintf(ret, KEY, "taken.%02u.%d", part, (int)(token / 2 % 2));
}

static enum status put(struct line *l, const char *key, struct receipts_name name,
                       const struct receipts *taken)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_RECEIPTS);

    receipts_save(taken, name, &bytes);
    TRY(buf_check(&bytes));
    return line_put(l, key, buf_str(&bytes));
}

static enum status get(struct line *l, const char *key, struct receipts_name name,
                       struct buf *bytes, struct receipts *ret)
{
    struct receipts_name is;
    uint64_t revision;

    TRY(line_get(l, key, bytes, &revision));
    TRY(receipts_load(ret, buf_str(bytes), &is));
    if (is.of == name.of && is.number == name.number)
        return ST_OK;
    receipts_clear(ret);
    return status_fail(ST_INVALID, "the receipts of a node were overwritten by later ones");
}

enum status receipts_put_will(struct cluster *c, const struct will_name *will,
                              const struct receipts *taken)
{
    char key[KEY];

    will_key(c->config.id, will->number, key);
    return put(c->line, key, (struct receipts_name){will->run, will->number}, taken);
}

enum status receipts_get_will(struct line *l, uint64_t node, const struct will_name *will,
                              struct receipts *ret)
{
    LOCAL_BUF bytes = BUF_INIT(LIMIT_RECEIPTS);
    char key[KEY];

    will_key(node, will->number, key);
    return get(l, key, (struct receipts_name){will->run, will->number}, &bytes, ret);
}

static enum status put_part(struct line *l, uint32_t part, uint64_t token,
                            const struct receipts *taken)
{
    char key[KEY];

    part_key(part, token, key);
    return put(l, key, (struct receipts_name){token, part}, taken);
}

enum status receipts_put_part(struct cluster *c, uint32_t part, uint64_t token,
                              const struct receipts *taken)
{
    TRY(put_part(c->line, part, token, taken));
    c->kept[part].token = token;
    receipts_copy(&c->kept[part].taken, taken);
    return ST_OK;
}

void receipts_put_again(struct cluster *c)
{
    for (uint32_t p = 0; p < PARTITIONS; p++)
        if (c->kept[p].token && c->kept[p].token == c->seen.parts[p].kept)
            (void)!put_part(c->line, p, c->kept[p].token, &c->kept[p].taken);
}

enum status receipts_get_part(struct line *l, uint32_t part, uint64_t token, struct buf *ret)
{
    struct receipts read = {0};
    char key[KEY];
    enum status st;

    part_key(part, token, key);
    st = get(l, key, (struct receipts_name){token, part}, ret, &read);
    receipts_clear(&read);
    if (st != ST_OK)
        buf_clear(ret);
    return st;
}

/* ---- of a node that is gone ---- */

enum status receipts_inherit(struct cluster *c, uint64_t node, const struct receipts *taken,
                             bool *ret)
{
    enum status st = ST_OK;

    memset(ret, 0, PARTITIONS * sizeof *ret);
    for (uint32_t p = 0; p < PARTITIONS && st == ST_OK; p++) {
        const struct book_part *b = &c->book.parts[p];
        struct receipts its = {0};

        if (b->owner != node || !receipts_were_open(taken, p, b->token))
            continue; /* it had taken nothing; those of the owner before still count */
        receipts_add_part(&its, taken, p);
        st = receipts_put_part(c, p, b->token, &its);
        ret[p] = st == ST_OK;
        receipts_clear(&its);
    }
    return st;
}

/* ---- of the others ---- */

static bool is_same(const struct will_name *a, const struct will_name *b)
{
    return a->run == b->run && a->number == b->number;
}

/* Until the next lease is written, this one may have been overwritten at the moment at which it was
 * written: see line_set(). */
static void take_next(struct neighbour *n)
{
    if (n->next_will.chunks == 0 || n->lapsed)
        return;
    if (n->lease.run != n->next_will.run) {
        n->next_will.chunks = 0;
    } else if (n->lease.turn > n->next_turn) {
        receipts_move(&n->arrived, &n->next);
        n->known = n->next_will;
        n->next_will.chunks = 0;
    }
}

static void read_next(struct cluster *c, struct neighbour *n)
{
    struct receipts all = {0};

    if (n->lapsed || n->next_will.chunks || n->lease.will.chunks == 0 ||
        is_same(&n->lease.will, &n->known))
        return;
    receipts_clear(&n->next);
    if (receipts_get_will(c->line, n->id, &n->lease.will, &all) == ST_OK) {
        receipts_add_sender(&n->next, &all, c->config.id);
        n->next_will = n->lease.will;
        n->next_turn = n->lease.turn;
    }
    receipts_clear(&all);
}

void arrived_look(struct cluster *c)
{
    struct receipts all = {0};

    if (!c->report.awaits)
        return;
    receipts_add_sender(&all, &c->stood, c->config.id);
    for (size_t i = 0; i < c->nneighbours; i++) {
        take_next(&c->neighbours[i]);
        read_next(c, &c->neighbours[i]);
        receipts_add_sender(&all, &c->neighbours[i].arrived, c->config.id);
    }
    pthread_mutex_lock(&c->mutex);
    receipts_move(&c->arrived, &all);
    pthread_mutex_unlock(&c->mutex);
}
