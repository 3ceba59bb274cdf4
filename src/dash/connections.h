/* connections.h - open connections, so that slow clients cannot keep others out.
 *
 * The library ends connections that say nothing for a while, but not those that say one
 * byte at a time. Here every connection has LIMIT_DASH_HEAD_SECONDS from its beginning,
 * or from the end of its last answer, to a whole request, and LIMIT_DASH_READ_SECONDS to
 * read what it asked for. Where the room gets scarce, those that wait longest without a
 * request have to go first, and then those that read slowly. Event streams are counted by
 * events.c, and stay.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct connection;

struct connections {
    pthread_mutex_t lock;
    size_t scarce;                   /* from so many on the room is scarce */
    struct connection *first, *last; /* in the order in which they began to wait */
};

void connections_init(struct connections *all, size_t most); /* that there may be at once */
void connections_clear(struct connections *all);

struct connection *connections_add(struct connections *all, int fd, int64_t now);
void connections_remove(struct connections *all, struct connection *c);
/* A whole request came (for a stream: that stays); its answer is done, or will not come. */
void connections_busy(struct connections *all, struct connection *c, bool stays, int64_t now);
void connections_idle(struct connections *all, struct connection *c, int64_t now);

/* Ends those that took too long. */
void connections_sweep(struct connections *all, int64_t now);
