/* save.c - checkpoint and restore.
 *
 * URLs with their states are rows of the database and are restored by
 * frontier_restore_url(); the state of each host is a small blob of its own,
 * written when it changes; frontier_save() writes the rest, which is small: the
 * open visits, oldest first, and the sitemaps not yet taken. Numbers are
 * little-endian, each blob begins with a version.
 *
 * Invalid bytes in a blob only lead to ST_CORRUPT. The frontier is then half
 * filled, and can only be freed.
 * SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "frontier/traps.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"

#include <math.h>

#define STATE_VERSION 1
#define HOST_VERSION  2        /* version 1 had no earned relevance */
#define HOLES_MAX     1000000u /* numbers skipped between two URLs */

/* ---- hosts --------------------------------------------------------------- */

/* dead, failures, pages, Crawl-delay, next time, robots.txt: until when, then
 * its parsed form, empty where nothing is forbidden; and the relevance earned. */
static void host_encode(const struct host *h, struct buf *out)
{
    struct str rules = h->robots ? robots_saved(h->robots) : STR("");
    bool kept = rules.len <= LIMIT_ROBOTS_SAVED && !h->robots_gone;

    buf_put_u8(out, HOST_VERSION);
    buf_put_u8(out, h->dead);
    buf_put_u8(out, h->failures);
    buf_put_u32(out, h->pages);
    buf_put_u64(out, (uint64_t)h->crawl_delay);
    buf_put_u64(out, (uint64_t)h->next_at);
    buf_put_u64(out, kept ? (uint64_t)h->robots_until : 0);
    buf_put_str(out, kept ? rules : STR(""));
    buf_put_f64(out, h->earned);
}

void frontier_changed_hosts(struct frontier *f, frontier_host_fn *fn, void *ctx)
{
    struct buf state = BUF_INIT(2 * LIMIT_ROBOTS_SAVED);

    for (size_t i = 0; i < f->changed.count; i++) {
        struct host *h = hosts_at(&f->hosts, f->changed.items[i]);

        buf_clear(&state);
        host_encode(h, &state);
        h->changed = false;
        fn(ctx, h->id, h->name, buf_str(&state));
    }
    f->changed.count = 0;
    buf_free(&state);
}

/* Limits a number from a blob to [0, most]. */
static int64_t bounded(uint64_t value, int64_t most)
{
    return most < 0 ? 0 : value < (uint64_t)most ? (int64_t)value : most;
}

static enum status host_corrupt(struct str name)
{
    return status_fail(ST_CORRUPT, "the saved standing of host %.*s cannot be read",
                       (int)(name.len < 200 ? name.len : 200), name.ptr ? name.ptr : "");
}

static void host_restore_robots(struct frontier *f, struct host *h, uint64_t until,
                                struct str rules, int64_t now)
{
    int64_t read_until = bounded(until, now + LIMIT_ROBOTS_AGE * US_PER_S);
    struct robots *kept = NULL;

    rules_set(f, h, NULL);
    h->robots_until = 0;
    if (!f->config.robots || read_until <= now)
        return;
    if (rules.len != 0 && (kept = robots_restore(rules)) == NULL)
        return; /* read it again */
    rules_set(f, h, kept);
    h->robots_until = read_until;
    h->robots_known = true;
}

enum status frontier_restore_host(struct frontier *f, uint32_t id, struct str name,
                                  struct str state, int64_t now)
{
    struct cursor c = {.rest = state};
    uint8_t version = cursor_u8(&c), dead = cursor_u8(&c), failures = cursor_u8(&c);
    uint32_t pages = cursor_u32(&c);
    int64_t delay = bounded(cursor_u64(&c), LIMIT_CRAWL_DELAY * US_PER_S), gap;
    int64_t next = bounded(cursor_u64(&c), now + LIMIT_RETRY_AFTER * US_PER_S);
    uint64_t until = cursor_u64(&c);
    struct str rules = cursor_str(&c);
    double earned = version > 1 ? cursor_f64(&c) : 0;
    struct host *h;

    if (c.bad || version == 0 || version > HOST_VERSION || dead >= DROP_COUNT || name.len == 0 ||
        name.len > LIMIT_URL)
        return host_corrupt(name);
    h = hosts_get(&f->hosts, name);
    f->quiet_until = now + f->config.delay;
    f->hosts_dead += (dead != 0) - (h->dead != 0);
    h->dead = dead;
    h->failures = dead ? failures : 0; /* a new run gives it a new chance */
    f->hosts_paged += (pages != 0) - (h->pages != 0);
    h->pages = pages;
    earned = earned > 0 && earned <= (double)pages ? earned : 0;
    host_domain(&f->hosts, h)->earned += (float)(earned - h->earned);
    h->earned = earned;
    h->crawl_delay = delay;
    gap = delay > host_delay(f, h) ? delay : host_delay(f, h);
    h->next_at = next > now + gap ? next : now + gap;
    host_restore_robots(f, h, until, rules, now);
    if (h->id != id)
        host_changed(f, h); /* to be saved under another number */
    return ST_OK;
}

