/* look_up.c - a page that was visited, once more.
 *
 * In: the number of a URL. Out: a percept, lent until the next call. Thread: the
 * mind. SPDX-License-Identifier: MIT */
#include "crawl/look_up.h"

#include "base/log.h"
#include "base/mem.h"
#include "crawl/base_from.h"
#include "crawl/crawl_int.h"
#include "crawl/reread.h"
#include "crawl/shelf.h"
#include "frontier/frontier.h"
#include "sim/web.h"

#include <math.h>
#include <stdlib.h>

#define OF_BASE 0x80000000u /* on the shelf: a page of the earlier crawl */

/* A visit of a simulated web: all that the web does not know itself. */
struct past {
    uint32_t version, url, agent;
    uint32_t latency; /* us */
    float relevance, similarity;
    uint16_t depth;
    uint8_t robots;
};

struct look_up {
    struct shelf *shelf;   /* live */
    struct reread *reread; /* opened when it is needed */
    bool closed;           /* it cannot be opened */
    struct past *past;     /* simulated: by page, counted from 1 */
    size_t npast, past_cap;
    struct web_scratch *scratch;
    struct profile profile; /* lent last */
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

void look_up_free(struct look_up *l)
{
    if (l == NULL)
        return;
    shelf_free(l->shelf);
    reread_close(l->reread);
    web_scratch_free(l->scratch);
    free(l->past);
    free(l->marks);
    free(l);
}

/* ---- keeping ---- */

static void keep_past(struct crawl *c, const struct arrival *a, uint32_t page)
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
    p->version = answer.version;
    p->url = a->request->choice.url;
    p->agent = a->request->choice.agent;
    p->latency = (uint32_t)(a->reply.done_at - a->reply.started_at);
    p->relevance = a->profile.relevance;
    p->similarity = a->profile.similarity;
    p->depth = a->request->depth;
    p->robots = (uint8_t)a->robots;
}

static void keep_page(struct look_up *l, const struct arrival *a, uint32_t page)
{
    struct shelf_page s = {
        .page = page,
        .url = a->request->choice.url,
        .agent = a->request->choice.agent,
        .depth = a->request->depth,
        .robots = (uint8_t)a->robots,
        .latency = a->reply.done_at - a->reply.started_at,
        .body = *a->page,
        .profile = a->profile,
    };

    shelf_put(l->shelf, &s);
}

void look_up_keep(struct crawl *c, const struct arrival *a, uint32_t page)
{
    if (c->simulation)
        keep_past(c, a, page);
    else
        keep_page(c->look_up, a, page);
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

    mark_again(c, &s->body, s->robots);
    *ret = (struct percept){
        .choice = {.url = s->url, .agent = s->agent, .score = NAN},
        .page = s->page & OF_BASE ? 0 : s->page,
        .depth = s->depth,
        .latency = s->latency,
        .body = &s->body,
        .profile = &s->profile,
        .marks = l->marks,
    };
}

/* The page from the archive onto the shelf. */
static bool fetch_again(struct crawl *c, struct reread *from, uint32_t number, uint32_t url,
                        uint32_t key)
{
    struct arrival *a;

    if (from == NULL || reread_page(from, number, c->table, &a) != ST_OK)
        return false;
    if (url)
        a->request->choice = (struct choice){.url = url};
    keep_page(c->look_up, a, key);
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
        .body = web_unpack(c->simulation->web, p->version, l->scratch),
        .profile = &l->profile,
    };
    mark_again(c, ret->body, p->robots);
    ret->marks = l->marks;
    return true;
}
