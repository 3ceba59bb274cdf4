/* urls.h - the table of known URLs.
 *
 * A URL is 12 bytes of record, its path and query in chunked storage, its key and a slot
 * (base/keys.h: 11 bytes), and its host by number. Numbers are dense from 1 and never change;
 * records and paths are never moved, so growing costs no copy. Paths beyond the first megabyte take
 * about half their size.
 *
 * URLs are numbered as pages name them, so those of a block of URLS_BLOCK were named by pages with
 * numbers close to each other, and their paths are next to each other. A record has only the
 * distance, in 16 bits, to a number that the block or a group of PATHS_GROUP records keeps. Numbers
 * that are too far away, as after a URL was dropped and came back, are in a map. The pages that
 * were stored for URLs are in a list of each block, since most URLs have none: this takes 6 to 9
 * bytes for each URL that has one.
 *
 * Workload: tens of lookups a page, nine of ten of known URLs; millions of
 * records. A lookup touches three cache lines.
 *
 * Of a URL that is dropped when it is met only the verdict is kept, so that it is judged
 * and counted once: no path, no host. A hostile page cannot fill the storage with them.
 *
 * Limit: the paths together hold at most 4 GiB, as they are stored.
 */
#pragma once

#include "base/keys.h"
#include "base/map.h"
#include "frontier/squeeze.h"
#include "base/str.h"

/* Internal states beyond enum url_state. */
#define URL_MOVED 4 /* redirected: `page` is the number of the target URL, or 0 */
#define URL_HOLE  5 /* a number that was never given (after a restore) */

struct known {
    uint32_t host;     /* number of the host; 0 if there is no path */
    uint16_t path;     /* for urls_path() */
    uint16_t from;     /* for urls_from_page() */
    uint16_t depth;    /* links from the nearest seed */
    uint8_t state : 3; /* enum url_state, or one of the above */
    bool has_page : 1; /* urls_page() is not 0 */
    uint8_t tls : 1;   /* https */
    uint8_t named : 2; /* enum feeding: the best kind of page that named it */
    uint8_t told : 1;  /* frontier_first() was called for it */
    uint8_t drop;      /* enum drop */
};

#define URLS_BLOCK  4096u
#define PATHS_GROUP 16u

/* The page of a URL of a block. */
struct url_page {
    uint16_t at; /* in the block */
    uint16_t page[2];
};

struct urls_block {
    struct known known[URLS_BLOCK];
    uint32_t paths[URLS_BLOCK / PATHS_GROUP]; /* 1 + the place of a group's first path */
    uint32_t from;                            /* 1 + the page from which records count; 0: none */
    struct url_page *pages;                   /* ascending by `at` */
    size_t npages, pages_cap;
};

#define URLS_TABLES 12 /* the last begins with chunk 2,048 */

struct urls {
    struct keys by_key;
    uint32_t *by_source; /* link.source -> our number; 0: not met yet */
    size_t sources;
    uint32_t *source_of; /* the reverse, by our number */
    size_t source_of_cap;
    struct urls_block **blocks;
    size_t nblocks, blocks_cap;
    size_t pages;   /* room for struct url_page, of all blocks */
    struct map far; /* what is too far away for a record */
    uint32_t count; /* the highest number */
    char **chunks;  /* of URLS_CHUNK bytes of paths */
    size_t nchunks, chunks_cap;
    uint32_t fill; /* bytes used in the last chunk */
    struct squeeze *tables[URLS_TABLES];
    char *text; /* what urls_path() lends */
};

#define URLS_CHUNK   0x100000u
#define URLS_NO_PATH UINT16_MAX

void urls_init(struct urls *u);
void urls_free(struct urls *u);

/* The number of a key, or 0 if it is unknown. */
uint32_t urls_find(const struct urls *u, uint64_t key);

/* The same, for URLs that fetch numbers itself (link.source): one array access. With
 * source 0 the key is used. */
uint32_t urls_find_source(struct urls *u, uint32_t source, uint64_t key);
/* Remembers that the source's number stands for this URL. */
void urls_set_source(struct urls *u, uint32_t source, uint32_t id);
/* The source's number of a URL; 0 if none is known. */
uint32_t urls_source(const struct urls *u, uint32_t id);
/* Prefetches the entry of a source's number that will soon be looked up. */
static inline void urls_prefetch(const struct urls *u, uint32_t source)
{
    if (source < u->sources)
        __builtin_prefetch(&u->by_source[source]);
}

/* Adds a new URL; all members but key, host and path are zero. Returns 0 if the storage is full.
 * The key must be unknown, the path at most LIMIT_URL long. */
uint32_t urls_add(struct urls *u, uint64_t key, uint32_t host, struct str path);
/* The same, for a URL of which only the verdict is kept. */
uint32_t urls_add_bare(struct urls *u, uint64_t key);
/* Gives such a URL its host and its path after all. Returns false if the storage is full. */
bool urls_dress(struct urls *u, uint32_t id, uint32_t host, struct str path);

static inline bool url_is_bare(const struct known *k)
{
    return k->path == URLS_NO_PATH;
}

/* Skips numbers, so that the next one will be `next`. */
void urls_skip(struct urls *u, uint32_t next);

/* The record of a number from 1 to u->count. */
static inline struct known *urls_at(const struct urls *u, uint32_t id)
{
    return &u->blocks[(id - 1) / URLS_BLOCK]->known[(id - 1) % URLS_BLOCK];
}

/* Path and query, lent until the next call; empty if they are not kept. */
struct str urls_path(const struct urls *u, uint32_t id);

/* The first page that named the URL; 0: it is a seed. */
uint32_t urls_from_page(const struct urls *u, uint32_t id);
void urls_set_from_page(struct urls *u, uint32_t id, uint32_t page);

/* The page last stored for the URL; see URL_MOVED. */
uint32_t urls_page(const struct urls *u, uint32_t id);
void urls_set_page(struct urls *u, uint32_t id, uint32_t page);

size_t urls_bytes(const struct urls *u);
