/* revisit.c - all pages that can be reached, again and again: the baseline of watching.
 *
 * In: links in document order; what visits changed. Out: a new URL while there is one
 * (as often as `share` says), else the page whose turn it is.
 *
 *   new URL --visit--> resting --`least` passed--> ready --its turn--> under way
 *                         ^                                               |
 *                         '-------------------- answered -----------------'
 *
 * A host has at most BUSY_MOST of its pages under way: choices that wait for its delay in
 * the frontier's queue could not be taken back when others are more urgent.
 *
 * Turns are strides: a page that was visited stands 1 / w behind where it stood, and the
 * first in the row is next, so that visits are as w: 1 for every page (round-robin), or
 * its estimated rate of change (rate). A page that comes new stands where the row begins.
 *
 * Source: Cho & Garcia-Molina: Effective page refresh policies (TODS 2003): uniform and
 * proportional allocation. SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/change_rate.h"
#include "agent/look_ahead.h"
#include "agent/population.h"
#include "agent/url_index.h"
#include "agent/url_set.h"
#include "base/os/clock.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/ring.h"

#include <math.h>
#include <stdlib.h>

#define FAILURES  3       /* in a row: it is not asked for again */
#define BUSY_MOST 2       /* pages of a host under way */
#define DAY       86400.0 /* s: what changes once in it, before anything was seen */

enum policy { POLICY_ROUND_ROBIN, POLICY_RATE };

struct revisit_options {
    int policy;
    double share;
    int64_t least;
};

static const struct option revisit_option_table[] = {
    {.name = "policy",
     .type = OPTION_CHOICE,
     .fallback = "round-robin",
     .choices = "round-robin|rate",
     .help = "round-robin: every page in its turn; rate: as often as it seems to change",
     .source = "Cho & Garcia-Molina 2003: uniform and proportional",
     .offset = offsetof(struct revisit_options, policy)},
    {.name = "share",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "1",
     .min = 0.01,
     .max = 1,
     .help = "share of the visits that new URLs get while any wait",
     .source = "ours",
     .offset = offsetof(struct revisit_options, share)},
    {.name = "least",
     .type = OPTION_DURATION,
     .metavar = "TIME",
     .fallback = "1min",
     .min = 0,
     .max = 1e9,
     .help = "a page is left alone for so long after a visit",
     .source = "ours",
     .offset = offsetof(struct revisit_options, least)},
    {.name = NULL},
};

enum place_state { PLACE_RESTING, PLACE_READY, PLACE_BUSY, PLACE_GONE };

/* A page that was visited. */
struct place {
    uint32_t url, host; /* host: our number, from 0 */
    uint8_t state;
    uint8_t failures; /* in a row */
    int64_t last_at;
    double turn; /* where it stands in the row */
    struct change_seen seen;
};

/* The pages of a host. */
struct revisit_site {
    struct change_seen seen;
    struct heap ready; /* places by their turn */
    uint32_t busy;     /* under way */
};

struct revisit {
    struct ring fresh;     /* URLs never visited */
    struct url_set queued; /* those in it */
    struct ring resting;   /* places by number, by the time of their last visit */
    struct heap_index ready_at;
    struct heap ready; /* hosts that may be visited, by the turn of their first */
    struct place *places;
    size_t nplaces, places_cap;
    struct url_index at; /* URL -> place, counted from 1 */
    struct map by_host;  /* hash of a host -> host */
    struct revisit_site *hosts;
    size_t nhosts, hosts_cap;
    size_t nready, open; /* places in the hosts' heaps; choices not answered */
    struct change_seen all;
    double turn; /* of the last visit: where newcomers begin */
    double owed; /* visits that new URLs have not had yet */
    uint32_t agent;
};

/* ---- places -------------------------------------------------------------- */

static struct place *place_of(const struct revisit *v, uint32_t url)
{
    uint32_t at = url_index_get(&v->at, url);

