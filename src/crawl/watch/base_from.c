/* base_from.c - lets agents walk on the pages of an earlier crawl.
 *
 * In: a crawl's directory. Out: percepts for model_ops.adopt, before the first
 * visit. It makes two passes, so that a link to a page of the base is recognised even if it comes
 * before that page. Thread: the mind. SPDX-License-Identifier: MIT */
#include "crawl/watch/base_from.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/os/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/reread.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"

#include <stdlib.h>

struct base {
    struct reread *reread;
    struct map pages; /* hash of a URL's number here -> page there */
    uint32_t adopted, left_out;
};

uint32_t base_page(const struct base *b, uint32_t url)
{
    uint32_t page = b ? map_get(&b->pages, hash_u64(url)) : MAP_NONE;

    return page == MAP_NONE ? 0 : page;
}

struct reread *base_reader(const struct base *b)
{
    return b ? b->reread : NULL;
}

void base_free(struct base *b)
{
    if (b == NULL)
        return;
    reread_close(b->reread);
    map_free(&b->pages);
    free(b);
}

static bool same_topic(struct crawl *c, struct query *q)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_TOPIC_FILE);
    bool same =
        query_key(q, "topic", &text) == ST_OK && str_eq(buf_str(&text), topic_source(c->topic));

    return same;
}

enum status base_open(struct crawl *c)
{
    const char *dir = c->options->base_from;
    struct reread *reread;
    enum status st;

    if (dir == NULL)
        return ST_OK;
    st = reread_open(dir, c->topic, &reread);
    if (st != ST_OK)
        return status_prefix(st, "--base-from");
    if (!same_topic(c, reread_query(reread)))
        reread_judge_anew(reread);
    c->base = MEM_NEW(struct base);
    c->base->reread = reread;
    map_init(&c->base->pages);
    return ST_OK;
}

/* ---- adopting ---- */

static void post_visited(struct crawl *c, uint32_t url)
{
    struct event e = {.kind = EVENT_URL, .at = c->now, .url = {.id = url, .visited = true}};

    bus_post(c->bus, &e);
}

/* Its URL has a number here, and is not to be fetched. Of several versions of a page
 * the last one counts. */
static enum status note_page(void *ctx, const struct query_page *page)
{
    struct crawl *c = ctx;
    struct base *b = c->base;
    enum drop why = DROP_NONE;
    uint32_t url = 0;

    if (page->warc_file.len > 0)
        url = crawl_meet(c, page->url, LINK_A, 0, (uint16_t)page->depth, &why);
    if (url == 0 || why != DROP_NONE) {
        b->left_out++;
        return ST_OK;
    }
    frontier_visited(c->frontier, url, 0);
    post_visited(c, url);
    map_set(&b->pages, hash_u64(url), page->id);
    return ST_OK;
}

static void hand_over(struct crawl *c, struct arrival *a)
{
    const struct model_walks *walks = c->model->ops->walks;
    struct percept p = {
        .choice = {.url = walks ? a->request->choice.url : 0},
        .depth = a->request->depth,
        .latency = a->reply.done_at - a->reply.started_at,
        .body = a->page,
        .profile = &a->profile,
        .marks = a->marks,
    };

    crawl_mark_apart(c, a);
    if (walks)
        walks->adopt(c->model, &p);
    else
        c->model->ops->perceive(c->model, &p);
    crawl_learn_words(c, a);
}

static enum status adopt_page(void *ctx, const struct query_page *page)
{
    struct crawl *c = ctx;
    struct base *b = c->base;
    uint32_t url = frontier_find(c->frontier, url_key(page->url));
    struct arrival *a;

    if (url == 0 || base_page(b, url) != page->id)
        return ST_OK;
    if (reread_page(b->reread, page->id, c->table, &a) != ST_OK) {
        b->left_out++;
        return ST_OK;
    }
    b->adopted++;
    a->request->choice = (struct choice){.url = url};
    hand_over(c, a);
    arrival_release(a);
    return ST_OK;
}

enum status base_adopt(struct crawl *c)
{
    struct base *b = c->base;

    if (b == NULL)
        return ST_OK;
    TRY(query_pages(reread_query(b->reread), note_page, c));
    TRY(query_pages(reread_query(b->reread), adopt_page, c));
    if (b->adopted == 0)
        return status_fail(ST_USAGE,
                           "--base-from %s: none of its pages is archived and may be visited here",
                           c->options->base_from);
    if (c->model->ops->walks)
        c->model->ops->walks->adopt(c->model, NULL);
    log_line(c->log, LOG_INFO, c->now, "base: %u pages of %s, %u left out", b->adopted,
             c->options->base_from, b->left_out);
    return ST_OK;
}

/* ---- after a resume ---- */

static enum status recall_page(void *ctx, const struct query_page *page)
{
    struct crawl *c = ctx;
    struct url_view view;
    uint32_t url = page->warc_file.len ? frontier_find(c->frontier, url_key(page->url)) : 0;

    if (url != 0 && frontier_url(c->frontier, url, &view) && view.state == URL_VISITED &&
        view.page == 0)
        map_set(&c->base->pages, hash_u64(url), page->id);
    return ST_OK;
}

void base_recall(struct crawl *c)
{
    enum status st = base_open(c);

    if (st == ST_OK && c->base)
        st = query_pages(reread_query(c->base->reread), recall_page, c);
    if (st == ST_OK)
        return;
    log_line(c->log, LOG_WARN, c->now, "pages of the earlier crawl cannot be read again: %s",
             status_text());
    base_free(c->base);
    c->base = NULL;
}
