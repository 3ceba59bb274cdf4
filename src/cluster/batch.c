/* batch.c - writes and reads the bytes of batches.
 *
 *     u8 version, u64 sender, u64 number, u32 items
 *     link:    u8 1, url, u8 kind, u32 depth, f32 relevance, f32 similarity, words, u8 from, u8 to
 *     outcome: u8 2, u64 key, u8 drop
 *     agent:   u8 3, url, u32 depth, bytes
 *     lost:    u8 4, url, u32 depth
 *     pause:   u8 5, url, u64 until
 *     settled: u8 6, url, u32 depth, u8 drop, u64 node
 *     done:    u8 7, u64 key, u8 drop, u64 node
 *     sender:  u8 8, u64 node, u64 from, u64 to
 *
 * SPDX-License-Identifier: MIT */
#include "cluster/batch.h"

#include "base/limits.h"

#define VERSION    1
#define FULL_BYTES (LIMIT_BATCH - LIMIT_URL - LIMIT_BATCH_WORDS - 100)

void batch_init(struct batch *b)
{
    *b = (struct batch){.bytes = BUF_INIT(LIMIT_BATCH)};
}

void batch_clear(struct batch *b)
{
    buf_free(&b->bytes);
    b->count = 0;
}

bool batch_is_full(const struct batch *b)
{
    return b->count >= LIMIT_BATCH_ITEMS || b->bytes.len >= FULL_BYTES;
}

bool batch_is_tight(const struct batch *b, const struct batch_item *item)
{
    return b->count > 0 && b->bytes.len + item->agent.len >= FULL_BYTES;
}

static void put_link(struct buf *out, const struct batch_item *item)
{
    buf_put_str(out, item->url);
    buf_put_u8(out, item->link);
    buf_put_u32(out, item->depth);
    buf_put_f32(out, item->relevance);
    buf_put_f32(out, item->similarity);
    buf_put_str(out, item->words);
    buf_put_u8(out, (uint8_t)item->anchor.from);
    buf_put_u8(out, (uint8_t)item->anchor.to);
}

static bool has_depth(enum batch_kind kind)
{
    return kind == BATCH_AGENT || kind == BATCH_LOST || kind == BATCH_SETTLED;
}

static bool has_fate(enum batch_kind kind)
{
    return kind == BATCH_OUTCOME || kind == BATCH_SETTLED || kind == BATCH_DONE;
}

void batch_put(struct buf *out, const struct batch_item *item)
{
    enum batch_kind kind = item->kind;

    buf_put_u8(out, (uint8_t)kind);
    if (kind == BATCH_LINK)
        put_link(out, item);
    if (kind == BATCH_PAUSE || has_depth(kind))
        buf_put_str(out, item->url);
    if (has_depth(kind))
        buf_put_u32(out, item->depth);
    if (kind == BATCH_AGENT)
        buf_put_str(out, item->agent);
    if (kind == BATCH_PAUSE)
        buf_put_u64(out, (uint64_t)item->until);
    if (kind == BATCH_OUTCOME || kind == BATCH_DONE)
        buf_put_u64(out, item->key);
    if (has_fate(kind))
        buf_put_u8(out, (uint8_t)item->why);
    if (kind >= BATCH_SETTLED)
        buf_put_u64(out, item->node);
    if (kind == BATCH_SENDER) {
        buf_put_u64(out, item->from);
        buf_put_u64(out, item->to);
    }
}

void batch_add(struct batch *b, const struct batch_item *item)
{
    batch_put(&b->bytes, item);
    b->count++;
}

void batch_take(struct batch *b, uint64_t sender, uint64_t number, struct buf *ret)
{
    buf_put_u8(ret, VERSION);
    buf_put_u64(ret, sender);
    buf_put_u64(ret, number);
    buf_put_u32(ret, b->count);
    buf_add_str(ret, buf_str(&b->bytes));
    buf_clear(&b->bytes);
    b->count = 0;
}

static bool read_head(struct cursor *from, struct batch_head *ret)
{
    bool known = cursor_u8(from) == VERSION;

    ret->sender = cursor_u64(from);
    ret->number = cursor_u64(from);
    ret->count = cursor_u32(from);
    return known && !from->bad;
}

static uint16_t read_depth(struct cursor *from)
{
    uint32_t depth = cursor_u32(from);

    return depth < UINT16_MAX ? (uint16_t)depth : UINT16_MAX;
}

