/* meet.c - links in: a number and a verdict for each.
 *
 * A known URL costs one lookup and its record; only a new one is taken apart,
 * joined with its host and judged: scope, depth, traps, the host's standing, and
 * robots.txt where it was read already. The verdict is kept with the URL.
 *
 * Workload: every link of every page, nine of ten of them known.
 * SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/hash.h"
#include "base/limits.h"
#include "frontier/scope.h"
#include "frontier/traps.h"
#include "parse/robots.h"
#include "parse/url_norm.h"

static enum drop url_judge(const struct frontier *f, const struct host *h, struct str href,
                           struct str path, uint16_t depth)
{
    if (f->config.scope != NULL && !scope_has(f->config.scope, href, host_only(h)))
        return DROP_SCOPE;
    if (depth > f->config.max_depth)
        return DROP_DEPTH;
    if (trap_looks_endless(path, f->year))
        return DROP_TRAP;
    if (h->dead)
        return h->dead;
    if (host_is_spent(f, h))
        return DROP_BUDGET;
    if (h->robots != NULL && !robots_allows(h->robots, path, NULL))
        return DROP_ROBOTS;
    return DROP_NONE;
}

/* The same, and counts what may be offered. */
static enum drop url_admit(struct frontier *f, const struct host *h, struct str href,
                           struct str path, uint16_t depth)
{
    enum drop why = url_judge(f, h, href, path, depth);

    if (why == DROP_NONE && !variants_add(&f->variants, h->id, path))
        return DROP_TRAP;
    return why;
}

/* A known URL was met on a shorter way; its depth may have been all that spoke
 * against it. */
static void url_nearer(struct frontier *f, struct known *k, struct str href, uint16_t depth)
{
    k->depth = depth;
    if (k->drop == DROP_DEPTH && depth <= f->config.max_depth)
        k->drop = (uint8_t)url_admit(f, hosts_at(&f->hosts, k->host), href, urls_path(&f->urls, k),
                                     depth);
}

/* No such name exists; and scope looks at each domain that it ends in. */
static bool host_is_long(struct str href)
{
    struct str scheme, host, path;
    uint16_t port;

    url_split(href, &scheme, &host, &port, &path);
    return host.len > LIMIT_HOST;
}

static enum drop url_refuse(const struct frontier *f, struct str href)
{
    if (!str_starts(href, STR("http://")) && !str_starts(href, STR("https://")))
        return DROP_SCHEME;
    if (href.len > LIMIT_URL || host_is_long(href))
        return DROP_LONG;
    return f->urls.count >= f->config.max_urls ? DROP_QUEUE_FULL : DROP_NONE;
}

/* What only duplicates name is not offered. */
static enum drop verdict_now(const struct known *k)
{
    return k->drop == DROP_NONE && k->named == FEED_NONE ? DROP_TRAP : (enum drop)k->drop;
}

static enum drop url_meet_new(struct frontier *f, const struct link *link, uint32_t from_page,
                              uint16_t depth, uint32_t *ret_url)
{
    enum drop why = url_refuse(f, link->url);
    struct str scheme, name, path;
    struct known *k;
    struct host *h;
    uint16_t port;
    uint32_t id;

    if (why != DROP_NONE)
        return why;
    url_split(link->url, &scheme, &name, &port, &path);
    h = hosts_get(&f->hosts, name);
    id = urls_add(&f->urls, link->key, h->id, path);
    if (id == 0)
        return DROP_QUEUE_FULL;
    urls_set_source(&f->urls, link->id, id);
    k = urls_at(&f->urls, id);
    k->tls = scheme.len == 5;
    k->depth = depth;
    k->from_page = from_page;
    h->vouched |= depth == 0;
    k->drop = (uint8_t)url_admit(f, h, link->url, path, depth);
    *ret_url = id;
    return k->drop;
}

enum drop frontier_meet(struct frontier *f, const struct link *link, uint32_t from_page,
                        uint16_t depth, uint32_t *ret_url, bool *ret_new)
{
    return frontier_meet_from(f, link, FEED_ALL, from_page, depth, ret_url, ret_new);
}

