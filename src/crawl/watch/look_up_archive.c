/* look_up_archive.c - visited pages of a live crawl: on the shelf, else in the archive.
 * Thread: the mind. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/log.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/base_from.h"
#include "crawl/watch/look_up.h"
#include "crawl/watch/reread.h"
#include "crawl/watch/shelf.h"
#include "frontier/frontier.h"
#include "text/shingle.h"

#include <math.h>
#include <stdlib.h>

#define OF_BASE 0x80000000u /* on the shelf: a page of the earlier crawl */

struct look_up_archive {
    struct look_up base;
    struct shelf *shelf;
    struct reread *reread; /* opened when it is needed */
    bool closed;           /* it cannot be opened */
    bool compares;         /* shingles of texts are kept */
    struct shingles *main; /* of a page that only the database has; lent last */
    uint32_t lent;         /* page; 0: none of this crawl */
};

static struct look_up_archive *own(const struct crawl *c)
{
    return (struct look_up_archive *)c->look_up;
}

static void archive_free(struct look_up *l)
{
    LOCAL_HEAP struct look_up_archive *a = (struct look_up_archive *)l;

    shelf_free(a->shelf);
    reread_close(a->reread);
    free(a->main);
}

size_t look_up_bytes(const struct crawl *c)
{
    return c->look_up ? shelf_bytes(own(c)->shelf) : 0;
}

void look_up_spare(struct crawl *c)
{
    if (c->look_up)
        shelf_spare(own(c)->shelf);
}

/* ---- keeping ---- */

static void keep_page(struct look_up_archive *l, const struct arrival *a, uint32_t page,
                      uint32_t first, int64_t date)
{
    struct shingles *main = l->compares ? shingles_of(a->page->text) : NULL;
    struct shelf_page s = {
        .page = page,
        .url = a->request->choice.url,
        .agent = a->request->choice.agent,
        .depth = a->request->depth,
        .robots = (uint8_t)a->robots,
        .latency = a->reply.done_at - a->reply.started_at,
        .date = date,
        .first = first,
        .hash = a->payload_hash,
        .etag = a->reply.etag,
        .last_modified = a->reply.last_modified,
        .main = main,
        .body = *a->page,
        .profile = a->profile,
    };

    shelf_put(l->shelf, &s);
    free(main);
}

static void archive_keep(struct crawl *c, const struct arrival *a, uint32_t page, uint32_t first,
                         int64_t date)
{
    keep_page(own(c), a, page, first, date);
}

/* ---- lending ---- */

/* What the database has of a page that cannot be read from the archive. */
struct page_row {
    uint32_t page, first;
    int64_t date;
    uint64_t hash;
};

static enum status row_read(void *ctx, const struct query_page *page)
{
    struct page_row *row = ctx;

    row->first = page->version_of ? page->version_of : page->id;
    row->date = page->date ? page->date : page->fetched_at;
    row->hash = page->hash;
    return ST_OK;
}

/* Reads the page from the archive and puts it on the shelf. */
static bool fetch_again(struct crawl *c, struct reread *from, uint32_t number, uint32_t url,
                        uint32_t key)
{
    struct page_row row = {0};
    struct arrival *a;

    if (from == NULL || query_page(reread_query(from), number, row_read, &row) != ST_OK ||
        reread_page(from, number, c->table, &a) != ST_OK)
        return false;
    if (url)
        a->request->choice = (struct choice){.url = url};
    keep_page(own(c), a, key, row.first, row.date);
    arrival_release(a);
    return true;
}

static struct reread *own_archive(struct crawl *c)
{
    struct look_up_archive *l = own(c);

    if (l->reread == NULL && !l->closed && c->dir) {
        l->closed = reread_open(c->dir, c->topic, &l->reread) != ST_OK;
        if (l->closed)
            log_line(c->log, LOG_WARN, c->now, "visited pages cannot be read again: %s",
                     status_text());
    }
    return l->reread;
}

uint32_t look_up_lent(const struct crawl *c)
{
    return c->look_up ? own(c)->lent : 0;
}

struct arrival *look_up_whole(struct crawl *c, uint32_t page)
{
    struct reread *from = own_archive(c);
    struct arrival *a;

