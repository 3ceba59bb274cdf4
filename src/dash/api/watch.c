/* watch.c - the announcements of a watch, one by one and by time; the freshness of its copies.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "dash/dash_int.h"

#include <math.h>
#include <stdlib.h>

#define MINUTE (60 * US_PER_S)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

/* ---- announcements ----------------------------------------------------------- */

struct news_query {
    int64_t after;
    uint32_t n;
};

#define AT(field) .offset = offsetof(struct news_query, field)

static const struct option news_params[] = {
    {INT_OPTION("after", after, NULL, "-1", -1, UINT32_MAX),
     .help = "behind this number, 0: from the first; -1: the newest"},
    PARAM_N(struct news_query, n, "200", "at most so many"),
    {.name = NULL},
};
#undef AT

static enum status put_news(void *ctx, const struct query_news *n)
{
    static const enum page_member announced[] = {PAGE_NUMBER,    PAGE_URL,  PAGE_TITLE,
                                                 PAGE_RELEVANCE, PAGE_DATE, PAGE_END};
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_int(j, "id", n->id);
    json_put_time(j, "at", n->at);
    page_put(j, n->page, announced);
    json_put_bool(j, "changed", n->page->version_of != 0);
    json_close(j);
    return ST_OK;
}

/* Returns the number of the last announcement; 0 in a crawl of a version without watches. */
static uint32_t last_news(struct query *q)
{
    uint32_t last = 0;

    return query_news_last(q, &last) == ST_OK ? last : 0;
}

/* The newest n, or those behind a number. */
static enum status api_news(struct call *r)
{
    const struct news_query *q = r->params;
    struct query *query = r->crawl->view;
    uint32_t last = last_news(query);
    int64_t after = q->after;
    struct json j;
    enum status st = ST_OK;

    if (after < 0)
        after = last > q->n ? last - q->n : 0;
    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_put_int(&j, "last", last);
    json_open_array(&j, "rows");
    if (after < last)
        st = query_news(query, (uint32_t)after, q->n, put_news, &j);
    json_close(&j);
    json_close(&j);
    return st;
}

/* ---- by time ------------------------------------------------------------------- */

struct timeline_query {
    uint32_t bars;
};

static const struct option timeline_params[] = {
    {.name = "bars",
     .type = OPTION_U32,
     .fallback = "60",
     .min = 2,
     .max = 500,
     .help = "at most so many",
     .offset = offsetof(struct timeline_query, bars)},
    {.name = NULL},
};

/* The lengths that a bar may have: usual units of clocks and calendars. */
static const int64_t steps[] = {
    US_PER_S,   2 * US_PER_S, 5 * US_PER_S, 10 * US_PER_S, 30 * US_PER_S, MINUTE,   2 * MINUTE,
    5 * MINUTE, 10 * MINUTE,  30 * MINUTE,  HOUR,          3 * HOUR,      6 * HOUR, DAY,
    7 * DAY,    28 * DAY,     364 * DAY,    3640 * DAY,    36400 * DAY,
};

struct counts {
    uint64_t fresh, changed; /* first versions, later ones */
};

struct watch_bars {
    int64_t step, first; /* first: number of the first slice, since 1970 */
    size_t bars;
    struct counts *slices; /* bars of them */
    struct counts total, day;
};

static void count_one(struct counts *c, bool changed)
{
    if (changed)
        c->changed++;
    else
        c->fresh++;
}

static void count_all(struct watch_bars *t, const struct news_times *times, int64_t yesterday)
{
    for (size_t i = 0; i < times->count; i++) {
        const struct news_time *one = &times->all[i];
        int64_t slice = one->at / t->step - t->first;

        count_one(&t->total, one->changed);
        if (one->at >= yesterday)
            count_one(&t->day, one->changed);
        if (slice >= 0 && (uint64_t)slice < t->bars)
            count_one(&t->slices[slice], one->changed);
    }
}

/* The shortest step that needs no more than `most` bars from one moment to another. */
static struct watch_bars timeline_of(int64_t from, int64_t to, uint32_t most)
{
    struct watch_bars t = {.step = steps[ARRAY_LEN(steps) - 1]};

    for (size_t i = ARRAY_LEN(steps); i-- > 0;)
        if (to / steps[i] - from / steps[i] < most)
            t.step = steps[i];
    t.first = from / t.step;
    t.bars = (size_t)(to / t.step - t.first) + 1;
    t.bars = t.bars < most ? t.bars : most;
    t.slices = mem_zero(t.bars, sizeof *t.slices);
    return t;
}

static void put_counts(struct json *j, const char *name, struct counts c)
{
    json_open_object(j, name);
    json_put_int(j, "new", (int64_t)c.fresh);
    json_put_int(j, "changed", (int64_t)c.changed);
    json_close(j);
}

static void put_bars(struct json *j, const struct watch_bars *t)
{
    json_put_int(j, "step", t->step / US_PER_S);
    json_open_array(j, "at");
    for (size_t i = 0; i < t->bars; i++)
        json_put_int(j, NULL, (t->first + (int64_t)i) * (t->step / US_PER_S));
    json_close(j);
    json_open_array(j, "new");
    for (size_t i = 0; i < t->bars; i++)
        json_put_int(j, NULL, (int64_t)t->slices[i].fresh);
    json_close(j);
    json_open_array(j, "changed");
    for (size_t i = 0; i < t->bars; i++)
        json_put_int(j, NULL, (int64_t)t->slices[i].changed);
    json_close(j);
}

/* From the first sample or announcement to the last one. */
static struct watch_bars timeline_all(const struct dash_crawl *c, uint32_t most)
{
    const struct news_times *n = &c->news;
    const struct series *s = &c->series;
    int64_t from = n->all[0].at, to = n->all[n->count - 1].at;

