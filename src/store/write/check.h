/* check.h - do database, index and archive agree?
 *
 * Every disagreement is reported once, with a sentence and whether it can be
 * mended; with `mend`, those that can be mended are. The check needs the directory for itself
 * (ST_BUSY while a crawl runs).
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum check_kind {
    CHECK_DATABASE,  /* SQLite's own integrity check */
    CHECK_REFERENCE, /* a row refers to a row that is missing */
    CHECK_COUNT,     /* a stored count is wrong */
    CHECK_INDEX,     /* full text and its index differ */
    CHECK_FILE,      /* a WARC file is missing, too short, too long or unknown */
    CHECK_RECORD,    /* no such record, or another one, where a row points */
    CHECK_DIGEST,    /* a record's bytes are not what their digest says */
    CHECK_ORPHAN     /* a record that no row points to */
};

const char *check_kind_name(enum check_kind kind);

struct check_issue {
    enum check_kind kind;
    struct str text; /* a sentence */
    bool mendable;
    bool mended;
};

typedef void check_fn(void *ctx, const struct check_issue *issue);

struct check_result {
    uint64_t pages, records, files; /* looked at */
    uint64_t unindexed;             /* pages whose text is to be indexed later */
    uint64_t lost;                  /* pages whose records are not where they should be */
    uint64_t issues, mended;
};

/* Returns ST_OK even if issues were found: see `ret`. */
enum status check_run(const char *dir, bool mend, check_fn *fn, void *ctx,
                      struct check_result *ret) MUST_USE;
