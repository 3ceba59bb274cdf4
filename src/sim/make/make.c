/* make.c - `brood world make`: pages to HTML and to the store.
 *
 * In: make_config. Out: a crawl directory (scribe.h).
 *
 * URLs get their numbers here: pages 1..N in order, whatever else is linked
 * after them as it is met. Moments count up from the configured day.
 *
 * Workload: 20,000 pages in some seconds, one at a time.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "parse/url_norm.h"
#include "sim/make/make_int.h"
#include "sim/make/news.h"
#include "sim/make/prose.h"

#include <math.h>
#include <stdlib.h>

/* ---- a page as HTML ------------------------------------------------------ */

#define INLINE_SHARE 0.5 /* links that stand in the text */

struct page_writer {
    const struct site *s;
    struct buf *out;
    uint32_t page;   /* whose text: the original of a copy */
    uint32_t topic;  /* of the page */
    uint32_t side;   /* the second topic */
    double purity;   /* share of sentences on the topic */
    struct rng text; /* what is said */
    struct rng link; /* how links are put */
};

static uint32_t any_topic(struct page_writer *w)
{
    return (uint32_t)rng_below(&w->text, w->s->graph->topics);
}

/* What the next sentence is about. */
static uint32_t subject(struct page_writer *w)
{
    double u = rng_unit(&w->text), rest;

    if (w->topic != GRAPH_NONE && u < w->purity)
        return w->topic;
    rest = rng_unit(&w->text);
    if (rest < (w->topic == GRAPH_NONE ? 0.75 : 0.5))
        return WORDS_NONE;
    return rest < 0.9 ? w->side : any_topic(w);
}

static void add(struct page_writer *w, const char *text)
{
    buf_add_z(w->out, text);
}

/* ---- links --------------------------------------------------------------- */

static void put_href(struct page_writer *w, uint32_t target, bool old)
{
    const struct graph *g = w->s->graph;

    if (g->host[target] != g->host[w->page])
        buf_addf(w->out, "http://%s", w->s->host_names[g->host[target]]);
    if (old)
        site_old_path(w->s, target, w->out);
    else
        site_path(w->s, target, w->out);
}

static void put_anchor(struct page_writer *w, uint32_t target)
{
    double u = rng_unit(&w->link), hints = w->s->config->hints;

    if (u < hints * 0.6)
        site_title(w->s, target, w->out);
    else if (u < hints)
        prose_phrase(w->s->words, w->s->graph->topic[target], &w->link, w->out);
    else
        buf_add_str(w->out, prose_vague(&w->link));
}

static void put_link(struct page_writer *w, uint32_t target)
{
    bool old = site_has_old_path(w->s, target) && rng_unit(&w->link) < 0.5;

    add(w, "<a href=\"");
    put_href(w, target, old);
    add(w, "\">");
    put_anchor(w, target);
    add(w, "</a>");
}

/* A link to something that is gone: on a host that is there, in a folder that
 * robots.txt forbids, or on a host that is no longer. */
static void put_dead_link(struct page_writer *w)
{
    const struct graph *g = w->s->graph;
    uint32_t host = (uint32_t)rng_below(&w->link, g->hosts);
    unsigned number = (unsigned)rng_below(&w->link, 1000000);

    add(w, "<a href=\"http://");
    if (number % 10 == 0)
        buf_addf(w->out, "lost-%s/%u.html", w->s->host_names[host], number);
    else
        buf_addf(w->out, "%s/%s/%u.html", w->s->host_names[host],
                 site_has_private(w->s, host) ? "private" : "gone", number);
    add(w, "\">");
    prose_phrase(w->s->words, g->host_topic[host], &w->link, w->out);
    add(w, "</a>");
}

/* ---- text ---------------------------------------------------------------- */

static void put_sentence(struct page_writer *w)
{
    prose_sentence(w->s->words, subject(w), &w->text, w->out);
}

/* A sentence around a link. */
static void put_linked(struct page_writer *w, uint32_t target)
{
    static const struct {
        const char *before, *after;
    } frames[] = {
        {"See also ", "."},
        {"More is written in ", "."},
        {"", " has the details."},
        {"Compare this with ", ", which is older."},
        {"The same was said in ", "."},
    };
    size_t f = rng_below(&w->link, ARRAY_LEN(frames));

    add(w, frames[f].before);
    put_link(w, target);
    add(w, frames[f].after);
}

