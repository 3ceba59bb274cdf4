/* look_up.c - a page that was visited, once more.
 *
 * In: the number of a URL. Out: a percept, lent until the next call. Thread: the
 * mind. SPDX-License-Identifier: MIT */
#include "crawl/watch/look_up.h"

#include "base/limits.h"
#include "base/os/log.h"
#include "base/mem.h"
#include "crawl/watch/base_from.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/reread.h"
#include "crawl/watch/shelf.h"
#include "frontier/frontier.h"
#include "sim/web/replay.h"
#include "sim/web/web.h"
#include "text/shingle.h"

#include <math.h>
#include <stdlib.h>

#define OF_BASE 0x80000000u /* on the shelf: a page of the earlier crawl */

/* A visit of a simulated web: all that the web does not know itself. */
struct past {
    uint32_t version, url, agent;
    uint32_t first;  /* version of its URL that was stored */
    uint32_t latest; /* version that was looked at last, the same to a reader */
    int64_t date;
    uint64_t hash;
    uint32_t latency; /* us */
    float relevance, similarity;
    uint16_t depth;
    uint8_t robots;
};

struct look_up {
    struct shelf *shelf;   /* live */
    struct reread *reread; /* opened when it is needed */
    bool closed;           /* it cannot be opened */
    bool compares;         /* main texts are kept */
    struct shingles *main; /* of a page that only the database has; lent last */
    char etag[REPLAY_ETAG];
    struct past *past; /* simulated: by page, counted from 1 */
    size_t npast, past_cap;
    struct web_scratch *scratch;
    struct profile profile; /* lent last */
    uint32_t lent;          /* page, live; 0: none of this crawl */
    struct link_mark *marks;
    size_t marks_cap;
};

struct look_up *look_up_new(size_t max_bytes)
{
    struct look_up *l = MEM_NEW(struct look_up);

    l->shelf = shelf_new(max_bytes);
    l->scratch = web_scratch_new();
    return l;
}

size_t look_up_bytes(const struct look_up *l)
{
    return shelf_bytes(l->shelf);
}

void look_up_spare(struct look_up *l)
{
    shelf_spare(l->shelf);
}

void look_up_free(struct look_up *l)
{
    if (l == NULL)
        return;
    shelf_free(l->shelf);
    reread_close(l->reread);
    web_scratch_free(l->scratch);
    free(l->main);
    free(l->past);
    free(l->marks);
    free(l);
}

void look_up_compares(struct look_up *l)
{
    l->compares = true;
}

/* ---- keeping ---- */

static void keep_past(struct crawl *c, const struct arrival *a, uint32_t page, uint32_t first,
                      int64_t date)
{
    struct look_up *l = c->look_up;
    struct web_answer answer;
    struct past *p;

    web_answer(c->simulation->web, a->source, a->reply.started_at, &answer);
    while (l->npast < page) {
        MEM_GROW(l->past, l->npast, &l->past_cap);
        l->past[l->npast++] = (struct past){.version = WEB_NONE};
    }
    p = &l->past[page - 1];
    p->version = p->latest = answer.version;
    p->first = first;
    p->date = date;
    p->hash = a->payload_hash;
    p->url = a->request->choice.url;
    p->agent = a->request->choice.agent;
    p->latency = (uint32_t)(a->reply.done_at - a->reply.started_at);
    p->relevance = a->profile.relevance;
    p->similarity = a->profile.similarity;
    p->depth = a->request->depth;
    p->robots = (uint8_t)a->robots;
}

static void keep_page(struct look_up *l, const struct arrival *a, uint32_t page, uint32_t first,
                      int64_t date)
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

void look_up_keep(struct crawl *c, const struct arrival *a, uint32_t page, uint32_t first,
                  int64_t date)
{
    if (c->simulation)
        keep_past(c, a, page, first, date);
    else
        keep_page(c->look_up, a, page, first, date);
}

/* ---- lending ---- */

static void mark_again(struct crawl *c, const struct page *body, unsigned robots)
{
    struct look_up *l = c->look_up;

    if (body->nlinks > l->marks_cap) {
        l->marks_cap = body->nlinks + body->nlinks / 2;
        l->marks = mem_resize(l->marks, l->marks_cap, sizeof *l->marks);
    }
    frontier_expect(c->frontier, body->links, body->nlinks);
    for (uint32_t i = 0; i < body->nlinks; i++) {
        const struct link *link = &body->links[i];
        struct link_mark *m = &l->marks[i];

        *m = (struct link_mark){.score = NAN};
        m->drop = (uint8_t)frontier_known(c->frontier, link, &m->url);
        if (m->drop == DROP_NONE && (robots & ROBOTS_NOFOLLOW || link->rel & REL_NOFOLLOW))
            m->drop = DROP_NOFOLLOW;
        m->taken = m->url && frontier_state(c->frontier, m->url) != URL_KNOWN;
    }
}

static void lend(struct crawl *c, const struct shelf_page *s, struct percept *ret)
{
    struct look_up *l = c->look_up;

    l->lent = s->page & OF_BASE ? 0 : s->page;
    mark_again(c, &s->body, s->robots);
    *ret = (struct percept){
        .choice = {.url = s->url, .agent = s->agent, .score = NAN},
        .page = l->lent,
        .depth = s->depth,
        .latency = s->latency,
        .date = s->date,
        .body = &s->body,
        .profile = &s->profile,
        .marks = l->marks,
    };
}

