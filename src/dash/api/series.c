/* series.c - curves of bounded size. See series.h. SPDX-License-Identifier: MIT */
#include "dash/api/series.h"

#include "base/mem.h"
#include "store/read/query.h"

#include <math.h>
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

#define ROW       LIMIT_DASH_METRICS
#define TIME_MOST (INT64_MAX / 4) /* a larger value is not a time: differences would overflow */

void series_clear(struct series *s)
{
    for (size_t i = 0; i < s->metrics; i++)
        free(s->names[i]);
    free(s->at);
    free(s->values);
    *s = (struct series){0};
}

size_t series_find(const struct series *s, struct str metric)
{
    for (size_t i = 0; i < s->metrics; i++)
        if (str_eq(str_of(s->names[i]), metric))
            return i;
    return SIZE_MAX;
}

static size_t column_of(struct series *s, struct str metric)
{
    size_t i = series_find(s, metric);

    if (i == SIZE_MAX && s->metrics < LIMIT_DASH_METRICS) {
        i = s->metrics++;
        s->names[i] = str_dup(metric);
    }
    return i;
}

/* Drops every second frame. */
static void thin_out(struct series *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->frames; i += 2, n++) {
        s->at[n] = s->at[i];
        memmove(s->values + n * ROW, s->values + i * ROW, ROW * sizeof *s->values);
    }
    s->frames = n;
    s->step *= 2;
}

static double *frame_new(struct series *s, int64_t at)
{
    double *row;

    if (s->at == NULL) {
        s->at = mem_alloc(SERIES_FRAMES * sizeof *s->at);
        s->values = mem_alloc(SERIES_FRAMES * ROW * sizeof *s->values);
        s->step = 1;
    }
    if (s->loose) { /* the last one was kept only as the newest */
        s->frames--;
        s->loose = false;
    }
    if (s->frames == SERIES_FRAMES)
        thin_out(s);
    s->loose = s->seen++ % s->step != 0;
    s->at[s->frames] = at;
    row = s->values + s->frames++ * ROW;
    for (size_t i = 0; i < ROW; i++)
        row[i] = (double)NAN;
    return row;
}

void series_add(struct series *s, int64_t at, struct str metric, double value)
{
    size_t column = column_of(s, metric);
    double *row = s->frames ? s->values + (s->frames - 1) * ROW : NULL;

    if (column == SIZE_MAX || at < 0 || at > TIME_MOST)
        return;
    if (row == NULL || s->at[s->frames - 1] != at)
        row = frame_new(s, at);
    row[column] = value;
}

static enum status on_sample(void *ctx, int64_t id, int64_t at, struct str metric, double value)
{
    struct series *s = ctx;

    series_add(s, at, metric, value);
    s->last_id = id;
    return ST_OK;
}

enum status series_refresh(struct series *s, struct query *q)
{
    return query_samples(q, s->last_id, on_sample, s);
}

size_t series_frame(const struct series *s, size_t i, size_t points)
{
    return s->frames <= points ? i : (i + 1) * s->frames / points - 1;
}

double series_last(const struct series *s, const char *metric)
{
    size_t column = series_find(s, str_of(metric));

    for (size_t i = s->frames; column != SIZE_MAX && i-- > 0;)
        if (!isnan(s->values[i * ROW + column]))
            return s->values[i * ROW + column];
    return (double)NAN;
}

double series_rate(const struct series *s, const char *metric, int64_t span)
{
    size_t column = series_find(s, str_of(metric)), from;
    int64_t end;

    if (column == SIZE_MAX || s->frames < 2)
        return 0;
    end = s->at[s->frames - 1];
    /* The time between a stop and a resume does not count. */
    for (from = s->frames - 2;
         from > 0 && end - s->at[from] < span && s->at[from] - s->at[from - 1] <= span / 2;)
        from--;
    if (!(s->at[from] < end))
        return 0;
    return (s->values[(s->frames - 1) * ROW + column] - s->values[from * ROW + column]) * 1e6 /
           (double)(end - s->at[from]);
}
