/* release.c - requests out: which host's turn it is, and what it needs next.
 *
 * frontier_release() takes the host whose turn it is from the workbench and lets it make one step:
 * ask for its address, for its robots.txt, or for its best page.
 *
 * After every change of a host host_place() finds out what it needs next, where
 * and when, and seats it on the workbench; nothing ever looks for work by
 * scanning. SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/limits.h"
#include "base/os/clock.h"
#include "parse/robots/robots.h"

#include <math.h>
#include <stdlib.h>

#define WISHES_AT_ONCE 256               /* links of one host refused in a row */
#define DEAR_WAIT      (100 * US_PER_MS) /* pause of a host whose rules used up the steps of a release */

/* ---- what a host needs --------------------------------------------------- */

/* What a host needs next. */
enum need { NEED_NOTHING, NEED_RESOLVE, NEED_ROBOTS, NEED_PAGE };

/* Its next visit: the best one that is chosen, or could be. NULL if there is none. */
static struct known *host_top(const struct frontier *f, const struct host *h)
{
    uint32_t url = h->wish.url;

    if (h->queue.count)
        url = visits_at(&f->visits, heap_peek(&h->queue)->id)->choice.url;
    return url ? urls_at(&f->urls, url) : NULL;
}

/* Must robots.txt be read before the visit? It was never read, or long ago, or its rules left
 * memory before they judged the visit. */
static bool wants_robots(const struct frontier *f, const struct host *h, int64_t now)
{
    bool asked = h->wish.url && h->wish.url == h->judged;

    if (h->queue.count)
        asked = visits_at(&f->visits, heap_peek(&h->queue)->id)->said != SAID_NOTHING;

    return f->config.robots && (now >= h->robots_until || (h->robots_gone && !asked));
}

/* The final check before a page is requested: it is always made, whatever it costs. */
static bool is_forbidden(struct frontier *f, const struct host *h, const struct visit *v)
{
    struct str path = urls_path(&f->urls, v->choice.url);

    if (h->robots == NULL)
        return h->robots_gone && v->said == SAID_NO;
    return !robots_allows_counted(h->robots, path, &f->steps);
}

/* The choice that goes first; a choice that was not made yet belongs to no agent. */
static const struct choice *host_best(const struct frontier *f, const struct host *h)
{
    static const struct choice none;

    return h->queue.count ? &visits_at(&f->visits, heap_peek(&h->queue)->id)->choice : &none;
}

static enum need host_need(const struct frontier *f, struct host *h, int64_t now,
                           struct door **ret_door, bool *ret_tls)
{
    enum need need = NEED_PAGE;
    const struct known *top = host_top(f, h);

    if (top == NULL || h->asked != NULL || h->robots_asked || host_bar(f, h))
        return NEED_NOTHING;
    *ret_tls = top->tls;
    *ret_door = &h->door[top->tls];
    if (wants_robots(f, h, now)) {
        *ret_door = service_robots_door(h, top->tls, ret_tls);
        need = NEED_ROBOTS;
    } else if (is_charged(top, host_best(f, h)) &&
               h->pages + (uint64_t)h->flying >= host_budget(f, h)) {
        return NEED_NOTHING; /* until replies to those under way arrive */
    }
    return (*ret_door)->group ? need : NEED_RESOLVE;
}

static struct seat host_seat(const struct host *h, enum need need, const struct door *door)
{
    uint32_t group = need == NEED_RESOLVE ? h->own_group : door->group;

    if (h->queue.count)
        return (struct seat){.group = group,
                             .waiting = (uint32_t)h->queue.count,
                             .score = -heap_peek(&h->queue)->key};
    return (struct seat){.group = group, .score = h->wish.score, .turn = h->wish.turn};
}

void host_place(struct frontier *f, struct host *h, int64_t now)
{
    struct door *door;
    struct seat seat;
    enum need need;
    bool tls;

    if (h->id == f->in_hand)
        return;
    need = host_need(f, h, now, &door, &tls);
    if (need == NEED_NOTHING || h->in_flight >= host_most(f, h)) {
        workbench_remove(&f->bench, h->id);
        return;
    }
    seat = host_seat(h, need, door);
    workbench_widen(&f->bench, seat.group, host_most(f, h));
    workbench_put(&f->bench, h->id, need == NEED_ROBOTS ? service_robots_at(f, h, now) : h->next_at,
                  seat);
}

/* ---- dropping ------------------------------------------------------------ */

static void visit_drop(struct frontier *f, uint32_t visit, enum drop why, const struct release *r)
{
    struct choice c = visits_at(&f->visits, visit)->choice;

    url_end(urls_at(&f->urls, c.url), URL_GONE, why);
    visits_remove(&f->visits, visit);
    r->on_drop(r->ctx, &c, why);
}

