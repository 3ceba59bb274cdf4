/* tally.h - how many rows there are, counted as they are written.
 *
 * To count the links of a million pages takes seconds. The writer counts what it writes, and each
 * checkpoint has the figures, as crawl(key,value). A crawl that an earlier version began has none,
 * nor has one of which something was forgotten, mended or merged: its rows are counted by whoever
 * asks. Thread: the writer's.
 */
#pragma once

#include "base/status.h"
#include "flow.h"

#define TALLY_KEY "total.rows"

struct tally {
    uint64_t pages, hidden, duplicates, bytes, links; /* bytes: of the pages' replies */
    uint64_t urls, untried; /* untried: neither visited nor dropped nor given up */
    bool is_known;
};

struct writer;

/* False: the text is none. */
bool tally_read(const char *text, struct tally *ret);

/* On opening: goes on with what is stored. */
enum status tally_load(struct writer *w) MUST_USE;

void tally_page(struct writer *w, const struct event *e); /* a page was written */
void tally_url(struct writer *w, enum drop why);          /* after writing a URL's row */
/* Before a URL's fate is written: it is not untried any more. */
enum status tally_fate(struct writer *w, uint32_t url) MUST_USE;
enum status tally_put(struct writer *w) MUST_USE; /* with a checkpoint */
