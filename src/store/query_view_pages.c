/* query_view_pages.c - pages of a view: filtered, ranked, by who led to them.
 *
 * The statement finds the numbers in the temporary table and reads whole rows only
 * for those in the window. SPDX-License-Identifier: MIT */
#include "store/query_view_int.h"

#include "base/hash.h"
#include "base/limits.h"

/* ---- a filter as SQL ----------------------------------------------------- */

/* Full text of everything, or nothing of it. */
static enum status is_searchable(struct query_view *v, bool *ret)
{
    uint64_t missing = 0;
    enum status st = query_unindexed(v->q, &missing);

    *ret = missing == 0;
    return st;
}

/* Every word as a phrase of its own: no syntax is left in it. */
static void add_phrases(struct buf *out, struct str words)
{
    struct str word;

    for (struct str rest = words; str_cut(&rest, ' ', &word);) {
        if (str_trim(word).len == 0)
            continue;
        (void)buf_add_char(out, '"');
        for (size_t i = 0; i < word.len; i++) {
            if (word.ptr[i] == '"')
                (void)buf_add_char(out, '"');
            if (word.ptr[i] != '\0')
                (void)buf_add_char(out, word.ptr[i]);
        }
        (void)buf_add_z(out, "\" ");
    }
}

/* Does FTS5 understand it? */
static bool is_expression(struct query_view *v, struct str words)
{
    sqlite3_stmt *st = NULL;
    bool good = db_prepare(v->q->db, "SELECT rowid FROM page_text WHERE page_text MATCH ? LIMIT 1",
                           &st) == ST_OK;

    if (good) {
        int rc;

        db_bind_str(st, 1, words);
        rc = sqlite3_step(st);
        good = rc == SQLITE_ROW || rc == SQLITE_DONE;
    }
    (void)sqlite3_finalize(st);
    return good;
}

/* What the words are found in goes to a table: a list is read in windows, and counted, and
 * looking a common word up costs more than all the rest. */
static enum status find_hits(struct query_view *v, struct str match)
{
    uint64_t hash = hash_str(match) | 1;
    sqlite3_stmt *st = NULL;
    enum status status;

    if (v->hits == hash && v->hits_version == v->version)
        return ST_OK;
    v->hits = 0;
    status = db_exec(v->q->db, "DELETE FROM temp.hit");
    if (status == ST_OK)
        status = db_prepare(v->q->db,
                            "INSERT INTO temp.hit SELECT rowid FROM page_text WHERE page_text MATCH"
                            " ? ORDER BY rowid",
                            &st);
    if (status == ST_OK) {
        db_bind_str(st, 1, match);
        status = db_run(v->q->db, st);
    }
    (void)sqlite3_finalize(st);
    if (status == ST_OK) {
        v->hits = hash;
        v->hits_version = v->version;
    }
    return status;
}

struct where {
    struct buf sql;   /* " WHERE …" */
    struct buf match; /* what is searched for, as it is bound */
    bool titles;      /* in titles and URLs */
};

#define WORDS_MOST 16

/* Without the index: each word somewhere in the title or the URL. */
static void add_titles(struct where *w, struct str words)
{
    struct str word;
    int n = 0;

    for (struct str rest = words; n < WORDS_MOST && str_cut(&rest, ' ', &word);) {
        word = str_trim(word);
        if (word.len == 0)
            continue;
        (void)buf_add_z(&w->sql, " AND EXISTS (SELECT 1 FROM page_row r JOIN url_row u ON u.id ="
                                 " r.url WHERE r.id = s.id AND instr(lower(coalesce(r.title, '')"
                                 " || ' ' || u.url), lower('");
        for (size_t i = 0; i < word.len; i++)
            if (word.ptr[i] == '\'')
                (void)buf_add_z(&w->sql, "''");
            else if (word.ptr[i] != '\0')
                (void)buf_add_char(&w->sql, word.ptr[i]);
        (void)buf_add_z(&w->sql, "')) > 0)");
        n++;
    }
}