    return at ? &v->places[at - 1] : NULL;
}

static struct place *place_add(struct revisit *v, uint32_t url, uint32_t host)
{
    MEM_GROW(v->places, v->nplaces, &v->places_cap);
    v->places[v->nplaces] =
        (struct place){.url = url, .host = host, .state = PLACE_GONE, .turn = v->turn};
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
        v->hosts[v->nhosts++] = (struct revisit_site){0};
        map_set(&v->by_host, key, host);
    }
    return host;
}

static double place_rate(const struct revisit *v, const struct place *p)
{
    double all = change_rate_near(&v->all, 1 / DAY);

    return change_rate_near(&p->seen, change_rate_near(&v->hosts[p->host].seen, all));
}

/* Where the host stands among those that may be visited. */
static void site_place(struct revisit *v, uint32_t host)
{
    const struct revisit_site *s = &v->hosts[host];

    if (s->busy >= BUSY_MOST || s->ready.count == 0)
        (void)heap_remove(&v->ready, &v->ready_at, host);
    else
        heap_put(&v->ready, &v->ready_at,
                 (struct heap_item){heap_peek(&s->ready)->key, host, host});
}

/* The visit of a place is over. */
static void place_land(struct revisit *v, const struct place *p)
{
    v->hosts[p->host].busy--;
    site_place(v, p->host);
}

static void place_rest(struct model *m, struct place *p)
{
    const struct revisit_options *o = m->options;
    struct revisit *v = m->state;
    double stride = o->policy == POLICY_RATE ? 1 / place_rate(v, p) : 1;

    if (p->turn < v->turn)
        p->turn = v->turn;
    p->turn += stride;
    p->last_at = m->ctx->now;
    p->state = PLACE_RESTING;
    *RING_ADD(&v->resting, uint32_t) = (uint32_t)(p - v->places);
}

/* Those that have rested get ready. */
static void places_wake(struct model *m)
{
    const struct revisit_options *o = m->options;
    struct revisit *v = m->state;

    while (v->resting.count) {
        struct place *p = &v->places[*RING_AT(&v->resting, 0, uint32_t)];

        if (p->last_at + o->least > m->ctx->now)
            return;
        (void)RING_TAKE(&v->resting, uint32_t);
        p->state = PLACE_READY;
        v->nready++;
        heap_push(&v->hosts[p->host].ready, p->turn, (uint32_t)(p - v->places));
        site_place(v, p->host);
    }
}

/* ---- the model ----------------------------------------------------------- */

static void add_fresh(struct revisit *v, uint32_t url)
{
    if (place_of(v, url) == NULL && url_set_add(&v->queued, url))
        *RING_ADD(&v->fresh, uint32_t) = url;
}

static void revisit_start(struct model *m, const uint32_t *urls, size_t count)
{
    struct revisit *v = m->state;

    if (v->agent == 0)
        v->agent = agent_born(m->ctx->population, m->ctx->now, 0, "revisit", 0, 0);
    for (size_t i = 0; i < count; i++)
        add_fresh(v, urls[i]);
}

static bool take_fresh(struct revisit *v, struct choice *ret)
{
    *ret = (struct choice){.url = *RING_TAKE(&v->fresh, uint32_t), .agent = v->agent};
    url_set_remove(&v->queued, ret->url);
    v->open++;
    v->owed = v->owed > 1 ? v->owed - 1 : 0;
    return true;
}

static bool take_ready(struct revisit *v, struct choice *ret)
{
    uint32_t host = heap_peek(&v->ready)->id;
    struct heap_item item = {0};
    struct place *p;

    (void)heap_pop(&v->hosts[host].ready, &item);
    p = &v->places[item.id];
    p->state = PLACE_BUSY;
    v->hosts[host].busy++;
    v->nready--;
    v->open++;
    site_place(v, host);
    v->turn = p->turn;
    *ret = (struct choice){.url = p->url, .agent = v->agent, .refresh = true};
    return true;
}

