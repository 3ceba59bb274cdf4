/* scribe.h - writes a world in the form of a crawl.
 *
 * For each answer an arrival is built as if it had come over the network
 * (request, header block, body); pages are parsed by parse/; all of it goes to
 * store/. So text and links in the database are what the crawler itself would
 * see, and all code that reads crawls can read worlds.
 *
 *     st = scribe_open(&s, dir, "brood/0.1.0", begin);
 *     (void)scribe_url(&s, url, true);
 *     st = scribe_page(&s, &(struct scribe_answer){.url = url, .body = html, …});
 *     st = scribe_close(&s, st);
 *
 * Pages are numbered from 1 as they come, URLs as they are named. Answers without
 * a time get the scribe's own time, which counts up from `begin`.
 */
#pragma once

#include "base/map.h"
#include "base/status.h"
#include "flow.h"

struct scribe {
    struct store *store;
    struct page_parser *parser;
    struct map urls;   /* url_key() -> number of the URL */
    uint32_t next_url; /* number the next new URL gets */
    uint32_t pages;    /* posted so far: the number of the last one */
    int64_t now;       /* time of the next answer without one */
    struct buf head;   /* used again for every answer */
    char *dir, *part;
};

/* Makes `dir`, which must not exist or be empty. It is written beside it, as dir.part, until it is
 * complete. */
enum status scribe_open(struct scribe *s, const char *dir, const char *software,
                        int64_t begin) MUST_USE;
/* Commits, closes and moves the directory to its place; if `st` is a failure, nothing is left
 * behind. Returns the first failure. */
enum status scribe_close(struct scribe *s, enum status st) MUST_USE;

struct scribe_answer {
    struct str url;      /* normalised */
    int status;          /* 0: 200 */
    struct str head;     /* header block; empty: one is made from the next fields */
    struct str type;     /* Content-Type; empty: none is named */
    struct str location; /* of a redirect */
    int64_t modified;    /* Last-Modified; 0: none */
    struct str body;     /* payload as sent; cut off at LIMIT_BODY */
    struct str decoded;  /* pages: the decoded payload; empty: it is not encoded */
    int64_t at;          /* 0: the scribe's time */
    int64_t latency;     /* us; 0: none was recorded */
    uint32_t dup_of;     /* pages: number of the page that this one repeats */
    bool exact_dup;      /* to the byte */
    uint32_t version_of; /* pages: number of the first version */
};

/* Returns the number of a URL; a new one is also written to the store. */
uint32_t scribe_url(struct scribe *s, struct str url, bool is_seed);

/* Writes a page. URLs of links that were not met before get their numbers. */
enum status scribe_page(struct scribe *s, const struct scribe_answer *from) MUST_USE;
/* The same in steps, for callers that must look at a document first: an arrival is built (to be
 * released), parsed (ST_INVALID if it is not a document), and only then written, as a page or as
 * something else. */
struct arrival *scribe_arrive(struct scribe *s, const struct scribe_answer *from);
enum status scribe_parse(struct scribe *s, struct arrival *a, struct str payload) MUST_USE;
void scribe_put_page(struct scribe *s, struct arrival *a, const struct scribe_answer *from);
void scribe_put_resource(struct scribe *s, struct arrival *a);

/* Writes robots.txt, a sitemap, or a feed that is not a page. */
void scribe_resource(struct scribe *s, const struct scribe_answer *from);
/* Writes a redirect (to the normalised URL `target`) or a failure (no target). */
void scribe_outcome(struct scribe *s, const struct scribe_answer *from, struct str target);

/* Writes that a page disappeared (410) at that time. */
void scribe_gone(struct scribe *s, struct str url, int64_t at);

void scribe_key(struct scribe *s, const char *name, struct str value);
enum status scribe_label(struct scribe *s, struct str url, struct str label) MUST_USE;

/* Commits what was written; to be called every few thousand pages. */
enum status scribe_checkpoint(struct scribe *s) MUST_USE;
#define SCRIBE_PAGES 4000 /* pages between two of them */
