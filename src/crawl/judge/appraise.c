/* appraise.c - judges all pages again at the end of a crawl. See appraise.h.
 * SPDX-License-Identifier: MIT */
#include "crawl/judge/appraise.h"

#include "agent/model.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"
#include "crawl/judge/spool.h"
#include "store/read/stored_text.h"
#include "store/store.h"
#include "text/appraisal.h"
#include "text/words/stem.h"

#include <stdlib.h>

#define EXAMPLE 0.6 /* a start page that is less of a document is not an example */

struct appraising {
    const struct appraise_config *config;
    const struct topic *topic; /* the crawl's, or one of several */
    struct query *query;
    struct appraisal *appraisal;
    struct map marks; /* page -> 1 relevant, 0 not */
    uint64_t total, done;
    struct page_verdict *rows;
    size_t count, cap;
    struct spooled spooled; /* the page at hand */
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

static bool is_spooled(void *ctx, const struct query_page *row, struct stored_text *io)
{
    struct appraising *a = ctx;

    if (a->config->spool == NULL || !spool_find(a->config->spool, row->id, &a->spooled))
        return false;
    io->extent = a->spooled.extent;
    io->profile = &a->spooled.profile;
    return true;
}

static bool is_seed(const struct query_page *row)
{
    return row->depth == 0;
}

/* Is this page an example: a start page, a marked one, or one of the random draw? */
static bool teaches(void *ctx, const struct query_page *row)
{
    const struct appraising *a = ctx;

    return a->total <= APPRAISAL_DRAW || is_seed(row) || map_get(&a->marks, row->id) != MAP_NONE ||
           hash_u64(row->id) % a->total < APPRAISAL_DRAW;
}

/* The verdict of the current topic on a page, and whether no other topic has a better one. */
struct nearness {
    struct str topic;
    double own, best;
};

static enum status note_topic(void *ctx, const struct query_topic *t)
{
    struct nearness *n = ctx;

    if (str_eq(t->name, n->topic))
        n->own = t->relevance;
    n->best = t->relevance > n->best ? t->relevance : n->best;
    return ST_OK;
}

/* Gets the profile with the stored verdict of the topic's patterns. A start page or a mark does not
 * say which topic is meant: it is an example of the topic that it fits best. */
static enum status profile_of(struct appraising *a, const struct stored_text *t,
                              struct profile *ret, bool *ret_nearest)
{
    struct nearness n = {.topic = topic_name(a->topic)};
    enum status st = ST_OK;

    if (n.topic.len > 0)
        st = query_topics(a->query, t->row->id, note_topic, &n);
    else
        n.own = n.best = t->row->relevance;
    *ret = *t->profile;
    ret->relevance = (float)n.own;
    *ret_nearest = n.own >= n.best;
    return st;
}

static enum status see(void *ctx, const struct stored_text *t)
{
    struct appraising *a = ctx;
    uint32_t mark = map_get(&a->marks, t->row->id);
    struct profile p;
    bool nearest;

    TRY(profile_of(a, t, &p, &nearest));
    appraisal_see(a->appraisal, t->row->id, &p,
                  is_seed(t->row) && nearest && a->config->seeds_teach &&
                      appraisal_document(t->row->mime, &t->extent) >= EXAMPLE);
    if (mark != MAP_NONE && (mark == 0 || nearest))
        appraisal_teach(a->appraisal, t->row->id, &p, (int)mark);
    return ST_OK;
}

static enum status judge(void *ctx, const struct stored_text *t)
{
    struct appraising *a = ctx;
    struct profile profile;
    bool nearest;
    double p;

    TRY(profile_of(a, t, &profile, &nearest));
    p = appraisal_of(a->appraisal, t->row->id, &profile);
    MEM_GROW(a->rows, a->count, &a->cap);
    a->rows[a->count++] = (struct page_verdict){
        t->row->id, (float)(p * appraisal_document(t->row->mime, &t->extent))};
    if (++a->done % 64 == 0 && a->progress)
        a->stop = !a->progress(a->ctx, "judging the pages", a->done, a->total);
    return ST_OK;
}

/* Judge all pages or none: a list cannot mix pages with and without a verdict. */
static enum status hand_out(struct appraising *a)
{
    return a->count > 0
               ? a->config->sink(a->config->sink_ctx, topic_name(a->topic), a->rows, a->count)
               : ST_OK;
}

/* Several topics judge the same pages in the same order; the best verdict counts. */
static void keep_best(struct appraising *a, const struct page_verdict *before, size_t count)
{
    for (size_t i = 0; i < count && i < a->count; i++)
        if (a->rows[i].page == before[i].page && a->rows[i].p < before[i].p)
            a->rows[i].p = before[i].p;
}

static enum status texts_each(struct appraising *a, const struct stored_texts *which,
                              stored_text_fn *fn)
{
    if (a->config->spool)
        spool_rewind(a->config->spool);
    return stored_texts_each(a->query, which, fn, a);
}

static enum status appraise(struct appraising *a)
{
    struct stored_texts all = {.brief = true, .stop = &a->stop, .knows = is_spooled}, draw = all;
    enum status st = query_marked(a->query, note_mark, a);

