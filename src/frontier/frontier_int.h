/* frontier_int.h - the frontier's internals, for the files of this folder.
 *
 *   meet.c      links in: a number and a verdict for each
 *   frontier.c  add, wish: choices in
 *   release.c   requests out
 *   replies.c   what a reply means for the visit and the host
 *   service.c   addresses and robots.txt of hosts
 *   missing.c   directories in which nothing is left
 *   rules.c     rules of robots.txt files, and how they leave memory
 *   save.c      checkpoint and restore
 */
#pragma once

#include "base/ring.h"
#include "frontier/dups.h"
#include "frontier/frontier.h"
#include "frontier/hosts.h"
#include "frontier/missing.h"
#include "frontier/urls.h"
#include "frontier/variants.h"
#include "frontier/visits.h"
#include "frontier/workbench.h"

/* A growing list of numbers. */
struct numbers {
    uint32_t *items;
    size_t count, cap;
};

/* A Sitemap line that was not taken yet. */
struct sitemap_line {
    struct buf url;
    uint32_t host; /* whose robots.txt names it; 0: not known after a resume */
};

/* The host of each page, by the page's number: blocks of PAGES_BLOCK, NULL where no page has one. */
struct page_hosts {
    uint32_t **blocks;
    size_t count;
    size_t used; /* blocks that are not NULL */
};

#define PAGES_BLOCK 64u

/* Hosts with rules in memory; the first in the list loses its rules first (rules.c). */
struct rules {
    uint32_t first, last;
    size_t bytes;
};

struct frontier {
    struct frontier_config config;
    char *token; /* config.token, copied */
    struct urls urls;
    struct hosts hosts;
    struct workbench bench;
    struct visits visits;
    struct dups dups;
    struct variants variants;
    struct missing missing;
    struct rules rules[2]; /* small ones, large ones */
    uint64_t steps;        /* of matching rules, since the last reply or release */
    struct page_hosts page_hosts;
    struct numbers doomed;           /* hosts whose waiting visits are to be dropped */
    struct numbers changed;          /* hosts to be saved */
    uint32_t hosts_dead, hosts_open; /* open: alive, and chosen from */
    uint32_t hosts_paged;            /* that gave a page */
    uint32_t wishes;                 /* hosts with a wish */
    uint32_t in_hand;                /* the host whose turn it is; placed after its step */
    uint32_t held;                   /* hosts whose wish was too low at the last release */
    uint32_t chosen;                 /* visits chosen by wishes in this release */
    float bound;                     /* lower wishes are held; INFINITY: all are */
    uint32_t services;               /* requests for robots.txt or an address under way */
    bool forgiving;                  /* the user retries what failed: no directory is left out */
    bool crowded;                    /* the last release left hosts without a slot */
    bool shut;                       /* the last release held back or did not need some wishes */
    int year;                        /* the current one; 0: not known yet */
    int64_t tomorrow;                /* when the year has to be looked up again */
    int64_t quiet_until;             /* after a restore, nothing starts before this time */
    struct ring sitemaps;            /* struct sitemap_line, named by robots.txt files */
    struct buf href;                 /* what frontier_url() lends */
};

/* Does the visit count for its host's budget? Not if the page is known, nor for requisites. */
static inline bool is_charged(const struct known *k, const struct choice *c)
{
    return !k->has_page && !choice_is_requisite(c);
}

#define HOST_AWAY (60 * US_PER_S) /* a host that is due later than this is not waited for */

/* ---- meet.c ---- */

/* A visit to the URL has ended. */
void url_end(struct known *k, enum url_state state, enum drop why);
/* Writes the URL as text to `out`. */
void url_write(const struct frontier *f, uint32_t url, struct buf *out);
/* Notes that the host has a seed. */
void host_vouch(struct frontier *f, struct host *h);
/* Which host the page is on; 0: not known. */
uint32_t page_host(const struct frontier *f, uint32_t page);
/* Notes which host the page is on. */
void page_on_host(struct frontier *f, uint32_t page, uint32_t host);

