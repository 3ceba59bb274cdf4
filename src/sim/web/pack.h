/* pack.h - reads documents and packs them into a web: numbers, rows, blocks.
 *
 * A batch is a number of consecutive answers; a worker fills it (it reads the record, decodes,
 * parses and profiles as crawl/digest.c does), the packer reads it and returns it. Batches are all
 * that threads exchange.
 *
 *     web_pack_init()   entries of the world become URLs 1 ..
 *     web_pack_add()    one answer after another, in the order of the world
 *     web_pack_end()    numbers settled, versions sorted, idf, labels, hosts
 *
 * Packing runs on the caller's thread. While packing, the URL of entry i is i + 1; at the end,
 * entries that turned out not to be pages are moved behind the others.
 */
#pragma once

#include "flow.h"
#include "sim/world.h"
#include "sim/web/web_int.h"

struct vocab;

/* ---- load.c: answers read by workers ---- */

#define BATCH_ANSWERS 64

struct shingles; /* text/shingle.h */

/* One archived answer and the results of parsing it; all but `main` are in `memory`. */
struct web_document {
    uint32_t version;        /* of the world */
    bool is_broken;          /* it cannot be read, so its kind is unknown */
    const struct page *page; /* NULL: no document */
    struct profile profile;
    unsigned robots;       /* of page and header */
    uint64_t hash;         /* of the decoded payload */
    uint64_t bare_hash;    /* of the same without version-control stamps */
    uint32_t bytes;        /* of the payload as sent */
    struct shingles *main; /* its main text, if the world moves; free() it */
    struct str location;   /* of a redirect: absolute, normalised; or empty */
    struct str rules;      /* the decoded robots.txt; ptr NULL: it is another document */
    struct arena memory;
};

struct web_batch {
    uint32_t number; /* of the batch, from 0 */
    size_t count;
    struct web_document documents[BATCH_ANSWERS];
};

/* ---- pack.c, end.c ---- */

/* A robots.txt that was met. */
struct web_rules {
    uint32_t url;
    uint32_t bytes;
    uint64_t at; /* in the strings */
};

struct web_pack {
    struct web *web;
    const struct world *world;
    bool moves;
    struct vocab *vocab;
    uint64_t *bare; /* a version's hash without stamps */
    size_t bare_cap;
    struct web_other *others; /* by entry */
    bool *has_document;       /* by entry */
    struct web_rules *rules;
    size_t nrules, rules_cap;
    uint32_t broken;  /* answers that cannot be read */
    uint32_t damaged; /* broken answers that have a place in the archive */
};

void web_pack_init(struct web_pack *p, struct web *w, const struct world *world);
void web_pack_clear(struct web_pack *p);
void web_pack_add(struct web_pack *p, struct web_document *d);
/* Settles numbers, versions, idf, labels and hosts. ST_INVALID if there is no page. */
enum status web_pack_end(struct web_pack *p) MUST_USE;

/* end.c: finds the pages that resemble no other page. A crawler looks for near duplicates of every
 * page that arrives (frontier/dups.h); in a web that is known as a whole, most pages are known in
 * advance to have none, in whatever order they are crawled. ret[i]: no other page has payloads[i],
 * or a simhash within ALONE_DISTANCE bits of simhashes[i]. Takes about half a second for 100,000
 * pages. */
#define ALONE_DISTANCE 3 /* as frontier/dups.h has it */
void alone_find(const uint64_t *simhashes, const uint64_t *payloads, size_t count, bool *ret);
