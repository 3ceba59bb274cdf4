/* fuzz_segment.c - the list of segments of a full-text index that came from somebody else. Whatever
 * it says, a batch of words is either written behind it or refused, and where it is written FTS5
 * can go on. SPDX-License-Identifier: MIT */
#include "base/status.h"
#include "store/write/segment.h"

#include <stdlib.h>

#define TABLE "CREATE VIRTUAL TABLE page_text USING fts5(title, main, rest, content='')"

static void run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        abort();
}

static void put_list(sqlite3 *db, const uint8_t *data, size_t size)
{
    sqlite3_stmt *put = NULL;

    if (sqlite3_prepare_v2(db, "UPDATE page_text_data SET block = ? WHERE id = 10", -1, &put, NULL))
        abort();
    (void)sqlite3_bind_blob(put, 1, size ? (const void *)data : "", (int)size, SQLITE_STATIC);
    if (sqlite3_step(put) != SQLITE_DONE)
        abort();
    (void)sqlite3_finalize(put);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct segment *s = NULL;
    sqlite3 *db = NULL;
    int64_t merge = 0;
    enum status st;

    if (sqlite3_open(":memory:", &db) != SQLITE_OK)
        abort();
    run(db, TABLE);
    put_list(db, data, size);
    if (segment_new(db, &s) != ST_OK)
        abort();
    run(db, "BEGIN");
    segment_page(s, 1);
    segment_words(s, 0, &(struct str){"honey  padding", 5}, 1);
    segment_words(s, 1, &(struct str){"bee  padding", 3}, 1);
    st = segment_write(s, &merge);
    if (st != ST_OK && st != ST_CORRUPT)
        abort();
    run(db, st == ST_OK ? "COMMIT" : "ROLLBACK");
    if (st == ST_OK) /* FTS5 may call the rest of the index damaged, but must be able to look */
        (void)sqlite3_exec(db, "SELECT rowid FROM page_text WHERE page_text MATCH 'bee'", NULL,
                           NULL, NULL);
    segment_free(s);
    (void)sqlite3_close(db);
    return 0;
}
