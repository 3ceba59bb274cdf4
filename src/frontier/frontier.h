/* frontier.h - which URLs are known, which may be fetched, and when.
 *
 * In: links (frontier_meet), choices of agents (frontier_add) or the best link of each
 * host (frontier_wish), replies (frontier_replied). Out: requests that are due
 * (frontier_release).
 * Thread: the mind only. Time is an argument.
 *
 * Invariants:
 *  1. A URL gets its number once; the numbers are dense from 1. http and https
 *     of it are one URL: the first spelling is kept.
 *  2. Two requests to one host never start closer than the greatest of: our
 *     delay, its Crawl-delay, latency_factor x its last answering time; nor
 *     before its Retry-After and its back-off after errors have passed. Two
 *     requests to one address never start closer than our delay and
 *     latency_factor x its last answering time. (What one host wishes for
 *     itself does not bind its neighbours behind a shared address.)
 *  3. At most `per_host` requests to a host are under way (default 1), and to
 *     an address as many.
 *     What the user sets for a host (host_settings.h) takes the place of our delay and of
 *     `per_host` there; its address then rests for the shorter of both delays, and takes as many
 *     requests as the host does.
 *  4. No page is requested before the host has an address and robots.txt was
 *     read (unless robots are off).
 *  5. Every choice that was added ends exactly once: released and replied, or
 *     handed to on_drop with a reason. Retries happen inside.
 *  6. Same calls, same answers: nothing depends on pointers or hash order.
 *
 * Life of a host:  NEW -> RESOLVING -> ROBOTS -> OPEN -> DEAD  (hosts.h)
 * Hosts wait in a heap by next time; an address groups the hosts behind it
 * (the BUbiNG workbench). A host with no choices waits nowhere. Among hosts that
 * are due the one with the best choice goes first.
 *
 * Why a host is dead, and so why its choices are dropped: no address after three
 * tries, or LIMIT_HOST_FAILURES broken connections in a row (host-dead);
 * robots.txt answers, but never so that it can be read (robots); the egress
 * guard forbids its address (address). The replies and what they do are a table
 * at the head of replies.c; those of robots.txt, of service.c.
 */
#pragma once

#include "flow.h"

struct frontier;
struct scope;         /* frontier/scope.h */
struct host_settings; /* frontier/host_settings.h */

struct frontier_config {
    int64_t delay;             /* us between requests to a host */
    double latency_factor;     /* times the last response time; 0: not used */
    uint32_t per_host;         /* requests under way at one host or address */
    uint32_t max_depth;        /* UINT32_MAX: any */
    uint32_t pages_per_host;   /* UINT32_MAX: any */
    uint32_t host_budget;      /* pages that a host may give without earning them; 0: any */
    uint32_t host_step;        /* further pages for each unit of relevance earned */
    uint32_t host_urls;        /* URLs that a domain may name without earning them; 0: any */
    uint32_t url_step;         /* further URLs for each unit of relevance earned */
    size_t urls_bytes;         /* most memory of all URLs and hosts; 0: any */
    size_t robots_bytes;       /* of all robots.txt rules; 0: any */
    uint32_t max_waiting;      /* most choices held */
    uint32_t max_urls;         /* most known URLs */
    uint32_t retries;          /* after the first attempt */
    int64_t now;               /* for dates in URLs, until a call passes the time */
    bool robots;               /* obey robots.txt */
    bool resolve;              /* ask fetch for addresses; false behind a proxy */
    struct str token;          /* our product token for robots.txt */
    const struct scope *scope; /* lent; NULL: everything is in scope */
    /* Settings of single hosts, in place of delay, per_host, max_depth and
     * pages_per_host; lent, may be NULL. */
    const struct host_settings *hosts;
    /* Gives ETag and Last-Modified of a stored page, for a refresh; lent until the next call.
     * NULL: no conditional requests. */
    void (*validators)(void *ctx, uint32_t page, struct str *ret_etag, struct str *ret_modified);
    void *validators_ctx;
    /* Does a host (without port) belong to another node of this crawl? If so, its URLs get
     * DROP_FOREIGN. It is asked again whenever such a URL is met. NULL: all hosts are ours. */
    bool (*foreign)(void *ctx, struct str host);
    void *foreign_ctx;
    bool foreign_whole; /* the texts of their URLs are kept, too: agents move there */
};

