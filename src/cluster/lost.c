/* lost.c - finds pages that were lost with a disk. In: the logs of all partitions, read twice, so
 * that only the URLs of lost pages are kept in memory. SPDX-License-Identifier: MIT */
#include "cluster/lost.h"

#include "base/limits.h"
#include "base/map.h"
#include "cluster/cluster_int.h"
#include "parse/url_norm.h"

#include <sys/random.h>

/* `by`: the node that wrote it. */
typedef void item_fn(void *ctx, uint64_t by, const struct batch_item *item);

struct log_reader {
    item_fn *fn;
    void *ctx;
    uint64_t read, last; /* messages */
    struct snapshot_shelf shelf;
};

/* Passes on the items of a log; broken ones are left out, as nodes do. */
static void each_item(const struct log_reader *r, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    struct snapshot_head chunk;
    struct batch_head head;
    struct batch_item item;
    uint32_t count = 0;

    if (batch_check(bytes, &head) == ST_OK) {
        batch_open(&from);
        count = head.count;
    } else if (snapshot_check(bytes, &chunk) == ST_OK) {
        snapshot_open(&from);
        count = chunk.count;
        head.sender = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        batch_next(&from, &item);
        r->fn(r->ctx, head.sender ? head.sender : item.node, &item);
    }
}

static bool take_chunk(void *ctx, uint64_t number, struct str bytes)
{
    struct log_reader *r = ctx;

    snapshot_shelf_take(&r->shelf, number, bytes);
    r->read = number;
    return number < r->last;
}

static bool take_batch(void *ctx, uint64_t number, struct str bytes)
{
    struct log_reader *r = ctx;

    each_item(r, bytes);
    r->read = number;
    return true;
}

/* Reads the newest snapshot, and the log after it. */
static enum status read_log(struct line *l, uint32_t part, item_fn *fn, void *ctx)
{
    struct log_reader r = {.fn = fn, .ctx = ctx};
    const struct snapshot *s;
    uint64_t from;
    enum status st = takeover_shelf(l, part, &from, &r.last);

    for (r.read = from - 1; st == ST_OK && r.read < r.last;)
        st = line_walk(l, LINE_SHELF(part), r.read + 1, SIZE_MAX, take_chunk, &r);
    s = snapshot_shelf_best(&r.shelf);
    for (size_t i = 0; s && i < s->count; i++)
        each_item(&r, s->chunks[i]);
    r.read = s ? s->upto : 0;
    snapshot_shelf_clear(&r.shelf);
    if (st == ST_MISSING)
        st = ST_OK;
    while (st == ST_OK)
        st = line_walk(l, part, r.read + 1, SIZE_MAX, take_batch, &r);
    return st == ST_MISSING ? ST_OK : st;
}

struct search {
    uint64_t node;
    struct map lost; /* url_key() of what it visited last */
    struct text_list *urls;
};

static void note_outcome(void *ctx, uint64_t by, const struct batch_item *item)
{
    struct search *s = ctx;
    uint64_t key =
        item->kind == BATCH_LOST || item->kind == BATCH_SETTLED ? url_key(item->url) : item->key;

    if (item->kind == BATCH_LOST)
        (void)map_remove(&s->lost, key);
    else if (item->kind != BATCH_OUTCOME && item->kind != BATCH_SETTLED && item->kind != BATCH_DONE)
        return;
    else if (by == s->node && item->why == DROP_NONE)
        map_set(&s->lost, key, 1);
    else
        (void)map_remove(&s->lost, key);
}

static void name(struct search *s, struct str url)
{
    if (map_remove(&s->lost, url_key(url)))
        text_list_add(s->urls, url);
}

static void note_url(void *ctx, uint64_t by, const struct batch_item *item)
{
    (void)by;
    if (item->url.len > 0 && item->kind != BATCH_PAUSE)
        name(ctx, item->url);
}

enum status lost_find(struct line *l, uint64_t node, const struct text_list *seeds,
                      struct text_list *ret)
{
    struct search s = {.node = node, .urls = ret};
    enum status st = ST_OK;

    map_init(&s.lost);
    for (uint32_t p = 0; p < PARTITIONS && st == ST_OK; p++)
        st = read_log(l, p, note_outcome, &s);
    for (size_t i = 0; i < seeds->count; i++)
        name(&s, str_of(seeds->items[i]));
    for (uint32_t p = 0; p < PARTITIONS && st == ST_OK && s.lost.count > 0; p++)
        st = read_log(l, p, note_url, &s);
    map_free(&s.lost);
    return st;
}

/* ---- to be fetched again ---- */

struct letters {
    uint64_t sender;
    uint64_t numbers[PARTITIONS];
    struct batch open[PARTITIONS];
};

static enum status send(struct line *l, struct letters *s, uint32_t part)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    enum status st;
    uint64_t at;

    if (s->open[part].count == 0)
        return ST_OK;
    batch_take(&s->open[part], s->sender, ++s->numbers[part], &bytes);
    st = line_send(l, part, buf_str(&bytes), &at);
    buf_free(&bytes);
    return st;
}

enum status lost_refetch(struct line *l, const struct text_list *urls)
{
    struct letters s = {0};
    enum status st = ST_OK;

    if (getrandom(&s.sender, sizeof s.sender, 0) != (ssize_t)sizeof s.sender)
        return status_fail(ST_IO, "there is no random number for the sender");
    s.sender |= 1; /* 0 is nobody */
    for (uint32_t p = 0; p < PARTITIONS; p++)
        batch_init(&s.open[p]);
    for (size_t i = 0; i < urls->count && st == ST_OK; i++) {
        uint32_t part = partition_of_url(str_of(urls->items[i]));

        batch_add(&s.open[part],
                  &(struct batch_item){.kind = BATCH_LOST, .url = str_of(urls->items[i])});
        if (batch_is_full(&s.open[part]))
            st = send(l, &s, part);
    }
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        if (st == ST_OK)
            st = send(l, &s, p);
        batch_clear(&s.open[p]);
    }
    return st;
}
