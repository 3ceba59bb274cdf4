/* retry.c - tries failed visits again. SPDX-License-Identifier: MIT */
#include "crawl/retry.h"

#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "frontier/frontier.h"

#include <stdlib.h>

/* Failures that often pass by themselves. */
static const char *const usual[] = {"network", "timeout", "host-dead", "429", "5xx"};

struct reasons {
    bool why[DROP_COUNT];
    bool status[600]; /* of DROP_STATUS */
};

/* "503" or "5xx". */
static bool reasons_status(struct reasons *w, struct str reason)
{
    bool group = reason.len == 3 && str_eq(str_sub(reason, 1, 3), STR("xx"));
    unsigned from = 0, to;

    for (size_t i = 0; i < (group ? 1 : reason.len); i++) {
        if (reason.len != 3 || !ascii_is_digit(reason.ptr[i]))
            return false;
        from = from * 10 + (unsigned)(reason.ptr[i] - '0');
    }
    from = group ? from * 100 : from;
    to = group ? from + 99 : from;
    if (from < 300 || to > 599)
        return false;
    for (unsigned s = from; s <= to; s++)
        w->status[s] = true;
    return true;
}

static enum status reasons_add(struct reasons *w, struct str reason)
{
    enum drop why = drop_of_name(reason);

    if (str_eq(reason, STR("all"))) {
        for (size_t d = DROP_NONE + 1; d < DROP_COUNT; d++)
            w->why[d] = d != DROP_FORGOTTEN;
        return ST_OK;
    }
    if (why < DROP_COUNT && why != DROP_NONE && why != DROP_FORGOTTEN) {
        w->why[why] = true;
        return ST_OK;
    }
    if (reasons_status(w, reason))
        return ST_OK;
    return status_fail(ST_USAGE,
                       "--reason %.*s: give a reason of `brood stats` (timeout, network, "
                       "host-dead …), a status (503, 5xx) or all",
                       STR_ARG(reason));
}

static enum status reasons_make(struct reasons *w, const struct text_list *reasons)
{
    *w = (struct reasons){0};
    for (size_t i = 0; reasons->count == 0 && i < ARRAY_LEN(usual); i++)
        TRY(reasons_add(w, str_of(usual[i])));
    for (size_t i = 0; i < reasons->count; i++)
        TRY(reasons_add(w, str_of(reasons->items[i])));
    return ST_OK;
}

struct retry_sieve {
    struct reasons wish;
    query_failed_fn *fn;
    void *ctx;
};

static enum status sieve_pass(void *ctx, const struct query_failed *f)
{
    const struct retry_sieve *s = ctx;
    bool wanted = s->wish.why[f->why];

    if (f->why == DROP_STATUS && f->status >= 0 && f->status < 600)
        wanted = wanted || s->wish.status[f->status];
    return wanted ? s->fn(s->ctx, f) : ST_OK;
}

enum status retry_list(const char *dir, const struct text_list *reasons, query_failed_fn *fn,
                       void *ctx)
{
    struct retry_sieve sieve = {.fn = fn, .ctx = ctx};
    LOCAL_QUERY *q = NULL;

    TRY(reasons_make(&sieve.wish, reasons));
    TRY(query_open(dir, &q));
    return query_failed(q, sieve_pass, &sieve);
}

/* ---- the visits ---------------------------------------------------------- */

struct url_list {
    uint32_t *items;
    size_t count, cap;
};

static enum status keep_url(void *ctx, const struct query_failed *f)
{
    struct url_list *u = ctx;

    MEM_GROW(u->items, u->count, &u->cap);
    u->items[u->count++] = f->url;
    return ST_OK;
}

enum status crawl_retry(const char *dir, const struct crawl_options *o,
                        const struct text_list *reasons, struct crawl **ret, size_t *ret_count)
{
    struct url_list urls = {0};
    struct crawl *c = NULL;
    enum status st = retry_list(dir, reasons, keep_url, &urls);

    *ret = NULL;
    *ret_count = urls.count;
    if (st == ST_OK && urls.count > 0)
        st = crawl_continue(dir, o, &c);
    if (c == NULL) {
        free(urls.items);
        return st;
    }
    for (size_t i = 0; i < urls.count; i++) /* each host is forgiven once, before all */
        frontier_forgive(c->frontier, urls.items[i]);
    c->retry = urls.items;
    c->retries = urls.count;
    *ret = c;
    return st;
}

bool retry_next(struct crawl *c, struct choice *ret)
{
    if (c->retried == c->retries)
        return false;
    *ret = (struct choice){.url = c->retry[c->retried++], .score = 1};
    return true;
}
