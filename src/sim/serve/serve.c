/* serve.c - a world over real HTTP and HTTPS: ports, loop, timers.
 *
 * In: a world, connections. Out: answers (conn.c). One epoll loop;
 * connections lie in slots, timers in a heap by moment. Sockets are bound to
 * all addresses, because no single one covers 127.0.0.0/8, but to the loopback
 * device where the kernel allows it; and a connection to any other address is
 * closed as soon as it is accepted.
 *
 * Workload: it must cost less than the crawler that it serves, so one wake-up answers every
 * connection that is ready, and answers come from memory.
 * SPDX-License-Identifier: MIT
 */
#include "sim/serve/serve.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "sim/serve/serve_int.h"
#include "sim/serve/tls.h"
#include "sim/serve/timeline.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS      256
#define ACCEPTS     64 /* in a row before connections get their turn */
#define SWEEP       US_PER_S
#define TAG_WAKE    UINT64_MAX
#define TAG_LISTEN  (UINT64_MAX - 2) /* minus 0 or 1 */
#define LOOPBACK(a) ((ntohl((a).s_addr) >> 24) == 127)

const struct serve_config serve_defaults = {
    .port = 0,
    .tls_port = SERVE_NO_PORT,
    .gzip = true,
    .cache = MIB(256),
    .idle = 60 * US_PER_S,
};

/* ---- ports --------------------------------------------------------------- */

static enum status watch(struct serve *s, int fd, uint64_t tag, uint32_t events)
{
    struct epoll_event e = {.events = events, .data.u64 = tag};

    if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e) != 0)
        return status_fail(ST_IO, "epoll: %s", strerror(errno));
    return ST_OK;
}

static enum status bind_port(int fd, int port, uint16_t *ret_port)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t len = sizeof any;
    int on = 1;

    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
    (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on); /* connections inherit it */
    if (bind(fd, (struct sockaddr *)&any, sizeof any) != 0 || listen(fd, 4096) != 0 ||
        getsockname(fd, (struct sockaddr *)&any, &len) != 0)
        return status_fail(ST_IO, "port %d: %s", port, strerror(errno));
    *ret_port = ntohs(any.sin_port);
    return ST_OK;
}

static enum status open_port(struct serve *s, int which, int port)
{
    if (port == SERVE_NO_PORT)
        return ST_OK;
    if (port < 0 || port > 65535)
        return status_fail(ST_USAGE, "a port lies between 0 and 65535, not at %d", port);
    s->listeners[which] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->listeners[which] < 0)
        return status_fail(ST_IO, "socket: %s", strerror(errno));
    TRY(bind_port(s->listeners[which], port, &s->ports[which]));
    return watch(s, s->listeners[which], TAG_LISTEN - (uint64_t)which, EPOLLIN);
}

/* ---- connections --------------------------------------------------------- */

static void close_conn(struct serve *s, struct conn *c)
{
    s->conns[c->slot] = NULL;
    MEM_GROW(s->free_slots, s->nfree, &s->free_cap);
    s->free_slots[s->nfree++] = c->slot;
    s->open--;
    conn_free(c);
}

/* Asks epoll for what the connection now waits for, and the heap for its time. */
static void rearm(struct serve *s, struct conn *c)
{
    if (c->state == CONN_WAIT) {
        heap_push(&s->timers, (double)c->due, c->slot);
        c->wants = 0;
    }
    if (c->wants == c->armed)
        return;
    struct epoll_event e = {.events = c->wants, .data.u64 = c->slot};
    (void)epoll_ctl(s->epoll, EPOLL_CTL_MOD, c->fd, &e);
    c->armed = c->wants;
}

static void advance(struct serve *s, struct conn *c)
{
    if (conn_advance(s, c))
        rearm(s, c);
    else
        close_conn(s, c);
}

static uint32_t take_slot(struct serve *s)
{
    size_t cap = s->cap;

    if (s->nfree > 0)
        return s->free_slots[--s->nfree];
    MEM_GROW(s->conns, s->nconns, &cap);
    s->cap = (uint32_t)cap;
    return s->nconns++;
}

