/* dash.c - the dashboard: making, ticking, ending. See dash.h.
 * SPDX-License-Identifier: MIT */
#include "dash/dash.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "dash/dash_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#define TICK         (100 * US_PER_MS)
#define EVENTS_EVERY 5 /* ticks */

static enum status token_make(char ret[DASH_TOKEN + 1])
{
    unsigned char bytes[DASH_TOKEN / 2];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return status_fail(ST_IO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
    return ST_OK;
}

static bool is_stopping(const struct dash *d)
{
    return __atomic_load_n(&d->stopping, __ATOMIC_RELAXED);
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
    d->keeping = pthread_create(&d->keeper, NULL, keep, d) == 0;
    d->ticking = pthread_create(&d->ticker, NULL, tick, d) == 0;
    return d->keeping && d->ticking ? ST_OK
                                    : status_fail(ST_IO, "the dashboard's threads do not start");
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
        crawls_place(&d->crawls, config->dirs.items[i]);
    for (size_t i = 0; i < config->labs.count; i++)
        text_list_add(&d->labs, str_of(config->labs.items[i]));
    if (d->root)
        crawls_place(&d->crawls, d->root);
    crawls_scan(&d->crawls, true);
    st = token_make(d->token);
    if (st == ST_OK && config->root && d->root == NULL)
        st = status_fail(ST_USAGE, "--root %s: %s", config->root, strerror(errno));
    if (st == ST_OK)
        st = server_start(d, config->port);
    if (st == ST_OK) {
        url_make(d);
        st = threads_start(d);
    }
    if (st == ST_OK)
        st = indexer_start(&d->indexer, &d->crawls);
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
    if (d->ticking)
        (void)pthread_join(d->ticker, NULL);
    if (d->keeping)
        (void)pthread_join(d->keeper, NULL);
    indexer_stop(&d->indexer);
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