/* ---- URLs ---------------------------------------------------------------- */

/* Takes apart a URL from a checkpoint. Returns false if it is not valid. */
static bool url_is_sound(const struct frontier *f, struct str href, uint32_t id,
                         const struct url_view *v, struct str *ret_host, struct str *ret_path)
{
    struct str scheme;
    uint16_t port;

    if (id <= f->urls.count || id - f->urls.count > HOLES_MAX)
        return false;
    if (v->state > URL_GONE || v->drop >= DROP_COUNT || href.len > LIMIT_URL)
        return false;
    if (!str_starts(href, STR("http://")) && !str_starts(href, STR("https://")))
        return false;
    url_split(href, &scheme, ret_host, &port, ret_path);
    return ret_host->len != 0 && ret_path->len != 0 && ret_path->ptr[0] == '/';
}

/* Reasons against a link and not against its URL are not restored: nofollow, and that only
 * duplicates named it so far. */
static enum drop drop_restored(const struct frontier *f, const struct url_view *v, struct str path)
{
    if (v->state != URL_KNOWN || (v->drop != DROP_TRAP && v->drop != DROP_NOFOLLOW))
        return v->drop;
    return v->drop == DROP_TRAP && trap_looks_endless(path, f->year) ? DROP_TRAP : DROP_NONE;
}

/* Puts the URL into the table, with its path if it may still be requested; 0 if there is no room. A
 * row may call it another node's although its host has come to us since. */
static uint32_t url_put_back(struct frontier *f, uint64_t key, const struct url_view *v,
                             enum drop why, struct str name, struct str path)
{
    uint32_t host = page_host(f, v->from_page), id;
    bool bare = v->state == URL_KNOWN && v->page == 0 && v->depth > 0 && why != DROP_NONE &&
                why != DROP_FOREIGN;
    bool new_host = !bare && hosts_find(&f->hosts, name) == NULL;

    if (bare)
        id = urls_add_bare(&f->urls, key);
    else
        id = urls_add(&f->urls, key, hosts_get(&f->hosts, name)->id, path);
    if (host != 0)
        host_domain(&f->hosts, hosts_at(&f->hosts, host))->kept +=
            domain_cost(bare ? 0 : path.len, new_host);
    return id;
}

static void url_restore_named(struct frontier *f, uint32_t id, enum drop before)
{
    struct known *k = urls_at(&f->urls, id);

    k->named = before == DROP_TRAP ? FEED_NONE : FEED_ALL;
    if (url_is_bare(k))
        return;
    if (k->depth == 0)
        host_vouch(f, hosts_at(&f->hosts, k->host));
    if (k->drop == DROP_NONE && !variants_add(&f->variants, k->host, urls_path(&f->urls, id)))
        k->drop = k->state == URL_KNOWN ? DROP_TRAP : DROP_NONE;
}

#define SHARE_KEY 4 /* URLs, at most */

/* Are the parts those of a known URL? */
static bool url_is(const struct frontier *f, uint32_t id, struct str name, struct str path)
{
    const struct known *k = urls_at(&f->urls, id);

    return str_eq(hosts_at(&f->hosts, k->host)->name, name) &&
           str_eq(urls_path(&f->urls, id), path);
}

/* Finds a key for the URL. Earlier versions told URLs apart by 64 bits of their keys, base/keys.h by
 * 56, so two of their URLs may share a key now. Then the second one gets a key that nobody asks for,
 * and keeps its number, which pages and agents know. Returns false if the same URL is there twice, or
 * more of them share a key than can be by chance. */
static bool key_put_back(const struct frontier *f, struct str href, struct str name,
                         struct str path, uint64_t *ret)
{
    *ret = url_key(href);
    for (int i = 0; i < SHARE_KEY; i++) {
        uint32_t id = urls_find(&f->urls, *ret);

        if (id == 0)
            return true;
        if (!url_is_bare(urls_at(&f->urls, id)) && url_is(f, id, name, path))
            return false;
        *ret = hash_u64(*ret + 1);
    }
    return false;
}

