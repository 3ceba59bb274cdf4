/* connections.h - limits open connections, so that slow clients cannot keep others out.
 *
 * The library ends connections that send nothing for a while, but not those that send one byte at a
 * time. Here every connection has LIMIT_DASH_HEAD_SECONDS, from its beginning or from the end of
 * its last answer, to send a whole request, and LIMIT_DASH_READ_SECONDS to read the answer. When
 * connections become scarce, those that have waited longest without a request are ended first, and
 * then those that read slowly. Event streams are limited by events.c, and are not ended here.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct connection;

struct connections {
    pthread_mutex_t lock;
    size_t scarce;                   /* from this number on connections are scarce */
    struct connection *first, *last; /* in the order in which they began to wait */
};

void connections_init(struct connections *all, size_t most); /* `most` at once */
void connections_clear(struct connections *all);

struct connection *connections_add(struct connections *all, int fd, int64_t now);
void connections_remove(struct connections *all, struct connection *c);
/* connections_busy(): a whole request has arrived (`stays`: for an event stream). The other
 * function: its answer is complete, or will not come. */
void connections_busy(struct connections *all, struct connection *c, bool stays, int64_t now);
void connections_idle(struct connections *all, struct connection *c, int64_t now);

/* Ends the connections that took too long. */
void connections_sweep(struct connections *all, int64_t now);
