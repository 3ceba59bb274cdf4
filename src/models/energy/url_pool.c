/* url_pool.c - a set of URLs from which any one can be drawn, all alike.
 * SPDX-License-Identifier: MIT */
#include "models/energy/url_pool.h"

#include "base/limits.h"

void url_pool_clear(struct url_pool *p)
{
    free(p->urls);
    url_index_clear(&p->at);
    *p = (struct url_pool){0};
}

void url_pool_add(struct url_pool *p, uint32_t url)
{
    if (url_pool_has(p, url))
        return;
    MEM_GROW(p->urls, p->count, &p->cap);
    p->urls[p->count++] = url;
    url_index_set(&p->at, url, (uint32_t)p->count);
}

void url_pool_remove(struct url_pool *p, uint32_t url)
{
    uint32_t place = url_index_get(&p->at, url), last;

    if (place == 0)
        return;
    last = p->urls[--p->count];
    p->urls[place - 1] = last;
    url_index_set(&p->at, last, place);
    url_index_set(&p->at, url, 0);
}

uint32_t url_pool_any(const struct url_pool *p, struct rng *r)
{
    return p->count ? p->urls[rng_below(r, p->count)] : 0;
}

void url_pool_save(const struct url_pool *p, struct buf *out)
{
    buf_put_u32(out, (uint32_t)p->count);
    for (size_t i = 0; i < p->count; i++)
        buf_put_u32(out, p->urls[i]);
}

enum status url_pool_load(struct url_pool *p, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    url_pool_clear(p);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t url = cursor_number(from);

        if (from->bad || url == 0 || url > LIMIT_URLS || url_pool_has(p, url))
            from->bad = true;
        else
            url_pool_add(p, url);
    }
    if (!from->bad)
        return ST_OK;
    url_pool_clear(p);
    return status_fail(ST_CORRUPT, "the saved set of URLs is cut or damaged");
}
