/* full_text.c - joining index.db, and marking what was found. See full_text.h.
 *
 * page_text keeps no copy of the texts, so FTS5's highlight() has nothing to mark. Our
 * function marked(page_text, text, open, close) is given the text: it puts the marks around the
 * words of the column `text` that were searched for, as highlight() does.
 * SPDX-License-Identifier: MIT */
#include "store/full_text.h"

#include "base/buf.h"
#include "base/limits.h"
#include "store/db.h"
#include "store/schema.h"
#include "store/tokens.h"

#include <string.h>

#define COLUMN_TEXT 1

/* ---- marks ---------------------------------------------------------------- */

struct marking {
    const Fts5ExtensionApi *api;
    Fts5Context *fts;
    struct str text, open, close;
    struct buf out;
    int instances, next; /* of phrases that were found; the next to look at */
    int from, to;        /* words to be marked; from < 0: none is left */
    int word;            /* that comes next */
    size_t copied;       /* bytes of the text */
};

/* The next run of words; phrases that overlap are one. */
static int next_run(struct marking *m)
{
    m->from = -1;
    for (; m->next < m->instances; m->next++) {
        int phrase, column, at, last;
        int rc = m->api->xInst(m->fts, m->next, &phrase, &column, &at);

        if (rc != SQLITE_OK)
            return rc;
        last = at + m->api->xPhraseSize(m->fts, phrase) - 1;
        if (column != COLUMN_TEXT)
            continue;
        if (m->from >= 0 && at > m->to)
            break;
        if (m->from < 0) {
            m->from = at;
            m->to = last;
        } else if (last > m->to) {
            m->to = last;
        }
    }
    return SQLITE_OK;
}

static void copy_to(struct marking *m, size_t at)
{
    buf_add_str(&m->out, str_sub(m->text, m->copied, at));
    m->copied = at;
}

static int on_word(void *ctx, int flags, const char *token, int len, int from, int to)
{
    struct marking *m = ctx;
    int word;

    (void)token, (void)len;
    if (flags & FTS5_TOKEN_COLOCATED)
        return SQLITE_OK;
    word = m->word++;
    if (word == m->from) {
        copy_to(m, (size_t)from);
        buf_add_str(&m->out, m->open);
    }
    if (m->from < 0 || word != m->to)
        return SQLITE_OK;
    copy_to(m, (size_t)to);
    buf_add_str(&m->out, m->close);
    return next_run(m);
}

static struct str value_of(sqlite3_value *v)
{
    const void *text = sqlite3_value_blob(v);

    return (struct str){text ? text : "", (size_t)sqlite3_value_bytes(v)};
}

static void sql_marked(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *sql, int n,
                       sqlite3_value **values)
{
    struct marking m = {.api = api, .fts = fts, .from = -1, .out = BUF_INIT(2 * LIMIT_DB_VALUE)};
    int rc;

    if (n != 3) {
        sqlite3_result_error(sql, "marked(page_text, text, open, close)", -1);
        return;
    }
    m.text = value_of(values[0]);
    m.open = value_of(values[1]);
    m.close = value_of(values[2]);
    rc = api->xInstCount(fts, &m.instances);
    if (rc == SQLITE_OK)
        rc = next_run(&m);
    if (rc == SQLITE_OK)
        rc = api->xTokenize(fts, m.text.ptr, (int)m.text.len, &m, on_word);
    copy_to(&m, m.text.len);
    if (rc != SQLITE_OK)
        sqlite3_result_error_code(sql, rc);
    else if (buf_check(&m.out) != ST_OK)
        sqlite3_result_error_toobig(sql);
    else
        sqlite3_result_text64(sql, m.out.len ? m.out.data : "", m.out.len, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
    buf_free(&m.out);
}

/* ---- joining -------------------------------------------------------------- */

static const char *const tables[] = {
    "CREATE TABLE indexed_row(id INTEGER PRIMARY KEY, page INTEGER)",
    "CREATE VIRTUAL TABLE page_text USING fts5(" FULL_TEXT_COLUMNS ")",
    "INSERT INTO indexed_row VALUES(1, 0)",
};

enum status full_text_create(sqlite3 *db)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < sizeof tables / sizeof *tables && st == ST_OK; i++)
        st = db_exec(db, tables[i]);
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
    /* a failure will be that of the statement, too */
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

/* Is index.db there, whole as far as a look tells, and ours? */
static enum status attach(sqlite3 *db, const char *dir, bool *ret)
{
    bool own = false;
    enum status st = db_attach(db, dir, "index.db", "full_text");

    *ret = st == ST_OK;
    if (st == ST_MISSING || st == ST_CORRUPT)
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
    fts5_api *api = NULL;
    enum status st = tokens_join(db);

    if (st == ST_OK)
        st = tokens_api(db, &api);
    if (st == ST_OK && api->xCreateFunction(api, "marked", NULL, sql_marked, NULL) != SQLITE_OK)
        st = status_fail(ST_IO, "no memory");
    if (st == ST_OK)
        st = attach(db, dir, &attached);
    if (st == ST_OK)
        st = has_own(db, "main", &own);
    if (st != ST_OK)
        return st;
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
