/* links.h - the links of a page as one row.
 *
 * links_row(page, links): `links` is JSON, an array of [position, URL, place, length, score] for each
 * link that has a number. Place and length, in bytes, are the anchor's in the text of the page (0, 0:
 * none); the score is left out where the model gave none. So SQLite alone can read it: the
 * view `link` does. A row a link, in a tree of its own and with an index by target, took more
 * time and more than twice the disk (docs/performance.md).
 *
 * Our own connections have a faster way: `link_row` (page, pos, url, anchor, score), a virtual
 * table. It finds the links of a page, or those to a URL; the latter means reading all links. In
 * crawls of earlier versions link_row is a real table.
 */
#pragma once

#include "base/buf.h"
#include "flow.h"

#include <sqlite3.h>

/* Appends the array of a page. `anchors`: the places of its anchors too, because its text is
 * stored. */
void links_write(const struct page *page, const struct link_mark *marks, bool anchors,
                 struct buf *out);

/* The connection knows link_row from now on, and the function links_sound(links). A row that is
 * not sound makes reading link_row fail: SQLITE_CORRUPT. */
enum status links_join(sqlite3 *db) MUST_USE;

/* One link of such an array. */
struct links_item {
    uint32_t pos, url, at, len;
    double score; /* NAN: none */
};

/* Appends it to an array, "[" and what may stand there already. */
void links_put(const struct links_item *item, struct buf *out);

/* The link at *from, which then moves behind it. False at the end, and where what follows is no
 * link of ours; *ret_bad says which. */
bool links_next(struct str links, size_t *from, struct links_item *ret, bool *ret_bad);
