/* db.c - SQLite with our manners. See db.h. SPDX-License-Identifier: MIT */
#include "store/db.h"

#include "base/dir.h"
#include "base/mem.h"
#include "store/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#define BUSY_MS 10000 /* how long to wait for another process's short write */

static enum status db_fail(sqlite3 *db, const char *doing)
{
    int rc = sqlite3_errcode(db) & 0xff;
    enum status st = rc == SQLITE_BUSY || rc == SQLITE_LOCKED      ? ST_BUSY
                     : rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB ? ST_CORRUPT
                     : rc == SQLITE_INTERRUPT                      ? ST_STOPPED
                                                                   : ST_IO;

    return status_fail(st, "crawl.db: %s (%s)", sqlite3_errmsg(db), doing);
}

/* SQLite need not count its memory under a lock: nobody asks. */
static void configure(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Whatever SQLite will open has to lie in the directory. A new database is made
 * here, so that only its user may read it; SQLite gives its own files its mode. */
static enum status check_files(int dir, int flags)
{
    static const char *const names[] = {"crawl.db", "crawl.db-journal", "crawl.db-wal",
                                        "crawl.db-shm"};
    bool write = !(flags & SQLITE_OPEN_READONLY);
    int fd = -1;
    enum status st;

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        st = dir_check(dir, str_of(names[i]), write);
        if (i == 0 && st == ST_MISSING && (flags & SQLITE_OPEN_CREATE)) {
            st = dir_file(dir, str_of(names[i]), O_RDWR | O_CREAT | O_EXCL, &fd);
            if (st == ST_OK)
                (void)close(fd);
        }
        if (st != ST_OK && (st != ST_MISSING || i == 0))
            return st;
    }
    return ST_OK;
}

/* The path of DIR/crawl.db without links: the user may have named the directory
 * by one, and SQLite shall follow none. */
static enum status find_database(const char *dir, int flags, char ret[PATH_MAX])
{
    char real[PATH_MAX];
    int fd = -1;
    enum status st = dir_open(dir, &fd);

    if (st == ST_OK) {
        st = check_files(fd, flags);
        (void)close(fd);
    } else if (st == ST_INVALID) {
        st = ST_MISSING;
    }
    if (st == ST_MISSING)
        return status_fail(ST_MISSING, "%s is not a crawl: it has no crawl.db", dir);
    if (st == ST_INVALID)
        return status_fail(ST_INVALID, "%s is not a crawl: %s", dir, status_text());
    if (st == ST_OK &&
        (!realpath(dir, real) || snprintf(ret, PATH_MAX, "%s/crawl.db", real) >= PATH_MAX))
        return status_fail(ST_USAGE, "the name of the directory is too long");
    return st;
}

enum status db_open(const char *dir, int flags, sqlite3 **ret)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char path[PATH_MAX];
    sqlite3 *db = NULL;
    enum status found = find_database(dir, flags, path);

    (void)pthread_once(&once, configure);
    if (found != ST_OK)
        return found;
    if (sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL) !=
        SQLITE_OK) {
        enum status st = status_fail(ST_IO, "%s: %s", path, db ? sqlite3_errmsg(db) : "no memory");

        (void)sqlite3_close(db);
        return st;
    }
    (void)sqlite3_busy_timeout(db, BUSY_MS);
    *ret = db;
    return ST_OK;
}

/* On read-only media there is no place for the shared memory of WAL; nobody
 * can be writing there either. */
static enum status open_immutable(const char *dir, sqlite3 **ret)
{
    char uri[8192], path[PATH_MAX];
    size_t n = (size_t)snprintf(uri, sizeof uri, "file:");
    enum status st = find_database(dir, SQLITE_OPEN_READONLY, path);

    if (st != ST_OK)
        return st;
    for (const char *c = path; *c && n + 40 < sizeof uri; c++) {
        if (*c == '%' || *c == '?' || *c == '#')
            n += (size_t)snprintf(uri + n, sizeof uri - n, "%%%02x", (unsigned char)*c);
        else
            uri[n++] = *c;
    }
    (void)snprintf(uri + n, sizeof uri - n, "?immutable=1");
    if (sqlite3_open_v2(uri, ret,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
                            SQLITE_OPEN_NOFOLLOW,
                        NULL) == SQLITE_OK)
        return ST_OK;
    (void)sqlite3_close(*ret);
    *ret = NULL;
    return ST_IO;
}

