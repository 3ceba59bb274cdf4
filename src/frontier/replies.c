/* replies.c - what a reply means for the visit and for the host.
 *
 *   reply            visit                    host
 *   2xx              page (or digest's `why`) fine
 *   204, 205, 206    failed: status           fine (nothing, or a part not asked for)
 *   304              same, where asked for    fine
 *   3xx + Location   redirect, 10 hops        fine
 *   429, 503         again, LIMIT_BUSY_RETRIES busy: Retry-After, back-off, dead
 *                                             after LIMIT_HOST_BUSY in a row
 *   502, 504         again, `retries` times   busy
 *   408, 425, 500    again, `retries` times   waits, not counted: one page is
 *                                             broken, not the host
 *   other status     failed: status           fine
 *   broken off       again, `retries` times   waits, not counted: it did answer
 *   no connection,   again, `retries` times   broken: back-off, its address is
 *   timeout, TLS …                            asked again, dead after
 *                                             LIMIT_HOST_FAILURES in a row
 *   refused address  failed: address          dead: address
 *   too large        failed: size             fine
 *   cancelled        waits again              as before
 *
 * SPDX-License-Identifier: MIT */
#include "frontier/frontier_int.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/date.h"

#define REACH_SHARE 50 /* of a gap: what a request's way to the server may add */

/* What the reply means for the host. */
enum temper { TEMPER_FINE, TEMPER_SLOW, TEMPER_BUSY, TEMPER_BROKEN, TEMPER_FORBIDDEN };

struct outcome {
    enum verdict verdict; /* VERDICT_RETRY: if tries are left */
    enum drop why;
    enum temper temper;
    bool patient; /* LIMIT_BUSY_RETRIES tries instead of config.retries */
};

static const struct outcome error_outcomes[] = {
    [FETCH_RESOLVE] = {VERDICT_RETRY, DROP_HOST_DEAD, TEMPER_BROKEN, false},
    [FETCH_REFUSED] = {VERDICT_FAILED, DROP_ADDRESS, TEMPER_FORBIDDEN, false},
    [FETCH_CONNECT] = {VERDICT_RETRY, DROP_NETWORK, TEMPER_BROKEN, false},
    [FETCH_TLS] = {VERDICT_RETRY, DROP_NETWORK, TEMPER_BROKEN, false},
    [FETCH_TIMEOUT] = {VERDICT_RETRY, DROP_TIMEOUT, TEMPER_BROKEN, false},
    [FETCH_PROTOCOL] = {VERDICT_RETRY, DROP_NETWORK, TEMPER_BROKEN, false},
    [FETCH_SIZE] = {VERDICT_FAILED, DROP_SIZE, TEMPER_FINE, false},
    [FETCH_MEMORY] = {VERDICT_RETRY, DROP_SIZE, TEMPER_SLOW, true},
    [FETCH_CANCELLED] = {VERDICT_RETRY, DROP_LIMIT, TEMPER_FINE, false},
};

static const struct {
    int status;
    struct outcome outcome;
} status_outcomes[] = {
    {204, {VERDICT_FAILED, DROP_STATUS, TEMPER_FINE, false}},
    {205, {VERDICT_FAILED, DROP_STATUS, TEMPER_FINE, false}},
    {206, {VERDICT_FAILED, DROP_STATUS, TEMPER_FINE, false}},
    {408, {VERDICT_RETRY, DROP_STATUS, TEMPER_SLOW, false}},
    {425, {VERDICT_RETRY, DROP_STATUS, TEMPER_SLOW, false}},
    {429, {VERDICT_RETRY, DROP_STATUS, TEMPER_BUSY, true}},
    {500, {VERDICT_RETRY, DROP_STATUS, TEMPER_SLOW, false}},
    {502, {VERDICT_RETRY, DROP_STATUS, TEMPER_BUSY, false}},
    {503, {VERDICT_RETRY, DROP_STATUS, TEMPER_BUSY, true}},
    {504, {VERDICT_RETRY, DROP_STATUS, TEMPER_BUSY, false}},
};

