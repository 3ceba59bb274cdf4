/* frontier.c - choices in, requests out.
 *
 * A choice (frontier_add) waits in its host's queue, best score first. frontier_release
 * takes the host whose turn it is from the workbench and lets it make one step:
 * ask for its address, for its robots.txt, or for its best page.
 *
 * After every change of a host host_place() finds out what it needs next, where
 * and when, and seats it on the workbench; nothing ever looks for work by
 * scanning. SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"

#include <math.h>
#include <stdlib.h>

#define US_PER_DAY     (86400 * US_PER_S)
#define WISHES_AT_ONCE 256             /* links of a host that are refused in a row */
#define AWAY           (60 * US_PER_S) /* a host that is due later than this is not waited for */
#define DEAR_WAIT      (100 * US_PER_MS) /* pause of a host whose rules used up the steps of a release */

struct frontier *frontier_new(const struct frontier_config *config)
{
    struct frontier *f = MEM_NEW(struct frontier);

    f->config = *config;
    f->token = str_dup(config->token);
    f->config.token = (struct str){f->token, config->token.len};
    if (f->config.per_host == 0)
        f->config.per_host = 1;
    urls_init(&f->urls);
    hosts_init(&f->hosts);
    f->hosts.settings = config->hosts;
    visits_init(&f->visits);
    dups_init(&f->dups);
    variants_init(&f->variants);
    map_init(&f->page_hosts);
    frontier_at(f, config->now);
    workbench_init(&f->bench, f->config.per_host,
                   config->delay <= 0 && !host_settings_delay(config->hosts));
    buf_init(&f->href, 2 * LIMIT_URL);
    return f;
}

void frontier_free(struct frontier *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->sitemaps.count; i++)
        buf_free(&RING_AT(&f->sitemaps, i, struct sitemap_line)->url);
    ring_free(&f->sitemaps);
    free(f->doomed.items);
    free(f->changed.items);
    map_free(&f->page_hosts);
    variants_free(&f->variants);
    free(f->token);
    buf_free(&f->href);
    workbench_free(&f->bench);
    dups_free(&f->dups);
    visits_free(&f->visits);
    hosts_free(&f->hosts);
    urls_free(&f->urls);
    free(f);
}

/* ---- hosts --------------------------------------------------------------- */

static void numbers_add(struct numbers *n, uint32_t value)
{
    MEM_GROW(n->items, n->count, &n->cap);
    n->items[n->count++] = value;
}

void host_changed(struct frontier *f, struct host *h)
{
    if (!h->changed)
        numbers_add(&f->changed, h->id);
    h->changed = true;
}

void host_doom(struct frontier *f, struct host *h)
{
    bool waits = h->queue.count || h->wish.url;

    if (!h->doomed && waits)
        numbers_add(&f->doomed, h->id);
    h->doomed = waits;
}

void host_die(struct frontier *f, struct host *h, enum drop why)
{
    if (h->dead)
        return;
    h->dead = (uint8_t)why;
    f->hosts_dead++;
    f->hosts_open -= h->own_group != 0;
    workbench_remove(&f->bench, h->id);
    host_errand_free(h);
    rules_drop(f, h);
    host_doom(f, h);
    host_changed(f, h);
}

/* Pages the host may give: what the user allows, and unless a seed lies there
 * no more than its budget and what its pages have earned. */
static uint64_t host_budget(const struct frontier *f, const struct host *h)
{
    double earned = (double)f->config.host_budget + h->earned * (double)f->config.host_step;

    if (h->setting && h->setting->pages >= 0)
        return h->setting->pages > 0 ? (uint64_t)h->setting->pages : UINT32_MAX;
    if (f->config.host_budget == 0 || h->vouched || earned >= (double)f->config.pages_per_host)
        return f->config.pages_per_host;
    return (uint64_t)ceil(earned);
}

bool host_is_spent(const struct frontier *f, const struct host *h)
{
    return h->pages >= host_budget(f, h);
}

