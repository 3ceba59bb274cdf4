/* lost.c - pages that were lost with a disk. In: the logs of all partitions, read twice, so that only
 * the URLs of what is lost are kept in memory. SPDX-License-Identifier: MIT */
#include "cluster/lost.h"

#include "base/limits.h"
#include "base/map.h"
#include "cluster/batch.h"
#include "cluster/partition.h"
#include "parse/url_norm.h"

#include <sys/random.h>

typedef void item_fn(void *ctx, const struct batch_head *head, const struct batch_item *item);

/* Whatever is broken in a log is left out, as nodes do. */
static void each_item(struct str bytes, item_fn *fn, void *ctx)
{
    struct cursor from = {.rest = bytes};
    struct batch_head head;
    struct batch_item item;

    if (batch_check(bytes, &head) != ST_OK)
        return;
    batch_open(&from);
    for (uint32_t i = 0; i < head.count; i++) {
        batch_next(&from, &item);
        fn(ctx, &head, &item);
    }
}

static enum status read_log(struct line *l, uint32_t part, item_fn *fn, void *ctx)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    uint64_t at = 0;
    enum status st;

    while ((st = line_next(l, part, at + 1, &bytes, &at)) == ST_OK) {
        each_item(buf_str(&bytes), fn, ctx);
        buf_clear(&bytes);
    }
    buf_free(&bytes);
    return st == ST_MISSING ? ST_OK : st;
}

struct search {
    uint64_t node;
    struct map lost; /* url_key() of what it visited last */
    struct text_list *urls;
};

static void note_outcome(void *ctx, const struct batch_head *head, const struct batch_item *item)
{
    struct search *s = ctx;

    if (item->kind == BATCH_LOST)
        (void)map_remove(&s->lost, url_key(item->url));
    else if (item->kind == BATCH_OUTCOME && head->sender == s->node && item->why == DROP_NONE)
        map_set(&s->lost, item->key, 1);
    else if (item->kind == BATCH_OUTCOME)
        (void)map_remove(&s->lost, item->key);
}

static void name(struct search *s, struct str url)
{
    if (map_remove(&s->lost, url_key(url)))
        text_list_add(s->urls, url);
}

static void note_url(void *ctx, const struct batch_head *head, const struct batch_item *item)
{
    (void)head;
    if (item->kind != BATCH_OUTCOME && item->kind != BATCH_PAUSE)
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

static uint32_t part_of(struct str url)
{
    struct str scheme, host, path;
    uint16_t port;
    size_t colon;

    url_split(url, &scheme, &host, &port, &path);
    colon = host.len && host.ptr[0] != '[' ? str_find_char(host, ':', 0) : SIZE_MAX;
    return partition_of(colon == SIZE_MAX ? host : str_sub(host, 0, colon));
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
        uint32_t part = part_of(str_of(urls->items[i]));

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
