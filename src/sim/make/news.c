/* news.c - `brood world make --kind news`: writes the planned events.
 *
 * In: struct news_world. Out: a crawl directory (scribe.h). First the pages that exist at the
 * beginning, host by host, then event by event, every version as it appears.
 *
 * Workload: 50,000 versions in under a minute.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/news.h"

#include "base/limits.h"
#include "base/os/clock.h"
#include "sim/make/frame.h"
#include "sim/make/prose.h"

#include <math.h>
#include <stdio.h>

/* ---- addresses and documents --------------------------------------------- */

#define SLUG_MAX 48

enum page_stream { SAYS_TITLE = 16, SAYS_TEXT, SAYS_TEASER, SAYS_LINKS, SAYS_CHANGE };

static struct rng voice(const struct news_world *n, enum page_stream use, uint32_t article)
{
    return rng_fork(&n->root, (uint64_t)use << 32 | article);
}

static void put_title(const struct news_world *n, uint32_t article, struct buf *out)
{
    struct rng r = voice(n, SAYS_TITLE, article);

    prose_title(n->site.words, n->articles[article].topic, &r, out);
}

/* ---- addresses -------------------------------------------------------------- */

static void put_host(const struct news_world *n, uint32_t host, struct buf *out)
{
    buf_addf(out, "http://%s", n->site.host_names[host]);
}

static void put_article_path(const struct news_world *n, uint32_t article, struct buf *out)
{
    LOCAL_BUF title = BUF_INIT(1024);
    int64_t year;
    int month, day;

    clock_civil(n->articles[article].born / NEWS_DAY, &year, &month, &day);
    buf_addf(out, "/%04d/%02d/%02d/", (int)year, month, day);
    put_title(n, article, &title);
    prose_slug(str_sub(buf_str(&title), 0, SLUG_MAX), out);
    buf_addf(out, "-%u.html", article);
}

void news_article_url(const struct news_world *n, uint32_t article, struct buf *out)
{
    put_host(n, n->articles[article].host, out);
    put_article_path(n, article, out);
}

static void news_section_url(const struct news_world *n, uint32_t host, uint32_t section,
                             struct buf *out)
{
    put_host(n, host, out);
    buf_add_char(out, '/');
    prose_slug(words_name(n->site.words, n->hosts[host].topics[section]), out);
    buf_add_char(out, '/');
}

static void news_day_url(const struct news_world *n, uint32_t host, int64_t day, struct buf *out)
{
    put_host(n, host, out);
    buf_add_z(out, "/archive/");
    site_date_text(day * NEWS_DAY, false, out);
    buf_add_z(out, ".html");
}

/* Articles of a host that were born on a day: [*ret_from, return) of its list. */
static size_t news_of_day(const struct news_world *n, uint32_t host, int64_t day, size_t *ret_from)
{
    const struct news_host *h = &n->hosts[host];
    size_t from = 0, to;

    while (from < h->count && n->articles[h->articles[from]].born < day * NEWS_DAY)
        from++;
    to = from;
    while (to < h->count && n->articles[h->articles[to]].born < (day + 1) * NEWS_DAY)
        to++;
    *ret_from = from;
    return to;
}

/* ---- what all pages have ------------------------------------------------------ */

static void put_head(const struct news_world *n, uint32_t host, struct str title, struct buf *out)
{
    buf_addf(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<title>%.*s%s%s</title>\n",
             STR_ARG(title), title.len ? " - " : "", n->site.host_names[host]);
}

/* Writes the link back that a page without the menu has in its place, if there is one. */
static void put_way_back(const struct news_world *n, const struct news_article *a, struct buf *out)
{
    buf_add_z(out, "<header>");
    if (a) {
        buf_add_z(out, "<a href=\"");
        news_section_url(n, a->host, a->section, out);
        buf_addf(out, "\">%.*s</a>",
                 STR_ARG(words_name(n->site.words, n->hosts[a->host].topics[a->section])));
    }
    buf_add_z(out, "</header>\n<main>\n");
}

