/* meet.c - links in: a number and a verdict for each.
 *
 * A known URL costs one lookup and its record; only a new one is taken apart, judged:
 * scope, depth, traps, its host's standing, and robots.txt where it was read already and
 * steps are left for it (rules.c). The verdict is kept with the URL; the URL itself only
 * if it may be requested some day, and while the domain that names it has budget left.
 *
 * Workload: every link of every page, nine of ten of them known.
 * SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/os/port.h"
#include "frontier/scope.h"
#include "frontier/traps.h"
#include "parse/url_norm.h"

/* The host of a URL (NULL if it is new), and its parts. */
struct place {
    struct host *host;
    struct str href, name, path;
    uint16_t depth;
    bool tls;
    bool free; /* it is not charged to its host's budget */
};

static struct place place_of(const struct frontier *f, struct str href, uint16_t depth)
{
    struct place p = {.href = href, .depth = depth};
    struct str scheme;
    uint16_t port;

    url_split(href, &scheme, &p.name, &port, &p.path);
    p.tls = scheme.len == 5;
    p.host = hosts_find(&f->hosts, p.name);
    return p;
}

/* The most links from a seed; `h` may be NULL. */
static uint32_t max_depth(const struct frontier *f, const struct host *h, struct str name)
{
    const struct host_setting *set = h ? h->setting : host_settings_find(f->hosts.settings, name);

    return set && set->depth >= 0 ? (uint32_t)set->depth : f->config.max_depth;
}

static enum drop url_judge(struct frontier *f, const struct place *p)
{
    const struct host *h = p->host;
    uint16_t port;
    struct str name = str_sub(p->name, 0, host_name_split(p->name, &port));

    if (f->config.scope != NULL && !scope_has(f->config.scope, p->href, name))
        return DROP_SCOPE;
    if (p->depth > max_depth(f, p->host, p->name) && !p->free)
        return DROP_DEPTH;
    if (trap_looks_endless(p->path, f->year))
        return DROP_TRAP;
    if (f->config.foreign != NULL && f->config.foreign(f->config.foreign_ctx, name))
        return DROP_FOREIGN;
    if (h == NULL)
        return DROP_NONE;
    if (h->dead)
        return h->dead;
    if (host_is_spent(f, h) && !p->free)
        return DROP_BUDGET;
    return rules_say(f, h, p->path) == SAID_NO ? DROP_ROBOTS : DROP_NONE;
}

/* How much of the memory of all URLs is free, in [0,1]. */
static double memory_left(const struct frontier *f)
{
    double most = (double)f->config.urls_bytes, used;

    if (f->config.urls_bytes == 0)
        return 1;
    used = (double)(urls_bytes(&f->urls) + hosts_bytes(&f->hosts));
    return used < most ? 1 - used / most : 0;
}

/* Charges the cost of a URL to the domain of the host that names it. Returns false if
 * the budget is used up. The less memory is left, the smaller is the part of the
 * budget that need not be earned. */
static bool domain_charge(struct frontier *f, uint32_t host, uint32_t cost)
{
    struct domain *d;
    double most;

    if (host == 0 || host > f->hosts.count || f->config.host_urls == 0)
        return true;
    d = host_domain(&f->hosts, hosts_at(&f->hosts, host));
    most = (double)f->config.host_urls * memory_left(f) +
           (double)d->earned * (double)f->config.url_step;
    if (!d->vouched && (double)d->kept + cost > most)
        return false;
    d->kept += cost;
    return true;
}

/* Counts one more URL that may be offered; a new host is made if needed. */
static enum drop url_count(struct frontier *f, struct place *p)
{
    if (p->host == NULL)
        p->host = hosts_get(&f->hosts, p->name);
    return variants_add(&f->variants, p->host->id, p->path) ? DROP_NONE : DROP_TRAP;
}

/* Judges a known URL again, since the reason against it may no longer hold. */
static void url_judge_again(struct frontier *f, uint32_t url, struct str href)
{
    struct known *k = urls_at(&f->urls, url);
    struct place p = place_of(f, href, k->depth);

    k->drop = (uint8_t)url_judge(f, &p);
    if (k->drop == DROP_NONE)
        k->drop = (uint8_t)url_count(f, &p);
    if (k->drop != DROP_NONE)
        return;
    if (k->state == URL_GONE)
        k->state = URL_KNOWN;
    if (!url_is_bare(k))
        return;
    k->tls = p.tls;
    if (!urls_dress(&f->urls, url, p.host->id, p.path))
        k->drop = DROP_QUEUE_FULL;
}

