/* frontier.c - hosts, and the choices and wishes that wait at them.
 *
 * A choice (frontier_add) waits in its host's queue, best score first, until release.c takes it.
 * What a host may give, and how long it rests between two requests, is decided here.
 * SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"

#include <math.h>
#include <stdlib.h>

#define US_PER_DAY (86400 * US_PER_S)

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
    missing_init(&f->missing);
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
    for (size_t i = 0; i < f->page_hosts.count; i++)
        free(f->page_hosts.blocks[i]);
    free(f->page_hosts.blocks);
    variants_free(&f->variants);
    missing_free(&f->missing);
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

/* How many pages the host may give: the user's ceiling; and, unless it has a seed, no more than its
 * budget and what its pages have earned. */
uint64_t host_budget(const struct frontier *f, const struct host *h)
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

/* The greater of a delay and a multiple of a response time. If the user sets a delay of
 * 0, there is no wait at all. */
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

/* Why a URL cannot be chosen in its present state. */
static enum drop known_refuse(const struct known *k, bool refresh)
{
    if (k->state == URL_WAITING || k->state == URL_HOLE)
        return DROP_SEEN;
    if (k->state == URL_KNOWN)
        return k->drop;
    if (refresh) /* what failed may be tried again, what is forbidden may not */
        return k->state == URL_GONE && k->drop < DROP_TYPE ? k->drop : DROP_NONE;
    return k->state == URL_GONE ? k->drop : DROP_SEEN;
}

/* Recorded as another node's URL, but its host is now ours, and it was met again. */
static void url_come_home(struct frontier *f, struct known *k)
{
    if (k->drop != DROP_FOREIGN || url_is_bare(k) || host_bar(f, hosts_at(&f->hosts, k->host)))
        return;
    k->drop = DROP_NONE;
    if (k->state == URL_GONE)
        k->state = URL_KNOWN;
}

/* Seeds, pages fetched before, requisites and retries are requested in any case. */
static bool is_judged(const struct frontier *f, const struct known *k, const struct choice *c)
{
    return k->depth > 0 && !c->refresh && !choice_is_requisite(c) && !f->forgiving;
}

/* Why the URL's host does not accept a visit to it. */
static enum drop host_refuse(struct frontier *f, const struct host *h, const struct known *k,
                             const struct choice *c)
{
    enum drop bar = host_bar(f, h);

    if (bar != DROP_NONE)
        return bar;
    if (is_charged(k, c) && host_is_spent(f, h))
        return DROP_BUDGET;
    if (is_judged(f, k, c) && missing_all(&f->missing, h->id, urls_path(&f->urls, c->url)))
        return DROP_MISSING;
    return rules_say(f, h, urls_path(&f->urls, c->url)) == SAID_NO ? DROP_ROBOTS : DROP_NONE;
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
        urls_set_page(&f->urls, c->url, 0);
    h = hosts_at(&f->hosts, k->host);
    why = host_refuse(f, h, k, c);
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
    int64_t soon = now + (wait < HOST_AWAY ? wait : HOST_AWAY) + f->config.delay;
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
        if (from > last && h->next_at <= now + HOST_AWAY + f->config.delay)
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

uint32_t frontier_hosts_paged(const struct frontier *f)
{
    return f->hosts_paged;
}

uint32_t frontier_in_flight(const struct frontier *f)
{
    return f->visits.flying + f->services;
}

/* ---- pages --------------------------------------------------------------- */

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

void page_on_host(struct frontier *f, uint32_t page, uint32_t host)
{
    struct page_hosts *p = &f->page_hosts;
    size_t at = page / PAGES_BLOCK, count = at + at / 8 + 8;

    if (page > LIMIT_URLS) /* no crawl of ours has so many */
        return;
    if (at >= p->count) {
        p->blocks = mem_resize(p->blocks, count, sizeof *p->blocks);
        memset(p->blocks + p->count, 0, (count - p->count) * sizeof *p->blocks);
        p->count = count;
    }
    if (p->blocks[at] == NULL) {
        p->blocks[at] = mem_zero(PAGES_BLOCK, sizeof **p->blocks);
        p->used++;
    }
    p->blocks[at][page % PAGES_BLOCK] = host;
}

uint32_t page_host(const struct frontier *f, uint32_t page)
{
    const struct page_hosts *p = &f->page_hosts;
    size_t at = page / PAGES_BLOCK;

    return at < p->count && p->blocks[at] ? p->blocks[at][page % PAGES_BLOCK] : 0;
}

static size_t page_hosts_bytes(const struct page_hosts *p)
{
    return p->count * sizeof *p->blocks + p->used * PAGES_BLOCK * sizeof **p->blocks;
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
        urls_set_page(&f->urls, url, 0);
    if (!k->has_page && page != 0) {
        f->hosts_paged += h->pages++ == 0;
        host_changed(f, h);
        if (host_is_spent(f, h))
            host_doom(f, h);
    }
    k->state = URL_VISITED;
    k->drop = DROP_NONE;
    if (page != 0) {
        urls_set_page(&f->urls, url, page);
        page_on_host(f, page, k->host);
    }
}

/* The host starts again, even if it was dead. */
static void host_revive(struct frontier *f, struct host *h, bool robots_too)
{
    f->hosts_dead -= h->dead != 0;
    f->hosts_open += h->dead != 0 && h->own_group != 0;
    h->dead = DROP_NONE;
    h->failures = h->lost = 0;
    if (robots_too) {
        rules_set(f, h, NULL);
        h->robots_until = 0; /* also if no rules were in memory */
    }
    host_changed(f, h);
}

void frontier_forgive(struct frontier *f, uint32_t url)
{
    struct known *k = url && url <= f->urls.count ? urls_at(&f->urls, url) : NULL;
    struct host *h;

    f->forgiving = true;
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
        .bytes_urls = urls_bytes(&f->urls) + variants_bytes(&f->variants) +
                      missing_bytes(&f->missing) + dups_bytes(&f->dups) +
                      page_hosts_bytes(&f->page_hosts),
        .bytes_hosts = hosts_bytes(&f->hosts) + workbench_bytes(&f->bench),
        .bytes_robots = f->rules[0].bytes + f->rules[1].bytes,
        .bytes_queues = visits_bytes(&f->visits) + waiting(f) * sizeof(struct heap_item),
    };
}
