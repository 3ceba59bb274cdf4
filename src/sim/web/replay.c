/* replay.c - struct fetch_ops over a web in memory, in virtual time.
 *
 * In: struct request. Out: struct arrival. A request under way has a slot, which
 * is its arrival with all that it lends: unpacked page, marks, the text of its
 * ETag. Slots are made as they are needed and used again once their arrival is
 * released; the heap holds their numbers by the time of the answer.
 *
 *   free -- submit --> under way -- take --> out -- released --> free
 *
 * Workload: one to some hundred requests under way, 10^6 visits a run; a visit
 * allocates nothing.
 * SPDX-License-Identifier: MIT */
#include "sim/web/replay.h"

#include "base/hash.h"
#include "base/heap.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "parse/url_norm.h"
#include "sim/web/latency.h"
#include "sim/web/web.h"

#include <stdlib.h>

struct replay;

/* One request and its answer. */
struct replay_slot {
    struct arrival arrival; /* first: what is released is the slot */
    struct replay *owner;
    struct web_scratch *scratch;
    struct link_mark *marks;
    size_t marks_cap;
    struct web_answer answer; /* of a page */
    int64_t due;
    uint32_t url; /* of the web; 0: it has none */
    uint32_t number;
    char etag[REPLAY_ETAG];
};

struct replay {
    struct fetch_config config;
    struct replay_config own;
    const struct web *web;
    struct web_counts counts;
    struct heap heap; /* due -> slot */
    struct replay_slot **slots;
    size_t nslots, slots_cap;
    uint32_t *free; /* free slots */
    size_t nfree, free_cap;
    size_t out; /* arrivals that were taken and not released */
    int64_t now;
    uint64_t requests, bytes;
    bool stopped;
};

/* ---- slots --------------------------------------------------------------- */

static void replay_free(struct replay *r)
{
    for (size_t i = 0; i < r->nslots; i++) {
        struct replay_slot *s = r->slots[i];

        web_scratch_free(s->scratch);
        buf_free(&s->arrival.reply.body);
        arena_free(&s->arrival.memory);
        free(s->marks);
        free(s);
    }
    heap_free(&r->heap);
    free(r->slots);
    free(r->free);
    free(r);
}

static void slot_free(struct replay *r, struct replay_slot *s)
{
    free(s->arrival.request);
    s->arrival.request = NULL;
    r->free[r->nfree++] = s->number;
}

/* What arrival_release() calls. */
static void slot_released(struct arrival *a)
{
    struct replay_slot *s = (struct replay_slot *)(void *)a;
    struct replay *r = s->owner;

    slot_free(r, s);
    r->out--;
    if (r->stopped && r->out == 0)
        replay_free(r);
}

static struct replay_slot *slot_take(struct replay *r)
{
    struct replay_slot *s;

    if (r->nfree)
        return r->slots[r->free[--r->nfree]];
    s = MEM_NEW(struct replay_slot);
    s->owner = r;
    s->scratch = web_scratch_new();
    s->number = (uint32_t)r->nslots;
    arena_init(&s->arrival.memory, LIMIT_PAGE_ARENA);
    buf_init(&s->arrival.reply.body, LIMIT_BODY);
    s->arrival.released = slot_released;
    MEM_GROW(r->slots, r->nslots, &r->slots_cap);
    r->slots[r->nslots++] = s;
    if (r->slots_cap > r->free_cap) { /* all of them may be free at once */
        r->free_cap = r->slots_cap;
        r->free = mem_resize(r->free, r->free_cap, sizeof *r->free);
    }
    return s;
}

/* The arrival as new, with the memory it has. */
static void slot_reset(struct replay_slot *s, struct request *request)
{
    struct arena memory = s->arrival.memory;
    struct buf body = s->arrival.reply.body;

    if (memory.used)
        arena_reset(&memory);
    buf_clear(&body);
    s->arrival = (struct arrival){
        .memory = memory, .refs = 1, .request = request, .released = slot_released};
    s->arrival.reply.body = body;
}

/* ---- asking -------------------------------------------------------------- */

/* The host of a request's address, by any URL of it: the web counts hosts by the
 * name as it stands in addresses. */
