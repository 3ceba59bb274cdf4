/* link_rows.h - the links of one page as a table that SQLite can read.
 *
 * A page has some fifty links: as many INSERTs, each bound, stepped and reset,
 * cost twice as much as one INSERT … SELECT from the virtual table `new_link`
 * (page, pos, url, anchor, score), which reads the arrays where they lie.
 * Inside store/ only. */
#pragma once

#include "base/status.h"
#include "flow.h"

#include <sqlite3.h>

/* What the table shows: the links that have a number. */
struct link_rows {
    uint32_t id; /* number of the page */
    const struct page *page;
    const struct link_mark *marks;
};

/* Makes `new_link` known to the connection. `shown` is lent for as long as that
 * is open, and read anew by every statement. Call it before preparing one. */
enum status link_rows_join(sqlite3 *db, const struct link_rows *shown) MUST_USE;
