/* db.h - SQLite in our style: statuses instead of codes, bound strings,
 * one sentence per error. Inside store/ only. */
#pragma once

#include "base/status.h"
#include "base/buf.h"

#include <sqlite3.h>

/* Opens DIR/NAME, guarded (db_guard.h). It and SQLite's files beside it have to be
 * regular files of the directory; a new one is only its user's. `flags` are
 * sqlite3_open_v2's. ST_MISSING, ST_INVALID (links, pipes …), ST_IO. */
enum status db_open_file(const char *dir, const char *name, int flags, sqlite3 **ret) MUST_USE;

/* The same for DIR/crawl.db. */
enum status db_open(const char *dir, int flags, sqlite3 **ret) MUST_USE;

/* For readers: read-only, waits for no writer, and works on read-only media.
 * Checks that it is a crawl of ours. */
enum status db_open_reader(const char *dir, sqlite3 **ret) MUST_USE;

/* Gives a reader another file of the directory beside crawl.db, by that name of a database.
 * ST_MISSING, ST_INVALID, ST_CORRUPT (no database), ST_IO. */
enum status db_attach(sqlite3 *db, const char *dir, const char *file, const char *name) MUST_USE;

/* Does a code of SQLite say that it could not make its files beside the database? */
bool db_needs_writing(int rc);

/* For commands that change the directory: opens for writing, with WAL, and checks that it is
 * a crawl. */
enum status db_open_writer(const char *dir, sqlite3 **ret) MUST_USE;

/* How a writing connection is set. The page size counts for new files only. */
enum status db_pragmas(sqlite3 *db) MUST_USE;

/* An exclusive lock on the directory itself, gone with its descriptor (and so
 * with its process). ST_BUSY: another process has it; ST_MISSING: no directory. */
enum status db_lock(const char *dir, int *ret_fd) MUST_USE;

/* Is this failure of a statement damage? Declarations are ours, so it is damage too where SQLite
 * makes no sense of a statement. */
bool db_is_broken(sqlite3 *db, enum status st);

enum status db_exec(sqlite3 *db, const char *sql) MUST_USE;
enum status db_execf(sqlite3 *db, const char *fmt, ...) PRINTF_LIKE(2, 3) MUST_USE;

/* A statement that is finalized where its block ends: LOCAL_STMT *st = NULL; Its block ends before
 * the database is closed. */
#define LOCAL_STMT __attribute__((cleanup(db_stmt_drop))) sqlite3_stmt
void db_stmt_drop(sqlite3_stmt **st);

/* A database that is closed where its block ends: LOCAL_DB *db = NULL; *ret = db_take(&db) gives it
 * away. */
#define LOCAL_DB __attribute__((cleanup(db_drop))) sqlite3
void db_drop(sqlite3 **db);
sqlite3 *db_take(sqlite3 **db);

enum status db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret) MUST_USE;

/* The one integer a query gives (0 for no row or NULL). */
enum status db_int(sqlite3 *db, const char *sql, int64_t *ret) MUST_USE;

/* Runs a statement that gives no rows and resets it. */
enum status db_run(sqlite3 *db, sqlite3_stmt *st) MUST_USE;

/* One row further: true while there is one. *status is set at the end. */
bool db_row(sqlite3 *db, sqlite3_stmt *st, enum status *status);

/* Binding: lent until the statement is run. */
void db_bind_str(sqlite3_stmt *st, int at, struct str s);

/* A column as text or blob: lent until the next row. */
struct str db_str(sqlite3_stmt *st, int column);
