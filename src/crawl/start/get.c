/* get.c - one URL at a time. SPDX-License-Identifier: MIT */
#include "crawl/start/get.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/wire.h"
#include "parse/http/decode.h"
#include "parse/url.h"

#include <stdlib.h>

struct getter {
    const struct fetch_ops *fetch;
    void *self;
    struct wire_fetch wire; /* lent to fetch */
    bool resolve;           /* false behind a proxy */
    bool guarded;           /* without --allow-private */
    struct arena arena;
};

enum status getter_new(const struct crawl_options *o, struct getter **ret)
{
    struct getter *g = MEM_NEW(struct getter);
    enum status st;

    arena_init(&g->arena, MIB(1));
    g->fetch = wire_fetch_ops();
    st = wire_fetch_config(&g->wire, o);
    if (st != ST_OK) {
        getter_free(g);
        return st;
    }
    g->wire.config.threads = g->wire.config.connections = 1;
    g->resolve = o->proxy == NULL;
    g->guarded = !o->allow_private;
    st = g->fetch->start(&g->wire.config, &g->self);
    if (st == ST_OK)
        *ret = g;
    else
        getter_free(g);
    return st;
}

void getter_free(struct getter *g)
{
    if (g == NULL)
        return;
    if (g->self)
        g->fetch->stop(g->self);
    wire_fetch_config_clear(&g->wire);
    arena_free(&g->arena);
    free(g);
}

static struct arrival *ask(struct getter *g, struct request *r)
{
    struct arrival *a = NULL;

    if (!g->fetch->submit(g->self, r)) {
        free(r);
        return NULL;
    }
    while (g->fetch->take(g->self, &a, 1, 60 * US_PER_S) == 0)
        ;
    return a;
}

static struct request *request_for(enum request_kind kind, const struct url *u)
{
    struct request *r = request_new(kind, u->href, u->host, STR(""), STR(""));

    r->port = r->connect_port = u->port;
    r->tls = str_eq(u->scheme, STR("https"));
    return r;
}

/* A URL as it may be shown: that of a search engine may contain a key. */
static struct str shown(struct getter *g, struct str href)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_URL + 64);

    secret_hide(SECRET_URL, href, &text);
    return arena_str(&g->arena, buf_str(&text));
}

static enum status failed(struct getter *g, const struct arrival *a, struct str href)
{
    return status_fail(ST_NET, "%.*s: %.*s%s", STR_ARG(shown(g, href)),
                       STR_ARG(a->reply.error_text.len ? a->reply.error_text : STR("no answer")),
                       a->reply.error == FETCH_REFUSED && g->guarded
                           ? " (--allow-private lifts the guard over private addresses)"
                           : "");
}

/* Makes one hop: first the address, then the page. */
static enum status get_hop(struct getter *g, const struct url *u, struct arrival **ret)
{
    struct request *page = request_for(REQUEST_PAGE, u);
    enum status st = ST_OK;
    struct arrival *a;

    if (g->resolve) {
        a = ask(g, request_for(REQUEST_RESOLVE, u));
        if (a == NULL || a->reply.error != FETCH_OK) {
            st = a ? failed(g, a, u->href) : ST_INTERNAL;
            arrival_release(a);
            free(page);
            return st;
        }
        page->address = a->reply.peer;
        page->connect_port = a->reply.connect_port;
        arrival_release(a);
    }
    a = ask(g, page);
    if (a == NULL)
        return status_fail(ST_INTERNAL, "the fetch engine refused %.*s",
                           STR_ARG(shown(g, u->href)));
    if (a->reply.error != FETCH_OK) {
        st = failed(g, a, u->href);
        arrival_release(a);
        return st;
    }
    *ret = a;
    return ST_OK;
}

static bool is_redirect(const struct reply *r)
{
    return (r->status == 301 || r->status == 302 || r->status == 303 || r->status == 307 ||
            r->status == 308) &&
           r->location.len > 0;
}

/* Gets the reply of the last hop, with any status. */
static enum status get(struct getter *g, struct str url, struct arrival **ret)
{
    struct arrival *a = NULL;
    struct url u;
    enum status st;

    arena_reset(&g->arena);
    st = url_parse(url, NULL, &g->arena, &u);
    if (st != ST_OK)
        return status_fail(ST_USAGE, "'%.*s' is not an http or https URL", STR_ARG(shown(g, url)));
    for (int hop = 0; hop <= LIMIT_REDIRECTS; hop++) {
        struct url next;

        st = get_hop(g, &u, &a);
        if (st != ST_OK)
            return st;
        if (!is_redirect(&a->reply)) {
            *ret = a;
            return ST_OK;
        }
        st = url_parse(a->reply.location, &u, &g->arena, &next);
        arrival_release(a);
        if (st != ST_OK)
            return status_fail(ST_NET,
                               "%.*s redirects to something that is not an http or https URL",
                               STR_ARG(shown(g, u.href)));
        u = next;
    }
    return status_fail(ST_NET, "%.*s: too many redirects", STR_ARG(shown(g, url)));
}

enum status getter_text(struct getter *g, struct str url, struct buf *ret, char **ret_url,
                        char **ret_type)
{
    struct buf decoded = BUF_INIT(LIMIT_DECODED);
    struct arrival *a = NULL;
    struct str text;
    enum status st;
    bool cut;

    st = get(g, url, &a);
    if (st != ST_OK)
        return st;
    if (a->reply.status < 200 || a->reply.status > 299)
        st = status_fail(ST_NET, "%.*s: the server answered %d",
                         STR_ARG(shown(g, a->request->href)), a->reply.status);
    else if (decode_body(buf_str(&a->reply.body), a->reply.content_encoding, &decoded, &text,
                         &cut) != DROP_NONE)
        st = status_fail(ST_NET, "%.*s: its content encoding is broken",
                         STR_ARG(shown(g, a->request->href)));
    else {
        buf_add_str(ret, text);
        st = buf_check(ret);
    }
    if (st == ST_OK && ret_url)
        *ret_url = str_dup(a->request->href);
    if (st == ST_OK && ret_type)
        *ret_type = str_dup(a->reply.content_type);
    buf_free(&decoded);
    arrival_release(a);
    return st;
}
