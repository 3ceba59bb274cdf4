/* query_view.c - a view: opening, and catching up with the crawl.
 * SPDX-License-Identifier: MIT */
#include "store/query_view_int.h"

#include "base/clock.h"
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
    "CREATE TEMP TABLE kin(id INTEGER PRIMARY KEY, parent INTEGER)",
    "CREATE TEMP TABLE trip(agent INTEGER, page INTEGER, id INTEGER)",
    "CREATE TEMP TABLE hit(id INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE talk(id TEXT PRIMARY KEY, first INTEGER, last INTEGER, n INTEGER)"
    " WITHOUT ROWID",
};

static const char *const indexes[] = {
    "CREATE INDEX temp.seen_by_rank ON seen(relevance DESC, id) WHERE shown",
    "CREATE INDEX temp.seen_by_host ON seen(host, relevance DESC, id) WHERE shown",
    "CREATE INDEX temp.seen_by_agent ON seen(agent, relevance DESC, id) WHERE find",
    "CREATE INDEX temp.seen_by_date ON seen(date) WHERE shown",
    "CREATE INDEX temp.seen_by_via ON seen(via, relevance DESC, id)",
    "CREATE INDEX temp.seen_by_url ON seen(url)",
    "CREATE INDEX temp.kin_by_parent ON kin(parent, id)",
    "CREATE INDEX temp.trip_by_agent ON trip(agent, id)",
    "CREATE INDEX temp.trip_by_page ON trip(page, id)",
    "CREATE INDEX temp.talk_by_first ON talk(first)",
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

    if (st == ST_OK)
        st = exec_all(v->q->db, tables, ARRAY_LEN(tables));
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
    enum status status = query_prepare(v->q, sql, parameter, 0, &st);

    if (status == ST_OK && db_row(v->q->db, st, &status))
        *ret = (uint64_t)sqlite3_column_int64(st, 0);
    (void)sqlite3_finalize(st);
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

/* ---- catching up --------------------------------------------------------- */

/* Runs a statement on the rows after number `after`. */
static enum status run_after(struct query_view *v, const char *sql, int64_t after)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(v->q, sql, after, 0, &st);

    if (status == ST_OK)
        status = db_run(v->q->db, st);
    (void)sqlite3_finalize(st);
    return status;
}

static enum status read_threshold(struct query_view *v)
{
    struct buf key = BUF_INIT(64);

    v->totals.threshold = 0.5;
    if (query_key(v->q, "relevant_threshold", &key) == ST_OK)
        (void)str_to_double(buf_str(&key), &v->totals.threshold);
    buf_free(&key);
    return ST_OK;
}

static void widen(struct query_totals *t, int64_t first, int64_t last)
{
    if (first && (t->first_at == 0 || first < t->first_at))
        t->first_at = first;
    if (last > t->last_at)
        t->last_at = last;
}

static enum status count_pages(struct query_view *v, int64_t *ret_last)
{
    struct query_totals *t = &v->totals;
    sqlite3_stmt *st = NULL;
    enum status status =
        query_prepare(v->q,
                      "SELECT count(*), total(relevance), sum(hidden), count(dup_of), sum(bytes),"
                      " min(fetched_at), max(fetched_at + latency), max(id),"
                      " count(*) FILTER (WHERE relevance >= ?2) FROM page_row WHERE id > ?1",
                      v->counted, 0, &st);

    if (status == ST_OK)
        (void)sqlite3_bind_double(st, 2, t->threshold);
    if (status == ST_OK && db_row(v->q->db, st, &status) && sqlite3_column_int64(st, 0) > 0) {
        t->pages += (uint64_t)sqlite3_column_int64(st, 0);
        t->relevance_sum += sqlite3_column_double(st, 1);
        t->hidden += (uint64_t)sqlite3_column_int64(st, 2);
        t->duplicates += (uint64_t)sqlite3_column_int64(st, 3);
        t->bytes += (uint64_t)sqlite3_column_int64(st, 4);
        widen(t, sqlite3_column_int64(st, 5), sqlite3_column_int64(st, 6));
        *ret_last = sqlite3_column_int64(st, 7);
        t->relevant += (uint64_t)sqlite3_column_int64(st, 8);
    }
    (void)sqlite3_finalize(st);
    return status;
}

