/* service.c - what a host needs before its pages: its address, its robots.txt.
 *
 *   robots.txt answers       then
 *   2xx                      its rules hold for LIMIT_ROBOTS_AGE
 *   3xx + Location           asked there, LIMIT_ROBOTS_HOPS times; the rules are
 *                            this host's wherever they came from
 *   4xx but 429              nothing is forbidden (RFC 9309 2.3.1.3)
 *   429, 5xx, anything else  asked again with back-off; after LIMIT_HOST_FAILURES
 *                            the host's URLs are dropped: robots
 *   no answer                the same, but `retries` times; dropped: host-dead
 *   a bad certificate        dropped at once: host-dead
 *
 * An older copy of the rules stays in force while a new one cannot be had. A redirect to
 * another host asks for that host's address first and keeps the pace of that address and
 * of that host, its Retry-After included: a robots.txt elsewhere is neither requested
 * too fast nor skipped. A host that is dead, a URL that the user excluded and a port of
 * another service are not asked; but a host outside the scope is (RFC 9309 2.3.1.2:
 * redirects are followed across hosts).
 *
 * Many hosts may redirect to one, which must not starve: if the redirect leads to its
 * own /robots.txt and its rules are known and current, they are copied. Otherwise, while
 * it has pages to give, at most every second request to it is made for another host.
 *
 * Limit: a host has one robots.txt, read by the scheme of its first URL; RFC
 * 9309 would allow http and https to differ. SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/port.h"
#include "frontier/scope.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"

#define BUSY_WAIT (100 * US_PER_MS) /* until a busy host is tried again */

/* ---- asking -------------------------------------------------------------- */

struct door *service_robots_door(struct host *h, bool tls, bool *ret_tls)
{
    *ret_tls = h->errand ? h->errand->tls : tls;
    if (h->errand && !str_eq(h->errand->name, h->name))
        return &h->errand->door;
    return &h->door[*ret_tls];
}

/* Makes a request about the host, or about the place where its robots.txt has moved. */
static struct request *service_request(struct frontier *f, struct host *h, enum request_kind kind,
                                       bool elsewhere, bool tls)
{
    struct str host = host_only(h);
    uint16_t port = host_port(h, tls), unused;
    struct request *r;

    buf_clear(&f->href);
    if (elsewhere) {
        host = str_sub(h->errand->name, 0, host_name_split(h->errand->name, &unused));
        port = h->errand->port;
        buf_add_z(&f->href, h->errand->href);
    } else {
        buf_add_z(&f->href, tls ? "https://" : "http://");
        buf_add_str(&f->href, h->name);
        buf_add_z(&f->href, "/robots.txt");
    }
    r = request_new(kind, buf_str(&f->href), host, STR(""), STR(""));
    r->host_id = h->id;
    r->tls = tls;
    r->port = port;
    r->attempt = h->failures;
    f->services++;
    return r;
}

struct request *service_resolve(struct frontier *f, struct host *h, struct door *door, bool tls)
{
    h->asked = door;
    return service_request(f, h, REQUEST_RESOLVE, h->errand && door == &h->errand->door, tls);
}

/* Returns the host that is asked for robots.txt of `h`. */
static struct host *robots_host(const struct frontier *f, struct host *h)
{
    return h->errand ? hosts_at(&f->hosts, h->errand->host) : h;
}

/* Was the last request to the host made for another host, while it has one of its own to make (a
 * visit, or a wish that will be granted)? Never while its own robots.txt is requested elsewhere,
 * because two hosts could wait for each other. */
static bool is_own_turn(const struct frontier *f, const struct host *h)
{
    bool wishes = h->wish.url && (float)h->wish.score >= f->bound;

    return h->lent && (h->queue.count || wishes) && !h->dead && !h->robots_asked &&
           (h->errand == NULL || h->errand->host == h->id);
}

int64_t service_robots_at(const struct frontier *f, const struct host *h, int64_t now)
{
    const struct host *there = h->errand ? hosts_at(&f->hosts, h->errand->host) : h;
    int64_t at = h->next_at > there->next_at ? h->next_at : there->next_at;

    if (there != h && (there->in_flight >= host_most(f, there) || is_own_turn(f, there)) &&
        at < now + BUSY_WAIT)
        at = now + BUSY_WAIT;
    return at;
}

struct request *service_robots(struct frontier *f, struct host *h, const struct door *door,
                               bool tls, int64_t now)
{
    struct request *r = service_request(f, h, REQUEST_ROBOTS, h->errand != NULL, tls);
    struct host *there = robots_host(f, h);

    there->lent = there != h;
    if (there != h) {
        host_busy(f, there, now);
        host_place(f, there, now);
    }
    r->hop = h->errand ? h->errand->hops : 0;
    r->address = *workbench_address(&f->bench, door->group);
    r->connect_port = door->connect_port;
    h->robots_asked = true;
    return r;
}

/* ---- robots.txt cannot be had --------------------------------------------- */

