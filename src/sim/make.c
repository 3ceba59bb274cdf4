/* make.c - `brood world make`: pages to HTML and to the store.
 *
 * In: make_config. Out: a crawl directory. A world is written the way a crawl
 * is: for each page an arrival is built as if it had come over the network
 * (request, header block, body), parsed by parse/, and posted to store/. So
 * text and links in the database are what the crawler itself would see, and
 * everything that reads crawls reads worlds.
 *
 * URLs get their numbers here: pages 1..N in order, whatever else is linked
 * after them as it is met. Moments count up from the configured day.
 *
 * Workload: 20,000 pages in some seconds, one at a time.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "parse/page.h"
#include "parse/url_norm.h"
#include "sim/make_html.h"
#include "sim/make_site.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECKPOINT_PAGES 4000
#define PROGRESS_PAGES   100
#define STEP             (10 * US_PER_MS) /* between two fetches of the story */

#define AT(member)       .offset = offsetof(struct make_config, member)

/* In- and out-exponents of the Web after Broder et al. 2000 (2.1 and 2.7);
 * clustering of site graphs lies near 0.1 (Adamic 1999). Twenty topics of some
 * 3.5 % each, and a locality at which following relevant pages pays clearly
 * without making it trivial: in a tenth of the world best-first finds some 2.5
 * times the pages of a topic that breadth-first does (test_graph.c). */
const struct option make_option_table[] = {
    {.name = "kind",
     .type = OPTION_CHOICE,
     .fallback = "topical",
     .choices = "topical",
     .help = "what sort of web",
     AT(kind)},
    {.name = "pages",
     .type = OPTION_U32,
     .metavar = "N",
     .fallback = "2000",
     .min = 1,
     .max = 1e8,
     .help = "how many pages",
     AT(graph.pages)},
    {.name = "hosts",
     .type = OPTION_U32,
     .metavar = "N",
     .fallback = "40",
     .min = 1,
     .max = 1e6,
     .help = "how many hosts, of very different sizes",
     AT(graph.hosts)},
    {.name = "topics",
     .type = OPTION_U32,
     .metavar = "N",
     .fallback = "20",
     .min = 1,
     .max = WORDS_MAX_TOPICS,
     .help = "how many topics; the first 24 are real subjects",
     AT(graph.topics)},
    {.name = "rng",
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "1",
     .min = 0,
     .max = 9007199254740992.0,
     .help = "the seed: same numbers, same world",
     AT(graph.rng)},
    {.name = "topic-share",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.7",
     .min = 0.01,
     .max = 1,
     .help = "share of pages that have a topic, all topics together",
     AT(graph.topic_share)},
    {.name = "host-lean",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.5",
     .min = 0,
     .max = 1,
     .help = "share of a topic's pages that lie on hosts devoted to it",
     AT(graph.host_lean)},
    {.name = "out-mean",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "15",
     .min = 1,
     .max = 200,
     .help = "mean number of links of a page",
     AT(graph.out_mean)},
    {.name = "out-exponent",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "2.7",
     .min = 1.05,
     .max = 5,
     .help = "exponent of the out-degrees",
     AT(graph.out_exponent)},
    {.name = "in-exponent",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "2.1",
     .min = 1.05,
     .max = 5,
     .help = "exponent of the in-degrees",
     AT(graph.in_exponent)},
    {.name = "clustering",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.1",
     .min = 0,
     .max = 1,
     .help = "mean local clustering coefficient",
     AT(graph.clustering)},
    {.name = "locality",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.5",
     .min = 0,
     .max = 1,
     .help = "share of links that stay in their page's topic",
     AT(graph.locality)},
    {.name = "host-locality",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.3",
     .min = 0,
     .max = 0.9,
     .help = "share of links looked for on the page's own host first",
     AT(graph.host_locality)},
    {.name = "duplicates",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.02",
     .min = 0,
     .max = 0.5,
     .help = "share of pages that repeat another, half of them exactly",
     AT(graph.duplicates)},
    {.name = "words",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "250",
     .min = 20,
     .max = 5000,
     .help = "mean number of words of a page",
     AT(words)},
    {.name = "purity",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.65",
     .min = 0,
     .max = 1,
     .help = "mean share of a page's sentences that are on its topic",
     AT(purity)},
    {.name = "dead",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.03",
     .min = 0,
     .max = 0.5,
     .help = "share of links that lead to nothing",
     AT(dead)},
    {.name = "redirects",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.02",
     .min = 0,
     .max = 0.5,
     .help = "share of links that lead through a redirect",
     AT(redirects)},
    {.name = "hints",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.75",
     .min = 0,
     .max = 1,
     .help = "share of anchors that say where they lead",
     AT(hints)},
    {.name = "sitemaps",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.2",
     .min = 0,
     .max = 1,
     .help = "share of hosts with a sitemap",
     AT(sitemaps)},
    {.name = "feeds",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.4",
     .min = 0,
     .max = 1,
     .help = "share of hosts with a feed",
     AT(feeds)},
    {.name = "robots",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0.3",
     .min = 0,
     .max = 1,
     .help = "share of hosts whose robots.txt forbids a folder",
     AT(robots)},
    {.name = "crawl-delay",
     .type = OPTION_REAL,
     .metavar = "X",
     .fallback = "0",
     .min = 0,
     .max = 3600,
     .help = "seconds that every robots.txt asks for; 0: nothing is asked",
     AT(crawl_delay)},
    {.name = NULL},
};

