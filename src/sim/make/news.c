/* news.c - `brood world make --kind news`: the story written down.
 *
 * In: struct news_world. Out: a crawl directory (scribe.h). First what stands at the
 * beginning, host by host, then event by event, every version as it appears.
 *
 * Workload: 50,000 versions in under a minute.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/news.h"

#include "base/limits.h"

#include <math.h>
#include <stdio.h>

#define PROGRESS_EVENTS 100

struct reporter {
    struct news_world news;
    struct scribe scribe;
    struct buf text, url;
    make_progress_fn *progress;
    void *ctx;
};

/* ---- one version --------------------------------------------------------------- */

/* The document in r->text at the address in r->url. *first is the number of the page's
 * first version, set where this is it. */
static enum status put_version(struct reporter *r, int64_t at, uint32_t *first)
{
    enum status st =
        scribe_page(&r->scribe, &(struct scribe_answer){.url = buf_str(&r->url),
                                                        .type = STR("text/html; charset=utf-8"),
                                                        .modified = at,
                                                        .body = buf_str(&r->text),
                                                        .at = at,
                                                        .version_of = *first});

    if (st == ST_OK && *first == 0)
        *first = r->scribe.pages;
    if (st == ST_OK && r->scribe.pages % SCRIBE_PAGES == 0)
        st = scribe_checkpoint(&r->scribe);
    return st;
}

static void clear(struct reporter *r)
{
    buf_clear(&r->text);
    buf_clear(&r->url);
}

static enum status put_article(struct reporter *r, uint32_t article, int64_t at)
{
    struct news_article *a = &r->news.articles[article];
    bool is_new = a->page == 0;
    enum status st;

    clear(r);
    news_article_html(&r->news, article, at, &r->text);
    news_article_url(&r->news, article, &r->url);
    st = put_version(r, at, &a->page);
    if (st == ST_OK && is_new && a->topic != WORDS_NONE)
        st = scribe_label(&r->scribe, buf_str(&r->url), words_name(r->news.site.words, a->topic));
    return st;
}

static enum status put_front(struct reporter *r, uint32_t host, int64_t at)
{
    clear(r);
    news_list_html(&r->news, host, UINT32_MAX, at, &r->text);
    buf_addf(&r->url, "http://%s/", r->news.site.host_names[host]);
    return put_version(r, at, &r->news.hosts[host].front);
}

static enum status put_section(struct reporter *r, uint32_t host, uint32_t section, int64_t at)
{
    clear(r);
    news_list_html(&r->news, host, section, at, &r->text);
    news_section_url(&r->news, host, section, &r->url);
    return put_version(r, at, &r->news.hosts[host].sections[section]);
}

/* The page of a day that is over; nothing where nothing was written. */
static enum status put_day(struct reporter *r, uint32_t host, int64_t day, int64_t at,
                           bool *ret_put)
{
    size_t from, to = news_of_day(&r->news, host, day, &from);
    uint32_t first = 0;

    *ret_put = to > from;
    if (!*ret_put)
        return ST_OK;
    clear(r);
    news_day_html(&r->news, host, day, &r->text);
    news_day_url(&r->news, host, day, &r->url);
    return put_version(r, at, &first);
}

static enum status put_index(struct reporter *r, uint32_t host, int64_t until, int64_t at)
{
    clear(r);
    news_index_html(&r->news, host, until, &r->text);
    buf_addf(&r->url, "http://%s/archive/", r->news.site.host_names[host]);
    return put_version(r, at, &r->news.hosts[host].index);
}

/* ---- the beginning, and what happens ---------------------------------------------- */

static enum status begin_host(struct reporter *r, uint32_t host)
{
    struct news_world *n = &r->news;
    struct news_host *h = &n->hosts[host];
    int64_t today = n->begin / NEWS_DAY;
    enum status st;
    bool put;

