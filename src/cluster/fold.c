/* fold.c - turns a log into a snapshot. Workload: millions of URLs, some 200 bytes each in memory
 * while it is made. SPDX-License-Identifier: MIT */
#include "cluster/fold.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "parse/url_norm.h"

#include <stdlib.h>

#define OVER       (INT64_C(3600) * 1000000) /* us; a pause that ended this long ago is dropped */
#define CHUNK_FULL (LIMIT_BATCH - LIMIT_URL - LIMIT_BATCH_WORDS - 100)

/* A URL: its best link, or its outcome. */
struct folded_url {
    struct batch_item item; /* url empty: no message has named it yet */
    uint64_t key;
};

/* Batches of one node, by their numbers: if `from` is 0, `to` is the last that came; otherwise those
 * from `from` to `to` are missing. */
struct run {
    uint64_t node, from, to;
};

struct fold {
    struct arena text;
    struct folded_url *urls;
    size_t count, cap;
    struct map at; /* url_key() -> place in `urls` */
    struct batch_item *pauses;
    size_t npauses, pauses_cap;
    struct run *runs;
    size_t nruns, runs_cap;
    bool is_full;
};

struct fold *fold_new(void)
{
    struct fold *f = MEM_NEW(struct fold);

    arena_init(&f->text, (size_t)LIMIT_SNAPSHOT * LIMIT_BATCH);
    map_init(&f->at);
    return f;
}

void fold_free(struct fold *f)
{
    if (f == NULL)
        return;
    arena_free(&f->text);
    map_free(&f->at);
    free(f->urls);
    free(f->pauses);
    free(f->runs);
    free(f);
}

/* ---- which batches came ---- */

static void run_add(struct fold *f, struct run r)
{
    if (r.from > r.to || f->nruns >= LIMIT_GAPS + LIMIT_NODES) {
        f->is_full |= r.from <= r.to;
        return;
    }
    MEM_GROW(f->runs, f->nruns, &f->runs_cap);
    f->runs[f->nruns++] = r;
}

static struct run *sender_of(struct fold *f, uint64_t node)
{
    for (size_t i = 0; i < f->nruns; i++)
        if (f->runs[i].node == node && f->runs[i].from == 0)
            return &f->runs[i];
    run_add(f, (struct run){.node = node});
    return f->is_full ? NULL : &f->runs[f->nruns - 1];
}

/* Was this one missing? */
static bool gap_fill(struct fold *f, uint64_t node, uint64_t number)
{
    for (size_t i = 0; i < f->nruns; i++) {
        struct run r = f->runs[i];

        if (r.node != node || r.from == 0 || number < r.from || number > r.to)
            continue;
        f->runs[i] = f->runs[--f->nruns];
        run_add(f, (struct run){node, r.from, number - 1});
        run_add(f, (struct run){node, number + 1, r.to});
        return true;
    }
    return false;
}

static bool is_new(struct fold *f, uint64_t node, uint64_t number)
{
    struct run *last = sender_of(f, node);
    uint64_t before;

    if (last == NULL)
        return false;
    before = last->to;
    if (number <= before)
        return gap_fill(f, node, number);
    last->to = number;
    run_add(f, (struct run){node, before + 1, number - 1});
    return true;
}

static void take_run(struct fold *f, const struct batch_item *item)
{
    struct run *last = item->from == 0 ? sender_of(f, item->node) : NULL;

    if (last)
        last->to = item->to;
    else
        run_add(f, (struct run){item->node, item->from, item->to});
}

/* ---- URLs ---- */

static struct batch_item *known_of(struct fold *f, uint64_t key)
{
    bool is_new;
    uint32_t *at = map_at(&f->at, key, (uint32_t)f->count, &is_new);

    if (is_new) {
        MEM_GROW(f->urls, f->count, &f->cap);
        f->urls[f->count++] = (struct folded_url){.item = {.kind = BATCH_LINK}, .key = key};
    }
    return &f->urls[*at].item;
}

/* Keeps the text of a URL, and the least of its depths. */
static void know_url(struct fold *f, struct batch_item *known, const struct batch_item *item)
{
    if (known->url.len == 0) {
        known->url = arena_str(&f->text, item->url);
        known->depth = item->depth;
    }
    if (item->depth < known->depth)
        known->depth = item->depth;
}

static void take_link(struct fold *f, const struct batch_item *item)
{
    struct batch_item *known = known_of(f, url_key(item->url));
    bool is_first = known->url.len == 0;

    know_url(f, known, item);
    if (known->kind != BATCH_LINK || (!is_first && item->relevance <= known->relevance))
        return;
    known->link = item->link;
    known->relevance = item->relevance;
    known->similarity = item->similarity;
    known->words = arena_str(&f->text, item->words);
    known->anchor = item->anchor;
}

