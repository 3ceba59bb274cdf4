/* schema_known.c - is everything that a crawl.db declares ours?
 *
 * A trigger, a view, a generated column or an index on an expression runs what
 * its author wrote. So the declarations of a file are compared, word for word,
 * with those that schema.c makes in an empty database of the same SQLite. A file
 * may lack some of ours (a table that came later, an index that is made at the
 * end), but it may have no other.
 *
 * Version 1 is version 2 without the references: those are passed over.
 * SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "store/db.h"
#include "store/schema.h"

#include <pthread.h>
#include <stdlib.h>

static const char ask[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema";

/* PRAGMA optimize makes them; whether the second depends on SQLite's build. */
static const char *const statistics[] = {
    "table sqlite_stat1 sqlite_stat1 CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "table sqlite_stat4 sqlite_stat4 CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
};

static char *known[LIMIT_DB_SCHEMA];
static size_t nknown;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Appends `sql` without " REFERENCES table(id)". */
static void add_bare(struct buf *out, struct str sql)
{
    const struct str mark = STR(" REFERENCES ");

    for (size_t at; (at = str_find(sql, mark, 0)) != SIZE_MAX;) {
        size_t end = at + mark.len;

        while (end < sql.len && (ascii_is_alpha(sql.ptr[end]) || sql.ptr[end] == '_'))
            end++;
        if (!str_starts(str_sub(sql, end, sql.len), STR("(id)")))
            break;
        buf_add_str(out, str_sub(sql, 0, at));
        sql = str_sub(sql, end + strlen("(id)"), sql.len);
    }
    buf_add_str(out, sql);
}

/* A declaration as one line. */
static enum status put_line(sqlite3_stmt *row, struct buf *out)
{
    buf_clear(out);
    for (int i = 0; i < 3; i++) {
        buf_add_str(out, db_str(row, i));
        buf_add_char(out, ' ');
    }
    add_bare(out, db_str(row, 3));
    return buf_check(out);
}

static enum status learn_rows(sqlite3 *db)
{
    struct buf line = BUF_INIT(KIB(8));
    sqlite3_stmt *row = NULL;
    enum status st = db_prepare(db, ask, &row);

    while (st == ST_OK && nknown < LIMIT_DB_SCHEMA && db_row(db, row, &st)) {
        st = put_line(row, &line);
        known[nknown++] = str_dup(buf_str(&line));
    }
    (void)sqlite3_finalize(row);
    buf_free(&line);
    return st;
}

/* Made once in a process. Without memory for it every file is refused. */
static void learn(void)
{
    sqlite3 *db = NULL;
    enum status st = sqlite3_open(":memory:", &db) == SQLITE_OK ? schema_create(db) : ST_IO;

    if (st == ST_OK)
        st = schema_index(db);
    if (st == ST_OK)
        st = schema_index_links(db);
    if (st == ST_OK)
        (void)!learn_rows(db);
    (void)sqlite3_close(db);
}

static bool is_known(struct str line)
{
    for (size_t i = 0; i < nknown; i++)
        if (str_eq(line, str_of(known[i])))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(statistics); i++)
        if (str_eq(line, str_of(statistics[i])))
            return true;
    return false;
}

bool schema_has(struct sqlite3 *db, const char *name)
{
    struct buf line = BUF_INIT(KIB(8));
    sqlite3_stmt *row = NULL;
    enum status st;
    bool has = false;

    (void)pthread_once(&once, learn);
    st = db_prepare(db, ask, &row);
    while (st == ST_OK && !has && db_row(db, row, &st))
        has = str_eq(db_str(row, 1), str_of(name)) && put_line(row, &line) == ST_OK &&
              is_known(buf_str(&line));
    (void)sqlite3_finalize(row);
    buf_free(&line);
    return has;
}

enum status schema_known(struct sqlite3 *db, const char *dir)
{
    struct buf line = BUF_INIT(KIB(8));
    sqlite3_stmt *row = NULL;
    enum status st;

    (void)pthread_once(&once, learn);
    st = db_prepare(db, ask, &row);
    while (st == ST_OK && db_row(db, row, &st))
        if (put_line(row, &line) != ST_OK || !is_known(buf_str(&line)))
            st = status_fail(ST_INVALID,
                             "%s is refused: its crawl.db has the %.*s '%.*s', which brood did "
                             "not make",
                             dir, STR_ARG(db_str(row, 0)), STR_ARG(db_str(row, 1)));
    (void)sqlite3_finalize(row);
    buf_free(&line);
    return st;
}
