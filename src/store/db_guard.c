/* db_guard.c - opening SQLite files that may come from somebody else. See db_guard.h.
 *
 * Source: "Defense Against The Dark Arts", sqlite.org/security.html.
 * SPDX-License-Identifier: MIT */
#include "store/db_guard.h"

#include "base/limits.h"
#include "base/mem.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>

#define STEPS_AT_ONCE 10000 /* between two calls of the progress handler */

static _Thread_local uint64_t steps; /* of the query that runs in this thread */
static _Thread_local bool spent;

static const struct {
    int what, most;
} limits[] = {
    {SQLITE_LIMIT_SQL_LENGTH, 1000000}, {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 100},     {SQLITE_LIMIT_COMPOUND_SELECT, 50},
    {SQLITE_LIMIT_VDBE_OP, 250000},     {SQLITE_LIMIT_FUNCTION_ARG, 32},
    {SQLITE_LIMIT_ATTACHED, 0},         {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LIMIT_URL * 2},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
};

static const struct {
    int what, to;
} settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_ENABLE_FKEY, 0},
    {SQLITE_DBCONFIG_DQS_DML, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},
    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
};

/* Bytes of the database and its log on the disk: fewer than their length where a
 * file has holes. */
static uint64_t size_of(sqlite3 *db)
{
    const char *path = sqlite3_db_filename(db, NULL);
    char log[4096];
    struct stat info;
    uint64_t bytes = 0;

    if (path && stat(path, &info) == 0)
        bytes += (uint64_t)info.st_blocks * 512;
    if (path && snprintf(log, sizeof log, "%s-wal", path) < (int)sizeof log &&
        stat(log, &info) == 0)
        bytes += (uint64_t)info.st_blocks * 512;
    return bytes;
}

/* The file may grow while it is read. */
static int count_steps(void *ctx)
{
    steps += STEPS_AT_ONCE;
    spent =
        steps > LIMIT_DB_STEPS && (steps - LIMIT_DB_STEPS) / LIMIT_DB_STEPS_A_BYTE > size_of(ctx);
    return spent;
}

/* Replaces SQLite's own count(*), which walks a whole tree in one step, so that no limit stops
 * it. */
static void count_row(sqlite3_context *ctx, int n, sqlite3_value **values)
{
    int64_t *rows = sqlite3_aggregate_context(ctx, sizeof *rows);

    (void)n;
    (void)values;
    if (rows)
        ++*rows;
}

static void count_end(sqlite3_context *ctx)
{
    const int64_t *rows = sqlite3_aggregate_context(ctx, 0);

    sqlite3_result_int64(ctx, rows ? *rows : 0);
}

void db_guard_refill(void)
{
    steps = 0;
    spent = false;
}

bool db_guard_spent(void)
{
    return spent;
}

void db_guard(sqlite3 *db)
{
    uint64_t value = size_of(db) + LIMIT_DB_VALUE;

    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        (void)sqlite3_db_config(db, settings[i].what, settings[i].to, NULL);
    for (size_t i = 0; i < ARRAY_LEN(limits); i++)
        (void)sqlite3_limit(db, limits[i].what, limits[i].most);
    (void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, value < 1000000000 ? (int)value : 1000000000);
    (void)sqlite3_create_function(db, "count", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, NULL, NULL,
                                  count_row, count_end);
    sqlite3_progress_handler(db, STEPS_AT_ONCE, count_steps, db);
    db_guard_refill();
}

void db_guard_widen(sqlite3 *db)
{
    (void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1000000000);
}

enum status db_guard_id(sqlite3 *db, int64_t id)
{
    if (id >= 0 && ((uint64_t)id <= LIMIT_DB_IDS || (uint64_t)id <= size_of(db) / 16))
        return ST_OK;
    return status_fail(ST_CORRUPT, "crawl.db is damaged: row number %lld is too large for its size",
                       (long long)id);
}
