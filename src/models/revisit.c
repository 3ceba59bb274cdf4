/* revisit.c - visits all pages that can be reached, repeatedly: the baseline of watching.
 *
 * In: links in document order; what visits changed. Out: a new URL while there is one
 * (as often as `share` says), else the page whose turn it is.
 *
 *   new URL --visit--> resting --`least` passed--> ready --its turn--> under way
 *                         ^                                               |
 *                         '-------------------- answered -----------------'
 *
 * It chooses late: of each host the engine knows the first in its row, or a new URL, and asks
 * when the host may be asked. With share < 1 all hosts with new URLs are reported again whenever
 * new ones come to have precedence, or lose it.
 *
 * Turns are strides: a page that was visited stands 1 / w behind where it stood, and the
 * first in the row is next, so that visits are as w: 1 for every page (round-robin), or
 * its estimated rate of change (rate). A page that comes new stands where the row begins.
 *
 * Source: Cho & Garcia-Molina: Effective page refresh policies (TODS 2003): uniform and
 * proportional allocation. SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/change_rate.h"
#include "agent/link_queue.h"
#include "agent/population.h"
#include "agent/url_index.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/ring.h"

#include <math.h>
#include <stdlib.h>

#define FAILURES 3       /* in a row: then it is not requested any more */
#define DAY      86400.0 /* s: assumed interval of changes before any visit has shown one */
#define LAST     1e18    /* after all turns */

enum revisit_policy { POLICY_ROUND_ROBIN, POLICY_RATE };

struct revisit_options {
    int policy;
    double share;
    int64_t least;
};

#define AT(field) .offset = offsetof(struct revisit_options, field)

static const struct option revisit_option_table[] = {
    {CHOICE_OPTION("policy", policy, "round-robin|rate", "round-robin"),
     .help = "round-robin: every page in its turn; rate: as often as it seems to change",
     .source = "Cho & Garcia-Molina 2003: uniform and proportional"},
    {REAL_OPTION("share", share, "X", "1", 0.01, 1),
     .help = "share of the visits that new URLs get while any wait", .source = "ours"},
    {DURATION_OPTION("least", least, "TIME", "1min", 0, 1e9),
     .help = "a page is left alone for so long after a visit", .source = "ours"},
    {.name = NULL},
};

enum place_state { PLACE_RESTING, PLACE_READY, PLACE_BUSY, PLACE_GONE };

/* A page that was visited. */
struct visited_place {
    uint32_t url, host; /* host: our number, from 0 */
    uint8_t state;
    uint8_t failures; /* consecutive ones */
    int64_t last_at;
    double turn; /* its turn in the queue */
    struct change_seen seen;
};

struct revisit {
    bool begun;              /* the queues are made */
    struct link_queue fresh; /* URLs never visited, in order of arrival */
    struct link_queue ready; /* URLs of places by their turn, negated */
    bool fresh_first;        /* the engine was told that the next visit is of a new URL */
    struct ring resting;     /* places by number, by the time of their last visit */
    struct visited_place *places;
    size_t nplaces, places_cap;
    struct url_index at;       /* URL -> place, counted from 1 */
    struct map by_host;        /* hash of a host -> host */
    struct change_seen *hosts; /* the changes seen on their pages */
    size_t nhosts, hosts_cap;
    size_t open; /* choices not answered */
    struct change_seen all;
    double turn; /* of the last visit: new places begin there */
    double owed; /* visits that are still due to new URLs */
    uint32_t agent;
};

static struct revisit *revisit_of(struct model *m)
{
    struct revisit *v = m->state;

    if (!v->begun) {
        link_queue_init(&v->fresh, m->ctx, 0, PARENTS_FIRST);
        link_queue_init(&v->ready, m->ctx, 0, PARENTS_FIRST);
        v->begun = true;
    }
    return v;
}

/* ---- places -------------------------------------------------------------- */

static struct visited_place *place_of(const struct revisit *v, uint32_t url)
{
    uint32_t at = url_index_get(&v->at, url);

    return at ? &v->places[at - 1] : NULL;
}

static struct visited_place *place_add(struct revisit *v, uint32_t url, uint32_t host)
{
    MEM_GROW(v->places, v->nplaces, &v->places_cap);
    v->places[v->nplaces] =
        (struct visited_place){.url = url, .host = host, .state = PLACE_GONE, .turn = v->turn};
    url_index_set(&v->at, url, (uint32_t)v->nplaces + 1);
    return &v->places[v->nplaces++];
}