void make_config_init(struct make_config *c)
{
    *c = (struct make_config){
        .date = INT64_C(1767225600) * US_PER_S, /* 2026-01-01 */
        .software = "brood",
    };
    options_init(make_option_table, c);
}

/* Callers may have filled the struct by hand: every value is read once more. */
static enum status check(const struct make_config *c)
{
    struct make_config copy = *c;
    enum status st = ST_OK;

    for (const struct option *o = make_option_table; st == ST_OK && o->name; o++) {
        struct buf text = BUF_INIT(100);

        option_show(o, c, &text);
        st = option_set(o, &copy, buf_str(&text));
        buf_free(&text);
    }
    return st;
}

/* ---- arrivals ------------------------------------------------------------ */

struct maker {
    struct site site;
    struct store *store;
    struct page_parser *parser;
    struct map urls;       /* url_key() -> number of the URL */
    uint32_t next_url;     /* number the next new URL gets */
    uint32_t pages;        /* posted so far */
    int64_t now;           /* moment of the story */
    struct buf text, head; /* used again for every page */
    make_progress_fn *progress;
    void *ctx;
};

static struct str status_line(int status)
{
    return status == 301   ? STR("HTTP/1.1 301 Moved Permanently\r\n")
           : status == 302 ? STR("HTTP/1.1 302 Found\r\n")
                           : STR("HTTP/1.1 200 OK\r\n");
}

/* The header block; `location` is empty but for redirects. */
static void put_head(struct maker *m, int status, struct str type, struct str location,
                     int64_t modified, struct str body)
{
    struct buf *h = &m->head;

    buf_clear(h);
    (void)buf_add_str(h, status_line(status));
    (void)buf_add_z(h, "Server: brood-world\r\nDate: ");
    site_http_date(m->now, h);
    (void)buf_addf(h, "\r\nContent-Type: %.*s\r\nContent-Length: %zu\r\n", STR_ARG(type), body.len);
    if (location.len) {
        (void)buf_addf(h, "Location: %.*s\r\n", STR_ARG(location));
    } else {
        (void)buf_addf(h,
                       "ETag: \"%016llx\"\r\nLast-Modified: ", (unsigned long long)hash_str(body));
        site_http_date(modified, h);
        (void)buf_add_z(h, "\r\n");
    }
    (void)buf_add_z(h, "\r\n");
}

/* The value of a field of the head just written, in the arrival's memory. */
static struct str field(struct str head, struct str name)
{
    size_t at = str_find(head, name, 0);

    if (at == SIZE_MAX)
        return (struct str){"", 0};
    size_t end = str_find_char(head, '\r', at);
    return str_sub(head, at + name.len, end);
}

/* Every host of the story has an address of its own in 127.0.0.0/8. */
static struct address address_of(struct str host)
{
    uint64_t h = hash_str(host);

