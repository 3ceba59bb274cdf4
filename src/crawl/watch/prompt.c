/* prompt.c - see prompt.h. SPDX-License-Identifier: MIT */
#include "crawl/watch/prompt.h"

#include "agent/model.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/ring.h"
#include "crawl/crawl_int.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"

#include <stdlib.h>

#define MINUTE (60 * US_PER_S)

struct prompts {
    struct ring waiting; /* numbers of URLs, each once */
    struct map is_waiting;
    struct map changed; /* hash of a URL's number -> minute in which it last changed, as was said */
    struct map heard;   /* feeds that we look at because a hub said so */
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

/* Did it change since it was said to have? What is said for the first time is only noted: the
 * page was visited a moment ago, or will be. */
static bool has_changed(struct prompts *p, uint32_t url, int64_t when)
{
    uint32_t minute = when > 0 && when / MINUTE < MAP_NONE ? (uint32_t)(when / MINUTE) : 0, *known;
    bool is_new;

    if (minute == 0 ||
        (p->changed.count >= LIMIT_FEED_DATES && map_get(&p->changed, hash_u64(url)) == MAP_NONE))
        return false;
    known = map_at(&p->changed, hash_u64(url), minute, &is_new);
    if (is_new || *known >= minute)
        return false;
    *known = minute;
    return true;
}

void prompts_hear(struct crawl *c, const struct arrival *a)
{
    struct prompts *p = c->prompts;
    bool was_told;

    if (p == NULL || a->page->link_changes == NULL)
        return;
    was_told = map_remove(&p->heard, hash_u64(a->request->choice.url)) && !c->model->ops->late;
    for (uint32_t i = 0; i < a->page->nlinks; i++) {
        const struct link_mark *m = &a->marks[i];
        bool changed = m->url && has_changed(p, m->url, a->page->link_changes[i]);

        if (m->url == 0 || m->drop != DROP_NONE)
            continue;
        if ((changed && frontier_page(c->frontier, m->url)) || (was_told && m->is_new))
            (void)add(p, m->url);
    }
}

bool prompts_look(struct crawl *c, struct str text)
{
    struct arena arena;
    uint32_t url = 0;
    struct url u;

    arena_init(&arena, KIB(256));
    if (c->prompts && url_parse(text, NULL, &arena, &u) == ST_OK)
        url = frontier_find(c->frontier, url_key(url_norm(&u, &arena)));
    arena_free(&arena);
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
