/* curves.c - curves of several nodes at the same moments, and the distribution of relevance.
 * SPDX-License-Identifier: MIT */
#include "dash/far/far_int.h"

#include "base/mem.h"
#include "dash/api/series.h"

#include <math.h>
#include <stdlib.h>

/* ---- how curves become one ------------------------------------------------ */

enum joining { JOIN_SUM, JOIN_MEAN, JOIN_MOST };

static enum joining joining_of(const char *metric)
{
    static const struct {
        const char *prefix;
        enum joining how;
    } rules[] = {{"mean", JOIN_MEAN},    {"model.", JOIN_MEAN},     {"wait.cpu", JOIN_MEAN},
                 {"bounds.", JOIN_MOST}, {"wait.store", JOIN_MEAN}, {"left", JOIN_MOST}};

    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (str_starts(str_of(metric), str_of(rules[i].prefix)))
            return rules[i].how;
    return JOIN_SUM;
}

static double time_at(const json_t *at, size_t i)
{
    return json_number_value(json_array_get(at, i));
}

/* From the first moment of any node to the last. */
static bool span_of(const struct far_replies *all, double *from, double *to, size_t *frames)
{
    *from = INFINITY;
    *to = -INFINITY;
    *frames = 0;
    for (size_t i = 0; i < all->count; i++) {
        const json_t *at = json_object_get(all->items[i].answer, "at");
        size_t n = json_array_size(at);

        if (n == 0)
            continue;
        *from = fmin(*from, time_at(at, 0));
        *to = fmax(*to, time_at(at, n - 1));
        *frames = n > *frames ? n : *frames;
    }
    return *frames > 0 && *to >= *from;
}

/* A node's curve at a moment: its last value until then. `frame` goes on from moment to moment. NAN:
 * there is none. */
static double value_at(const json_t *answer, const char *metric, double moment, size_t *frame)
{
    const json_t *at = json_object_get(answer, "at"), *values = json_object_get(answer, metric);
    const json_t *value;
    size_t n = json_array_size(at);

    while (*frame + 1 < n && time_at(at, *frame + 1) <= moment)
        ++*frame;
    if (n == 0 || time_at(at, *frame) > moment)
        return (double)NAN;
    value = json_array_get(values, *frame);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

struct joined {
    double sum, most;
    size_t count;
};

static void join(struct joined *j, double value)
{
    if (isnan(value))
        return;
    j->most = j->count == 0 || value > j->most ? value : j->most;
    j->sum += value;
    j->count++;
}

static json_t *joined_value(const struct joined *j, enum joining how)
{
    double value = how == JOIN_MOST   ? j->most
                   : how == JOIN_MEAN ? j->sum / (double)j->count
                                      : j->sum;
    json_t *real = j->count ? json_real(value) : NULL;

    return real ? real : json_null();
}

static json_t *curve(const struct far_replies *all, const char *metric, const double *moments,
                     size_t points)
{
    size_t *frames = mem_zero(all->count + 1, sizeof *frames);
    enum joining how = joining_of(metric);
    json_t *values = json_array();

    for (size_t i = 0; i < points; i++) {
        struct joined j = {0};

        for (size_t k = 0; k < all->count; k++)
            join(&j, value_at(all->items[k].answer, metric, moments[i], &frames[k]));
        (void)json_array_append_new(values, joined_value(&j, how));
    }
    free(frames);
    return values;
}

/* Every metric that some node has. */
static void add_curves(json_t *ret, const struct far_replies *all, const double *moments,
                       size_t points)
{
    const char *key;
    json_t *values;

    for (size_t i = 0; i < all->count; i++)
        json_object_foreach(all->items[i].answer, key, values)
        {
            if (json_object_get(ret, key) == NULL && json_is_array(values) &&
                json_object_size(ret) <= LIMIT_DASH_METRICS)
                (void)json_object_set_new(ret, key, curve(all, key, moments, points));
        }
}

json_t *far_merge_samples(struct far_replies *all, uint32_t points)
{
    json_t *ret = json_object(), *at = json_array();
    double from, to, *moments;
    size_t frames;

    (void)json_object_set_new(ret, "at", at);
    if (!span_of(all, &from, &to, &frames))
        return ret;
    if (points > frames)
        points = (uint32_t)frames;
    if (points > SERIES_FRAMES)
        points = SERIES_FRAMES;
    moments = mem_zero(points + 1, sizeof *moments);
    for (size_t i = 0; i < points; i++) {
        moments[i] = points > 1 ? from + (to - from) * (double)i / (double)(points - 1) : to;
        (void)json_array_append_new(at, json_real(moments[i]));
    }
    add_curves(ret, all, moments, points);
    free(moments);
    return ret;
}

/* ---- how relevance is spread ---------------------------------------------- */

#define BINS 50

json_t *far_merge_histogram(struct far_replies *all)
{
    json_int_t sums[BINS] = {0};
    json_t *bins = json_array(), *ret = json_object();
    struct joined R = {0};

    for (size_t i = 0; i < all->count; i++) {
        const json_t *one = all->items[i].answer, *r = json_object_get(one, "R");

        for (size_t k = 0; k < BINS; k++) {
            json_int_t n = json_integer_value(json_array_get(json_object_get(one, "bins"), k));

            sums[k] += n > 0 && n < 1000000000000 ? n : 0;
        }
        join(&R, json_is_number(r) ? json_number_value(r) : (double)NAN);
    }
    for (size_t k = 0; k < BINS; k++)
        (void)json_array_append_new(bins, json_integer(sums[k]));
    (void)json_object_set_new(ret, "bins", bins);
    (void)json_object_set_new(ret, "R", joined_value(&R, JOIN_MEAN));
    return ret;
}