/* ---- frontier.c ---- */

/* Passes the current time. */
void frontier_at(struct frontier *f, int64_t now);
/* The host wants nothing more: its waiting visits will be dropped. */
void host_die(struct frontier *f, struct host *h, enum drop why);
void host_doom(struct frontier *f, struct host *h);
void host_changed(struct frontier *f, struct host *h);
/* How many pages the host may give, and whether it has given them. */
uint64_t host_budget(const struct frontier *f, const struct host *h);
bool host_is_spent(const struct frontier *f, const struct host *h);
/* Why no page of the host may be asked for at all: it is dead, or belongs to another node. */
enum drop host_bar(const struct frontier *f, const struct host *h);
/* The least time between starts at a host, and at an address. */
int64_t host_gap(const struct frontier *f, const struct host *h);
int64_t address_gap(const struct frontier *f, const struct host *h, uint32_t group);
/* The crawl's delay and per_host, or what the user sets for the host. */
int64_t host_delay(const struct frontier *f, const struct host *h);
uint32_t host_most(const struct frontier *f, const struct host *h);
/* Puts a visit back into its host's queue. */
void visit_wait(struct frontier *f, struct host *h, uint32_t visit);
/* Makes a choice wait, or says why not. */
enum drop visit_admit(struct frontier *f, const struct choice *c, uint8_t hop, int64_t now);

/* ---- release.c ---- */

/* Puts the host where it belongs on the workbench. Call it after every change of the host. */
void host_place(struct frontier *f, struct host *h, int64_t now);
/* A request to the host starts: its delays count from now. */
void host_busy(const struct frontier *f, struct host *h, int64_t now);

/* ---- service.c ---- */

/* The door through which robots.txt of the host is to be asked for, and whether by https. */
struct door *service_robots_door(struct host *h, bool tls, bool *ret_tls);
/* robots.txt is needed: when may the host that has the file be asked? */
int64_t service_robots_at(const struct frontier *f, const struct host *h, int64_t now);
/* May that host be asked now? Not while it is busy. If it has died, that counts as a failure. */
bool service_robots_may(struct frontier *f, struct host *h, int64_t now);
struct request *service_resolve(struct frontier *f, struct host *h, struct door *door, bool tls);
struct request *service_robots(struct frontier *f, struct host *h, const struct door *door,
                               bool tls, int64_t now);
void service_resolved(struct frontier *f, struct arrival *a, int64_t now);
void service_robots_came(struct frontier *f, struct arrival *a, int64_t now);
void service_sitemap_add(struct frontier *f, uint32_t host, struct str url);

/* ---- rules.c ---- */

/* Gives the host its rules and takes them over; NULL: none. Rules of other hosts may
 * be dropped to make room. */
void rules_set(struct frontier *f, struct host *h, struct robots *rules);
/* Drops the rules from memory; then robots.txt does not count as read any more. */
void rules_drop(struct frontier *f, struct host *h);
/* The verdict of the host's rules on a path, if it can wait. SAID_NOTHING if no rules are in
 * memory, or if LIMIT_ROBOTS_STEPS are used up since the last reply or release. */
enum said rules_say(struct frontier *f, const struct host *h, struct str path);
/* Notes that a page of the host is requested. */
void rules_used(struct frontier *f, struct host *h);

/* ---- replies.c ---- */

/* A request for `h` came back from the host `asked`, usually the same one: updates counts,
 * response time and next time. */
void reply_finish(struct frontier *f, struct host *h, struct host *asked, const struct arrival *a,
                  int64_t now);
/* No request to the host may start before this time. */
void host_wait(struct host *h, int64_t until);
/* The wait after the n-th failure in a row; it doubles each time. */
int64_t reply_backoff(const struct frontier *f, unsigned n);
/* Retry-After in us, or 0 if there is none. */
int64_t reply_retry_after(const struct reply *r, int64_t now);
bool reply_is_redirect(const struct reply *r);