static enum drop url_refuse(const struct frontier *f, struct str href)
{
    struct str scheme, name, path;
    uint16_t port;

    if (!str_starts(href, STR("http://")) && !str_starts(href, STR("https://")))
        return DROP_SCHEME;
    url_split(href, &scheme, &name, &port, &path);
    /* Such a host cannot exist; besides, scope looks up each domain that the name ends in. */
    if (href.len > LIMIT_URL || name.len > LIMIT_HOST)
        return DROP_LONG;
    if (port_refuses(port) != NULL)
        return DROP_PORT;
    return f->urls.count >= f->config.max_urls || memory_left(f) <= 0 ? DROP_QUEUE_FULL : DROP_NONE;
}

/* A known URL was met on a shorter way; its depth may have been the only reason against it. */
static void url_nearer(struct frontier *f, uint32_t url, struct str href, uint16_t depth)
{
    struct known *k = urls_at(&f->urls, url);

    k->depth = depth;
    if (k->drop == DROP_DEPTH)
        url_judge_again(f, url, href);
}

/* A URL that only duplicates name is not offered. */
static enum drop verdict_now(const struct known *k)
{
    return k->drop == DROP_NONE && k->named == FEED_NONE ? DROP_TRAP : (enum drop)k->drop;
}

/* Puts the URL into the table, whole if it may be requested, otherwise only its verdict. */
static uint32_t url_put(struct frontier *f, const struct link *link, const struct place *p,
                        bool whole)
{
    uint32_t id = whole ? urls_add(&f->urls, link->key, p->host->id, p->path)
                        : urls_add_bare(&f->urls, link->key);

    if (id == 0)
        return 0;
    urls_set_source(&f->urls, link->source, id);
    urls_at(&f->urls, id)->tls = p->tls;
    urls_at(&f->urls, id)->depth = p->depth;
    return id;
}

static enum drop url_meet_new(struct frontier *f, const struct link *link, const struct naming *by,
                              uint32_t *ret_url)
{
    enum drop why = url_refuse(f, link->url);
    bool is_seed = by->depth == 0, whole;
    struct place p;

    if (why != DROP_NONE)
        return why;
    p = place_of(f, link->url, by->depth);
    p.free = link->kind == LINK_REQUISITE;
    if (is_seed)
        p.host = hosts_get(&f->hosts, p.name);
    if (is_seed)
        host_vouch(f, p.host);
    why = url_judge(f, &p);
    whole = why == DROP_NONE || is_seed || (why == DROP_FOREIGN && f->config.foreign_whole);
    if (!domain_charge(f, by->host, domain_cost(whole ? p.path.len : 0, whole && !p.host)))
        return why == DROP_NONE ? DROP_BUDGET : why;
    if (why == DROP_NONE)
        why = url_count(f, &p);
    whole &= why == DROP_NONE || why == DROP_FOREIGN || is_seed;
    if (whole && p.host == NULL)
        p.host = hosts_get(&f->hosts, p.name);
    *ret_url = url_put(f, link, &p, whole);
    if (*ret_url == 0)
        return DROP_QUEUE_FULL;
    urls_set_from_page(&f->urls, *ret_url, by->page);
    urls_at(&f->urls, *ret_url)->drop = (uint8_t)why;
    return why;
}

enum drop frontier_meet(struct frontier *f, const struct link *link, uint32_t from_page,
                        uint16_t depth, uint32_t *ret_url, bool *ret_new)
{
    struct naming by = {.page = from_page, .depth = depth, .feed = FEED_ALL};

    return frontier_meet_from(f, link, &by, ret_url, ret_new);
}

/* Returns the number of a link's URL; 0 if it is new. */
static uint32_t link_find(struct frontier *f, const struct link *link)
{
    return link->source ? urls_find_source(&f->urls, link->source, link->key)
                        : urls_find(&f->urls, link->key);
}

enum drop frontier_meet_from(struct frontier *f, const struct link *link, const struct naming *by,
                             uint32_t *ret_url, bool *ret_new)
{
    uint32_t id = link_find(f, link);
    struct known *k;

    *ret_new = false;
    *ret_url = id;
    if (id == 0) {
        enum drop why = url_meet_new(f, link, by, ret_url);

        *ret_new = *ret_url != 0;
        if (*ret_url == 0)
            return why;
        id = *ret_url;
    }
    k = urls_at(&f->urls, id);
    if (by->depth < k->depth)
        url_nearer(f, id, link->url, by->depth);
    if (k->drop == DROP_FOREIGN)
        url_judge_again(f, id, link->url); /* its host may be ours now */
    if (by->feed > k->named)
        k->named = (uint8_t)by->feed & 3u;
    return verdict_now(k);
}

