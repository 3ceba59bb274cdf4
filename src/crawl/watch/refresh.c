/* refresh.c - repeated visits to a page. Thread: the mind.
 * SPDX-License-Identifier: MIT */
#include "crawl/watch/refresh.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/news.h"
#include "flow.h"
#include "frontier/frontier.h"

#include <stdlib.h>

#define CLOCK_SLACK (3600 * US_PER_S)

void refresh_validators(void *crawl, uint32_t page, struct str *ret_etag, struct str *ret_modified)
{
    struct crawl *c = crawl;
    struct kept kept;

    if (!c->look_up->ops->kept(c, page, &kept))
        return;
    *ret_etag = kept.etag;
    *ret_modified = kept.last_modified;
}

enum change refresh_judge(struct crawl *c, const struct arrival *a, struct kept *ret)
{
    uint32_t page;

    if (!model_refreshes(c->model))
        return CHANGE_NEW;
    page = frontier_page(c->frontier, a->request->choice.url);
    if (page == 0 || !c->look_up->ops->kept(c, page, ret))
        return CHANGE_NEW;
    if (ret->hash == a->payload_hash)
        return CHANGE_NONE;
    return c->look_up->ops->changed(c, a, ret) ? CHANGE_TEXT : CHANGE_NONE;
}

bool refresh_is_version(struct crawl *c, uint32_t page, uint32_t first)
{
    struct kept kept;

    return page == first || (c->look_up->ops->kept(c, page, &kept) && kept.first == first);
}

struct feed_dates {
    struct map where; /* hash of a URL's number -> place */
    int64_t *dates;
    size_t count, cap;
};

/* Returns the date that a feed gave for a URL; 0 if none did. */
static int64_t feed_dates_of(const struct feed_dates *d, uint32_t url)
{
    uint32_t at = map_get(&d->where, hash_u64(url));

    return at == MAP_NONE ? 0 : d->dates[at];
}

int64_t refresh_date(const struct crawl *c, const struct arrival *a)
{
    int64_t listed;

    if (a->page->date && a->page->date_source != DATE_MODIFIED)
        return a->page->date;
    listed = feed_dates_of(c->feed_dates, a->request->choice.url);
    if (listed)
        return listed;
    if (a->page->date)
        return a->page->date;
    return a->reply.started_at ? a->reply.started_at : c->now;
}

int64_t refresh_by_our_clock(const struct crawl *c, const struct arrival *a, int64_t date)
{
    int64_t ahead;

    if (!model_refreshes(c->model))
        return date;
    ahead = a->reply.done_at - news_clock(&a->reply); /* we are */
    return ahead < -CLOCK_SLACK || ahead > CLOCK_SLACK ? date + ahead : date;
}

/* ---- when the entries of feeds were published ---- */

struct feed_dates *feed_dates_new(void)
{
    struct feed_dates *d = MEM_NEW(struct feed_dates);

    map_init(&d->where);
    return d;
}

void feed_dates_free(struct feed_dates *d)
{
    if (d == NULL)
        return;
    map_free(&d->where);
    free(d->dates);
    free(d);
}

static void add(struct feed_dates *d, uint32_t url, int64_t date)
{
    bool is_new = false;

    if (d->count == LIMIT_FEED_DATES)
        return;
    (void)map_at(&d->where, hash_u64(url), (uint32_t)d->count, &is_new);
    if (!is_new)
        return;
    MEM_GROW(d->dates, d->count, &d->cap);
    d->dates[d->count++] = date;
}

void feed_dates_note(struct feed_dates *d, const struct arrival *a)
{
    if (a->page->link_dates == NULL)
        return;
    for (uint32_t i = 0; i < a->page->nlinks; i++)
        if (a->marks[i].url && a->page->link_dates[i] > 0 && a->page->links[i].kind == LINK_FEED)
            add(d, a->marks[i].url, a->page->link_dates[i]);
}