static void put_menu(const struct news_world *n, uint32_t host, struct buf *out)
{
    const struct news_host *h = &n->hosts[host];

    buf_addf(out, "<header><nav><a href=\"/\">%s</a>", n->site.host_names[host]);
    for (uint32_t s = 0; s < h->nsections; s++) {
        buf_add_z(out, " <a href=\"");
        news_section_url(n, host, s, out);
        buf_addf(out, "\">%.*s</a>", STR_ARG(words_name(n->site.words, h->topics[s])));
    }
    buf_add_z(out, " <a href=\"/archive/\">archive</a></nav></header>\n");
    if (frame_is_there(&n->site, host))
        frame_notice(&n->site, host, out);
    buf_add_z(out, "<main>\n");
}

static void put_foot(const struct news_world *n, uint32_t host, struct buf *out)
{
    buf_add_z(out, "</main>\n");
    if (frame_is_there(&n->site, host))
        frame_footer(&n->site, host, out);
    else
        buf_addf(out, "<footer>%s</footer>\n", n->site.host_names[host]);
    buf_add_z(out, "</body>\n</html>\n");
}

static void put_link(const struct news_world *n, uint32_t from_host, uint32_t to, struct buf *out)
{
    buf_add_z(out, "<a href=\"");
    if (n->articles[to].host != from_host)
        put_host(n, n->articles[to].host, out);
    put_article_path(n, to, out);
    buf_add_z(out, "\">");
}

/* ---- articles ----------------------------------------------------------------- */

static void put_anchor(const struct news_world *n, uint32_t to, struct rng *r, struct buf *out)
{
    double u = rng_unit(r), hints = n->config.hints;

    if (u < hints * 0.6)
        put_title(n, to, out);
    else if (u < hints)
        prose_phrase(n->site.words, n->articles[to].topic, r, out);
    else
        buf_add_str(out, prose_vague(r));
    buf_add_z(out, "</a>");
}

/* A sentence on the topic, or, by the article's purity, on something else. */
static void put_sentence(const struct news_world *n, uint32_t topic, double purity, struct rng *r,
                         struct buf *out)
{
    double u = rng_unit(r), rest = rng_unit(r);
    uint32_t any = (uint32_t)rng_below(r, n->config.graph.topics);
    bool is_pure = topic != WORDS_NONE && u < purity;

    prose_sentence(n->site.words, is_pure ? topic : rest < 0.7 ? WORDS_NONE : any, r, out);
    buf_add_char(out, ' ');
}

/* Half of the links stand in the text, one after a sentence. */
static void put_text(const struct news_world *n, uint32_t article, struct buf *out)
{
    const struct news_article *a = &n->articles[article];
    struct rng r = voice(n, SAYS_TEXT, article), links = voice(n, SAYS_LINKS, article);
    double purity = fmin(fmax(n->config.purity + 0.2 * rng_normal(&r), 0.2), 0.97);
    double words = n->config.words * fmin(fmax(exp(0.5 * rng_normal(&r) - 0.125), 0.25), 4);
    unsigned sentences = (unsigned)fmax(2, words / PROSE_WORDS);
    uint32_t within = a->nlinks / 2, put = 0;

    buf_add_z(out, "<p>");
    for (unsigned i = 0; i < sentences; i++) {
        put_sentence(n, a->topic, purity, &r, out);
        for (; put < within && (uint64_t)put * sentences < (uint64_t)(i + 1) * within; put++) {
            buf_add_z(out, "See ");
            put_link(n, a->host, n->links[a->links + put], out);
            put_anchor(n, n->links[a->links + put], &links, out);
            buf_add_z(out, ". ");
        }
        if (i % 5 == 4 && i + 1 < sentences)
            buf_add_z(out, "</p>\n<p>");
    }
    buf_add_z(out, "</p>\n</article>\n<aside>\n<h2>Related</h2>\n<ul>\n");
    for (; put < a->nlinks; put++) {
        buf_add_z(out, "<li>");
        put_link(n, a->host, n->links[a->links + put], out);
        put_anchor(n, n->links[a->links + put], &links, out);
        buf_add_z(out, "</li>\n");
    }
    for (double dead = n->config.dead * a->nlinks + rng_unit(&links); dead >= 1; dead--)
        buf_addf(out, "<li><a href=\"http://%s/gone/%u.html\">%.*s</a></li>\n",
                 n->site.host_names[rng_below(&links, n->frame.hosts)],
                 (unsigned)rng_below(&links, 1000000), STR_ARG(prose_vague(&links)));
    buf_add_z(out, "</ul>\n</aside>\n");
}