/* Chooses the host's next visit, which then waits. Returns false if there is none;
 * refused links are dropped. */
static bool host_choose(struct frontier *f, struct host *h, int64_t now, const struct release *r)
{
    struct choice c;
    enum drop why;

    for (int tries = 0; tries < WISHES_AT_ONCE && h->wish.url; tries++) {
        if (!r->choose(r->ctx, h->id, &c)) {
            frontier_wish(f, h->id, &(struct wish){0}, now);
            return false;
        }
        why = visit_admit(f, &c, 0, now);
        if (why == DROP_NONE) {
            f->chosen++;
            if (c.url == h->judged && h->queue.count == 1)
                visits_at(&f->visits, heap_peek(&h->queue)->id)->said = h->judged_said;
            return true;
        }
        r->on_drop(r->ctx, &c, why);
    }
    return false;
}

/* Drops everything that waits at a host that is dead, or has no budget left for new pages. Links
 * that were not chosen yet are chosen in order to be dropped, some at a time. */
static void host_empty(struct frontier *f, struct host *h, int64_t now, const struct release *r)
{
    enum drop bar = host_bar(f, h);
    struct heap old = h->queue;
    struct heap_item item;

    h->queue = (struct heap){0};
    h->doomed = false;
    while (heap_pop(&old, &item)) {
        const struct choice *c = &visits_at(&f->visits, item.id)->choice;

        if (bar)
            visit_drop(f, item.id, bar, r);
        else if (host_is_spent(f, h) && is_charged(urls_at(&f->urls, c->url), c))
            visit_drop(f, item.id, DROP_BUDGET, r);
        else
            heap_restore(&h->queue, item);
    }
    heap_free(&old);
    if (h->wish.url && (bar || host_is_spent(f, h)) && !host_choose(f, h, now, r))
        host_doom(f, h);
    host_place(f, h, now);
}

static void doomed_drop(struct frontier *f, int64_t now, const struct release *r)
{
    struct numbers hosts = f->doomed;

    f->doomed = (struct numbers){0};
    for (size_t i = 0; i < hosts.count; i++)
        host_empty(f, hosts_at(&f->hosts, hosts.items[i]), now, r);
    free(hosts.items);
}

/* ---- one step of a host -------------------------------------------------- */

static struct request *page_request(struct frontier *f, struct host *h, const struct visit *v)
{
    const struct known *k = urls_at(&f->urls, v->choice.url);
    const struct door *door = &h->door[k->tls];
    struct str etag = STR(""), modified = STR("");
    struct request *r;

    if (v->choice.refresh && k->has_page && f->config.validators)
        f->config.validators(f->config.validators_ctx, urls_page(&f->urls, v->choice.url), &etag,
                             &modified);
    buf_clear(&f->href);
    url_write(f, v->choice.url, &f->href);
    r = request_new(REQUEST_PAGE, buf_str(&f->href), host_only(h), etag, modified);
    r->choice = v->choice;
    r->host_id = h->id;
    r->depth = k->depth;
    r->hop = v->hop;
    r->attempt = v->attempt;
    r->source = urls_source(&f->urls, v->choice.url);
    r->tls = k->tls;
    r->port = host_port(h, k->tls);
    r->connect_port = door->connect_port;
    r->address = *workbench_address(&f->bench, door->group);
    return r;
}

void host_busy(const struct frontier *f, struct host *h, int64_t now)
{
    h->in_flight++;
    h->last_start = now;
    host_wait(h, now + host_gap(f, h));
}

/* A request for the host starts: the delays of host and address count from now. */
static void host_start(struct frontier *f, struct host *h, uint32_t group, int64_t now)
{
    host_busy(f, h, now);
    workbench_start(&f->bench, group, now + address_gap(f, h, group));
}

/* Chooses a visit that may start by this door at once. Returns false if there is none, or
 * if it must wait: another link than the wished one may need robots.txt again, or the
 * address of the other scheme. */
static bool page_choose(struct frontier *f, struct host *h, const struct door *door, int64_t now,
                        const struct release *r)
{
    struct door *now_by;
    bool tls;

    return host_choose(f, h, now, r) && host_need(f, h, now, &now_by, &tls) == NEED_PAGE &&
           now_by == door;
}

/* Asks whether a visit that has waited is still wanted. Returns false if it was
 * dropped or replaced. */
