/* site.c - names, addresses, titles, dates and documents of a generated web.
 *
 * In: the link structure and the words. Out: text, made again each time it is
 * asked for from a generator forked by the page's number. Host names end in
 * .example (RFC 2606), so that they can never be anybody's.
 *
 * Workload: a title and a URL for each link of a page; a microsecond each.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/site.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "sim/make/frame.h"
#include "sim/make/prose.h"

#include <math.h>
#include <stdlib.h>

#define DAY          (INT64_C(86400) * US_PER_S)
#define SLUG_MAX     48 /* bytes of a title in a path */
#define FEED_ENTRIES 15
#define SITEMAP_AGE  (365 * DAY) /* older pages are not listed: sitemaps are seldom whole */
#define NAME_MAX_LEN 256         /* of a host; a DNS name is shorter still */

struct rng site_rng(const struct site *s, enum site_stream stream, uint32_t number)
{
    return rng_fork(&s->root, (uint64_t)stream << 32 | number);
}

/* A draw in [0,1) that belongs to (use, number) alone. */
static double trait(const struct site *s, unsigned use, uint32_t number)
{
    struct rng r = site_rng(s, STREAM_TRAITS + 8 + use, number);

    return rng_unit(&r);
}

enum trait_use {
    USE_OLD,
    USE_EXACT,
    USE_SITEMAP,
    USE_FEED,
    USE_PRIVATE,
    USE_DATE,
    USE_SHAPE,
    USE_TITLED
};

/* ---- hosts --------------------------------------------------------------- */

static void host_name(const struct site *s, uint32_t host, struct rng *r, struct buf *out)
{
    uint32_t topic = s->graph->host_topic[host];
    LOCAL_BUF text = BUF_INIT(NAME_MAX_LEN);
    struct str first = words_draw(s->words, topic, WORDS_THING, r);
    struct str second = words_draw(s->words, topic, WORDS_THING, r);
    struct str kind = words_draw(s->words, topic, WORDS_KIND, r);
    struct str place = prose_site(r);

    while (str_eq(first, second))
        second = words_draw(s->words, topic, WORDS_THING, r);
    switch (rng_below(r, 3)) {
    case 0:
        buf_addf(&text, "%.*s and %.*s", STR_ARG(first), STR_ARG(second));
        break;
    case 1:
        buf_addf(&text, "%.*s %.*s", STR_ARG(first), STR_ARG(place));
        break;
    default:
        buf_addf(&text, "%.*s %.*s %.*s", STR_ARG(kind), STR_ARG(first), STR_ARG(place));
        break;
    }
    prose_slug(buf_str(&text), out);
}

static void name_hosts(struct site *s)
{
    LOCAL_BUF name = BUF_INIT(NAME_MAX_LEN);
    struct map taken;

    map_init(&taken);
    for (uint32_t h = 0; h < s->graph->hosts; h++) {
        struct rng r = site_rng(s, STREAM_HOST, h);
        bool fresh = false;

        buf_clear(&name);
        host_name(s, h, &r, &name);
        (void)map_at(&taken, hash_str(buf_str(&name)), h, &fresh);
        if (!fresh) /* the number makes it unique, and no drawn name ends in one */
            buf_addf(&name, "-%u", h);
        buf_add_z(&name, ".example");
        s->host_names[h] = str_dup(buf_str(&name));
    }
    map_free(&taken);
}

void site_init(struct site *s, const struct make_config *config, const struct graph *graph)
{
    *s = (struct site){.config = config,
                       .graph = graph,
                       .words = words_new(graph->topics, config->graph.rng),
                       .host_names = mem_zero(graph->hosts + 1, sizeof *s->host_names)};
    rng_init(&s->root, config->graph.rng ^ UINT64_C(0x73697465));
    name_hosts(s);
}

void site_clear(struct site *s)
{
    for (uint32_t h = 0; s->host_names && h < s->graph->hosts; h++)
        free(s->host_names[h]);
    free(s->host_names);
    words_free(s->words);
}

bool site_has_sitemap(const struct site *s, uint32_t host)
{
    return trait(s, USE_SITEMAP, host) < s->config->sitemaps;
}

bool site_has_feed(const struct site *s, uint32_t host)
{
    return trait(s, USE_FEED, host) < s->config->feeds;
}

static bool site_has_private(const struct site *s, uint32_t host)
{
    return trait(s, USE_PRIVATE, host) < s->config->robots;
}

/* ---- pages --------------------------------------------------------------- */

static uint32_t site_original(const struct site *s, uint32_t page)
{
    return s->graph->copy_of[page] == GRAPH_NONE ? page : s->graph->copy_of[page];
}

bool site_is_front(const struct site *s, uint32_t page)
{
    return s->graph->host_first[s->graph->host[page]] == page;
}

