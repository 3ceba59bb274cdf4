/* links.h - the links of a page as one row.
 *
 * links_row(page, links): `links` is a JSON array with [position, URL, place, length, score] for
 * each link that has a number. Place and length, in bytes, say where the anchor text is in the text
 * of the page (0, 0: there is none); the score is left out where the model gave none. SQLite alone
 * can read this, as the view `link` does. One row for each link, in a table of its own and with an
 * index by target, took more time and more than twice the disk space (docs/performance.md).
 *
 * Our own connections have a faster way: `link_row` (page, pos, url, anchor, score), a virtual
 * table. It finds the links of a page, or the links to a URL, for which it reads all links. In
 * crawls of earlier versions link_row is a real table.
 */
#pragma once

#include "base/buf.h"
#include "flow.h"

#include <sqlite3.h>

/* Appends the array of a page. `anchors`: with the places of its anchors, because its text is
 * stored. */
void links_write(const struct page *page, const struct link_mark *marks, bool anchors,
                 struct buf *out);

/* Registers link_row on the connection, and the function links_sound(links). Reading link_row fails
 * with SQLITE_CORRUPT at a row that is not sound. */
enum status links_join(sqlite3 *db) MUST_USE;

/* One link of such an array. */
struct links_item {
    uint32_t pos, url, at, len;
    double score; /* NAN: none */
};

/* Appends a link to an array that is still open: `out` has "[" and the links before it. */
void links_put(const struct links_item *item, struct buf *out);

/* Reads the link at *from and moves *from behind it. Returns false at the end, and where no
 * well-formed link follows: then *ret_bad is true. */
bool links_next(struct str links, size_t *from, struct links_item *ret, bool *ret_bad);