static void settle(struct batch_item *known, enum drop why, uint64_t node)
{
    known->kind = BATCH_SETTLED;
    known->why = why;
    known->node = node;
}

static void take_lost(struct fold *f, const struct batch_item *item)
{
    struct batch_item *known = known_of(f, url_key(item->url));

    know_url(f, known, item);
    known->kind = BATCH_LINK;
    known->words = (struct str){0};
    known->anchor = (struct span){0};
}

static void take_pause(struct fold *f, const struct batch_item *item)
{
    MEM_GROW(f->pauses, f->npauses, &f->pauses_cap);
    f->pauses[f->npauses] = *item;
    f->pauses[f->npauses++].url = arena_str(&f->text, item->url);
}

static void take_item(struct fold *f, const struct batch_item *item, uint64_t sender)
{
    switch (item->kind) {
    case BATCH_LINK:
        take_link(f, item);
        break;
    case BATCH_OUTCOME:
        settle(known_of(f, item->key), item->why, sender);
        break;
    case BATCH_LOST:
        take_lost(f, item);
        break;
    case BATCH_PAUSE:
        take_pause(f, item);
        break;
    case BATCH_SETTLED:
        know_url(f, known_of(f, url_key(item->url)), item);
        settle(known_of(f, url_key(item->url)), item->why, item->node);
        break;
    case BATCH_DONE:
        settle(known_of(f, item->key), item->why, item->node);
        break;
    case BATCH_SENDER:
        take_run(f, item);
        break;
    case BATCH_AGENT: /* it lives on some node */
        break;
    }
}

void fold_take(struct fold *f, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    struct snapshot_head chunk;
    struct batch_head head;
    struct batch_item item;
    uint32_t count = 0;

    if (batch_check(bytes, &head) == ST_OK) {
        if (!is_new(f, head.sender, head.number))
            return;
        batch_open(&from);
        count = head.count;
    } else if (snapshot_check(bytes, &chunk) == ST_OK) {
        head.sender = 0;
        snapshot_open(&from);
        count = chunk.count;
    }
    for (uint32_t i = 0; i < count; i++) {
        batch_next(&from, &item);
        take_item(f, &item, head.sender);
    }
}

/* ---- out ---- */

struct chunk_writer {
    struct snapshot_head head, mark;
    struct buf items, message;
    fold_fn *fn;
    void *ctx;
};

static void chunk_end(struct chunk_writer *w)
{
    if (w->head.count == 0)
        return;
    buf_clear(&w->message);
    w->head.index = w->mark.index++;
    snapshot_begin(&w->message, &w->head);
    buf_add_str(&w->message, buf_str(&w->items));
    w->mark.digest = snapshot_digest(w->mark.digest, buf_str(&w->message));
    w->fn(w->ctx, buf_str(&w->message));
    buf_clear(&w->items);
    w->head.count = 0;
}

static void write_item(struct chunk_writer *w, const struct batch_item *item)
{
    batch_put(&w->items, item);
    w->head.count++;
    if (w->items.len >= CHUNK_FULL)
        chunk_end(w);
}

static void write_url(struct chunk_writer *w, const struct folded_url *k)
{
    struct batch_item item = k->item;

    if (item.url.len == 0) {
        item.kind = BATCH_DONE;
        item.key = k->key;
    }
    write_item(w, &item);
}

enum status fold_write(const struct fold *f, const struct snapshot_head *head, int64_t now,
                       fold_fn *fn, void *ctx)
{
    struct chunk_writer w = {.head = {.id = head->id, .upto = head->upto, .before = head->before},
                             .items = BUF_INIT(2 * LIMIT_BATCH),
                             .message = BUF_INIT(2 * LIMIT_BATCH),
                             .fn = fn,
                             .ctx = ctx};

    w.mark = w.head;
    w.mark.is_mark = true;
    if (f->is_full || f->text.full)
        return status_fail(ST_LIMIT, "the log of a partition is too large for a snapshot");
    for (size_t i = 0; i < f->nruns; i++)
        write_item(&w, &(struct batch_item){.kind = BATCH_SENDER,
                                            .node = f->runs[i].node,
                                            .from = f->runs[i].from,
                                            .to = f->runs[i].to});
    for (size_t i = 0; i < f->npauses; i++)
        if (f->pauses[i].until > now - OVER)
            write_item(&w, &f->pauses[i]);
    for (size_t i = 0; i < f->count; i++)
        write_url(&w, &f->urls[i]);
    chunk_end(&w);
    buf_clear(&w.message);
    snapshot_begin(&w.message, &w.mark);
    fn(ctx, buf_str(&w.message));
    buf_free(&w.items);
    buf_free(&w.message);
    return w.mark.index <= LIMIT_SNAPSHOT ? ST_OK
                                          : status_fail(ST_LIMIT, "a snapshot has too many chunks");
}