void site_title(const struct site *s, uint32_t page, struct buf *out)
{
    uint32_t original = site_original(s, page);
    struct rng r = site_rng(s, STREAM_TITLE, original);

    prose_title(s->words, s->graph->topic[original], &r, out);
}

int64_t site_date(const struct site *s, uint32_t page)
{
    struct rng r = site_rng(s, STREAM_TRAITS + 8 + USE_DATE, page);
    double age = 1 + rng_exponential(&r) * 700; /* days: most pages are some years old */

    return s->config->date / DAY * DAY - (int64_t)(age < 7000 ? age : 7000) * DAY;
}

bool site_copy_is_exact(const struct site *s, uint32_t page)
{
    return trait(s, USE_EXACT, page) < 0.5;
}

/* Links to such a page use the old address half of the time. */
bool site_has_old_path(const struct site *s, uint32_t page)
{
    return trait(s, USE_OLD, page) < 2 * s->config->redirects;
}

static void site_old_path(const struct site *s, uint32_t page, struct buf *out)
{
    if (site_is_front(s, page))
        buf_add_z(out, "/index.html");
    else
        buf_addf(out, "/old/%u.html", page);
}

static void put_slug(const struct site *s, uint32_t page, struct buf *out)
{
    LOCAL_BUF title = BUF_INIT(1024);
    struct str cut;

    site_title(s, page, &title);
    cut = str_sub(buf_str(&title), 0, SLUG_MAX);
    prose_slug(cut, out);
}

static void site_path(const struct site *s, uint32_t page, struct buf *out)
{
    uint32_t topic = s->graph->topic[page];
    int64_t year;
    int month, day;

    if (site_is_front(s, page)) {
        buf_add_char(out, '/');
        return;
    }
    if (s->graph->copy_of[page] != GRAPH_NONE) {
        buf_add_z(out, "/print");
        site_path(s, s->graph->copy_of[page], out);
        return;
    }
    if (trait(s, USE_TITLED, page) >= s->config->titled_urls) {
        buf_addf(out, "/%u.html", page);
        return;
    }
    switch ((int)(trait(s, USE_SHAPE, page) * 10)) {
    case 0:
        buf_addf(out, "/page?id=%u", page);
        return;
    case 1:
    case 2:
        clock_civil(site_date(s, page) / DAY, &year, &month, &day);
        buf_addf(out, "/%04d/%02d/%02d/", (int)year, month, day);
        break;
    case 3:
    case 4:
    case 5:
        buf_add_char(out, '/');
        prose_slug(words_at(s->words, topic, WORDS_THING, page % 5), out);
        buf_add_char(out, '/');
        break;
    case 6:
        buf_add_z(out, "/articles/");
        break;
    default:
        buf_add_char(out, '/');
        break;
    }
    put_slug(s, page, out);
    buf_addf(out, "-%u.html", page);
}

void site_url(const struct site *s, uint32_t page, bool old, struct buf *out)
{
    buf_addf(out, "http://%s", s->host_names[s->graph->host[page]]);
    if (old)
        site_old_path(s, page, out);
    else
        site_path(s, page, out);
}

/* ---- what a host has besides pages --------------------------------------- */

void site_http_date(int64_t moment, struct buf *out)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int64_t seconds = moment / US_PER_S, year;
    int month, day;

    clock_civil(seconds / 86400, &year, &month, &day);
    buf_addf(out, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[seconds / 86400 % 7], day,
             months[month - 1], (int)year, (int)(seconds / 3600 % 24), (int)(seconds / 60 % 60),
             (int)(seconds % 60));
}

void site_robots(const struct site *s, uint32_t host, struct buf *out)
{
    buf_add_z(out, "User-agent: *\n");
    buf_add_z(out, site_has_private(s, host) ? "Disallow: /private/\n" : "Disallow:\n");
    if (s->config->crawl_delay > 0)
        buf_addf(out, "Crawl-delay: %g\n", s->config->crawl_delay);
    if (site_has_sitemap(s, host))
        buf_addf(out, "\nSitemap: http://%s/sitemap.xml\n", s->host_names[host]);
}

void site_date_text(int64_t moment, bool with_time, struct buf *out)
{
    char text[CLOCK_TEXT];

    clock_format(moment, 0, text);
    buf_add(out, text, with_time ? strlen(text) : 10);
}

