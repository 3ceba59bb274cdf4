/* query_view.c - a view: opening, moments, limits.
 * SPDX-License-Identifier: MIT */
#include "store/read/query_view_int.h"

#include "base/os/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_BETWEEN_LOOKS 20000 /* of SQLite's machine: well below a millisecond */

/* `shown`: what query_top() would show. `find`: neither hidden nor a duplicate. `via`: the
 * page that named its URL first. */
static const char *const tables[] = {
    "PRAGMA temp_store = MEMORY",
    "CREATE TEMP TABLE seen_host(id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    "CREATE TEMP TABLE seen(id INTEGER PRIMARY KEY, url INTEGER, host INTEGER, at INTEGER,"
    " date INTEGER, relevance REAL, agent INTEGER, depth INTEGER, via INTEGER, find INTEGER,"
    " shown INTEGER)",
    "CREATE TEMP TABLE host_sum(id INTEGER PRIMARY KEY, n INTEGER, relevance REAL)",
    "CREATE TEMP TABLE edge(a INTEGER, b INTEGER, n INTEGER, PRIMARY KEY(a, b)) WITHOUT ROWID",
    "CREATE TEMP TABLE kin(id INTEGER PRIMARY KEY, parent INTEGER)",
    "CREATE TEMP TABLE trip(agent INTEGER, page INTEGER, id INTEGER)",
    "CREATE TEMP TABLE talk(id TEXT PRIMARY KEY, first INTEGER, last INTEGER, n INTEGER)"
    " WITHOUT ROWID",
    "CREATE INDEX temp.seen_by_url ON seen(url)", /* the others are made when rows are there */
};

static enum status exec_all(sqlite3 *db, const char *const *sql, size_t n)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++)
        st = db_exec(db, sql[i]);
    return st;
}

static int is_late(void *ctx)
{
    const struct query_view *v = ctx;

    return v->deadline && clock_now() > v->deadline;
}

enum status query_view_open(const char *dir, struct query_view **ret)
{
    struct query_view *v = MEM_NEW(struct query_view);
    enum status st = query_open(dir, &v->q);

    map_init(&v->waiting.numbers);

    if (st == ST_OK)
        st = exec_all(v->q->db, tables, ARRAY_LEN(tables));
    if (st == ST_OK)
        st = query_words_init(v);
    if (st == ST_OK) {
        sqlite3_progress_handler(v->q->db, STEPS_BETWEEN_LOOKS, is_late, v);
        *ret = v;
    } else {
        query_view_close(v);
    }
    return st;
}

void query_view_close(struct query_view *v)
{
    if (v == NULL)
        return;
    query_words_clear(v);
    query_waiting_clear(v);
    query_close(v->q);
    free(v);
}

struct query *query_view_query(struct query_view *v)
{
    return v->q;
}

const struct query_totals *query_view_totals(const struct query_view *v)
{
    return &v->totals;
}

void query_view_limit(struct query_view *v, int64_t us)
{
    v->deadline = us ? clock_now() + us : 0;
}

enum status query_view_begin(struct query_view *v)
{
    v->moment++;
    return db_exec(v->q->db, "BEGIN");
}

void query_view_end(struct query_view *v)
{
    if (!sqlite3_get_autocommit(v->q->db))
        (void)sqlite3_exec(v->q->db, "COMMIT", NULL, NULL, NULL);
}

enum status query_view_number(struct query_view *v, const char *sql, int64_t parameter,
                              uint64_t *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_kept(v->q, sql, parameter, 0, &st);

    if (status == ST_OK && db_row(v->q->db, st, &status))
        *ret = (uint64_t)sqlite3_column_int64(st, 0);
    query_done(v->q, st);
    return status;
}

static enum status has_index(struct query_view *v, const char *name, bool *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(
        v->q->db, "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = ?", &st);

    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(name));
        *ret = db_row(v->q->db, st, &status);
    }
    (void)sqlite3_finalize(st);
    return status;
}

enum status query_view_is_closed(struct query_view *v, bool *ret)
{
    return has_index(v, "page_by_relevance", ret);
}

enum status query_view_knows_targets(struct query_view *v, bool *ret)
{
    return has_index(v, "link_by_target", ret);
}