    return (struct address){
        .family = 4,
        .bytes = {127, (uint8_t)(h >> 8), (uint8_t)(h >> 16), (uint8_t)(1 + (h >> 24) % 254)}};
}

static struct arrival *arrive(struct maker *m, struct str url, int status, struct str body)
{
    struct str scheme, host, path, none = {"", 0};
    uint16_t port;
    char sent[LIMIT_URL + 512];

    url_split(url, &scheme, &host, &port, &path);
    struct arrival *a = arrival_new(request_new(REQUEST_PAGE, url, host, none, none));
    struct reply *r = &a->reply;
    int len = snprintf(sent, sizeof sent, "GET %.*s HTTP/1.1\r\nHost: %.*s\r\nAccept: */*\r\n\r\n",
                       STR_ARG(path), STR_ARG(host));

    a->request->port = a->request->connect_port = port;
    a->request->address = address_of(host);
    r->status = status;
    r->sent = arena_str(&a->memory, (struct str){sent, (size_t)len});
    r->head = arena_str(&a->memory, buf_str(&m->head));
    (void)buf_add_str(&r->body, body);
    r->peer = a->request->address;
    r->connect_port = port;
    r->started_at = m->now;
    r->first_byte_at = m->now + 5 * US_PER_MS;
    r->done_at = m->now + 6 * US_PER_MS;
    r->content_type = field(r->head, STR("Content-Type: "));
    r->location = field(r->head, STR("Location: "));
    r->etag = field(r->head, STR("ETag: "));
    r->last_modified = field(r->head, STR("Last-Modified: "));
    a->payload_hash = hash_str(body);
    return a;
}

static void post(struct maker *m, struct event *e)
{
    e->at = m->now;
    store_post(m->store, e);
}

static enum status checkpoint(struct maker *m)
{
    struct event e = {.kind = EVENT_CHECKPOINT, .checkpoint = {.pages = m->pages}};
    char text[512];

    post(m, &e);
    enum status st = store_health(m->store, text, sizeof text);
    return st == ST_OK ? ST_OK : status_fail(st, "%s", text);
}

/* ---- pages --------------------------------------------------------------- */

/* Numbers the links of a page: those of the world are known, others are new. */
static void mark_links(struct maker *m, struct arrival *a)
{
    a->marks = arena_array(&a->memory, a->page->nlinks + 1, sizeof *a->marks);
    for (uint32_t i = 0; i < a->page->nlinks; i++) {
        bool fresh = false;
        uint32_t *number = map_at(&m->urls, a->page->links[i].key, m->next_url, &fresh);

        m->next_url += fresh;
        a->marks[i] = (struct link_mark){.url = *number, .score = NAN, .is_new = fresh};
    }
}

static enum status parse(struct maker *m, struct arrival *a, struct str url)
{
    struct page_input in = {.payload = buf_str(&a->reply.body),
                            .url = url,
                            .content_type = a->reply.content_type,
                            .last_modified = a->reply.last_modified,
                            .now = m->now};

    if (page_parse(m->parser, &in, &a->memory, &a->page) != DROP_NONE)
        return status_fail(ST_INTERNAL, "the page made for %.*s is no document", STR_ARG(url));
    return ST_OK;
}

static enum status make_page(struct maker *m, uint32_t page, struct buf *url)
{
    uint32_t copy_of = m->site.graph->copy_of[page];

    buf_clear(&m->text);
    buf_clear(url);
    html_page(&m->site, page, &m->text);
    site_url(&m->site, page, false, url);
    put_head(m, 200, STR("text/html; charset=utf-8"), STR(""), site_date(&m->site, page),
             buf_str(&m->text));
    struct arrival *a = arrive(m, buf_str(url), 200, buf_str(&m->text));
    enum status st = parse(m, a, buf_str(url));

    if (st == ST_OK) {
        struct event e = {
            .kind = EVENT_PAGE,
            .page = {.arrival = a,
                     .id = page + 1,
                     .dup_of = copy_of == GRAPH_NONE ? 0 : copy_of + 1,
                     .exact_dup = copy_of != GRAPH_NONE && site_copy_is_exact(&m->site, page)}};
        a->request->choice.url = page + 1;
        mark_links(m, a);
        post(m, &e);
        m->pages++;
        m->now += STEP;
    }
    arrival_release(a);
    return st;
}

