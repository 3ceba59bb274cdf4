/* make.h - `brood world make`: a generated web, written as a crawl directory.
 *
 * The same configuration gives the same directory, byte for byte: every date
 * and number in it comes from the configuration, none from the machine. Pages
 * are generated, parsed and stored one by one; memory holds the link structure
 * (some 100 bytes a page), never the pages.
 *
 *     struct make_config c;
 *     make_config_init(&c);
 *     c.graph.pages = 20000; c.graph.hosts = 200; c.graph.rng = 1;
 *     st = world_make("W", &c, NULL, NULL);
 *
 * A world of kind `topical` has hosts NAME.example, each with a front page and robots.txt, some
 * with sitemaps and feeds; pages of readable English about one topic or none; links inside the text
 * and in lists, whose words usually say where they lead; dead links, redirects, exact and near
 * duplicates. A page with a topic has it as its label; crawl('world') holds the parameters and
 * crawl('topics') the topics' words, both as JSON. Kind `news`: news.h.
 */
#pragma once

#include "base/option.h"
#include "sim/make/graph.h"

enum make_kind { MAKE_TOPICAL, MAKE_NEWS };

/* The parameters of a world of kind `news` (news.h). */
struct news_config {
    double days;       /* length of the window */
    double articles;   /* for each day and host, on average; hosts differ much */
    double backlog;    /* days of articles that exist when the window begins */
    uint32_t sections; /* of a host */
    uint32_t front;    /* newest articles that front and section pages list */
    double changes;    /* of an article in its life, on average */
    double half_life;  /* days in which the rate of changes falls by half */
    double vanish;     /* share of articles that disappear, after two weeks or so */
    double weblogs;    /* share of hosts that are weblogs */
};

/* Properties of the world that was made. */
struct make_result {
    double clustering; /* near the one asked for, if that can be reached */
    uint32_t articles; /* news */
    uint32_t versions; /* news: of all pages */
};

struct make_config {
    int kind;                  /* enum make_kind */
    struct graph_config graph; /* pages, hosts, topics, rng, degrees, locality … */
    double words;              /* mean words of a page, 20..5000 */
    double purity;             /* mean share of a page's sentences that are on its topic */
    double dead;               /* share of links whose target is missing (404) */
    double redirects;          /* share of links that lead through a redirect */
    double hints;              /* share of anchors that say where they lead */
    double titled_urls;        /* share of pages whose URLs have words of their titles */
    double menus;              /* share of hosts with menus and footers as real ones have */
    double sitemaps, feeds;    /* shares of hosts that have one */
    double robots;             /* share of hosts whose robots.txt forbids a folder */
    double crawl_delay;        /* seconds in every robots.txt; 0: none */
    int64_t date;              /* the day of the crawl and of the newest page, us since 1970 */
    const char *software;      /* for the archive's warcinfo: "brood/0.1.0" */
    struct news_config news;
    struct make_result *result; /* filled where it is not NULL */
};

/* The options of `brood world make`; they fill a struct make_config. */
extern const struct option make_option_table[];

/* Does this option of the table apply to worlds of this kind? */
bool make_uses(int kind, const struct option *o);

/* Sets every field to its default. */
void make_config_init(struct make_config *c);

/* Called now and then with the number of pages written so far. Returns false to stop: the caller
 * gets ST_STOPPED, and nothing is left behind. */
typedef bool make_progress_fn(void *ctx, uint32_t done, uint32_t total);

/* Makes `dir`, which must not exist or be empty. `progress` may be NULL. */
enum status world_make(const char *dir, const struct make_config *config,
                       make_progress_fn *progress, void *ctx) MUST_USE;
