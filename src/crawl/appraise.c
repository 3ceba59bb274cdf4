/* appraise.c - at the end of a crawl all pages are judged once more. See appraise.h.
 * SPDX-License-Identifier: MIT */
#include "crawl/appraise.h"

#include "agent/model.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"
#include "store/read/stored_text.h"
#include "store/store.h"
#include "text/appraisal.h"

#include <stdlib.h>

#define EXAMPLE 0.6 /* a start page that is less of a document is no example */

struct appraising {
    struct crawl *crawl;
    struct query *query;
    struct appraisal *appraisal;
    struct map marks; /* page -> 1 relevant, 0 not */
    uint64_t total, done;
    struct page_verdict *rows;
    size_t count, cap;
    crawl_index_fn *progress;
    void *ctx;
    int stop;
};

static enum status note_mark(void *ctx, struct str url UNUSED, bool relevant, uint32_t page)
{
    struct appraising *a = ctx;
    bool is_new;

    if (page)
        *map_at(&a->marks, page, relevant, &is_new) = relevant;
    return ST_OK;
}

static bool is_seed(const struct query_page *row)
{
    return row->depth == 0;
}

/* A fair draw, the start pages and what is marked. */
static bool teaches(void *ctx, const struct query_page *row)
{
    const struct appraising *a = ctx;

    return a->total <= APPRAISAL_DRAW || is_seed(row) || map_get(&a->marks, row->id) != MAP_NONE ||
           hash_u64(row->id) % a->total < APPRAISAL_DRAW;
}

/* With the stored verdict of the topic's patterns. */
static struct profile profile_of(const struct stored_text *t)
{
    struct profile p = *t->profile;

    p.relevance = (float)t->row->relevance;
    return p;
}

static enum status see(void *ctx, const struct stored_text *t)
{
    struct appraising *a = ctx;
    uint32_t mark = map_get(&a->marks, t->row->id);
    struct profile p = profile_of(t);

    appraisal_see(a->appraisal, t->row->id, &p,
                  is_seed(t->row) && a->crawl->options->seeds_are == 0 &&
                      appraisal_document(t->row->mime, t->main_bytes) >= EXAMPLE);
    if (mark != MAP_NONE)
        appraisal_teach(a->appraisal, t->row->id, &p, (int)mark);
    return ST_OK;
}

static enum status judge(void *ctx, const struct stored_text *t)
{
    struct appraising *a = ctx;
    struct profile profile = profile_of(t);
    double p = appraisal_of(a->appraisal, t->row->id, &profile);
    MEM_GROW(a->rows, a->count, &a->cap);
    a->rows[a->count++] = (struct page_verdict){
        t->row->id, (float)(p * appraisal_document(t->row->mime, t->main_bytes))};
    if (++a->done % 64 == 0 && a->progress)
        a->stop = !a->progress(a->ctx, "judging the pages", a->done, a->total);
    return ST_OK;
}

/* Judge all pages or none: a list cannot mix pages with and without a verdict. */
static void post_rows(struct appraising *a)
{
    struct event e = {.kind = EVENT_JUDGED, .at = a->crawl->now};

    e.judged.rows = (struct str){(const char *)a->rows, a->count * sizeof *a->rows};
    if (a->count > 0)
        bus_post(a->crawl->bus, &e);
}

static enum status appraise(struct appraising *a)
{
    struct stored_texts all = {.stop = &a->stop}, draw = {.stop = &a->stop, .wants = teaches};
    enum status st = query_marked(a->query, note_mark, a);

    if (st == ST_OK)
        st = stored_texts_count(a->query, &a->total);
    if (st == ST_OK && a->total > 0)
        st = stored_texts_each(a->query, &draw, see, a);
    if (st != ST_OK || a->total == 0)
        return st;
    appraisal_learn(a->appraisal);
    st = stored_texts_each(a->query, &all, judge, a);
    if (st == ST_OK)
        post_rows(a);
    return st;
}

void appraise_pages(struct crawl *c, crawl_index_fn *progress, void *ctx)
{
    struct appraising a = {.crawl = c, .progress = progress, .ctx = ctx};
    enum status st;

    if (c->store == NULL || c->model->ops->judges || c->pages == 0 ||
        store_settle(c->store) != ST_OK || query_open(c->dir, &a.query) != ST_OK)
        return;
    map_init(&a.marks);
    a.appraisal = appraisal_new(c->topic);
    st = appraise(&a);
    if (st != ST_OK)
        log_line(c->log, LOG_WARN, c->now, "pages keep their order by relevance: %s",
                 status_text());
    appraisal_free(a.appraisal);
    map_free(&a.marks);
    query_close(a.query);
    free(a.rows);
}
