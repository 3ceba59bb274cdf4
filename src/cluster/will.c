/* will.c - writes and reads the bytes of wills.
 *
 *     u8 version, u64 node, u64 run, u64 number, u32 index, u32 items,
 *     f64 left, f64 came, u64 agents that left, u64 agents that came
 *     agent: u8 1, u32 number, f64 energy, u8 is here, url, u32 depth, bytes
 *     batch: u8 2, u32 partition, bytes
 *
 * SPDX-License-Identifier: MIT */
#include "cluster/will.h"

#include "base/limits.h"
#include "cluster/batch.h"
#include "cluster/partition.h"

#include <math.h>

#define VERSION 1
enum { ITEM_AGENT = 1, ITEM_BATCH };

void will_begin(struct buf *out, const struct will_head *head)
{
    buf_put_u8(out, VERSION);
    buf_put_u64(out, head->node);
    buf_put_u64(out, head->run);
    buf_put_u64(out, head->number);
    buf_put_u32(out, head->index);
    buf_put_u32(out, head->count);
    buf_put_f64(out, head->left);
    buf_put_f64(out, head->came);
    buf_put_u64(out, head->nleft);
    buf_put_u64(out, head->ncame);
}

static bool read_head(struct cursor *from, struct will_head *ret)
{
    bool known = cursor_u8(from) == VERSION;

    ret->node = cursor_u64(from);
    ret->run = cursor_u64(from);
    ret->number = cursor_u64(from);
    ret->index = cursor_u32(from);
    ret->count = cursor_u32(from);
    ret->left = cursor_f64(from);
    ret->came = cursor_f64(from);
    ret->nleft = cursor_u64(from);
    ret->ncame = cursor_u64(from);
    return known && !from->bad && isfinite(ret->left) && isfinite(ret->came);
}

void will_put(struct buf *out, const struct will_item *item)
{
    buf_put_u8(out, item->is_batch ? ITEM_BATCH : ITEM_AGENT);
    if (item->is_batch) {
        buf_put_u32(out, item->part);
    } else {
        buf_put_u32(out, item->agent);
        buf_put_f64(out, item->energy);
        buf_put_u8(out, item->is_here);
        buf_put_str(out, item->url);
        buf_put_u32(out, item->depth);
    }
    buf_put_str(out, item->bytes);
}

void will_open(struct cursor *from)
{
    struct will_head head;

    (void)read_head(from, &head);
}

/* Kinds are 1 and 2; anything else makes the cursor bad. */
void will_next(struct cursor *from, struct will_item *ret)
{
    uint8_t kind = cursor_u8(from);

    *ret = (struct will_item){.is_batch = kind == ITEM_BATCH};
    from->bad |= kind != ITEM_AGENT && kind != ITEM_BATCH;
    if (ret->is_batch) {
        ret->part = cursor_u32(from);
    } else {
        ret->agent = cursor_u32(from);
        ret->energy = cursor_f64(from);
        ret->is_here = cursor_u8(from) == 1;
        ret->url = cursor_str(from);
        ret->depth = (uint16_t)cursor_u32(from);
    }
    ret->bytes = cursor_str(from);
}

/* A node can only write its own batches; and an agent must be one that a batch may have. */
static bool is_sane(const struct will_item *item, uint64_t node)
{
    struct batch_item agent = {.kind = BATCH_AGENT, .url = item->url, .agent = item->bytes};
    struct batch_head batch;

    if (item->is_batch)
        return item->part < PARTITIONS && batch_check(item->bytes, &batch) == ST_OK &&
               batch.sender == node;
    return item->agent > 0 && item->agent <= LIMIT_AGENTS && isfinite(item->energy) &&
           batch_is_sane(&agent);
}

enum status will_check(struct str bytes, struct will_head *ret)
{
    struct cursor from = {.rest = bytes};
    struct will_item item;

    if (bytes.len > LIMIT_WILL || !read_head(&from, ret) || ret->node == 0)
        return status_fail(ST_INVALID, "this is not a will, or it is of another version of brood");
    for (uint32_t i = 0; i < ret->count; i++) {
        will_next(&from, &item);
        if (from.bad || !is_sane(&item, ret->node))
            return status_fail(ST_INVALID, "item %u of a will is broken", i);
    }
    return from.rest.len == 0 ? ST_OK
                              : status_fail(ST_INVALID, "a will has extra bytes at its end");
}
