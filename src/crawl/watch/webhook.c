/* webhook.c - announcements to the user's server.
 *
 *     IDLE --next announcement--> NAME (its address) --> POST --2xx--> IDLE
 *       ^                          |                      |
 *       '------- WAIT <------------+------ failed --------'
 *
 * Workload: some deliveries an hour. SPDX-License-Identifier: MIT */
#include "crawl/watch/webhook.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/port.h"
#include "bus/bus.h"
#include "crawl/wire.h"
#include "fetch/guard.h"
#include "parse/url.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_WAIT US_PER_S
#define LONG_WAIT  (300 * US_PER_S)
#define ASKED_WAIT (3600 * US_PER_S) /* longest that Retry-After can ask for */
#define TIMEOUT    (30 * US_PER_S)
#define SENT_KEY   "watch.sent"

enum webhook_state { HOOK_IDLE, HOOK_NAME, HOOK_POST, HOOK_WAIT };

struct webhook {
    const struct fetch_ops *fetch;
    void *self;
    struct wire_fetch wire; /* lent to fetch */
    struct arena memory;    /* of the URL */
    struct url url;
    bool resolve; /* false behind a proxy */
    bool digest;
    char *secret;
    struct query *query;
    struct bus *bus;
    enum webhook_state state;
    uint32_t sent;        /* all up to this one are delivered or left out */
    uint32_t under_way;   /* announcement being sent */
    uint32_t last;        /* that may be sent */
    struct buf body;      /* of it, lent to the request */
    struct buf fields;    /* its header lines */
    int64_t wait, due;    /* WAIT: how long, until when */
    struct address where; /* of its host, for this attempt */
    uint16_t port;
    struct webhook_counts counts;
    char trouble[200];
};

void webhook_sign(struct str secret, struct str body, char ret[WEBHOOK_SIGNATURE])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned len = 0;
    int at = snprintf(ret, WEBHOOK_SIGNATURE, "sha256=");

    (void)HMAC(EVP_sha256(), secret.ptr, (int)secret.len, (const unsigned char *)body.ptr, body.len,
               digest, &len);
    for (unsigned i = 0; i < len && at + 2 < WEBHOOK_SIGNATURE; i++)
        at += snprintf(ret + at, (size_t)(WEBHOOK_SIGNATURE - at), "%02x", digest[i]);
}

/* ---- birth and death ----------------------------------------------------- */

static enum status read_sent(struct webhook *w)
{
    struct buf text = BUF_INIT(100);
    uint64_t sent = 0;
    uint32_t last = 0;
    enum status st = query_news_last(w->query, &last);

    if (st == ST_OK)
        st = query_key(w->query, SENT_KEY, &text);
    if (st == ST_OK && str_to_u64(buf_str(&text), &sent))
        w->sent = sent < last ? (uint32_t)sent : last; /* the last ones may be forgotten */
    buf_free(&text);
    return st == ST_MISSING ? ST_OK : st;
}

static enum status start_fetch(struct webhook *w, const struct webhook_config *config)
{
    struct fetch_config *f = &w->wire.config;
    enum status st = wire_fetch_config(&w->wire, config->options);

    w->fetch = wire_fetch_ops();
    if (st != ST_OK)
        return st;
    f->threads = f->connections = 1;
    f->timeout = TIMEOUT;
    f->connect_timeout = TIMEOUT / 2;
    f->rate = 0;
    f->archive = false;
    f->headers = NULL; /* the crawl's credentials are not for this server */
    f->cookies = NULL;
    f->allow_private = f->allow_private || config->private_too;
    w->resolve = config->options->proxy == NULL;
    return w->fetch->start(f, &w->self);
}

static enum status read_url(const char *text, struct arena *memory, struct url *ret)
{
    if (url_parse(str_of(text), NULL, memory, ret) == ST_OK)
        return ST_OK;
    return status_fail(ST_USAGE, "--webhook '%s' is not an http or https URL", text);
}

enum status webhook_check(const char *url, bool private_too)
{
    const char *why = NULL;
    struct arena memory;
    struct url u;
    enum status st;