/* The newest addition first. */
static void put_changes(const struct news_world *n, uint32_t article, struct buf *out)
{
    const struct news_article *a = &n->articles[article];

    for (uint32_t c = a->changes; c > 0; c--) {
        struct rng own = voice(n, SAYS_CHANGE, article), r = rng_fork(&own, c);

        buf_addf(out, "<p class=\"update\">Update %u: ", c);
        put_sentence(n, a->topic, n->config.purity, &r, out);
        put_sentence(n, a->topic, n->config.purity, &r, out);
        buf_add_z(out, "</p>\n");
    }
}

static void news_article_html(const struct news_world *n, uint32_t article, int64_t now,
                              struct buf *out)
{
    const struct news_article *a = &n->articles[article];
    struct rng r = voice(n, SAYS_TEASER, article);
    LOCAL_BUF title = BUF_INIT(1024);

    put_title(n, article, &title);
    put_head(n, a->host, buf_str(&title), out);
    buf_add_z(out, "<meta name=\"description\" content=\"");
    prose_sentence(n->site.words, a->topic, &r, out);
    buf_add_z(out, "\">\n<meta property=\"article:published_time\" content=\"");
    site_date_text(a->born, true, out);
    if (a->changes > 0) {
        buf_add_z(out, "\">\n<meta property=\"article:modified_time\" content=\"");
        site_date_text(now, true, out);
    }
    buf_add_z(out, "\">\n</head>\n<body>\n");
    if (news_has_menu(n, a->host, article))
        put_menu(n, a->host, out);
    else
        put_way_back(n, a, out);
    buf_addf(out, "<article>\n<h1>%.*s</h1>\n<p class=\"byline\">By %.*s, <time>",
             STR_ARG(buf_str(&title)), STR_ARG(prose_person(&r)));
    site_date_text(a->born, false, out);
    buf_add_z(out, "</time></p>\n");
    put_changes(n, article, out);
    put_text(n, article, out);
    put_foot(n, a->host, out);
}

/* ---- lists --------------------------------------------------------------------- */

static void put_entry(const struct news_world *n, uint32_t article, bool teaser, struct buf *out)
{
    const struct news_article *a = &n->articles[article];
    struct rng r = voice(n, SAYS_TEASER, article);

    buf_add_z(out, "<li>");
    put_link(n, a->host, article, out);
    put_title(n, article, out);
    buf_add_z(out, "</a>");
    if (teaser) {
        buf_add_z(out, " <time>");
        site_date_text(a->born, false, out);
        buf_add_z(out, "</time> ");
        prose_sentence(n->site.words, a->topic, &r, out);
    }
    buf_add_z(out, "</li>\n");
}

void news_list_html(const struct news_world *n, uint32_t host, uint32_t section, int64_t now,
                    struct buf *out)
{
    const struct news_host *h = &n->hosts[host];
    bool is_front = section == UINT32_MAX;
    struct str title = is_front ? STR("") : words_name(n->site.words, h->topics[section]);
    uint32_t put = 0;

    put_head(n, host, title, out);
    buf_add_z(out, "</head>\n<body>\n");
    put_menu(n, host, out);
    buf_addf(out, "<h1>%s%.*s</h1>\n<ul>\n", is_front ? n->site.host_names[host] : "",
             STR_ARG(title));
    for (size_t i = h->born; i > 0 && put < n->config.news.front; i--) {
        const struct news_article *a = &n->articles[h->articles[i - 1]];

        if (a->gone <= now || (!is_front && a->section != section))
            continue;
        put_entry(n, h->articles[i - 1], true, out);
        put++;
    }
    buf_add_z(out, "</ul>\n");
    for (uint32_t f = 0; is_front && f < h->nfriends; f++)
        buf_addf(out, "%s<a href=\"http://%s/\">%s</a>%s", f ? " " : "<p class=\"friends\">",
                 n->site.host_names[h->friends[f]], n->site.host_names[h->friends[f]],
                 f + 1 == h->nfriends ? "</p>\n" : "");
    put_foot(n, host, out);
}

