/* map.c - the map: hosts, and how the crawl went from one to another; the pages of one host, and
 * where they lead. SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "dash/dash_int.h"

#include <stdlib.h>

#define CACHE_FOR (3 * US_PER_S) /* counting all pages for every request is not worth it */
#define EDGES     1000
#define LINKS     50 /* looked at of each page of a host */

struct map_query {
    char *host;
    uint32_t n;
};

#define AT(field) .offset = offsetof(struct map_query, field)

static const struct option map_params[] = {
    {TEXT_OPTION("host", host, "H"), .help = "its pages"},
    PARAM_N(struct map_query, n, "300", "at most so many hosts or pages"),
    {.name = NULL},
};
#undef AT

/* ---- hosts --------------------------------------------------------------- */

static enum status put_host(void *ctx, const struct view_host *h)
{
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_str(j, "name", h->name);
    json_put_int(j, "pages", (int64_t)h->pages);
    json_put_num(j, "relevance", h->relevance);
    if (h->waiting >= 0)
        json_put_int(j, "waiting", h->waiting);
    else
        json_put_null(j, "waiting");
    json_close(j);
    return ST_OK;
}

static enum status put_edge(void *ctx, struct str from, struct str to, uint64_t n)
{
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_str(j, "from", from);
    json_put_str(j, "to", to);
    json_put_int(j, "n", (int64_t)n);
    json_close(j);
    return ST_OK;
}

static enum status map_hosts(struct dash_crawl *c, uint32_t n, struct buf *out)
{
    struct json j;
    enum status st;

    json_init(&j, out);
    json_open_object(&j, NULL);
    json_open_array(&j, "hosts");
    st = view_hosts(c->view, n, put_host, &j);
    json_close(&j);
    json_open_array(&j, "links");
    if (st == ST_OK)
        st = view_edges(c->view, EDGES, put_edge, &j);
    json_close(&j);
    json_close(&j);
    return st;
}

/* ---- one host ------------------------------------------------------------ */

struct host_map {
    struct json pages, links, frontier;
    struct buf pages_text, links_text, frontier_text;
    struct map edge; /* URLs of the frontier that are listed already */
    uint32_t ids[LIMIT_DASH_NODES];
    size_t count;
    size_t room; /* for URLs of the frontier */
    uint32_t from;
};

static enum status on_link(void *ctx, const struct query_target *t)
{
    struct host_map *m = ctx;
    bool fresh = false;

    if (t->page) {
        json_open_object(&m->links, NULL);
        json_put_int(&m->links, "from", m->from);
        json_put_int(&m->links, "to", t->page);
        json_close(&m->links);
    } else if (t->open && m->room > 0) {
        (void)map_at(&m->edge, hash_u64(t->url), 1, &fresh);
        if (fresh) {
            m->room--;
            json_open_object(&m->frontier, NULL);
            json_put_int(&m->frontier, "from", m->from);
            json_put_str(&m->frontier, "url", t->href);
            json_put_num(&m->frontier, "score", t->score);
            json_close(&m->frontier);
        }
    }
    return ST_OK;
}

static enum status on_page(void *ctx, const struct query_page *p)
{
    struct host_map *m = ctx;

    json_open_object(&m->pages, NULL);
    page_put(&m->pages, p, page_node);
    json_close(&m->pages);
    m->ids[m->count++] = p->id;
    return ST_OK;
}

static void part_open(struct json *j, struct buf *text)
{
    *text = BUF_INIT(LIMIT_DASH_ANSWER);
    json_init(j, text);
    json_open_array(j, NULL);
}

static void part_add(struct buf *out, const char *name, struct json *j, struct buf *text)
{
    json_close(j);
    buf_addf(out, "%s\"%s\":", name[0] == 'p' ? "{" : ",", name);
    buf_add_str(out, buf_str(text));
    buf_free(text);
}

static enum status map_host(struct dash_crawl *c, const struct map_query *q, struct buf *out)
{
    struct host_map *m = MEM_NEW(struct host_map);
    struct view_filter f = {.host = str_of(q->host), .seeds = -1, .n = q->n};
    enum status st;

    m->room = q->n;
    map_init(&m->edge);
    part_open(&m->pages, &m->pages_text);
    part_open(&m->links, &m->links_text);
    part_open(&m->frontier, &m->frontier_text);
    st = view_pages(c->view, &f, on_page, m, NULL);
    for (size_t i = 0; i < m->count && st == ST_OK; i++) {
        m->from = m->ids[i];
        st = query_targets(c->view, m->from, LINKS, on_link, m);
    }
    part_add(out, "pages", &m->pages, &m->pages_text);
    part_add(out, "links", &m->links, &m->links_text);
    part_add(out, "frontier", &m->frontier, &m->frontier_text);
    buf_add_char(out, '}');
    map_free(&m->edge);
    free(m);
    return st;
}

static enum status api_map(struct call *r)
{
    const struct map_query *q = r->params;
    struct dash_crawl *c = r->crawl;
    int64_t now = clock_now();
    enum status st = ST_OK;

    if (q->host)
        return map_host(c, q, &r->out);
    if (c->cache_map_at == 0 || c->cache_map_n != q->n ||
        (c->cache_map_version != c->version && now - c->cache_map_at > CACHE_FOR)) {
        buf_clear(&c->cache_map);
        st = map_hosts(c, q->n, &c->cache_map);
        c->cache_map_at = st == ST_OK ? now : 0;
        c->cache_map_n = q->n;
        c->cache_map_version = c->version;
    }
    if (st != ST_OK)
        return st;
    buf_add_str(&r->out, buf_str(&c->cache_map));
    return buf_check(&r->out);
}

const struct route map_routes[] = {
    {ROUTE_GET("/api/crawls/ID/map",
               "hosts and how the crawl went from one to the other; or the pages of one host",
               api_map),
     PARAMS(map_params, struct map_query),
     .answer =
         "{hosts: [{name, pages, relevance, waiting: links to it that were not followed yet "
         "(counted every few seconds), or null}], links: [{from, to, n}]}; with `host`: {pages: "
         "[{id, url, title, relevance}], links: [{from, to: page}], frontier: [{from: page, "
         "url, score}]}"},
    {.path = NULL},
};