    if (s->frames > 0 && s->at[0] < from)
        from = s->at[0];
    if (s->frames > 0 && s->at[s->frames - 1] > to)
        to = s->at[s->frames - 1];
    return timeline_of(from, to, most);
}

static enum status api_timeline(struct call *r)
{
    const struct timeline_query *p = r->params;
    struct query *q = r->crawl->view;
    struct news_times *news = &r->crawl->news;
    struct watch_bars t = {0};
    enum status st = ST_OK;
    struct json j;

    if (last_news(q) > 0)
        st = news_times_refresh(news, q);
    else
        news_times_clear(news);
    if (st == ST_OK && news->count > 0) {
        t = timeline_all(r->crawl, p->bars);
        count_all(&t, news, clock_now() - DAY);
    }
    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    put_bars(&j, &t);
    put_counts(&j, "total", t.total);
    put_counts(&j, "day", t.day);
    json_close(&j);
    free(t.slices);
    return st;
}

/* ---- how fresh ------------------------------------------------------------------- */

struct freshness_query {
    int64_t points;
};

static const struct option freshness_params[] = {
    PARAM_POINTS(struct freshness_query, "300"),
    {.name = NULL},
};

#define SMOOTH 30 /* a rate is over this part of the whole time, or from point to point */

static double value_at(const struct series *s, size_t column, size_t frame)
{
    return column == SIZE_MAX ? (double)NAN : s->values[frame * LIMIT_DASH_METRICS + column];
}

static void put_curve(struct json *j, const struct series *s, const char *name, const char *metric,
                      size_t points)
{
    size_t column = series_find(s, str_of(metric));

    json_open_array(j, name);
    for (size_t i = 0; i < points; i++)
        json_put_num(j, NULL, value_at(s, column, series_frame(s, i, points)));
    json_close(j);
}

/* Writes looks per hour, from the growth of a sum since an earlier point. */
static void put_looks(struct json *j, const struct series *s, size_t points)
{
    size_t column = series_find(s, STR("copies.looks"));
    int64_t span = points ? (s->at[s->frames - 1] - s->at[0]) / SMOOTH : 0;

    json_open_array(j, "looks_hour");
    for (size_t i = 0, before = 0; i < points; i++) {
        size_t to = series_frame(s, i, points), from;
        int64_t time;

        while (before + 1 < i && s->at[to] - s->at[series_frame(s, before + 1, points)] >= span)
            before++;
        from = series_frame(s, before, points);
        time = s->at[to] - s->at[from];
        json_put_num(j, NULL,
                     time > 0 ? (value_at(s, column, to) - value_at(s, column, from)) *
                                    (double)HOUR / (double)time
                              : (double)NAN);
    }
    json_close(j);
}

static void put_now(struct json *j, const struct series *s)
{
    double looks = series_rate(s, "copies.looks", HOUR) * 3600;
    double changes = series_rate(s, "copies.changes", HOUR) * 3600;

    if (!(series_last(s, "copies") > 0)) {
        json_put_null(j, "now");
        return;
    }
    json_open_object(j, "now");
    json_put_num(j, "copies", series_last(s, "copies"));
    json_put_num(j, "freshness", series_last(s, "copies.freshness"));
    json_put_num(j, "age", series_last(s, "copies.age"));
    json_put_num(j, "looks", series_last(s, "copies.looks"));
    json_put_num(j, "changes", series_last(s, "copies.changes"));
    json_put_num(j, "looks_hour", looks);
    json_put_num(j, "changes_look", looks > 0 ? changes / looks : (double)NAN);
    json_close(j);
}

static enum status api_freshness(struct call *r)
{
    const struct freshness_query *q = r->params;
    const struct series *s = &r->crawl->series;
    size_t points = s->frames < (size_t)q->points ? s->frames : (size_t)q->points;
    struct json j;

    if (series_find(s, STR("copies")) == SIZE_MAX)
        points = 0;
    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "at");
    for (size_t i = 0; i < points; i++)
        json_put_num(&j, NULL, (double)s->at[series_frame(s, i, points)] / 1e6);
    json_close(&j);
    put_curve(&j, s, "freshness", "copies.freshness", points);
    put_curve(&j, s, "age", "copies.age", points);
    put_looks(&j, s, points);
    put_now(&j, s);
    json_close(&j);
    return ST_OK;
}

const struct route watch_routes[] = {
    {ROUTE_GET("/api/crawls/ID/news", "what a watch announced, oldest first", api_news),
     PARAMS(news_params, struct news_query),
     .answer = "{last: N, rows: [{id, at, page, url, title, relevance, date, changed: bool}]}"},
    {ROUTE_GET("/api/crawls/ID/timeline", "how much a watch announced, by time", api_timeline),
     PARAMS(timeline_params, struct timeline_query),
     .answer = "{step: seconds, at: [beginning of each bar, seconds since 1970], new: [N], "
               "changed: [N], total: {new, changed}, day: {new, changed}}: bars from the beginning "
               "of the watch to its newest sample, empty ones too; day: the last 24 hours"},
    {ROUTE_GET("/api/crawls/ID/freshness",
               "how old and how fresh the copies of a watch are (watch.md)", api_freshness),
     PARAMS(freshness_params, struct freshness_query), .light = true,
     .answer = "{at: [seconds since 1970], freshness: [0 to 1], age: [seconds], looks_hour: [N], "
               "now: {copies, freshness, age, looks, changes, looks_hour, changes_look} or null "
               "where none was kept}: the newest sample, its last two over the hour before "
               "it"},
    {.path = NULL},
};
