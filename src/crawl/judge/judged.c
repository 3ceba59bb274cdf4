/* judged.c - posts the model's probabilities of pages when they change. See judged.h.
 * SPDX-License-Identifier: MIT */
#include "crawl/judge/judged.h"

#include "base/mem.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"
#include "store/read/query.h"
#include "store/store.h"
#include "text/appraisal.h"

#include <math.h>
#include <stdlib.h>

#define MOVED 1e-4f /* a smaller change does not change the visible order */

struct judged {
    float *told;               /* by page: what was posted last; NAN: nothing */
    float *document;           /* by page: what its probability is multiplied by */
    size_t ntold;              /* of both */
    struct page_verdict *rows; /* of the next event */
    size_t count, cap;
    uint64_t pages; /* that are stored: others have no row */
};

void judged_free(struct judged *j)
{
    if (j == NULL)
        return;
    free(j->told);
    free(j->document);
    free(j->rows);
    free(j);
}

static struct judged *judged_of(struct crawl *c, uint64_t pages)
{
    struct judged *j = c->judged;
    size_t room;

    if (j == NULL)
        j = c->judged = MEM_NEW(struct judged);
    j->pages = pages;
    room = j->ntold ? j->ntold : 256;
    while (room <= pages)
        room *= 2;
    if (room == j->ntold)
        return j;
    j->told = mem_resize(j->told, room, sizeof *j->told);
    j->document = mem_resize(j->document, room, sizeof *j->document);
    for (; j->ntold < room; j->ntold++) {
        j->told[j->ntold] = NAN;
        j->document[j->ntold] = 1;
    }
    return j;
}

void judged_page(struct crawl *c, uint32_t id, const struct arrival *a)
{
    struct text_extent extent;

    if (c->model->ops->judges == NULL)
        return;
    extent = text_extent_of(a->page);
    judged_of(c, id)->document[id] = (float)appraisal_document(a->reply.content_type, &extent);
}

/* The context for reading the pages of a directory. */
struct recalling {
    struct crawl *crawl;
    struct query *query;
};

static enum status recall_page(void *ctx, const struct query_page *row)
{
    struct recalling *r = ctx;
    struct text_extent extent;
    enum status st = query_extent(r->query, row->id, &extent, NULL);

    if (st == ST_OK && row->id <= r->crawl->pages)
        r->crawl->judged->document[row->id] = (float)appraisal_document(row->mime, &extent);
    return st;
}

void judged_recall(struct crawl *c)
{
    struct recalling r = {.crawl = c};

    if (c->model->ops->judges == NULL || c->store == NULL || query_open(c->dir, &r.query) != ST_OK)
        return;
    (void)judged_of(c, c->pages);
    if (query_pages(r.query, recall_page, &r) != ST_OK)
        log_line(c->log, LOG_WARN, c->now, "lists of links are not told from documents: %s",
                 status_text());
    query_close(r.query);
}

static void take(void *ctx, uint32_t page, float p)
{
    struct judged *j = ctx;

    if (page == 0 || page > j->pages)
        return;
    p *= j->document[page];
    if (fabsf(p - j->told[page]) < MOVED)
        return;
    j->told[page] = p;
    MEM_GROW(j->rows, j->count, &j->cap);
    j->rows[j->count++] = (struct page_verdict){page, p};
}

void judged_conclude(struct crawl *c)
{
    if (c->store == NULL || c->model->ops->judges == NULL ||
        c->model->ops->judges->conclude == NULL || c->pages == 0 || store_settle(c->store) != ST_OK)
        return;
    c->model->ops->judges->conclude(c->model);
    judged_post(c);
}

void judged_post(struct crawl *c)
{
    struct event e = {.kind = EVENT_JUDGED, .at = c->now};
    struct judged *j;

    if (c->model->ops->judges == NULL)
        return;
    j = judged_of(c, c->pages);
    j->count = 0;
    c->model->ops->judges->judge(c->model, take, j);
    e.judged.rows = (struct str){(const char *)j->rows, j->count * sizeof *j->rows};
    if (j->count > 0)
        bus_post(c->bus, &e);
}
