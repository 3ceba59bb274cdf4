/* wrap_step.c - SQLite says no. What it says of an error it did not have is made
 * up here too; errors that it really has come from its system calls. What it calls inside
 * itself is left alone.
 * SPDX-License-Identifier: MIT */
#include "inject.h"

#include <dlfcn.h>
#include <sqlite3.h>
#include <stdlib.h>

static const int step_errors[] = {SQLITE_IOERR, SQLITE_FULL, SQLITE_NOMEM, SQLITE_CORRUPT, 0};

static __thread int made_up; /* what this thread's last call failed with; 0: it did not */

#define REAL(name)                 \
    static __typeof__(name) *real; \
                                   \
    if (real == NULL)              \
    real = (__typeof__(real))dlsym(RTLD_NEXT, #name)

#define FAIL(name)                                                               \
    do {                                                                         \
        bool own = inject_within("/libsqlite3.so", __builtin_return_address(0)); \
                                                                                 \
        made_up = own ? 0 : INJECT(KIND_STEP, #name, step_errors);               \
        if (made_up)                                                             \
            return made_up;                                                      \
    } while (0)

int sqlite3_step(sqlite3_stmt *st)
{
    REAL(sqlite3_step);
    FAIL(sqlite3_step);
    return real(st);
}

int sqlite3_prepare_v3(sqlite3 *db, const char *sql, int n, unsigned flags, sqlite3_stmt **ret,
                       const char **tail)
{
    REAL(sqlite3_prepare_v3);
    *ret = NULL;
    FAIL(sqlite3_prepare_v3);
    return real(db, sql, n, flags, ret, tail);
}

int sqlite3_exec(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **), void *ctx,
                 char **ret)
{
    REAL(sqlite3_exec);
    if (ret)
        *ret = NULL;
    FAIL(sqlite3_exec);
    return real(db, sql, row, ctx, ret);
}

int sqlite3_wal_checkpoint_v2(sqlite3 *db, const char *name, int mode, int *log, int *done)
{
    REAL(sqlite3_wal_checkpoint_v2);
    FAIL(sqlite3_wal_checkpoint_v2);
    return real(db, name, mode, log, done);
}

int sqlite3_errcode(sqlite3 *db)
{
    REAL(sqlite3_errcode);
    return made_up ? made_up : real(db);
}

const char *sqlite3_errmsg(sqlite3 *db)
{
    REAL(sqlite3_errmsg);
    return made_up ? sqlite3_errstr(made_up) : real(db);
}