/* "http://host/path" -> the number of host. */
static uint32_t host_of(struct revisit *v, struct str url)
{
    size_t from = str_find(url, STR("://"), 0), to;
    uint64_t key;
    uint32_t host;

    from = from == SIZE_MAX ? 0 : from + 3;
    to = str_find_char(url, '/', from);
    key = hash_str(str_sub(url, from, to == SIZE_MAX ? url.len : to));
    host = map_get(&v->by_host, key);
    if (host == MAP_NONE) {
        host = (uint32_t)v->nhosts;
        MEM_GROW(v->hosts, v->nhosts, &v->hosts_cap);
        v->hosts[v->nhosts++] = (struct change_seen){0};
        map_set(&v->by_host, key, host);
    }
    return host;
}

static double place_rate(const struct revisit *v, const struct visited_place *p)
{
    double all = change_rate_near(&v->all, 1 / DAY);

    return change_rate_near(&p->seen, change_rate_near(&v->hosts[p->host], all));
}

static void place_rest(struct model *m, struct visited_place *p)
{
    const struct revisit_options *o = m->options;
    struct revisit *v = revisit_of(m);
    double stride = o->policy == POLICY_RATE ? 1 / place_rate(v, p) : 1;

    if (p->turn < v->turn)
        p->turn = v->turn;
    p->turn += stride;
    p->last_at = m->ctx->now;
    p->state = PLACE_RESTING;
    *RING_ADD(&v->resting, uint32_t) = (uint32_t)(p - v->places);
}

static void place_ready(struct revisit *v, struct visited_place *p)
{
    p->state = link_queue_set(&v->ready, p->url, -p->turn, true) ? PLACE_GONE : PLACE_READY;
}

/* Makes places ready that have rested long enough. */
static void places_wake(struct model *m)
{
    const struct revisit_options *o = m->options;
    struct revisit *v = revisit_of(m);

    while (v->resting.count) {
        struct visited_place *p = &v->places[*RING_AT(&v->resting, 0, uint32_t)];

        if (p->last_at + o->least > m->ctx->now) {
            m->ctx->wake = p->last_at + o->least;
            return;
        }
        (void)RING_TAKE(&v->resting, uint32_t);
        place_ready(v, p);
    }
}

/* ---- the model ----------------------------------------------------------- */

static void add_fresh(struct revisit *v, uint32_t url)
{
    if (place_of(v, url) == NULL)
        (void)link_queue_add(&v->fresh, url, 0);
}

static void revisit_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct revisit *v = revisit_of(m);

    if (v->agent == 0)
        v->agent = agent_born(m->ctx->population, m->ctx->now, 0, "revisit", 0, 0);
    for (size_t i = 0; i < count; i++)
        add_fresh(v, urls[i]);
}

static void wish(struct model *m, uint32_t host)
{
    struct revisit *v = m->state;
    struct heap_item url = link_queue_best(&v->fresh, host);
    struct heap_item place = link_queue_best(&v->ready, host);
    struct wish w = {0};

    if (url.id && (v->fresh_first || place.id == 0))
        w = (struct wish){url.id, v->fresh_first ? 1 : -LAST, url.seq};
    else if (place.id)
        w = (struct wish){place.id, -place.key, place.seq};
    m->ctx->late->wish(m->ctx->engine, host, &w);
}

static void revisit_wishes(struct model *m)
{
    const struct revisit_options *o = m->options;
    struct revisit *v = revisit_of(m);
    bool before = v->fresh_first;
    uint32_t host;

    places_wake(m);
    v->fresh_first = v->fresh.count && v->owed + o->share >= 1;
    if (v->fresh_first != before && o->share < 1)
        for (host = 0; host < v->fresh.nhosts; host++)
            if (link_queue_best(&v->fresh, host).id)
                wish(m, host);
    while (link_queue_changed(&v->fresh, &host) || link_queue_changed(&v->ready, &host))
        wish(m, host);
}

static float revisit_bound(const struct model *m, uint64_t left, double patience)
{
    (void)m, (void)left, (void)patience;
    return -INFINITY;
}

