/* missing.h - directories in which nothing is left.
 *
 * Sites keep lists of links to pages that they no longer have: the descriptions of all images, an
 * old forum. A polite crawl would ask for each of them, a second or more apiece. So we count the
 * missing URLs of every directory of a host. If LIMIT_MISSING were missing, and no page has ever
 * come from there, nothing below the directory is asked for any more. Once a page has come, the
 * directory is never left alone. The top of a host does not count as a directory.
 *
 * Limit: only the first LIMIT_MISSING_LEVELS levels of a path count, and at most
 * LIMIT_MISSING_DIRS directories; those met later are not judged. Each takes 12 to 24 bytes.
 */
#pragma once

#include "base/map.h"
#include "base/str.h"

struct missing {
    struct map counts; /* host, directory -> its missing URLs, or HAS_PAGES */
};

void missing_init(struct missing *m);
void missing_free(struct missing *m);

/* A page came from the path, or it was missing. The order does not matter. */
void missing_note(struct missing *m, uint32_t host, struct str path, bool came);

/* Is the path in a directory in which nothing is left? */
bool missing_all(const struct missing *m, uint32_t host, struct str path);

size_t missing_bytes(const struct missing *m);
