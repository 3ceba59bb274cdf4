/* watch.h - which sockets of a loop are ready, for libcurl and for c-ares.
 *
 * Both tell us which events they want for a descriptor, change that several times
 * in a request, and mostly return to what they wanted before. So the kernel is
 * told lazily: events that are already watched cost nothing, and events that are
 * no longer wanted are passed on only when one of them occurs. A page on a kept
 * connection then needs no epoll_ctl at all.
 *
 * A descriptor that was announced with watches_keep() is watched until
 * watches_drop(), which must come before its close(). Any other is dropped as
 * soon as no more events are wanted, since no call announces its close.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#define WATCH_READ  UV_READABLE
#define WATCH_WRITE UV_WRITABLE

/* `events`: the wanted events that are ready; after an error, all wanted events. */
typedef void watch_fn(void *ctx, int fd, int events);

struct watch;

struct watches {
    uv_loop_t *uv;
    watch_fn *fn;
    void *ctx;
    struct watch **by_fd; /* cap of them, NULL where not watched */
    size_t cap;
};

void watches_init(struct watches *w, uv_loop_t *uv, watch_fn *fn, void *ctx);
void watches_keep(struct watches *w, int fd);
void watches_want(struct watches *w, int fd, int events); /* 0: nothing for now */
void watches_drop(struct watches *w, int fd);

/* Drops all descriptors; the loop must run once more to free them. */
void watches_clear(struct watches *w);
