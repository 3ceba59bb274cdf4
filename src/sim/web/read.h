/* web_read.h - a worker of web_load(): from an archived answer to a document.
 *
 *     record -> decode -> parse -> profile       (as crawl/digest.c does it)
 *
 * A batch is some answers in a row; a worker fills it, the packer reads it and
 * hands it back. Batches are the only things that travel between the threads.
 */
#pragma once

#include "flow.h"
#include "sim/world.h"

#define BATCH_ANSWERS 64

struct shingles; /* text/shingle.h */

/* One archived answer and what was made of it; all but `main` lies in `memory`. */
struct web_document {
    uint32_t version;        /* of the world */
    bool is_broken;          /* it cannot be read: nobody knows what it was */
    const struct page *page; /* NULL: no document */
    struct profile profile;
    unsigned robots;       /* of page and header */
    uint64_t hash;         /* of the decoded payload */
    uint64_t bare_hash;    /* of the same without version-control stamps */
    uint32_t bytes;        /* of the payload as sent */
    struct shingles *main; /* its main text, where the world moves; free() it */
    struct str location;   /* of a redirect: absolute, normalised; or empty */
    struct str rules;      /* a file robots.txt, decoded; ptr NULL: it is none */
    struct arena memory;
};

struct web_batch {
    uint32_t number; /* of the batch, from 0 */
    size_t count;
    struct web_document documents[BATCH_ANSWERS];
};

struct web_worker;
struct web_worker *web_worker_new(const struct world *w);
void web_worker_free(struct web_worker *k);

/* Fills every document of the batch whose `version` is set. */
void web_worker_read(struct web_worker *k, struct web_batch *batch);

/* A batch with empty documents; web_batch_free(NULL) is fine. */
struct web_batch *web_batch_new(void);
void web_batch_free(struct web_batch *b);

/* The hash of a text in which stamps such as "$Id: x,v 1.2 2005/01/02 $" say no
 * more than their name; `scratch` is emptied first. */
uint64_t web_bare_hash(struct str text, struct buf *scratch);
