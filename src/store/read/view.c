/* view.c - a view: opening, moments, limits; lists of pages by filter, by rank, and by the page
 * that led to them.
 *
 * A statement finds the numbers of pages in the temporary table and reads whole rows only
 * for those in the window. SPDX-License-Identifier: MIT */
#include "store/read/query_int.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define STEPS_BETWEEN_LOOKS 20000 /* of SQLite's machine: well below a millisecond */

/* `shown`: what query_top() would show. `find`: neither hidden nor a duplicate. `via`: the
 * page that named its URL first. */
static const char *const tables[] = {
    "PRAGMA temp_store = MEMORY",
    "CREATE TEMP TABLE seen_host(id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    "CREATE TEMP TABLE seen(id INTEGER PRIMARY KEY, url INTEGER, host INTEGER, at INTEGER,"
    " date INTEGER, relevance REAL, agent INTEGER, depth INTEGER, via INTEGER, find INTEGER,"
    " shown INTEGER, rank REAL)",
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
    for (size_t i = 0; i < n; i++)
        TRY(db_exec(db, sql[i]));
    return ST_OK;
}

static int is_late(void *ctx)
{
    const struct view *v = ctx;

    return v->deadline && clock_cpu_thread() > v->deadline;
}

enum status view_open(const char *dir, struct query **ret)
{
    struct view *v;
    struct query *q;
    enum status st = query_open(dir, &q);

    if (st != ST_OK)
        return st;
    v = q->view = MEM_NEW(struct view);
    v->q = q;
    map_init(&v->waiting.numbers);
    st = exec_all(q->db, tables, ARRAY_LEN(tables));
    if (st == ST_OK)
        st = view_words_init(v);
    if (st == ST_OK) {
        sqlite3_progress_handler(q->db, STEPS_BETWEEN_LOOKS, is_late, v);
        *ret = q;
    } else {
        query_close(q);
    }
    return st;
}

void view_free(struct view *v)
{
    if (v == NULL)
        return;
    view_words_clear(v);
    view_waiting_clear(v);
    free(v);
}

const struct view_totals *view_totals(const struct query *q)
{
    return &q->view->totals;
}

void view_limit(struct query *q, int64_t us)
{
    q->view->deadline = us ? clock_cpu_thread() + us : 0;
}

enum status view_begin(struct query *q)
{
    q->view->moment++;
    return db_exec(q->db, "BEGIN");
}

void view_end(struct query *q)
{
    if (!sqlite3_get_autocommit(q->db))
        (void)sqlite3_exec(q->db, "COMMIT", NULL, NULL, NULL);
}

/* ---- a filter as SQL ----------------------------------------------------- */

struct where {
    struct buf sql; /* " JOIN … WHERE …" */
    struct view_searched searched;
};

static enum status where_init(struct where *w, struct query *q, const struct view_filter *f)
{
    enum status st = ST_OK;

    *w = (struct where){.sql = BUF_INIT(KIB(16))};
    if (f->topic.len) {
        st = query_topic_check(q, f->topic);
        buf_add_z(&w->sql, " JOIN page_topic t ON t.page_id = s.id AND t.topic = ?5");
    }
    buf_add_z(&w->sql, " WHERE s.shown");
    if (f->host.len)
        buf_add_z(&w->sql, " AND s.host = (SELECT id FROM temp.seen_host WHERE name = ?3)");
    if (f->agent)
        buf_addf(&w->sql, " AND s.agent = %u AND s.find", f->agent);
    if (f->from)
        buf_addf(&w->sql, " AND s.date >= %lld", (long long)f->from);
    if (f->to)
        buf_addf(&w->sql, " AND s.date < %lld", (long long)f->to);
    if (f->min > 0)
        buf_addf(&w->sql, " AND %s >= %.17g", f->topic.len ? QUERY_TOPIC_RANK : "s.rank", f->min);
    if (f->seeds >= 0)
        buf_addf(&w->sql, " AND s.depth %s 0", f->seeds ? "=" : ">");
    if (st == ST_OK && str_trim(f->words).len) {
        st = view_words_find(q->view, f->words, &w->searched);
        buf_add_z(&w->sql, " AND hit(s.id)");
    }
    return st;
}

static void where_clear(struct where *w)
{
    buf_free(&w->sql);
}

static void where_bind(const struct view_filter *f, sqlite3_stmt *st)
{
    (void)sqlite3_bind_int64(st, 1, f->n);
    (void)sqlite3_bind_int64(st, 2, f->offset);
    if (f->host.len)
        db_bind_str(st, 3, f->host);
    if (f->topic.len)
        db_bind_str(st, 5, f->topic);
}

static enum status where_prepare(struct query *q, const struct view_filter *f, const char *before,
                                 const char *after, struct where *w, sqlite3_stmt **ret)
{
    LOCAL_BUF sql = BUF_INIT(MIB(1));

    TRY(where_init(w, q, f));
    buf_add_z(&sql, before);
    buf_add_str(&sql, buf_str(&w->sql));
    buf_add_z(&sql, after);
    TRY(db_prepare(q->db, sql.data, ret));
    where_bind(f, *ret);
    return ST_OK;
}

/* ---- questions ----------------------------------------------------------- */

/* Lists the best matches first; titles count four times, as in `brood search`. */
static enum status pages_by_match(struct query *q, const struct view_filter *f, query_page_fn *fn,
                                  void *ctx, struct view_searched *ret)
{
    LOCAL_BUF match = BUF_INIT(KIB(64));
    sqlite3_stmt *st = NULL;
    struct where w;
    enum status status =
        where_prepare(q, f,
                      "SELECT " QUERY_PAGE_COLUMNS
                      " FROM (SELECT s.id AS id, bm25(page_text, " QUERY_WEIGHTS ") AS r"
                      " FROM page_text JOIN temp.seen s ON s.id = page_text.rowid",
                      " AND page_text MATCH ?4 ORDER BY r, s.id LIMIT ?1 OFFSET ?2) b JOIN page p"
                      " ON p.id = b.id ORDER BY b.r, b.id",
                      &w, &st);

    if (status == ST_OK)
        status = view_words_match(q->view, f->words, &match);
    if (status == ST_OK) {
        db_bind_str(st, 4, buf_str(&match));
        status = query_page_stream(q, st, fn, ctx);
    }
    if (ret)
        *ret = w.searched;
    where_clear(&w);
    return status;
}

static enum status pages_in_order(struct query *q, const struct view_filter *f, query_page_fn *fn,
                                  void *ctx, struct view_searched *ret)
{
    sqlite3_stmt *st = NULL;
    struct where w;
    enum status status = where_prepare(
        q, f,
        f->topic.len ? "SELECT " QUERY_PAGE_COLUMNS " FROM (SELECT s.id AS id, " QUERY_TOPIC_RANK
                       " AS r, t.relevance AS n FROM temp.seen s"
                     : "SELECT " QUERY_PAGE_COLUMNS " FROM (SELECT s.id AS id, s.rank AS r,"
                       " s.relevance AS n FROM temp.seen s",
        f->by_time ? " ORDER BY s.id DESC LIMIT ?1 OFFSET ?2) b JOIN page p"
                     " ON p.id = b.id ORDER BY b.id DESC"
                   : " ORDER BY r DESC, n DESC, s.id LIMIT ?1 OFFSET ?2) b JOIN"
                     " page p ON p.id = b.id ORDER BY b.r DESC, b.n DESC, b.id",
        &w, &st);

    if (status == ST_OK)
        status = query_page_stream(q, st, fn, ctx);
    if (ret)
        *ret = w.searched;
    where_clear(&w);
    return status;
}

/* For a larger offset, the tables are cheaper than reading all the rows before it. */
#define READY_OFFSET 10000

bool view_is_ready(const struct query *q, const struct view_filter *f)
{
    return q->view->whole ||
           (q->view->tallied && str_trim(f->words).len == 0 && f->host.len == 0 &&
            f->topic.len == 0 && f->agent == 0 && f->from == 0 && f->to == 0 && !(f->min > 0) &&
            f->seeds < 0 && f->offset <= READY_OFFSET && f->n <= READY_OFFSET);
}

enum status view_pages(struct query *q, const struct view_filter *f, query_page_fn *fn, void *ctx,
                       struct view_searched *ret)
{
    bool match = f->by_match && str_trim(f->words).len > 0 && view_words_ranked(q->view);
    struct query_passing passing = {q, f->topic, fn, ctx};

    if (!q->view->whole && view_is_ready(q, f))
        return query_ranked(q, f->by_time, f->offset, f->n, fn, ctx);
    if (f->topic.len) {
        fn = query_pass_topic;
        ctx = &passing;
    }
    return (match ? pages_by_match : pages_in_order)(q, f, fn, ctx, ret);
}

enum status view_count(struct query *q, const struct view_filter *f, uint64_t *ret)
{
    LOCAL_STMT *st = NULL;
    struct where w;
    enum status status;

    if (!q->view->whole && view_is_ready(q, f)) {
        *ret = q->view->totals.shown;
        return ST_OK;
    }
    status = where_prepare(q, f, "SELECT count(*) FROM temp.seen s", "", &w, &st);
    if (status == ST_OK && db_row(q->db, st, &status))
        *ret = (uint64_t)sqlite3_column_int64(st, 0);
    where_clear(&w);
    return status;
}

enum status view_led(struct query *q, uint32_t via, uint32_t n, query_page_fn *fn, void *ctx,
                     uint64_t *ret_all)
{
    TRY(query_number(q, "SELECT count(*) FROM temp.seen WHERE via = ?", via, ret_all));
    if (*ret_all == 0 || n == 0)
        return ST_OK;
    return query_page_rows(q,
                           "SELECT " QUERY_PAGE_COLUMNS " FROM (SELECT id, rank AS r FROM"
                           " temp.seen WHERE via = ? ORDER BY rank DESC, id LIMIT ?) t"
                           " JOIN page p ON p.id = t.id ORDER BY t.r DESC, t.id",
                           via, n, fn, ctx);
}

enum status view_via(struct query *q, uint32_t page, uint64_t *ret)
{
    return query_number(q, "SELECT via FROM temp.seen WHERE id = ?", page, ret);
}

enum status view_best(struct query *q, uint32_t agent, uint32_t *ret_page, query_page_fn *fn,
                      void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT p.id, u.url, p.title, p.relevance FROM temp.seen s JOIN page_row p"
                   " ON p.id = s.id LEFT JOIN url_row u ON u.id = p.url WHERE s.agent = ? AND"
                   " s.find ORDER BY s.rank DESC, s.relevance DESC, s.id LIMIT 1",
                   agent, 0);

    *ret_page = 0;
    if (rows_next(&rows)) {
        struct query_page p = {.id = (uint32_t)sqlite3_column_int64(rows.st, 0),
                               .url = db_str(rows.st, 1),
                               .title = db_str(rows.st, 2),
                               .relevance = sqlite3_column_double(rows.st, 3),
                               .p = NAN};

        *ret_page = p.id;
        rows.status = fn(ctx, &p);
    }
    return rows.status;
}
