/* connections.c - limits open connections. See connections.h. SPDX-License-Identifier: MIT */
#include "dash/connections.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <sys/socket.h>

#define SCARCE_WAIT (300 * US_PER_MS) /* the least time for a request */
#define SCARCE_READ (5 * US_PER_S)    /* and for an answer */

struct connection {
    struct connection *prev, *next;
    int64_t since; /* it waits, or reads */
    int fd;
    bool busy;  /* its request is here */
    bool stays; /* it is a stream */
    bool ended; /* by us */
};

void connections_init(struct connections *all, size_t most)
{
    *all = (struct connections){.scarce = most * 3 / 4};
    (void)pthread_mutex_init(&all->lock, NULL);
}

void connections_clear(struct connections *all)
{
    (void)pthread_mutex_destroy(&all->lock);
}

static void link_last(struct connections *all, struct connection *c)
{
    c->next = NULL;
    c->prev = all->last;
    if (all->last)
        all->last->next = c;
    else
        all->first = c;
    all->last = c;
}

static void unlink_one(struct connections *all, struct connection *c)
{
    if (c->prev)
        c->prev->next = c->next;
    else
        all->first = c->next;
    if (c->next)
        c->next->prev = c->prev;
    else
        all->last = c->prev;
}

struct connection *connections_add(struct connections *all, int fd, int64_t now)
{
    struct connection *c = MEM_NEW(struct connection);

    c->fd = fd;
    c->since = now;
    (void)pthread_mutex_lock(&all->lock);
    link_last(all, c);
    (void)pthread_mutex_unlock(&all->lock);
    return c;
}

void connections_remove(struct connections *all, struct connection *c)
{
    if (c == NULL)
        return;
    (void)pthread_mutex_lock(&all->lock);
    unlink_one(all, c);
    (void)pthread_mutex_unlock(&all->lock);
    free(c);
}

void connections_busy(struct connections *all, struct connection *c, bool stays, int64_t now)
{
    if (c == NULL)
        return;
    (void)pthread_mutex_lock(&all->lock);
    c->busy = true;
    c->stays = stays;
    c->since = now;
    (void)pthread_mutex_unlock(&all->lock);
}

void connections_idle(struct connections *all, struct connection *c, int64_t now)
{
    if (c == NULL)
        return;
    (void)pthread_mutex_lock(&all->lock);
    c->busy = c->stays = false;
    c->since = now;
    unlink_one(all, c);
    link_last(all, c);
    (void)pthread_mutex_unlock(&all->lock);
}

/* Ends connections of one kind that began before a time, until only `keep` connections are left. */
static void end_late(struct connections *all, bool busy, int64_t before, size_t keep, size_t *left)
{
    for (struct connection *c = all->first; c && *left > keep; c = c->next) {
        if (c->busy != busy || c->stays || c->ended || c->since >= before)
            continue;
        /* The library closes it: until then the descriptor is not used for anything else. */
        (void)shutdown(c->fd, SHUT_RDWR);
        c->ended = true;
        --*left;
    }
}

void connections_sweep(struct connections *all, int64_t now)
{
    size_t left = 0;

    (void)pthread_mutex_lock(&all->lock);
    for (const struct connection *c = all->first; c; c = c->next)
        left += !c->ended;
    end_late(all, false, now - LIMIT_DASH_HEAD_SECONDS * US_PER_S, 0, &left);
    end_late(all, true, now - LIMIT_DASH_READ_SECONDS * US_PER_S, 0, &left);
    end_late(all, false, now - SCARCE_WAIT, all->scarce, &left);
    end_late(all, true, now - SCARCE_READ, all->scarce, &left);
    (void)pthread_mutex_unlock(&all->lock);
}
