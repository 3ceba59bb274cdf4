/* watch.c - which sockets of a loop are ready: libuv polls, updated lazily.
 *
 * In: the events that libcurl and c-ares want. Out: a call when one of them
 * occurs. The main structure is a table by descriptor; a watch is freed by
 * libuv's close callback, after it has left the table. Workload: some hundred
 * sockets, two to four changed wishes a request.
 * SPDX-License-Identifier: MIT */
#include "fetch/watch.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct watch {
    uv_poll_t poll;
    struct watches *all;
    int fd;
    int wanted; /* WATCH_*: the events that the library wants now */
    int active; /* WATCH_*: what the kernel watches; covers wanted */
    bool keep;  /* lives until watches_drop() */
};

void watches_init(struct watches *w, uv_loop_t *uv, watch_fn *fn, void *ctx)
{
    *w = (struct watches){.uv = uv, .fn = fn, .ctx = ctx};
}

static struct watch *watch_find(const struct watches *w, int fd)
{
    return (size_t)fd < w->cap ? w->by_fd[fd] : NULL;
}

static struct watch *watch_make(struct watches *w, int fd)
{
    struct watch *watch = watch_find(w, fd);
    size_t cap = w->cap ? w->cap : 64;

    if (watch != NULL)
        return watch;
    watch = MEM_NEW(struct watch);
    watch->all = w;
    watch->fd = fd;
    if (uv_poll_init(w->uv, &watch->poll, fd) != 0) {
        free(watch);
        return NULL; /* not a socket: the transfer will time out */
    }
    while (cap <= (size_t)fd)
        cap *= 2;
    if (cap > w->cap) {
        w->by_fd = mem_resize(w->by_fd, cap, sizeof *w->by_fd);
        memset(w->by_fd + w->cap, 0, (cap - w->cap) * sizeof *w->by_fd);
        w->cap = cap;
    }
    w->by_fd[fd] = watch;
    return watch;
}

static void watch_listen(struct watch *watch, int events);

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct watch *watch = (struct watch *)(void *)poll;
    struct watches *w = watch->all;
    int fd = watch->fd, unwanted = events & ~watch->wanted;

    if (status < 0) { /* libuv has stopped the poll */
        watch->active = 0;
        events = watch->wanted;
    }
    if (events & watch->wanted)
        w->fn(w->ctx, fd, events & watch->wanted);
    if (watch_find(w, fd) != watch)
        return; /* it was dropped meanwhile */
    if (unwanted & ~watch->wanted || watch->wanted & ~watch->active)
        watch_listen(watch, watch->wanted);
}

static void watch_listen(struct watch *watch, int events)
{
    watch->active = events;
    if (events == 0)
        (void)uv_poll_stop(&watch->poll);
    else
        (void)uv_poll_start(&watch->poll, events, on_poll);
}

void watches_keep(struct watches *w, int fd)
{
    struct watch *watch = watch_make(w, fd);

    if (watch != NULL)
        watch->keep = true;
}

void watches_want(struct watches *w, int fd, int events)
{
    struct watch *watch = events ? watch_make(w, fd) : watch_find(w, fd);

    if (watch == NULL)
        return;
    watch->wanted = events;
    if (events == 0 && !watch->keep)
        watches_drop(w, fd);
    else if (events & ~watch->active)
        watch_listen(watch, events);
}

static void on_closed(uv_handle_t *handle)
{
    free(handle);
}

void watches_drop(struct watches *w, int fd)
{
    struct watch *watch = watch_find(w, fd);

    if (watch == NULL)
        return;
    w->by_fd[fd] = NULL;
    uv_close((uv_handle_t *)&watch->poll, on_closed);
}

void watches_clear(struct watches *w)
{
    for (size_t fd = 0; fd < w->cap; fd++)
        watches_drop(w, (int)fd);
    free(w->by_fd);
    w->by_fd = NULL;
    w->cap = 0;
}