static void put_head(struct page_writer *w, struct str title)
{
    const struct site *s = w->s;
    uint32_t host = s->graph->host[w->page];
    char date[CLOCK_TEXT];

    clock_format(site_date(s, w->page), 0, date);
    buf_addf(w->out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<title>%.*s - %s</title>\n<meta name=\"description\" content=\"",
             STR_ARG(title), s->host_names[host]);
    prose_sentence(s->words, w->topic, &w->text, w->out);
    buf_addf(w->out, "\">\n<meta property=\"article:published_time\" content=\"%s\">\n", date);
    if (site_is_front(s, w->page) && site_has_feed(s, host))
        buf_addf(w->out,
                 "<link rel=\"alternate\" type=\"application/%s+xml\" href=\"/feed.xml\">\n",
                 host % 2 ? "atom" : "rss");
    add(w, "</head>\n<body>\n");
}

static void put_byline(struct page_writer *w)
{
    char date[CLOCK_TEXT];

    clock_format(site_date(w->s, w->page), 0, date);
    buf_addf(w->out, "<p class=\"byline\">By %.*s, <time datetime=\"%.10s\">%.10s</time></p>\n",
             STR_ARG(prose_person(&w->text)), date, date);
}

static void put_heading(struct page_writer *w)
{
    add(w, "<h2>");
    prose_title(w->s->words, w->topic, &w->text, w->out);
    add(w, "</h2>\n");
}

/* `links` are spread evenly over `sentences`. */
static void put_article(struct page_writer *w, unsigned sentences, const uint32_t *links,
                        size_t nlinks)
{
    size_t put = 0;

    add(w, "<p>");
    for (unsigned i = 0; i < sentences; i++) {
        put_sentence(w);
        add(w, " ");
        while (put < nlinks && put * sentences < (i + 1) * nlinks) {
            put_linked(w, links[put++]);
            add(w, " ");
        }
        if (i + 1 == sentences || rng_below(&w->text, 5) != 0)
            continue;
        add(w, "</p>\n");
        if (rng_below(&w->text, 3) == 0)
            put_heading(w);
        add(w, "<p>");
    }
    while (put < nlinks)
        put_linked(w, links[put++]);
    add(w, "</p>\n");
}

static void put_list(struct page_writer *w, const uint32_t *links, size_t nlinks, unsigned dead)
{
    add(w, "<aside>\n<h2>See also</h2>\n<ul>\n");
    for (size_t i = 0; i < nlinks; i++) {
        add(w, "<li>");
        put_link(w, links[i]);
        add(w, "</li>\n");
    }
    for (unsigned i = 0; i < dead; i++) {
        add(w, "<li>");
        put_dead_link(w);
        add(w, "</li>\n");
    }
    add(w, "</ul>\n</aside>\n");
}

/* ---- the page ------------------------------------------------------------ */

/* How many sentences: between a quarter and four times the mean, skewed. */
static unsigned length(struct page_writer *w)
{
    double spread = exp(0.5 * rng_normal(&w->text) - 0.125);
    double words = w->s->config->words * fmin(fmax(spread, 0.25), 4);

    return (unsigned)fmax(2, words / PROSE_WORDS);
}

static unsigned count_dead(struct page_writer *w, size_t links)
{
    double rate = w->s->config->dead / (1 - w->s->config->dead);
    unsigned dead = 0;

    for (size_t i = 0; i < links; i++)
        dead += rng_unit(&w->link) < rate;
    return dead;
}

/* The links of the page but the one home, which stands in the header. */
static size_t take_links(const struct page_writer *w, uint32_t *ret, bool *ret_home)
{
    const struct graph *g = w->s->graph;
    uint32_t home = g->host_first[g->host[w->page]];
    size_t n = 0;

    *ret_home = false;
    for (uint64_t l = g->off[w->page]; l < g->off[w->page + 1]; l++)
        if (g->to[l] == home)
            *ret_home = true;
        else
            ret[n++] = g->to[l];
    return n;
}

static void put_body(struct page_writer *w, struct str title)
{
    const struct graph *g = w->s->graph;
    const char *host = w->s->host_names[g->host[w->page]];
    uint32_t *links = mem_alloc((g->off[w->page + 1] - g->off[w->page] + 1) * sizeof *links);
    bool home = false;
    size_t nlinks = take_links(w, links, &home);
    size_t within = (size_t)((double)nlinks * INLINE_SHARE + rng_unit(&w->link));
    unsigned dead = count_dead(w, nlinks);

    buf_addf(w->out,
             home ? "<header><nav><a href=\"/\">%s</a></nav></header>\n" : "<header>%s</header>\n",
             host);
    buf_addf(w->out, "<main>\n<article>\n<h1>%.*s</h1>\n", STR_ARG(title));
    put_byline(w);
    put_article(w, length(w), links, within);
    add(w, "</article>\n");
    if (nlinks > within || dead > 0)
        put_list(w, links + within, nlinks - within, dead);
    add(w, "</main>\n");
    free(links);
}