enum drop host_bar(const struct frontier *f, const struct host *h)
{
    uint16_t port;

    if (h->dead || f->config.foreign == NULL)
        return h->dead;
    return f->config.foreign(f->config.foreign_ctx,
                             str_sub(h->name, 0, host_name_split(h->name, &port)))
               ? DROP_FOREIGN
               : DROP_NONE;
}

int64_t host_delay(const struct frontier *f, const struct host *h)
{
    return h->setting && h->setting->delay >= 0 ? h->setting->delay : f->config.delay;
}

uint32_t host_most(const struct frontier *f, const struct host *h)
{
    return h->setting && h->setting->connections > 0 ? (uint32_t)h->setting->connections
                                                     : f->config.per_host;
}

/* The greater of a delay and a multiple of an answering time. A host that the user gives no
 * delay at all does not rest. */
static int64_t latency_gap(const struct frontier *f, int64_t delay, int64_t latency)
{
    int64_t rest = (int64_t)(f->config.latency_factor * (double)latency);

    if (delay == 0 && f->config.delay > 0)
        return 0;
    return rest > delay ? rest : delay;
}

int64_t address_gap(const struct frontier *f, const struct host *h, uint32_t group)
{
    int64_t delay = host_delay(f, h);

    return latency_gap(f, delay < f->config.delay ? delay : f->config.delay,
                       f->bench.groups[group]->latency);
}

int64_t host_gap(const struct frontier *f, const struct host *h)
{
    int64_t gap = latency_gap(f, host_delay(f, h), h->latency);

    return h->crawl_delay > gap ? h->crawl_delay : gap;
}

/* What a host needs next. */
enum need { NEED_NOTHING, NEED_RESOLVE, NEED_ROBOTS, NEED_PAGE };

/* Its next visit: the best that is chosen, or could be. NULL: none. */
static struct known *host_top(const struct frontier *f, const struct host *h)
{
    uint32_t url = h->wish.url;

    if (h->queue.count)
        url = visits_at(&f->visits, heap_peek(&h->queue)->id)->choice.url;
    return url ? urls_at(&f->urls, url) : NULL;
}

/* Robots.txt has to be read before the visit: never was, long ago, or its rules have left
 * memory before they were asked about it. */
static bool wants_robots(const struct frontier *f, const struct host *h, int64_t now)
{
    bool asked = h->wish.url && h->wish.url == h->judged;

    if (h->queue.count)
        asked = visits_at(&f->visits, heap_peek(&h->queue)->id)->said != SAID_NOTHING;

    return f->config.robots && (now >= h->robots_until || (h->robots_gone && !asked));
}

/* The last word before a page is asked for: never left out, however dear. */
static bool is_forbidden(struct frontier *f, const struct host *h, const struct visit *v)
{
    struct str path = urls_path(&f->urls, urls_at(&f->urls, v->choice.url));

    if (h->robots == NULL)
        return h->robots_gone && v->said == SAID_NO;
    return !robots_allows_counted(h->robots, path, &f->steps);
}

/* The choice that goes first; one that was not made yet belongs to no agent. */
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
        return NEED_NOTHING; /* until those under way have come */
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

static void host_open(struct frontier *f, struct host *h)
{
    if (h->own_group != 0)
        return;
    h->own_group = workbench_group(&f->bench, &(struct address){0});
    f->hosts_open += !h->dead;
    if (h->next_at < f->quiet_until)
        h->next_at = f->quiet_until;
    for (int tls = 0; tls < 2 && !f->config.resolve; tls++)
        h->door[tls] = (struct door){h->own_group, host_port(h, tls)};
}

/* ---- choices ------------------------------------------------------------- */

void visit_wait(struct frontier *f, struct host *h, uint32_t visit)
{
    struct visit *v = visits_at(&f->visits, visit);

    host_open(f, h);
    urls_at(&f->urls, v->choice.url)->state = URL_WAITING;
    heap_push(&h->queue, -(double)v->choice.score, visit);
}

