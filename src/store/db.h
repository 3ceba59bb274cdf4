/* db.h - SQLite in our style: statuses in place of codes, bound strings, one sentence for each
 * error. For use inside store/ only. */
#pragma once

#include "base/status.h"
#include "base/buf.h"

#include <sqlite3.h>

/* Opens DIR/NAME, guarded (db_guard.h). It and SQLite's files beside it must be regular files of
 * the directory; only the user may read or write a new one. `flags` are those of sqlite3_open_v2().
 * Fails with ST_MISSING, ST_INVALID (a link, a pipe …) or ST_IO. */
enum status db_open_file(const char *dir, const char *name, int flags, sqlite3 **ret) MUST_USE;

/* The same for DIR/crawl.db. */
enum status db_open(const char *dir, int flags, sqlite3 **ret) MUST_USE;

/* For readers: the connection is read-only, waits for no writer, and works on read-only media.
 * Checks that the directory is a crawl of brood. */
enum status db_open_reader(const char *dir, sqlite3 **ret) MUST_USE;

/* Attaches another file of the directory to a reader's connection, as the database `name`. Fails
 * with ST_MISSING, ST_INVALID, ST_CORRUPT (not a database) or ST_IO. */
enum status db_attach(sqlite3 *db, const char *dir, const char *file, const char *name) MUST_USE;

/* Does this code of SQLite mean that it could not create its files beside the database? */
bool db_needs_writing(int rc);

/* For commands that change the directory: opens for writing, with WAL, and checks that it is
 * a crawl. */
enum status db_open_writer(const char *dir, sqlite3 **ret) MUST_USE;

/* Sets the pragmas of a connection that writes. The page size has an effect on new files only. */
enum status db_pragmas(sqlite3 *db) MUST_USE;

/* Takes an exclusive lock on the directory itself; it ends when its descriptor is closed (and so
 * with the process). ST_BUSY if another process has it; ST_MISSING if there is no such
 * directory. */
enum status db_lock(const char *dir, int *ret_fd) MUST_USE;

/* Does this failure of a statement mean that the database is damaged? All tables are declared by
 * us, so it also does where SQLite cannot compile a statement. */
bool db_is_broken(sqlite3 *db, enum status st);

enum status db_exec(sqlite3 *db, const char *sql) MUST_USE;
enum status db_execf(sqlite3 *db, const char *fmt, ...) PRINTF_LIKE(2, 3) MUST_USE;

/* A statement that is finalized at the end of its block: LOCAL_STMT *st = NULL; The block must end
 * before the database is closed. */
#define LOCAL_STMT __attribute__((cleanup(db_stmt_drop))) sqlite3_stmt
void db_stmt_drop(sqlite3_stmt **st);

/* A database that is closed where its block ends: LOCAL_DB *db = NULL; *ret = db_take(&db) gives it
 * away. */
#define LOCAL_DB __attribute__((cleanup(db_drop))) sqlite3
void db_drop(sqlite3 **db);
sqlite3 *db_take(sqlite3 **db);

enum status db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret) MUST_USE;

/* Gets the one integer that a query selects (0 for no row or NULL). */
enum status db_int(sqlite3 *db, const char *sql, int64_t *ret) MUST_USE;

/* Runs a statement that returns no rows, and resets it. */
enum status db_run(sqlite3 *db, sqlite3_stmt *st) MUST_USE;

/* Steps to the next row: true while there is one. *status is set at the end. */
bool db_row(sqlite3 *db, sqlite3_stmt *st, enum status *status);

/* Binds a string, which is lent until the statement is run. */
void db_bind_str(sqlite3_stmt *st, int at, struct str s);

/* Returns a column as text or blob, lent until the next row. */
struct str db_str(sqlite3_stmt *st, int column);
