/* atom.h - announcements as an Atom feed (RFC 4287), a file that is always whole.
 *
 * The file holds the newest entries, newest first, and is replaced at once (written
 * beside, then renamed), so that a reader never sees half of it. An entry's id is that
 * of the announcement: written again after a restart it is the same entry.
 *
 * What pages say is hostile: what XML forbids is left out, the rest escaped; only http
 * and https URLs come this far.
 */
#pragma once

#include "crawl/watch/news.h"

struct atom;

/* A feed of at most `most` entries. `path` may be NULL: nothing is ever written. */
struct atom *atom_new(const char *path, struct str title, struct str software, uint64_t id,
                      size_t most);
void atom_free(struct atom *a);

void atom_add(struct atom *a, const struct news_item *item); /* copies what it keeps */

/* The document as it would be written. */
void atom_show(const struct atom *a, int64_t now, struct buf *out);

/* Writes the file where something was added since the last time. */
enum status atom_write(struct atom *a, int64_t now) MUST_USE;
