/* fetch.h - what did the server say?
 *
 * In: struct request. Out: struct arrival, with the reply filled and, for
 * pages, digested (decoded, parsed, profiled) on the thread where it arrived.
 * Two implementations: the web (fetch/web.c, libcurl multi on libuv loops), and
 * the simulator (sim/). Requests come from the mind's thread only.
 *
 * An implementation may know more than a server says, and save the mind work:
 *
 *   source     it has numbered its URLs itself, densely from 1. The links of its pages carry
 *              that number, the frontier finds them by it, and requests give it back
 *   alone      of a page: no other is like it, so that duplicates need not be looked for
 *   released   of an arrival: its memory goes back to the implementation
 *
 * Where they are 0 the mind goes by keys, hashes and the heap, with the same result.
 */
#pragma once

#include "base/status.h"
#include "flow.h"

#include <stdatomic.h>

struct identity;

/* Called on a fetch thread when a reply is complete. `thread` counts from 0. */
typedef void fetch_digest_fn(void *ctx, unsigned thread, struct arrival *a);

/* Called before that, on a thread of its own, for replies that take long according to
 * fetch_slow_fn; ends early when *stop becomes true. */
typedef bool fetch_slow_fn(void *ctx, const struct arrival *a);
typedef void fetch_convert_fn(void *ctx, struct arrival *a, const atomic_bool *stop);

/* A header line of the user's. */
struct fetch_header {
    const char *line; /* "Name: value"; NULL: the end of a list */
    const char *host; /* as in a request's host; NULL: every request gets the line */
    uint16_t port;    /* with a host: only requests to this port … */
    bool tls;         /* … over TLS or not */
    bool secret;      /* its value is not archived */
};

/* All that it points to stays valid until stop(). */
struct fetch_config {
    unsigned threads;        /* event loops */
    unsigned connections;    /* requests under way at most, all threads */
    int64_t timeout;         /* us from start to last byte: the total deadline */
    int64_t connect_timeout; /* us */
    uint64_t rate;           /* bytes a second over all; 0: as fast as it comes */
    const char *user_agent;
    const char *from;                   /* contact mail for the From header, or NULL */
    const char *purpose;                /* what the crawl is for, or NULL */
    const struct identity *identity;    /* signs every GET; NULL: none does */
    const char *proxy;                  /* URL or NULL */
    const char *ca_file;                /* or NULL: the system's */
    const char *cookies;                /* Netscape cookie file or NULL */
    const struct fetch_header *headers; /* extra lines, or NULL */
    const char *const *resolve;         /* --resolve rules, NULL at the end */
    bool allow_private;                 /* lift the egress guard */
    bool private_only;                  /* no public address: the user named no contact */
    const int64_t *until;               /* lent, atomic: nothing is sent after this moment of
                                         * clock_boot(), but cancelled; NULL: at any time */
    bool archive;                       /* keep the request as sent (for the WARC) */
    /* Is a body of this Content-Type worth reading? NULL: every body is read. Not asked about
     * robots.txt. */
    bool (*wants_type)(void *ctx, struct str content_type);
    void *wants_ctx;
    fetch_slow_fn *slow; /* NULL: none is slow */
    fetch_convert_fn *convert;
    void *convert_ctx;
    fetch_digest_fn *digest; /* may be NULL */
    void *digest_ctx;
    struct usage *usage; /* lent: bodies are counted there; NULL: nowhere */
    const void *own;     /* what one implementation needs beside: struct replay_config of sim */
};

struct fetch_counts {
    uint64_t requests, bytes; /* since the start; bytes as received */
    unsigned in_flight;
};

/* Time is what fetch says it is: the clock's, or a simulated web's. */
struct fetch_ops {
    const char *name;
    enum status (*start)(const struct fetch_config *config, void **ret_self);
    /* Takes the request; false when all connections are busy (try again after
     * a take). It may be held back until the next take. */
    bool (*submit)(void *self, struct request *r);
    /* How many submits would succeed now. */
    unsigned (*slots)(void *self);
    /* Arrivals, waiting up to wait_us for the first. The caller releases them. */
    size_t (*take)(void *self, struct arrival **ret, size_t max, int64_t wait_us);
    /* Makes a waiting take return; from any thread or a signal handler's thread. */
    void (*wake)(void *self);
    int64_t (*now)(void *self); /* us since 1970; moves during take only where simulated */
    struct fetch_counts (*counts)(void *self);
    /* Cancels what is under way and frees; undelivered arrivals are released. */
    void (*stop)(void *self);
};

extern const struct fetch_ops fetch_web;
/* sim/web/replay.h has the other: fetch_sim. */
