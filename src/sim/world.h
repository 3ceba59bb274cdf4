/* world.h - a crawl directory opened as a web of its own.
 *
 * Any crawl kept with its archive is a world: recorded, imported or generated.
 * Opening reads the addresses of everything in the archive (some 200 bytes
 * each); payloads are read when asked for. The latest answer of a URL counts;
 * http and https of one address are the same URL (url_key()).
 *
 * A world may move: crawl('world_time') is then "BEGIN END" (us since 1970), each
 * page row is a version that appeared at its fetched_at, and an outcome of 404 or
 * 410 is the moment at which a page disappeared.
 *
 * One thread at a time may call world_read(); a world_reader is one thread's own;
 * the rest is read-only and may be shared.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define WORLD_NONE UINT32_MAX

struct world;

enum world_kind {
    WORLD_PAGE,     /* a document */
    WORLD_RESOURCE, /* robots.txt, sitemap, feed */
    WORLD_REDIRECT, /* leads elsewhere */
    WORLD_FAILURE,  /* the server answered with an error that was archived */
};

/* One address of the world. Strings live as long as the world. */
struct world_entry {
    struct str url;  /* normalised */
    struct str host; /* in url, with its port where one is written */
    enum world_kind kind;
    int status;           /* HTTP status */
    uint32_t page;        /* number of the page in the database; 0: no page */
    uint32_t topic;       /* first label, or WORLD_NONE */
    uint32_t redirect_to; /* entry it leads to, or WORLD_NONE */
    uint32_t version;     /* the latest one, which counts */
};

/* One archived state of an entry; a page that was fetched again has several. */
struct world_version {
    uint32_t entry;
    uint32_t page;     /* number of the page in the database; 0: no page */
    uint32_t original; /* page whose payload this one repeats, or 0 */
    uint32_t file;     /* of the archive; WORLD_NONE: it was not archived */
    uint64_t offset;   /* in the file */
    int64_t at;        /* when it was fetched: in a world that moves, when it appeared */
    int64_t latency;   /* us from request to last byte; 0: unknown */
    uint32_t bytes;    /* of the payload as sent; 0 where there is no page */
};

/* A page disappeared. */
struct world_end {
    uint32_t entry;
    int status; /* 404 or 410 */
    int64_t at;
};

/* An entry has a label. */
struct world_label {
    uint32_t entry;
    uint32_t topic;
};

/* A label, and the words for it that a crawler is given. */
struct world_topic {
    struct str name;  /* the label as stored */
    struct str words; /* separated by spaces */
    uint32_t pages;   /* that have it as their first label */
};

/* Opens a world. ST_MISSING or ST_CORRUPT if it is not a crawl directory; ST_INVALID if it has no
 * archive. */
enum status world_open(const char *dir, struct world **ret) MUST_USE;
void world_close(struct world *w);

uint32_t world_count(const struct world *w); /* number of entries, pages first */
uint32_t world_pages(const struct world *w); /* entries that are pages */
uint32_t world_hosts(const struct world *w); /* distinct hosts of the pages */
const struct world_entry *world_entry(const struct world *w, uint32_t i);

uint32_t world_topics(const struct world *w);
const struct world_topic *world_topic(const struct world *w, uint32_t t);

/* Versions: those of pages in the order of their numbers, then other answers. */
uint32_t world_versions(const struct world *w);
const struct world_version *world_version(const struct world *w, uint32_t v);

/* Does the world move, and in which window of time? */
bool world_moves(const struct world *w, int64_t *ret_begin, int64_t *ret_end);
/* Returns, for a world that moves, the pages that disappeared, in order of time; *ret_count is
 * their number. */
const struct world_end *world_ends(const struct world *w, uint32_t *ret_count);

/* Are links to URLs for which the world has no answer left out, as if no page named them?
 * (crawl('drop_dead_links') is "yes".) The archive keeps them. */
bool world_drops_dead_links(const struct world *w);

/* All labels, by entry, then in the order of their names. */
const struct world_label *world_labels(const struct world *w, uint32_t *ret_count);

/* Returns the entry of a URL, by url_key() of its normal form, or WORLD_NONE. */
uint32_t world_find(const struct world *w, uint64_t key);

/* Appends the header block of an archived answer as received to `head`, and its payload, still in
 * its content encoding, to `body`. A page that repeats another gets the other's payload. ST_LIMIT
 * if they are larger than the buffers allow. */
enum status world_read(struct world *w, uint32_t i, struct buf *head, struct buf *body) MUST_USE;

/* The same for any version, for use by one thread each: a reader uses only the archive's files. */
struct world_reader;
struct world_reader *world_reader_new(const struct world *w);
void world_reader_free(struct world_reader *r);
enum status world_reader_read(struct world_reader *r, uint32_t version, struct buf *head,
                              struct buf *body) MUST_USE;

/* Gets the links between pages in rows (graph_measure.h), in the order of the document: redirects
 * are followed, repeated links and self-links left out. `to` holds entry numbers of pages. Free
 * both arrays. *ret_links counts all links, dead ones too unless they are left out. */
enum status world_links(struct world *w, uint64_t **ret_off, uint32_t **ret_to,
                        uint64_t *ret_links) MUST_USE;
