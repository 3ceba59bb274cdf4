/* meter_rank.c - what the ranked list of a run is worth.
 *
 * In: pages, and what the model says of them. Out: p@20, p@50, ndcg@50 of a row.
 * SPDX-License-Identifier: MIT */
#include "lab/run/meter_rank.h"

#include "agent/model.h"
#include "agent/outlook.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 50

struct ranked {
    double p, relevance;
    uint32_t page;
    bool is_target;
};

struct rank_meter {
    const struct truth *truth;
    const struct model *model; /* NULL: none to be asked */
    uint32_t *page_of;         /* by URL: its newest version that is shown; 0: none */
    float *relevance;          /* by URL */
    float *p;                  /* by page; NAN: the model said nothing */
    size_t npages;
    uint32_t pages;         /* the largest number */
    struct outlook outlook; /* of the last row */
    double promise;         /* NAN: none yet */
};

struct rank_meter *ranks_new(const struct truth *t)
{
    struct rank_meter *r = MEM_NEW(struct rank_meter);

    r->truth = t;
    r->promise = NAN;
    r->page_of = mem_zero((size_t)t->urls + 1, sizeof *r->page_of);
    r->relevance = mem_zero((size_t)t->urls + 1, sizeof *r->relevance);
    return r;
}

void ranks_free(struct rank_meter *r)
{
    if (r == NULL)
        return;
    free(r->page_of);
    free(r->relevance);
    free(r->p);
    free(r);
}

void ranks_ask(struct rank_meter *r, const struct model *m)
{
    r->model = m && m->ops->judges ? m : NULL;
}

static void make_room(struct rank_meter *r, uint32_t page)
{
    size_t room = r->npages ? r->npages : 256;

    if (page < r->npages)
        return;
    while (room <= page)
        room *= 2;
    r->p = mem_resize(r->p, room, sizeof *r->p);
    for (; r->npages < room; r->npages++)
        r->p[r->npages] = NAN;
}

void ranks_page(struct rank_meter *r, const struct event *e)
{
    const struct arrival *a = e->page.arrival;
    bool is_shown = e->page.dup_of == 0 && !e->page.hidden;

    make_room(r, e->page.id);
    r->pages = e->page.id > r->pages ? e->page.id : r->pages;
    r->page_of[a->source] = is_shown ? e->page.id : 0;
    r->relevance[a->source] = a->profile.relevance;
}

static void note(void *ctx, uint32_t page, float p)
{
    struct rank_meter *r = ctx;

    if (page < r->npages)
        r->p[page] = p;
}

void ranks_judged(struct rank_meter *r, const struct event *e)
{
    struct page_verdict one;

    for (size_t at = 0; at + sizeof one <= e->judged.rows.len; at += sizeof one) {
        memcpy(&one, e->judged.rows.ptr + at, sizeof one);
        note(r, one.page, one.p);
    }
}

static bool comes_before(const struct ranked *a, const struct ranked *b)
{
    if (a->p > b->p || a->p < b->p)
        return a->p > b->p;
    if (a->relevance > b->relevance || a->relevance < b->relevance)
        return a->relevance > b->relevance;
    return a->page < b->page;
}

/* Enters a page among the first LONGEST, if it is one of them. */
static size_t enter(struct ranked *list, size_t count, const struct ranked *one)
{
    size_t at = count;

    while (at > 0 && comes_before(one, &list[at - 1]))
        at--;
    if (at == LONGEST)
        return count;
    count += count < LONGEST;
    memmove(&list[at + 1], &list[at], (count - 1 - at) * sizeof *list);
    list[at] = *one;
    return count;
}

/* Returns how many of the pages are targets. */
static size_t make_list(const struct rank_meter *r, struct ranked list[LONGEST], size_t *ret_count)
{
    const struct truth *t = r->truth;
    size_t targets = 0;

    *ret_count = 0;
    for (uint32_t url = 1; url <= t->urls; url++) {
        struct ranked one = {.page = r->page_of[url], .is_target = t->is_target[url]};

        if (one.page == 0 || (t->is_given && t->is_given[url]))
            continue;
        one.relevance = (double)r->relevance[url];
        one.p = isnan(r->p[one.page]) ? one.relevance : (double)r->p[one.page];
        targets += one.is_target;
        *ret_count = enter(list, *ret_count, &one);
    }
    return targets;
}

static double share(const struct ranked *list, size_t count, size_t first)
{
    double n = 0;

    for (size_t i = 0; i < count && i < first; i++)
        n += list[i].is_target;
    return n / (double)first;
}

static double gain(const struct ranked *list, size_t count, size_t targets)
{
    double got = 0, best = 0;

    for (size_t i = 0; i < count; i++) {
        double worth = 1 / log2((double)i + 2);

        got += list[i].is_target ? worth : 0;
        best += i < targets ? worth : 0;
    }
    return best > 0 ? got / best : 0;
}

static void estimate_row(struct rank_meter *r, double *row)
{
    double recall = row[METRIC_RECALL];

    if (r->model)
        r->outlook = outlook_of(r->model, r->pages);
    row[METRIC_ESTIMATE] = r->outlook.is_known ? r->outlook.share : NAN;
    row[METRIC_ESTIMATE_ERROR] = fabs(row[METRIC_ESTIMATE] - recall);
    if (isnan(r->promise) && r->outlook.is_known && r->outlook.share >= 0.9)
        r->promise = recall >= 0.8 && recall <= 0.97;
    row[METRIC_PROMISE] = r->promise;
}

void ranks_row(struct rank_meter *r, double *row)
{
    struct ranked list[LONGEST];
    size_t count, targets;

    if (r->model)
        r->model->ops->judges->judge(r->model, note, r);
    estimate_row(r, row);
    targets = make_list(r, list, &count);
    row[METRIC_P_20] = share(list, count, 20);
    row[METRIC_P_50] = share(list, count, 50);
    row[METRIC_NDCG_50] = gain(list, count, targets);
}
