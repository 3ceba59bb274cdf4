/* prompt.c - see prompt.h. SPDX-License-Identifier: MIT */
#include "crawl/watch/prompt.h"

#include "agent/model.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/log.h"
#include "base/ring.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/copies.h"
#include "crawl/watch/refresh.h"
#include "frontier/frontier.h"

#include <stdlib.h>

#define MINUTE (60 * US_PER_S)

struct prompts {
    struct ring waiting; /* numbers of URLs, each once */
    struct map is_waiting;
    struct map changed; /* hash of a URL's number -> minute of its last reported change */
    struct map heard;   /* feeds that are visited because of a hub's message */
};

struct prompts *prompts_new(void)
{
    struct prompts *p = MEM_NEW(struct prompts);

    map_init(&p->is_waiting);
    map_init(&p->changed);
    map_init(&p->heard);
    return p;
}

void prompts_free(struct prompts *p)
{
    if (p == NULL)
        return;
    ring_free(&p->waiting);
    map_free(&p->is_waiting);
    map_free(&p->changed);
    map_free(&p->heard);
    free(p);
}

static bool add(struct prompts *p, uint32_t url)
{
    bool is_new;

    if (p->waiting.count >= LIMIT_PROMPTS)
        return false;
    (void)map_at(&p->is_waiting, hash_u64(url), 1, &is_new);
    if (is_new)
        *RING_ADD(&p->waiting, uint32_t) = url;
    return true;
}

/* Is the reported change newer than the last reported one? A first report is compared with our last
 * look at the page; a page without a look will be visited anyway. The date is by the server's
 * clock, which may differ from ours. */
static bool has_changed(struct crawl *c, const struct arrival *a, uint32_t url, int64_t when)
{
    uint32_t minute = when > 0 && when / MINUTE < MAP_NONE ? (uint32_t)(when / MINUTE) : 0, *known;
    struct prompts *p = c->prompts;
    bool is_new;

    if (minute == 0 ||
        (p->changed.count >= LIMIT_FEED_DATES && map_get(&p->changed, hash_u64(url)) == MAP_NONE))
        return false;
    known = map_at(&p->changed, hash_u64(url), minute, &is_new);
    if (is_new) {
        int64_t looked_at = c->copies ? copies_looked_at(c->copies, url) : 0;

        return looked_at && refresh_by_our_clock(c, a, when) > looked_at;
    }
    if (*known >= minute)
        return false;
    *known = minute;
    return true;
}

/* Does the i-th link of a feed or sitemap ask for a visit? `new_too`: also if we have not met it. */
static bool asks_for_visit(struct crawl *c, const struct arrival *a, uint32_t i, bool new_too)
{
    const struct link_mark *m = &a->marks[i];
    bool changed = m->url && has_changed(c, a, m->url, a->page->link_changes[i]);

    if (m->url == 0 || m->drop != DROP_NONE)
        return false;
    return (changed && frontier_page(c->frontier, m->url)) || (new_too && m->is_new);
}

void prompts_hear(struct crawl *c, const struct arrival *a)
{
    struct prompts *p = c->prompts;
    struct str first = STR("");
    uint32_t count = 0;
    bool was_told;

    if (p == NULL || a->page->link_changes == NULL)
        return;
    was_told = map_remove(&p->heard, hash_u64(a->request->choice.url)) && !c->model->ops->late;
    for (uint32_t i = 0; i < a->page->nlinks; i++)
        if (asks_for_visit(c, a, i, was_told) && add(p, a->marks[i].url) && count++ == 0)
            first = a->page->links[i].url;
    if (count > 0 && c->log)
        log_line(c->log, LOG_INFO, c->now, "%.*s says that %.*s is new or has changed; %u in all",
                 STR_ARG(a->request->href), STR_ARG(first), count);
}

bool prompts_look(struct crawl *c, struct str text)
{
    uint32_t url = c->prompts ? crawl_find(c, text) : 0;

    if (url == 0 || !add(c->prompts, url))
        return false;
    map_set(&c->prompts->heard, hash_u64(url), 1);
    return true;
}

bool prompts_next(struct crawl *c, struct choice *ret)
{
    struct prompts *p = c->prompts;
    uint32_t url;

    if (p == NULL || p->waiting.count == 0)
        return false;
    url = *RING_TAKE(&p->waiting, uint32_t);
    (void)map_remove(&p->is_waiting, hash_u64(url));
    *ret = (struct choice){.url = url, .score = 1, .refresh = true};
    return true;
}

size_t prompts_waiting(const struct prompts *p)
{
    return p ? p->waiting.count : 0;
}