/* The archive of one day (counted from 1970), and the index of all days up to one. */
static void news_day_html(const struct news_world *n, uint32_t host, int64_t day, struct buf *out)
{
    size_t from, to = news_of_day(n, host, day, &from);

    put_head(n, host, STR("archive"), out);
    buf_add_z(out, "</head>\n<body>\n");
    if (news_has_menu(n, host, NEWS_OF_DAY(day)))
        put_menu(n, host, out);
    else
        put_way_back(n, NULL, out);
    buf_add_z(out, "<h1>");
    site_date_text(day * NEWS_DAY, false, out);
    buf_add_z(out, "</h1>\n<ul>\n");
    for (size_t i = from; i < to; i++)
        if (n->articles[n->hosts[host].articles[i]].gone >= (day + 1) * NEWS_DAY)
            put_entry(n, n->hosts[host].articles[i], false, out);
    buf_add_z(out, "</ul>\n");
    put_foot(n, host, out);
}

static void news_index_html(const struct news_world *n, uint32_t host, int64_t until,
                            struct buf *out)
{
    int64_t first = n->begin / NEWS_DAY - (int64_t)ceil(n->config.news.backlog);
    size_t from;

    put_head(n, host, STR("archive"), out);
    buf_add_z(out, "</head>\n<body>\n");
    put_menu(n, host, out);
    buf_add_z(out, "<h1>Archive</h1>\n<ul>\n");
    for (int64_t day = until; day >= first; day--)
        if (news_of_day(n, host, day, &from) > from) {
            buf_add_z(out, "<li><a href=\"");
            news_day_url(n, host, day, out);
            buf_add_z(out, "\">");
            site_date_text(day * NEWS_DAY, false, out);
            buf_add_z(out, "</a></li>\n");
        }
    buf_add_z(out, "</ul>\n");
    put_foot(n, host, out);
}

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

    clear(r);
    news_article_html(&r->news, article, at, &r->text);
    news_article_url(&r->news, article, &r->url);
    TRY(put_version(r, at, &a->page));
    if (is_new && a->topic != WORDS_NONE)
        TRY(scribe_label(&r->scribe, buf_str(&r->url), words_name(r->news.site.words, a->topic)));
    return ST_OK;
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

/* Writes the page of a day that is over; nothing if the day has no articles. */
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
    bool put;

    make_host(&r->scribe, &n->site, host, &r->text);
    TRY(put_front(r, host, n->begin));
    for (uint32_t s = 0; s < h->nsections; s++)
        TRY(put_section(r, host, s, n->begin));
    TRY(put_index(r, host, today - 1, n->begin));
    for (int64_t day = today - (int64_t)ceil(n->config.news.backlog); day < today; day++)
        TRY(put_day(r, host, day, n->begin, &put));
    for (size_t i = 0; i < h->born; i++)
        if (n->articles[h->articles[i]].gone > n->begin)
            TRY(put_article(r, h->articles[i], n->begin));
    return ST_OK;
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

    for (; done < total; done++) {
        size_t event = done - r->news.frame.hosts;

        if (done < r->news.frame.hosts)
            TRY(begin_host(r, (uint32_t)done));
        else
            TRY(on[r->news.events[event].kind](r, &r->news.events[event]));
        if (r->progress && done % PROGRESS_EVENTS == 0 &&
            !r->progress(r->ctx, (uint32_t)done, (uint32_t)total))
            return status_fail(ST_STOPPED, "stopped: nothing was made");
    }
    if (r->progress)
        (void)r->progress(r->ctx, (uint32_t)total, (uint32_t)total);
    return ST_OK;
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

    *ret = (struct make_result){.versions = r->scribe.pages, .clustering = n->clustering};
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
