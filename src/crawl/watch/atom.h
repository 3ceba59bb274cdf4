/* atom.h - announcements as an Atom feed (RFC 4287), in a file that is always complete.
 *
 * The file holds the newest entries, newest first, and is replaced atomically (written beside, then
 * renamed), so that a reader never sees half of it. An entry has the id of its announcement, so
 * that it is the same entry when it is written again after a restart.
 *
 * Text from pages may be hostile: characters that XML forbids are left out, the rest is escaped;
 * only http and https URLs get here.
 */
#pragma once

#include "crawl/watch/news.h"

struct atom;

/* Makes a feed of at most `most` entries. `path` may be NULL: then nothing is written. */
struct atom *atom_new(const char *path, struct str title, struct str software, uint64_t id,
                      size_t most);
void atom_free(struct atom *a);

void atom_add(struct atom *a, const struct news_item *item); /* copies what it keeps */

/* Appends the document as it would be written. */
void atom_show(const struct atom *a, int64_t now, struct buf *out);

/* Writes the file if entries were added since the last time. */
enum status atom_write(struct atom *a, int64_t now) MUST_USE;
