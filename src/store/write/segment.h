/* segment.h - the words of many pages as one segment of an index of FTS5.
 *
 * FTS5 looks up every word in a table that is larger than the caches, one word after the other.
 * Here the words of a batch are gathered first, and then written in their order, in the format of
 * FTS5's own tables: reading the index, merging its segments and taking pages out of it need
 * nothing but FTS5. docs/adr/0020 says how much time that saves.
 *
 * The connection may not use the full-text table itself: FTS5 would not notice that its tables
 * have changed.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <sqlite3.h>

#define SEGMENT_COLUMNS 3

struct segment;

/* For the table page_text of a connection that is allowed to write to the tables of FTS5. */
enum status segment_new(sqlite3 *db, struct segment **ret) MUST_USE;
void segment_free(struct segment *s); /* may be NULL */

/* Adds the words of one page after the other, in ascending order of row numbers, and column by
 * column. Eight bytes that follow a word must be readable (tokens_cut()). */
void segment_page(struct segment *s, int64_t row);
void segment_words(struct segment *s, unsigned column, const struct str *words, size_t n);

/* Writes the gathered words inside the caller's transaction, and clears them. *ret_merge: how many
 * leaves FTS5 should merge to keep the number of segments small. ST_CORRUPT: the index is
 * damaged. */
enum status segment_write(struct segment *s, int64_t *ret_merge) MUST_USE;
void segment_clear(struct segment *s);
