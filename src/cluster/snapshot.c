/* snapshot.c - writes and reads the bytes of chunks and marks; finds which snapshots on the bus are
 * complete.
 *
 *     chunk: u8 2, u64 id, u64 upto, u64 before, u32 index, u32 items, and the items (batch.c)
 *     mark:  u8 3, u64 id, u64 upto, u64 before, u32 chunks, u32 0, u64 digest
 *
 * SPDX-License-Identifier: MIT */
#include "cluster/snapshot.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 2, MARK }; /* a batch begins with 1 */

void snapshot_begin(struct buf *out, const struct snapshot_head *head)
{
    buf_put_u8(out, head->is_mark ? MARK : CHUNK);
    buf_put_u64(out, head->id);
    buf_put_u64(out, head->upto);
    buf_put_u64(out, head->before);
    buf_put_u32(out, head->index);
    buf_put_u32(out, head->count);
    if (head->is_mark)
        buf_put_u64(out, head->digest);
}

static bool read_head(struct cursor *from, struct snapshot_head *ret)
{
    uint8_t kind = cursor_u8(from);

    *ret = (struct snapshot_head){.is_mark = kind == MARK};
    ret->id = cursor_u64(from);
    ret->upto = cursor_u64(from);
    ret->before = cursor_u64(from);
    ret->index = cursor_u32(from);
    ret->count = cursor_u32(from);
    if (ret->is_mark)
        ret->digest = cursor_u64(from);
    return (kind == CHUNK || kind == MARK) && ret->id > 0 && !from->bad;
}

void snapshot_open(struct cursor *from)
{
    struct snapshot_head head;

    (void)read_head(from, &head);
}

static bool is_of_snapshots(enum batch_kind kind)
{
    return kind == BATCH_LINK || kind == BATCH_PAUSE || kind >= BATCH_SETTLED;
}

enum status snapshot_check(struct str bytes, struct snapshot_head *ret)
{
    struct cursor from = {.rest = bytes};
    struct batch_item item;

    if (bytes.len > LIMIT_BATCH || !read_head(&from, ret))
        return status_fail(ST_INVALID, "this is no snapshot, or one of another version of brood");
    if (ret->index > LIMIT_SNAPSHOT || (!ret->is_mark && ret->index == LIMIT_SNAPSHOT))
        return status_fail(ST_INVALID, "a snapshot has too many chunks");
    for (uint32_t i = 0; i < ret->count; i++) {
        batch_next(&from, &item);
        if (from.bad || !is_of_snapshots(item.kind) || !batch_is_sane(&item))
            return status_fail(ST_INVALID, "item %u of a snapshot is broken", i);
    }
    return from.rest.len == 0 ? ST_OK
                              : status_fail(ST_INVALID, "a snapshot has extra bytes at its end");
}

bool snapshot_is_of_past(const struct snapshot_head *head, uint64_t number)
{
    return head->upto < number && head->before < number;
}

uint64_t snapshot_digest(uint64_t before, struct str chunk)
{
    return hash_u64(before + 1) ^ hash_str(chunk);
}

/* ---- those that are on the bus ---- */

static void snapshot_clear(struct snapshot *s)
{
    for (size_t i = 0; i < s->count; i++)
        free((char *)s->chunks[i].ptr);
    free(s->chunks);
    *s = (struct snapshot){0};
}

void snapshot_shelf_clear(struct snapshot_shelf *s)
{
    for (size_t i = 0; i < s->count; i++)
        snapshot_clear(&s->snapshots[i]);
    s->count = 0;
}

/* Returns its place, or that of the oldest one. The best snapshot stays, because the others may
 * never be completed. */
static struct snapshot *snapshot_of(struct snapshot_shelf *s, const struct snapshot_head *head)
{
    const struct snapshot *best = snapshot_shelf_best(s);
    struct snapshot *oldest = best == s->snapshots ? &s->snapshots[1] : s->snapshots;

    for (size_t i = 0; i < s->count; i++) {
        struct snapshot *it = &s->snapshots[i];

        if (it->id == head->id)
            return it;
        if (it != best && it->upto < oldest->upto)
            oldest = it;
    }
    if (s->count < SHELF_MOST)
        oldest = &s->snapshots[s->count++];
    snapshot_clear(oldest);
    oldest->id = head->id;
    oldest->upto = head->upto;
    return oldest;
}

static void keep_chunk(struct snapshot *s, uint32_t index, struct str bytes)
{
    struct str *to;

    while (s->count <= index) {
        MEM_GROW(s->chunks, s->count, &s->cap);
        s->chunks[s->count++] = (struct str){0};
    }
    to = &s->chunks[index];
    if (to->ptr) /* it was sent twice */
        return;
    *to = (struct str){mem_alloc(bytes.len), bytes.len};
    memcpy((char *)to->ptr, bytes.ptr, bytes.len);
}

static bool matches(const struct snapshot *s, const struct snapshot_head *mark)
{
    uint64_t digest = 0;

    if (s->count != mark->index)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        if (s->chunks[i].ptr == NULL)
            return false;
        digest = snapshot_digest(digest, s->chunks[i]);
    }
    return digest == mark->digest;
}

void snapshot_shelf_take(struct snapshot_shelf *s, uint64_t number, struct str bytes)
{
    struct snapshot_head head;
    struct snapshot *to;

    if (snapshot_check(bytes, &head) != ST_OK || !snapshot_is_of_past(&head, number))
        return;
    to = snapshot_of(s, &head);
    if (to->upto != head.upto || to->mark)
        return;
    if (head.is_mark)
        to->mark = matches(to, &head) ? number : 0;
    else
        keep_chunk(to, head.index, bytes);
}

const struct snapshot *snapshot_shelf_best(const struct snapshot_shelf *s)
{
    const struct snapshot *best = NULL;

    for (size_t i = 0; i < s->count; i++)
        if (s->snapshots[i].mark && (best == NULL || s->snapshots[i].upto >= best->upto))
            best = &s->snapshots[i];
    return best;
}
