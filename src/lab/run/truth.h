/* truth.h - what the lab knows of a web and crawlers do not: which pages can be reached, which
 * pages are on a topic, and their texts.
 *
 *   ground    a web under a plan's `exclude`: links as a crawler may walk them
 *   subject   a topic with its pages (targets): by label, or by words
 *
 * Built before runs start, then only read: shared by all threads.
 */
#pragma once

#include "lab/run/metric.h"
#include "sim/web/web.h"

/* Versions of one document, following each other in time. */
struct version_range {
    uint32_t first, count; /* 0: it does not exist */
};

/* A document is a URL that has a page, feed or sitemap at some time during a crawl. In a web that
 * moves, URLs that do not exist yet are not part of the ground. */
struct ground {
    const struct web *web;
    struct web_counts counts;
    struct version_range *alive; /* by URL: its versions during a crawl */
    uint32_t pages;              /* pages that exist during a crawl */
    bool robots;                 /* links of pages with nofollow are not followed; robots.txt
                           is obeyed, and sitemaps that it names are read */
    bool *allowed;      /* by URL: not excluded, nor forbidden by robots.txt, nor a document
                           of another time */
    bool *is_sitemap;   /* by URL: a document that does not count as a page */
    uint32_t *leads_to; /* by URL: the document behind it, redirects followed; 0: none that
                           may be reached */
    uint64_t *back_off; /* by URL: its row in `back`; NULL: not wanted */
    uint32_t *back;     /* pages that link to it, in the web's order, with repeats */
    uint32_t *maps_off; /* by host: its row in `maps` */
    uint32_t *maps;     /* sitemaps that its robots.txt names */
};

struct ground_config {
    const struct text_list *exclude;
    bool robots;   /* as the plan's network says */
    bool reversed; /* back links are wanted */
    int64_t time;  /* us that a crawl lasts: what exists at some moment of it counts. 0: what
                      exists when it begins */
};

/* The web is lent. */
enum status ground_init(struct ground *g, const struct web *web,
                        const struct ground_config *config) MUST_USE;
void ground_clear(struct ground *g);

/* Does the page have links that can be followed when a crawl begins? */
bool ground_has_links(const struct ground *g, uint32_t page);

/* Returns how many pages, including the seeds, can be reached from the seeds over the links of all
 * versions that exist during a crawl and over sitemaps; feeds are pages too, as they are in a
 * crawl. *ret_met says which documents (by URL, free() it). */
uint32_t ground_reachable(const struct ground *g, const uint32_t *seeds, size_t count,
                          bool **ret_met);

struct subject {
    char *name;        /* its label or its words */
    char *words;       /* the words that a crawler is given */
    uint32_t *targets; /* pages, ascending */
    uint32_t count;
};

/* Numbers of labels, and of prefixes of labels, that are not used as topics. */
struct left_out {
    size_t small, large, spread; /* below `min`, above `max`, beyond `most` */
};

/* Makes subjects from label prefixes (`Science`, `Science.Biology` …) that plan.label_* allow,
 * sorted by name. ST_USAGE if the world has no labels, or none that fits. */
enum status subjects_of_labels(const struct ground *g, const struct plan *p, const char *world,
                               struct subject **ret, size_t *ret_count,
                               struct left_out *ret_left) MUST_USE;
/* Makes subjects from the plan's words: their targets are pages of a relevance of plan.relevant or
 * more. */
enum status subjects_of_words(const struct ground *g, const struct plan *p, struct subject **ret,
                              size_t *ret_count) MUST_USE;
void subjects_free(struct subject *s, size_t count);

bool subject_has(const struct subject *s, uint32_t url);

/* Returns, by URL, the tf-idf cosine of each page with the mean of the targets' vectors (each of
 * length 1): counts.urls + 1 floats, to be freed with free(). */
float *subject_description(const struct ground *g, const struct subject *s);
