/* dash.h - the dashboard's server: crawl directories over HTTP, for a browser.
 *
 *     dash_new()   finds the crawls, listens, starts its threads
 *     dash_url()   what the user opens; the token is behind the '#'
 *     dash_free()  ends it all
 *
 * It only ever knows directories: it reads crawl.db by its own read-only
 * connections, whether the crawl runs in this process, in another one, or is over.
 * What a browser may change goes through one door, DIR/control (crawl/control.h).
 * So nothing a browser does touches the mind's thread.
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
    /* What that program would say to these arguments before it begins; mistakes are named by
     * options. NULL: it is not known. From any thread. */
    void (*check)(const struct text_list *argv, struct mistakes *ret);
    const char *nats, *creds, *crawl; /* a crawl on several machines: its servers, a file of
                                       * credentials or NULL, its name; NULL: none */
    const char *page;                 /* a directory with the page's files; NULL: those built in */
};

struct dash;

/* The configuration is copied. ST_USAGE, ST_IO with a sentence. */
enum status dash_new(const struct dash_config *config, struct dash **ret) MUST_USE;
const char *dash_url(const struct dash *d);
/* How many crawls it has started that still run. */
size_t dash_children(struct dash *d);
void dash_free(struct dash *d);

/* docs/api.md. */
void dash_manual(struct buf *out);
