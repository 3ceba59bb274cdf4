/* news_graph.c - measures the clustering of a news world, and adjusts it.
 *
 * In: a planned story. Out: its clustering as it stands at the end, and a plan whose
 * clustering is near the one asked for.
 *
 * Pages of one host that all carry its menu make nearly all triangles of a news web; the
 * rest come of articles that link to the few of the last days, which link to each other.
 * So two parameters are changed, one after the other, until the figure is right: fewer pages have
 * the menu (the others link to their section, or only to the articles that they list), and then
 * articles look back further.
 *
 * Workload: a dozen plans of 10^4 to 10^6 articles, a second each at most.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/news.h"

#include "base/mem.h"
#include "sim/graph_measure.h"

#include <math.h>
#include <stdlib.h>

#define TRIALS       14
#define CLOSE_ENOUGH 0.03 /* relative error */
#define BACK_MOST    40.0 /* largest factor on the days that articles look back */

/* The links of the pages as they stand at the end, page by page. */
struct drawing {
    const struct news_world *n;
    uint32_t *first; /* number of each host's first page: front, sections, index, days */
    int64_t oldest;  /* the first day of the archive, counted from 1970 */
    uint32_t days;
    uint64_t *off;
    uint32_t *to;
    size_t nto, to_cap;
    uint32_t pages;
};

static void draw_link(struct drawing *d, uint32_t to)
{
    MEM_GROW(d->to, d->nto, &d->to_cap);
    d->to[d->nto++] = to;
}

static void end_page(struct drawing *d)
{
    d->off[++d->pages] = d->nto;
}

static uint32_t index_of(const struct drawing *d, uint32_t host)
{
    return d->first[host] + 1 + d->n->hosts[host].nsections;
}

static void draw_menu(struct drawing *d, uint32_t host)
{
    for (uint32_t p = d->first[host]; p <= index_of(d, host); p++)
        draw_link(d, p);
}

static void draw_article(struct drawing *d, uint32_t article)
{
    const struct news_article *a = &d->n->articles[article];

    if (news_has_menu(d->n, a->host, article))
        draw_menu(d, a->host);
    else
        draw_link(d, d->first[a->host] + 1 + a->section);
    for (uint32_t l = 0; l < a->nlinks; l++)
        draw_link(d, d->n->links[a->links + l]);
    end_page(d);
}

/* The front page, or that of a section. */
static void draw_list(struct drawing *d, uint32_t host, uint32_t section)
{
    const struct news_host *h = &d->n->hosts[host];
    uint32_t put = 0;

    draw_menu(d, host);
    for (size_t i = h->count; i > 0 && put < d->n->config.news.front; i--) {
        const struct news_article *a = &d->n->articles[h->articles[i - 1]];

        if (a->gone <= d->n->end || (section != UINT32_MAX && a->section != section))
            continue;
        draw_link(d, h->articles[i - 1]);
        put++;
    }
    for (uint32_t f = 0; section == UINT32_MAX && f < h->nfriends; f++)
        draw_link(d, d->first[h->friends[f]]);
    end_page(d);
}

/* Is there an article of the host, from *at on, that was written by the end of the day? */
static bool has_more(const struct drawing *d, uint32_t host, uint32_t day, size_t at)
{
    const struct news_host *h = &d->n->hosts[host];

    return at < h->count && d->n->articles[h->articles[at]].born < (d->oldest + day + 1) * NEWS_DAY;
}

/* The index of the days on which something was written. */
static void draw_index(struct drawing *d, uint32_t host)
{
    size_t at = 0;

    draw_menu(d, host);
    for (uint32_t day = 0; day < d->days; day++) {
        if (has_more(d, host, day, at))
            draw_link(d, index_of(d, host) + 1 + day);
        while (has_more(d, host, day, at))
            at++;
    }
    end_page(d);
}

/* A day without an article has no page: here it has one without links, which has no effect. */
static void draw_days(struct drawing *d, uint32_t host)
{
    size_t at = 0;

    for (uint32_t day = 0; day < d->days; day++) {
        if (has_more(d, host, day, at) && news_has_menu(d->n, host, NEWS_OF_DAY(d->oldest + day)))
            draw_menu(d, host);
        for (; has_more(d, host, day, at); at++)
            draw_link(d, d->n->hosts[host].articles[at]);
        end_page(d);
    }
}

static void draw_host(struct drawing *d, uint32_t host)
{
    draw_list(d, host, UINT32_MAX);
    for (uint32_t s = 0; s < d->n->hosts[host].nsections; s++)
        draw_list(d, host, s);
    draw_index(d, host);
    draw_days(d, host);
}

static double measure(const struct news_world *n)
{
    struct drawing d = {.n = n,
                        .oldest = n->begin / NEWS_DAY - (int64_t)ceil(n->config.news.backlog),
                        .first = mem_zero((size_t)n->config.graph.hosts + 1, sizeof *d.first)};
    uint32_t next = (uint32_t)n->count;
    double found;

    d.days = (uint32_t)(n->end / NEWS_DAY - d.oldest);
    for (uint32_t h = 0; h < n->config.graph.hosts; h++) {
        d.first[h] = next;
        next += 2 + n->hosts[h].nsections + d.days;
    }
    d.off = mem_zero((size_t)next + 1, sizeof *d.off);
    for (uint32_t i = 0; i < n->count; i++)
        draw_article(&d, i);
    for (uint32_t h = 0; h < n->config.graph.hosts; h++)
        draw_host(&d, h);
    found = graph_clustering(&(struct graph_rows){.pages = d.pages, .off = d.off, .to = d.to});
    free(d.first);
    free(d.off);
    free(d.to);
    return found;
}

/* 0: unchanged. Up to 1: fewer and fewer menus. Up to 2: further and further back. */
static double turn(struct news_world *n, double by)
{
    n->menus = by < 1 ? 1 - by : 0;
    n->look_back = by > 1 ? pow(BACK_MOST, by - 1) : 1;
    news_plan_links(n);
    return measure(n);
}

double news_calibrate(struct news_world *n)
{
    double wanted = n->config.graph.clustering, low = 0, high = 2, by = 0, found = turn(n, by);

    if (wanted < 0 || found <= wanted)
        return found;
    by = high;
    found = turn(n, by);
    for (int t = 0; t < TRIALS && found < wanted * (1 - CLOSE_ENOUGH); t++) {
        double middle = (low + high) / 2, here = turn(n, middle);

        if (here > wanted * (1 + CLOSE_ENOUGH)) {
            low = middle;
            continue;
        }
        high = by = middle;
        found = here;
    }
    return turn(n, by);
}