static struct conn *conn_new(struct serve *s, int fd, int which, const struct sockaddr_in *peer)
{
    struct conn *c = MEM_NEW(struct conn);
    socklen_t len = sizeof c->local;

    c->fd = fd;
    c->in = BUF_INIT(LIMIT_SERVE_HEAD);
    c->head = BUF_INIT(LIMIT_HEADER_BYTES * 3);
    c->peer = *peer;
    c->active = s->now;
    c->armed = c->wants = EPOLLIN;
    c->state = which == 1 ? CONN_SHAKE : CONN_READ;
    c->ssl = which == 1 ? tls_accept(s->tls, fd) : NULL;
    if (getsockname(fd, (struct sockaddr *)&c->local, &len) != 0 || !LOOPBACK(c->local.sin_addr) ||
        s->open >= LIMIT_SERVE_CONNECTIONS || (which == 1 && c->ssl == NULL)) {
        s->counts.refused++;
        conn_free(c);
        return NULL;
    }
    return c;
}

static void accept_some(struct serve *s, int which)
{
    for (int i = 0; i < ACCEPTS; i++) {
        struct sockaddr_in peer = {0};
        socklen_t len = sizeof peer;
        int on = 1;
        int fd = accept4(s->listeners[which], (struct sockaddr *)&peer, &len,
                         SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd < 0)
            return;
        struct conn *c = conn_new(s, fd, which, &peer);
        if (c == NULL)
            continue;
        if (faults_refuse(s->faults, c->local.sin_addr.s_addr)) {
            conn_reset(c);
            continue;
        }
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        c->slot = take_slot(s);
        s->conns[c->slot] = c;
        s->open++;
        s->counts.connections++;
        if (watch(s, fd, c->slot, EPOLLIN) != ST_OK)
            close_conn(s, c);
        else
            advance(s, c);
    }
}

/* ---- time ---------------------------------------------------------------- */

static void run_timers(struct serve *s)
{
    const struct heap_item *next;
    struct heap_item item;

    while ((next = heap_peek(&s->timers)) && next->key <= (double)s->now) {
        (void)heap_pop(&s->timers, &item);
        struct conn *c = s->conns[item.id];
        if (c && c->state == CONN_WAIT && c->due <= s->now)
            advance(s, c);
    }
}

/* Closes connections that have been silent for too long. */
static void sweep(struct serve *s)
{
    for (uint32_t i = 0; i < s->nconns; i++) {
        struct conn *c = s->conns[i];

        if (c && c->state != CONN_WAIT && s->now - c->active > s->config.idle)
            close_conn(s, c);
    }
}

/* Milliseconds to the next timer, at most to the next sweep. */
static int patience(const struct serve *s)
{
    const struct heap_item *next = heap_peek(&s->timers);
    double wait = next ? next->key - (double)s->now : SWEEP;

    if (wait <= 0)
        return 0;
    return (int)((wait < SWEEP ? wait : SWEEP) / US_PER_MS) + 1;
}

/* ---- the loop ------------------------------------------------------------ */

/* True where the stop was asked for. */
static bool on_event(struct serve *s, const struct epoll_event *e)
{
    uint64_t tag = e->data.u64;

    if (tag == TAG_WAKE)
        return true;
    if (tag == TAG_LISTEN || tag == TAG_LISTEN - 1) {
        accept_some(s, (int)(TAG_LISTEN - tag));
        return false;
    }
    struct conn *c = s->conns[tag];
    if (c == NULL)
        return false;
    if (c->state == CONN_WAIT && e->events & (EPOLLERR | EPOLLHUP))
        close_conn(s, c); /* gone while it was kept waiting */
    else if (c->state != CONN_WAIT)
        advance(s, c);
    return false;
}

static enum status loop(struct serve *s)
{
    struct epoll_event events[EVENTS];
    int64_t next_sweep = clock_now() + SWEEP;
    bool stop = false;

