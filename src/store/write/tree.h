/* tree.h - makes a crawl directory from the output of `brood export --as xml`.
 *
 * It has the agents with their families, the pages that were found, and the paths, but no texts and
 * no archive, because the XML has none. A page that only a path or a birth names was hidden or a
 * duplicate, and is hidden here. Exporting the directory gives the same XML, byte for byte.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct tree_counts {
    uint64_t pages;  /* that were found */
    uint64_t hidden; /* that are only named */
    uint64_t agents, visits, hosts;
};

/* Makes the crawl in `dir`, which must not exist or be empty. ST_INVALID if the XML is not that of
 * an export; the sentence says what is wrong. */
enum status tree_write(struct str xml, const char *dir, const char *software,
                       struct tree_counts *ret) MUST_USE;
