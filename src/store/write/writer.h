/* writer.h - turns events into rows and records. For use inside store/ only.
 *
 * Used by one thread at a time. A transaction begins with the first event after a commit and ends
 * with EVENT_CHECKPOINT. The archive's bytes are written before it is committed, and the archive's
 * length is committed in it.
 */
#pragma once

#include "flow.h"
#include "store/archive.h"
#include "store/store.h"

#include <sqlite3.h>

struct writer;

/* Called while the disk is full or the database is locked. Returns true to try again. */
typedef bool writer_wait_fn(void *ctx, const char *text);

/* Takes ownership of the connection, also when it fails. */
enum status writer_new(const char *dir, sqlite3 *db, const struct store_config *config,
                       writer_wait_fn *wait, void *ctx, struct writer **ret) MUST_USE;
void writer_free(struct writer *w); /* rolls back what is not committed */

enum status writer_apply(struct writer *w, const struct event *e) MUST_USE;
enum status writer_label(struct writer *w, struct str url, struct str label) MUST_USE;
enum status writer_commit(struct writer *w) MUST_USE;
enum status writer_end(struct writer *w) MUST_USE; /* commits, and ends the archive's file */
/* At the end, copies all of the WAL back into crawl.db. SQLite does that by itself only if there is
 * no reader, and without it crawl.db alone would be nearly empty. */
void writer_copy_back(struct writer *w);

/* Returns how many bytes of archive after the last commit were cut off on opening. */
uint64_t writer_cut(const struct writer *w);

/* Returns the number of pages at the last committed checkpoint. */
uint64_t writer_committed(const struct writer *w);
sqlite3 *writer_db(struct writer *w);
