/* url_pool.h - a set of URLs from which one can be drawn, all equally likely.
 *
 * An array without gaps and each URL's place in it: adding, removing and drawing
 * cost a few memory accesses. The order is that of additions, except that the last
 * one takes the place of one that is removed. The order is saved, so that draws do
 * not change. It takes 4 bytes for each member, and 4 for each URL up to the
 * highest one that was ever in.
 */
#pragma once

#include "agent/url_index.h"
#include "base/buf.h"
#include "base/rng.h"

#include <stdbool.h>

struct url_pool {
    uint32_t *urls;
    size_t count, cap;
    struct url_index at; /* URL -> place in urls, counted from 1 */
};

void url_pool_clear(struct url_pool *p); /* frees everything; zeroed is empty */

static inline bool url_pool_has(const struct url_pool *p, uint32_t url)
{
    return url_index_get(&p->at, url) != 0;
}

void url_pool_add(struct url_pool *p, uint32_t url);            /* no effect if it is in */
void url_pool_remove(struct url_pool *p, uint32_t url);         /* no effect if it is not in */
uint32_t url_pool_any(const struct url_pool *p, struct rng *r); /* 0: empty */

void url_pool_save(const struct url_pool *p, struct buf *out);
enum status url_pool_load(struct url_pool *p, struct cursor *from) MUST_USE;