/* New URLs have a share of the visits; if a host has none, another host gets the share later. */
static bool revisit_next(struct model *m, uint32_t host, struct choice *ret)
{
    const struct revisit_options *o = m->options;
    struct revisit *v = revisit_of(m);
    bool is_known = link_queue_best(&v->ready, host).id != 0;
    bool is_fresh = link_queue_best(&v->fresh, host).id != 0;
    double score;

    v->owed = v->fresh.count ? fmin(v->owed, 1) + o->share : v->owed;
    is_fresh = is_fresh && (v->owed >= 1 || !is_known);
    *ret = (struct choice){.agent = v->agent, .refresh = !is_fresh};
    if (!link_queue_take(is_fresh ? &v->fresh : &v->ready, host, &ret->url, &score))
        return false;
    v->open++;
    if (is_fresh) {
        v->owed = v->owed > 1 ? v->owed - 1 : 0;
    } else {
        place_of(v, ret->url)->state = PLACE_BUSY;
        v->turn = -score;
    }
    return true;
}

static void note(struct revisit *v, struct visited_place *p, int64_t now, bool changed)
{
    double seconds = (double)(now - p->last_at) / 1e6;

    change_note(&p->seen, seconds, changed);
    change_note(&v->hosts[p->host], seconds, changed);
    change_note(&v->all, seconds, changed);
    p->failures = 0;
}

/* Where the visit ended: on the chosen page, or on the target of a redirect. */
static void settle(struct model *m, const struct percept *p, bool news)
{
    struct revisit *v = m->state;
    struct visited_place *at = place_of(v, p->choice.url);

    if (at == NULL)
        at = place_add(v, p->choice.url, host_of(v, p->body->base));
    if (at->state == PLACE_BUSY)
        note(v, at, m->ctx->now, p->page ? p->change == CHANGE_TEXT : news);
    if (at->state == PLACE_BUSY || at->state == PLACE_GONE)
        place_rest(m, at);
}

static void revisit_perceive(struct model *m, struct percept *p)
{
    struct revisit *v = m->state;
    bool news = false;

    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        const struct link_mark *mark = &p->marks[i];

        if (mark->drop != DROP_NONE || mark->taken)
            continue;
        news |= mark->is_new;
        add_fresh(v, mark->url);
    }
    if (p->choice.url) {
        v->open -= v->open > 0;
        settle(m, p, news);
    }
    if (p->page)
        agent_visited(m->ctx->population, m->ctx->now, v->agent, p->page, p->first, 0);
}

/* The page existed before, so it may come back. */
static void revisit_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct revisit *v = m->state;
    struct visited_place *p = place_of(v, c->url);

    (void)why;
    v->open -= v->open > 0;
    if (p == NULL || p->state != PLACE_BUSY)
        return;
    if (++p->failures < FAILURES)
        place_rest(m, p);
    else
        p->state = PLACE_GONE;
}

/* ---- checkpoints --------------------------------------------------------- */

static const struct field revisit_fields[] = {
    FIELD(U32, struct revisit, agent),
    FIELD(F64, struct revisit, turn),
    FIELD(F64, struct revisit, owed),
    FIELD(U64, struct revisit, open),
    FIELD_OF_PART(struct revisit, all, change_fields),
    FIELD_END,
};

static const struct field place_fields[] = {
    FIELD(U8, struct visited_place, state),
    FIELD(U8, struct visited_place, failures),
    FIELD(U64, struct visited_place, last_at),
    FIELD(F64, struct visited_place, turn),
    FIELD_OF_PART(struct visited_place, seen, change_fields),
    FIELD_END,
};

static void ring_save(const struct ring *r, struct buf *out)
{
    buf_put_u32(out, (uint32_t)r->count);
    for (size_t i = 0; i < r->count; i++)
        buf_put_u32(out, *RING_AT(r, i, uint32_t));
}

static void save_host(void *out, uint64_t key, uint32_t value)
{
    buf_put_u64(out, key);
    buf_put_u32(out, value);
}

static void revisit_save(const struct model *m, struct buf *out)
{
    const struct revisit *v = m->state;

    fields_save(revisit_fields, v, out);
    link_queue_save(&v->fresh, out);
    buf_put_u32(out, (uint32_t)v->nhosts);
    for (size_t i = 0; i < v->nhosts; i++)
        fields_save(change_fields, &v->hosts[i], out);
    map_each(&v->by_host, save_host, out);
    buf_put_u32(out, (uint32_t)v->nplaces);
    for (size_t i = 0; i < v->nplaces; i++) {
        buf_put_u32(out, v->places[i].url);
        buf_put_u32(out, v->places[i].host);
        fields_save(place_fields, &v->places[i], out);
    }
    ring_save(&v->resting, out);
    link_queue_save(&v->ready, out);
}