static uint32_t waiting(const struct frontier *f)
{
    return f->visits.open - f->visits.flying;
}

/* Why a URL in its present state cannot be chosen. */
static enum drop known_refuse(const struct known *k, bool refresh)
{
    if (k->state == URL_WAITING || k->state == URL_HOLE)
        return DROP_SEEN;
    if (k->state == URL_KNOWN)
        return k->drop;
    if (refresh) /* what failed may be tried again; what is forbidden may not */
        return k->state == URL_GONE && k->drop < DROP_TYPE ? k->drop : DROP_NONE;
    return k->state == URL_GONE ? k->drop : DROP_SEEN;
}

/* Saved as another node's: its host has come to us since, and somebody met it again. */
static void url_come_home(struct frontier *f, struct known *k)
{
    if (k->drop != DROP_FOREIGN || url_is_bare(k) || host_bar(f, hosts_at(&f->hosts, k->host)))
        return;
    k->drop = DROP_NONE;
    if (k->state == URL_GONE)
        k->state = URL_KNOWN;
}

enum drop visit_admit(struct frontier *f, const struct choice *c, uint8_t hop, int64_t now)
{
    struct known *k;
    struct host *h;
    enum drop why;
    struct choice kept = *c;
    uint32_t visit;

    if (c->url == 0 || c->url > f->urls.count)
        return DROP_SEEN;
    k = urls_at(&f->urls, c->url);
    url_come_home(f, k);
    why = known_refuse(k, c->refresh);
    if (why != DROP_NONE || url_is_bare(k))
        return why != DROP_NONE ? why : DROP_SEEN;
    if (hop == 0 && waiting(f) >= f->config.max_waiting)
        return DROP_QUEUE_FULL;
    if (k->state == URL_MOVED)
        k->page = 0;
    h = hosts_at(&f->hosts, k->host);
    why = host_bar(f, h);
    if (why == DROP_NONE && is_charged(k, c) && host_is_spent(f, h))
        why = DROP_BUDGET;
    if (why == DROP_NONE && rules_say(f, h, urls_path(&f->urls, k)) == SAID_NO)
        why = DROP_ROBOTS;
    if (why != DROP_NONE) {
        url_end(k, URL_GONE, why);
        return why;
    }
    if (isnan(kept.score))
        kept.score = 0;
    k->drop = DROP_NONE;
    f->crowded = false;
    visit = visits_add(&f->visits, &kept, hop, 0);
    visits_at(&f->visits, visit)->since = now;
    visit_wait(f, h, visit);
    host_place(f, h, now);
    return DROP_NONE;
}

enum drop frontier_add(struct frontier *f, const struct choice *c, int64_t now)
{
    frontier_at(f, now);
    return visit_admit(f, c, 0, now);
}

uint32_t frontier_room(const struct frontier *f, int64_t now, uint32_t slots)
{
    uint32_t held = waiting(f), due = workbench_due(&f->bench, now, slots);
    uint32_t space = held < f->config.max_waiting ? f->config.max_waiting - held : 0;

    return slots - due < space ? slots - due : space;
}

uint32_t frontier_delayed(const struct frontier *f, int64_t now)
{
    uint32_t held = waiting(f);

    if (f->wishes)
        return (uint32_t)f->bench.later.count;
    return f->config.delay > 0 ? held - workbench_due(&f->bench, now, held) : 0;
}

uint32_t frontier_away(const struct frontier *f, int64_t now, int64_t wait)
{
    int64_t soon = now + (wait < AWAY ? wait : AWAY) + f->config.delay;
    uint32_t n = 0;

    for (uint32_t id = f->visits.first; id != 0; id = visits_at(&f->visits, id)->next) {
        const struct known *k = urls_at(&f->urls, visits_at(&f->visits, id)->choice.url);
        const struct host *h = hosts_at(&f->hosts, k->host);

        n += h->in_flight == 0 && h->next_at > soon;
    }
    return n;
}

