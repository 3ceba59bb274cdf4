/* make_html.c - one generated page as HTML.
 *
 * In: a page's number, its links (graph) and topic. Out: a document with title,
 * description, date, navigation, paragraphs with links in them, and a list of
 * further links.
 *
 *     header   site name, home link
 *     article  h1, byline with date, sections of paragraphs
 *     aside    "See also": the links that found no place in the text
 *     footer
 *
 * How much of a page is on its topic (its purity) varies from page to page; the
 * rest is general talk, a second topic, and a mention of others now and then,
 * so that words separate topics well but not perfectly.
 *
 * Workload: 20,000 pages in a few seconds; about 20 us a page.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/html.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "sim/make/prose.h"

#include <math.h>
#include <stdlib.h>

#define WORDS_A_SENTENCE 10.5 /* mean of the patterns */
#define INLINE_SHARE     0.5  /* links that stand in the text */

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

    return (unsigned)fmax(2, words / WORDS_A_SENTENCE);
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
