/* meter_rank.c - measures the quality of a run's ranked list.
 *
 * In: pages, and the model's judgements of them. Out: p@20, p@50, ndcg@50 of a row.
 * SPDX-License-Identifier: MIT */
#include "lab/run/meter_rank.h"

#include "agent/model.h"
#include "agent/outlook.h"
#include "base/mem.h"
#include "text/appraisal.h"
#include "text/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 50

struct ranked_page {
    double p, relevance;
    uint32_t page;
    bool is_target;
};

/* The newest version of a URL. */
struct listed {
    uint32_t page; /* 0: none that is shown */
    bool is_seed;
    struct profile profile; /* profile_copy() */
};

struct rank_meter {
    const struct truth *truth;
    const struct model *model; /* NULL: none to be asked */
    const struct topic *topic; /* by which pages are appraised; NULL: they are not */
    struct listed *listed;     /* by URL */
    float *p;                  /* by page; NAN: nothing was said of it */
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
    r->listed = mem_zero((size_t)t->urls + 1, sizeof *r->listed);
    return r;
}

void ranks_free(struct rank_meter *r)
{
    if (r == NULL)
        return;
    for (uint32_t url = 1; url <= r->truth->urls; url++)
        profile_drop(&r->listed[url].profile);
    free(r->listed);
    free(r->p);
    free(r);
}

void ranks_ask(struct rank_meter *r, const struct model *m)
{
    r->model = m && m->ops->judges ? m : NULL;
    if (m && m->ops->judges == NULL)
        r->topic = m->ctx->topic;
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
    struct listed *l = &r->listed[a->source];

    make_room(r, e->page.id);
    r->pages = e->page.id > r->pages ? e->page.id : r->pages;
    profile_drop(&l->profile);
    *l = (struct listed){
        .page = e->page.dup_of == 0 && !e->page.hidden ? e->page.id : 0,
        .is_seed = a->request->depth == 0,
        .profile = profile_copy(&a->profile),
    };
}

/* As at the end of a crawl whose model does not judge pages. */
static void appraise(struct rank_meter *r)
{
    struct appraisal *a = appraisal_new(r->topic);

    for (uint32_t url = 1; url <= r->truth->urls; url++)
        if (r->listed[url].page)
            appraisal_see(a, r->listed[url].page, &r->listed[url].profile, r->listed[url].is_seed);
    appraisal_learn(a);
    for (uint32_t url = 1; url <= r->truth->urls; url++) {
        const struct listed *l = &r->listed[url];

        if (l->page && !(r->truth->is_given && r->truth->is_given[url]))
            r->p[l->page] = (float)appraisal_of(a, l->page, &l->profile);
    }
    appraisal_free(a);
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

static bool comes_before(const struct ranked_page *a, const struct ranked_page *b)
{
    if (a->p > b->p || a->p < b->p)
        return a->p > b->p;
    if (a->relevance > b->relevance || a->relevance < b->relevance)
        return a->relevance > b->relevance;
    return a->page < b->page;
}

/* Adds a page to the first LONGEST, if it is one of them. */
static size_t enter(struct ranked_page *list, size_t count, const struct ranked_page *one)
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

/* By p, or by relevance alone. Returns how many of the pages are targets. */
static size_t make_list(const struct rank_meter *r, bool by_p, struct ranked_page list[LONGEST],
                        size_t *ret_count)
{
    const struct truth *t = r->truth;
    size_t targets = 0;

    *ret_count = 0;
    for (uint32_t url = 1; url <= t->urls; url++) {
        struct ranked_page one = {.page = r->listed[url].page, .is_target = t->is_target[url]};

        if (one.page == 0 || (t->is_given && t->is_given[url]))
            continue;
        one.relevance = (double)r->listed[url].profile.relevance;
        one.p = !by_p || isnan(r->p[one.page]) ? one.relevance : (double)r->p[one.page];
        targets += one.is_target;
        *ret_count = enter(list, *ret_count, &one);
    }
    return targets;
}

static double share(const struct ranked_page *list, size_t count, size_t first)
{
    double n = 0;

    for (size_t i = 0; i < count && i < first; i++)
        n += list[i].is_target;
    return n / (double)first;
}

static double gain(const struct ranked_page *list, size_t count, size_t targets)
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
    struct ranked_page list[LONGEST];
    size_t count, targets;

    if (r->model)
        r->model->ops->judges->judge(r->model, note, r);
    else if (r->topic)
        appraise(r);
    estimate_row(r, row);
    targets = make_list(r, true, list, &count);
    row[METRIC_P_20] = share(list, count, 20);
    row[METRIC_P_50] = share(list, count, 50);
    row[METRIC_NDCG_50] = gain(list, count, targets);
    (void)make_list(r, false, list, &count);
    row[METRIC_WORDS_20] = share(list, count, 20);
    row[METRIC_WORDS_50] = share(list, count, 50);
}
