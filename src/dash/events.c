/* events.c - server-sent events. See events.h. SPDX-License-Identifier: MIT */
#include "dash/events.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "dash/dash_int.h"
#include "dash/far/far.h"

#include <microhttpd.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#define HEARTBEAT   (15 * US_PER_S)
#define BLOCK       16384
#define PENDING_MAX MIB(4)

struct stream {
    struct stream *next;
    struct events *all;
    struct MHD_Connection *connection;
    int fd;                   /* its socket */
    struct dash_crawl *crawl; /* NULL: of the list */
    struct buf pending;       /* not read yet */
    size_t sent;              /* of it */
    bool suspended;           /* the library waits until we wake it */
    uint64_t version;         /* of the crawl that was sent last */
    int state;                /* enum crawl_state that was sent last */
    int64_t written_at;
};

void events_init(struct events *e)
{
    *e = (struct events){0};
    (void)pthread_mutex_init(&e->lock, NULL);
}

void events_clear(struct events *e)
{
    (void)pthread_mutex_destroy(&e->lock);
}

/* ---- the library's side -------------------------------------------------- */

static ssize_t on_read(void *ctx, uint64_t pos, char *out, size_t max)
{
    struct stream *s = ctx;
    bool closing;
    size_t n;

    (void)pos;
    (void)pthread_mutex_lock(&s->all->lock);
    closing = s->all->closing;
    n = s->pending.len - s->sent;
    if (n > max)
        n = max;
    if (n > 0) {
        memcpy(out, s->pending.data + s->sent, n);
        s->sent += n;
        if (s->sent == s->pending.len) {
            buf_clear(&s->pending);
            s->sent = 0;
        }
    } else if (!closing) {
        s->suspended = true;
        MHD_suspend_connection(s->connection);
    }
    (void)pthread_mutex_unlock(&s->all->lock);
    return n > 0 ? (ssize_t)n : closing ? MHD_CONTENT_READER_END_OF_STREAM : 0;
}

static void on_end(void *ctx)
{
    struct stream *s = ctx;

    (void)pthread_mutex_lock(&s->all->lock);
    for (struct stream **at = &s->all->first; *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            s->all->count--;
            break;
        }
    (void)pthread_mutex_unlock(&s->all->lock);
    buf_free(&s->pending);
    free(s);
}

struct MHD_Response *events_open(struct events *e, struct dash_crawl *crawl,
                                 struct MHD_Connection *connection)
{
    struct MHD_Response *answer;
    struct stream *s;

    (void)pthread_mutex_lock(&e->lock);
    if (e->closing || e->count >= LIMIT_DASH_STREAMS) {
        (void)pthread_mutex_unlock(&e->lock);
        return NULL;
    }
    s = MEM_NEW(struct stream);
    s->all = e;
    s->crawl = crawl;
    s->connection = connection;
    s->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    s->pending = BUF_INIT(PENDING_MAX);
    s->state = -1;
    s->written_at = clock_now();
    buf_add_z(&s->pending, "retry: 1000\n\n");
    s->next = e->first;
    e->first = s;
    e->count++;
    (void)pthread_mutex_unlock(&e->lock);
    answer = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, on_read, s, on_end);
    if (answer == NULL)
        on_end(s);
    return answer;
}

/* ---- the ticker's side --------------------------------------------------- */

static void wake(struct stream *s)
{
    if (s->suspended) {
        s->suspended = false;
        MHD_resume_connection(s->connection);
    }
}

static void say(struct stream *s, const char *name, struct str data, int64_t now)
{
    buf_addf(&s->pending, "event: %s\ndata: ", name);
    buf_add_str(&s->pending, data);
    buf_add_z(&s->pending, "\n\n");
    s->written_at = now;
    wake(s);
}

/* A client that has not read the last text does not get another one before it has. */
static bool reads(const struct stream *s)
{
    return s->pending.len == 0;
}

/* The library does not check suspended connections: one that the client has closed would keep its
 * place until the next heartbeat. */
static bool has_left(const struct stream *s)
{
    struct pollfd p = {.fd = s->fd, .events = POLLRDHUP};

    return s->suspended && poll(&p, 1, 0) > 0;
}

static void beat(struct stream *s, int64_t now)
{
    if (!reads(s) || (now - s->written_at < HEARTBEAT && !has_left(s)))
        return;
    buf_add_z(&s->pending, ": still here\n\n");
    s->written_at = now;
    wake(s);
}

