/* bus.h - everything that happens is posted here once; others only listen.
 *
 * In-process: bus_post() calls each listener in the order they joined, on the
 * poster's thread (the mind). A listener that needs another thread queues.
 */
#pragma once

#include "flow.h"

struct bus;
typedef void bus_listen_fn(void *ctx, const struct event *e);

struct bus *bus_new(void);
void bus_free(struct bus *b);
void bus_join(struct bus *b, bus_listen_fn *fn, void *ctx);
void bus_post(struct bus *b, const struct event *e);
