/* server.h - a small HTTP server inside the test, on 127.0.0.1.
 *
 * One thread accepts, one more serves each connection. What it answers is the
 * test's: a function that writes raw bytes, so that it can lie as it likes.
 */
#pragma once

#include "base/str.h"

#include <stdint.h>

struct server;
struct client; /* one connection */

/* Answers one request; false closes the connection. `head` is the request's
 * header block, `path` the second word of its first line. */
typedef bool server_fn(struct client *c, struct str head, struct str path);

struct server *server_start(server_fn *fn);
/* With TLS: a certificate for "secure.test" signed by an authority of its own,
 * whose certificate is written to ca_path. */
struct server *server_start_tls(server_fn *fn, const char *ca_path);
void server_stop(struct server *s);

uint16_t server_port(const struct server *s);
unsigned server_connections(struct server *s); /* accepted so far */

/* False once the other side is gone. */
bool client_send(struct client *c, struct str bytes);
bool client_sendf(struct client *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A whole answer with Content-Length. */
bool client_answer(struct client *c, const char *status_and_headers, struct str body);
void client_reset(struct client *c);        /* the next close is a RST */
bool client_wait(struct client *c, int ms); /* false: the server stops */
