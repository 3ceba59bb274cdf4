/* webhook.c - announcements to the user's server, each sent by a poster until the server has taken
 * or refused it.
 *
 * Workload: some deliveries an hour. SPDX-License-Identifier: MIT */
#include "crawl/watch/webhook.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/port.h"
#include "bus/bus.h"
#include "crawl/watch/poster.h"
#include "fetch/guard.h"
#include "parse/url.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_WAIT US_PER_S
#define LONG_WAIT  (300 * US_PER_S)
#define ASKED_WAIT (3600 * US_PER_S) /* longest that Retry-After can ask for */
#define SENT_KEY   "watch.sent"

struct webhook {
    struct poster *poster;
    char *url;
    bool digest;
    char *secret;
    struct query *query;
    struct bus *bus;
    uint32_t sent;      /* all up to this one are delivered or left out */
    uint32_t under_way; /* announcement being sent */
    uint32_t last;      /* that may be sent */
    struct buf body;    /* of it */
    struct buf fields;  /* its header lines */
    int64_t wait, due;  /* after a failure: how long, until when */
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
    LOCAL_BUF text = BUF_INIT(100);
    uint64_t sent = 0;
    uint32_t last = 0;
    enum status st = query_news_last(w->query, &last);

    if (st == ST_OK)
        st = query_key(w->query, SENT_KEY, &text);
    if (st == ST_OK && str_to_u64(buf_str(&text), &sent))
        w->sent = sent < last ? (uint32_t)sent : last; /* the last ones may be forgotten */
    return st == ST_MISSING ? ST_OK : st;
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
    LOCAL_ARENA memory = ARENA_INIT(KIB(64));
    struct url u;
    enum status st;

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
    return st;
}

enum status webhook_new(const struct webhook_config *config, struct webhook **ret)
{
    LOCAL_ARENA memory = ARENA_INIT(KIB(64));
    struct webhook *w = MEM_NEW(struct webhook);
    struct url u;
    enum status st = read_url(config->url, &memory, &u);

    w->url = str_dup(str_of(config->url));
    w->digest = config->digest;
    w->body = BUF_INIT(config->digest ? LIMIT_MAIL : KIB(256));
    w->fields = BUF_INIT(KIB(8));
    w->bus = config->bus;
    w->secret = config->secret.len ? str_dup(config->secret) : NULL;
    w->wait = FIRST_WAIT;
    if (st == ST_OK)
        st = query_open(config->dir, &w->query);
    if (st == ST_OK)
        st = read_sent(w);
    if (st == ST_OK)
        st = poster_new(config->options, config->private_too, &w->poster);
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
    poster_free(w->poster);
    query_close(w->query);
    buf_free(&w->body);
    buf_free(&w->fields);
    free(w->url);
    free(w->secret);
    free(w);
}

/* ---- one delivery -------------------------------------------------------- */

static enum status take_row(void *ctx, const struct query_news *row)
{
    struct webhook *w = ctx;
    LOCAL_BUF text = BUF_INIT(KIB(4));
    struct news_item item = news_of_row(w->query, row, &text);
    size_t before = w->body.len;

    if (row->id <= w->last) {
        if (w->digest)
            buf_add_z(&w->body, before ? "," : "{\"digest\":true,\"items\":[");
        news_json(&item, &w->body);
    }
    if (row->id <= w->last && !w->body.full)
        w->under_way = row->id;
    return w->body.full ? ST_LIMIT : ST_OK;
}

/* Gathers what to send next. ST_LIMIT if a single announcement is too long. */
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

/* Begins to send the next announcement that is not delivered; returns false if there is none. */
static bool begin(struct webhook *w)
{
    if (w->under_way <= w->sent) {
        if (w->sent >= w->last || take_rows(w) != ST_OK || w->under_way <= w->sent)
            return false;
        make_fields(w);
    }
    return poster_post(w->poster, str_of(w->url), buf_str(&w->fields), buf_str(&w->body));
}

static void done(struct webhook *w)
{
    struct event e = {.kind = EVENT_KEY, .at = clock_now(), .key = {.name = STR(SENT_KEY)}};
    char text[24];

    w->sent = w->under_way;
    w->wait = FIRST_WAIT;
    w->due = 0;
    (void)snprintf(text, sizeof text, "%u", w->sent);
    e.key.value = str_of(text);
    bus_post(w->bus, &e);
}

static void later(struct webhook *w, const struct poster_answer *a, int64_t now)
{
    int64_t asked =
        a->retry_after < ASKED_WAIT / US_PER_S ? (int64_t)a->retry_after * US_PER_S : ASKED_WAIT;

    w->counts.failures++;
    w->due = now + (asked > w->wait ? asked : w->wait);
    w->wait = w->wait * 2 < LONG_WAIT ? w->wait * 2 : LONG_WAIT;
}

static void say(struct webhook *w, const struct poster_answer *a)
{
    if (a->status == 0)
        (void)snprintf(w->trouble, sizeof w->trouble, "%.150s%s", a->trouble,
                       a->is_refused ? " (--webhook-private allows it)" : "");
    else
        (void)snprintf(w->trouble, sizeof w->trouble, "the server answered %d", a->status);
}

/* Is the failure temporary? 408, 425 and 429 mean: not now. */
static bool may_pass(int status)
{
    return status == 0 || status >= 500 || status == 408 || status == 425 || status == 429;
}

static void on_answer(struct webhook *w, const struct poster_answer *a, int64_t now)
{
    bool good = a->status >= 200 && a->status < 300;

    w->trouble[0] = '\0';
    if (!good)
        say(w, a);
    if (!good && may_pass(a->status)) {
        later(w, a, now);
        return;
    }
    w->counts.sent += good;
    w->counts.refused += !good;
    done(w);
}

bool webhook_pump(struct webhook *w, uint32_t last, int64_t now)
{
    struct poster_answer answer;

    w->last = last;
    w->counts.waiting = last > w->sent ? last - w->sent : 0;
    for (;;) {
        if (poster_take(w->poster, &answer))
            on_answer(w, &answer, now);
        else if (poster_is_busy(w->poster) || now < w->due)
            return true;
        else if (!begin(w))
            return false;
    }
}

struct webhook_counts webhook_counts(const struct webhook *w)
{
    struct webhook_counts c = w->counts;

    c.trouble = w->trouble;
    return c;
}
