/* link.c - where links are, and checks that none is lost or doubled.
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
 * place, and the facilitator's check lets one of them through. If both come into one
 * queue, they become one. SPDX-License-Identifier: MIT */
#include "models/crew/crew_int.h"

#include <assert.h>

#define VERIFY_ALWAYS 2000 /* links; where there are more, … */
#define VERIFY_EVERY  1024 /* … only after so many calls */

static void link_begins(struct model *m, uint32_t url)
{
    struct crew *st = crew_of(m);

    if (POPULATION_CHECKED) {
        url_index_set(&st->copies, url, url_index_get(&st->copies, url) + 1);
        st->ncopies++;
    }
}

void link_ended(struct model *m, uint32_t url)
{
    struct crew *st = crew_of(m);

    if (POPULATION_CHECKED) {
        url_index_set(&st->copies, url, url_index_get(&st->copies, url) - 1);
        st->ncopies--;
    }
}

/* If the queue was at its ceiling, a link has left it. */
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
    const struct crew *st = crew_of(m);

    d->fed = true;
    if (url_index_get(&st->granted, url) == (uint32_t)(d - st->desks) + 1) {
        link_ended(m, url); /* it found it once more meanwhile, and may crawl it, or has */
        deal_crawled(m, d, url);
        return;
    }
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

/* Adds `by` to the URL of every link; returns how many there are. */
static uint64_t add_list(struct url_index *x, const struct link_list *l, int by)
{
    for (size_t i = 0; i < l->count; i++)
        url_index_set(x, l->items[i].url, url_index_get(x, l->items[i].url) + (uint32_t)by);
    return l->count;
}

static uint64_t add_queue(struct url_index *x, const struct link_queue *q, int by)
{
    for (size_t i = 0; i < q->count; i++) {
        uint32_t url = link_queue_nth(q, i).id;

        url_index_set(x, url, url_index_get(x, url) + (uint32_t)by);
    }
    return q->count;
}

static uint64_t add_all(struct crew *st, int by)
{
    struct url_index *x = &st->copies;
    uint64_t n = 0;

    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        n += add_queue(x, &d->queue, by) + add_list(x, &d->inbox, by);
        n += add_list(x, &d->asked, by) + add_list(x, &d->ready, by);
    }
    for (size_t i = 0; i < st->ndeals; i++)
        n += add_list(x, &st->deals[i]->links, by);
    return n;
}

void crew_copies_recount(struct crew *st)
{
    if (!POPULATION_CHECKED)
        return;
    url_index_clear(&st->copies);
    st->ncopies = add_all(st, 1);
}

static bool is_zero(const struct url_index *x, const struct link_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (url_index_get(x, l->items[i].url) != 0)
            return false;
    return true;
}

/* Subtracts all links from the counts of their URLs. Returns whether nothing is left. */
static bool none_left(const struct crew *st)
{
    for (uint32_t i = 0; i < st->ndesks; i++) {
        const struct desk *d = &st->desks[i];

        for (size_t j = 0; j < d->queue.count; j++)
            if (url_index_get(&st->copies, link_queue_nth(&d->queue, j).id) != 0)
                return false;
        if (!is_zero(&st->copies, &d->inbox) || !is_zero(&st->copies, &d->asked) ||
            !is_zero(&st->copies, &d->ready))
            return false;
    }
    for (size_t i = 0; i < st->ndeals; i++)
        if (!is_zero(&st->copies, &st->deals[i]->links))
            return false;
    return true;
}

void crew_verify(struct model *m)
{
    struct crew *st = crew_of(m);
    uint64_t n;

    if (!POPULATION_CHECKED || (st->checks++ % VERIFY_EVERY && st->ncopies > VERIFY_ALWAYS))
        return;
    n = add_all(st, -1);
    assert(n == st->ncopies);
    assert(none_left(st));
    (void)add_all(st, 1);
    (void)n;
}