/* Appends the whole document of a page. Every link of the graph stands in it
 * once, besides dead ones; no text holds a character that needs escaping. */
void html_page(const struct site *s, uint32_t page, struct buf *out)
{
    uint32_t original = site_original(s, page);
    struct page_writer w = {.s = s,
                            .out = out,
                            .page = original,
                            .topic = s->graph->topic[original],
                            .text = site_rng(s, STREAM_TEXT, original),
                            .link = site_rng(s, STREAM_LINKS, original)};
    struct buf title = BUF_INIT(1024);

    w.side = any_topic(&w);
    w.purity = fmin(fmax(s->config->purity + 0.2 * rng_normal(&w.text), 0.2), 0.97);
    site_title(s, original, &title);
    put_head(&w, buf_str(&title));
    put_body(&w, buf_str(&title));
    if (page != original && !site_copy_is_exact(s, page))
        buf_addf(out, "<p class=\"note\">Copy number %u, made for printing.</p>\n", page);
    buf_addf(out, "<footer>%s</footer>\n</body>\n</html>\n", s->host_names[s->graph->host[page]]);
    buf_free(&title);
}

#define PROGRESS_PAGES 100

/* ---- what every world has --------------------------------------------------
 */

static void put_resource(struct scribe *s, const struct site *site, uint32_t host, const char *path,
                         struct str type, struct str body)
{
    struct buf url = BUF_INIT(LIMIT_URL);

    buf_addf(&url, "http://%s%s", site->host_names[host], path);
    scribe_resource(
        s, &(struct scribe_answer){
               .url = buf_str(&url), .type = type, .modified = site->config->date, .body = body});
    buf_free(&url);
}

void make_host(struct scribe *s, const struct site *site, uint32_t host, struct buf *text)
{
    buf_clear(text);
    site_robots(site, host, text);
    put_resource(s, site, host, "/robots.txt", STR("text/plain; charset=utf-8"), buf_str(text));
    if (site_has_sitemap(site, host)) {
        buf_clear(text);
        site_sitemap(site, host, text);
        put_resource(s, site, host, "/sitemap.xml", STR("application/xml"), buf_str(text));
    }
    if (site_has_feed(site, host)) {
        buf_clear(text);
        site_feed(site, host, text);
        put_resource(s, site, host, "/feed.xml",
                     host % 2 ? STR("application/atom+xml") : STR("application/rss+xml"),
                     buf_str(text));
    }
}

static void put_value(struct json *j, const struct option *o, const struct make_config *c)
{
    struct buf value = BUF_INIT(100);

    option_show(o, c, &value);
    if (o->type == OPTION_CHOICE)
        json_put_z(j, o->name, value.data);
    else
        json_put_num(j, o->name, strtod(value.data, NULL));
    buf_free(&value);
}

void make_keys(struct scribe *s, const struct site *site)
{
    struct buf text = BUF_INIT(MIB(4));
    struct json j;

    json_init(&j, &text);
    json_open_object(&j, NULL);
    for (const struct option *o = make_option_table; o->name; o++)
        put_value(&j, o, site->config);
    json_close(&j);
    scribe_key(s, "world", buf_str(&text));
    buf_clear(&text);
    json_init(&j, &text);
    json_open_object(&j, NULL);
    for (uint32_t t = 0; t < words_topics(site->words); t++) {
        char *name = str_dup(words_name(site->words, t));

        json_put_str(&j, name, words_query(site->words, t));
        free(name);
    }
    json_close(&j);
    scribe_key(s, "topics", buf_str(&text));
    buf_free(&text);
}

/* ---- topical ----------------------------------------------------------------
 */

struct world_maker {
    struct site site;
    struct scribe scribe;
    struct buf text, url; /* used again for every page */
    make_progress_fn *progress;
    void *ctx;
};

static enum status make_page(struct world_maker *m, uint32_t page)
{
    uint32_t copy_of = m->site.graph->copy_of[page];

