/* places.h - reads lists of places to start in the formats of other programs.
 *
 * A list is recognised by its content: a WARC file (its documents with a 2xx status), the bookmarks
 * of a browser (the Netscape format; Firefox's and Chromium's JSON), a list of feeds (OPML), the
 * index of a web archive (crawl/start/cdx.h), or one URL on each line; all of them may be gzip'ed.
 * Input may be hostile: only http and https URLs are taken, each URL counts once, and at most
 * LIMIT_PLACES are kept.
 */
#pragma once

#include "base/option.h"
#include "base/status.h"

/* Selects the places that are wanted. */
struct places_wanted {
    const struct text_list *only; /* patterns as of --scope (frontier/scope.h); empty: all */
    size_t most;                  /* evenly spread over the list; 0: all */
    bool captures;                /* only an archive's index is accepted as the list */
};

/* Adds the places of a file. `option` is for messages. ST_USAGE if it has none. */
enum status places_of_file(const char *path, const char *option, const struct places_wanted *wanted,
                           struct text_list *ret) MUST_USE;

/* Adds the places of a text, which messages call `name`. It must not be gzipped or a WARC file. */
enum status places_of_text(struct str text, const char *name, const struct places_wanted *wanted,
                           struct text_list *ret) MUST_USE;