/* The old address of a page: an archived redirect. */
static void make_redirect(struct maker *m, uint32_t page, struct buf *url)
{
    static const char text[] =
        "<!DOCTYPE html>\n<title>Moved</title>\n<p>This page has moved.</p>\n";
    int status = page % 2 ? 301 : 302;
    bool fresh = false;

    buf_clear(url);
    site_url(&m->site, page, false, url);
    put_head(m, status, STR("text/html; charset=utf-8"), buf_str(url), 0, STR(text));
    buf_clear(url);
    site_url(&m->site, page, true, url);
    struct arrival *a = arrive(m, buf_str(url), status, STR(text));
    uint32_t *number = map_at(&m->urls, url_key(buf_str(url)), m->next_url, &fresh);

    m->next_url += fresh;
    a->request->choice.url = *number;
    if (fresh)
        post(m, &(struct event){.kind = EVENT_URL, .url = {.id = *number, .url = buf_str(url)}});
    post(m,
         &(struct event){
             .kind = EVENT_OUTCOME,
             .outcome = {.arrival = a, .url = *number, .redirect_to = page + 1, .is_final = true}});
    m->now += STEP;
    arrival_release(a);
}

/* ---- hosts --------------------------------------------------------------- */

static void make_resource(struct maker *m, uint32_t host, const char *path, struct str type)
{
    struct buf url = BUF_INIT(LIMIT_URL);

    (void)buf_addf(&url, "http://%s%s", m->site.host_names[host], path);
    put_head(m, 200, type, STR(""), m->site.config->date, buf_str(&m->text));
    struct arrival *a = arrive(m, buf_str(&url), 200, buf_str(&m->text));

    a->request->kind = REQUEST_ROBOTS;
    post(m, &(struct event){.kind = EVENT_RESOURCE, .resource = {.arrival = a}});
    m->now += STEP;
    arrival_release(a);
    buf_free(&url);
}

static void make_host(struct maker *m, uint32_t host)
{
    buf_clear(&m->text);
    site_robots(&m->site, host, &m->text);
    make_resource(m, host, "/robots.txt", STR("text/plain; charset=utf-8"));
    if (site_has_sitemap(&m->site, host)) {
        buf_clear(&m->text);
        site_sitemap(&m->site, host, &m->text);
        make_resource(m, host, "/sitemap.xml", STR("application/xml"));
    }
    if (site_has_feed(&m->site, host)) {
        buf_clear(&m->text);
        site_feed(&m->site, host, &m->text);
        make_resource(m, host, "/feed.xml",
                      host % 2 ? STR("application/atom+xml") : STR("application/rss+xml"));
    }
}

/* ---- the whole ----------------------------------------------------------- */

static void post_key(struct maker *m, const char *name, struct str value)
{
    struct event e = {.kind = EVENT_KEY, .key = {str_of(name), value}};

    post(m, &e);
}

/* crawl('world') and crawl('topics'): what the world was made from. */
static void post_keys(struct maker *m)
{
    struct buf text = BUF_INIT(MIB(4));
    struct json j;

    json_init(&j, &text);
    json_open_object(&j, NULL);
    json_put_z(&j, "kind", "topical");
    for (const struct option *o = make_option_table + 1; o->name; o++) {
        struct buf value = BUF_INIT(100);

        option_show(o, m->site.config, &value);
        json_put_num(&j, o->name, strtod(value.data, NULL));
        buf_free(&value);
    }
    json_close(&j);
    post_key(m, "world", buf_str(&text));
    buf_clear(&text);
    json_init(&j, &text);
    json_open_object(&j, NULL);
    for (uint32_t t = 0; t < m->site.graph->topics; t++) {
        char *name = str_dup(words_name(m->site.words, t));

        json_put_str(&j, name, words_query(m->site.words, t));
        free(name);
    }
    json_close(&j);
    post_key(m, "topics", buf_str(&text));
    buf_free(&text);
}

