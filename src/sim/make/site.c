/* site.c - names, addresses, titles and dates of a generated web.
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
#include "sim/make/prose.h"

#include <stdio.h>
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

enum trait_use { USE_OLD, USE_EXACT, USE_SITEMAP, USE_FEED, USE_PRIVATE, USE_DATE, USE_SHAPE };

/* ---- hosts --------------------------------------------------------------- */

static void host_name(const struct site *s, uint32_t host, struct rng *r, struct buf *out)
{
    uint32_t topic = s->graph->host_topic[host];
    struct buf text = BUF_INIT(NAME_MAX_LEN);
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
    buf_free(&text);
}

static void name_hosts(struct site *s)
{
    struct buf name = BUF_INIT(NAME_MAX_LEN);
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
    buf_free(&name);
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

bool site_has_private(const struct site *s, uint32_t host)
{
    return trait(s, USE_PRIVATE, host) < s->config->robots;
}

/* ---- pages --------------------------------------------------------------- */

uint32_t site_original(const struct site *s, uint32_t page)
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

void site_old_path(const struct site *s, uint32_t page, struct buf *out)
{
    if (site_is_front(s, page))
        buf_add_z(out, "/index.html");
    else
        buf_addf(out, "/old/%u.html", page);
}

static void put_slug(const struct site *s, uint32_t page, struct buf *out)
{
    struct buf title = BUF_INIT(1024);
    struct str cut;

    site_title(s, page, &title);
    cut = str_sub(buf_str(&title), 0, SLUG_MAX);
    prose_slug(cut, out);
    buf_free(&title);
}

void site_path(const struct site *s, uint32_t page, struct buf *out)
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

static void put_day(int64_t moment, struct buf *out)
{
    char text[CLOCK_TEXT];

    clock_format(moment, 0, text);
    buf_add(out, text, 10);
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
        put_day(site_date(s, i), out);
        buf_add_z(out, "</lastmod></url>\n");
    }
    buf_add_z(out, "</urlset>\n");
}

/* One entry in the feed's own words: what stands around link, title and date. */
struct feed_words {
    const char *start, *link, *link_end, *date, *end;
};

static void put_entry(const struct site *s, uint32_t page, const struct feed_words *f,
                      struct buf *out)
{
    char text[CLOCK_TEXT];

    buf_add_z(out, f->start);
    site_title(s, page, out);
    buf_add_z(out, f->link);
    site_url(s, page, false, out);
    buf_add_z(out, f->link_end);
    buf_add_z(out, f->date);
    if (f->date[1] == 'p') {
        site_http_date(site_date(s, page), out);
    } else {
        clock_format(site_date(s, page), 0, text);
        buf_add_z(out, text);
    }
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