static void robots_failed(struct frontier *f, struct host *h, enum drop why, int64_t after,
                          int64_t now)
{
    uint32_t most = LIMIT_HOST_FAILURES;
    int64_t wait;

    host_errand_free(h);
    if (h->robots_until != 0 && !h->robots_gone) { /* an older copy is better than none */
        h->robots_until = now + LIMIT_ROBOTS_STALE * US_PER_S;
        return;
    }
    /* A host that never answered gets no more tries than a page would. */
    if (why == DROP_HOST_DEAD && f->config.retries + 1 < most)
        most = f->config.retries + 1;
    wait = reply_backoff(f, ++h->failures);
    if (h->failures >= most)
        host_die(f, h, why);
    if (now + wait > h->next_at)
        h->next_at = now + wait;
    if (now + after > h->next_at)
        h->next_at = now + after;
    host_changed(f, h);
}

/* ---- an address came ----------------------------------------------------- */

static void resolve_failed(struct frontier *f, struct host *h, bool elsewhere,
                           enum fetch_error error, int64_t now)
{
    if (elsewhere) {
        robots_failed(f, h, DROP_ROBOTS, 0, now);
    } else if (error == FETCH_REFUSED) {
        host_die(f, h, DROP_ADDRESS);
    } else if (++h->lost >= LIMIT_RESOLVE_TRIES) {
        host_die(f, h, DROP_HOST_DEAD);
    } else if (now + reply_backoff(f, h->lost) > h->next_at) {
        h->next_at = now + reply_backoff(f, h->lost);
    }
}

void service_resolved(struct frontier *f, struct arrival *a, int64_t now)
{
    struct host *h = hosts_at(&f->hosts, a->request->host_id);
    struct door *door = h->asked;
    bool elsewhere = h->errand != NULL && door == &h->errand->door;

    f->services--;
    h->asked = NULL;
    if (door == NULL || a->reply.error == FETCH_CANCELLED) {
        host_place(f, h, now);
        return;
    }
    if (a->reply.error != FETCH_OK || a->reply.peer.family == 0) {
        resolve_failed(f, h, elsewhere, a->reply.error, now);
    } else {
        door->group = workbench_group(&f->bench, &a->reply.peer);
        door->connect_port = a->reply.connect_port ? a->reply.connect_port : a->request->port;
        h->lost = 0;
    }
    host_place(f, h, now);
}

/* ---- robots.txt came ----------------------------------------------------- */

void service_sitemap_add(struct frontier *f, uint32_t host, struct str url)
{
    struct sitemap_line *to;

    if (f->sitemaps.count >= LIMIT_SITEMAPS || url.len > LIMIT_URL)
        return;
    to = RING_ADD(&f->sitemaps, struct sitemap_line);
    to->host = host;
    buf_init(&to->url, LIMIT_URL);
    buf_add_str(&to->url, url);
}

bool frontier_sitemap(struct frontier *f, struct buf *ret_url, uint32_t *ret_host)
{
    struct sitemap_line *first;

    if (f->sitemaps.count == 0)
        return false;
    first = RING_TAKE(&f->sitemaps, struct sitemap_line);
    buf_clear(ret_url);
    *ret_host = first->host;
    buf_add_str(ret_url, buf_str(&first->url));
    buf_free(&first->url);
    return true;
}

/* Takes the rules. */
static void robots_read(struct frontier *f, struct host *h, struct robots *rules, int64_t now)
{
    bool first = !h->robots_known;
    int64_t delay;

    host_errand_free(h);
    rules_set(f, h, rules);
    h->robots_known = true;
    h->robots_until = now + LIMIT_ROBOTS_AGE * US_PER_S;
    h->failures = 0;
    delay = robots_delay(h->robots);
    h->crawl_delay = delay > 0 ? delay : 0;
    if (h->last_start + h->crawl_delay > h->next_at)
        h->next_at = h->last_start + h->crawl_delay;
    for (unsigned i = 0; first && i < robots_sitemap_count(h->robots); i++)
        service_sitemap_add(f, h->id, robots_sitemap(h->robots, i));
    host_changed(f, h);
}

/* Copies the rules of the host that a redirect leads to, if it leads to the robots.txt of that
 * host and they are current. The scheme makes no difference: a host has one robots.txt. */
static bool robots_borrow(struct frontier *f, struct host *h, int64_t now)
{
    const struct host *there = robots_host(f, h);
    int64_t until = there->robots_until;
    struct str name;

    if (there == h || there->robots == NULL || now >= until)
        return false;
    name = h->errand->name; /* its path follows, and ends the text */
    if (!str_eq(str_of(name.ptr + name.len), STR("/robots.txt")))
        return false;
    h->robots_known = true; /* its sitemaps were taken */
    robots_read(f, h, robots_restore(robots_saved(there->robots)), now);
    h->robots_until = until; /* a copy is as old as the original */
    return true;
}

bool service_robots_may(struct frontier *f, struct host *h, int64_t now)
{
    const struct host *there = robots_host(f, h);

    if (there != h && there->dead) {
        robots_failed(f, h, DROP_ROBOTS, 0, now);
        return false;
    }
    if (robots_borrow(f, h, now))
        return false;
    return there == h || service_robots_at(f, h, now) <= now;
}

