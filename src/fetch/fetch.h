/* fetch.h - what did the server say?
 *
 * In: struct request. Out: struct arrival, with the reply filled and, for
 * pages, digested (decoded, parsed, profiled) on the thread where it arrived.
 * Two implementations: the web (fetch/web.c, libcurl multi on libuv loops), and
 * the simulator (sim/). Requests come from the mind's thread only.
 *
 * An implementation may know more than a server does, which saves the mind work:
 *
 *   source     it has numbered its URLs itself, densely from 1. The links of its pages carry
 *              that number, the frontier finds them by it, and requests give it back
 *   alone      of a page: no other is like it, so that duplicates need not be looked for
 *   released   of an arrival: its memory goes back to the implementation
 *
 * If they are 0, the mind uses keys, hashes and the heap, with the same result.
 */
#pragma once

#include "base/status.h"
#include "flow.h"

#include <stdatomic.h>

struct identity;

/* Called on a fetch thread when a reply is complete. `thread` counts from 0. */
typedef void fetch_digest_fn(void *ctx, unsigned thread, struct arrival *a);

/* fetch_slow_fn says whether a reply takes long to digest. If it does,
 * fetch_convert_fn is called before digestion, on a thread of its own; it ends
 * early when *stop becomes true. */
typedef bool fetch_slow_fn(void *ctx, const struct arrival *a);
typedef void fetch_convert_fn(void *ctx, struct arrival *a, const atomic_bool *stop);

/* A header line that the user gave. */
struct fetch_header {
    const char *line; /* "Name: value"; NULL: the end of a list */
    const char *host; /* as in a request's host; NULL: for every request */
    uint16_t port;    /* with a host: only for requests to this port … */
    bool tls;         /* … and only over TLS, or only without */
    bool secret;      /* its value is not archived */
};

/* Everything that it points to stays valid until stop(). */
struct fetch_config {
    unsigned threads;        /* event loops */
    unsigned connections;    /* most requests under way, on all threads */
    int64_t timeout;         /* us from start to last byte: the total deadline */
    int64_t connect_timeout; /* us */
    uint64_t rate;           /* bytes a second in total; 0: no limit */
    const char *user_agent;
    const char *from;                   /* contact mail for the From header, or NULL */
    const char *purpose;                /* what the crawl is for, or NULL */
    const struct identity *identity;    /* signs every GET; NULL: requests are not signed */
    const char *proxy;                  /* URL or NULL */
    const char *ca_file;                /* or NULL: the system's */
    const char *cookies;                /* Netscape cookie file or NULL */
    const struct fetch_header *headers; /* extra lines, or NULL */
    const char *const *resolve;         /* --resolve rules, NULL at the end */
    bool allow_private;                 /* switch off the egress guard */
    bool private_only;                  /* no public address: the user gave no contact */
    const int64_t *until;               /* lent, atomic: nothing is sent after this moment of
                                         * clock_boot(), but cancelled; NULL: at any time */
    bool archive;                       /* keep the request as sent (for the WARC) */
    /* Is a body of this Content-Type worth reading? NULL: every body is read. It is
     * not called for robots.txt. */
    bool (*wants_type)(void *ctx, struct str content_type);
    void *wants_ctx;
    fetch_slow_fn *slow; /* NULL: no reply is slow */
    fetch_convert_fn *convert;
    void *convert_ctx;
    fetch_digest_fn *digest; /* may be NULL */
    void *digest_ctx;
    struct usage *usage; /* lent: bodies are counted there; NULL: nowhere */
    const void *own;     /* for one implementation only: sim's struct replay_config */
};

struct fetch_counts {
    uint64_t requests, bytes; /* since the start; bytes as received */
    unsigned in_flight;
};

/* now() is the time that fetch works with: the clock's, or a simulated web's. */
struct fetch_ops {
    const char *name;
    enum status (*start)(const struct fetch_config *config, void **ret_self);
    /* Takes the request. Returns false if all connections are busy (try again after a take). It may
     * be held back until the next take. */
    bool (*submit)(void *self, struct request *r);
    /* How many submits would succeed now. */
    unsigned (*slots)(void *self);
    /* Gives arrivals, and waits up to wait_us for the first. The caller releases them. */
    size_t (*take)(void *self, struct arrival **ret, size_t max, int64_t wait_us);
    /* Makes a waiting take return. May be called from any thread. */
    void (*wake)(void *self);
    int64_t (*now)(void *self); /* us since 1970; moves during take only where simulated */
    struct fetch_counts (*counts)(void *self);
    /* Cancels the requests under way and frees everything; undelivered arrivals are released. */
    void (*stop)(void *self);
};

extern const struct fetch_ops fetch_web;
/* The other implementation is fetch_sim in sim/web/replay.h. */
