/* merge.h - one crawl made of several directories.
 *
 * For the nodes of a crawl on several machines (docs/cluster.md), and for any crawls of the same
 * topic. The directories are only read, each at its last checkpoint, even while a crawl writes to
 * it. Their rows on the same thing become one row:
 *
 *   URL     by its normal form; the row of the node that owns it has precedence over the rows of
 *           nodes that left it to another
 *   page    a URL that several directories stored with the same content is one page, and the
 *           later visits become outcomes that found it unchanged; with other content it is a
 *           version. Duplicates are detected again, over all pages
 *   agent   the same name, kind and moment of birth is the same agent. Different agents with one
 *           name are renamed NAME-2, NAME-3 …
 *   sample  sums or means of the values of all directories at that second
 *
 * Pages, visits and messages are numbered by time. The states that a crawl needs to resume are left
 * out: the result can only be read. The full-text index is not made here.
 *
 * Memory: 50 bytes for each URL, and 12 for each page.
 */
#pragma once

#include "base/option.h"
#include "base/status.h"
#include "flow.h"

#include <stdbool.h>
#include <stdint.h>

#define MERGED_KEY "merged" /* crawl(key, value): number of directories */

enum merge_archive {
    MERGE_COPY,
    MERGE_LINK,  /* hard links, except of files to which a crawl may still write */
    MERGE_NAMES, /* rows name the files, but DIR/warc is not made: for a temporary merge */
};

struct merge_options {
    enum merge_archive archive;
};

struct merge_result {
    uint64_t pages, urls, agents;
    uint64_t twice;    /* pages left out, since another directory had the same content */
    uint64_t versions; /* pages kept as versions of a page of another directory */
    uint64_t renamed;  /* agents */
    bool topics_differ;
};

/* Reports the progress; returns false to stop. `what`: "merging pages". */
typedef bool merge_progress_fn(void *ctx, const char *what, uint64_t done, uint64_t total);

/* Fills `out`, an empty directory. ST_USAGE if there are too few directories, or one is given
 * twice; ST_INVALID if one is of an older version; ST_STOPPED. */
enum status merge_run(const struct text_list *dirs, const char *out, const struct merge_options *o,
                      merge_progress_fn *progress, void *ctx, struct merge_result *ret) MUST_USE;

/* Stores the verdicts of a topic (empty: of the crawl as a whole) on the pages of a merged
 * crawl. */
enum status merge_judged(const char *dir, struct str topic, const struct page_verdict *rows,
                         size_t count) MUST_USE;
