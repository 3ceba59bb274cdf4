/* pass.c - one pass over the known pages, and quiet hours. SPDX-License-Identifier: MIT */
#include "crawl/watch/pass.h"

#include "base/hash.h"
#include "base/os/clock.h"
#include "base/status.h"
#include "base/str.h"

#include <stdint.h>
#include <time.h>

void pass_init(struct pass *p)
{
    *p = (struct pass){0};
    map_init(&p->seen);
}

void pass_clear(struct pass *p)
{
    map_free(&p->seen);
}

static void answered(struct pass *p, uint32_t url)
{
    bool fresh;

    (void)map_at(&p->seen, hash_u64(url), 1, &fresh);
    p->repeats = fresh ? 0 : p->repeats + 1;
}

void pass_event(void *pass, const struct event *e)
{
    if (e->kind == EVENT_PAGE)
        answered(pass, e->page.arrival->request->choice.url);
    else if (e->kind == EVENT_OUTCOME && e->outcome.is_final)
        answered(pass, e->outcome.url);
}

bool pass_is_over(struct pass *p, bool busy, int64_t now)
{
    if (busy)
        p->idle_at = 0;
    else if (p->idle_at == 0)
        p->idle_at = now;
    if (p->seen.count > 0 && p->repeats > PASS_REPEATS + p->seen.count / 20)
        return true;
    return p->idle_at && now - p->idle_at >= PASS_IDLE;
}

/* ---- quiet hours ---- */

#define DAY_MINUTES 1440

bool time_of_day(struct str text, int *ret)
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

    if (!str_cut(&rest, '-', &from) || !time_of_day(from, &q.from) || !time_of_day(rest, &q.to) ||
        q.from == q.to)
        return status_fail(
            ST_USAGE, "'%.*s' are not quiet hours: write two times of the day, like 22:00-06:00",
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