enum drop frontier_meet_from(struct frontier *f, const struct link *link, enum feed feed,
                             uint32_t from_page, uint16_t depth, uint32_t *ret_url, bool *ret_new)
{
    uint32_t id =
        link->id ? urls_find_source(&f->urls, link->id, link->key) : urls_find(&f->urls, link->key);
    struct known *k;

    *ret_new = false;
    *ret_url = id;
    if (id == 0) {
        enum drop why = url_meet_new(f, link, from_page, depth, ret_url);

        *ret_new = *ret_url != 0;
        if (*ret_url == 0)
            return why;
        id = *ret_url;
    }
    k = urls_at(&f->urls, id);
    if (depth < k->depth)
        url_nearer(f, k, link->url, depth);
    if (feed > k->named)
        k->named = (uint8_t)feed & 3u;
    return verdict_now(k);
}

enum drop frontier_known(struct frontier *f, const struct link *link, uint32_t *ret_url)
{
    enum drop why;

    *ret_url =
        link->id ? urls_find_source(&f->urls, link->id, link->key) : urls_find(&f->urls, link->key);
    if (*ret_url == 0) {
        why = url_refuse(f, link->url);
        return why == DROP_NONE ? DROP_QUEUE_FULL : why;
    }
    return verdict_now(urls_at(&f->urls, *ret_url));
}

void frontier_expect(const struct frontier *f, const struct link *links, uint32_t count)
{
    if (f->urls.sources == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        urls_prefetch(&f->urls, links[i].id);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = links[i].id < f->urls.sources ? f->urls.by_source[links[i].id] : 0;

        if (id)
            __builtin_prefetch(urls_at(&f->urls, id));
    }
}

uint32_t frontier_source(const struct frontier *f, uint32_t url)
{
    return urls_source(&f->urls, url);
}

enum feed frontier_feed(const struct frontier *f, uint32_t url, uint32_t dup_of, bool exact)
{
    const struct known *k;

    if (dup_of == 0 || url == 0 || url > f->urls.count)
        return FEED_ALL;
    k = urls_at(&f->urls, url);
    if (map_get(&f->page_hosts, hash_u64(dup_of)) != k->host)
        return FEED_ALL; /* another host's copy: not ours to judge */
    return exact || k->named != FEED_ALL ? FEED_NONE : FEED_ONCE;
}

void url_write(const struct frontier *f, const struct known *k, struct buf *out)
{
    (void)buf_add_z(out, k->tls ? "https://" : "http://");
    (void)buf_add_str(out, hosts_at(&f->hosts, k->host)->name);
    (void)buf_add_str(out, urls_path(&f->urls, k));
}

void url_end(struct known *k, enum url_state state, enum drop why)
{
    /* A page that was visited before stays visited when a refresh fails. */
    bool again = state == URL_GONE && k->page != 0;

    k->state = (again ? URL_VISITED : state) & 15;
    k->drop = (uint8_t)(again ? DROP_NONE : why);
}

bool frontier_url(struct frontier *f, uint32_t url, struct url_view *ret)
{
    const struct known *k, *end;

    if (url == 0 || url > f->urls.count || urls_at(&f->urls, url)->state == URL_HOLE)
        return false;
    k = end = urls_at(&f->urls, url);
    for (int hops = 0; hops < LIMIT_REDIRECTS && end->state == URL_MOVED && end->page; hops++)
        end = urls_at(&f->urls, end->page);
    buf_clear(&f->href);
    url_write(f, k, &f->href);
    *ret = (struct url_view){
        .href = buf_str(&f->href),
        .from_page = k->from_page,
        .page = end->state == URL_MOVED ? 0 : end->page,
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

    return k && k->state != URL_MOVED && k->state != URL_HOLE ? k->page : 0;
}

uint32_t frontier_find(struct frontier *f, uint64_t key)
{
    return urls_find(&f->urls, key);
}

uint32_t frontier_urls(const struct frontier *f)
{
    return f->urls.count;
}
