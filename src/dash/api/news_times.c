/* news_times.c - when a watch announced what. See news_times.h.
 * SPDX-License-Identifier: MIT */
#include "dash/api/news_times.h"

#include "base/mem.h"

#include <stdlib.h>

void news_times_clear(struct news_times *t)
{
    free(t->all);
    *t = (struct news_times){0};
}

static enum status add(void *ctx, uint32_t id, int64_t at, bool changed)
{
    struct news_times *t = ctx;

    MEM_GROW(t->all, t->count, &t->cap);
    t->all[t->count++] = (struct news_time){at, changed};
    t->last = id;
    return ST_OK;
}

enum status news_times_refresh(struct news_times *t, struct query *q)
{
    uint64_t count = 0;
    enum status st = query_news_times(q, t->last, add, t);

    if (st == ST_OK)
        st = query_news_count(q, &count);
    if (st != ST_OK || count == t->count)
        return st;
    news_times_clear(t); /* some were forgotten */
    return query_news_times(q, 0, add, t);
}
