/* events.h - server-sent events: browsers get what changed, at most twice a second.
 *
 * A stream belongs to one crawl, or to the list of all crawls. It gets
 *   event: tick    the overview's changing part (or the list), when something changed
 *   event: state   {"state": …} at the beginning and when it changed
 *   a comment every 15 seconds, so that a client that left is noticed
 * The text is made once for all listeners; a client that does not read misses ticks and
 * gets the newest one when it reads again. A stream whose client left is freed at the next tick.
 *
 * Threads: the ticker fills, the library's threads read and end streams.
 */
#pragma once

#include "base/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct dash;
struct dash_crawl;
struct stream;
struct MHD_Connection;
struct MHD_Response;

struct events {
    pthread_mutex_t lock;
    struct stream *first;
    size_t count;
    bool closing; /* every stream ends */
};

void events_init(struct events *e);
void events_clear(struct events *e);
/* Opens a stream; returns NULL if there are too many. `crawl` NULL: for the list. */
struct MHD_Response *events_open(struct events *e, struct dash_crawl *crawl,
                                 struct MHD_Connection *connection);
/* Sends all listeners what changed. */
void events_tick(struct dash *d);
void events_close(struct events *e);
