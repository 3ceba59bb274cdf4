/* index.c - the full-text index, built in bulk behind the crawl.
 *
 * FTS5 over the view page_content (title and text of pages that are not
 * hidden): the index holds no second copy of the text. A batch is one
 * transaction that also moves crawl('indexed'), so nothing is indexed twice or
 * left out, whenever the process dies. Batches are large, because each leaves
 * a segment that must be merged later.
 *
 * Measured apart from the crawl (bench/bench_store.c): on the hot path it
 * would cost more than everything else together. SPDX-License-Identifier: MIT */
#include "store/write/index.h"

#include "store/db.h"
#include "store/schema.h"

#define BATCH_PAGES 4000
#define BATCH_BYTES (24 << 20) /* of text */

/* The last page of the batch that begins behind `from`; 0: nothing is left. */
static enum status batch_end(sqlite3 *db, int64_t from, int64_t *ret_end, uint64_t *ret_pages)
{
    sqlite3_stmt *st = NULL;
    int64_t bytes = 0;
    enum status status = db_prepare(
        db, "SELECT id, length(CAST(text AS BLOB)) FROM body WHERE id > ? ORDER BY id", &st);

    *ret_end = 0;
    *ret_pages = 0;
    if (status == ST_OK)
        (void)sqlite3_bind_int64(st, 1, from);
    while (status == ST_OK && bytes < BATCH_BYTES && *ret_pages < BATCH_PAGES &&
           db_row(db, st, &status)) {
        *ret_end = sqlite3_column_int64(st, 0);
        bytes += sqlite3_column_int64(st, 1);
        ++*ret_pages;
    }
    (void)sqlite3_finalize(st);
    return status;
}

static enum status index_batch(sqlite3 *db, int64_t from, int64_t to)
{
    enum status st = db_exec(db, "BEGIN IMMEDIATE");

    if (st == ST_OK)
        st = db_execf(db,
                      "INSERT INTO page_text(rowid, title, text) SELECT id, title, text"
                      " FROM page_content WHERE id > %lld AND id <= %lld ORDER BY id",
                      (long long)from, (long long)to);
    if (st == ST_OK)
        st = db_execf(db, "INSERT OR REPLACE INTO crawl VALUES('indexed', '%lld')", (long long)to);
    if (st == ST_OK)
        st = db_exec(db, "COMMIT");
    if (st != ST_OK && !sqlite3_get_autocommit(db))
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

enum status index_build(sqlite3 *db, const bool *stop, store_progress_fn *progress, void *ctx)
{
    int64_t from = 0, total = 0, to;
    uint64_t done, pages;
    enum status st =
        db_int(db, "SELECT CAST(value AS INTEGER) FROM crawl WHERE key = 'indexed'", &from);

    if (st == ST_OK)
        st = db_int(db, "SELECT count(*) FROM body", &total);
    done = (uint64_t)total;
    if (st == ST_OK && from < INT64_MAX) {
        int64_t left = 0;

        st = db_exec(db, "PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 4000");
        if (st == ST_OK) {
            char sql[96];

            (void)sqlite3_snprintf((int)sizeof sql, sql,
                                   "SELECT count(*) FROM body WHERE id > %lld", from);
            st = db_int(db, sql, &left);
        }
        done = (uint64_t)(total - left);
    }
    while (st == ST_OK && (st = batch_end(db, from, &to, &pages)) == ST_OK && pages > 0) {
        if (stop && __atomic_load_n(stop, __ATOMIC_RELAXED))
            return status_fail(ST_STOPPED, "the full text is not indexed completely");
        st = index_batch(db, from, to);
        from = to;
        done += pages;
        if (st == ST_OK && progress)
            progress(ctx, done, (uint64_t)total);
    }
    return st == ST_OK ? schema_index_links(db) : st;
}

enum status index_rebuild(sqlite3 *db, store_progress_fn *progress, void *ctx)
{
    enum status st = db_exec(db, "BEGIN IMMEDIATE;"
                                 "INSERT INTO page_text(page_text) VALUES('delete-all');"
                                 "INSERT OR REPLACE INTO crawl VALUES('indexed', '0'); COMMIT");

    if (st != ST_OK && !sqlite3_get_autocommit(db))
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return st == ST_OK ? index_build(db, NULL, progress, ctx) : st;
}

enum status index_remove(sqlite3 *db, uint32_t page)
{
    return db_execf(db,
                    "INSERT INTO page_text(page_text, rowid, title, text) SELECT 'delete', id,"
                    " title, text FROM page_content WHERE id = %u AND id <="
                    " (SELECT CAST(value AS INTEGER) FROM crawl WHERE key = 'indexed')",
                    page);
}