void site_sitemap(const struct site *s, uint32_t host, struct buf *out)
{
    const struct graph *g = s->graph;

    buf_add_z(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for (uint32_t i = g->host_first[host]; i < g->host_first[host + 1]; i++) {
        if (g->copy_of[i] != GRAPH_NONE ||
            (i > g->host_first[host] && site_date(s, i) < s->config->date - SITEMAP_AGE))
            continue;
        buf_add_z(out, "<url><loc>");
        site_url(s, i, false, out);
        buf_add_z(out, "</loc><lastmod>");
        site_date_text(site_date(s, i), false, out);
        buf_add_z(out, "</lastmod></url>\n");
    }
    buf_add_z(out, "</urlset>\n");
}

/* The markup of a feed's entry around link, title and date. */
struct feed_words {
    const char *start, *link, *link_end, *date, *end;
};

static void put_entry(const struct site *s, uint32_t page, const struct feed_words *f,
                      struct buf *out)
{
    buf_add_z(out, f->start);
    site_title(s, page, out);
    buf_add_z(out, f->link);
    site_url(s, page, false, out);
    buf_add_z(out, f->link_end);
    buf_add_z(out, f->date);
    if (f->date[1] == 'p')
        site_http_date(site_date(s, page), out);
    else
        site_date_text(site_date(s, page), true, out);
    buf_add_z(out, f->end);
}

void site_feed(const struct site *s, uint32_t host, struct buf *out)
{
    static const struct feed_words rss = {"<item><title>", "</title><link>", "</link>", "<pubDate>",
                                          "</pubDate></item>\n"};
    static const struct feed_words atom = {"<entry><title>", "</title><link href=\"", "\"/>",
                                           "<updated>", "</updated></entry>\n"};
    const struct graph *g = s->graph;
    bool is_atom = host % 2 == 1;
    uint32_t from = g->host_first[host], to = g->host_first[host + 1], put = 0;

    buf_addf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s<title>%s</title>",
             is_atom ? "<feed xmlns=\"http://www.w3.org/2005/Atom\">"
                     : "<rss version=\"2.0\"><channel>",
             s->host_names[host]);
    buf_addf(out, is_atom ? "<link href=\"http://%s/\"/>\n" : "<link>http://%s/</link>\n",
             s->host_names[host]);
    for (uint32_t i = from; i < to && put < FEED_ENTRIES; i++)
        if (g->copy_of[i] == GRAPH_NONE && put++ < FEED_ENTRIES)
            put_entry(s, i, is_atom ? &atom : &rss, out);
    buf_add_z(out, is_atom ? "</feed>\n" : "</channel></rss>\n");
}

/* ---- a page as HTML ------------------------------------------------------ */

#define INLINE_SHARE 0.5 /* links that stand in the text */

struct page_writer {
    const struct site *s;
    struct buf *out;
    uint32_t page;   /* whose text: the original of a copy */
    uint32_t topic;  /* of the page */
    uint32_t side;   /* the second topic */
    double purity;   /* share of sentences on the topic */
    struct rng text; /* for the text */
    struct rng link; /* for the sentences around links */
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

/* Writes a dead link: to an existing host, to a folder that robots.txt forbids, or to a host that
 * no longer exists. */
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
    uint32_t host = g->host[w->page];
    struct frame_main tags = frame_main(w->s, host);
    bool framed = frame_is_there(w->s, host);
    LOCAL_HEAP uint32_t *links =
        mem_alloc((g->off[w->page + 1] - g->off[w->page] + 1) * sizeof *links);
    bool home = false;
    size_t nlinks = take_links(w, links, &home);
    size_t within = (size_t)((double)nlinks * INLINE_SHARE + rng_unit(&w->link));
    unsigned dead = count_dead(w, nlinks);

    buf_addf(w->out,
             home ? "<header><nav><a href=\"/\">%s</a></nav></header>\n" : "<header>%s</header>\n",
             w->s->host_names[host]);
    if (framed) {
        frame_menu(w->s, host, w->out);
        frame_notice(w->s, host, w->out);
    }
    buf_addf(w->out, "%s<h1>%.*s</h1>\n", tags.open, STR_ARG(title));
    put_byline(w);
    put_article(w, length(w), links, within);
    add(w, tags.text_end);
    if (nlinks > within || dead > 0)
        put_list(w, links + within, nlinks - within, dead);
    add(w, tags.close);
    if (framed)
        frame_aside(w->s, host, w->out);
}

void site_page(const struct site *s, uint32_t page, struct buf *out)
{
    uint32_t original = site_original(s, page);
    struct page_writer w = {.s = s,
                            .out = out,
                            .page = original,
                            .topic = s->graph->topic[original],
                            .text = site_rng(s, STREAM_TEXT, original),
                            .link = site_rng(s, STREAM_LINKS, original)};
    LOCAL_BUF title = BUF_INIT(1024);

    w.side = any_topic(&w);
    w.purity = fmin(fmax(s->config->purity + 0.2 * rng_normal(&w.text), 0.2), 0.97);
    site_title(s, original, &title);
    put_head(&w, buf_str(&title));
    put_body(&w, buf_str(&title));
    if (page != original && !site_copy_is_exact(s, page))
        buf_addf(out, "<p class=\"note\">Copy number %u, made for printing.</p>\n", page);
    if (frame_is_there(s, s->graph->host[page]))
        frame_footer(s, s->graph->host[page], out);
    else
        buf_addf(out, "<footer>%s</footer>\n", s->host_names[s->graph->host[page]]);
    add(&w, "</body>\n</html>\n");
}
