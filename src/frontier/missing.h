/* missing.h - directories whose URLs are all missing.
 *
 * Sites keep lists of links to pages that they no longer have: the descriptions of all images, an
 * old forum. A polite crawl would ask for each of them, at a second or more each. So we count the
 * missing URLs of every directory of a host. If LIMIT_MISSING were missing, and the directory has
 * never given a page, nothing below it is requested any more. A directory that has given a page
 * is always requested. The top of a host does not count as a directory.
 *
 * Limit: only the first LIMIT_MISSING_LEVELS levels of a path count, and at most
 * LIMIT_MISSING_DIRS directories; later ones are not judged. Each takes 12 to 24 bytes.
 */
#pragma once

#include "base/map.h"
#include "base/str.h"

struct missing {
    struct map counts; /* host, directory -> its missing URLs, or HAS_PAGES */
};

void missing_init(struct missing *m);
void missing_free(struct missing *m);

/* Notes that a page came from this path, or that it was missing. The order does not matter. */
void missing_note(struct missing *m, uint32_t host, struct str path, bool came);

/* Is the path in a directory whose URLs are all missing? */
bool missing_all(const struct missing *m, uint32_t host, struct str path);

size_t missing_bytes(const struct missing *m);