uint32_t frontier_overdue(const struct frontier *f, int64_t now, int64_t wait)
{
    uint32_t n = 0;

    for (uint32_t id = f->visits.first; id != 0; id = visits_at(&f->visits, id)->next)
        n += visits_at(&f->visits, id)->flying && visits_at(&f->visits, id)->since < now - wait;
    return n;
}

int64_t frontier_drained(const struct frontier *f, int64_t now)
{
    int64_t last = now;

    for (uint32_t id = f->visits.first; id != 0; id = visits_at(&f->visits, id)->next) {
        const struct known *k = urls_at(&f->urls, visits_at(&f->visits, id)->choice.url);
        const struct host *h = hosts_at(&f->hosts, k->host);
        int64_t from = h->next_at > now ? h->next_at : now;

        from += ((int64_t)h->queue.count - 1) * host_gap(f, h);
        if (from > last && h->next_at <= now + AWAY + f->config.delay)
            last = from;
    }
    return last;
}

uint32_t frontier_host(const struct frontier *f, uint32_t url)
{
    return url && url <= f->urls.count ? urls_at(&f->urls, url)->host : 0;
}

void frontier_wish(struct frontier *f, uint32_t host, const struct wish *w, int64_t now)
{
    struct host *h = hosts_at(&f->hosts, host);

    frontier_at(f, now);
    f->wishes += w->url != 0;
    f->wishes -= h->wish.url != 0;
    h->wish = *w;
    f->crowded = f->shut = false;
    if (w->url)
        host_open(f, h);
    if (host_bar(f, h) || host_is_spent(f, h))
        host_doom(f, h);
    host_place(f, h, now);
}

uint32_t frontier_wishes(const struct frontier *f)
{
    return f->wishes;
}

uint32_t frontier_in_flight(const struct frontier *f)
{
    return f->visits.flying + f->services;
}

/* ---- release ------------------------------------------------------------- */

static void visit_drop(struct frontier *f, uint32_t visit, enum drop why, const struct release *r)
{
    struct choice c = visits_at(&f->visits, visit)->choice;

    url_end(urls_at(&f->urls, c.url), URL_GONE, why);
    visits_remove(&f->visits, visit);
    r->on_drop(r->ctx, &c, why);
}

/* Chooses the host's next visit, which then waits. False: there is none; what was
 * refused is dropped. */
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

/* Drops what waits at a host that is dead, or has no budget left for new pages. Links that
 * were not chosen yet are chosen to be dropped, some at a time. */
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

static struct request *page_request(struct frontier *f, struct host *h, const struct visit *v)
{
    const struct known *k = urls_at(&f->urls, v->choice.url);
    const struct door *door = &h->door[k->tls];
    struct str etag = STR(""), modified = STR("");
    struct request *r;