enum drop frontier_known(struct frontier *f, const struct link *link, uint32_t *ret_url)
{
    enum drop why;

    *ret_url = link_find(f, link);
    if (*ret_url == 0) {
        why = url_refuse(f, link->url);
        return why == DROP_NONE ? DROP_QUEUE_FULL : why;
    }
    return verdict_now(urls_at(&f->urls, *ret_url));
}

static void expect_keys(const struct urls *u, const struct link *links, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        keys_near(&u->by_key, links[i].key);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = keys_nearer(&u->by_key, links[i].key);

        if (id)
            __builtin_prefetch(urls_at(u, id));
    }
}

void frontier_expect(const struct frontier *f, const struct link *links, uint32_t count)
{
    if (f->urls.sources == 0) {
        expect_keys(&f->urls, links, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        urls_prefetch(&f->urls, links[i].source);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = links[i].source < f->urls.sources ? f->urls.by_source[links[i].source] : 0;

        if (id)
            __builtin_prefetch(urls_at(&f->urls, id));
    }
}

uint32_t frontier_source(const struct frontier *f, uint32_t url)
{
    return urls_source(&f->urls, url);
}

enum feeding frontier_feed(const struct frontier *f, uint32_t url, uint32_t dup_of, bool exact)
{
    const struct known *k;

    if (dup_of == 0 || url == 0 || url > f->urls.count)
        return FEED_ALL;
    k = urls_at(&f->urls, url);
    if (page_host(f, dup_of) != k->host)
        return FEED_ALL; /* another host's copy is not restricted */
    return exact || k->named != FEED_ALL ? FEED_NONE : FEED_ONCE;
}

void url_write(const struct frontier *f, uint32_t url, struct buf *out)
{
    const struct known *k = urls_at(&f->urls, url);

    if (url_is_bare(k))
        return;
    buf_add_z(out, k->tls ? "https://" : "http://");
    buf_add_str(out, hosts_at(&f->hosts, k->host)->name);
    buf_add_str(out, urls_path(&f->urls, url));
}

void host_vouch(struct frontier *f, struct host *h)
{
    h->vouched = true;
    host_domain(&f->hosts, h)->vouched = true;
}

void url_end(struct known *k, enum url_state state, enum drop why)
{
    /* A visited page stays visited if a refresh fails. */
    bool again = state == URL_GONE && k->has_page;

    k->state = (again ? URL_VISITED : state) & 7;
    k->drop = (uint8_t)(again ? DROP_NONE : why);
}

bool frontier_url(struct frontier *f, uint32_t url, struct url_view *ret)
{
    const struct known *k, *end;
    uint32_t at = url;

    if (url == 0 || url > f->urls.count || urls_at(&f->urls, url)->state == URL_HOLE)
        return false;
    k = end = urls_at(&f->urls, url);
    for (int hops = 0; hops < LIMIT_REDIRECTS && end->state == URL_MOVED && end->has_page; hops++)
        end = urls_at(&f->urls, at = urls_page(&f->urls, at));
    buf_clear(&f->href);
    url_write(f, url, &f->href);
    *ret = (struct url_view){
        .href = buf_str(&f->href),
        .from_page = urls_from_page(&f->urls, url),
        .page = end->state == URL_MOVED ? 0 : urls_page(&f->urls, at),
        .depth = k->depth,
        .state = (uint8_t)(end->state == URL_MOVED ? URL_VISITED : end->state),
        .drop = end->drop,
    };
    return true;
}

enum url_state frontier_state(const struct frontier *f, uint32_t url)
{
    unsigned state = url && url <= f->urls.count ? urls_at(&f->urls, url)->state : URL_HOLE;

    return state == URL_MOVED ? URL_VISITED : state == URL_HOLE ? URL_GONE : (enum url_state)state;
}

uint32_t frontier_page(const struct frontier *f, uint32_t url)
{
    const struct known *k = url && url <= f->urls.count ? urls_at(&f->urls, url) : NULL;

    return k && k->state != URL_MOVED && k->state != URL_HOLE ? urls_page(&f->urls, url) : 0;
}

uint32_t frontier_find(struct frontier *f, uint64_t key)
{
    return urls_find(&f->urls, key);
}

uint32_t frontier_urls(const struct frontier *f)
{
    return f->urls.count;
}