    buf_clear(&m->text);
    buf_clear(&m->url);
    html_page(&m->site, page, &m->text);
    site_url(&m->site, page, false, &m->url);
    return scribe_page(&m->scribe,
                       &(struct scribe_answer){.url = buf_str(&m->url),
                                               .type = STR("text/html; charset=utf-8"),
                                               .modified = site_date(&m->site, page),
                                               .body = buf_str(&m->text),
                                               .dup_of = copy_of == GRAPH_NONE ? 0 : copy_of + 1,
                                               .exact_dup = copy_of != GRAPH_NONE &&
                                                            site_copy_is_exact(&m->site, page)});
}

/* The old address of a page: an archived redirect. */
static void make_redirect(struct world_maker *m, uint32_t page)
{
    struct buf old = BUF_INIT(LIMIT_URL);

    buf_clear(&m->url);
    site_url(&m->site, page, false, &m->url);
    site_url(&m->site, page, true, &old);
    scribe_outcome(&m->scribe,
                   &(struct scribe_answer){.url = buf_str(&old),
                                           .status = page % 2 ? 301 : 302,
                                           .type = STR("text/html; charset=utf-8"),
                                           .location = buf_str(&m->url),
                                           .body = STR("<!DOCTYPE html>\n<title>Moved</title>\n"
                                                       "<p>This page has moved.</p>\n")},
                   buf_str(&m->url));
    buf_free(&old);
}

/* All pages get their numbers before the first link names one. */
static enum status number_pages(struct world_maker *m)
{
    for (uint32_t i = 0; i < m->site.graph->pages; i++) {
        buf_clear(&m->url);
        site_url(&m->site, i, false, &m->url);
        if (scribe_url(&m->scribe, buf_str(&m->url), i == 0) != i + 1)
            return status_fail(ST_INTERNAL, "two pages of the world share the address %s",
                               m->url.data);
    }
    return ST_OK;
}

static enum status label_page(struct world_maker *m, uint32_t page)
{
    uint32_t topic = m->site.graph->topic[page];

    if (topic == GRAPH_NONE)
        return ST_OK;
    return scribe_label(&m->scribe, buf_str(&m->url), words_name(m->site.words, topic));
}

static enum status step(struct world_maker *m, uint32_t page)
{
    const struct graph *g = m->site.graph;
    enum status st;

    if (site_is_front(&m->site, page))
        make_host(&m->scribe, &m->site, g->host[page], &m->text);
    st = make_page(m, page);
    if (st == ST_OK)
        st = label_page(m, page);
    if (st == ST_OK && site_has_old_path(&m->site, page))
        make_redirect(m, page);
    if (st == ST_OK && m->scribe.pages % SCRIBE_PAGES == 0)
        st = scribe_checkpoint(&m->scribe);
    if (st == ST_OK && m->progress && m->scribe.pages % PROGRESS_PAGES == 0 &&
        !m->progress(m->ctx, m->scribe.pages, g->pages))
        st = status_fail(ST_STOPPED, "stopped after %u of %u pages", m->scribe.pages, g->pages);
    return st;
}

static enum status make_all(struct world_maker *m)
{
    enum status st;

    make_keys(&m->scribe, &m->site);
    st = number_pages(m);
    for (uint32_t i = 0; i < m->site.graph->pages && st == ST_OK; i++)
        st = step(m, i);
    if (st == ST_OK && m->progress)
        (void)m->progress(m->ctx, m->scribe.pages, m->site.graph->pages);
    return st;
}

static enum status make_topical(const char *dir, const struct make_config *config,
                                make_progress_fn *progress, void *ctx)
{
    struct world_maker m = {
        .text = BUF_INIT(LIMIT_BODY), .url = BUF_INIT(LIMIT_URL), .progress = progress, .ctx = ctx};
    struct graph *graph = NULL;
    enum status st = graph_make(&config->graph, &graph);

    if (st != ST_OK)
        return st;
    if (config->result)
        *config->result = (struct make_result){.clustering = graph->clustering};
    st = scribe_open(&m.scribe, dir, config->software, config->date);
    if (st == ST_OK) {
        site_init(&m.site, config, graph);
        st = scribe_close(&m.scribe, make_all(&m));
        site_clear(&m.site);
    }
    buf_free(&m.text);
    buf_free(&m.url);
    graph_free(graph);
    return st;
}

enum status world_make(const char *dir, const struct make_config *config,
                       make_progress_fn *progress, void *ctx)
{
    enum status st = make_check(config);

    if (st != ST_OK)
        return st;
    return config->kind == MAKE_NEWS ? news_make(dir, config, progress, ctx)
                                     : make_topical(dir, config, progress, ctx);
}
