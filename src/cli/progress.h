/* progress.h - shows the progress of a running crawl.
 *
 * On a terminal one line that is rewritten; elsewhere a plain line every ten
 * seconds; nothing with --quiet. All of it on standard error. */
#pragma once

#include "crawl/crawl.h"

struct bus;
struct narrator;

struct progress {
    struct narrator *narrator; /* ends the line with recent events; NULL: none */
    bool off;                  /* --quiet */
    bool terminal;             /* standard error is one */
    int64_t next_at;           /* of the next line */
    uint64_t last_pages;
    int64_t last_at;
    double rate; /* pages a second, smoothed */
};

void progress_init(struct progress *p, bool quiet);
/* Makes the line of a population also show recent events. A page with a relevance of at least
 * `relevant` is a find. Free `p` after the bus. */
void progress_narrate(struct progress *p, struct bus *bus, double relevant);
void progress_free(struct progress *p);
void progress_show(struct progress *p, const struct crawl_status *s);
/* Shows done of total, for other long work ("indexing"). */
void progress_count(struct progress *p, const char *what, uint64_t done, uint64_t total);
/* Shows any other line, if one is due. */
void progress_line(struct progress *p, struct str line);
/* Removes the line, so that other text can follow. */
void progress_clear(struct progress *p);
