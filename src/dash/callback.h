/* callback.h - the server behind `brood watch --callback`: hubs talk to crawl/watch/push.h.
 *
 * It is open to the internet, or behind a proxy that terminates TLS. It allows few connections at
 * once, each with little time for a whole request (connections.h), and bodies of at most
 * LIMIT_PUSH_BODY. It answers GET and POST, in plain text, and says nothing about itself. It uses
 * one thread.
 */
#pragma once

#include "base/status.h"

struct callback;
struct push;

/* `where`: "ADDR:PORT", "[ADDR]:PORT" or "PORT" (of 127.0.0.1). `push` is lent. */
enum status callback_open(const char *where, struct push *push, struct callback **ret) MUST_USE;
int callback_port(const struct callback *c);
void callback_sweep(struct callback *c); /* ends connections that take too long */
void callback_close(struct callback *c); /* NULL is fine */