static enum status where_init(struct where *w, struct query_view *v, const struct query_filter *f)
{
    enum status st = ST_OK;

    *w = (struct where){.sql = BUF_INIT(KIB(256)), .match = BUF_INIT(KIB(64))};
    (void)buf_add_z(&w->sql, " WHERE s.shown");
    if (f->host.len)
        (void)buf_add_z(&w->sql, " AND s.host = (SELECT id FROM temp.seen_host WHERE name = ?3)");
    if (f->agent)
        (void)buf_addf(&w->sql, " AND s.agent = %u AND s.find", f->agent);
    if (f->from)
        (void)buf_addf(&w->sql, " AND s.date >= %lld", (long long)f->from);
    if (f->to)
        (void)buf_addf(&w->sql, " AND s.date < %lld", (long long)f->to);
    if (f->min > 0)
        (void)buf_addf(&w->sql, " AND s.relevance >= %.17g", f->min);
    if (f->seeds >= 0)
        (void)buf_addf(&w->sql, " AND s.depth %s 0", f->seeds ? "=" : ">");
    if (str_trim(f->words).len) {
        bool there = false;

        st = is_searchable(v, &there);
        if (st != ST_OK)
            return st;
        w->titles = !there;
        if (there) {
            if (is_expression(v, f->words))
                (void)buf_add_str(&w->match, f->words);
            else
                add_phrases(&w->match, f->words);
            st = find_hits(v, buf_str(&w->match));
            (void)buf_add_z(&w->sql, " AND EXISTS (SELECT 1 FROM temp.hit h WHERE h.id = s.id)");
        } else {
            add_titles(w, f->words);
        }
    }
    return w->sql.full || w->match.full
               ? status_fail(ST_LIMIT, "there are too many words to search for")
               : st;
}

static void where_clear(struct where *w)
{
    buf_free(&w->sql);
    buf_free(&w->match);
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
        (void)buf_add_z(&sql, before);
        (void)buf_add_str(&sql, buf_str(&w->sql));
        (void)buf_add_z(&sql, after);
        st = db_prepare(v->q->db, sql.data, ret);
    }
    if (st == ST_OK)
        where_bind(f, *ret);
    buf_free(&sql);
    return st;
}

/* ---- questions ----------------------------------------------------------- */

enum status query_view_pages(struct query_view *v, const struct query_filter *f, query_page_fn *fn,
                             void *ctx, bool *ret_titles)
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
    if (ret_titles)
        *ret_titles = w.titles;
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
    status = query_prepare(v->q,
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
        query_prepare(v->q,
                      "SELECT " QUERY_PAGE_COLUMNS " FROM temp.seen s JOIN page p ON p.id = s.id"
                      " WHERE s.url = ? ORDER BY s.id",
                      url, 0, &st);

    return status == ST_OK ? query_page_stream(v->q, st, fn, ctx) : status;
}

enum status query_view_via(struct query_view *v, uint32_t page, uint32_t *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_prepare(v->q, "SELECT via FROM temp.seen WHERE id = ?", page, 0, &st);

    *ret = 0;
    if (status == ST_OK && db_row(v->q->db, st, &status))
        *ret = (uint32_t)sqlite3_column_int64(st, 0);
    (void)sqlite3_finalize(st);
    return status;
}

enum status query_view_label(struct query_view *v, struct str url, struct buf *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(v->q->db,
                                    "SELECT label FROM label WHERE url = ? AND label IN"
                                    " ('relevant', 'irrelevant') LIMIT 1",
                                    &st);

    if (status == ST_OK) {
        db_bind_str(st, 1, url);
        if (db_row(v->q->db, st, &status))
            status = buf_add_str(ret, db_str(st, 0));
    }
    (void)sqlite3_finalize(st);
    return status;
}
