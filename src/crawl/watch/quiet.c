/* quiet.c - hours of the day in which nobody is asked for anything.
 * SPDX-License-Identifier: MIT */
#include "crawl/watch/quiet.h"

#include "base/os/clock.h"

#include <time.h>

#define DAY_MINUTES 1440

/* "22:00", "6:30", "24:00". */
static bool parse_time(struct str text, int *ret)
{
    struct str hours, rest = str_trim(text);
    uint64_t h, m;

    if (!str_cut(&rest, ':', &hours) || rest.len != 2 || hours.len > 2 || !str_to_u64(hours, &h) ||
        !str_to_u64(rest, &m) || m > 59 || h * 60 + m > DAY_MINUTES)
        return false;
    *ret = (int)(h * 60 + m) % DAY_MINUTES;
    return true;
}

enum status quiet_parse(struct str text, struct quiet *ret)
{
    struct str rest = text, from;
    struct quiet q;

    if (!str_cut(&rest, '-', &from) || !parse_time(from, &q.from) || !parse_time(rest, &q.to) ||
        q.from == q.to)
        return status_fail(ST_USAGE,
                           "'%.*s' are no quiet hours: two times of the day, like 22:00-06:00",
                           STR_ARG(text));
    *ret = q;
    return ST_OK;
}

int64_t quiet_until(const struct quiet *q, int64_t now)
{
    time_t seconds = (time_t)(now / US_PER_S);
    struct tm local;
    int minute;

    if (q->from == q->to || localtime_r(&seconds, &local) == NULL)
        return 0;
    minute = local.tm_hour * 60 + local.tm_min;
    if (q->from < q->to ? minute < q->from || minute >= q->to : minute < q->from && minute >= q->to)
        return 0;
    if (minute >= q->to) /* it ends tomorrow */
        local.tm_mday++;
    local.tm_hour = q->to / 60;
    local.tm_min = q->to % 60;
    local.tm_sec = 0;
    local.tm_isdst = -1; /* mktime finds out: the clocks may be changed in between */
    return (int64_t)mktime(&local) * US_PER_S;
}