/* All pages get their numbers before the first link names one. */
static enum status number_pages(struct maker *m, struct buf *url)
{
    for (uint32_t i = 0; i < m->site.graph->pages; i++) {
        bool fresh = false;

        buf_clear(url);
        site_url(&m->site, i, false, url);
        (void)map_at(&m->urls, url_key(buf_str(url)), i + 1, &fresh);
        if (!fresh)
            return status_fail(ST_INTERNAL, "two pages of the world share the address %s",
                               url->data);
        post(m, &(struct event){.kind = EVENT_URL,
                                .url = {.id = i + 1, .url = buf_str(url), .seed = i == 0}});
    }
    m->next_url = m->site.graph->pages + 1;
    return ST_OK;
}

static enum status label_page(struct maker *m, uint32_t page, struct str url)
{
    uint32_t topic = m->site.graph->topic[page];

    if (topic == GRAPH_NONE)
        return ST_OK;
    return store_label(m->store, url, words_name(m->site.words, topic));
}

static enum status step(struct maker *m, uint32_t page, struct buf *url)
{
    const struct graph *g = m->site.graph;
    enum status st;

    if (site_is_front(&m->site, page))
        make_host(m, g->host[page]);
    st = make_page(m, page, url);
    if (st == ST_OK)
        st = label_page(m, page, buf_str(url));
    if (st == ST_OK && site_has_old_path(&m->site, page))
        make_redirect(m, page, url);
    if (st == ST_OK && m->pages % CHECKPOINT_PAGES == 0)
        st = checkpoint(m);
    if (st == ST_OK && m->progress && m->pages % PROGRESS_PAGES == 0 &&
        !m->progress(m->ctx, m->pages, g->pages))
        st = status_fail(ST_STOPPED, "stopped after %u of %u pages", m->pages, g->pages);
    return st;
}

static enum status make_all(struct maker *m)
{
    struct buf url = BUF_INIT(LIMIT_URL);
    enum status st;

    post_keys(m);
    st = number_pages(m, &url);
    for (uint32_t i = 0; i < m->site.graph->pages && st == ST_OK; i++)
        st = step(m, i, &url);
    if (st == ST_OK)
        st = checkpoint(m);
    if (st == ST_OK && m->progress)
        (void)m->progress(m->ctx, m->pages, m->site.graph->pages);
    buf_free(&url);
    return st;
}

static enum status make_in(const char *dir, const struct make_config *config, struct graph *graph,
                           make_progress_fn *progress, void *ctx)
{
    struct store_config sc = {.warc = true,
                              .warc_level = 1,
                              .warc_size = UINT64_C(1000000000),
                              .software = config->software,
                              .robots = "obey",
                              .full_text = false};
    struct maker m = {.now = config->date,
                      .text = BUF_INIT(LIMIT_BODY),
                      .head = BUF_INIT(KIB(16)),
                      .progress = progress,
                      .ctx = ctx};
    enum status st = store_create(dir, &sc, &m.store);

    if (st != ST_OK)
        return st;
    site_init(&m.site, config, graph);
    m.parser = page_parser_new();
    map_init(&m.urls);
    st = make_all(&m);
    if (st == ST_OK) {
        st = store_close(m.store, NULL, NULL);
    } else { /* the first fault is the one to tell */
        char *why = str_dup(str_of(status_text()));

        (void)!store_close(m.store, NULL, NULL);
        (void)status_fail(st, "%s", why);
        free(why);
    }
    map_free(&m.urls);
    page_parser_free(m.parser);
    site_clear(&m.site);
    buf_free(&m.text);
    buf_free(&m.head);
    return st;
}

enum status world_make(const char *dir, const struct make_config *config,
                       make_progress_fn *progress, void *ctx)
{
    struct graph *graph = NULL;
    enum status st = check(config);

    if (st == ST_OK)
        st = graph_make(&config->graph, &graph);
    if (st == ST_OK && config->clustering)
        *config->clustering = graph->clustering;
    if (st == ST_OK)
        st = make_in(dir, config, graph, progress, ctx);
    graph_free(graph);
    return st;
}