    make_host(&r->scribe, &n->site, host, &r->text);
    st = put_front(r, host, n->begin);
    for (uint32_t s = 0; s < h->nsections && st == ST_OK; s++)
        st = put_section(r, host, s, n->begin);
    if (st == ST_OK)
        st = put_index(r, host, today - 1, n->begin);
    for (int64_t day = today - (int64_t)ceil(n->config.news.backlog); day < today && st == ST_OK;
         day++)
        st = put_day(r, host, day, n->begin, &put);
    for (size_t i = 0; i < h->born && st == ST_OK; i++)
        if (n->articles[h->articles[i]].gone > n->begin)
            st = put_article(r, h->articles[i], n->begin);
    return st;
}

static enum status on_birth(struct reporter *r, const struct news_event *e)
{
    const struct news_article *a = &r->news.articles[e->of];
    enum status st = put_article(r, e->of, e->at);

    r->news.hosts[a->host].born++;
    if (st == ST_OK)
        st = put_section(r, a->host, a->section, e->at);
    return st == ST_OK ? put_front(r, a->host, e->at) : st;
}

static enum status on_change(struct reporter *r, const struct news_event *e)
{
    r->news.articles[e->of].changes++;
    return put_article(r, e->of, e->at);
}

static enum status on_end(struct reporter *r, const struct news_event *e)
{
    clear(r);
    news_article_url(&r->news, e->of, &r->url);
    scribe_gone(&r->scribe, buf_str(&r->url), e->at);
    return ST_OK;
}

static enum status on_midnight(struct reporter *r, const struct news_event *e)
{
    int64_t yesterday = e->at / NEWS_DAY - 1;
    bool put = false;
    enum status st = put_day(r, e->of, yesterday, e->at, &put);

    return st == ST_OK && put ? put_index(r, e->of, yesterday, e->at) : st;
}

static enum status tell(struct reporter *r)
{
    static enum status (*const on[])(struct reporter * r, const struct news_event *e) = {
        [NEWS_BIRTH] = on_birth,
        [NEWS_CHANGE] = on_change,
        [NEWS_END] = on_end,
        [NEWS_MIDNIGHT] = on_midnight,
    };
    size_t total = r->news.nevents + r->news.frame.hosts, done = 0;
    enum status st = ST_OK;

    for (; done < total && st == ST_OK; done++) {
        size_t event = done - r->news.frame.hosts;

        if (done < r->news.frame.hosts)
            st = begin_host(r, (uint32_t)done);
        else
            st = on[r->news.events[event].kind](r, &r->news.events[event]);
        if (st == ST_OK && r->progress && done % PROGRESS_EVENTS == 0 &&
            !r->progress(r->ctx, (uint32_t)done, (uint32_t)total))
            st = status_fail(ST_STOPPED, "stopped: nothing was made");
    }
    if (st == ST_OK && r->progress)
        (void)r->progress(r->ctx, (uint32_t)total, (uint32_t)total);
    return st;
}

static void put_keys(struct reporter *r)
{
    char window[64];

    make_keys(&r->scribe, &r->news.site);
    (void)snprintf(window, sizeof window, "%lld %lld", (long long)r->news.begin,
                   (long long)r->news.end);
    scribe_key(&r->scribe, "world_time", str_of(window));
}

static void count(const struct reporter *r, struct make_result *ret)
{
    const struct news_world *n = &r->news;

    *ret = (struct make_result){.versions = r->scribe.pages};
    for (size_t i = 0; i < n->count; i++)
        ret->articles += n->articles[i].page > 0;
}

enum status news_make(const char *dir, const struct make_config *config, make_progress_fn *progress,
                      void *ctx)
{
    struct reporter r = {
        .text = BUF_INIT(LIMIT_BODY), .url = BUF_INIT(LIMIT_URL), .progress = progress, .ctx = ctx};
    enum status st = news_plan(&r.news, config);

    if (st == ST_OK)
        st = scribe_open(&r.scribe, dir, config->software, config->date);
    if (st == ST_OK) {
        put_keys(&r);
        st = scribe_close(&r.scribe, tell(&r));
        if (st == ST_OK && config->result)
            count(&r, config->result);
    }
    news_clear(&r.news);
    buf_free(&r.text);
    buf_free(&r.url);
    return st;
}