static void read_link(struct cursor *from, struct batch_item *ret)
{
    ret->url = cursor_str(from);
    ret->link = cursor_u8(from);
    ret->depth = read_depth(from);
    ret->relevance = cursor_f32(from);
    ret->similarity = cursor_f32(from);
    ret->words = cursor_str(from);
    ret->anchor.from = cursor_u8(from);
    ret->anchor.to = cursor_u8(from);
}

void batch_open(struct cursor *from)
{
    struct batch_head head;

    (void)read_head(from, &head);
}

static bool begins_with(struct str bytes, enum batch_kind kind)
{
    struct cursor from = {.rest = bytes};

    batch_open(&from);
    return cursor_u8(&from) == kind;
}

bool batch_is_outcomes(struct str bytes)
{
    return begins_with(bytes, BATCH_OUTCOME);
}

bool batch_is_agents(struct str bytes)
{
    return begins_with(bytes, BATCH_AGENT);
}

void batch_next(struct cursor *from, struct batch_item *ret)
{
    enum batch_kind kind = (enum batch_kind)cursor_u8(from);

    *ret = (struct batch_item){.kind = kind};
    if (kind == BATCH_LINK)
        read_link(from, ret);
    if (kind == BATCH_PAUSE || has_depth(kind))
        ret->url = cursor_str(from);
    if (has_depth(kind))
        ret->depth = read_depth(from);
    if (kind == BATCH_AGENT)
        ret->agent = cursor_str(from);
    if (kind == BATCH_PAUSE)
        ret->until = (int64_t)cursor_u64(from);
    if (kind == BATCH_OUTCOME || kind == BATCH_DONE)
        ret->key = cursor_u64(from);
    if (has_fate(kind))
        ret->why = (enum drop)cursor_u8(from);
    if (kind >= BATCH_SETTLED)
        ret->node = cursor_u64(from);
    if (kind == BATCH_SENDER) {
        ret->from = cursor_u64(from);
        ret->to = cursor_u64(from);
    }
}

static bool is_share(float x)
{
    return x >= 0 && x <= 1;
}

static uint32_t words_in(struct str text)
{
    uint32_t n = text.len > 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == ' ';
    return n;
}

static bool url_is_sane(struct str url)
{
    return url.len <= LIMIT_URL &&
           (str_starts(url, STR("http://")) || str_starts(url, STR("https://")));
}

static bool link_is_sane(const struct batch_item *item)
{
    return url_is_sane(item->url) && item->link <= LINK_SEED && is_share(item->relevance) &&
           is_share(item->similarity) && item->words.len <= LIMIT_BATCH_WORDS &&
           item->anchor.from <= item->anchor.to && item->anchor.to <= words_in(item->words);
}

bool batch_is_sane(const struct batch_item *item)
{
    switch (item->kind) {
    case BATCH_LINK:
        return link_is_sane(item);
    case BATCH_AGENT:
        return url_is_sane(item->url) && item->agent.len > 0 && item->agent.len <= LIMIT_TRAVEL;
    case BATCH_LOST:
    case BATCH_PAUSE:
        return url_is_sane(item->url);
    case BATCH_OUTCOME:
        return item->why < DROP_COUNT;
    case BATCH_SETTLED:
        return url_is_sane(item->url) && item->why < DROP_COUNT && item->node > 0;
    case BATCH_DONE:
        return item->why < DROP_COUNT && item->node > 0;
    case BATCH_SENDER:
        return item->node > 0 && item->from <= item->to && item->to > 0;
    }
    return false;
}

enum status batch_check(struct str bytes, struct batch_head *ret)
{
    struct cursor from = {.rest = bytes};
    struct batch_item item;

    if (bytes.len > LIMIT_BATCH || !read_head(&from, ret))
        return status_fail(ST_INVALID, "this is no batch, or one of another version of brood");
    if (ret->sender == 0 || ret->number == 0 || ret->count > LIMIT_BATCH_ITEMS)
        return status_fail(ST_INVALID, "a batch has no sender, or too many items");
    for (uint32_t i = 0; i < ret->count; i++) {
        batch_next(&from, &item);
        if (from.bad || item.kind > BATCH_PAUSE || !batch_is_sane(&item))
            return status_fail(ST_INVALID, "item %u of a batch is broken", i);
    }
    return from.rest.len == 0 ? ST_OK
                              : status_fail(ST_INVALID, "a batch has extra bytes at its end");
}
