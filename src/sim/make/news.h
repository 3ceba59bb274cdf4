/* news.h - `brood world make --kind news`: a web that moves. For make.c and news*.c.
 *
 * Hosts are news sites and weblogs of very different sizes. Articles appear by day
 * more than by night, change often while they are young, age, and some of them
 * disappear. A host's front page and the page of the article's section list the
 * newest ones and so change with every article; at midnight a page for the day goes
 * to the archive and into its index. Articles link to older ones of the last days, of
 * their topic or their host or any, by a fame that follows a power law; weblogs link to
 * other hosts only.
 *
 * In the database each version is a page row, in order of time: fetched_at is when it
 * appeared; what stood at the beginning appeared then. crawl('world_time') is the
 * window. Articles have their topic as label; other pages have none.
 */
#pragma once

#include "sim/make/make_int.h"

#define NEWS_SECTIONS 12u /* of a host at most */

struct news_article {
    uint32_t host, topic; /* WORDS_NONE: no topic */
    uint32_t section;     /* of the host */
    int64_t born;         /* may lie before the window */
    int64_t gone;         /* INT64_MAX: it stays */
    uint32_t links;       /* place of its first link in news.links … */
    uint32_t nlinks;      /* … and how many: articles that are older */
    uint32_t changes;     /* so far */
    uint32_t page;        /* number of its first version; 0: none yet */
};

struct news_host {
    bool is_weblog;
    double rate;                    /* articles a day */
    uint32_t topics[NEWS_SECTIONS]; /* of its sections; the first is the host's own */
    uint32_t nsections;
    uint32_t *articles; /* in order of birth … */
    size_t count, cap;  /* … those that are planned */
    size_t born;        /* of them there so far */
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
    double clustering; /* that came out */
    double look_back;  /* articles look back so many times the usual days for links */
};

/* news_plan.c: the whole story, before a word is written. ST_USAGE where it would be
 * too long. */
enum status news_plan(struct news_world *n, const struct make_config *config) MUST_USE;
void news_clear(struct news_world *n);
/* All links of articles, drawn again as n->look_back says. */
void news_plan_links(struct news_world *n);
/* Does a page carry the menu? Front pages, sections and the index do. */
bool news_has_menu(const struct news_world *n, uint32_t host, uint32_t page);
#define NEWS_OF_DAY(day) (UINT32_C(0x80000000) | (uint32_t)(day)) /* counted from 1970 */

/* news_graph.c: menus and looks back such that the clustering is the one of the config, or as
 * near as it gets; where that is negative, as it comes. Returns what it is. */
double news_calibrate(struct news_world *n);

/* news.c: an address ("http://…" appended), and the list of a host's newest articles as
 * of a moment. `section`: of the host; UINT32_MAX: its front page. */
void news_article_url(const struct news_world *n, uint32_t article, struct buf *out);
void news_list_html(const struct news_world *n, uint32_t host, uint32_t section, int64_t now,
                    struct buf *out);

/* Writes the world. */
enum status news_make(const char *dir, const struct make_config *config, make_progress_fn *progress,
                      void *ctx) MUST_USE;

#define NEWS_DAY (INT64_C(86400000000)) /* us */