static uint32_t host_of(const struct replay *r, const struct request *q)
{
    struct str scheme, host, path;
    uint16_t port;

    url_split(q->href, &scheme, &host, &port, &path);
    return web_find_host(r->web, host);
}

static int64_t latency_of(const struct replay *r, const struct request *q, struct replay_slot *s)
{
    if (q->kind == REQUEST_RESOLVE)
        return 0;
    s->url = q->source ? q->source : web_find(r->web, url_key(q->href));
    web_answer(r->web, s->url, r->now, &s->answer);
    if (q->kind == REQUEST_ROBOTS || s->url == 0) {
        uint32_t host = host_of(r, q);

        return host == WEB_NONE ? s->answer.latency : web_host_latency(r->web, host);
    }
    if (s->answer.version != WEB_NONE)
        web_prefetch(r->web, s->answer.version);
    return s->answer.latency;
}

static uint64_t host_hash(const struct request *q)
{
    struct str scheme, host, path;
    uint16_t port;

    url_split(q->href, &scheme, &host, &port, &path);
    return hash_str(host);
}

static bool is_slow(const struct replay *r, const struct request *q)
{
    struct rng rng;

    if (r->own.slow <= 0)
        return false;
    rng_init(&rng, hash_u64(r->own.measured_rng + 3) ^ host_hash(q));
    return rng_unit(&rng) < r->own.slow;
}

/* When the answer comes, from now on. */
static int64_t takes(const struct replay *r, const struct request *q, struct replay_slot *s)
{
    int64_t said = latency_of(r, q, s);

    if (q->kind == REQUEST_RESOLVE)
        return said;
    if (is_slow(r, q))
        return r->own.slow_latency;
    if (r->own.latency > 0)
        return r->own.latency;
    return r->own.measured ? latency_measured(r->own.measured_rng, host_hash(q), url_key(q->href))
                           : said;
}

static unsigned replay_slots(void *self)
{
    const struct replay *r = self;
    size_t under_way = r->heap.count;

    return r->config.connections > under_way ? r->config.connections - (unsigned)under_way : 0;
}

static bool replay_submit(void *self, struct request *request)
{
    struct replay *r = self;
    struct replay_slot *s;

    if (replay_slots(r) == 0)
        return false;
    s = slot_take(r);
    slot_reset(s, request);
    s->arrival.reply.started_at = r->now;
    s->due = r->now + takes(r, request, s);
    heap_push(&r->heap, (double)s->due, s->number);
    r->requests++;
    return true;
}

/* ---- answering ----------------------------------------------------------- */

struct str replay_etag(uint32_t version, char text[REPLAY_ETAG])
{
    char *at = text + REPLAY_ETAG;

    *--at = '"';
    do
        *--at = (char)('0' + version % 10);
    while (version /= 10);
    *--at = '"';
    return (struct str){at, (size_t)(text + REPLAY_ETAG - at)};
}

static void answer_resolve(struct replay *r, struct replay_slot *s)
{
    struct reply *reply = &s->arrival.reply;
    uint32_t host = host_of(r, s->arrival.request), at = host + 1;

    if (host == WEB_NONE) {
        reply->error = FETCH_RESOLVE;
        reply->error_text = STR("this world has no such host");
        return;
    }
    reply->peer = (struct address){
        .family = 4, .bytes = {10, (uint8_t)(at >> 16), (uint8_t)(at >> 8), (uint8_t)at}};
}

static void answer_robots(struct replay *r, struct replay_slot *s)
{
    struct reply *reply = &s->arrival.reply;
    uint32_t host = host_of(r, s->arrival.request);
    struct str text = {"", 0};

    reply->status = host == WEB_NONE ? 404 : web_robots(r->web, host, &text);
    if (reply->status == 200)
        buf_add_str(&reply->body, text);
    r->bytes += text.len;
}

