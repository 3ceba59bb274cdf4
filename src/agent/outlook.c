/* outlook.c - how much of the topic is found. See outlook.h. SPDX-License-Identifier: MIT */
#include "agent/outlook.h"

#include <math.h>

#define FEWEST   5    /* finds */
#define LEAST    0.02 /* of l: below, the finds hardly thin out */
#define MOST     50.0 /* of l */
#define CLEAR    2.0  /* l is off by at most that factor */
#define UNCLEAR  3.5
#define ENDLESS  1e9 /* pages expected, at most */
#define HALVINGS 60

struct sums {
    double finds, places; /* SUM y; SUM k y */
    double doubt;         /* SUM p (1 - p) */
    double found;
};

static void take(void *ctx, uint32_t page, float p)
{
    struct sums *s = ctx;
    double y = (double)p * (double)p;

    s->finds += y;
    s->places += y * ((double)page - 0.5);
    s->doubt += (double)p - y;
    s->found += p >= 0.5f;
}

/* Returns l for a mean place in (0, 1/2): the mean falls as l grows. */
static double fall_of(double place)
{
    double low = LEAST, high = MOST;

    for (int i = 0; i < HALVINGS; i++) {
        double l = (low + high) / 2;

        if (1 / l - 1 / expm1(l) > place)
            low = l;
        else
            high = l;
    }
    return low;
}

static double expected(double found, double l)
{
    return fmin(found / expm1(l), ENDLESS);
}

struct outlook outlook_of(const struct model *m, uint64_t pages)
{
    struct outlook o = {0};
    struct sums s = {0};
    double l, off;

    if (m->ops->judges == NULL || pages < OUTLOOK_PAGES)
        return o;
    m->ops->judges->judge(m, take, &s);
    if (s.found < FEWEST)
        return o;
    l = fall_of(s.places / s.finds / (double)pages);
    off = s.doubt < s.finds ? CLEAR : UNCLEAR;
    o = (struct outlook){.is_known = l > 2 * LEAST,
                         .found = s.found,
                         .share = -expm1(-l),
                         .more = expected(s.found, l),
                         .least = expected(s.found, l * off),
                         .most = expected(s.found, l / off)};
    return o;
}

void outlook_put(const struct outlook *o, struct json *j)
{
    if (!o->is_known)
        return;
    json_open_object(j, "outlook");
    json_put_num(j, "found", o->found);
    json_put_num(j, "more", round(o->more * 10) / 10);
    json_put_num(j, "least", round(o->least * 10) / 10);
    json_put_num(j, "most", round(o->most * 10) / 10);
    json_put_num(j, "share", round(o->share * 1e4) / 1e4);
    json_close(j);
}

bool outlook_is_firm(const struct outlook *o)
{
    return o->is_known && o->share >= OUTLOOK_FIRM;
}

static double percent(const struct outlook *o, double more)
{
    return 100 * o->found / (o->found + more);
}

void outlook_say(const struct outlook *o, struct buf *out)
{
    buf_addf(out, "about %.0f %% of the topic is found", percent(o, o->more));
    if (o->most > o->least)
        buf_addf(out, " (%.0f to %.0f %%)", percent(o, o->most), percent(o, o->least));
}