    draw.wants = teaches;
    if (st == ST_OK)
        st = stored_texts_count(a->query, &a->total);
    if (st == ST_OK && a->total > 0)
        st = texts_each(a, &draw, see);
    if (st != ST_OK || a->total == 0)
        return st;
    appraisal_learn(a->appraisal);
    st = texts_each(a, &all, judge);
    return st == ST_OK ? hand_out(a) : st;
}

/* Judges the pages for a topic: passes the verdicts on, and leaves them in `a`. */
static enum status appraise_for(struct appraising *a, const struct topic *topic)
{
    enum status st = query_open(a->config->dir, &a->query);

    a->topic = topic;
    if (st != ST_OK)
        return st;
    map_init(&a->marks);
    a->appraisal = appraisal_new(topic);
    st = appraise(a);
    appraisal_free(a->appraisal);
    map_free(&a->marks);
    query_close(a->query);
    return st;
}

static enum status appraise_parts(const struct appraise_config *config, crawl_index_fn *progress,
                                  void *ctx)
{
    struct appraising a = {0}, before = {0};
    enum status st = ST_OK;

    for (size_t i = 0; i < topic_parts(config->topic) && st == ST_OK; i++) {
        a = (struct appraising){.config = config, .progress = progress, .ctx = ctx};
        st = appraise_for(&a, topic_part(config->topic, i));
        keep_best(&a, before.rows, before.count);
        free(before.rows);
        before = a;
    }
    a.topic = config->topic;
    if (st == ST_OK)
        st = hand_out(&a);
    free(a.rows);
    return st;
}

enum status appraise_directory(const struct appraise_config *config, crawl_index_fn *progress,
                               void *ctx)
{
    struct appraising a = {.config = config, .progress = progress, .ctx = ctx};
    enum status st;

    if (topic_parts(config->topic) > 0)
        return appraise_parts(config, progress, ctx);
    st = appraise_for(&a, config->topic);
    free(a.rows);
    return st;
}

/* ---- of a crawl that ends ---- */

static enum status post_rows(void *ctx, struct str topic, const struct page_verdict *rows,
                             size_t count)
{
    struct crawl *c = ctx;
    struct event e = {.kind = EVENT_JUDGED, .at = c->now};

    e.judged.topic = topic;
    e.judged.rows = (struct str){(const char *)rows, count * sizeof *rows};
    bus_post(c->bus, &e);
    return ST_OK;
}

/* If the model judges pages and there is one topic, there is nothing to do. */
static bool is_wanted(const struct crawl *c)
{
    return c->store && (topic_parts(c->topic) > 0 || c->model->ops->judges == NULL);
}

/* A topic of stop words keeps terms that stored texts do not have, and a page without a language
 * is read under the topic's: such pages are read again. */
void appraise_page(struct crawl *c, uint32_t id, const struct arrival *a)
{
    if (!is_wanted(c) || topic_keeps_stops(c->topic) ||
        (stem_lang(a->page->lang) == STEM_NONE && a->profile.lang != stem_lang(STR("en"))))
        return;
    if (c->spool == NULL)
        c->spool = spool_new(c->dir);
    spool_add(c->spool, id, a);
}

void appraise_pages(struct crawl *c, crawl_index_fn *progress, void *ctx)
{
    struct appraise_config config = {.dir = c->dir,
                                     .topic = c->topic,
                                     .seeds_teach = c->options->seeds_are == 0,
                                     .spool = c->spool,
                                     .sink = post_rows,
                                     .sink_ctx = c};

    if (!is_wanted(c) || c->pages == 0 || store_settle(c->store) != ST_OK)
        return;
    if (appraise_directory(&config, progress, ctx) != ST_OK)
        log_line(c->log, LOG_WARN, c->now, "pages keep their order by relevance: %s",
                 status_text());
}
