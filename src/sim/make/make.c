/* make.c - `brood world make`: pages to HTML and to the store.
 *
 * In: make_config. Out: a crawl directory (scribe.h).
 *
 * URLs get their numbers here: pages 1..N in order, whatever else is linked
 * after them as it is met. Moments count up from the configured day.
 *
 * Workload: 20,000 pages in some seconds, 10^6 in some minutes, one at a time.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"
#include "base/limits.h"
#include "sim/make/make_int.h"
#include "sim/make/news.h"

#include <stdlib.h>

#define PROGRESS_PAGES 100

/* ---- what every world has --------------------------------------------------
 */

static void put_resource(struct scribe *s, const struct site *site, uint32_t host, const char *path,
                         struct str type, struct str body)
{
    LOCAL_BUF url = BUF_INIT(LIMIT_URL);

    buf_addf(&url, "http://%s%s", site->host_names[host], path);
    scribe_resource(
        s, &(struct scribe_answer){
               .url = buf_str(&url), .type = type, .modified = site->config->date, .body = body});
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
    LOCAL_BUF value = BUF_INIT(100);

    option_show(o, c, &value);
    if (o->type == OPTION_CHOICE)
        json_put_z(j, o->name, value.data);
    else
        json_put_num(j, o->name, strtod(value.data, NULL));
}

void make_keys(struct scribe *s, const struct site *site)
{
    LOCAL_BUF text = BUF_INIT(MIB(4));
    struct json j;

    json_begin(&j, &text);
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
    site_page(&m->site, page, &m->text);
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
    LOCAL_BUF old = BUF_INIT(LIMIT_URL);

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

    if (site_is_front(&m->site, page))
        make_host(&m->scribe, &m->site, g->host[page], &m->text);
    TRY(make_page(m, page));
    TRY(label_page(m, page));
    if (site_has_old_path(&m->site, page))
        make_redirect(m, page);
    if (m->scribe.pages % SCRIBE_PAGES == 0)
        TRY(scribe_checkpoint(&m->scribe));
    if (m->progress && m->scribe.pages % PROGRESS_PAGES == 0 &&
        !m->progress(m->ctx, m->scribe.pages, g->pages))
        return status_fail(ST_STOPPED, "stopped after %u of %u pages", m->scribe.pages, g->pages);
    return ST_OK;
}

static enum status make_all(struct world_maker *m)
{
    make_keys(&m->scribe, &m->site);
    TRY(number_pages(m));
    for (uint32_t i = 0; i < m->site.graph->pages; i++)
        TRY(step(m, i));
    if (m->progress)
        (void)m->progress(m->ctx, m->scribe.pages, m->site.graph->pages);
    return ST_OK;
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
    TRY(make_check(config));
    return config->kind == MAKE_NEWS ? news_make(dir, config, progress, ctx)
                                     : make_topical(dir, config, progress, ctx);
}