static bool revisit_next(struct model *m, uint32_t host, struct choice *ret)
{
    const struct revisit_options *o = m->options;
    struct revisit *v = m->state;

    (void)host;
    places_wake(m);
    if (v->fresh.count && look_ahead_allows(v->open, m->ctx->delayed, v->fresh.count)) {
        v->owed += o->share;
        if (v->owed >= 1 || v->ready.count == 0)
            return take_fresh(v, ret);
    }
    if (v->ready.count)
        return take_ready(v, ret);
    if (v->resting.count && v->nready == 0) /* no turn comes before */
        m->ctx->wake = v->places[*RING_AT(&v->resting, 0, uint32_t)].last_at + o->least;
    return false;
}

static void note(struct revisit *v, struct place *p, int64_t now, bool changed)
{
    double seconds = (double)(now - p->last_at) / 1e6;

    change_note(&p->seen, seconds, changed);
    change_note(&v->hosts[p->host].seen, seconds, changed);
    change_note(&v->all, seconds, changed);
    p->failures = 0;
}

/* Where the visit ended: on the page chosen, or where a redirect led. */
static void settle(struct model *m, const struct percept *p, bool news)
{
    struct revisit *v = m->state;
    struct place *at = place_of(v, p->choice.url);

    if (at == NULL)
        at = place_add(v, p->choice.url, host_of(v, p->body->base));
    if (at->state == PLACE_BUSY)
        note(v, at, m->ctx->now, p->page ? p->change == CHANGE_TEXT : news);
    if (at->state == PLACE_BUSY)
        place_land(v, at);
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

/* A page that was there: perhaps it comes back. */
static void revisit_failed(struct model *m, const struct choice *c, enum drop why)
{
    struct revisit *v = m->state;
    struct place *p = place_of(v, c->url);

    (void)why;
    v->open -= v->open > 0;
    if (p == NULL || p->state != PLACE_BUSY)
        return;
    place_land(v, p);
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
    FIELD(U8, struct place, state),
    FIELD(U8, struct place, failures),
    FIELD(U64, struct place, last_at),
    FIELD(F64, struct place, turn),
    FIELD_OF_PART(struct place, seen, change_fields),
    FIELD_END,
};

static const struct field item_fields[] = {
    FIELD(F64, struct heap_item, key),
    FIELD(U64, struct heap_item, seq),
    FIELD(U32, struct heap_item, id),
    FIELD_END,
};

static void ring_save(const struct ring *r, struct buf *out)
{
    buf_put_u32(out, (uint32_t)r->count);
    for (size_t i = 0; i < r->count; i++)
        buf_put_u32(out, *RING_AT(r, i, uint32_t));
}

static void revisit_save(const struct model *m, struct buf *out)
{
    const struct revisit *v = m->state;

    fields_save(revisit_fields, v, out);
    ring_save(&v->fresh, out);
    buf_put_u32(out, (uint32_t)v->nhosts);
    for (size_t i = 0; i < v->nhosts; i++)
        fields_save(change_fields, &v->hosts[i].seen, out);
    for (size_t i = 0; v->by_host.keys && i <= v->by_host.mask; i++)
        if (v->by_host.values[i] != MAP_NONE) {
            buf_put_u64(out, v->by_host.keys[i]);
            buf_put_u32(out, v->by_host.values[i]);
        }
    buf_put_u32(out, (uint32_t)v->nplaces);
    for (size_t i = 0; i < v->nplaces; i++) {
        buf_put_u32(out, v->places[i].url);
        buf_put_u32(out, v->places[i].host);
        fields_save(place_fields, &v->places[i], out);
    }
    ring_save(&v->resting, out);
    for (size_t i = 0; i < v->nhosts; i++) /* with their order among equals */
        fields_save_all(item_fields, v->hosts[i].ready.items, v->hosts[i].ready.count,
                        sizeof(struct heap_item), out);
}

static void place_load(struct revisit *v, struct cursor *c)
{
    uint32_t url = cursor_number(c), host = cursor_u32(c);
    struct place *p;

    if (c->bad || place_of(v, url) || host >= v->nhosts) {
        c->bad = true;
        return;
    }
    p = place_add(v, url, host);
    fields_load(place_fields, p, c);
    v->hosts[host].busy += p->state == PLACE_BUSY;
}

static void ready_load(struct revisit *v, uint32_t host, struct cursor *c)
{
    uint32_t n = cursor_u32(c);

    for (uint32_t i = 0; i < n && !c->bad; i++) {
        struct heap_item item;

        fields_load(item_fields, &item, c);
        c->bad |= item.id >= v->nplaces;
        if (!c->bad)
            heap_restore(&v->hosts[host].ready, item);
    }
    v->nready += v->hosts[host].ready.count;
    site_place(v, host);
}

static void hosts_load(struct revisit *v, struct cursor *c)
{
    uint32_t n = cursor_u32(c);

    for (uint32_t i = 0; i < n && !c->bad; i++) {
        MEM_GROW(v->hosts, v->nhosts, &v->hosts_cap);
        v->hosts[v->nhosts] = (struct revisit_site){0};
        fields_load(change_fields, &v->hosts[v->nhosts++].seen, c);
    }
    for (uint32_t i = 0; i < n && !c->bad; i++) {
        uint64_t key = cursor_u64(c);

        map_set(&v->by_host, key, cursor_u32(c));
    }
}

static enum status revisit_load(struct model *m, struct str state)
{
    struct cursor c = {.rest = state, .most = m->ctx->urls};
    struct revisit *v = m->state;
    uint32_t n;

    fields_load(revisit_fields, v, &c);
    n = cursor_u32(&c);
    for (uint32_t i = 0; i < n && !c.bad; i++) {
        uint32_t url = cursor_number(&c);

        if (!c.bad && url_set_add(&v->queued, url))
            *RING_ADD(&v->fresh, uint32_t) = url;
    }
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
    for (uint32_t i = 0; i < v->nhosts && !c.bad; i++)
        ready_load(v, i, &c);
    return c.bad ? status_fail(ST_CORRUPT, "the saved pages to visit again are cut") : ST_OK;
}

static void revisit_describe(const struct model *m, struct json *j)
{
    const struct revisit *v = m->state;

    json_put_int(j, "queue", (int64_t)v->fresh.count);
    json_put_int(j, "watched", (int64_t)v->nplaces);
    json_put_int(j, "ready", (int64_t)v->nready);
    json_put_int(j, "visits_again", (int64_t)v->all.visits);
    json_put_int(j, "changes", (int64_t)v->all.changes);
}

static void revisit_finish(struct model *m)
{
    struct revisit *v = m->state;

    ring_free(&v->fresh);
    ring_free(&v->resting);
    free(v->places);
    for (size_t i = 0; i < v->nhosts; i++)
        heap_free(&v->hosts[i].ready);
    free(v->hosts);
    url_set_clear(&v->queued);
    heap_free(&v->ready);
    heap_index_free(&v->ready_at);
    url_index_clear(&v->at);
    map_free(&v->by_host);
}

const struct model_ops model_revisit = {
    .name = "revisit",
    .summary = "all pages it can reach, then again and again; blind to the topic",
    .source = "Cho & Garcia-Molina: Effective page refresh policies (TODS 2003)",
    .options = revisit_option_table,
    .options_size = sizeof(struct revisit_options),
    .state_size = sizeof(struct revisit),
    .start = revisit_start,
    .next = revisit_next,
    .perceive = revisit_perceive,
    .failed = revisit_failed,
    .save = revisit_save,
    .load = revisit_load,
    .describe = revisit_describe,
    .finish = revisit_finish,
    .returns = &(const struct model_returns){.watches = true},
};