/* What the database alone knows of a page. */
struct row {
    uint32_t page, first;
    int64_t date;
    uint64_t hash;
};

static enum status row_read(void *ctx, const struct query_page *page)
{
    struct row *row = ctx;

    row->first = page->version_of ? page->version_of : page->id;
    row->date = page->date ? page->date : page->fetched_at;
    row->hash = page->hash;
    return ST_OK;
}

/* The page from the archive onto the shelf. */
static bool fetch_again(struct crawl *c, struct reread *from, uint32_t number, uint32_t url,
                        uint32_t key)
{
    struct row row = {0};
    struct arrival *a;

    if (from == NULL || query_page(reread_query(from), number, row_read, &row) != ST_OK ||
        reread_page(from, number, c->table, &a) != ST_OK)
        return false;
    if (url)
        a->request->choice = (struct choice){.url = url};
    keep_page(c->look_up, a, key, row.first, row.date);
    arrival_release(a);
    return true;
}

static struct reread *own_archive(struct crawl *c)
{
    struct look_up *l = c->look_up;

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
    return c->look_up ? c->look_up->lent : 0;
}

struct arrival *look_up_whole(struct crawl *c, uint32_t page)
{
    struct reread *from = own_archive(c);
    struct arrival *a;

    return from && reread_page(from, page, c->table, &a) == ST_OK ? a : NULL;
}

bool look_up_live(void *engine, uint32_t url, struct percept *ret)
{
    const struct shelf_page *s;
    struct crawl *c = engine;
    struct url_view view;
    uint32_t of_base, key;

    if (!frontier_url(c->frontier, url, &view))
        return false;
    of_base = view.page ? 0 : base_page(c->base, url);
    key = of_base ? of_base | OF_BASE : view.page;
    if (key == 0)
        return false;
    s = shelf_get(c->look_up->shelf, key);
    if (s == NULL) {
        if (of_base ? !fetch_again(c, base_reader(c->base), of_base, url, key)
                    : !fetch_again(c, own_archive(c), view.page, 0, key))
            return false;
        s = shelf_get(c->look_up->shelf, key);
    }
    lend(c, s, ret);
    return true;
}

bool look_up_simulated(void *engine, uint32_t url, struct percept *ret)
{
    struct crawl *c = engine;
    struct look_up *l = c->look_up;
    const struct past *p;
    struct url_view view;

    if (!frontier_url(c->frontier, url, &view) || view.page == 0 || view.page > l->npast)
        return false;
    p = &l->past[view.page - 1];
    if (p->version == WEB_NONE)
        return false;
    l->profile = web_profile(c->simulation->web, p->version);
    l->profile.relevance = p->relevance;
    l->profile.similarity = p->similarity;
    *ret = (struct percept){
        .choice = {.url = p->url, .agent = p->agent, .score = NAN},
        .page = view.page,
        .depth = p->depth,
        .latency = p->latency,
        .date = p->date,
        .body = web_unpack(c->simulation->web, p->version, l->scratch),
        .profile = &l->profile,
    };
    mark_again(c, ret->body, p->robots);
    ret->marks = l->marks;
    return true;
}

bool look_up_page(struct crawl *c, uint32_t url, struct percept *ret)
{
    return c->simulation ? look_up_simulated(c, url, ret) : look_up_live(c, url, ret);
}

/* ---- comparing ---- */

static bool kept_past(struct look_up *l, uint32_t page, struct kept *ret)
{
    const struct past *p = page && page <= l->npast ? &l->past[page - 1] : NULL;

    if (p == NULL || p->version == WEB_NONE)
        return false;
    *ret = (struct kept){.page = page,
                         .first = p->first,
                         .date = p->date,
                         .hash = p->hash,
                         .etag = replay_etag(p->latest, l->etag),
                         .last_modified = {"", 0},
                         .version = p->version};
    return true;
}

/* A page that is neither on the shelf nor in the archive: there is no body to go
 * with a 304, so no validators either, but its text can be compared. */
static bool kept_row(struct crawl *c, uint32_t page, struct kept *ret)
{
    struct reread *from = own_archive(c);
    struct look_up *l = c->look_up;
    struct row row = {0};
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

bool look_up_kept(struct crawl *c, uint32_t page, struct kept *ret)
{
    const struct shelf_page *s;

    if (c->simulation)
        return kept_past(c->look_up, page, ret);
    s = shelf_get(c->look_up->shelf, page);
    if (s == NULL && fetch_again(c, own_archive(c), page, 0, page))
        s = shelf_get(c->look_up->shelf, page);
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

void look_up_confirm(struct crawl *c, uint32_t page, const struct arrival *a)
{
    struct look_up *l = c->look_up;
    const struct shelf_page *s;
    struct web_answer answer;
    struct shelf_page again;

    if (c->simulation) {
        web_answer(c->simulation->web, a->source, a->reply.started_at, &answer);
        if (page <= l->npast && answer.version != WEB_NONE)
            l->past[page - 1].latest = answer.version;
        return;
    }
    s = shelf_get(l->shelf, page);
    if (s == NULL ||
        (str_eq(s->etag, a->reply.etag) && str_eq(s->last_modified, a->reply.last_modified)))
        return;
    again = *s;
    again.etag = a->reply.etag;
    again.last_modified = a->reply.last_modified;
    shelf_put(l->shelf, &again);
}
