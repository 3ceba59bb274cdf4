/* callback.h - the server behind `brood watch --callback`: hubs talk to crawl/watch/push.h.
 *
 * It stands in the open, or behind a proxy that ends TLS. Few connections at once, each with
 * little time for a whole request (connections.h), bodies of at most LIMIT_PUSH_BODY; it answers
 * GET and POST, in plain text, and says nothing about itself. One thread.
 */
#pragma once

#include "base/status.h"

struct callback;
struct push;

/* `where`: "ADDR:PORT", "[ADDR]:PORT" or "PORT" (of 127.0.0.1). `push` is lent. */
enum status callback_open(const char *where, struct push *push, struct callback **ret) MUST_USE;
int callback_port(const struct callback *c);
void callback_sweep(struct callback *c); /* ends connections that take too long; now and then */
void callback_close(struct callback *c); /* NULL is fine */
