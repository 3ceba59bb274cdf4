/* tally.h - how many rows there are, and what the pages sum up to, counted as they are written.
 *
 * To count the links of a million pages takes seconds, and to read their rows takes more than a
 * browser should wait. The writer counts what it writes, and each checkpoint has the figures, as
 * crawl(key,value): seven numbers of rows, and then those of pages. An earlier version of brood
 * wrote the first seven alone.
 *
 * A crawl that an earlier version began has no figures, and neither has one of which something was
 * forgotten, mended or merged: its rows are counted by whoever asks. Where only the figures of
 * pages are missing, opening the crawl for writing counts them once. Thread: the writer's.
 */
#pragma once

#include "base/map.h"
#include "base/status.h"
#include "flow.h"

#define TALLY_KEY  "total.rows"
#define TALLY_TEXT 1500 /* bytes of it, at most */
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
    int64_t first_at, last_at; /* of everything that happened, us; 0: nothing did */
    bool is_whole;             /* these are known, too */
};

struct writer;

/* False: the text is none. */
bool tally_read(const char *text, struct tally *ret);

/* Of a page's row: its relevance, whatever the number is, and when it came and was done. */
void tally_relevance(struct tally *t, double relevance);
void tally_time(struct tally *t, int64_t first, int64_t last);

/* On opening: goes on with what is stored. */
enum status tally_load(struct writer *w) MUST_USE;

/* A page was written, with this host and this time. */
void tally_page(struct writer *w, const struct event *e, struct str host, int64_t at);
void tally_outcome(struct writer *w, int64_t at); /* an outcome was written */
void tally_url(struct writer *w, enum drop why);  /* after writing a URL's row */
void tally_key(struct writer *w, struct str name, struct str value);
/* Before a URL's fate is written: it is not untried any more, and `page` is the newest it has (0:
 * none; TALLY_SAME: the one it had). */
#define TALLY_SAME UINT32_MAX
enum status tally_fate(struct writer *w, uint32_t url, uint32_t page) MUST_USE;
enum status tally_put(struct writer *w) MUST_USE; /* with a checkpoint */
