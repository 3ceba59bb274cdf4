/* unbegun.c - what a process leaves behind when it is killed before its first commit.
 * SPDX-License-Identifier: MIT */
#include "store/write/unbegun.h"

#include "base/os/dir.h"
#include "base/mem.h"
#include "store/archive.h"
#include "store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Any row here means that something was committed; in the first two tables, that a user may want
 * it. */
static const char *const tables[] = {"page_row", "label", "state", "url_row"};
#define WANTED 2

static bool is_empty(sqlite3 *db, size_t ntables)
{
    int64_t n = 0;
    char sql[64];

    if (db_int(db, "SELECT count(*) FROM sqlite_schema", &n) != ST_OK)
        return false;
    if (n == 0)
        return true;
    for (size_t i = 0; i < ntables; i++) {
        (void)snprintf(sql, sizeof sql, "SELECT EXISTS (SELECT 1 FROM %s)", tables[i]);
        if (db_int(db, sql, &n) != ST_OK || n != 0)
            return false; /* no table of ours, or not empty */
    }
    return true;
}

static bool has_nothing(const char *dir, size_t ntables)
{
    LOCAL_DB *db = NULL;

    return db_open(dir, SQLITE_OPEN_READWRITE, &db) == ST_OK && is_empty(db, ntables);
}

bool unbegun_is(const char *dir)
{
    return has_nothing(dir, ARRAY_LEN(tables));
}

bool barren_is(const char *dir)
{
    return has_nothing(dir, WANTED);
}

static const char *const names[] = {"control",      "index.db-journal", "index.db-wal",
                                    "index.db-shm", "index.db",         "crawl.db-journal",
                                    "crawl.db-wal", "crawl.db-shm",     "crawl.db"};

static bool is_ours(struct str name)
{
    bool ours = str_eq(name, STR(".")) || str_eq(name, STR("..")) || str_eq(name, STR("warc")) ||
                str_eq(name, STR("crawl.log"));

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        ours = ours || str_eq(name, str_of(names[i]));
    return ours;
}

/* If the directory has other files, it could not be used after crawl.db is removed. */
static enum status must_be_ours(const char *dir, int fd)
{
    DIR *list = dir_list(fd);
    enum status st = list ? ST_OK : status_fail(ST_IO, "%s cannot be read", dir);
    struct dirent *entry;

    while (st == ST_OK && (entry = readdir(list)) != NULL)
        if (!is_ours(str_of(entry->d_name)))
            st = status_fail(ST_EXISTS,
                             "%s has a file that is not brood's: %s. Move it away, or give another "
                             "name with --out",
                             dir, entry->d_name);
    if (list)
        (void)closedir(list);
    return st;
}

/* Records may have been written before the commit that failed. */
static enum status sweep_records(const char *dir)
{
    LOCAL_DB *db = NULL;
    uint32_t removed;
    int64_t made = 0;

    TRY(db_open(dir, SQLITE_OPEN_READWRITE, &db));
    TRY(db_int(db, "SELECT count(*) FROM sqlite_schema", &made));
    if (made == 0) /* without tables there are no records */
        return ST_OK;
    TRY(db_exec(db, "DELETE FROM warc")); /* no file is known now: all are swept */
    return archive_sweep(dir, db, &removed);
}

static enum status remove_archive(const char *dir, int fd)
{
    if (unlinkat(fd, "warc", AT_REMOVEDIR) == 0 || errno == ENOENT)
        return ST_OK;
    return status_fail(ST_EXISTS, "%s/warc cannot be removed: %s", dir, strerror(errno));
}

/* crawl.db is removed last, and only if all before it went well. As long as it is there, this
 * function can clear the directory, even if an earlier process was killed in the middle of it. */
enum status unbegun_clear(const char *dir, bool barren)
{
    LOCAL_FD fd = -1;

    if (!(barren ? barren_is : unbegun_is)(dir))
        return ST_OK;
    TRY(dir_open(dir, &fd));
    TRY(must_be_ours(dir, fd));
    TRY(sweep_records(dir));
    TRY(remove_archive(dir, fd));
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        enum status st = dir_remove(fd, str_of(names[i]));

        if (st != ST_OK && st != ST_MISSING)
            return st;
    }
    return ST_OK;
}
