/* tally.h - numbers of rows and sums over pages, counted as they are written.
 *
 * Counting the links of a million pages takes seconds, and reading their rows takes longer than a
 * browser should wait. So the writer counts what it writes, and each checkpoint has the figures, as
 * crawl(key,value): seven numbers of rows, and then the figures of pages. An earlier version of
 * brood wrote only the first seven.
 *
 * A crawl that an earlier version began has no figures, nor has one in which something was
 * forgotten, mended or merged: there each reader counts the rows. Where only the figures of pages
 * are missing, opening the crawl for writing counts them once. Thread: the writer's.
 */
#pragma once

#include "base/map.h"
#include "base/status.h"
#include "flow.h"

#define TALLY_KEY  "total.rows"
#define TALLY_TEXT 1500 /* the largest length of the figures as text */
#define TALLY_BINS 50

struct tally {
    uint64_t pages, hidden, duplicates, bytes, links; /* bytes: of the pages' replies */
    uint64_t urls, untried; /* untried: neither visited nor dropped nor given up */
    bool is_known;
    /* Of pages: */
    uint64_t outcomes;         /* attempts without one */
    uint64_t hosts;            /* with a page */
    uint64_t shown;            /* neither hidden nor a duplicate, and the newest of their URL */
    uint64_t relevant;         /* by this threshold: */
    uint64_t bins[TALLY_BINS]; /* by relevance, [0, 0.02) first; 1 is in the last */
    double threshold, relevance_sum;
    int64_t first_at, last_at; /* of all events, us; 0: there were none */
    bool is_whole;             /* the figures of pages are known too */
};

struct writer;

/* Returns false if the text is not a tally. */
bool tally_read(const char *text, struct tally *ret);

/* tally_relevance() counts the relevance of a page (any number, even NAN), tally_time() the times
 * at which it was requested and done. */
void tally_relevance(struct tally *t, double relevance);
void tally_time(struct tally *t, int64_t first, int64_t last);

/* Called on opening: continues with the stored figures. */
enum status tally_load(struct writer *w) MUST_USE;

/* A page was written, with this host and this time. */
void tally_page(struct writer *w, const struct event *e, struct str host, int64_t at);
void tally_outcome(struct writer *w, int64_t at); /* an outcome was written */
void tally_url(struct writer *w, enum drop why);  /* after writing a URL's row */
void tally_key(struct writer *w, struct str name, struct str value);
/* Called before a URL's fate is written: the URL is no longer untried, and `page` is its newest
 * page (0: none; TALLY_SAME: the same as before). */
#define TALLY_SAME UINT32_MAX
enum status tally_fate(struct writer *w, uint32_t url, uint32_t page) MUST_USE;
enum status tally_put(struct writer *w) MUST_USE; /* with a checkpoint */