    return from && reread_page(from, page, c->table, &a) == ST_OK ? a : NULL;
}

static bool archive_lend(struct crawl *c, uint32_t url, struct percept *ret, unsigned *ret_robots)
{
    struct look_up_archive *l = own(c);
    const struct shelf_page *s;
    struct url_view view;
    uint32_t of_base, key;

    if (!frontier_url(c->frontier, url, &view))
        return false;
    of_base = view.page ? 0 : base_page(c->base, url);
    key = of_base ? of_base | OF_BASE : view.page;
    if (key == 0)
        return false;
    s = shelf_get(l->shelf, key);
    if (s == NULL) {
        if (of_base ? !fetch_again(c, base_reader(c->base), of_base, url, key)
                    : !fetch_again(c, own_archive(c), view.page, 0, key))
            return false;
        s = shelf_get(l->shelf, key);
    }
    l->lent = s->page & OF_BASE ? 0 : s->page;
    *ret_robots = s->robots;
    *ret = (struct percept){
        .choice = {.url = s->url, .agent = s->agent, .score = NAN},
        .page = l->lent,
        .depth = s->depth,
        .latency = s->latency,
        .date = s->date,
        .body = &s->body,
        .profile = &s->profile,
    };
    return true;
}

/* ---- comparing ---- */

/* A page that is neither on the shelf nor in the archive: there is no body to go
 * with a 304, so no validators either, but its text can be compared. */
static bool kept_row(struct crawl *c, uint32_t page, struct kept *ret)
{
    struct reread *from = own_archive(c);
    struct look_up_archive *l = own(c);
    struct page_row row = {0};
    struct buf text = BUF_INIT(LIMIT_PAGE_ARENA);

    if (from == NULL || query_page(reread_query(from), page, row_read, &row) != ST_OK)
        return false;
    free(l->main);
    l->main =
        query_text(reread_query(from), page, &text) == ST_OK ? shingles_of(buf_str(&text)) : NULL;
    buf_free(&text);
    *ret = (struct kept){.page = page,
                         .first = row.first,
                         .date = row.date,
                         .hash = row.hash,
                         .etag = {"", 0},
                         .last_modified = {"", 0},
                         .main = l->main};
    return true;
}

static bool archive_kept(struct crawl *c, uint32_t page, struct kept *ret)
{
    const struct shelf_page *s = shelf_get(own(c)->shelf, page);

    if (s == NULL && fetch_again(c, own_archive(c), page, 0, page))
        s = shelf_get(own(c)->shelf, page);
    if (s == NULL)
        return kept_row(c, page, ret);
    *ret = (struct kept){.page = page,
                         .first = s->first,
                         .date = s->date,
                         .hash = s->hash,
                         .etag = s->etag,
                         .last_modified = s->last_modified,
                         .main = s->main};
    return true;
}

static bool archive_changed(const struct crawl *c, const struct arrival *a, const struct kept *kept)
{
    struct shingles *now;
    bool changed;

    (void)c;
    if (kept->main == NULL)
        return true;
    now = shingles_of(a->page->text);
    changed = shingles_changed(kept->main, now);
    free(now);
    return changed;
}

static void archive_confirm(struct crawl *c, uint32_t page, const struct arrival *a)
{
    const struct shelf_page *s = shelf_get(own(c)->shelf, page);
    struct shelf_page again;

    if (s == NULL ||
        (str_eq(s->etag, a->reply.etag) && str_eq(s->last_modified, a->reply.last_modified)))
        return;
    again = *s;
    again.etag = a->reply.etag;
    again.last_modified = a->reply.last_modified;
    shelf_put(own(c)->shelf, &again);
}

struct look_up *look_up_archive_new(size_t max_bytes, bool compares)
{
    static const struct look_up_ops ops = {
        .free = archive_free,
        .keep = archive_keep,
        .lend = archive_lend,
        .kept = archive_kept,
        .changed = archive_changed,
        .confirm = archive_confirm,
    };
    struct look_up_archive *l = MEM_NEW(struct look_up_archive);

    l->base.ops = &ops;
    l->shelf = shelf_new(max_bytes);
    l->compares = compares;
    return &l->base;
}
