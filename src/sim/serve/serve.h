/* serve.h - `brood world serve`: a world over real HTTP and HTTPS.
 *
 * It speaks HTTP/1.1 with keep-alive and pipelining, only on addresses of 127.0.0.0/8; each host
 * name is a virtual host. It answers GET and HEAD, conditional requests, and with gzip if the
 * client accepts it. A URL that the world does not have is a 404. Clients find the hosts by
 * `--resolve '*:80:127.0.0.0/8:PORT'`.
 *
 * HTTPS uses an authority made at the start; its certificate is written to
 * ca_file for clients to trust, its key never leaves the process.
 *
 * One thread runs everything: the one that calls serve_run(). serve_stop() may
 * be called from any thread and from a signal handler.
 *
 *     st = serve_new(world, &config, &s);
 *     printf("%u\n", serve_port(s));
 *     st = serve_run(s);      returns after serve_stop(s)
 *     serve_free(s);
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct serve;
struct world;

#define SERVE_NO_PORT (-1)

struct serve_config {
    int port;               /* 0: one is chosen; SERVE_NO_PORT: no HTTP */
    int tls_port;           /* 0: one is chosen; SERVE_NO_PORT: no HTTPS */
    const char *ca_file;    /* where the authority's certificate goes; NULL: nowhere */
    const char *access_log; /* JSON lines; NULL: none, "-": standard output */
    int64_t latency;        /* us before every answer */
    int64_t host_latency;   /* us more: from 0 to this much, by host name */
    uint64_t speed;         /* bytes a second of one connection; 0: as fast as it goes */
    bool gzip;              /* compress text for clients that take it */
    double time;            /* the world's time runs this many times as fast as ours, from its
                               beginning; 0: a world that moves shows its last state */
    size_t cache;           /* bytes of answers kept ready */
    int64_t idle;           /* us that a connection may be silent before it is closed */
    const char *faults;     /* hosts that misbehave (sim/serve/faults.h); NULL: none */
};

/* Port 0, no HTTPS, no delays, 256 MiB of cache, 60 s idle. */
extern const struct serve_config serve_defaults;

/* Binds the ports and makes the authority. The world is lent. */
enum status serve_new(struct world *w, const struct serve_config *config,
                      struct serve **ret) MUST_USE;
void serve_free(struct serve *s);

uint16_t serve_port(const struct serve *s);     /* 0: no HTTP */
uint16_t serve_tls_port(const struct serve *s); /* 0: no HTTPS */

/* Answers until serve_stop(). */
enum status serve_run(struct serve *s) MUST_USE;
void serve_stop(struct serve *s);

struct serve_counts {
    uint64_t requests;    /* answered */
    uint64_t bytes;       /* sent, heads included, before TLS */
    uint64_t connections; /* accepted */
    uint64_t refused;     /* not for 127.0.0.0/8, or too many at once */
};
/* Read it after serve_run(), or accept slightly old figures. */
struct serve_counts serve_counts(const struct serve *s);