static void answer_document(struct replay *r, struct replay_slot *s)
{
    struct arrival *a = &s->arrival;
    uint32_t version = s->answer.version;

    a->reply.etag = replay_etag(version, s->etag);
    if (str_eq(a->request->etag, a->reply.etag)) {
        a->reply.status = 304;
        return;
    }
    r->bytes += s->answer.bytes;
    a->page = web_unpack(r->web, version, s->scratch);
    a->profile = web_profile(r->web, version);
    a->robots = web_page_robots(r->web, version);
    a->payload_hash = web_payload_hash(r->web, version);
    a->alone = web_is_alone(r->web, version);
    if (a->page->nlinks > s->marks_cap) {
        s->marks_cap = a->page->nlinks + a->page->nlinks / 2;
        s->marks = mem_resize(s->marks, s->marks_cap, sizeof *s->marks);
    }
    a->marks = s->marks;
    if (r->config.digest)
        r->config.digest(r->config.digest_ctx, 0, a);
}

static void answer_page(struct replay *r, struct replay_slot *s)
{
    struct arrival *a = &s->arrival;

    a->source = s->url;
    a->reply.status = s->answer.status;
    if (s->answer.version != WEB_NONE)
        answer_document(r, s);
    else if (a->reply.status >= 200 && a->reply.status < 300)
        a->why = DROP_TYPE; /* the answer is not a document */
    else if (a->reply.status == 0)
        a->reply.error = FETCH_TIMEOUT;
    if (s->answer.redirect_to)
        a->reply.location = web_href(r->web, s->answer.redirect_to);
}

static struct arrival *answer(struct replay *r, struct replay_slot *s)
{
    struct reply *reply = &s->arrival.reply;

    static void (*const answers[])(struct replay *, struct replay_slot *) = {
        [REQUEST_PAGE] = answer_page,
        [REQUEST_ROBOTS] = answer_robots,
        [REQUEST_RESOLVE] = answer_resolve,
    };

    reply->sent_at = reply->first_byte_at = reply->started_at;
    reply->done_at = s->due;
    reply->peer = s->arrival.request->address;
    answers[s->arrival.request->kind](r, s);
    return &s->arrival;
}

static size_t replay_take(void *self, struct arrival **ret, size_t max, int64_t wait_us)
{
    struct replay *r = self;
    const struct heap_item *first = heap_peek(&r->heap);
    struct heap_item item;
    size_t n = 0;

    if (first == NULL || (wait_us >= 0 && (int64_t)first->key > r->now + wait_us)) {
        r->now += wait_us > 0 ? wait_us : 0;
        return 0;
    }
    if ((int64_t)first->key > r->now)
        r->now = (int64_t)first->key;
    while (n < max && (first = heap_peek(&r->heap)) && (int64_t)first->key <= r->now) {
        (void)heap_pop(&r->heap, &item);
        ret[n++] = answer(r, r->slots[item.id]);
    }
    r->out += n;
    return n;
}

/* ---- the rest ------------------------------------------------------------ */

static enum status replay_start(const struct fetch_config *config, void **ret_self)
{
    const struct replay_config *own = config->own;
    struct replay *r;

    if (own == NULL || own->web == NULL)
        return status_fail(ST_INTERNAL, "a simulated fetch needs a web");
    r = MEM_NEW(struct replay);
    r->config = *config;
    r->own = *own;
    if (r->config.connections == 0)
        r->config.connections = 1;
    r->web = own->web;
    r->counts = web_counts(r->web);
    r->now = own->begin ? own->begin : r->counts.begin;
    *ret_self = r;
    return ST_OK;
}

static void replay_wake(void *self)
{
    (void)self; /* there is nothing to wait for */
}

static int64_t replay_now(void *self)
{
    return ((struct replay *)self)->now;
}

static struct fetch_counts replay_counts(void *self)
{
    const struct replay *r = self;

    return (struct fetch_counts){
        .requests = r->requests, .bytes = r->bytes, .in_flight = (unsigned)r->heap.count};
}

static void replay_stop(void *self)
{
    struct replay *r = self;
    struct heap_item item;

    while (heap_pop(&r->heap, &item))
        slot_free(r, r->slots[item.id]);
    r->stopped = true;
    if (r->out == 0)
        replay_free(r);
}

const struct fetch_ops fetch_sim = {
    .name = "sim",
    .start = replay_start,
    .submit = replay_submit,
    .slots = replay_slots,
    .take = replay_take,
    .wake = replay_wake,
    .now = replay_now,
    .counts = replay_counts,
    .stop = replay_stop,
};