    if (v->choice.refresh && k->page && f->config.validators)
        f->config.validators(f->config.validators_ctx, k->page, &etag, &modified);
    buf_clear(&f->href);
    url_write(f, k, &f->href);
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

/* A request for the host starts: both rules count from here. */
static void host_start(struct frontier *f, struct host *h, uint32_t group, int64_t now)
{
    host_busy(f, h, now);
    workbench_start(&f->bench, group, now + address_gap(f, h, group));
}

/* Chooses a visit that may start by this door at once. One that was not wished for waits
 * where it needs robots.txt, whose rules have left memory, or the address of the other scheme. */
static bool page_choose(struct frontier *f, struct host *h, const struct door *door, int64_t now,
                        const struct release *r)
{
    struct door *now_by;
    bool tls;

    return host_choose(f, h, now, r) && host_need(f, h, now, &now_by, &tls) == NEED_PAGE &&
           now_by == door;
}

/* Asks whether a visit that has waited still stands. False: it left, perhaps for another. */
static bool visit_stands(struct frontier *f, uint32_t visit, int64_t now, const struct release *r)
{
    const struct visit *v = visits_at(&f->visits, visit);
    struct known *k = urls_at(&f->urls, v->choice.url);
    struct choice other;
    enum drop why;

    if (r->again == NULL || v->since == now || v->hop || v->attempt ||
        !r->again(r->ctx, &v->choice, &other))
        return true;
    k->state = k->page ? URL_VISITED : URL_KNOWN;
    visits_remove(&f->visits, visit);
    why = other.url ? visit_admit(f, &other, 0, now) : DROP_NONE;
    if (why != DROP_NONE)
        r->on_drop(r->ctx, &other, why);
    return false;
}

/* The host's best page, or NULL where robots.txt forbids it, or it is not wanted any more. */
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

/* One step of the host whose turn it is: a request, or NULL where it only moved
 * on (it will be placed again). */
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
        return NULL; /* its best page changed, and the address with it */
    if (need == NEED_ROBOTS && !service_robots_may(f, h, now))
        return NULL;
    request =
        need == NEED_ROBOTS ? service_robots(f, h, door, tls, now) : page_step(f, h, door, now, r);
    if (request != NULL)
        host_start(f, h, door->group, now);
    return request;
}

/* Nothing is under way, and nothing will be due for a while, beyond the usual delay: what is
 * left has to do. A server may ask for a day of peace. */
static bool is_still(const struct frontier *f)
{
    const struct heap_item *first = heap_peek(&f->bench.later);
    int64_t soon = f->bench.ripe + AWAY + f->config.delay;

    return frontier_in_flight(f) == 0 && (first == NULL || first->key > (double)soon);
}

/* The host whose turn it is. Those with a wish come last, the best first: when one is not
 * worth a visit, the others are not either. 0: none. */
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

void frontier_at(struct frontier *f, int64_t now)
{
    int64_t year;
    int month, day;

    if (now < f->tomorrow)
        return;
    clock_civil(now / US_PER_DAY, &year, &month, &day);
    f->tomorrow = (now / US_PER_DAY + 1) * US_PER_DAY;
    f->year = (int)year;
}

/* ---- pages --------------------------------------------------------------- */

void page_on_host(struct frontier *f, uint32_t page, uint32_t host)
{
    map_set(&f->page_hosts, hash_u64(page), host);
}

void frontier_earned(struct frontier *f, uint32_t url, float relevance)
{
    struct host *h;

    if (url == 0 || url > f->urls.count || url_is_bare(urls_at(&f->urls, url)) || relevance <= 0)
        return;
    h = hosts_at(&f->hosts, urls_at(&f->urls, url)->host);
    h->earned += (double)relevance;
    host_domain(&f->hosts, h)->earned += relevance;
}

void frontier_visited(struct frontier *f, uint32_t url, uint32_t page)
{
    struct known *k;
    struct host *h;

    if (url == 0 || url > f->urls.count || url_is_bare(urls_at(&f->urls, url)))
        return;
    k = urls_at(&f->urls, url);
    h = hosts_at(&f->hosts, k->host);
    if (k->state == URL_MOVED)
        k->page = 0;
    if (k->page == 0 && page != 0) {
        f->hosts_paged += h->pages++ == 0;
        host_changed(f, h);
        if (host_is_spent(f, h))
            host_doom(f, h);
    }
    k->state = URL_VISITED;
    k->drop = DROP_NONE;
    if (page != 0) {
        k->page = page;
        page_on_host(f, page, k->host);
    }
}

/* Dead or not, it begins again. */
static void host_revive(struct frontier *f, struct host *h, bool robots_too)
{
    f->hosts_dead -= h->dead != 0;
    f->hosts_open += h->dead != 0 && h->own_group != 0;
    h->dead = DROP_NONE;
    h->failures = h->lost = 0;
    if (robots_too) {
        rules_set(f, h, NULL);
        h->robots_until = 0; /* also where no rules were in memory */
    }
    host_changed(f, h);
}

