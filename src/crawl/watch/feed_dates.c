/* feed_dates.c - when the entries of feeds were published. SPDX-License-Identifier: MIT */
#include "crawl/watch/feed_dates.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

struct feed_dates {
    struct map where; /* hash of a URL's number -> place */
    int64_t *dates;
    size_t count, cap;
};

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

int64_t feed_dates_of(const struct feed_dates *d, uint32_t url)
{
    uint32_t at = map_get(&d->where, hash_u64(url));

    return at == MAP_NONE ? 0 : d->dates[at];
}
