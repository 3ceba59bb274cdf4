/* merge.h - one crawl made of several directories.
 *
 * For the nodes of a crawl on several machines (docs/cluster.md), and for any crawls of the same
 * topic. The directories are only read: each as of its last checkpoint, also while it is being
 * written. What they say of the same thing becomes one row:
 *
 *   URL     by its normal form; what its owner says of it counts before what those say that
 *           left it to another node
 *   page    a URL that several directories stored with the same content is one page, and the
 *           later visits are outcomes that found it as it was; with another content it is a
 *           version. Duplicates are looked for once more, over all pages
 *   agent   the same name, kind and moment of birth is the same agent. Others that have the same
 *           name are called NAME-2, NAME-3 …
 *   sample  sums or means of what all directories said up to that second
 *
 * Pages, visits and messages are numbered by time. The states from which a crawl goes on are left
 * out: the result can be read, not resumed. The full-text index is not made here.
 *
 * Memory: 50 bytes for each URL, and 12 for each page.
 */
#pragma once

#include "base/option.h"
#include "base/status.h"
#include "flow.h"

#include <stdbool.h>
#include <stdint.h>

#define MERGED_KEY "merged" /* crawl(key, value): from how many directories */

enum merge_archive {
    MERGE_COPY,
    MERGE_LINK,  /* hard links, except of files to which a crawl may still write */
    MERGE_NAMES, /* rows name the files, but DIR/warc is not made: only to be read for a moment */
};

struct merge_options {
    enum merge_archive archive;
};

struct merge_result {
    uint64_t pages, urls, agents;
    uint64_t twice;    /* pages left out: another directory had them with the same content */
    uint64_t versions; /* pages kept as versions of what another directory had */
    uint64_t renamed;  /* agents */
    bool topics_differ;
};

/* Says how far it is; false: stop. `what`: "merging pages". */
typedef bool merge_progress_fn(void *ctx, const char *what, uint64_t done, uint64_t total);

/* Fills `out`, an empty directory. ST_USAGE: too few directories, or
 * one twice; ST_INVALID: one is of an older version; ST_STOPPED. */
enum status merge_run(const struct text_list *dirs, const char *out, const struct merge_options *o,
                      merge_progress_fn *progress, void *ctx, struct merge_result *ret) MUST_USE;

/* Keeps the verdicts of a topic (empty: of the crawl as a whole) on the pages of a merged crawl. */
enum status merge_judged(const char *dir, struct str topic, const struct page_verdict *rows,
                         size_t count) MUST_USE;
