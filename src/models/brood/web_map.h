/* web_map.h - what the crawl has seen of the web: pages, links, and what they brought.
 *
 * Every visited page has a label: how probable it is that the page is about the topic
 * (text/guide.h). Every page that links to it is credited with that label: the *yield* of a page
 * is what its links have brought so far. The same is counted for groups of URLs: those of a host,
 * those of a directory, and those that stand in one place (a tag path) on the pages of a host.
 *
 *     yield of a page = (sum + 3 u) / (count + 3)      u = c0 + c1 p: what is usual for a page
 *                                                      with the label p, by least squares
 *     base            = (2 + labels of all pages) / (10 + pages)
 *
 * A page that links to start pages is probably a list of pages about the topic, so an example
 * counts as four labels in the yields of pages. A page that n pages link to counts as
 * 2 / (2 + ln(1 + n)) labels: what everybody links to says little about one of them.
 *
 * Pages are numbered from 0 in the order of their visits. The map holds at most one link from a
 * page to a URL, and for each URL it remembers the first MAP_PARENTS pages that link to it. When
 * the yield of a parent changes, its links are collected, because their scores have to be computed
 * again.
 *
 * Memory: 40 bytes for each URL, 16 for each remembered link, 44 for each page, about 40 for
 * each group. Thread: the mind only.
 */
#pragma once

#include "base/buf.h"
#include "base/map.h"
#include "base/status.h"

#include <stdbool.h>

#define MAP_PARENTS 48

/* Labels: their sum, and how many. */
struct yield {
    float sum, count;
};

struct map_page {
    uint32_t url;
    uint32_t number;       /* of the page in the crawl; 0: none */
    uint32_t edge, nedges; /* its links */
    float p;               /* its label */
    float words;           /* cosine with the topic's words */
    struct yield links;    /* labels of the pages behind its links */
    float used;            /* the yield that links were scored with */
    float energy;          /* its label, and what visits through its links left on it */
    uint8_t examples;      /* start pages behind its links that stand for the topic, or 255 */
    bool is_example;       /* such a start page itself */
};

struct map_edge {
    uint32_t page, url;
    uint32_t next; /* the edge before it to the same URL, plus 1; 0: none */
    float p;       /* the label of the page behind it, so that its neighbours find it; -1: none */
};

/* A URL that some page named. Groups are counted from 1. */
struct map_link {
    uint32_t edge; /* the last one to it, plus 1 */
    uint32_t page; /* its page, plus 1; 0: not visited */
    uint32_t host, directory, place;
    float anchor, context; /* how much they speak for the topic, summed over its parents */
    float section;         /* the same of the text around it, where it was named */
    float name;            /* how much the words of the URL do */
    uint16_t parents;
    bool is_waiting, is_dirty;
};

struct map_group {
    uint64_t key;
    struct yield yield;
    float worth; /* half the logit of its yield with two usual pages (group_worth()) … */
    uint32_t at; /* … as it was with so many pages, plus 1; 0: never */
};

struct web_map {
    struct map_page *pages;
    struct map_edge *edges;
    struct map_link *links; /* by URL */
    struct map_group *groups;
    uint32_t *dirty; /* URLs whose score has to be computed again */
    size_t npages, nedges, nlinks, ngroups, ndirty;
    size_t pages_cap, edges_cap, groups_cap, dirty_cap;
    struct map group_of;    /* key -> group */
    struct yield all;       /* of pages */
    double n, x, y, xx, xy; /* sums of the least squares: label of a link on that of its page */
    double c0, c1, base;
    float ln[MAP_PARENTS + 1]; /* ln(1 + n) */
};

void web_map_init(struct web_map *m);
void web_map_clear(struct web_map *m);

/* The link to a URL, made where it is new. Lent until the next one is made. */
struct map_link *web_map_link(struct web_map *m, uint32_t url);
/* The same; NULL, or an empty one, where no page named it. */
struct map_link *web_map_find(const struct web_map *m, uint32_t url);

/* The group with this key. */
uint32_t web_map_group(struct web_map *m, uint64_t key);

/* A page came: all links to it are credited. Returns its number. */
uint32_t web_map_visit(struct web_map *m, uint32_t url, double p, double words);
/* The page is an example of the topic. The mark alone is not part of the state. */
void web_map_is_example(struct web_map *m, uint32_t page);
/* The page that came last names a URL. NULL: it did already, or enough others do. */
struct map_link *web_map_names(struct web_map *m, uint32_t url);
/* It names no more. */
void web_map_close(struct web_map *m);

/* A page that was chosen came, and brought so much more than usual: a tenth of that is left on
 * every page that links to it. */
void web_map_leave(struct web_map *m, uint32_t url, double gain);

/* A redirect led to this page from a URL: pages that name it know what is behind. */
void web_map_leads_to(struct web_map *m, uint32_t url, uint32_t page);

/* Labels were changed (map_page.p): everything is counted again. */
void web_map_count(struct web_map *m);

double page_yield(const struct web_map *m, const struct map_page *p);
/* Half the logit of the yield of a group (0: none) with two usual pages. */
float group_worth(struct web_map *m, uint32_t group);
/* L(p) / 2. */
float half_logit(double p);
double yield_within(double p); /* the range of yields */

/* The mean label of the visited pages that a page is linked with and of two usual ones. */
double web_map_near(const struct web_map *m, uint32_t page);

void web_map_save(const struct web_map *m, struct buf *out);
/* `is_old`: as version 0.2 saved it. */
enum status web_map_load(struct web_map *m, struct cursor *from, bool is_old) MUST_USE;