enum status db_open_reader(const char *dir, sqlite3 **ret)
{
    sqlite3 *db = NULL;
    enum status st = db_open(dir, SQLITE_OPEN_READONLY, &db);

    if (st != ST_OK)
        return st;
    if (sqlite3_exec(db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_CANTOPEN) {
        (void)sqlite3_close(db);
        if (open_immutable(dir, &db) != ST_OK)
            return status_fail(ST_IO, "%s/crawl.db cannot be opened", dir);
    }
    st = schema_check(db, dir);
    if (st == ST_OK)
        st = db_exec(db, "PRAGMA mmap_size = 1073741824");
    if (st == ST_OK)
        *ret = db;
    else
        (void)sqlite3_close(db);
    return st;
}

/* FULL: a commit that was reported survives a power cut. There is one a second. */
enum status db_pragmas(sqlite3 *db)
{
    return db_exec(db, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;"
                       "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;"
                       "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY");
}

enum status db_open_writer(const char *dir, sqlite3 **ret)
{
    sqlite3 *db = NULL;
    enum status st = db_open(dir, SQLITE_OPEN_READWRITE, &db);

    if (st != ST_OK)
        return st;
    st = schema_check(db, dir);
    if (st == ST_OK)
        st = db_pragmas(db);
    if (st == ST_OK)
        st = schema_migrate(db);
    if (st == ST_OK)
        *ret = db;
    else
        (void)sqlite3_close(db);
    return st;
}

enum status db_lock(const char *dir, int *ret_fd)
{
    int fd = -1;
    enum status st = dir_open(dir, &fd);

    if (st == ST_INVALID)
        return status_fail(ST_CORRUPT, "%s is not a crawl: it is not a directory", dir);
    if (st != ST_OK)
        return st;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        int error = errno;

        (void)close(fd);
        if (error == EWOULDBLOCK)
            return status_fail(ST_BUSY, "%s is in use by another brood", dir);
        return status_fail(ST_IO, "%s cannot be locked: %s", dir, strerror(error));
    }
    *ret_fd = fd;
    return ST_OK;
}

enum status db_exec(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? ST_OK : db_fail(db, sql);
}

enum status db_execf(sqlite3 *db, const char *fmt, ...)
{
    char sql[1024];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(sql, sizeof sql, fmt, args);
    va_end(args);
    return db_exec(db, sql);
}

enum status db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret)
{
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL) != SQLITE_OK)
        return db_fail(db, sql);
    return ST_OK;
}

enum status db_int(sqlite3 *db, const char *sql, int64_t *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(db, sql, &st);

    if (status != ST_OK)
        return status;
    *ret = db_row(db, st, &status) ? sqlite3_column_int64(st, 0) : 0;
    (void)sqlite3_finalize(st);
    return status;
}

enum status db_run(sqlite3 *db, sqlite3_stmt *st)
{
    int rc = sqlite3_step(st);
    enum status status = rc == SQLITE_DONE || rc == SQLITE_ROW ? ST_OK : db_fail(db, "writing");

    (void)sqlite3_reset(st);
    return status;
}

bool db_row(sqlite3 *db, sqlite3_stmt *st, enum status *status)
{
    int rc = sqlite3_step(st);

    *status = ST_OK;
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE)
        *status = db_fail(db, "reading");
    return false;
}

void db_bind_str(sqlite3_stmt *st, int at, struct str s)
{
    (void)sqlite3_bind_text64(st, at, s.len ? s.ptr : "", s.len, SQLITE_STATIC, SQLITE_UTF8);
}

struct str db_str(sqlite3_stmt *st, int column)
{
    const void *text = sqlite3_column_blob(st, column);

    return (struct str){text ? text : "", (size_t)sqlite3_column_bytes(st, column)};
}
