/* unbegun.c - what a process leaves that is killed before its first commit.
 * SPDX-License-Identifier: MIT */
#include "store/write/unbegun.h"

#include "base/os/dir.h"
#include "base/mem.h"
#include "store/archive.h"
#include "store/db.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Any row here means that something was committed; in the first two, that somebody may want it. */
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
    sqlite3 *db = NULL;
    bool empty = db_open(dir, SQLITE_OPEN_READWRITE, &db) == ST_OK && is_empty(db, ntables);

    (void)sqlite3_close(db);
    return empty;
}

bool unbegun_is(const char *dir)
{
    return has_nothing(dir, ARRAY_LEN(tables));
}

/* A crawl.db of ours in which no page was ever stored and nothing marked, though places to
 * start and failures may be. */
static bool barren_is(const char *dir)
{
    return has_nothing(dir, WANTED);
}

/* Records may have been written before the commit that failed. */
static void sweep_records(const char *dir)
{
    sqlite3 *db = NULL;
    uint32_t removed;

    if (db_open(dir, SQLITE_OPEN_READWRITE, &db) == ST_OK) {
        (void)!db_exec(db, "DELETE FROM warc");  /* no file is known now: all are swept */
        (void)!archive_sweep(dir, db, &removed); /* without tables there is none */
    }
    (void)sqlite3_close(db);
}

/* crawl.db goes last: as long as it is there, a process that was killed in here, too, left a
 * directory that this function clears. */
enum status unbegun_clear(const char *dir, bool barren)
{
    static const char *const names[] = {"control",      "index.db-journal", "index.db-wal",
                                        "index.db-shm", "index.db",         "crawl.db-journal",
                                        "crawl.db-wal", "crawl.db-shm",     "crawl.db"};
    int fd = -1;
    enum status st;

    if (!(barren ? barren_is : unbegun_is)(dir))
        return ST_OK;
    sweep_records(dir);
    st = dir_open(dir, &fd);
    if (fd >= 0)
        (void)unlinkat(fd, "warc", AT_REMOVEDIR); /* where it is empty now */
    for (size_t i = 0; i < ARRAY_LEN(names) && st == ST_OK; i++) {
        st = dir_remove(fd, str_of(names[i]));
        st = st == ST_MISSING ? ST_OK : st;
    }
    if (fd >= 0)
        (void)close(fd);
    return st;
}
