/* bus.h - events, each posted here once for all listeners, and messages between agents.
 *
 * Within the process: bus_post() calls the listeners in the order in which
 * they joined, on the poster's thread (the mind). A listener that works on
 * another thread has a queue.
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
 * The first message sent is the first delivered. Unless LIMIT_POST is reached, none
 * is lost, and none waits longer than one turn of the wheel. Messages are saved
 * with a checkpoint, so that a crawl killed in the middle of a negotiation
 * continues it. Thread: the mind.
 */

struct post;

struct post *post_new(void);
void post_free(struct post *p);

/* Copies the message. Returns false, and sends nothing, if the waiting messages would
 * exceed LIMIT_POST. */
bool post_send(struct post *p, const struct message *msg);

/* Delivers what was sent before this call, and returns how many; answers sent
 * meanwhile wait for the next call. */
typedef void post_fn(void *ctx, const struct message *msg);
size_t post_deliver(struct post *p, post_fn *fn, void *ctx);

size_t post_waiting(const struct post *p);
size_t post_bytes(const struct post *p); /* memory */

void post_save(const struct post *p, struct buf *out);
enum status post_load(struct post *p, struct cursor *from) MUST_USE;