bool reply_is_redirect(const struct reply *r)
{
    return (r->status == 301 || r->status == 302 || r->status == 303 || r->status == 307 ||
            r->status == 308) &&
           r->location.len != 0;
}

static struct outcome error_outcome(const struct reply *r)
{
    struct outcome o = error_outcomes[r->error];

    /* It answered, but the answer is broken: that is a fault of the page, perhaps not
     * of the host. */
    if (r->error == FETCH_PROTOCOL && r->status != 0)
        o.temper = TEMPER_SLOW;
    return o;
}

static struct outcome outcome_of(const struct arrival *a)
{
    const struct reply *r = &a->reply;
    struct outcome failed = {VERDICT_FAILED, DROP_STATUS, TEMPER_FINE, false};
    bool asked = a->request->etag.len != 0 || a->request->last_modified.len != 0;

    if (r->error != FETCH_OK && r->error <= FETCH_CANCELLED)
        return error_outcome(r);
    for (size_t i = 0; i < ARRAY_LEN(status_outcomes); i++)
        if (status_outcomes[i].status == r->status)
            return status_outcomes[i].outcome;
    if (r->status == 304 && asked)
        return (struct outcome){VERDICT_SAME, DROP_NONE, TEMPER_FINE, false};
    if (r->status >= 200 && r->status < 300) {
        failed.why = r->skipped && a->why == DROP_NONE ? DROP_TYPE : a->why;
        if (failed.why == DROP_NONE)
            failed.verdict = VERDICT_PAGE;
        return failed;
    }
    if (reply_is_redirect(r)) {
        failed.why = DROP_REDIRECTS;
        if (a->request->hop < LIMIT_REDIRECTS)
            failed = (struct outcome){VERDICT_REDIRECT, DROP_NONE, TEMPER_FINE, false};
    }
    return failed;
}

/* ---- the host ------------------------------------------------------------ */

int64_t reply_backoff(const struct frontier *f, unsigned n)
{
    int64_t wait = f->config.delay > US_PER_S ? f->config.delay : US_PER_S;
    int64_t most = LIMIT_BACKOFF * US_PER_S;

    while (n-- > 1 && wait < most)
        wait *= 2;
    return wait < most ? wait : most > f->config.delay ? most : f->config.delay;
}

/* Only digits, any number of them. */
static bool is_number(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_digit(text.ptr[i]))
            return false;
    return text.len > 0;
}

int64_t reply_retry_after(const struct reply *r, int64_t now)
{
    struct str text = str_trim(r->retry_after);
    int64_t most = LIMIT_RETRY_AFTER * US_PER_S, at;
    uint64_t seconds;

    if (text.len == 0)
        return 0;
    if (is_number(text))
        return str_to_u64(text, &seconds) && seconds < LIMIT_RETRY_AFTER
                   ? (int64_t)seconds * US_PER_S
                   : most;
    if (!date_http(text, &at) || at <= now)
        return 0;
    return at - now < most ? at - now : most;
}

void host_wait(struct host *h, int64_t until)
{
    if (until > h->next_at)
        h->next_at = until;
}

/* When the request reached the server: not before it left us, and not after the answer began. A
 * small share of the gap is allowed for this span, so that the next request is not too early by
 * the server's clock either. */
static int64_t reached(const struct reply *r, int64_t started, int64_t gap, int64_t now)
{
    int64_t at = r->sent_at > started && r->sent_at <= now ? r->sent_at : started;
    int64_t first = r->first_byte_at > at && r->first_byte_at <= now ? r->first_byte_at : at;

    return first - at < gap / REACH_SHARE ? first : at + gap / REACH_SHARE;
}