static bool visit_stands(struct frontier *f, uint32_t visit, int64_t now, const struct release *r)
{
    const struct visit *v = visits_at(&f->visits, visit);
    struct known *k = urls_at(&f->urls, v->choice.url);
    struct choice other;
    enum drop why;

    if (r->again == NULL || v->since == now || v->hop || v->attempt ||
        !r->again(r->ctx, &v->choice, &other))
        return true;
    k->state = k->has_page ? URL_VISITED : URL_KNOWN;
    visits_remove(&f->visits, visit);
    why = other.url ? visit_admit(f, &other, 0, now) : DROP_NONE;
    if (why != DROP_NONE)
        r->on_drop(r->ctx, &other, why);
    return false;
}

/* Requests the host's best page; NULL if robots.txt forbids it, or it is not wanted any more. */
static struct request *page_step(struct frontier *f, struct host *h, const struct door *door,
                                 int64_t now, const struct release *r)
{
    struct heap_item top;
    struct visit *v;

    if (h->queue.count == 0 && !page_choose(f, h, door, now, r))
        return NULL;
    if (!heap_pop(&h->queue, &top) || !visit_stands(f, top.id, now, r))
        return NULL;
    v = visits_at(&f->visits, top.id);
    if (is_forbidden(f, h, v)) {
        visit_drop(f, top.id, DROP_ROBOTS, r);
        if (f->steps >= LIMIT_ROBOTS_STEPS)
            host_wait(h, now + DEAR_WAIT);
        return NULL;
    }
    v->counts = is_charged(urls_at(&f->urls, v->choice.url), &v->choice);
    h->flying += v->counts;
    h->lent = false;
    rules_used(f, h);
    visits_fly(&f->visits, top.id);
    return page_request(f, h, v);
}

/* Takes one step for the host whose turn it is: returns a request, or NULL if it only moved on
 * (then it will be placed again). */
static struct request *host_step(struct frontier *f, struct host *h, int64_t now,
                                 const struct release *r)
{
    struct request *request;
    struct door *door;
    bool tls;
    enum need need = host_need(f, h, now, &door, &tls);

    if (need == NEED_NOTHING)
        return NULL;
    if (need == NEED_RESOLVE)
        return service_resolve(f, h, door, tls);
    if (f->bench.seats[h->id].group != door->group)
        return NULL; /* its best page changed, and with it the address */
    if (need == NEED_ROBOTS && !service_robots_may(f, h, now))
        return NULL;
    request =
        need == NEED_ROBOTS ? service_robots(f, h, door, tls, now) : page_step(f, h, door, now, r);
    if (request != NULL)
        host_start(f, h, door->group, now);
    return request;
}

/* ---- the release --------------------------------------------------------- */

/* Is nothing under way, and nothing due for longer than the usual delay? Then wishes below the
 * bound are granted. A server may ask for a day's pause. */
static bool is_still(const struct frontier *f)
{
    const struct heap_item *first = heap_peek(&f->bench.later);
    int64_t soon = f->bench.ripe + HOST_AWAY + f->config.delay;

    return frontier_in_flight(f) == 0 && (first == NULL || first->key > (double)soon);
}

/* Returns the host whose turn it is, or 0. Hosts with only a wish come last, the best first: if one
 * is not worth a visit, the others are not either. */
static uint32_t host_next(struct frontier *f, const struct release *r)
{
    uint32_t id = workbench_first(&f->bench);
    const struct host *h;

    if (id || (id = workbench_wishing(&f->bench)) == 0)
        return id;
    f->shut = f->chosen >= r->choices;
    if (f->shut)
        return 0;
    h = hosts_at(&f->hosts, id);
    if ((float)h->wish.score >= r->bound || f->chosen < r->least || is_still(f))
        return id;
    f->shut = true;
    f->held = (uint32_t)f->bench.wishing.count;
    return 0;
}

uint32_t frontier_release(struct frontier *f, int64_t now, const struct release *r)
{
    uint32_t n = 0, id;

    f->steps = 0;
    f->held = f->chosen = 0;
    f->bound = r->choices ? r->bound : INFINITY;
    f->shut = false;
    doomed_drop(f, now, r);
    workbench_ripen(&f->bench, now);
    while (n < r->max && (id = host_next(f, r)) != 0) {
        struct host *h = hosts_at(&f->hosts, id);
        struct request *request;

        f->in_hand = id;
        request = host_step(f, h, now, r);
        f->in_hand = 0;
        host_place(f, h, now);
        if (request == NULL)
            continue;
        r->on_due(r->ctx, request);
        n++;
    }
    f->crowded = workbench_first(&f->bench) != 0 || workbench_wishing(&f->bench) != 0;
    return n;
}

int64_t frontier_next_time(const struct frontier *f)
{
    bool full = f->crowded && frontier_in_flight(f) > 0;

    return f->doomed.count ? 0 : workbench_next(&f->bench, full, full || f->shut);
}
