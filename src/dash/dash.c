/* dash.c - the dashboard: making, ticking, ending. See dash.h.
 * SPDX-License-Identifier: MIT */
#include "dash/dash.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "dash/dash_int.h"
#include "dash/far/far.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#define TICK         (100 * US_PER_MS)
#define EVENTS_EVERY 5 /* ticks */

/* The thread that works ahead. */
#define SLICE        (10 * US_PER_MS)
#define REST         (4 * US_PER_MS)
#define IDLE         (100 * US_PER_MS)
#define SCAN_EVERY   (5 * US_PER_S)
#define WARM_EVERY   (5 * US_PER_S)
#define WARM_SHARE   300             /* of the time, for a running crawl that no browser shows */
#define ASKED_SINCE  (60 * US_PER_S) /* an index is filled for so long after the last search */
#define WARM_CRAWLS  64              /* first crawls of the list; each has open files */
#define WARM_PAGES   500000          /* in tables made ahead, of all crawls together */

static bool is_stopping(const struct dash *d)
{
    return __atomic_load_n(&d->stopping, __ATOMIC_RELAXED);
}

/* ---- working ahead ------------------------------------------------------- */

/* Do the tables of the i-th crawl fit, too? */
static bool has_room(const struct ahead *x, size_t i)
{
    uint64_t sum = 0;

    for (size_t k = 0; k <= i; k++)
        sum += x->pages[k];
    return sum <= WARM_PAGES;
}

static bool warm(struct ahead *x, size_t i, struct dash_crawl *c)
{
    int64_t began = clock_now(), pause;
    bool more, hurry = false;

    if (i >= WARM_CRAWLS || began < x->due_at[i] || c->far)
        return false;
    more = crawl_warm(c, has_room(x, i), &x->pages[i], &hurry);
    if (more && (hurry || !x->passed[i]))
        return true;
    x->passed[i] = x->passed[i] || !more;
    pause = hurry ? 0 : (clock_now() - began) * WARM_SHARE;
    x->due_at[i] = began + (pause > WARM_EVERY ? pause : WARM_EVERY);
    return false;
}

static bool feed(struct dash_crawl *c)
{
    struct word_index *text = crawl_text(c, clock_now() - ASKED_SINCE);
    bool more = false;

    if (text && word_index_feed(text, SLICE, &more) != ST_OK)
        more = false;
    word_index_release(text);
    return more;
}

/* Does one slice for each crawl that needs one. Returns true if some need more. */
static bool work(struct dash *d)
{
    struct dash_crawl *c;
    bool more = false;

    for (size_t i = 0; (c = crawls_at(&d->crawls, i)) != NULL && !is_stopping(d); i++) {
        bool worked = warm(&d->ahead, i, c);

        worked = feed(c) || worked;
        if (worked)
            clock_sleep(REST);
        more = more || worked;
    }
    return more;
}

/* ---- threads ------------------------------------------------------------- */

static void *work_ahead(void *ctx)
{
    struct dash *d = ctx;
    int64_t scanned_at = clock_now();

    while (!is_stopping(d)) {
        if (clock_now() - scanned_at >= SCAN_EVERY) {
            crawls_scan(&d->crawls, true);
            scanned_at = clock_now();
        }
        if (!work(d))
            clock_sleep(IDLE);
    }
    return NULL;
}

static void *keep(void *ctx)
{
    struct dash *d = ctx;

    while (!is_stopping(d)) {
        connections_sweep(&d->connections, clock_now());
        clock_sleep(TICK);
    }
    return NULL;
}

static void *tick(void *ctx)
{
    struct dash *d = ctx;

    for (unsigned i = 0; !is_stopping(d); i++) {
        if (i % EVENTS_EVERY == 0) {
            children_reap(&d->children);
            events_tick(d);
        }
        clock_sleep(TICK);
    }
    return NULL;
}

static enum status threads_start(struct dash *d)
{
    static void *(*const run[])(void *) = {tick, keep, work_ahead};

