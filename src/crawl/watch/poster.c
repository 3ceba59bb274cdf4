/* poster.c - see poster.h. SPDX-License-Identifier: MIT */
#include "crawl/watch/poster.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/port.h"
#include "crawl/wire.h"
#include "parse/http/decode.h"
#include "parse/url.h"

#include <stdio.h>
#include <stdlib.h>

#define TIMEOUT (30 * US_PER_S)

struct poster {
    const struct fetch_ops *fetch;
    void *self;
    struct wire_fetch wire; /* lent to fetch */
    bool resolve;           /* false behind a proxy */
    bool is_busy, is_over;  /* over: the answer waits to be taken */
    struct arena memory;    /* of the URL */
    struct url url;
    bool is_get;
    struct buf answer; /* of a GET */
    struct buf body;   /* lent to the request */
    struct buf fields; /* its header lines */
    struct poster_answer over;
    char trouble[200];
};

enum status poster_new(const struct crawl_options *o, bool private_too, struct poster **ret)
{
    struct poster *p = MEM_NEW(struct poster);
    struct fetch_config *f = &p->wire.config;
    enum status st;

    arena_init(&p->memory, KIB(256));
    p->answer = BUF_INIT(LIMIT_DECODED);
    p->body = BUF_INIT(LIMIT_MAIL);
    p->fields = BUF_INIT(KIB(8));
    p->fetch = wire_fetch_ops();
    st = wire_fetch_config(&p->wire, o);
    if (st == ST_OK) {
        f->threads = f->connections = 1;
        f->timeout = TIMEOUT;
        f->connect_timeout = TIMEOUT / 2;
        f->rate = 0;
        f->archive = false;
        f->headers = NULL;
        f->cookies = NULL;
        f->allow_private = f->allow_private || private_too;
        p->resolve = o->proxy == NULL;
        st = p->fetch->start(f, &p->self);
    }
    if (st == ST_OK)
        *ret = p;
    else
        poster_free(p);
    return st;
}

void poster_free(struct poster *p)
{
    if (p == NULL)
        return;
    if (p->self)
        p->fetch->stop(p->self);
    wire_fetch_config_clear(&p->wire);
    arena_free(&p->memory);
    buf_free(&p->answer);
    buf_free(&p->body);
    buf_free(&p->fields);
    free(p);
}

static void finish(struct poster *p, int status, struct str trouble)
{
    p->is_busy = false;
    p->is_over = true;
    p->over.status = status;
    (void)snprintf(p->trouble, sizeof p->trouble, "%.*s", STR_ARG(str_sub(trouble, 0, 180)));
}

static void submit(struct poster *p, enum request_kind kind, const struct reply *found)
{
    struct request *r = request_new(kind, p->url.href, p->url.host, STR(""), STR(""));

    r->port = r->connect_port = p->url.port;
    r->tls = str_eq(p->url.scheme, STR("https"));
    if (found) {
        r->address = found->peer;
        r->connect_port = found->connect_port ? found->connect_port : p->url.port;
    }
    if (kind == REQUEST_PAGE && !p->is_get) {
        r->post = buf_str(&p->body);
        r->fields = buf_str(&p->fields);
    }
    if (!p->fetch->submit(p->self, r)) { /* cannot be: nothing else is under way */
        free(r);
        finish(p, 0, STR("the fetch engine refused it"));
    }
}

static bool begin(struct poster *p, struct str url, struct str fields, struct str body, bool is_get)
{
    if (p->is_busy || p->is_over)
        return false;
    arena_reset(&p->memory);
    buf_clear(&p->answer);
    buf_clear(&p->body);
    buf_add_str(&p->body, body);
    buf_clear(&p->fields);
    buf_add_str(&p->fields, fields);
    p->over = (struct poster_answer){0};
    p->is_get = is_get;
    p->is_busy = true;
    if (url_parse(url, NULL, &p->memory, &p->url) != ST_OK || p->body.full)
        finish(p, 0, STR("this is no URL that can be asked"));
    else if (port_refuses(p->url.port))
        finish(p, 0, str_of(port_refuses(p->url.port)));
    else
        submit(p, p->resolve ? REQUEST_RESOLVE : REQUEST_PAGE, NULL);
    return true;
}

bool poster_post(struct poster *p, struct str url, struct str fields, struct str body)
{
    return begin(p, url, fields, body, false);
}

bool poster_send(struct poster *p, struct str url, struct str form)
{
    return begin(p, url, STR("Content-Type: application/x-www-form-urlencoded\n"), form, false);
}

bool poster_get(struct poster *p, struct str url)
{
    return begin(p, url, STR(""), STR(""), true);
}

static void read_answer(struct poster *p, const struct reply *reply)
{
    struct str text;
    bool cut;

    if (p->is_get &&
        decode_body(buf_str(&reply->body), reply->content_encoding, &p->answer, &text, &cut) ==
            DROP_NONE &&
        p->answer.len == 0)
        buf_add_str(&p->answer, text); /* it was not encoded */
    (void)str_to_u64(str_trim(reply->retry_after), &p->over.retry_after);
    finish(p, reply->status, STR(""));
}

bool poster_take(struct poster *p, struct poster_answer *ret)
{
    struct arrival *a;

    while (p->is_busy && p->fetch->take(p->self, &a, 1, 0) > 0) {
        p->over.is_refused = a->reply.error == FETCH_REFUSED;
        if (a->reply.error != FETCH_OK)
            finish(p, 0, a->reply.error_text);
        else if (a->request->kind == REQUEST_PAGE)
            read_answer(p, &a->reply);
        else
            submit(p, REQUEST_PAGE, &a->reply);
        arrival_release(a);
    }
    if (!p->is_over)
        return false;
    p->is_over = false;
    p->over.trouble = p->trouble;
    p->over.body = buf_str(&p->answer);
    *ret = p->over;
    return true;
}

bool poster_is_busy(const struct poster *p)
{
    return p->is_busy || p->is_over;
}