    arena_init(&memory, KIB(64));
    st = read_url(url, &memory, &u);
    if (st == ST_OK && port_refuses(u.port))
        st = status_fail(ST_USAGE, "--webhook '%s': the port is refused: %s", url,
                         port_refuses(u.port));
    else if (st == ST_OK)
        why = guard_judge_host(u.host, private_too, false);
    if (why)
        st = status_fail(ST_USAGE,
                         "--webhook '%s': the address is refused: %s (--webhook-private "
                         "allows it)",
                         url, why);
    arena_free(&memory);
    return st;
}

enum status webhook_new(const struct webhook_config *config, struct webhook **ret)
{
    struct webhook *w = MEM_NEW(struct webhook);
    enum status st;

    arena_init(&w->memory, KIB(256));
    w->digest = config->digest;
    w->body = BUF_INIT(config->digest ? LIMIT_MAIL : KIB(256));
    w->fields = BUF_INIT(KIB(8));
    w->bus = config->bus;
    w->secret = config->secret.len ? str_dup(config->secret) : NULL;
    w->wait = FIRST_WAIT;
    st = read_url(config->url, &w->memory, &w->url);
    if (st == ST_OK)
        st = query_open(config->dir, &w->query);
    if (st == ST_OK)
        st = read_sent(w);
    if (st == ST_OK)
        st = start_fetch(w, config);
    if (st == ST_OK)
        *ret = w;
    else
        webhook_free(w);
    return st;
}

void webhook_free(struct webhook *w)
{
    if (w == NULL)
        return;
    if (w->self)
        w->fetch->stop(w->self);
    if (w->fetch)
        wire_fetch_config_clear(&w->wire);
    query_close(w->query);
    arena_free(&w->memory);
    buf_free(&w->body);
    buf_free(&w->fields);
    free(w->secret);
    free(w);
}

/* ---- one delivery -------------------------------------------------------- */

static enum status take_row(void *ctx, const struct query_news *row)
{
    struct webhook *w = ctx;
    struct buf text = BUF_INIT(KIB(4));
    struct news_item item = news_of_row(w->query, row, &text);
    size_t before = w->body.len;

    if (row->id <= w->last) {
        if (w->digest)
            buf_add_z(&w->body, before ? "," : "{\"digest\":true,\"items\":[");
        news_json(&item, &w->body);
    }
    if (row->id <= w->last && !w->body.full)
        w->under_way = row->id;
    buf_free(&text);
    return w->body.full ? ST_LIMIT : ST_OK;
}

/* What is to be sent next. ST_LIMIT: one announcement is too long even by itself. */
static enum status take_rows(struct webhook *w)
{
    uint32_t most = w->digest ? LIMIT_DIGEST : 1;
    enum status st;

    do {
        buf_clear(&w->body);
        w->under_way = 0;
        st = query_news(w->query, w->sent, most, take_row, w);
        most /= 2;
    } while (st == ST_LIMIT && most > 0);
    if (w->digest && w->body.len > 0)
        buf_add_z(&w->body, "]}");
    return st;
}

static void make_fields(struct webhook *w)
{
    char signature[WEBHOOK_SIGNATURE];

    buf_clear(&w->fields);
    buf_addf(&w->fields, "Content-Type: application/json\nX-Brood-Delivery: %u\n", w->under_way);
    if (w->secret == NULL)
        return;
    webhook_sign(str_of(w->secret), buf_str(&w->body), signature);
    buf_addf(&w->fields, "X-Brood-Signature: %s\n", signature);
}

static void submit(struct webhook *w, enum request_kind kind)
{
    struct request *r = request_new(kind, w->url.href, w->url.host, STR(""), STR(""));

    r->port = r->connect_port = w->url.port;
    r->tls = str_eq(w->url.scheme, STR("https"));
    if (kind == REQUEST_PAGE) {
        r->address = w->where;
        r->connect_port = w->port ? w->port : w->url.port;
        r->post = buf_str(&w->body);
        r->fields = buf_str(&w->fields);
    }
    w->state = kind == REQUEST_PAGE ? HOOK_POST : HOOK_NAME;
    if (!w->fetch->submit(w->self, r)) { /* cannot be: nothing else is under way */
        free(r);
        w->state = HOOK_IDLE;
    }
}

