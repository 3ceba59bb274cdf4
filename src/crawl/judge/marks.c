/* marks.c - pages that a user called relevant or not, as examples.
 * SPDX-License-Identifier: MIT */
#include "crawl/judge/marks.h"

#include "base/limits.h"
#include "base/os/log.h"
#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "store/read/query.h"
#include "text/profile.h"
#include "text/words/token.h"

/* ---- a stored page's terms ----------------------------------------------- */

/* What a page that is read from the database needs; lent to the callbacks. */
struct marks_reader {
    struct query *query;
    struct profiler *profiler;
    struct arena arena; /* of the page read last */
    struct profile profile;
    struct crawl *crawl; /* for whom the pages are read: a crawl, */
    struct topic *topic; /* or a topic */
    size_t taken;
};

static enum status reader_open(struct marks_reader *r, const char *dir, const struct topic *t)
{
    TRY(query_open(dir, &r->query));
    r->profiler = profiler_new(t);
    arena_init(&r->arena, LIMIT_PAGE_ARENA);
    return ST_OK;
}

static void reader_close(struct marks_reader *r)
{
    if (r->query == NULL)
        return;
    query_close(r->query);
    profiler_free(r->profiler);
    arena_free(&r->arena);
}

/* Splits a text into words as a parser does. */
static bool cut_words(struct page *page, struct arena *arena)
{
    size_t n = 0, at = 0, off, len;

    while (n < LIMIT_WORDS && token_next(page->text, &at, &off, &len))
        n++;
    page->words = arena_array(arena, n, sizeof *page->words);
    if (page->words == NULL)
        return false;
    for (at = 0; page->nwords < n && token_next(page->text, &at, &off, &len);)
        page->words[page->nwords++] = (struct word){(uint32_t)off, (uint16_t)len};
    return true;
}

static enum status take_page(void *ctx, const struct query_page *row)
{
    struct page page = {.title = row->title, .lang = row->lang};
    LOCAL_BUF text = BUF_INIT(LIMIT_PAGE_ARENA);
    struct marks_reader *r = ctx;

    TRY(query_text(r->query, row->exact_dup ? row->dup_of : row->id, &text));
    page.text = buf_str(&text);
    if (cut_words(&page, &r->arena))
        (void)profile_page(r->profiler, &page, row->url, NULL, &r->arena, &r->profile);
    if (r->topic && r->profile.nterms > 0)
        topic_spell(r->topic, &page, &r->profile);
    if (r->profile.nterms == 0)
        return status_fail(ST_MISSING, "page %u has no words", row->id);
    return ST_OK;
}

/* Reads the terms of a page. ST_MISSING if it is not committed, or is hidden, or has no words. */
static enum status read_terms(struct marks_reader *r, uint32_t page)
{
    arena_reset(&r->arena);
    r->profile = (struct profile){0};
    return query_page(r->query, page, take_page, r);
}

/* ---- for a running crawl ------------------------------------------------- */

static bool teach(struct marks_reader *r, uint32_t url, uint32_t page, int relevant)
{
    struct model *m = r->crawl->model;

    if (page == 0 || read_terms(r, page) != ST_OK)
        return false;
    m->ctx->now = r->crawl->now;
    m->ops->learns->taught(m, url, r->profile.terms, r->profile.nterms, relevant);
    return true;
}

bool marks_teach(struct crawl *c, struct str url, int relevant)
{
    uint32_t number = frontier_find(c->frontier, url_key(url));
    struct marks_reader r = {.crawl = c};
    struct url_view view;
    bool told = false;

    if (c->model->ops->learns == NULL || !frontier_url(c->frontier, number, &view))
        return false;
    if (relevant < 0) {
        c->model->ops->learns->taught(c->model, number, NULL, 0, relevant);
        return true;
    }
    if (reader_open(&r, c->dir, c->topic) == ST_OK)
        told = teach(&r, number, view.page, relevant);
    reader_close(&r);
    return told;
}

static enum status recall_one(void *ctx, struct str url, bool relevant, uint32_t page)
{
    struct marks_reader *r = ctx;

    r->taken += teach(r, frontier_find(r->crawl->frontier, url_key(url)), page, relevant);
    return ST_OK;
}

void marks_recall(struct crawl *c)
{
    struct marks_reader r = {.crawl = c};

    if (c->model->ops->learns == NULL || c->store == NULL)
        return;
    if (reader_open(&r, c->dir, c->topic) == ST_OK &&
        query_marked(r.query, recall_one, &r) == ST_OK && r.taken > 0)
        log_line(c->log, LOG_INFO, c->now, "%zu marked pages are examples", r.taken);
    reader_close(&r);
}

/* ---- for a topic --------------------------------------------------------- */

static enum status example_one(void *ctx, struct str url UNUSED, bool relevant, uint32_t page)
{
    struct marks_reader *r = ctx;

    if (read_terms(r, page) != ST_OK)
        return ST_OK;
    r->taken++;
    return topic_add_sample(r->topic, r->profile.terms, r->profile.nterms, relevant);
}

enum status marks_examples(const char *dir, struct topic *t)
{
    struct marks_reader r = {.topic = t};
    enum status st = reader_open(&r, dir, t);

    if (st == ST_OK)
        st = query_marked(r.query, example_one, &r);
    if (st == ST_OK && r.taken == 0)
        st = status_fail(ST_USAGE, "%s: no page is marked as relevant or not", dir);
    reader_close(&r);
    return st;
}