/* Counts from the start on the wire, which may be later than the release. */
static void host_finish(const struct frontier *f, struct host *h, const struct reply *r,
                        int64_t started, int64_t now)
{
    int64_t gap;

    if (h->in_flight)
        h->in_flight--;
    if (started > h->last_start)
        h->last_start = started;
    gap = host_gap(f, h);
    host_wait(h, reached(r, h->last_start, gap, now) + gap);
}

void reply_finish(struct frontier *f, struct host *h, struct host *asked, const struct arrival *a,
                  int64_t now)
{
    const struct reply *r = &a->reply;
    uint32_t found = workbench_find(&f->bench, &a->request->address);
    uint32_t group = found ? found : h->own_group;
    bool timed = r->started_at > 0 && r->started_at <= now;
    int64_t started = timed ? r->started_at : h->last_start, gap;

    if (r->status != 0) {
        asked->latency = (r->done_at >= started && r->done_at <= now ? r->done_at : now) - started;
        f->bench.groups[group]->latency = asked->latency;
    }
    host_finish(f, h, r, started, now);
    if (asked != h)
        host_finish(f, asked, r, started, now);
    gap = address_gap(f, h, group);
    workbench_finish(&f->bench, group, reached(r, started, gap, now) + gap);
}

/* The host failed or refused: it waits, or dies. */
static void host_suffers(struct frontier *f, struct host *h, const struct outcome *o,
                         const struct arrival *a, int64_t now)
{
    int64_t after = reply_retry_after(&a->reply, now);
    unsigned most = o->temper == TEMPER_BUSY ? LIMIT_HOST_BUSY : LIMIT_HOST_FAILURES;
    unsigned n = o->temper == TEMPER_SLOW ? a->request->attempt + 1u : ++h->failures;

    if (o->temper == TEMPER_BROKEN && f->config.resolve)
        h->door[0].group = h->door[1].group = 0; /* its address may have changed */
    if (o->temper != TEMPER_SLOW && n >= most)
        host_die(f, h, DROP_HOST_DEAD);
    host_wait(h, now + reply_backoff(f, n));
    host_wait(h, now + after);
    host_changed(f, h);
}

static void host_judge(struct frontier *f, struct host *h, const struct outcome *o,
                       const struct arrival *a, int64_t now)
{
    if (a->reply.error == FETCH_CANCELLED)
        return;
    if (o->temper == TEMPER_FORBIDDEN)
        host_die(f, h, DROP_ADDRESS);
    else if (o->temper != TEMPER_FINE)
        host_suffers(f, h, o, a, now);
    else
        h->failures = 0;
}

/* ---- the visit ----------------------------------------------------------- */

/* Takes the visit back, or returns why not. */
static enum drop visit_again(struct frontier *f, struct host *h, uint32_t visit,
                             const struct outcome *o, bool cancelled)
{
    struct visit *v = visits_at(&f->visits, visit);
    uint32_t tries = f->config.retries;

    if (o->patient && tries < LIMIT_BUSY_RETRIES)
        tries = LIMIT_BUSY_RETRIES;
    if (host_bar(f, h))
        return host_bar(f, h);
    if (is_charged(urls_at(&f->urls, v->choice.url), &v->choice) && host_is_spent(f, h))
        return DROP_BUDGET;
    if (!cancelled && (v->attempt >= tries || v->attempt == UINT8_MAX))
        return o->why;
    v->attempt = (uint8_t)(v->attempt + !cancelled);
    visits_land(&f->visits, visit);
    visit_wait(f, h, visit);
    return DROP_NONE;
}

/* Only an explicit answer counts against a directory: a server that is down, busy or
 * unwilling may have the page later. */
static bool is_missing(const struct reply_verdict *v, int status)
{
    return v->why == DROP_STATUS && (status == 404 || status == 410);
}

