/* forget.h - removes a page or a host from database, index and archive.
 *
 * The WARC files concerned are written again without the records. In one transaction the rows are
 * deleted and the new files become valid, so after a crash either everything or nothing is
 * forgotten (old files are removed when the crawl is next opened). Freed space in the database is
 * overwritten.
 *
 * The URL itself stays known, as gone: a crawl that goes on must not fetch it
 * again. Links of other pages to it stay. Limit: a page whose record is only a
 * revisit of a forgotten one keeps its row and text and loses its payload.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <stdint.h>

struct forget_result {
    uint64_t urls, pages, records; /* taken out */
    uint64_t files;                /* written again */
};

/* `what` is a URL or a host ("example.org", "example.org:8080"). ST_MISSING if the crawl does not
 * know it, ST_BUSY while a crawl runs. */
enum status forget_run(const char *dir, struct str what, int64_t now,
                       struct forget_result *ret) MUST_USE;
