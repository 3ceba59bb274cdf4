/* crew_link.c - where links are, and that none is lost or doubled.
 *
 * Every link that an agent has found is in exactly one place until it is visited:
 *
 *     found --> queue --> asked --> ready --> visited
 *                ^ |         '--> refused: another agent has crawled it
 *                | v
 *           aside, in a contract      and, before the first queue or after its owner's
 *                                     death: inbox, with the facilitator
 *
 * Two agents can find the same URL on two pages; then there are two links, each in one
 * place, and the facilitator's check lets one of them through. Where both come into one
 * queue they become one. SPDX-License-Identifier: MIT */
#include "agent/models/crew_int.h"

#include <assert.h>

#define VERIFY_ALWAYS 2000 /* links; where there are more, … */
#define VERIFY_EVERY  1024 /* … only after so many calls */

static void link_begins(struct model *m, uint32_t url)
{
    struct crew *st = crew_of(m);

    if (POPULATION_CHECKED)
        url_index_set(&st->copies, url, url_index_get(&st->copies, url) + 1);
}

void link_ended(struct model *m, uint32_t url)
{
    struct crew *st = crew_of(m);

    if (POPULATION_CHECKED)
        url_index_set(&st->copies, url, url_index_get(&st->copies, url) - 1);
}

/* The queue is at its ceiling: somebody leaves. */
static void link_left(struct model *m, struct desk *d, uint32_t url)
{
    if (url == 0)
        return;
    link_ended(m, url);
    deal_crawled(m, d, url);
    m->ctx->dropped(m->ctx->engine, url);
}

void link_enter(struct model *m, struct desk *d, uint32_t url, double score)
{
    if (link_queue_has(&d->queue, url))
        link_ended(m, url);
    if (!crew_options_of(m)->check)
        (void)url_set_add(&d->own, url);
    link_left(m, d, link_queue_add(&d->queue, url, score));
}

static bool is_on_its_way(const struct desk *d, uint32_t url)
{
    return link_list_find(&d->asked, url) != SIZE_MAX || link_list_find(&d->ready, url) != SIZE_MAX;
}

void link_found(struct model *m, struct desk *d, uint32_t url, double score)
{
    if (!link_queue_has(&d->queue, url)) {
        if (is_on_its_way(d, url) || url_set_has(&d->own, url))
            return;
        link_begins(m, url);
        link_enter(m, d, url, score);
        return;
    }
    (void)link_queue_add(&d->queue, url, score);
}

void link_assign(struct model *m, struct desk *d, uint32_t url, double score, bool fresh)
{
    if (fresh)
        link_begins(m, url);
    link_list_add(&d->inbox, url, score);
    d->fed = true;
}

/* ---- checking -------------------------------------------------------------------- */

static uint32_t in_list(const struct link_list *l, uint32_t url)
{
    uint32_t n = 0;

    for (size_t i = 0; i < l->count; i++)
        n += l->items[i].url == url;
    return n;
}

uint32_t crew_places(const struct model *m, uint32_t url)
{
    const struct crew *st = crew_of(m);
    uint32_t n = 0;

    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        n += link_queue_has(&d->queue, url);
        n += in_list(&d->inbox, url) + in_list(&d->asked, url) + in_list(&d->ready, url);
    }
    for (size_t i = 0; i < st->ndeals; i++)
        n += in_list(&st->deals[i]->links, url);
    return n;
}

uint64_t crew_links(const struct model *m)
{
    const struct crew *st = crew_of(m);
    uint64_t n = 0;

    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        n += d->queue.count + d->inbox.count + d->asked.count + d->ready.count;
    }
    for (size_t i = 0; i < st->ndeals; i++)
        n += st->deals[i]->links.count;
    return n;
}

static void count_one(struct url_index *x, uint32_t url)
{
    url_index_set(x, url, url_index_get(x, url) + 1);
}

static void count_list(struct url_index *x, const struct link_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        count_one(x, l->items[i].url);
}

static void count_all(const struct crew *st, struct url_index *x)
{
    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        for (size_t j = 0; j < d->queue.count; j++)
            count_one(x, d->queue.best.nodes[j].url);
        count_list(x, &d->inbox);
        count_list(x, &d->asked);
        count_list(x, &d->ready);
    }
    for (size_t i = 0; i < st->ndeals; i++)
        count_list(x, &st->deals[i]->links);
}

void crew_copies_recount(struct crew *st)
{
    url_index_clear(&st->copies);
    if (POPULATION_CHECKED)
        count_all(st, &st->copies);
}

void crew_verify(struct model *m)
{
    struct crew *st = crew_of(m);
    struct url_index now = {0};
    size_t cap;

    if (!POPULATION_CHECKED || (st->checks++ % VERIFY_EVERY && crew_links(m) > VERIFY_ALWAYS))
        return;
    count_all(st, &now);
    cap = now.cap > st->copies.cap ? now.cap : st->copies.cap;
    for (uint32_t url = 0; url < cap; url++)
        assert(url_index_get(&now, url) == url_index_get(&st->copies, url));
    url_index_clear(&now);
}
