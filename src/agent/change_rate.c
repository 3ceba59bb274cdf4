/* change_rate.c - how often a page changes. SPDX-License-Identifier: MIT */
#include "agent/change_rate.h"

#include <math.h>

void change_note(struct change_seen *s, double seconds, bool changed)
{
    if (!(seconds > 0))
        return; /* no time has passed, so the visit shows nothing */
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

const struct field change_fields[] = {
    FIELD(U32, struct change_seen, visits),
    FIELD(U32, struct change_seen, changes),
    FIELD(F64, struct change_seen, changed),
    FIELD(F64, struct change_seen, unchanged),
    FIELD_END,
};