    while (!stop) {
        int n = epoll_wait(s->epoll, events, EVENTS, patience(s));

        if (n < 0 && errno != EINTR)
            return status_fail(ST_IO, "epoll: %s", strerror(errno));
        s->now = clock_now();
        for (int i = 0; i < n; i++)
            stop = on_event(s, &events[i]) || stop;
        run_timers(s);
        if (s->now >= next_sweep) {
            sweep(s);
            next_sweep = s->now + SWEEP;
        }
        if (s->log)
            (void)fflush(s->log);
    }
    return ST_OK;
}

/* OpenSSL writes without MSG_NOSIGNAL: a client that is gone must not kill us. */
enum status serve_run(struct serve *s)
{
    sigset_t pipe, old;
    struct timespec none = {0};
    enum status st;

    (void)sigemptyset(&pipe);
    (void)sigaddset(&pipe, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipe, &old);
    s->now = clock_now();
    st = loop(s);
    for (uint32_t i = 0; i < s->nconns; i++)
        if (s->conns[i])
            close_conn(s, s->conns[i]);
    while (sigtimedwait(&pipe, NULL, &none) > 0)
        ;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return st;
}

void serve_stop(struct serve *s)
{
    uint64_t one = 1;
    int kept = errno;

    (void)!write(s->wake, &one, sizeof one);
    errno = kept;
}

/* ---- making and freeing -------------------------------------------------- */

static enum status open_log(struct serve *s, const char *path)
{
    if (path == NULL)
        return ST_OK;
    s->log = strcmp(path, "-") == 0 ? stdout : fopen(path, "ae");
    return s->log ? ST_OK : status_fail(ST_IO, "%s: %s", path, strerror(errno));
}

static enum status open_all(struct serve *s)
{
    enum status st = open_log(s, s->config.access_log);

    if (st == ST_OK && s->config.faults)
        st = faults_new(s->config.faults, &s->faults);
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (st == ST_OK && (s->epoll < 0 || s->wake < 0))
        st = status_fail(ST_IO, "epoll: %s", strerror(errno));
    if (st == ST_OK)
        st = watch(s, s->wake, TAG_WAKE, EPOLLIN);
    if (st == ST_OK)
        st = open_port(s, 0, s->config.port);
    if (st == ST_OK && s->config.tls_port != SERVE_NO_PORT)
        st = tls_new(s->config.ca_file, &s->tls);
    if (st == ST_OK)
        st = open_port(s, 1, s->config.tls_port);
    return st;
}

enum status serve_new(struct world *w, const struct serve_config *config, struct serve **ret)
{
    struct serve *s = MEM_NEW(struct serve);
    enum status st;

    s->config = *config;
    s->listeners[0] = s->listeners[1] = -1;
    st = open_all(s);
    if (st == ST_OK) {
        s->cache = cache_new(w, config->cache, config->gzip);
        s->began = clock_now();
        if (config->time > 0)
            s->timeline = timeline_new(w);
        if (s->timeline)
            cache_set_timeline(s->cache, s->timeline);
        *ret = s;
    } else {
        serve_free(s);
    }
    return st;
}

static void close_fd(int fd)
{
    if (fd >= 0)
        (void)close(fd);
}

void serve_free(struct serve *s)
{
    if (s == NULL)
        return;
    close_fd(s->listeners[0]);
    close_fd(s->listeners[1]);
    close_fd(s->wake);
    close_fd(s->epoll);
    if (s->log && s->log != stdout)
        (void)fclose(s->log);
    heap_free(&s->timers);
    tls_free(s->tls);
    cache_free(s->cache);
    timeline_free(s->timeline);
    faults_free(s->faults);
    free(s->conns);
    free(s->free_slots);
    free(s);
}

uint16_t serve_port(const struct serve *s)
{
    return s->ports[0];
}

uint16_t serve_tls_port(const struct serve *s)
{
    return s->ports[1];
}

struct serve_counts serve_counts(const struct serve *s)
{
    return s->counts;
}