/* The next announcement that is not delivered; false: there is none. */
static bool begin(struct webhook *w)
{
    if (w->under_way <= w->sent) {
        if (w->sent >= w->last || take_rows(w) != ST_OK || w->under_way <= w->sent)
            return false;
        make_fields(w);
    }
    submit(w, w->resolve ? REQUEST_RESOLVE : REQUEST_PAGE);
    return true;
}

static void done(struct webhook *w)
{
    struct event e = {.kind = EVENT_KEY, .at = clock_now(), .key = {.name = STR(SENT_KEY)}};
    char text[24];

    w->sent = w->under_way;
    w->wait = FIRST_WAIT;
    w->state = HOOK_IDLE;
    (void)snprintf(text, sizeof text, "%u", w->sent);
    e.key.value = str_of(text);
    bus_post(w->bus, &e);
}

static void later(struct webhook *w, const struct reply *reply, int64_t now)
{
    uint64_t asked = 0;
    int64_t wait = w->wait;

    if (str_to_u64(str_trim(reply->retry_after), &asked)) {
        int64_t us = asked < ASKED_WAIT / US_PER_S ? (int64_t)asked * US_PER_S : ASKED_WAIT;

        wait = us > wait ? us : wait;
    }
    w->counts.failures++;
    w->due = now + wait;
    w->wait = w->wait * 2 < LONG_WAIT ? w->wait * 2 : LONG_WAIT;
    w->state = HOOK_WAIT;
}

static void say(struct webhook *w, const struct reply *reply)
{
    if (reply->error != FETCH_OK)
        (void)snprintf(w->trouble, sizeof w->trouble, "%.*s%s",
                       STR_ARG(str_sub(reply->error_text, 0, 150)),
                       reply->error == FETCH_REFUSED ? " (--webhook-private allows it)" : "");
    else
        (void)snprintf(w->trouble, sizeof w->trouble, "the server answered %d", reply->status);
}

/* 408, 425 and 429 say: not now. */
static bool may_pass(const struct reply *r)
{
    return r->error != FETCH_OK || r->status >= 500 || r->status == 408 || r->status == 425 ||
           r->status == 429;
}

static void on_reply(struct webhook *w, const struct reply *reply, int64_t now)
{
    bool good = reply->error == FETCH_OK && reply->status >= 200 && reply->status < 300;

    w->trouble[0] = '\0';
    if (!good)
        say(w, reply);
    if (!good && may_pass(reply)) {
        later(w, reply, now);
        return;
    }
    w->counts.sent += good;
    w->counts.refused += !good;
    done(w);
}

static void on_arrival(struct webhook *w, const struct arrival *a, int64_t now)
{
    if (a->request->kind == REQUEST_PAGE) {
        on_reply(w, &a->reply, now);
    } else if (a->reply.error != FETCH_OK) {
        say(w, &a->reply);
        later(w, &a->reply, now);
    } else {
        w->where = a->reply.peer;
        w->port = a->reply.connect_port;
        submit(w, REQUEST_PAGE);
    }
}

bool webhook_pump(struct webhook *w, uint32_t last, int64_t now)
{
    struct arrival *a;

    w->last = last;
    w->counts.waiting = last > w->sent ? last - w->sent : 0;
    if (w->state == HOOK_WAIT && now >= w->due)
        w->state = HOOK_IDLE;
    for (;;) {
        if (w->state == HOOK_IDLE && !begin(w))
            return false;
        if (w->fetch->take(w->self, &a, 1, 0) == 0)
            return true;
        on_arrival(w, a, now);
        arrival_release(a);
    }
}

struct webhook_counts webhook_counts(const struct webhook *w)
{
    struct webhook_counts c = w->counts;

    c.trouble = w->trouble;
    return c;
}
