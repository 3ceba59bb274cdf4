/* dash.h - the dashboard's server: crawl directories over HTTP, for a browser.
 *
 *     dash_new()   finds the crawls, listens, starts its threads
 *     dash_url()   what the user opens; the token is behind the '#'
 *     dash_free()  ends it all
 *
 * It knows only directories: it reads crawl.db over its own read-only connections, whether the
 * crawl runs in this process, in another one, or has ended. All changes that a browser may make go
 * through DIR/control (crawl/control.h). So nothing that a browser does affects the mind's thread.
 *
 * docs/api.md has the routes; it is made from the table in routes.c.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"
#include "base/option.h"

#define DASH_PORT 8400 /* or the next free one */

struct dash_config {
    const char *bind;      /* address to listen on; NULL: 127.0.0.1 */
    int port;              /* 0: any; -1: DASH_PORT or a free one after it */
    struct text_list dirs; /* crawls, or directories with crawls in them */
    struct text_list labs; /* directories of lab results */
    const char *root;      /* where new crawls are made; NULL: none can be started */
    const char *program;   /* the binary that crawls, for root */
    /* Gets the mistakes that this program would report in these arguments before it begins, by
     * option. NULL: they cannot be checked. Called from any thread. */
    void (*check)(const struct text_list *argv, struct mistakes *ret);
    const char *nats, *creds, *crawl; /* a crawl on several machines: its servers, a file of
                                       * credentials or NULL, its name; NULL: none */
    const char *page;                 /* a directory with the page's files; NULL: those built in */
};

struct dash;

/* Starts a dashboard. The configuration is copied. Fails with ST_USAGE or ST_IO, and a sentence. */
enum status dash_new(const struct dash_config *config, struct dash **ret) MUST_USE;
const char *dash_url(const struct dash *d);
/* Returns how many of the crawls that it has started still run. */
size_t dash_children(struct dash *d);
void dash_free(struct dash *d);

/* Appends the text of docs/api.md. */
void dash_manual(struct buf *out);