/* The next event of a crawl (NULL: of the list). */
struct notice {
    struct dash_crawl *crawl;
    uint64_t version;
    int state;
    struct buf text; /* empty: there is nothing to send */
};

static bool is_told(struct events *e, const struct notice *n)
{
    bool told = true;

    (void)pthread_mutex_lock(&e->lock);
    for (struct stream *s = e->first; s; s = s->next)
        if (s->crawl == n->crawl && reads(s) && (s->version != n->version || s->state != n->state))
            told = false;
    (void)pthread_mutex_unlock(&e->lock);
    return told;
}

static void gather_far(struct dash *d, struct notice *n)
{
    if (far_overview(n->crawl->far, false, &n->text, &n->state, &n->version) != ST_OK ||
        is_told(&d->events, n))
        buf_clear(&n->text);
}

static void gather_crawl(struct dash *d, struct notice *n)
{
    struct json j;

    if (n->crawl->far) {
        gather_far(d, n);
        return;
    }
    crawl_ask(n->crawl);
    if (crawl_enter(n->crawl, false) != ST_OK)
        return;
    n->state = (int)crawl_state(n->crawl);
    n->version = n->crawl->version;
    if (!is_told(&d->events, n)) {
        json_init(&j, &n->text);
        json_open_object(&j, NULL);
        overview_put(&j, n->crawl, false);
        json_close(&j);
    }
    crawl_leave(n->crawl);
}

/* The list: its text is its version. */
static void gather_list(struct dash *d, struct notice *n)
{
    struct json j;

    json_init(&j, &n->text);
    crawls_put(&j, d);
    n->version = hash_str(buf_str(&n->text));
    n->state = 0;
    if (is_told(&d->events, n))
        buf_clear(&n->text);
}

static void tell(struct events *e, const struct notice *n, int64_t now)
{
    char state[64];

    (void)snprintf(state, sizeof state, "{\"state\":\"%s\"}",
                   n->crawl && n->state >= 0 ? crawl_state_name((enum crawl_state)n->state) : "");
    if (n->text.len == 0 || n->text.full)
        return;
    (void)pthread_mutex_lock(&e->lock);
    for (struct stream *s = e->first; s; s = s->next) {
        bool new_state = s->state != n->state;

        if (s->crawl != n->crawl || !reads(s) || (s->version == n->version && !new_state))
            continue;
        if (s->crawl && new_state)
            say(s, "state", str_of(state), now);
        say(s, "tick", buf_str(&n->text), now);
        s->version = n->version;
        s->state = n->state;
    }
    (void)pthread_mutex_unlock(&e->lock);
}

/* The crawls that have listeners; true: also the list. */
static bool wanted(struct events *e, struct dash_crawl **ret, size_t *ret_count)
{
    bool list = false;
    size_t n = 0;

    (void)pthread_mutex_lock(&e->lock);
    for (struct stream *s = e->first; s; s = s->next) {
        bool known = false;

        list = list || s->crawl == NULL;
        for (size_t i = 0; i < n; i++)
            known = known || ret[i] == s->crawl;
        if (s->crawl && !known && n < LIMIT_DASH_STREAMS)
            ret[n++] = s->crawl;
    }
    (void)pthread_mutex_unlock(&e->lock);
    *ret_count = n;
    return list;
}

void events_tick(struct dash *d)
{
    struct dash_crawl *crawls[LIMIT_DASH_STREAMS];
    struct events *e = &d->events;
    int64_t now = clock_now();
    size_t count;
    bool list = wanted(e, crawls, &count);

    for (size_t i = 0; i < count + list; i++) {
        struct notice n = {
            .crawl = i < count ? crawls[i] : NULL, .state = -1, .text = BUF_INIT(PENDING_MAX / 2)};

        if (n.crawl)
            gather_crawl(d, &n);
        else
            gather_list(d, &n);
        tell(e, &n, now);
        buf_free(&n.text);
    }
    (void)pthread_mutex_lock(&e->lock);
    for (struct stream *s = e->first; s; s = s->next)
        beat(s, now);
    (void)pthread_mutex_unlock(&e->lock);
}

void events_close(struct events *e)
{
    (void)pthread_mutex_lock(&e->lock);
    e->closing = true;
    for (struct stream *s = e->first; s; s = s->next)
        wake(s);
    (void)pthread_mutex_unlock(&e->lock);
}
