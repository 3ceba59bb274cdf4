/* index.h - writing DIR/index.db, the full-text index (store/full_text.h).
 *
 * One connection of an index reads committed texts from crawl.db, and two write index.db. Only a
 * process that has the lock on the directory may open an index, and only one at a time. A batch of
 * pages is one transaction, which also notes the last page: nothing is indexed twice or left out,
 * even if the process dies at any moment.
 */
#pragma once

#include "store/store.h"

#include <sqlite3.h>

struct index;

/* Makes index.db if it is missing, and makes it again if it is broken or has pages that crawl.db
 * does not have. */
enum status index_open(const char *dir, struct index **ret) MUST_USE;
void index_close(struct index *x); /* may be NULL */

/* Indexes the next committed pages that are not in the index yet, some megabytes at most. When
 * *stop becomes true (`stop` may be NULL), it ends early and keeps what it has. */
enum status index_step(struct index *x, const bool *stop, uint64_t *ret_pages) MUST_USE;

/* Indexes all of them. May be interrupted at any moment and called again. ST_STOPPED when *stop
 * became true. */
enum status index_build(struct index *x, const bool *stop, store_progress_fn *progress,
                        void *ctx) MUST_USE;

/* Removes the index and builds it again. */
enum status index_rebuild(struct index *x, store_progress_fn *progress, void *ctx) MUST_USE;

/* Takes pages out of the index, while crawl.db still has their texts, and overwrites what is left
 * of their words. Pages that are not in the index are skipped. Call index_removed() when the pages
 * are gone from crawl.db too; without it the index is made again when it is next opened. */
enum status index_remove_begin(struct index *x) MUST_USE;
enum status index_remove(struct index *x, uint32_t page) MUST_USE;
enum status index_remove_end(struct index *x) MUST_USE;
enum status index_removed(struct index *x) MUST_USE;

/* ST_CORRUPT if the index differs from the texts that it claims to hold. *ret_left: the number of
 * pages that are not indexed yet. */
enum status index_check(struct index *x, uint64_t *ret_left) MUST_USE;
