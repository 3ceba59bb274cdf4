/* full_text.c - joining index.db. See full_text.h. SPDX-License-Identifier: MIT */
#include "store/full_text.h"

#include "base/limits.h"
#include "store/db.h"
#include "store/passages.h"
#include "store/schema.h"
#include "store/tokens.h"

static const char *const tables[] = {
    "CREATE TABLE indexed_row(id INTEGER PRIMARY KEY, page INTEGER)",
    "CREATE VIRTUAL TABLE page_text USING fts5(" FULL_TEXT_COLUMNS ")",
    "INSERT INTO indexed_row VALUES" FULL_TEXT_ROWS,
};

enum status full_text_create(sqlite3 *db)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        TRY(db_exec(db, tables[i]));
    return ST_OK;
}

/* The SQL functions main_text(text, places) and, if the user data is set, rest_text(). */
static void part_of_text(sqlite3_context *ctx, int nargs, sqlite3_value **args)
{
    LOCAL_BUF out = BUF_INIT(LIMIT_DECODED * 2);
    struct str parts[2];

    (void)nargs;
    for (int i = 0; i < 2; i++) {
        const char *bytes = sqlite3_value_blob(args[i]);

        parts[i] = (struct str){bytes ? bytes : "", (size_t)sqlite3_value_bytes(args[i])};
    }
    (sqlite3_user_data(ctx) ? passages_add_rest : passages_add)(parts[1], parts[0], &out);
    if (out.full)
        sqlite3_result_error_toobig(ctx);
    else
        sqlite3_result_text64(ctx, out.len ? out.data : "", out.len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

enum status full_text_functions(sqlite3 *db)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;

    if (sqlite3_create_function(db, "main_text", 2, flags, NULL, part_of_text, NULL, NULL) !=
            SQLITE_OK ||
        sqlite3_create_function(db, "rest_text", 2, flags, db, part_of_text, NULL, NULL) !=
            SQLITE_OK)
        return status_fail(ST_IO, "there is no memory for the functions of full text");
    return ST_OK;
}

enum status full_text_has_main(sqlite3 *db, bool *ret)
{
    char sql[128];
    int64_t n = 0;
    enum status st;

    (void)sqlite3_snprintf((int)sizeof sql, sql,
                           "SELECT count(*) FROM pragma_table_info('page_text', '%s')"
                           " WHERE name = 'main'",
                           full_text_where(db));
    st = db_int(db, sql, &n);
    *ret = n > 0;
    return st;
}

static enum status has_own(sqlite3 *db, const char *schema, bool *ret)
{
    char sql[128];
    int64_t n = 0;
    enum status st;

    (void)sqlite3_snprintf((int)sizeof sql, sql,
                           "SELECT count(*) FROM %s.sqlite_schema WHERE name = 'page_text'",
                           schema);
    st = db_int(db, sql, &n);
    *ret = n > 0;
    return st;
}

const char *full_text_where(sqlite3 *db)
{
    bool own = false;

    if (sqlite3_db_filename(db, "full_text"))
        return "full_text";
    /* a failure will appear again in the statement */
    return has_own(db, "main", &own) != ST_OK || own ? "main" : "temp";
}

enum status full_text_is_of(sqlite3 *db, const char *schema, int64_t owner, bool *ret)
{
    char sql[128];
    int64_t own = 0;
    enum status st;

    (void)sqlite3_snprintf((int)sizeof sql, sql, "SELECT page FROM %s.indexed_row WHERE id = 3",
                           schema);
    st = db_int(db, sql, &own);
    *ret = st == ST_OK && (own == 0 || owner == 0 || own == owner);
    return st;
}

/* FTS5 looks at its settings when its table is first named. */
static enum status is_whole(sqlite3 *db, bool *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(db, "SELECT rowid FROM full_text.page_text LIMIT 1", &st);
    int64_t owner = 0;

    (void)sqlite3_finalize(st);
    if (status == ST_OK)
        status = db_int(db, FULL_TEXT_OWNER, &owner);
    if (status == ST_OK)
        status = full_text_is_of(db, "full_text", owner, ret);
    return db_is_broken(db, status) ? ST_OK : status;
}

/* Is index.db there, ours, and not visibly damaged? */
static enum status attach(sqlite3 *db, const char *dir, bool *ret)
{
    bool own = false;
    enum status st = db_attach(db, dir, "index.db", "full_text");

    *ret = st == ST_OK;
    if (st == ST_MISSING || st == ST_CORRUPT)
        return ST_OK;
    /* a process died while it made the index: the next writer rolls that back */
    if (st == ST_IO && db_needs_writing(sqlite3_errcode(db)))
        return ST_OK;
    if (st == ST_OK)
        st = schema_check_index(db, "full_text", dir);
    *ret = false;
    if (st == ST_OK)
        st = has_own(db, "full_text", &own);
    if (st == ST_OK && own)
        st = is_whole(db, ret);
    if (*ret)
        return ST_OK;
    (void)sqlite3_exec(db, "DETACH full_text", NULL, NULL, NULL);
    return st == ST_CORRUPT ? ST_OK : st;
}

enum status full_text_join(sqlite3 *db, const char *dir)
{
    bool attached = false, own = false;

    TRY(tokens_join(db));
    TRY(full_text_functions(db));
    TRY(attach(db, dir, &attached));
    TRY(has_own(db, "main", &own));
    (void)sqlite3_exec(db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    if (attached)
        return db_exec(db, "CREATE TEMP VIEW indexed AS SELECT page FROM full_text.indexed_row"
                           " WHERE id = 1");
    if (own)
        return db_exec(db, "CREATE TEMP VIEW indexed AS SELECT CAST(value AS INTEGER) AS page FROM"
                           " crawl WHERE key = 'indexed'");
    return db_exec(db, "CREATE VIRTUAL TABLE temp.page_text USING fts5(" FULL_TEXT_COLUMNS ");"
                       "CREATE TEMP VIEW indexed AS SELECT 0 AS page");
}
