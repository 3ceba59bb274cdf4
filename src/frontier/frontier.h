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
    double latency_factor;     /* times the answering time; 0: not used */
    uint32_t per_host;         /* requests under way at one host or address */
    uint32_t max_depth;        /* UINT32_MAX: any */
    uint32_t pages_per_host;   /* UINT32_MAX: any */
    uint32_t host_budget;      /* pages a host has without earning them; 0: any */
    uint32_t host_step;        /* pages more for each unit of relevance earned */
    uint32_t host_urls;        /* URLs that a domain may name before it earns more; 0: any */
    uint32_t url_step;         /* more for each unit of relevance earned */
    size_t urls_bytes;         /* memory of all URLs and hosts at most; 0: any */
    size_t robots_bytes;       /* of all robots.txt rules; 0: any */
    uint32_t max_waiting;      /* choices held at most */
    uint32_t max_urls;         /* known URLs at most */
    uint32_t retries;          /* after the first attempt */
    int64_t now;               /* for the dates in URLs, until the first call that says it */
    bool robots;               /* obey robots.txt */
    bool resolve;              /* ask fetch for addresses; false behind a proxy */
    struct str token;          /* our product token for robots.txt */
    const struct scope *scope; /* lent; NULL: everything */
    /* In place of delay, per_host, max_depth and pages_per_host at single hosts; lent, may be
     * NULL. */
    const struct host_settings *hosts;
    /* ETag and Last-Modified of a stored page, for a refresh; lent until the
     * next call. NULL: no conditional requests. */
    void (*validators)(void *ctx, uint32_t page, struct str *ret_etag, struct str *ret_modified);
    void *validators_ctx;
    /* Does a host (without port) belong to another node of this crawl? DROP_FOREIGN then; it is
     * asked again whenever such a URL is met. NULL: all hosts are ours. */
    bool (*foreign)(void *ctx, struct str host);
    void *foreign_ctx;
    bool foreign_whole; /* their URLs are kept as texts, too: agents go there */
};

struct frontier *frontier_new(const struct frontier_config *config);
void frontier_free(struct frontier *f);

/* ---- known URLs ---- */

/* Gives a link's URL its number (old or new) and judges it. DROP_NONE: it may
 * be offered to the model. DROP_SEEN is not returned: a known URL gets the
 * verdict it had, with *ret_new false (unless only its depth spoke against it,
 * and this way is shorter). rel=nofollow belongs to the link, not to the URL,
 * and is the caller's. Of a URL that is dropped only the verdict is kept, unless it is a
 * seed's. *ret_url is 0, and nothing is kept, for DROP_SCHEME, DROP_LONG and
 * DROP_QUEUE_FULL, and where the domain that names it has used up its budget: DROP_BUDGET,
 * or another reason against the URL. */
enum drop frontier_meet(struct frontier *f, const struct link *link, uint32_t from_page,
                        uint16_t depth, uint32_t *ret_url, bool *ret_new);

/* What a page's links are worth. A page that repeats an earlier one of its own
 * host leads deeper into a mirror, a calendar, a space of session ids: to the
 * byte, and its links count for nothing; nearly, and they count once: pages
 * that only near duplicates name, and that are near duplicates themselves,
 * pass nothing on. Links to URLs that an ordinary page names too are free. */
enum feeding { FEED_NONE, FEED_ONCE, FEED_ALL };

/* Of a page fetched for `url` that repeats page `dup_of` (0: none). */
enum feeding frontier_feed(const struct frontier *f, uint32_t url, uint32_t dup_of, bool exact);

/* Who names a link. */
struct naming {
    uint32_t page;     /* 0: no page does, but a seed, a sitemap, a redirect */
    uint32_t host;     /* request.host_id: its domain is charged for the memory; 0: none is */
    uint16_t depth;    /* of the URL by this way */
    enum feeding feed; /* what it is worth */
};

/* frontier_meet() for a link of a known source: DROP_TRAP where only duplicates name the
 * URL. frontier_meet() itself is FEED_ALL, and charges no domain. */
enum drop frontier_meet_from(struct frontier *f, const struct link *link, const struct naming *by,
                             uint32_t *ret_url, bool *ret_new);

/* The verdict on a link whose URL was met before, as frontier_meet() would give it
 * now; nothing is changed, and no number is given. *ret_url is 0 where the URL
 * has none. */
enum drop frontier_known(struct frontier *f, const struct link *link, uint32_t *ret_url);

/* These links will be met at once: what is known of them is sent for. Only of a
 * simulated web, where this wait is a third of a visit. */
void frontier_expect(const struct frontier *f, const struct link *links, uint32_t count);

enum url_state { URL_KNOWN, URL_WAITING, URL_VISITED, URL_GONE };

