/* pace.c - how long the pages that are left will take. SPDX-License-Identifier: MIT */
#include "crawl/pace.h"

void pace_begin(struct pace *p, int64_t now)
{
    *p = (struct pace){.began = now, .step = 1};
}

void pace_page(struct pace *p, int64_t now)
{
    if (++p->pages % p->step != 0)
        return;
    if (p->count == PACE_MARKS) {
        for (uint32_t i = 0; i < PACE_MARKS / 2; i++)
            p->at[i] = p->at[2 * i + 1];
        p->count /= 2;
        p->step *= 2;
        if (p->pages % p->step != 0)
            return;
    }
    p->at[p->count++] = now;
}

int64_t pace_left(const struct pace *p, int64_t now, uint64_t left)
{
    uint32_t mark = p->count - p->count / 4; /* how many came before the last quarter */
    double recent, all;

    if (p->pages == 0)
        return -1;
    all = (double)(now - p->began) / (double)p->pages;
    recent = all;
    if (mark < p->count)
        recent = (double)(now - p->at[mark - 1]) / (double)(p->pages - (uint64_t)mark * p->step);
    return (int64_t)((double)left * (recent + all) / 2);
}