static enum status count_bins(struct query_view *v)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(v->q,
                                       "SELECT min(max(CAST(relevance * 50 AS INTEGER), 0), 49) AS"
                                       " bin, count(*) FROM page_row WHERE id > ? GROUP BY bin",
                                       v->counted, 0, &st);

    while (status == ST_OK && db_row(v->q->db, st, &status))
        v->totals.bins[sqlite3_column_int(st, 0)] += (uint64_t)sqlite3_column_int64(st, 1);
    (void)sqlite3_finalize(st);
    return status;
}

static enum status take_hosts(struct query_view *v, int64_t last)
{
    int64_t hosts = 0;
    enum status st = ST_OK;

    if (last > v->counted)
        st = run_after(v,
                       "INSERT OR IGNORE INTO temp.seen_host(name) SELECT DISTINCT host FROM"
                       " page_row WHERE id > ?",
                       v->counted);
    if (st == ST_OK)
        st = db_int(v->q->db, "SELECT count(*) FROM temp.seen_host", &hosts);
    v->totals.hosts = (uint64_t)hosts;
    v->counted = last;
    return st;
}

#define IS_NEWEST "coalesce((SELECT f.page FROM fate f WHERE f.url = p.url), 0) IN (0, p.id)"

static enum status take_pages(struct query_view *v)
{
    int64_t last = v->counted;
    enum status st = ST_OK;

    if (last == v->page)
        return ST_OK;
    st = run_after(
        v,
        "INSERT INTO temp.seen SELECT p.id, p.url, h.id, p.fetched_at,"
        " coalesce(nullif(p.date, 0), p.fetched_at), p.relevance, p.agent, p.depth, u.from_page,"
        " NOT p.hidden AND p.dup_of IS NULL, NOT p.hidden AND p.dup_of IS NULL AND " IS_NEWEST
        " FROM page_row p LEFT JOIN temp.seen_host h ON h.name = p.host"
        " LEFT JOIN url_row u ON u.id = p.url WHERE p.id > ?",
        v->page);
    /* A new version: those before it are shown no more. */
    if (st == ST_OK && v->page > 0)
        st = run_after(v,
                       "UPDATE temp.seen SET shown = 0 WHERE shown AND url IN"
                       " (SELECT url FROM page_row WHERE id > ?1 AND version_of IS NOT NULL)"
                       " AND id < (SELECT max(n.id) FROM page_row n WHERE n.id > ?1 AND"
                       " n.url = seen.url)",
                       v->page);
    v->page = last;
    return st;
}

static enum status count_outcomes(struct query_view *v)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(
        v->q, "SELECT min(at), max(at), max(id) FROM outcome_row WHERE id > ?", v->outcome, 0, &st);

    if (status == ST_OK && db_row(v->q->db, st, &status) && sqlite3_column_int64(st, 2) > 0) {
        widen(&v->totals, sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1));
        v->outcome = sqlite3_column_int64(st, 2);
    }
    (void)sqlite3_finalize(st);
    return status;
}

static enum status count_agents(struct query_view *v)
{
    int64_t born = 0, died = 0;
    enum status st = db_int(v->q->db, "SELECT count(*) FROM agent", &born);

    if (st == ST_OK)
        st = db_int(v->q->db, "SELECT count(*) FROM agent WHERE died_at IS NOT NULL", &died);
    v->totals.born = (uint64_t)born;
    v->totals.died = (uint64_t)died;
    v->totals.alive = (uint64_t)(born - died);
    return st;
}