struct frontier *frontier_new(const struct frontier_config *config);
void frontier_free(struct frontier *f);

/* ---- known URLs ---- */

/* Gives a link's URL its number (old or new) and judges it. DROP_NONE: it may be offered
 * to the model. DROP_SEEN is never returned: a known URL gets the verdict that it had,
 * with *ret_new false (unless it was only too deep, and this way is shorter). rel=nofollow
 * belongs to the link and not to the URL, so the caller handles it. Of a dropped URL only
 * the verdict is kept, unless it is a seed. *ret_url is 0, and nothing is kept, for
 * DROP_SCHEME, DROP_LONG and DROP_QUEUE_FULL, and if the domain that names the URL has
 * used up its budget (then the result is DROP_BUDGET, or another reason against the URL). */
enum drop frontier_meet(struct frontier *f, const struct link *link, uint32_t from_page,
                        uint16_t depth, uint32_t *ret_url, bool *ret_new);

/* How much a page's links count. A page that repeats an earlier one of its own
 * host leads deeper into a mirror, a calendar or a space of session ids. The
 * links of an exact duplicate are not followed. Those of a near duplicate are
 * followed once: pages that only near duplicates name, and that are near
 * duplicates themselves, do not lead further. Links to URLs that an ordinary
 * page names, too, are not restricted. */
enum feeding { FEED_NONE, FEED_ONCE, FEED_ALL };

/* For a page fetched from `url` that repeats page `dup_of` (0: none). */
enum feeding frontier_feed(const struct frontier *f, uint32_t url, uint32_t dup_of, bool exact);

/* Where a link was found. */
struct naming {
    uint32_t page;     /* 0: not a page, but a seed, a sitemap or a redirect */
    uint32_t host;     /* request.host_id of the host whose domain is charged; 0: none */
    uint16_t depth;    /* of the URL, counted along this link */
    enum feeding feed; /* how much the link counts */
};

/* frontier_meet() for a link of a known source: DROP_TRAP if only duplicates name the
 * URL. frontier_meet() itself uses FEED_ALL and charges no domain. */
enum drop frontier_meet_from(struct frontier *f, const struct link *link, const struct naming *by,
                             uint32_t *ret_url, bool *ret_new);

/* Returns the verdict on a link whose URL was met before, as frontier_meet() would give it now, but
 * changes nothing and gives no number. *ret_url is 0 if the URL has none. */
enum drop frontier_known(struct frontier *f, const struct link *link, uint32_t *ret_url);

/* Announces links that will be met at once, so that their entries are prefetched. Only for a
 * simulated web, where waiting for memory is a third of a visit. */
void frontier_expect(const struct frontier *f, const struct link *links, uint32_t count);

enum url_state { URL_KNOWN, URL_WAITING, URL_VISITED, URL_GONE };

struct url_view {
    struct str href;    /* lent until the next call; empty: only its verdict is kept */
    uint32_t from_page; /* the first page that named it; 0: seed */
    uint32_t page;      /* its page, if it was visited */
    uint16_t depth;
    uint8_t state; /* enum url_state */
    uint8_t drop;  /* enum drop: why it is gone, or was never offered */
};

/* Returns false if the number was never given. For a URL that was redirected, state, drop and
 * page are those of its target. */
bool frontier_url(struct frontier *f, uint32_t url, struct url_view *ret);
/* Returns the state alone, in a few nanoseconds; a redirected URL counts as visited. */
enum url_state frontier_state(const struct frontier *f, uint32_t url);
/* Returns the page last stored for it; 0 if there is none. */
uint32_t frontier_page(const struct frontier *f, uint32_t url);
uint32_t frontier_find(struct frontier *f, uint64_t key);         /* 0: unknown */
uint32_t frontier_source(const struct frontier *f, uint32_t url); /* its link.source, or 0 */
uint32_t frontier_urls(const struct frontier *f);

/* ---- choices ---- */

/* Takes a choice. DROP_NONE: it waits, and will be replied to or dropped later. Otherwise it is
 * refused at once. A URL that is already waiting, or visited (without refresh), gives DROP_SEEN. */
enum drop frontier_add(struct frontier *f, const struct choice *c, int64_t now);