struct url_view {
    struct str href; /* lent until the next call on the frontier; empty: only its verdict is kept */
    uint32_t from_page; /* the first page that named it; 0: seed */
    uint32_t page;      /* where visited */
    uint16_t depth;
    uint8_t state; /* enum url_state */
    uint8_t drop;  /* enum drop, why it is gone or never offered */
};

/* False where the number was never given. Of a URL that was redirected, state,
 * drop and page are those of the URL where it led. */
bool frontier_url(struct frontier *f, uint32_t url, struct url_view *ret);
/* The state alone, in a few nanoseconds; a redirected URL counts as visited. */
enum url_state frontier_state(const struct frontier *f, uint32_t url);
/* The page last stored for it; 0: none. */
uint32_t frontier_page(const struct frontier *f, uint32_t url);
uint32_t frontier_find(struct frontier *f, uint64_t key);         /* 0: unknown */
uint32_t frontier_source(const struct frontier *f, uint32_t url); /* its link.source, or 0 */
uint32_t frontier_urls(const struct frontier *f);

/* ---- choices ---- */

/* Takes a choice. DROP_NONE: it waits, and will be replied to or dropped later.
 * Otherwise it is refused at once. A URL already waiting or visited (without
 * refresh) is DROP_SEEN. */
enum drop frontier_add(struct frontier *f, const struct choice *c, int64_t now);

/* How many more choices it can use now, so that models choose late, with the
 * newest knowledge. `slots` is how many requests fetch could start this moment;
 * as many of them as requests are due now are provided for, and the rest is the
 * room, while fewer than max_waiting choices wait. So a host that waits for its
 * delay, its answer or its robots.txt takes no room from the others, however
 * many choices it has; only max_waiting bounds a model that knows no other. */
uint32_t frontier_room(const struct frontier *f, int64_t now, uint32_t slots);

/* How many choices wait for time: their host's delay, back-off, Retry-After. Where links are
 * chosen late: how many addresses. */
uint32_t frontier_delayed(const struct frontier *f, int64_t now);

/* How many choices wait at hosts that cannot be asked for longer than `wait` beyond the delay; a
 * minute at most. Looks at every choice. */
uint32_t frontier_away(const struct frontier *f, int64_t now, int64_t wait);
/* How many choices have been under way for longer than `wait`. Looks at every choice. */
uint32_t frontier_overdue(const struct frontier *f, int64_t now, int64_t wait);

/* When all choices that wait can have been sent, host by host, by their delays; without those
 * that wait for more than a minute. Looks at every choice. */
int64_t frontier_drained(const struct frontier *f, int64_t now);

/* The host of a URL; 0 where it has no number, or its verdict alone is kept. */
uint32_t frontier_host(const struct frontier *f, uint32_t url);

/* Says which link that waits at a host is the best, for a model that chooses late. The
 * host's address and robots.txt are asked for, and when a page may be asked for,
 * release->choose is called. It holds until the host's next wish; url 0: no link waits. */
void frontier_wish(struct frontier *f, uint32_t host, const struct wish *w, int64_t now);

/* Three of frontier_counts(), for every turn: the others cost more. */
uint32_t frontier_wishes(const struct frontier *f);
uint32_t frontier_hosts_paged(const struct frontier *f);
uint32_t frontier_in_flight(const struct frontier *f);

/* What a release may do, and who hears of it. */
struct release {
    uint32_t max;     /* requests */
    uint32_t choices; /* of them visits that are chosen now */
    uint32_t least;   /* of them at least, by wishes below the bound */
    float bound;      /* wishes below it are held, unless nothing else will happen */
    void *ctx;
    void (*on_due)(void *ctx, struct request *r); /* takes r */
    void (*on_drop)(void *ctx, const struct choice *c, enum drop why);
    /* Chooses a link of this host; false where there is none. Before it returns it calls
     * frontier_wish() with the best link that is left there. May be NULL. */
    bool (*choose)(void *ctx, uint32_t host, struct choice *ret);
    /* A choice that has waited can be sent. False: it stands. True: *ret is in its place, or
     * nothing where its url is 0, and it is not reported again. May be NULL. */
    bool (*again)(void *ctx, const struct choice *c, struct choice *ret);
};

/* Hands out requests that are due now, and choices that died waiting (robots came and
 * said no, host dead). Returns how many requests. */
uint32_t frontier_release(struct frontier *f, int64_t now, const struct release *r);

/* When something will be due next, in the past where it is already; INT64_MAX:
 * nothing waits for time. Hosts that the last release had no slot for wait for
 * an arrival, and do not count until one came: no busy loop. */
int64_t frontier_next_time(const struct frontier *f);

/* ---- replies ---- */

