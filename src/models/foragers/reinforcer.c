/* reinforcer.c - the reinforcing agent. SPDX-License-Identifier: MIT */
#include "models/foragers/reinforcer.h"

#include <math.h>

int64_t score_units(double score)
{
    return llround(score / SCORE_UNIT);
}

void reinforcer_clear(struct reinforcer *r)
{
    url_set_clear(&r->seen);
    *r = (struct reinforcer){0};
}

bool document_is_recent(const struct document *d, int64_t max_age, int64_t now)
{
    return now - d->date <= max_age;
}

struct judgement reinforcer_judge(struct reinforcer *r, const struct reinforcer_config *c,
                                  const struct document *d, int64_t now)
{
    struct judgement j = {.profit = c->penalty, .units = -c->minus};

    r->sent++;
    if (!document_is_recent(d, c->max_age, now) || d->relevance < c->relevant ||
        !url_set_add(&r->seen, d->id))
        return j;
    r->relevant++;
    return (struct judgement){.relevant = true, .profit = c->reward, .units = c->plus - c->minus};
}

enum forager_fate reinforcer_manage(const struct reinforcer_config *c, int64_t score,
                                    uint32_t alive)
{
    if (score >= c->max && alive < c->most)
        return FATE_MULTIPLIES;
    if ((c->below ? score < c->min : score <= c->min) && alive > c->least)
        return FATE_DIES;
    return FATE_GOES_ON;
}

int64_t reinforcer_bound(const struct reinforcer_config *c, int64_t score)
{
    if (c->cap && score > c->max)
        return c->max;
    if (c->clamp && score < c->min)
        return c->min;
    return score;
}

void reinforcer_save(const struct reinforcer *r, struct buf *out)
{
    buf_put_u64(out, r->sent);
    buf_put_u64(out, r->relevant);
    url_set_save(&r->seen, out);
}

enum status reinforcer_load(struct reinforcer *r, struct cursor *from)
{
    r->sent = cursor_u64(from);
    r->relevant = cursor_u64(from);
    return url_set_load(&r->seen, from);
}