/* Returns how many more choices it can use now, so that models choose late,
 * with the newest knowledge. `slots` is how many requests fetch could start at
 * this moment. Requests that are due now take as many of these slots; the rest
 * is the room, as long as fewer than max_waiting choices wait. So a host that
 * waits for its delay, its answer or its robots.txt takes no room from the
 * others, however many choices it has. If a model only knows such hosts,
 * max_waiting is the only bound. */
uint32_t frontier_room(const struct frontier *f, int64_t now, uint32_t slots);

/* How many choices wait for time to pass: their host's delay, back-off, Retry-After. If links are
 * chosen late: how many addresses wait. */
uint32_t frontier_delayed(const struct frontier *f, int64_t now);

/* How many choices wait at idle hosts that may not be asked for longer than `wait` (a minute at
 * most) beyond the delay. Reads every choice. */
uint32_t frontier_away(const struct frontier *f, int64_t now, int64_t wait);
/* How many choices have been under way for longer than `wait`. Reads every choice. */
uint32_t frontier_overdue(const struct frontier *f, int64_t now, int64_t wait);

/* By when all waiting choices can have been sent, host by host, with their delays; those that wait
 * for more than a minute do not count. Reads every choice. */
int64_t frontier_drained(const struct frontier *f, int64_t now);

/* The host of a URL; 0 if the URL has no number, or only its verdict is kept. */
uint32_t frontier_host(const struct frontier *f, uint32_t url);

/* Says which of the links that wait at a host is the best, for a model that chooses late. The
 * frontier then asks for the host's address and robots.txt, and calls release->choose when a page
 * may be asked for. The wish is valid until the host's next wish; url 0: no link waits. */
void frontier_wish(struct frontier *f, uint32_t host, const struct wish *w, int64_t now);

/* Three of frontier_counts(), cheap enough for every turn. */
uint32_t frontier_wishes(const struct frontier *f);
uint32_t frontier_hosts_paged(const struct frontier *f);
uint32_t frontier_in_flight(const struct frontier *f);

/* What a release may do, and the callbacks that it uses. */
struct release {
    uint32_t max;     /* most requests */
    uint32_t choices; /* most of these that are visits chosen now */
    uint32_t least;   /* wishes below the bound that are granted all the same */
    float bound;      /* wishes below it are held, unless nothing else will happen */
    void *ctx;
    void (*on_due)(void *ctx, struct request *r); /* takes r */
    void (*on_drop)(void *ctx, const struct choice *c, enum drop why);
    /* Chooses a link of this host; returns false if there is none. Before it returns, it calls
     * frontier_wish() with the best link that is left there. May be NULL. */
    bool (*choose)(void *ctx, uint32_t host, struct choice *ret);
    /* Called when a choice that has waited can be sent. Returns false if it is kept. Returns
     * true if *ret replaces it, or if nothing does (its url is 0); the old choice is not
     * reported again. May be NULL. */
    bool (*again)(void *ctx, const struct choice *c, struct choice *ret);
};

/* Hands out requests that are due now, and drops choices that can no longer be sent (robots.txt
 * forbids them, or the host is dead). Returns how many requests were handed out. */
uint32_t frontier_release(struct frontier *f, int64_t now, const struct release *r);

/* When something will be due next; a past time if it is due already; INT64_MAX
 * if nothing waits for time. Hosts for which the last release had no slot wait
 * for an arrival, and do not count until one comes. This avoids a busy loop. */
int64_t frontier_next_time(const struct frontier *f);

/* ---- replies ---- */

enum verdict {
    VERDICT_PAGE,     /* a document arrived: perceive it */
    VERDICT_SAME,     /* 304: unchanged since the last visit */
    VERDICT_REDIRECT, /* to a target: call frontier_redirect() */
    VERDICT_RETRY,    /* taken back; it will be tried again */
    VERDICT_FAILED,   /* ended; `why` is the reason */
    VERDICT_SERVICE   /* robots or address of a host: nothing for agents */
};

struct reply_verdict {
    enum verdict verdict;
    enum drop why;
};

/* Takes a reply, digested or not: updates the host's state and says what to do.
 * Every request handed out must come back here exactly once. */
struct reply_verdict frontier_replied(struct frontier *f, struct arrival *a, int64_t now);

/* Continues the visit at `target`, after one more redirect; by the same rules as frontier_add().
 * The choice of its further requests has the target as its url. */