    while (d->nthreads < ARRAY_LEN(run) &&
           pthread_create(&d->threads[d->nthreads], NULL, run[d->nthreads], d) == 0)
        d->nthreads++;
    return d->nthreads == ARRAY_LEN(run)
               ? ST_OK
               : status_fail(ST_IO, "the dashboard's threads do not start");
}

/* ---- making and ending --------------------------------------------------- */

static enum status token_make(char ret[DASH_TOKEN + 1])
{
    unsigned char bytes[DASH_TOKEN / 2];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return status_fail(ST_IO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
    return ST_OK;
}

static char *copy(const char *text)
{
    return text ? str_dup(str_of(text)) : NULL;
}

static void url_make(struct dash *d)
{
    bool v6 = strchr(d->bind, ':') != NULL;
    bool every = strcmp(d->bind, "0.0.0.0") == 0 || strcmp(d->bind, "::") == 0;
    struct buf url = BUF_INIT(1024);

    buf_addf(&url, every ? "http://127.0.0.1" : v6 ? "http://[%s]" : "http://%s", d->bind);
    buf_addf(&url, ":%u/#token=%s", d->port, d->token);
    d->url = buf_take(&url, NULL);
}

static enum status add_far(struct dash *d, const struct dash_config *config)
{
    struct far *far = NULL;
    enum status st = far_open(config->nats, config->creds, config->crawl, &far);

    if (st == ST_OK)
        crawls_add_far(&d->crawls, far);
    return st;
}

enum status dash_new(const struct dash_config *config, struct dash **ret)
{
    struct dash *d = MEM_NEW(struct dash);
    enum status st;

    crawls_init(&d->crawls);
    connections_init(&d->connections, LIMIT_DASH_CONNECTIONS);
    events_init(&d->events);
    children_init(&d->children);
    d->bind = copy(config->bind ? config->bind : "127.0.0.1");
    d->root = config->root ? realpath(config->root, NULL) : NULL;
    d->program = copy(config->program);
    d->page = copy(config->page);
    d->check = config->check;
    for (size_t i = 0; i < config->dirs.count; i++)
        text_list_add(&d->crawls.places, str_of(config->dirs.items[i]));
    for (size_t i = 0; i < config->labs.count; i++)
        text_list_add(&d->labs, str_of(config->labs.items[i]));
    if (d->root)
        text_list_add(&d->crawls.places, str_of(d->root));
    crawls_scan(&d->crawls, true);
    st = token_make(d->token);
    if (st == ST_OK && config->nats)
        st = add_far(d, config);
    if (st == ST_OK && config->root && d->root == NULL)
        st = status_fail(ST_USAGE, "--root %s: %s", config->root, strerror(errno));
    if (st == ST_OK)
        st = server_start(d, config->port);
    if (st == ST_OK) {
        url_make(d);
        st = threads_start(d);
    }
    if (st == ST_OK)
        *ret = d;
    else
        dash_free(d);
    return st;
}

const char *dash_url(const struct dash *d)
{
    return d->url;
}

size_t dash_children(struct dash *d)
{
    size_t n;

    children_reap(&d->children);
    (void)pthread_mutex_lock(&d->children.lock);
    n = d->children.count;
    (void)pthread_mutex_unlock(&d->children.lock);
    return n;
}

void dash_free(struct dash *d)
{
    if (d == NULL)
        return;
    __atomic_store_n(&d->stopping, 1, __ATOMIC_RELAXED);
    while (d->nthreads > 0)
        (void)pthread_join(d->threads[--d->nthreads], NULL);
    events_close(&d->events);
    server_stop(d);
    events_clear(&d->events);
    connections_clear(&d->connections);
    children_clear(&d->children);
    crawls_clear(&d->crawls);
    text_list_free(&d->labs);
    free(d->bind);
    free(d->root);
    free(d->program);
    free(d->page);
    free(d->url);
    free(d);
}
