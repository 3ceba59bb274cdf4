/* series.h - a crawl's samples as curves of bounded size; when a watch announced what.
 *
 * The samples of one second make a frame. When there are too many frames, every second
 * one is dropped, and from then on only every second one is kept, and so on: between
 * half and all of SERIES_FRAMES points stay however long the crawl is, evenly spaced.
 * The newest frame is always there.
 */
#pragma once

#include "base/limits.h"
#include "base/str.h"
#include "store/read/query.h"

#define SERIES_FRAMES 2048

struct series {
    char *names[LIMIT_DASH_METRICS];
    size_t metrics;
    int64_t *at;    /* of each frame, us */
    double *values; /* frames x LIMIT_DASH_METRICS; NAN: no sample */
    size_t frames;
    uint64_t step;   /* one of so many is kept */
    uint64_t seen;   /* frames so far: the first one, and every step-th after it, are kept */
    bool loose;      /* the last frame is only there because it is the newest */
    int64_t last_id; /* of the samples read */
};

void series_clear(struct series *s);
/* Reads what came since. */
enum status series_refresh(struct series *s, struct query *q) MUST_USE;
void series_add(struct series *s, int64_t at, struct str metric, double value);

/* The column of a metric, or SIZE_MAX. */
size_t series_find(const struct series *s, struct str metric);
/* The i-th of `points` frames, no more than there are, out of all: the last of each group of
 * equal size. */
size_t series_frame(const struct series *s, size_t i, size_t points);
/* Its newest value, or NAN. */
double series_last(const struct series *s, const char *metric);
/* How much a metric grew a second over the last `span` microseconds; 0 without samples. */
double series_rate(const struct series *s, const char *metric, int64_t span);

/* ---- when a watch announced what, kept between two requests ----
 *
 * Whether an announcement is a later version stands with its page, and looking that up for
 * all of them takes a quarter of a second where there are 100,000. So each is read once,
 * 16 bytes; what came since is added. Where some were forgotten, all are read again. */

struct news_time {
    int64_t at;
    bool changed; /* a later version */
};

struct news_times {
    struct news_time *all; /* oldest first */
    size_t count, cap;
    uint32_t last; /* number of the last one read */
};

void news_times_clear(struct news_times *t);
/* Reads what came since. What was read before a failure stays. */
enum status news_times_refresh(struct news_times *t, struct query *q) MUST_USE;
