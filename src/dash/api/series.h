/* series.h - a crawl's samples as curves of bounded size, and the times of a watch's announcements.
 *
 * The samples of one second make a frame. When there are too many frames, every second
 * one is dropped, and from then on only every second one is kept, and so on: a crawl of any length
 * keeps between half and all of SERIES_FRAMES points, evenly spaced. The newest frame is always
 * kept.
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
    uint64_t step;   /* every step-th frame is kept */
    uint64_t seen;   /* frames so far: the first one, and every step-th after it, are kept */
    bool loose;      /* the last frame is kept only because it is the newest */
    int64_t last_id; /* of the samples read */
};

void series_clear(struct series *s);
/* Reads the new samples. */
enum status series_refresh(struct series *s, struct query *q) MUST_USE;
void series_add(struct series *s, int64_t at, struct str metric, double value);

/* Returns the column of a metric, or SIZE_MAX. */
size_t series_find(const struct series *s, struct str metric);
/* All frames are divided into `points` groups of equal size (`points` must not exceed their
 * number). Returns the last frame of the i-th group. */
size_t series_frame(const struct series *s, size_t i, size_t points);
/* Returns the newest value of a metric, or NAN. */
double series_last(const struct series *s, const char *metric);
/* Returns how much a metric grew per second over the last `span` microseconds; 0 without
 * samples. */
double series_rate(const struct series *s, const char *metric, int64_t span);

/* ---- times of a watch's announcements, kept between requests ----
 *
 * Whether an announcement is a later version is stored with its page, and looking that up for
 * 100,000 announcements takes a quarter of a second. So each is read only once and takes 16 bytes;
 * new ones are added. If some were forgotten, all are read again. */

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
/* Reads the new announcements. After a failure it keeps those that it has read. */
enum status news_times_refresh(struct news_times *t, struct query *q) MUST_USE;
