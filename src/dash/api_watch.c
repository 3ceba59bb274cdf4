/* api_watch.c - what a watch announced; how fresh the store is.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/dash_int.h"

#include <math.h>

static enum status put_news(void *ctx, const struct query_news *n)
{
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_int(j, "id", n->id);
    put_time(j, "at", n->at);
    json_put_int(j, "page", n->page->id);
    json_put_str(j, "url", n->page->url);
    json_put_str(j, "title", n->page->title);
    json_put_num(j, "relevance", n->page->relevance);
    put_time(j, "date", n->page->date);
    json_put_bool(j, "changed", n->page->version_of != 0);
    json_close(j);
    return ST_OK;
}

/* The newest n, or those behind a number. */
enum status api_news(struct call *r)
{
    const struct messages_query *q = r->params;
    struct query *query = query_view_query(r->crawl->view);
    int64_t after = q->after;
    uint32_t last = 0;
    struct json j;
    enum status st = ST_OK;

    if (query_news_last(query, &last) != ST_OK)
        last = 0; /* a crawl from before there were watches */
    if (after == 0 && last > q->n)
        after = last - q->n;
    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_put_int(&j, "last", last);
    json_open_array(&j, "rows");
    if (last > 0)
        st = query_news(query, (uint32_t)after, q->n, put_news, &j);
    json_close(&j);
    json_close(&j);
    return st;
}

/* Curves that the model tells, under the names it has for them. */
enum status api_freshness(struct call *r)
{
    static const struct {
        const char *name, *metric;
    } curves[] = {{"freshness", "model.freshness"}, {"age", "model.age"}};
    const struct series *s = &r->crawl->series;
    struct json j;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "at");
    for (size_t i = 0; i < s->frames; i++)
        json_put_num(&j, NULL, (double)s->at[i] / 1e6);
    json_close(&j);
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++) {
        size_t column = series_find(s, str_of(curves[k].metric));

        if (column == SIZE_MAX) {
            json_put_null(&j, curves[k].name);
            continue;
        }
        json_open_array(&j, curves[k].name);
        for (size_t i = 0; i < s->frames; i++)
            json_put_num(&j, NULL, s->values[i * LIMIT_DASH_METRICS + column]);
        json_close(&j);
    }
    json_close(&j);
    return ST_OK;
}