void frontier_forgive(struct frontier *f, uint32_t url)
{
    struct known *k = url && url <= f->urls.count ? urls_at(&f->urls, url) : NULL;
    struct host *h;

    if (k == NULL || k->state != URL_GONE || url_is_bare(k))
        return;
    h = hosts_at(&f->hosts, k->host);
    host_revive(f, h, k->drop == DROP_ROBOTS || h->dead == DROP_ROBOTS);
    k->state = URL_KNOWN;
    k->drop = DROP_NONE;
}

void frontier_unvisit(struct frontier *f, uint32_t url)
{
    struct known *k = url && url <= f->urls.count ? urls_at(&f->urls, url) : NULL;

    if (k && k->state == URL_VISITED)
        k->state = URL_KNOWN;
}

int64_t frontier_pause(const struct frontier *f, uint32_t host, int64_t now)
{
    const struct host *h;

    if (host == 0 || host > f->hosts.count)
        return 0;
    h = hosts_at(&f->hosts, host);
    return h->next_at > now + 2 * host_gap(f, h) + US_PER_S ? h->next_at : 0;
}

void frontier_set_pause(struct frontier *f, struct str href, int64_t until, int64_t now)
{
    int64_t most = now + LIMIT_RETRY_AFTER * US_PER_S;
    struct str scheme, name, path;
    struct host *h;
    uint16_t port;

    url_split(href, &scheme, &name, &port, &path);
    if (until <= now || name.len == 0 || name.len > LIMIT_HOST)
        return;
    h = hosts_get(&f->hosts, name);
    host_wait(h, until < most ? until : most);
    if (!h->dead && h->own_group)
        host_place(f, h, now);
}

bool frontier_first(struct frontier *f, uint32_t url)
{
    struct known *k = url && url <= f->urls.count ? urls_at(&f->urls, url) : NULL;
    bool first = k && !k->told;

    if (first)
        k->told = true;
    return first;
}

void frontier_settled(struct frontier *f, uint32_t url, enum drop why)
{
    struct known *k = url && url <= f->urls.count ? urls_at(&f->urls, url) : NULL;

    if (k && (k->state == URL_KNOWN || k->state == URL_GONE))
        url_end(k, why == DROP_NONE ? URL_VISITED : URL_GONE, why);
}

void frontier_moved(struct frontier *f)
{
    for (uint32_t id = 1; id <= f->hosts.count; id++) {
        struct host *h = hosts_at(&f->hosts, id);

        if (!h->dead && host_bar(f, h)) {
            host_doom(f, h);
            workbench_remove(&f->bench, id);
        }
    }
}

uint32_t frontier_duplicate(struct frontier *f, uint32_t page, uint64_t payload_hash,
                            uint64_t simhash, uint32_t words, bool *ret_exact)
{
    return dups_add(&f->dups, page, payload_hash, simhash, words, ret_exact);
}

struct frontier_counts frontier_counts(const struct frontier *f)
{
    return (struct frontier_counts){
        .urls = f->urls.count,
        .waiting = waiting(f),
        .in_flight = frontier_in_flight(f),
        .hosts = f->hosts.count,
        .hosts_dead = f->hosts_dead,
        .hosts_open = f->hosts_open,
        .hosts_paged = f->hosts_paged,
        .wishes = f->wishes,
        .held = f->held,
        .bytes_urls = urls_bytes(&f->urls) + variants_bytes(&f->variants) + dups_bytes(&f->dups) +
                      map_bytes(&f->page_hosts),
        .bytes_hosts = hosts_bytes(&f->hosts) + workbench_bytes(&f->bench),
        .bytes_robots = f->rules[0].bytes + f->rules[1].bytes,
        .bytes_queues = visits_bytes(&f->visits) + waiting(f) * sizeof(struct heap_item),
    };
}