static void place_load(struct revisit *v, struct cursor *c)
{
    uint32_t url = cursor_number(c), host = cursor_u32(c);
    struct visited_place *p;

    if (c->bad || place_of(v, url) || host >= v->nhosts) {
        c->bad = true;
        return;
    }
    p = place_add(v, url, host);
    fields_load(place_fields, p, c);
}

static void hosts_load(struct revisit *v, struct cursor *c)
{
    uint32_t n = cursor_u32(c);

    for (uint32_t i = 0; i < n && !c->bad; i++) {
        MEM_GROW(v->hosts, v->nhosts, &v->hosts_cap);
        v->hosts[v->nhosts] = (struct change_seen){0};
        fields_load(change_fields, &v->hosts[v->nhosts++], c);
    }
    for (uint32_t i = 0; i < n && !c->bad; i++) {
        uint64_t key = cursor_u64(c);

        map_set(&v->by_host, key, cursor_u32(c));
    }
}

/* Loads the state of versions that chose ahead: a list of URLs. */
static void fresh_load_older(struct revisit *v, struct cursor *c)
{
    for (uint32_t n = cursor_u32(c); n > 0 && !c->bad; n--) {
        uint32_t url = cursor_number(c);

        if (!c->bad)
            (void)link_queue_add(&v->fresh, url, 0);
    }
}

static enum status revisit_load(struct model *m, struct str state)
{
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    struct revisit *v = revisit_of(m);
    enum status st = ST_OK;
    bool is_new;
    uint32_t n;

    fields_load(revisit_fields, v, &c);
    is_new = link_queue_is_next(c);
    if (is_new)
        st = link_queue_load(&v->fresh, &c);
    else
        fresh_load_older(v, &c);
    hosts_load(v, &c);
    n = cursor_u32(&c);
    for (uint32_t i = 0; i < n && !c.bad; i++)
        place_load(v, &c);
    n = cursor_u32(&c);
    for (uint32_t i = 0; i < n && !c.bad; i++) {
        uint32_t place = cursor_u32(&c);

        c.bad |= place >= v->nplaces;
        if (!c.bad)
            *RING_ADD(&v->resting, uint32_t) = place;
    }
    if (st == ST_OK && is_new && !c.bad)
        st = link_queue_load(&v->ready, &c);
    for (size_t i = 0; i < v->nplaces && !is_new; i++)
        if (v->places[i].state == PLACE_READY)
            place_ready(v, &v->places[i]);
    if (st != ST_OK)
        return st;
    return c.bad ? status_fail(ST_CORRUPT, "the saved pages to visit again are cut") : ST_OK;
}

static void revisit_describe(const struct model *m, struct json *j)
{
    const struct revisit *v = m->state;

    json_put_int(j, "queue", (int64_t)v->fresh.count);
    json_put_int(j, "watched", (int64_t)v->nplaces);
    json_put_int(j, "ready", (int64_t)v->ready.count);
    json_put_int(j, "visits_again", (int64_t)v->all.visits);
    json_put_int(j, "changes", (int64_t)v->all.changes);
}

static void revisit_finish(struct model *m)
{
    struct revisit *v = m->state;

    link_queue_clear(&v->fresh);
    link_queue_clear(&v->ready);
    ring_free(&v->resting);
    free(v->places);
    free(v->hosts);
    url_index_clear(&v->at);
    map_free(&v->by_host);
}

const struct model_ops model_revisit = {
    .name = "revisit",
    .summary = "all pages it can reach, then again and again; blind to the topic",
    .advice = "For `brood watch`: to look at all pages of a site again and again.",
    .common = "policy share least",
    .source = "Cho & Garcia-Molina: Effective page refresh policies (TODS 2003)",
    .options = revisit_option_table,
    .options_size = sizeof(struct revisit_options),
    .state_size = sizeof(struct revisit),
    .start = revisit_start,
    .late = &(const struct model_late){revisit_wishes, revisit_bound},
    .next = revisit_next,
    .perceive = revisit_perceive,
    .failed = revisit_failed,
    .save = revisit_save,
    .load = revisit_load,
    .describe = revisit_describe,
    .finish = revisit_finish,
    .returns = &(const struct model_returns){.watches = true},
};
