/* serve_int.h - shared by serve.c (ports, loop) and conn.c (a connection).
 *
 * A connection is in one of these states; each has a function in conn.c:
 *
 *     SHAKE ---> READ ---> WAIT ---> WRITE ---> READ (kept alive)
 *    (TLS only)   |       (delay)      |   `--> WAIT (speed limit)
 *                 v                    v
 *               closed               DRAIN (the rest of a request body) -> READ
 */
#pragma once

#include "base/buf.h"
#include "base/heap.h"
#include "sim/serve/faults.h"
#include "sim/serve/serve.h"
#include "sim/serve/cache.h"

#include <netinet/in.h>
#include <stdio.h>

struct ssl_st;
struct tls;

enum conn_state { CONN_SHAKE, CONN_READ, CONN_WAIT, CONN_WRITE, CONN_DRAIN, CONN_CLOSED };

struct conn {
    int fd;
    uint32_t slot; /* its place in serve.conns */
    enum conn_state state;
    uint32_t armed;            /* epoll events asked for now */
    uint32_t wants;            /* events the state needs to go on */
    struct ssl_st *ssl;        /* NULL: plain */
    struct buf in;             /* received, not yet used up */
    struct buf head;           /* of the answer being sent (TLS: with its body) */
    struct answer *answer;     /* being sent, held */
    struct str body;           /* part of `answer` */
    struct fault_reply *fault; /* instead of `answer`: sent piece by piece through `head` */
    size_t sent;               /* bytes of head and body gone out */
    uint64_t drain;            /* bytes of a request body still to come */
    int64_t due;               /* WAIT: when to go on */
    int64_t active;            /* when bytes were last received or sent */
    int64_t heard;             /* when the kernel received the last bytes of `in`; 0: not known */
    bool closing;              /* close after this answer */
    bool resets;               /* with a reset */
    struct sockaddr_in peer, local;
};

struct serve {
    struct serve_config config;
    struct cache *cache;
    struct timeline *timeline; /* NULL: every page is shown in its last version */
    int64_t began;             /* when the world's time began to run */
    struct faults *faults;     /* NULL: none */
    struct tls *tls;
    FILE *log;        /* access log or NULL */
    int epoll, wake;  /* wake: an eventfd that serve_stop() writes */
    int listeners[2]; /* plain, TLS; -1: none */
    uint16_t ports[2];
    struct conn **conns; /* by slot; NULL: free */
    uint32_t nconns, cap, open;
    uint32_t *free_slots;
    size_t nfree, free_cap;
    struct heap timers; /* due -> slot */
    int64_t now;
    struct serve_counts counts;
};

/* Goes on with a connection as far as possible without waiting. Returns false if it has ended: the
 * caller frees it. */
bool conn_advance(struct serve *s, struct conn *c);
void conn_free(struct conn *c);
/* Ends the connection with a TCP reset, and frees it. */
void conn_reset(struct conn *c);
