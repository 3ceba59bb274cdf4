/* db.c - SQLite in our style. See db.h. SPDX-License-Identifier: MIT */
#include "store/db.h"

#include "base/os/dir.h"
#include "base/mem.h"
#include "store/db_guard.h"
#include "store/links.h"
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

static const char *file_of(sqlite3 *db)
{
    const char *path = sqlite3_db_filename(db, NULL);
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : "crawl.db";
}

static enum status db_fail(sqlite3 *db, const char *doing)
{
    int rc = sqlite3_errcode(db) & 0xff;

    if (rc == SQLITE_INTERRUPT && db_guard_spent())
        return status_fail(ST_CORRUPT, "crawl.db is damaged: reading it takes far more steps than "
                                       "a file of its size can need");
    enum status st = rc == SQLITE_BUSY || rc == SQLITE_LOCKED      ? ST_BUSY
                     : rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB ? ST_CORRUPT
                     : rc == SQLITE_INTERRUPT                      ? ST_STOPPED
                                                                   : ST_IO;

    return status_fail(st, "%s: %s (%s)", file_of(db), sqlite3_errmsg(db), doing);
}

/* SQLite need not count its memory under a lock, because we never ask for the figure. */
static void configure(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Every file that SQLite opens has to be in the directory. A new database is made
 * here, readable for its user only; SQLite gives its other files the same mode. */
static enum status check_files(int dir, const char *name, int flags)
{
    static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
    bool write = !(flags & SQLITE_OPEN_READONLY);
    char each[64];
    int fd = -1;
    enum status st;

    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        (void)snprintf(each, sizeof each, "%s%s", name, ends[i]);
        st = dir_check(dir, str_of(each), write);
        if (i == 0 && st == ST_MISSING && (flags & SQLITE_OPEN_CREATE)) {
            st = dir_file(dir, str_of(each), O_RDWR | O_CREAT | O_EXCL, &fd);
            if (st == ST_OK)
                (void)close(fd);
        }
        if (st != ST_OK && (st != ST_MISSING || i == 0))
            return st;
    }
    return ST_OK;
}

/* The path of DIR/NAME without links: the user may have named the directory by
 * a link, but SQLite must not follow any. */
static enum status find_database(const char *dir, const char *name, int flags, char ret[PATH_MAX])
{
    char real[PATH_MAX];
    int fd = -1;
    enum status st = dir_open(dir, &fd);

    if (st == ST_MISSING)
        return status_fail(ST_MISSING, "%s is not a crawl: there is no such directory", dir);
    if (st == ST_OK) {
        st = check_files(fd, name, flags);
        (void)close(fd);
    } else if (st == ST_INVALID) {
        st = ST_MISSING;
    }
    if (st == ST_MISSING)
        return status_fail(ST_MISSING, "%s is not a crawl: it has no %s", dir, name);
    if (st == ST_INVALID)
        return status_fail(ST_INVALID, "%s is refused: %s", dir, status_text());
    if (st == ST_OK &&
        (!realpath(dir, real) || snprintf(ret, PATH_MAX, "%s/%s", real, name) >= PATH_MAX))
        return status_fail(ST_USAGE, "the name of the directory is too long");
    return st;
}

enum status db_open_file(const char *dir, const char *name, int flags, sqlite3 **ret)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char path[PATH_MAX];
    LOCAL_DB *db = NULL;

    (void)pthread_once(&once, configure);
    TRY(find_database(dir, name, flags, path));
    if (!(flags & SQLITE_OPEN_FULLMUTEX))
        flags |= SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_NOFOLLOW, NULL) != SQLITE_OK)
        return status_fail(ST_IO, "%s: %s", path, db ? sqlite3_errmsg(db) : "no memory");
    (void)sqlite3_busy_timeout(db, BUSY_MS);
    db_guard(db);
    *ret = db_take(&db);
    return ST_OK;
}

enum status db_open(const char *dir, int flags, sqlite3 **ret)
{
    return db_open_file(dir, "crawl.db", flags, ret);
}

