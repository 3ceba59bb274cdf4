/* tree.h - a crawl directory from what `brood export --as xml` wrote.
 *
 * Agents with their families, the pages that were found, and the paths. There are no texts
 * and no archive: the XML has none. A page that only a path or a birth names was hidden or
 * a duplicate, and is hidden here. Exported again it is the same XML, byte for byte.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct tree_counts {
    uint64_t pages;  /* that were found */
    uint64_t hidden; /* that are only named */
    uint64_t agents, visits, hosts;
};

/* Makes the crawl in `dir`, which must not exist or be empty. ST_INVALID: the XML is not
 * that of an export; the sentence says what is wrong. */
enum status tree_write(struct str xml, const char *dir, const char *software,
                       struct tree_counts *ret) MUST_USE;
