/* cache.h - answers made ready, by host and path.
 *
 * An answer is immutable once made and counted: a connection holds the one it
 * is sending while the cache may already have let go of it. The least recently
 * asked ones go when the ceiling is reached. One thread.
 */
#pragma once

#include "base/buf.h"
#include "sim/world.h"

struct answer {
    unsigned refs;
    int status;
    struct buf head;          /* status line and fields that do not depend on the request;
                                 each line ended, no empty line */
    struct buf body;          /* without content coding, unless `head` names one */
    struct buf zipped;        /* the same as gzip; empty where that does not pay */
    struct str etag;          /* in head, or empty */
    struct str last_modified; /* in head, or empty */
    /* the cache's own */
    uint64_t key;
    char *name; /* host, newline, path */
    struct answer *newer, *older;
    size_t bytes;
};

struct cache;

/* `gzip`: make compressed forms too. */
struct cache *cache_new(struct world *w, size_t ceiling, bool gzip);
/* From now on answers are those of a moment: cache_set_moment(). The timeline is lent. */
struct timeline;
void cache_set_timeline(struct cache *c, const struct timeline *t);
void cache_set_moment(struct cache *c, int64_t moment);
void cache_free(struct cache *c);

/* The answer for a path of a host (as in the Host field: a port that is not
 * part of the world's own URL is ignored). Never NULL: what is not there is a
 * 404. Release it. */
struct answer *cache_get(struct cache *c, struct str host, struct str path);
void answer_release(struct answer *a);
