/* reader.c - one crawl directory, asked as the dashboard's API is. See reader.h.
 * SPDX-License-Identifier: MIT */
#include "dash/reader.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "cluster/question.h"
#include "dash/dash_int.h"

#include <stdlib.h>

struct dash_reader {
    struct dash dash; /* of it only the crawls are used */
    struct dash_crawl *crawl;
};

struct dash_reader *dash_reader_new(const char *dir)
{
    struct dash_reader *r = MEM_NEW(struct dash_reader);

    crawls_init(&r->dash.crawls);
    r->crawl = crawls_add(&r->dash.crawls, dir);
    return r;
}

void dash_reader_free(struct dash_reader *r)
{
    if (r == NULL)
        return;
    crawls_clear(&r->dash.crawls);
    free(r);
}

void dash_reader_runs(struct dash_reader *r, bool paused)
{
    r->crawl->live = (struct crawl_live){.answers = true,
                                         .paused = paused,
                                         .asked_at = clock_now(),
                                         .pages_limit = -1,
                                         .for_limit = -1,
                                         .bytes_limit = -1};
}

static enum status read_query(struct call *c, struct str query)
{
    struct str name, value;
    enum status st = ST_OK;

    while (st == ST_OK && question_option(&query, &name, &value))
        st = call_param(c, name, value);
    return st;
}

static enum status find(struct dash_reader *r, struct str path, struct call *ret)
{
    struct buf whole = BUF_INIT(LIMIT_DASH_URL);
    enum status st;

    buf_addf(&whole, "/api/crawls/%s%s", r->crawl->id, path.len ? "/" : "");
    buf_add_str(&whole, path);
    st = buf_check(&whole);
    if (st == ST_OK)
        st = route_find(&r->dash, "GET", buf_str(&whole), ret);
    if (st == ST_OK && (ret->crawl != r->crawl || ret->route->heavy))
        st = status_fail(ST_MISSING, "this is not a view of a crawl, or it is too large");
    buf_free(&whole);
    return st;
}

enum status dash_reader_get(struct dash_reader *r, struct str path, struct str query,
                            struct buf *out, bool *ret_is_text)
{
    struct call c = {.dash = &r->dash};
    enum status st = find(r, path, &c);

    if (st != ST_OK)
        return st;
    call_init(&c);
    c.out.max = out->max;
    st = read_query(&c, query);
    if (st == ST_OK)
        st = call_answer(&c);
    if (st == ST_OK)
        buf_add_str(out, buf_str(&c.out));
    *ret_is_text = c.kind == REPLY_STORED;
    call_clear(&c);
    return st;
}
