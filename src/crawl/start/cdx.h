/* cdx.h - reads the index of a web archive as a list of captures.
 *
 * It reads the answers of Common Crawl's index server (a JSON object on each line) and of the
 * Wayback Machine's (fields with spaces between them, or a JSON array of arrays with the names
 * first), and index files: CDX with its line " CDX N b a …", and CDXJ. Other lines are skipped.
 * Pure; the strings that it passes on are lent for the time of the call.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct cdx_row {
    struct str url;  /* as it was captured */
    struct str mime; /* as given by the archive; may be empty */
    int status;      /* 0: unknown */
};

typedef void cdx_fn(void *ctx, const struct cdx_row *row);

/* Does the text begin like such an index? */
bool cdx_is(struct str text);

/* Calls `fn` for every row with a URL. ST_INVALID if there is none. */
enum status cdx_read(struct str text, cdx_fn *fn, void *ctx) MUST_USE;
