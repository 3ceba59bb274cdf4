/* look_up_web.c - visited pages of a simulated crawl: the web has every version, so only what it
 * does not know of a visit is kept. Thread: the mind. SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/look_up.h"
#include "frontier/frontier.h"
#include "sim/web/replay.h"
#include "sim/web/web.h"

#include <math.h>
#include <stdlib.h>

/* A visit: all that the web does not know itself. */
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

struct look_up_web {
    struct look_up base;
    const struct web *web;
    struct past *past; /* by page, counted from 1 */
    size_t npast, past_cap;
    struct web_scratch *scratch;
    struct profile profile; /* lent last */
    char etag[REPLAY_ETAG];
};

static struct look_up_web *own(const struct crawl *c)
{
    return (struct look_up_web *)c->look_up;
}

static void web_look_free(struct look_up *l)
{
    LOCAL_HEAP struct look_up_web *w = (struct look_up_web *)l;

    web_scratch_free(w->scratch);
    free(w->past);
}

/* The version that answered; WEB_NONE: none did. */
static uint32_t version_of(const struct look_up_web *l, const struct arrival *a)
{
    struct web_answer answer;

    web_answer(l->web, a->source, a->reply.started_at, &answer);
    return answer.version;
}

/* Returns the visit of a page; NULL if it was not kept. */
static struct past *past_of(struct look_up_web *l, uint32_t page)
{
    struct past *p = page && page <= l->npast ? &l->past[page - 1] : NULL;

    return p && p->version != WEB_NONE ? p : NULL;
}

static void web_keep(struct crawl *c, const struct arrival *a, uint32_t page, uint32_t first,
                     int64_t date)
{
    struct look_up_web *l = own(c);
    uint32_t version = version_of(l, a);

    while (l->npast < page) {
        MEM_GROW(l->past, l->npast, &l->past_cap);
        l->past[l->npast++] = (struct past){.version = WEB_NONE};
    }
    l->past[page - 1] = (struct past){
        .version = version,
        .latest = version,
        .first = first,
        .date = date,
        .hash = a->payload_hash,
        .url = a->request->choice.url,
        .agent = a->request->choice.agent,
        .latency = (uint32_t)(a->reply.done_at - a->reply.started_at),
        .relevance = a->profile.relevance,
        .similarity = a->profile.similarity,
        .depth = a->request->depth,
        .robots = (uint8_t)a->robots,
    };
}

static bool web_lend(struct crawl *c, uint32_t url, struct percept *ret, unsigned *ret_robots)
{
    struct look_up_web *l = own(c);
    const struct past *p;
    struct url_view view;

    if (!frontier_url(c->frontier, url, &view) || (p = past_of(l, view.page)) == NULL)
        return false;
    l->profile = web_profile(l->web, p->version);
    l->profile.relevance = p->relevance;
    l->profile.similarity = p->similarity;
    *ret_robots = p->robots;
    *ret = (struct percept){
        .choice = {.url = p->url, .agent = p->agent, .score = NAN},
        .page = view.page,
        .depth = p->depth,
        .latency = p->latency,
        .date = p->date,
        .body = web_unpack(l->web, p->version, l->scratch),
        .profile = &l->profile,
    };
    return true;
}

static bool web_kept(struct crawl *c, uint32_t page, struct kept *ret)
{
    struct look_up_web *l = own(c);
    const struct past *p = past_of(l, page);

    if (p == NULL)
        return false;
    *ret = (struct kept){.page = page,
                         .first = p->first,
                         .date = p->date,
                         .hash = p->hash,
                         .etag = replay_etag(p->latest, l->etag),
                         .last_modified = {"", 0}};
    return true;
}

/* A web has no texts, but knows which versions differ. */
static bool web_changed(const struct crawl *c, const struct arrival *a, const struct kept *kept)
{
    struct look_up_web *l = own(c);
    uint32_t version = version_of(l, a);

    return version != WEB_NONE &&
           web_text_changed(l->web, past_of(l, kept->page)->version, version);
}

static void web_confirm(struct crawl *c, uint32_t page, const struct arrival *a)
{
    struct look_up_web *l = own(c);
    uint32_t version = version_of(l, a);

    if (page <= l->npast && version != WEB_NONE)
        l->past[page - 1].latest = version;
}

struct look_up *look_up_web_new(const struct web *web)
{
    static const struct look_up_ops ops = {
        .free = web_look_free,
        .keep = web_keep,
        .lend = web_lend,
        .kept = web_kept,
        .changed = web_changed,
        .confirm = web_confirm,
    };
    struct look_up_web *l = MEM_NEW(struct look_up_web);

    l->base.ops = &ops;
    l->web = web;
    l->scratch = web_scratch_new();
    return &l->base;
}