enum drop frontier_redirect(struct frontier *f, const struct arrival *a, uint32_t target,
                            int64_t now);

/* A page of this relevance was found there: its host's budget grows by relevance x host_step. Call
 * it before frontier_visited(). */
void frontier_earned(struct frontier *f, uint32_t url, float relevance);

/* The visit's page got its number: marks the URL as visited and charges the
 * host's budget, once for each URL (not for page 0: a sitemap, or nothing
 * stored). Call it before the next release. */
void frontier_visited(struct frontier *f, uint32_t url, uint32_t page);

/* Allows a URL that is gone to be chosen again, and gives its host another chance: the host is
 * no longer dead, and if robots.txt forbade the URL, it is read again. From then on,
 * directories in which everything is missing are asked again. Call it after frontier_restore()
 * and before the first release. */
void frontier_forgive(struct frontier *f, uint32_t url);

/* A URL counted as visited by another machine, whose disk is lost: it is treated as if it had just
 * been met. Has no effect on a URL that waits or is gone. */
void frontier_unvisit(struct frontier *f, uint32_t url);

/* Until when a host is left alone for longer than its delay, because it asked for that or there
 * were errors; 0 if it is not. */
int64_t frontier_pause(const struct frontier *f, uint32_t host, int64_t now);
/* Sets such a pause, which another node reports for the host of this URL. */
void frontier_set_pause(struct frontier *f, struct str href, int64_t until, int64_t now);

/* Returns true the first time it is called for a URL; after a restart, also for URLs that had a
 * verdict against them then. */
bool frontier_first(struct frontier *f, uint32_t url);

/* Another node has visited the URL, or given it up (`why`): it must not be requested again. */
void frontier_settled(struct frontier *f, uint32_t url, enum drop why);

/* Some hosts now belong to other nodes: the next releases drop what waits there. */
void frontier_moved(struct frontier *f);

/* Remembers a page's text. Returns the earlier page that it (nearly) repeats, or 0. */
uint32_t frontier_duplicate(struct frontier *f, uint32_t page, uint64_t payload_hash,
                            uint64_t simhash, uint32_t words, bool *ret_exact);

/* Gives the Sitemap URLs of robots.txt files since the last call, one at a time, with the host
 * whose file it is (for struct naming). Returns false if there are no more. */
bool frontier_sitemap(struct frontier *f, struct buf *ret_url, uint32_t *ret_host);

/* ---- figures ---- */

struct frontier_counts {
    uint32_t urls, waiting, in_flight, hosts, hosts_dead, hosts_open;
    uint32_t hosts_paged; /* that have given a page */
    uint32_t wishes;      /* hosts with a wish */
    uint32_t held;        /* of these, below the bound of the last release: idle by choice */
    uint64_t bytes_urls, bytes_hosts, bytes_robots, bytes_queues; /* memory */
};

struct frontier_counts frontier_counts(const struct frontier *f);

/* Call it when memory is scarce: drops the rules of idle hosts. They are read again
 * before the host's next page. */
void frontier_spare(struct frontier *f);

/* ---- checkpoint ---- */

typedef void frontier_host_fn(void *ctx, uint32_t id, struct str name, struct str state);

/* Reports the hosts whose state has changed since the last call (EVENT_HOST). */
void frontier_changed_hosts(struct frontier *f, frontier_host_fn *fn, void *ctx);
/* Saves the open choices, waiting and under way, which will be added again. */
void frontier_save(const struct frontier *f, struct buf *out);

/* Restore in this order: URLs (by ascending number), hosts, state; then call
 * frontier_duplicate() again for each stored page. Afterwards every host first
 * waits its full delay, and every open choice waits again. After ST_CORRUPT the
 * frontier can only be freed. */
enum status frontier_restore_url(struct frontier *f, struct str href, uint32_t id,
                                 const struct url_view *v) MUST_USE;
/* Counts a URL that the server reported as missing. It must be gone for that reason, and its text
 * must be kept; otherwise nothing happens. */
void frontier_restore_missing(struct frontier *f, uint32_t url);
enum status frontier_restore_host(struct frontier *f, uint32_t id, struct str name,
                                  struct str state, int64_t now) MUST_USE;
enum status frontier_restore(struct frontier *f, struct str state, int64_t now) MUST_USE;
