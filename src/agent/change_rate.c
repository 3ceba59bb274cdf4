/* change_rate.c - how often a page changes. SPDX-License-Identifier: MIT */
#include "agent/change_rate.h"

#include <math.h>

void change_note(struct change_seen *s, double seconds, bool changed)
{
    if (!(seconds > 0))
        return; /* no time passed: nothing was seen */
    s->visits++;
    s->changes += changed;
    if (changed)
        s->changed += seconds;
    else
        s->unchanged += seconds;
}

double change_rate(const struct change_seen *s)
{
    double all = s->changed + s->unchanged, half;

    if (s->changes == 0)
        return 0;
    half = all / s->visits / 2;
    return log((all + half) / (s->unchanged + half)) * s->changes / s->changed;
}

double change_rate_near(const struct change_seen *s, double prior)
{
    return (s->visits * change_rate(s) + CHANGE_PRIOR * prior) / (s->visits + CHANGE_PRIOR);
}

void change_save(const struct change_seen *s, struct buf *out)
{
    buf_put_u32(out, s->visits);
    buf_put_u32(out, s->changes);
    buf_put_f64(out, s->changed);
    buf_put_f64(out, s->unchanged);
}

void change_load(struct change_seen *s, struct cursor *from)
{
    s->visits = cursor_u32(from);
    s->changes = cursor_u32(from);
    s->changed = cursor_f64(from);
    s->unchanged = cursor_f64(from);
}