/* Runs a statement on the rows of a table after *last, which becomes the last of them. */
static enum status take_new(struct query_view *v, const char *sql, const char *last_sql,
                            int64_t *last)
{
    int64_t now = 0;
    enum status st = db_int(v->q->db, last_sql, &now);

    if (st == ST_OK && now > *last)
        st = run_after(v, sql, *last);
    *last = now;
    return st;
}

static enum status take_rest(struct query_view *v)
{
    enum status st = take_new(
        v, "INSERT INTO temp.kin SELECT id, coalesce(parent_id, 0) FROM agent WHERE id > ?",
        "SELECT max(id) FROM agent", &v->agent);

    if (st == ST_OK)
        st = take_new(v,
                      "INSERT INTO temp.trip SELECT agent_id, page_id, id FROM visit WHERE id > ?",
                      "SELECT max(id) FROM visit", &v->visit);
    if (st == ST_OK)
        st = take_new(v,
                      "INSERT INTO temp.talk SELECT conversation, min(id), max(id), count(*) FROM"
                      " message WHERE id > ? AND conversation <> '0' GROUP BY conversation"
                      " ON CONFLICT(id) DO UPDATE SET last = excluded.last, n = n + excluded.n",
                      "SELECT max(id) FROM message", &v->message);
    return st;
}

/* Pages were forgotten: nothing that was read holds. */
static enum status start_anew(struct query_view *v)
{
    v->totals = (struct query_totals){0};
    v->page = v->counted = v->outcome = v->agent = v->visit = v->message = 0;
    return db_exec(v->q->db, "DELETE FROM temp.seen; DELETE FROM temp.seen_host;"
                             "DELETE FROM temp.kin; DELETE FROM temp.trip; DELETE FROM temp.talk");
}

static enum status count_all(struct query_view *v)
{
    int64_t forgotten = 0, last;
    enum status st = db_int(v->q->db, "SELECT count(*) FROM forgotten", &forgotten);

    if (st == ST_OK && v->version && forgotten != v->forgotten)
        st = start_anew(v);
    v->forgotten = forgotten;
    last = v->counted;
    if (st == ST_OK)
        st = read_threshold(v);
    if (st == ST_OK)
        st = count_pages(v, &last);
    if (st == ST_OK && last > v->counted)
        st = count_bins(v);
    if (st == ST_OK)
        st = take_hosts(v, last);
    if (st == ST_OK)
        st = count_outcomes(v);
    if (st == ST_OK)
        st = count_agents(v);
    v->whole = false;
    return st;
}

static enum status take_all(struct query_view *v)
{
    enum status st = take_pages(v);

    if (st == ST_OK)
        st = take_rest(v);
    if (st == ST_OK && !v->indexed) { /* in bulk is faster than row by row */
        st = exec_all(v->q->db, indexes, ARRAY_LEN(indexes));
        v->indexed = st == ST_OK;
    }
    v->whole = st == ST_OK;
    return st;
}

enum status query_view_refresh(struct query_view *v, bool whole, bool *ret_changed)
{
    struct query_view before = *v;
    int64_t version = 0;
    bool changed;
    enum status st = db_int(v->q->db, "PRAGMA data_version", &version);

    changed = st == ST_OK && version != v->version;
    if (ret_changed)
        *ret_changed = changed;
    if (st != ST_OK || (!changed && (v->whole || !whole)))
        return st;
    st = query_view_begin(v);
    if (st == ST_OK) /* also where only the tables are behind: they end where it does */
        st = count_all(v);
    if (st == ST_OK && whole)
        st = take_all(v);
    if (st == ST_OK) {
        query_view_end(v);
        v->version = version;
        return ST_OK;
    }
    if (!sqlite3_get_autocommit(v->q->db))
        (void)sqlite3_exec(v->q->db, "ROLLBACK", NULL, NULL, NULL);
    before.deadline = v->deadline;
    *v = before; /* as the tables are again */
    return st;
}
