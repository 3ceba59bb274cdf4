/* bus.h - everything that happens is posted here once, and messages between agents.
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

/* ---- messages between agents, from the moment they are sent until delivered ----
 *
 * First sent, first delivered; none is lost, and none waits longer than a turn of the
 * wheel (LIMIT_POST apart). Saved with a checkpoint, so that a crawl killed in the
 * middle of a negotiation goes on with what had been said. Thread: the mind.
 */

struct post;

struct post *post_new(void);
void post_free(struct post *p);

/* Copies the message. False: more is waiting than LIMIT_POST; it is not sent. */
bool post_send(struct post *p, const struct message *msg);

/* Hands over what was sent before this call; answers sent meanwhile wait for the
 * next one. Returns how many. */
typedef void post_fn(void *ctx, const struct message *msg);
size_t post_deliver(struct post *p, post_fn *fn, void *ctx);

size_t post_waiting(const struct post *p);
size_t post_bytes(const struct post *p); /* memory */

void post_save(const struct post *p, struct buf *out);
enum status post_load(struct post *p, struct cursor *from) MUST_USE;
