/* facts.c - reading what came of a crawl: SQL over its database, the world's
 * and the server's log; JSON. SPDX-License-Identifier: MIT */
#include "flow.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- facts --------------------------------------------------------------- */

static struct sqlite3 *opened[256];
static size_t nopened;

static void close_facts(void)
{
    while (nopened > 0)
        (void)sqlite3_close(opened[--nopened]);
}

static void exec(struct sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static void read_log(struct sqlite3 *db, const char *path)
{
    struct buf all = BUF_INIT(1 << 30);
    struct str rest, line;
    sqlite3_stmt *add;

    exec(db, "CREATE TEMP TABLE asked(at INTEGER, host TEXT, path TEXT, url TEXT, status INTEGER,"
             " client_port INTEGER, local TEXT, tls INTEGER)");
    test_read(path, &all);
    rest = buf_str(&all);
    exec(db, "BEGIN");
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "INSERT INTO asked SELECT l->>'at', l->>'host', l->>'path',"
                           " iif(l->>'tls', 'https://', 'http://') || (l->>'host') || (l->>'path'),"
                           " l->>'status', l->>'client_port', l->>'local', l->>'tls'"
                           " FROM (SELECT ?1 AS l)",
                           -1, &add, NULL),
        SQLITE_OK);
    while (str_cut(&rest, '\n', &line)) {
        if (line.len == 0)
            continue;
        (void)sqlite3_bind_text(add, 1, line.ptr, (int)line.len, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(add), SQLITE_DONE);
        (void)sqlite3_reset(add);
    }
    (void)sqlite3_finalize(add);
    exec(db, "COMMIT");
    buf_free(&all);
}

struct sqlite3 *facts_open(const char *dir, const char *of_world, struct server *s)
{
    struct sqlite3 *db;

    if (nopened == 0)
        (void)atexit(close_facts);
    assert_true(nopened < sizeof opened / sizeof *opened);
    assert_int_equal(sqlite3_open_v2(text("%s/crawl.db", dir), &db, SQLITE_OPEN_READWRITE, NULL),
                     SQLITE_OK);
    opened[nopened++] = db;
    /* The crawl may still run: a database that is locked for a moment is waited for. */
    (void)sqlite3_busy_timeout(db, 20 * 1000);
    if (access(text("%s/index.db", dir), F_OK) == 0)
        exec(db, text("ATTACH '%s/index.db' AS full_text", dir));
    if (of_world)
        exec(db, text("ATTACH '%s/crawl.db' AS w", of_world));
    if (s) {
        server_stop(s);
        read_log(db, s->log);
    }
    return db;
}

static sqlite3_stmt *first_row(struct sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q;

    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    if (sqlite3_step(q) != SQLITE_ROW)
        fail_msg("%s: no row, %s", sql, sqlite3_errmsg(db));
    return q;
}

int64_t facts_int(struct sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q = first_row(db, sql);
    int64_t value = sqlite3_column_int64(q, 0);

    (void)sqlite3_finalize(q);
    return value;
}

double facts_real(struct sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q = first_row(db, sql);
    double value = sqlite3_column_double(q, 0);

    (void)sqlite3_finalize(q);
    return value;
}

const char *facts_text(struct sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q = first_row(db, sql);
    const char *t = (const char *)sqlite3_column_text(q, 0);
    const char *value = text("%s", t ? t : "");

    (void)sqlite3_finalize(q);
    return value;
}

int64_t facts_shortest(struct sqlite3 *db, const char *from, const char *key)
{
    return facts_int(db, text("SELECT min(gap) FROM (SELECT at - lag(at) OVER"
                              " (PARTITION BY %s ORDER BY at) AS gap FROM %s)",
                              key, from));
}

/* Of several for one URL the last ones belong together: only what came before was lost. */
static const char *last_first(const char *from)
{
    return text("(SELECT at, url, row_number() OVER (PARTITION BY url ORDER BY at DESC) AS n"
                " FROM %s)",
                from);
}

int64_t facts_noted_early(struct sqlite3 *db, const char *starts)
{
    const char *pairs =
        text("%s s JOIN %s a USING (url, n)", last_first(starts), last_first("asked"));

    assert_true(facts_int(db, text("SELECT count(*) FROM %s", pairs)) > 0);
    return facts_int(db, text("SELECT count(*) FROM %s WHERE a.at < s.at", pairs));
}

static void close_last(struct sqlite3 *db)
{
    (void)sqlite3_close(db);
    nopened--;
}

int64_t crawl_int(const char *dir, const char *sql)
{
    struct sqlite3 *db = facts_open(dir, NULL, NULL);
    int64_t value = facts_int(db, sql);

    close_last(db);
    return value;
}

int64_t crawl_int_yet(const char *dir, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    int64_t value = 0;
    struct stat info;

    if (stat(text("%s/crawl.db", dir), &info) == 0 && info.st_size > 0 && /* it is made */
        sqlite3_open_v2(text("%s/crawl.db", dir), &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
        value = sqlite3_column_int64(q, 0);
    (void)sqlite3_finalize(q);
    (void)sqlite3_close(db);
    return value;
}

const char *crawl_text(const char *dir, const char *sql)
{
    struct sqlite3 *db = facts_open(dir, NULL, NULL);
    const char *value = facts_text(db, sql);

    close_last(db);
    return value;
}

int64_t crawl_pages(const char *dir)
{
    return crawl_int(dir, "SELECT count(*) FROM page");
}

int64_t crawl_drops(const char *dir, const char *reason)
{
    return crawl_int(
        dir, text("SELECT coalesce((SELECT n FROM drop_count WHERE reason = '%s'), 0)", reason));
}

/* ---- JSON ---------------------------------------------------------------- */

json_t *json_of(const char *t)
{
    json_error_t e;
    json_t *j = json_loads(t, 0, &e);

    if (j == NULL)
        fail_msg("no JSON: %s in %.200s", e.text, t);
    return keep(j);
}

json_t *json_at(json_t *j, const char *path)
{
    struct str rest = str_of(path), part;
    json_t *at = j;

    while (at && str_cut(&rest, '.', &part)) {
        uint64_t i;

        if (json_is_array(at) && str_to_u64(part, &i))
            at = json_array_get(at, i);
        else
            at = json_object_getn(at, part.ptr, part.len);
    }
    if (at == NULL)
        fail_msg("no '%s' in %.400s", path, (const char *)keep(json_dumps(j, JSON_ENCODE_ANY)));
    return at;
}

int64_t int_at(json_t *j, const char *path)
{
    json_t *v = json_at(j, path);

    assert_true(json_is_integer(v));
    return json_integer_value(v);
}

double num_at(json_t *j, const char *path)
{
    json_t *v = json_at(j, path);

    assert_true(json_is_number(v));
    return json_number_value(v);
}

const char *text_at(json_t *j, const char *path)
{
    json_t *v = json_at(j, path);

    assert_true(json_is_string(v));
    return json_string_value(v);
}
