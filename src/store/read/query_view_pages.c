/* query_view_pages.c - pages of a view: filtered, ranked, by who led to them.
 *
 * The statement finds the numbers in the temporary table and reads whole rows only
 * for those in the window. SPDX-License-Identifier: MIT */
#include "store/read/query_view_int.h"

#include "base/limits.h"

/* ---- a filter as SQL ----------------------------------------------------- */

struct where {
    struct buf sql; /* " WHERE …" */
    struct query_searched searched;
};

static enum status where_init(struct where *w, struct query_view *v, const struct query_filter *f)
{
    enum status st = ST_OK;

    *w = (struct where){.sql = BUF_INIT(KIB(16))};
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
        buf_addf(&w->sql, " AND s.relevance >= %.17g", f->min);
    if (f->seeds >= 0)
        buf_addf(&w->sql, " AND s.depth %s 0", f->seeds ? "=" : ">");
    if (str_trim(f->words).len) {
        st = query_words_find(v, f->words, &w->searched);
        buf_add_z(&w->sql, " AND hit(s.id)");
    }
    return st;
}

static void where_clear(struct where *w)
{
    buf_free(&w->sql);
}

static void where_bind(const struct query_filter *f, sqlite3_stmt *st)
{
    (void)sqlite3_bind_int64(st, 1, f->n);
    (void)sqlite3_bind_int64(st, 2, f->offset);
    if (f->host.len)
        db_bind_str(st, 3, f->host);
}

static enum status where_prepare(struct query_view *v, const struct query_filter *f,
                                 const char *before, const char *after, struct where *w,
                                 sqlite3_stmt **ret)
{
    struct buf sql = BUF_INIT(MIB(1));
    enum status st = where_init(w, v, f);

    if (st == ST_OK) {
        buf_add_z(&sql, before);
        buf_add_str(&sql, buf_str(&w->sql));
        buf_add_z(&sql, after);
        st = db_prepare(v->q->db, sql.data, ret);
    }
    if (st == ST_OK)
        where_bind(f, *ret);
    buf_free(&sql);
    return st;
}

/* ---- questions ----------------------------------------------------------- */

enum status query_view_pages(struct query_view *v, const struct query_filter *f, query_page_fn *fn,
                             void *ctx, struct query_searched *ret)
{
    sqlite3_stmt *st = NULL;
    struct where w;
    enum status status = where_prepare(
        v, f,
        "SELECT " QUERY_PAGE_COLUMNS " FROM (SELECT s.id AS id, s.relevance AS r"
        " FROM temp.seen s",
        f->by_time ? " ORDER BY s.id DESC LIMIT ?1 OFFSET ?2) t JOIN page p"
                     " ON p.id = t.id ORDER BY t.id DESC"
                   : " ORDER BY s.relevance DESC, s.id LIMIT ?1 OFFSET ?2) t JOIN page p"
                     " ON p.id = t.id ORDER BY t.r DESC, t.id",
        &w, &st);

    if (status == ST_OK)
        status = query_page_stream(v->q, st, fn, ctx);
    if (ret)
        *ret = w.searched;
    where_clear(&w);
    return status;
}

enum status query_view_count(struct query_view *v, const struct query_filter *f, uint64_t *ret)
{
    sqlite3_stmt *st = NULL;
    struct where w;
    enum status status = where_prepare(v, f, "SELECT count(*) FROM temp.seen s", "", &w, &st);

    if (status == ST_OK && db_row(v->q->db, st, &status))
        *ret = (uint64_t)sqlite3_column_int64(st, 0);
    (void)sqlite3_finalize(st);
    where_clear(&w);
    return status;
}

enum status query_view_led(struct query_view *v, uint32_t via, uint32_t n, query_page_fn *fn,
                           void *ctx, uint64_t *ret_all)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_view_number(v, "SELECT count(*) FROM temp.seen WHERE via = ?", via, ret_all);

    if (status != ST_OK || *ret_all == 0 || n == 0)
        return status;
    status = query_kept(v->q,
                        "SELECT " QUERY_PAGE_COLUMNS " FROM (SELECT id, relevance AS r FROM"
                        " temp.seen WHERE via = ? ORDER BY relevance DESC, id LIMIT ?) t"
                        " JOIN page p ON p.id = t.id ORDER BY t.r DESC, t.id",
                        via, n, &st);
    return status == ST_OK ? query_page_stream(v->q, st, fn, ctx) : status;
}

enum status query_view_versions(struct query_view *v, uint32_t url, query_page_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT " QUERY_PAGE_COLUMNS " FROM temp.seen s JOIN page p ON p.id = s.id"
                   " WHERE s.url = ? ORDER BY s.id",
                   url, 0, &st);

    return status == ST_OK ? query_page_stream(v->q, st, fn, ctx) : status;
}

enum status query_view_via(struct query_view *v, uint32_t page, uint32_t *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_kept(v->q, "SELECT via FROM temp.seen WHERE id = ?", page, 0, &st);

    *ret = 0;
    if (status == ST_OK && db_row(v->q->db, st, &status))
        *ret = (uint32_t)sqlite3_column_int64(st, 0);
    query_done(v->q, st);
    return status;
}

enum status query_view_label(struct query_view *v, struct str url, struct buf *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_kept(v->q,
                                    "SELECT label FROM label WHERE url = ? AND label IN"
                                    " ('relevant', 'irrelevant') LIMIT 1",
                                    0, 0, &st);

    if (status == ST_OK) {
        db_bind_str(st, 1, url);
        if (db_row(v->q->db, st, &status)) {
            buf_add_str(ret, db_str(st, 0));
            status = buf_check(ret);
        }
    }
    query_done(v->q, st);
    return status;
}
