/* cache.h - prepared answers, by host and path.
 *
 * An answer is immutable once made, and counted by reference: a connection holds the answer that it
 * sends, even if the cache has already dropped it. When the ceiling is reached, the least recently
 * used answers are dropped. Used by one thread.
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
    struct buf zipped;        /* the body as gzip; empty if that does not pay */
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
/* From now on answers are those of the moment set with cache_set_moment(). The timeline is lent. */
struct timeline;
void cache_set_timeline(struct cache *c, const struct timeline *t);
void cache_set_moment(struct cache *c, int64_t moment);
void cache_free(struct cache *c);

/* Returns the answer for a path of a host (as in the Host field: a port that is not part of the
 * world's own URL is ignored). Never NULL: for a missing path it is a 404. Release it. */
struct answer *cache_get(struct cache *c, struct str host, struct str path);
void answer_release(struct answer *a);
