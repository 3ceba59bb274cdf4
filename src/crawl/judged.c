/* judged.c - what the model says of pages, posted where it changed. See judged.h.
 * SPDX-License-Identifier: MIT */
#include "crawl/judged.h"

#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"

#include <math.h>
#include <stdlib.h>

#define MOVED 1e-4f /* less changes no order that anyone would see */

struct judged {
    float *told; /* by page: what was posted last; NAN: nothing */
    size_t ntold;
    struct page_verdict *rows; /* of the next event */
    size_t count, cap;
    uint64_t pages; /* that are stored: others have no row */
};

void judged_free(struct judged *j)
{
    if (j == NULL)
        return;
    free(j->told);
    free(j->rows);
    free(j);
}

static void make_room(struct judged *j)
{
    size_t room = j->ntold ? j->ntold : 256;

    if (j->pages < j->ntold)
        return;
    while (room <= j->pages)
        room *= 2;
    j->told = mem_resize(j->told, room, sizeof *j->told);
    for (; j->ntold < room; j->ntold++)
        j->told[j->ntold] = NAN;
}

static void take(void *ctx, uint32_t page, float p)
{
    struct judged *j = ctx;

    if (page == 0 || page > j->pages || fabsf(p - j->told[page]) < MOVED)
        return;
    j->told[page] = p;
    MEM_GROW(j->rows, j->count, &j->cap);
    j->rows[j->count++] = (struct page_verdict){page, p};
}

void judged_post(struct crawl *c)
{
    struct event e = {.kind = EVENT_JUDGED, .at = c->now};
    struct judged *j = c->judged;

    if (c->model->ops->judges == NULL)
        return;
    if (j == NULL)
        j = c->judged = MEM_NEW(struct judged);
    j->pages = c->pages;
    j->count = 0;
    make_room(j);
    c->model->ops->judges->judge(c->model, take, j);
    e.judged.rows = (struct str){(const char *)j->rows, j->count * sizeof *j->rows};
    if (j->count > 0)
        bus_post(c->bus, &e);
}
