/* news.h - `brood world make --kind news`: a web that changes over time. For make.c and news*.c.
 *
 * Hosts are news sites and weblogs of very different sizes. Articles appear by day
 * more than by night, change often while they are young, age, and some of them
 * disappear. A host's front page and the page of the article's section list the
 * newest ones and so change with every article; at midnight a page for the day is added to the
 * archive and to its index. Articles link to older articles of the last days, of their topic, their
 * host or any other, with a preference that follows a power law; weblogs link to other hosts only.
 *
 * In the database each version is a page row, in order of time: fetched_at is when it
 * appeared; pages that existed at the beginning appeared then. crawl('world_time') is the window.
 * Articles have their topic as label; other pages have none.
 */
#pragma once

#include "sim/make/make_int.h"

#define NEWS_SECTIONS 12u /* of a host at most */

struct news_article {
    uint32_t host, topic; /* WORDS_NONE: no topic */
    uint32_t section;     /* of the host */
    int64_t born;         /* may lie before the window */
    int64_t gone;         /* INT64_MAX: never */
    uint32_t links;       /* place of its first link in news.links … */
    uint32_t nlinks;      /* … and their number; all lead to older articles */
    uint32_t changes;     /* so far */
    uint32_t page;        /* number of its first version; 0: none yet */
};

struct news_host {
    bool is_weblog;
    double rate;                    /* articles a day */
    uint32_t topics[NEWS_SECTIONS]; /* of its sections; the first is the host's own */
    uint32_t nsections;
    uint32_t *articles; /* in order of birth … */
    size_t count, cap;  /* … number of those that are planned … */
    size_t born;        /* … and of those that exist so far */
    uint32_t *friends;  /* hosts that its front page links to */
    uint32_t nfriends;
    uint32_t front, index, sections[NEWS_SECTIONS]; /* numbers of first versions */
};

enum news_kind { NEWS_BIRTH, NEWS_CHANGE, NEWS_END, NEWS_MIDNIGHT };

struct news_event {
    int64_t at;
    enum news_kind kind;
    uint32_t of; /* article; NEWS_MIDNIGHT: host */
};

struct news_world {
    struct make_config config; /* a copy: without sitemaps and feeds */
    struct graph frame;        /* hosts and topics only: for site */
    struct site site;
    struct rng root;
    int64_t begin, end;
    struct news_host *hosts;
    struct news_article *articles; /* in order of birth */
    size_t count, cap;
    uint32_t *links;
    size_t nlinks, links_cap;
    struct news_event *events; /* inside the window, in order of time */
    size_t nevents, events_cap;
    double menus;      /* share of articles and days that carry the menu of their host */
    double clustering; /* as measured */
    double look_back;  /* factor on the number of days that articles look back for links */
};

/* news_plan.c: plans all events, before any page is written. ST_USAGE if there would be too
 * many. */
enum status news_plan(struct news_world *n, const struct make_config *config) MUST_USE;
void news_clear(struct news_world *n);
/* Draws all links of articles again, for the current n->look_back. */
void news_plan_links(struct news_world *n);
/* Does a page have the menu? Front pages, sections and the index always do. */
bool news_has_menu(const struct news_world *n, uint32_t host, uint32_t page);
#define NEWS_OF_DAY(day) (UINT32_C(0x80000000) | (uint32_t)(day)) /* counted from 1970 */

/* news_graph.c: chooses `menus` and `look_back` such that the clustering is that of the
 * configuration, or as near to it as possible; a negative one means any. Returns the clustering. */
double news_calibrate(struct news_world *n);

/* news.c: news_article_url() appends a URL ("http://…"); the other function lists a host's newest
 * articles at a moment. `section`: of the host; UINT32_MAX: its front page. */
void news_article_url(const struct news_world *n, uint32_t article, struct buf *out);
void news_list_html(const struct news_world *n, uint32_t host, uint32_t section, int64_t now,
                    struct buf *out);

/* Writes the world. */
enum status news_make(const char *dir, const struct make_config *config, make_progress_fn *progress,
                      void *ctx) MUST_USE;

#define NEWS_DAY (INT64_C(86400000000)) /* us */