bool db_needs_writing(int rc)
{
    return (rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY;
}

#define URI_MAX 8192

/* In a directory in which we may not write there is no place for the shared memory of WAL. */
static void put_immutable(const char *path, char uri[URI_MAX])
{
    size_t n = (size_t)snprintf(uri, URI_MAX, "file:");

    for (const char *c = path; *c && n + 40 < URI_MAX; c++) {
        if (*c == '%' || *c == '?' || *c == '#')
            n += (size_t)snprintf(uri + n, URI_MAX - n, "%%%02x", (unsigned char)*c);
        else
            uri[n++] = *c;
    }
    (void)snprintf(uri + n, URI_MAX - n, "?immutable=1");
}

static enum status open_immutable(const char *dir, sqlite3 **ret)
{
    char uri[URI_MAX], path[PATH_MAX];

    TRY(find_database(dir, "crawl.db", SQLITE_OPEN_READONLY, path));
    put_immutable(path, uri);
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
    LOCAL_DB *db = NULL;

    TRY(db_open(dir, SQLITE_OPEN_READONLY, &db));
    if (db_needs_writing(sqlite3_exec(
            db, "PRAGMA cell_size_check = ON; SELECT 1 FROM sqlite_schema", NULL, NULL, NULL))) {
        db_drop(&db);
        if (open_immutable(dir, &db) != ST_OK)
            return status_fail(ST_IO, "%s/crawl.db cannot be opened", dir);
        db_guard(db);
    }
    TRY(schema_check(db, dir));
    TRY(schema_read_older(db));
    TRY(links_join(db));
    *ret = db_take(&db);
    return ST_OK;
}

static enum status attach_path(sqlite3 *db, const char *path, const char *name)
{
    LOCAL_STMT *st = NULL;
    char sql[64];
    enum status status;

    (void)snprintf(sql, sizeof sql, "ATTACH ?1 AS %s", name);
    (void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 1);
    status = db_prepare(db, sql, &st);
    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(path));
        status = db_run(db, st);
    }
    (void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    return status;
}

enum status db_attach(sqlite3 *db, const char *dir, const char *file, const char *name)
{
    const char *main_path = sqlite3_db_filename(db, NULL);
    char path[PATH_MAX], uri[URI_MAX];

    TRY(find_database(dir, file, SQLITE_OPEN_READONLY, path));
    if (main_path && sqlite3_uri_boolean(main_path, "immutable", 0)) {
        put_immutable(path, uri);
        return attach_path(db, uri, name);
    }
    return attach_path(db, path, name);
}

/* With FULL, a commit that was reported survives a power cut. There is one commit a second. */
enum status db_pragmas(sqlite3 *db)
{
    return db_exec(db, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;"
                       "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;"
                       "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY;"
                       "PRAGMA cell_size_check = ON");
}

enum status db_open_writer(const char *dir, sqlite3 **ret)
{
    LOCAL_DB *db = NULL;

    TRY(db_open(dir, SQLITE_OPEN_READWRITE, &db));
    TRY(schema_check(db, dir));
    TRY(db_pragmas(db));
    TRY(schema_migrate(db));
    TRY(links_join(db));
    *ret = db_take(&db);
    return ST_OK;
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

bool db_is_broken(sqlite3 *db, enum status st)
{
    return st == ST_CORRUPT || (st == ST_IO && db && sqlite3_errcode(db) == SQLITE_ERROR);
}

enum status db_exec(sqlite3 *db, const char *sql)
{
    db_guard_refill();
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

void db_drop(sqlite3 **db)
{
    (void)sqlite3_close(*db);
    *db = NULL;
}

sqlite3 *db_take(sqlite3 **db)
{
    sqlite3 *taken = *db;

    *db = NULL;
    return taken;
}

void db_stmt_drop(sqlite3_stmt **st)
{
    (void)sqlite3_finalize(*st);
}

enum status db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret)
{
    db_guard_refill();
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL) != SQLITE_OK)
        return db_fail(db, sql);
    return ST_OK;
}

enum status db_int(sqlite3 *db, const char *sql, int64_t *ret)
{
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(db, sql, &st);

    if (status != ST_OK)
        return status;
    *ret = db_row(db, st, &status) ? sqlite3_column_int64(st, 0) : 0;
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