static void visit_end(struct frontier *f, uint32_t visit, const struct reply_verdict *v, int status)
{
    const struct choice *c = &visits_at(&f->visits, visit)->choice;
    struct known *k = urls_at(&f->urls, c->url);
    bool came = v->verdict == VERDICT_PAGE || v->verdict == VERDICT_SAME;

    if ((came || is_missing(v, status)) && !choice_is_requisite(c))
        missing_note(&f->missing, k->host, urls_path(&f->urls, c->url), came);
    if (v->verdict == VERDICT_FAILED)
        url_end(k, URL_GONE, v->why);
    else if (v->verdict == VERDICT_REDIRECT && !k->has_page)
        k->state = URL_MOVED;
    else
        url_end(k, URL_VISITED, DROP_NONE);
    visits_remove(&f->visits, visit);
}

static struct reply_verdict page_replied(struct frontier *f, struct arrival *a, int64_t now)
{
    struct outcome o = outcome_of(a);
    struct reply_verdict ret = {o.verdict, o.why};
    uint32_t visit = visits_find(&f->visits, a->request->choice.url);
    struct host *h = hosts_at(&f->hosts, a->request->host_id);

    reply_finish(f, h, h, a, now);
    if (visit == 0)
        return (struct reply_verdict){VERDICT_FAILED, DROP_LIMIT};
    h->flying -= visits_at(&f->visits, visit)->counts;
    host_judge(f, h, &o, a, now);
    if (o.verdict == VERDICT_RETRY) {
        ret.why = visit_again(f, h, visit, &o, a->reply.error == FETCH_CANCELLED);
        if (ret.why != DROP_NONE)
            ret.verdict = VERDICT_FAILED;
    }
    if (ret.verdict != VERDICT_RETRY)
        visit_end(f, visit, &ret, a->reply.status);
    host_place(f, h, now);
    return ret;
}

struct reply_verdict frontier_replied(struct frontier *f, struct arrival *a, int64_t now)
{
    f->crowded = false;
    f->steps = 0;
    frontier_at(f, now);
    if (a->request->kind == REQUEST_PAGE)
        return page_replied(f, a, now);
    if (a->request->kind == REQUEST_RESOLVE)
        service_resolved(f, a, now);
    else
        service_robots_came(f, a, now);
    return (struct reply_verdict){VERDICT_SERVICE, DROP_NONE};
}

/* ---- redirects ----------------------------------------------------------- */

static bool location_tls(const struct arrival *a)
{
    if (str_starts_i(a->reply.location, STR("https:")))
        return true;
    return !str_starts_i(a->reply.location, STR("http:")) && a->request->tls;
}

/* Would following `url` lead back to `to`, or nowhere? */
static bool leads_back(const struct frontier *f, uint32_t url, uint32_t to)
{
    for (int hops = 0; hops <= LIMIT_REDIRECTS; hops++) {
        const struct known *k = urls_at(&f->urls, url);

        if (url == to)
            return true;
        if (k->state != URL_MOVED || !k->has_page)
            return false;
        url = urls_page(&f->urls, url);
    }
    return true;
}

enum drop frontier_redirect(struct frontier *f, const struct arrival *a, uint32_t target,
                            int64_t now)
{
    struct choice c = a->request->choice;
    struct known *from, *to;
    bool tls = location_tls(a);

    if (target == 0 || target > f->urls.count || a->request->hop >= LIMIT_REDIRECTS)
        return DROP_REDIRECTS;
    from = urls_at(&f->urls, c.url);
    to = urls_at(&f->urls, target);
    if (target == c.url) {
        /* http and https of one page are one URL, so the other door is not a loop. */
        if (a->request->tls == tls || from->state == URL_WAITING)
            return DROP_REDIRECTS;
        from->state = URL_KNOWN;
    } else if (leads_back(f, target, c.url)) {
        return DROP_REDIRECTS;
    } else if (from->state == URL_MOVED) {
        urls_set_page(&f->urls, c.url, target);
    }
    if (to->state == URL_KNOWN)
        to->tls = tls;
    c.url = target;
    return visit_admit(f, &c, (uint8_t)(a->request->hop + 1), now);
}