/* Returns the host that a redirect of robots.txt leads to; NULL if it may not be requested. */
static struct host *robots_place(struct frontier *f, struct str href)
{
    struct str scheme, name, path;
    struct host *there;
    uint16_t port, unused;

    url_split(href, &scheme, &name, &port, &path);
    if (name.len > LIMIT_HOST || port_refuses(port) != NULL)
        return NULL;
    if (f->config.scope != NULL &&
        scope_excludes(f->config.scope, href, str_sub(name, 0, host_name_split(name, &unused))))
        return NULL;
    there = hosts_get(&f->hosts, name);
    return there->dead ? NULL : there;
}

/* Follows a redirect of robots.txt; returns false if it leads nowhere. */
static bool robots_moved(struct frontier *f, struct host *h, const struct arrival *a)
{
    struct errand *e = NULL;
    struct str scheme, path, href = {0};
    struct host *there = NULL;
    struct url base, to;
    struct arena memory;
    uint8_t hops = h->errand ? h->errand->hops : 0;

    arena_init(&memory, KIB(256));
    if (hops < LIMIT_ROBOTS_HOPS && url_parse(a->request->href, NULL, &memory, &base) == ST_OK &&
        url_parse(a->reply.location, &base, &memory, &to) == ST_OK)
        href = url_norm(&to, &memory);
    host_errand_free(h);
    if (href.len != 0)
        there = robots_place(f, href);
    if (there != NULL) {
        e = MEM_NEW(struct errand);
        e->host = there->id;
        e->href = str_dup(href);
        url_split((struct str){e->href, href.len}, &scheme, &e->name, &e->port, &path);
        e->tls = scheme.len == 5;
        e->hops = (uint8_t)(hops + 1);
        e->door = there->door[e->tls]; /* none if it was never looked up */
        if (!f->config.resolve)
            e->door = (struct door){h->own_group, e->port};
        h->errand = e;
    }
    arena_free(&memory);
    return e != NULL;
}

/* Returns the rules that digestion made of the file; in a simulated web, which has no digestion,
 * they are parsed here. NULL if the file cannot be read. */
static struct robots *robots_made(const struct frontier *f, const struct arrival *a)
{
    struct str encoding = a->reply.content_encoding;

    if (a->rules.ptr != NULL)
        return robots_restore(a->rules);
    if (encoding.len && !str_eq_i(encoding, STR("identity")))
        return NULL;
    return robots_parse(buf_str(&a->reply.body), f->config.token);
}

/* No answer came. */
static void robots_missed(struct frontier *f, struct host *h, enum fetch_error error, int64_t now)
{
    bool own = h->errand == NULL, read = h->robots_until != 0 && !h->robots_gone;

    if (error == FETCH_REFUSED && own) {
        host_die(f, h, DROP_ADDRESS);
    } else if (error == FETCH_TLS && own && !read) {
        host_die(f, h, DROP_HOST_DEAD); /* asking again does not help against a bad certificate */
    } else {
        if (f->config.resolve)
            h->door[0].group = h->door[1].group = 0;
        robots_failed(f, h, DROP_HOST_DEAD, 0, now);
    }
}

static void robots_judge(struct frontier *f, struct host *h, const struct arrival *a, int64_t now)
{
    const struct reply *r = &a->reply;
    int status = r->status;
    struct robots *rules;

    if (r->error != FETCH_OK) {
        robots_missed(f, h, r->error, now);
    } else if (status >= 200 && status < 300 && (rules = robots_made(f, a)) != NULL) {
        robots_read(f, h, rules, now);
    } else if (reply_is_redirect(r) && robots_moved(f, h, a)) {
        (void)robots_borrow(f, h, now); /* otherwise it is requested there next */
    } else if (status >= 400 && status < 500 && status != 429) {
        robots_read(f, h, robots_parse(STR(""), f->config.token), now);
    } else {
        robots_failed(f, h, DROP_ROBOTS, reply_retry_after(r, now), now);
    }
}

/* Finds the host by its URL: the errand may be over, if the host has died meanwhile. */
static struct host *asked_host(struct frontier *f, const struct request *r)
{
    struct str scheme, name, path;
    uint16_t port;

    url_split(r->href, &scheme, &name, &port, &path);
    return hosts_get(&f->hosts, name);
}

void service_robots_came(struct frontier *f, struct arrival *a, int64_t now)
{
    struct host *h = hosts_at(&f->hosts, a->request->host_id);
    struct host *there = asked_host(f, a->request);

    f->services--;
    h->robots_asked = false;
    reply_finish(f, h, there, a, now);
    host_wait(there, now + reply_retry_after(&a->reply, now));
    if (a->reply.error != FETCH_CANCELLED && !h->dead)
        robots_judge(f, h, a, now);
    if (there != h) {
        host_changed(f, there); /* its next time is saved */
        host_place(f, there, now);
    }
    host_place(f, h, now);
}
