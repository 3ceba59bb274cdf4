/* index.h - the full-text index, built in bulk behind the crawl. */
#pragma once

#include "store/store.h"

#include <sqlite3.h>

/* Indexes the pages that are not indexed yet, in transactions of some
 * megabytes; crawl('indexed') is the last page that is in. May be cut off at
 * any moment and called again. ST_STOPPED where *stop became true. */
enum status index_build(sqlite3 *db, const bool *stop, store_progress_fn *progress,
                        void *ctx) MUST_USE;

/* Throws the index away and builds it again. */
enum status index_rebuild(sqlite3 *db, store_progress_fn *progress, void *ctx) MUST_USE;

/* Takes one page out of the index; before its text is deleted. */
enum status index_remove(sqlite3 *db, uint32_t page) MUST_USE;
