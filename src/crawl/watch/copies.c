/* copies.c - how old and how fresh the kept copies are. See copies.h.
 *
 * Sums are updated with each look; only freshness is computed over all copies, and only when it is
 * asked for. Workload: some looks a second, a question a minute, up to millions of copies.
 * SPDX-License-Identifier: MIT */
#include "crawl/watch/copies.h"

#include "agent/change_rate.h"
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "store/read/query.h"

#include <math.h>
#include <stdlib.h>

#define DAY 86400.0 /* s in which one change is expected a priori */

/* The observations of all pages of a host, or of all hosts. */
struct copies_seen {
    double time;    /* s between first and last looks */
    double changes; /* estimated, in it */
};

struct copy {
    uint32_t host;
    bool gone;
    int64_t last_at;
    struct change_seen seen;
    double changes; /* estimated, in the time seen */
};

struct copies {
    struct copy *all;
    size_t count, cap;
    struct map by_url;  /* hash of the URL's number -> copy */
    struct map by_host; /* hash of the name -> host */
    struct copies_seen *hosts;
    size_t nhosts, hosts_cap;
    struct copies_seen crowd;
    uint64_t present;  /* copies that are not gone */
    int64_t first_at;  /* of all looks */
    int64_t looked_at; /* sum of moment_of(last_at) over those present */
    uint64_t looks, changes;
};

struct copies *copies_new(void)
{
    struct copies *c = MEM_NEW(struct copies);

    map_init(&c->by_url);
    map_init(&c->by_host);
    return c;
}

void copies_free(struct copies *c)
{
    if (c == NULL)
        return;
    map_free(&c->by_url);
    map_free(&c->by_host);
    free(c->hosts);
    free(c->all);
    free(c);
}

/* ---- looks ---------------------------------------------------------------- */

static struct copy *copy_of(const struct copies *c, uint32_t url)
{
    uint32_t at = map_get(&c->by_url, hash_u64(url));

    return at == MAP_NONE ? NULL : &c->all[at];
}

int64_t copies_looked_at(const struct copies *c, uint32_t url)
{
    const struct copy *one = copy_of(c, url);

    return one && !one->gone ? one->last_at : 0;
}

static uint32_t host_number(struct copies *c, struct str host)
{
    bool fresh;
    uint32_t *at = map_at(&c->by_host, hash_str(host), (uint32_t)c->nhosts, &fresh);

    if (fresh) {
        MEM_GROW(c->hosts, c->nhosts, &c->hosts_cap);
        c->hosts[c->nhosts++] = (struct copies_seen){0};
    }
    return *at;
}

static void crowd_add(struct copies_seen *c, double seconds, double changes)
{
    c->time += seconds;
    c->changes += changes;
}

/* An interval between two looks ended. */
static void note(struct copies *c, struct copy *one, double seconds, bool changed)
{
    double before = one->changes;

    if (!(seconds > 0))
        return;
    change_note(&one->seen, seconds, changed);
    one->changes = change_rate(&one->seen) * (one->seen.changed + one->seen.unchanged);
    crowd_add(&c->hosts[one->host], seconds, one->changes - before);
    crowd_add(&c->crowd, seconds, one->changes - before);
}

/* ms since the first look: the sum over a million copies is exact, and fits for millennia. */
static int64_t moment_of(const struct copies *c, int64_t at)
{
    return (at - c->first_at) / US_PER_MS;
}

static void set_gone(struct copies *c, struct copy *one, bool gone)
{
    int64_t part = moment_of(c, one->last_at);

    if (one->gone == gone)
        return;
    one->gone = gone;
    c->present += gone ? -UINT64_C(1) : 1;
    c->looked_at += gone ? -part : part;
}

static struct copy *copy_add(struct copies *c, uint32_t url, struct str host, int64_t at)
{
    uint32_t number = host_number(c, host);

    MEM_GROW(c->all, c->count, &c->cap);
    c->all[c->count] = (struct copy){.host = number, .gone = true, .last_at = at};
    map_set(&c->by_url, hash_u64(url), (uint32_t)c->count);
    return &c->all[c->count++];
}

