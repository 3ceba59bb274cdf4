/* pass.c - one pass over the known pages. SPDX-License-Identifier: MIT */
#include "crawl/watch/pass.h"

#include "base/hash.h"

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
