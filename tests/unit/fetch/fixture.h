/* fixture.h - a fetcher with a server to ask, for the tests of fetch_web. */
#pragma once

#include "support/support.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "fetch/fetch.h"
#include "fetch/guard.h"
#include "server.h"

struct fixture {
    struct server *server; /* NULL: none */
    struct fetch_config config;
    void *fetch;
};

/* Loopback allowed, two threads, eight connections, long deadlines. */
void fixture_init(struct fixture *f, server_fn *fn);
void fixture_start(struct fixture *f); /* after changes to f->config */
void fixture_end(struct fixture *f);

/* A request for http://HOST:PORT/PATH to be sent to the server. */
struct request *fixture_request(struct fixture *f, const char *host, const char *path);
/* Submits it and waits for its arrival, which the test releases. */
struct arrival *fixture_ask(struct fixture *f, struct request *r);
struct arrival *fixture_get(struct fixture *f, const char *path);