enum status frontier_restore_url(struct frontier *f, struct str href, uint32_t id,
                                 const struct url_view *v)
{
    struct str name, path;
    struct known *k;
    uint64_t key;
    enum drop why;

    if (!url_is_sound(f, href, id, v, &name, &path))
        return status_fail(ST_CORRUPT, "saved URL %u makes no sense", id);
    if (!key_put_back(f, href, name, path, &key))
        return status_fail(ST_CORRUPT, "saved URL %u is there twice", id);
    urls_skip(&f->urls, id);
    why = drop_restored(f, v, path);
    if (url_put_back(f, key, v, why, name, path) == 0)
        return status_fail(ST_LIMIT, "the saved URLs do not fit into the table");
    k = urls_at(&f->urls, id);
    k->tls = str_starts(href, STR("https:"));
    k->depth = v->depth;
    urls_set_from_page(&f->urls, id, v->from_page);
    urls_set_page(&f->urls, id, v->page);
    k->told = v->state != URL_KNOWN || v->drop == DROP_NONE || v->drop == DROP_FOREIGN;
    k->drop = (uint8_t)why;
    k->state = v->state & 7u;
    if (v->state == URL_GONE && v->drop == DROP_NONE && v->page == 0)
        k->state = URL_MOVED; /* redirected; the target does not matter any more */
    url_restore_named(f, id, v->drop);
    if (v->state == URL_WAITING) /* it will, again, after frontier_restore() */
        k->state = v->page ? URL_VISITED : URL_KNOWN;
    if (k->has_page) {
        f->hosts_paged += hosts_at(&f->hosts, k->host)->pages++ == 0;
        page_on_host(f, v->page, k->host);
        missing_note(&f->missing, k->host, urls_path(&f->urls, id), true);
    }
    return ST_OK;
}

void frontier_restore_missing(struct frontier *f, uint32_t url)
{
    const struct known *k = url && url <= f->urls.count ? urls_at(&f->urls, url) : NULL;

    if (k && k->state == URL_GONE && k->drop == DROP_STATUS && !url_is_bare(k))
        missing_note(&f->missing, k->host, urls_path(&f->urls, url), false);
}

/* ---- the rest ------------------------------------------------------------ */

void frontier_save(const struct frontier *f, struct buf *out)
{
    buf_put_u8(out, STATE_VERSION);
    buf_put_u32(out, f->visits.open);
    for (uint32_t id = f->visits.first; id != 0; id = visits_at(&f->visits, id)->next) {
        const struct visit *v = visits_at(&f->visits, id);

        buf_put_u32(out, v->choice.url);
        buf_put_u32(out, v->choice.agent);
        buf_put_f64(out, (double)v->choice.score);
        buf_put_u8(out, v->choice.refresh);
        buf_put_u8(out, v->hop);
        buf_put_u8(out, v->attempt);
    }
    buf_put_u32(out, (uint32_t)f->sitemaps.count);
    for (size_t i = 0; i < f->sitemaps.count; i++)
        buf_put_str(out, buf_str(&RING_AT(&f->sitemaps, i, struct sitemap_line)->url));
}

/* An open visit waits again, even if it would be refused as a new choice: its agent waits for an
 * answer, and gets it from the next release. */
static bool visit_restore(struct frontier *f, struct cursor *c, int64_t now)
{
    uint32_t url = cursor_u32(c), agent = cursor_u32(c);
    double score = cursor_f64(c);
    bool refresh = cursor_u8(c) != 0;
    uint8_t hop = cursor_u8(c), attempt = cursor_u8(c);
    struct choice choice = {.url = url, .agent = agent, .refresh = refresh};
    struct known *k;
    struct host *h;

    if (c->bad || url == 0 || url > f->urls.count || isnan(score))
        return false;
    k = urls_at(&f->urls, url);
    if (k->state == URL_WAITING || k->state == URL_HOLE || url_is_bare(k))
        return false;
    choice.score = score > 3e38 ? 3e38f : score < -3e38 ? -3e38f : (float)score;
    h = hosts_at(&f->hosts, k->host);
    k->drop = DROP_NONE;
    visit_wait(f, h, visits_add(&f->visits, &choice, hop, attempt));
    host_place(f, h, now);
    if (host_bar(f, h) || (is_charged(k, &choice) && host_is_spent(f, h)))
        host_doom(f, h);
    return true;
}

enum status frontier_restore(struct frontier *f, struct str state, int64_t now)
{
    struct cursor c = {.rest = state};
    uint8_t version = cursor_u8(&c);
    uint32_t count = cursor_u32(&c);

    f->quiet_until = now + f->config.delay;
    for (uint32_t i = 0; i < count && !c.bad; i++)
        c.bad |= !visit_restore(f, &c, now);
    count = cursor_u32(&c);
    for (uint32_t i = 0; i < count && !c.bad; i++)
        service_sitemap_add(f, 0, cursor_str(&c));
    if (c.bad || version != STATE_VERSION)
        return status_fail(ST_CORRUPT, "the saved state of the frontier cannot be read");
    return ST_OK;
}