enum verdict {
    VERDICT_PAGE,     /* a document came: perceive it */
    VERDICT_SAME,     /* 304: unchanged since the last visit */
    VERDICT_REDIRECT, /* to ret->target: call frontier_redirect() */
    VERDICT_RETRY,    /* taken back, will be tried again */
    VERDICT_FAILED,   /* ended: ret->why */
    VERDICT_SERVICE   /* robots or address of a host: nothing for agents */
};

struct reply_verdict {
    enum verdict verdict;
    enum drop why;
};

/* A reply came, digested or not: updates the host's standing and says what is
 * to be done. Every request handed out must come back here exactly once. */
struct reply_verdict frontier_replied(struct frontier *f, struct arrival *a, int64_t now);

/* The visit goes on at `target` (one hop more); same rules as frontier_add. The
 * choice of its further requests has the target as its url. */
enum drop frontier_redirect(struct frontier *f, const struct arrival *a, uint32_t target,
                            int64_t now);

/* A page of this relevance was found there: its host's budget grows by as much
 * of host_step. To be called before frontier_visited(). */
void frontier_earned(struct frontier *f, uint32_t url, float relevance);

/* The visit's page got its number: the URL is visited, the host's budget
 * charged (once a URL; not for page 0: a sitemap, nothing stored). To be called
 * before the next release. */
void frontier_visited(struct frontier *f, uint32_t url, uint32_t page);

/* A URL that is gone may be chosen again, and its host gets another chance: it
 * is not dead, and where robots.txt spoke against the URL it is read again. Directories in which all
 * is missing are asked from then on. To be
 * called after frontier_restore() and before the first release. */
void frontier_forgive(struct frontier *f, uint32_t url);

/* A URL counts as visited by another machine, whose disk is lost: as if it had just been met.
 * Nothing happens to one that waits or is gone. */
void frontier_unvisit(struct frontier *f, uint32_t url);

/* Until when a host is left alone for longer than its delay: it asked for that, or there were errors.
 * 0: it is not. */
int64_t frontier_pause(const struct frontier *f, uint32_t host, int64_t now);
/* Another node says so of the host of this URL. */
void frontier_set_pause(struct frontier *f, struct str href, int64_t until, int64_t now);

/* True the first time it is asked of a URL. After a restart, of those that had a verdict against
 * them then. */
bool frontier_first(struct frontier *f, uint32_t url);

/* Another node has visited the URL, or given it up (`why`): it is not to be asked for again. */
void frontier_settled(struct frontier *f, uint32_t url, enum drop why);

/* Hosts have come to belong to other nodes: what waits there is dropped by the next releases. */
void frontier_moved(struct frontier *f);

/* Remembers a page's text; the earlier page it (nearly) repeats, or 0. */
uint32_t frontier_duplicate(struct frontier *f, uint32_t page, uint64_t payload_hash,
                            uint64_t simhash, uint32_t words, bool *ret_exact);

/* Sitemap URLs from robots.txt files since the last call, one at a time, with the host
 * whose file it is (for struct naming). */
bool frontier_sitemap(struct frontier *f, struct buf *ret_url, uint32_t *ret_host);

/* ---- figures ---- */

struct frontier_counts {
    uint32_t urls, waiting, in_flight, hosts, hosts_dead, hosts_open;
    uint32_t hosts_paged; /* that gave a page */
    uint32_t wishes;      /* hosts with a wish */
    uint32_t held;        /* of them below the bound of the last release: idle by choice */
    uint64_t bytes_urls, bytes_hosts, bytes_robots, bytes_queues; /* memory */
};

struct frontier_counts frontier_counts(const struct frontier *f);

/* Memory is scarce: drops the rules of idle hosts. They are read again before the host's
 * next page. */
void frontier_spare(struct frontier *f);

/* ---- checkpoint ---- */

typedef void frontier_host_fn(void *ctx, uint32_t id, struct str name, struct str state);

/* Hosts whose standing changed since the last call (EVENT_HOST). */
void frontier_changed_hosts(struct frontier *f, frontier_host_fn *fn, void *ctx);
/* Open choices: those waiting and those under way, to be added again. */
void frontier_save(const struct frontier *f, struct buf *out);

/* In the order urls (by ascending number), hosts, state; frontier_duplicate()
 * again for each stored page. After it every host first waits its full delay,
 * and every open choice waits again. On ST_CORRUPT the frontier is only good for
 * frontier_free(). */
enum status frontier_restore_url(struct frontier *f, struct str href, uint32_t id,
                                 const struct url_view *v) MUST_USE;
/* The server said of this URL that it is not there. Others are passed over. */
void frontier_restore_missing(struct frontier *f, uint32_t url);
enum status frontier_restore_host(struct frontier *f, uint32_t id, struct str name,
                                  struct str state, int64_t now) MUST_USE;
enum status frontier_restore(struct frontier *f, struct str state, int64_t now) MUST_USE;