/* A look at a copy, old or new. `same`: it can be compared with the one before. */
static void look(struct copies *c, struct copy *one, int64_t at, bool same, bool changed)
{
    c->looks++;
    c->changes += changed;
    if (!one->gone && at >= one->last_at) {
        if (same || changed)
            note(c, one, (double)(at - one->last_at) / US_PER_S, changed);
        c->looked_at += moment_of(c, at) - moment_of(c, one->last_at);
        one->last_at = at;
        return;
    }
    if (one->gone)
        one->last_at = at;
    set_gone(c, one, false);
}

static void on_look(struct copies *c, const struct query_look *l)
{
    struct copy *one = copy_of(c, l->url);

    if (c->looks == 0)
        c->first_at = l->at;
    if (one == NULL && (l->kind == LOOK_NEW || l->kind == LOOK_CHANGED))
        one = copy_add(c, l->url, l->host, l->at);
    if (one == NULL)
        return; /* a sitemap, or a page that never existed */
    if (l->kind == LOOK_GONE)
        set_gone(c, one, true);
    else
        look(c, one, l->at, l->kind == LOOK_SAME, l->kind == LOOK_CHANGED);
}

/* ---- where looks come from -------------------------------------------------- */

static struct str host_of(struct str href)
{
    struct str scheme, host, path;
    uint16_t port;

    url_split(href, &scheme, &host, &port, &path);
    return host;
}

static int64_t time_of(const struct arrival *a, const struct event *e)
{
    return a && a->reply.started_at ? a->reply.started_at : e->at;
}

static void on_page(struct copies *c, const struct event *e)
{
    const struct arrival *a = e->page.arrival;

    on_look(c, &(struct query_look){.at = time_of(a, e),
                                    .url = a->request->choice.url,
                                    .host = host_of(a->request->href),
                                    .kind = e->page.hidden       ? LOOK_GONE
                                            : e->page.version_of ? LOOK_CHANGED
                                                                 : LOOK_NEW});
}

static void on_outcome(struct copies *c, const struct event *e)
{
    const struct arrival *a = e->outcome.arrival;
    int status = a ? a->reply.status : 0;
    bool gone = e->outcome.redirect_to || status == 404 || status == 410;

    if (!e->outcome.is_final || (e->outcome.why != DROP_NONE && !gone))
        return;
    on_look(c, &(struct query_look){.at = time_of(a, e),
                                    .url = e->outcome.url,
                                    .kind = gone ? LOOK_GONE : LOOK_SAME});
}

void copies_listen(void *copies, const struct event *e)
{
    if (e->kind == EVENT_PAGE)
        on_page(copies, e);
    else if (e->kind == EVENT_OUTCOME)
        on_outcome(copies, e);
}

static enum status recall_one(void *ctx, const struct query_look *l)
{
    on_look(ctx, l);
    return ST_OK;
}

enum status copies_recall(struct copies *c, const char *dir)
{
    LOCAL_QUERY *q = NULL;
    enum status st = query_open(dir, &q);

    return st == ST_OK ? query_looks(q, recall_one, c) : st;
}

/* ---- figures ---------------------------------------------------------------- */

/* Returns the rate from one change in the average time elsewhere, and the observations here. */
static double crowd_rate(const struct copies_seen *c, double prior)
{
    return (1 + c->changes) / (1 / prior + c->time);
}

/* Returns the probability that the copy is still the same as on the web. */
static double is_fresh(const struct copy *one, double rate, double since)
{
    double seen = 1 / rate + one->seen.changed + one->seen.unchanged;

    return since > 0 ? exp(-(1 + one->changes) * log1p(since / seen)) : 1;
}

struct copies_state copies_state(const struct copies *c, int64_t now)
{
    struct copies_state s = {c->present, c->looks, c->changes, (double)NAN, (double)NAN};
    double all = crowd_rate(&c->crowd, 1 / DAY), sum = 0, *rates;

    if (c->present == 0)
        return s;
    s.age =
        (double)(now - c->first_at) / US_PER_S - (double)c->looked_at / 1e3 / (double)c->present;
    rates = mem_alloc(c->nhosts * sizeof *rates);
    for (size_t i = 0; i < c->nhosts; i++)
        rates[i] = crowd_rate(&c->hosts[i], all);
    for (size_t i = 0; i < c->count; i++)
        if (!c->all[i].gone)
            sum += is_fresh(&c->all[i], rates[c->all[i].host],
                            (double)(now - c->all[i].last_at) / US_PER_S);
    free(rates);
    s.freshness = sum / (double)c->present;
    return s;
}
