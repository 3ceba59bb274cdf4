/* query.c - the read side: the crawl and its pages.
 *
 * Every function is one statement and one loop. SPDX-License-Identifier: MIT */
#include "store/read/query.h"

#include "base/limits.h"
#include "base/mem.h"
#include "parse/page/page.h"
#include "store/archive.h"
#include "store/full_text.h"
#include "store/links.h"
#include "store/passages.h"
#include "store/read/query_int.h"
#include "store/read/snippet.h"
#include "store/write/tally.h"
#include "text/appraisal.h"

#include <math.h>
#include <stdlib.h>

enum status query_open(const char *dir, struct query **ret)
{
    LOCAL_DB *db = NULL;

    TRY(db_open_reader(dir, &db));
    TRY(full_text_join(db, dir));
    *ret = MEM_NEW(struct query);
    (*ret)->db = db_take(&db);
    (*ret)->dir = str_dup(str_of(dir));
    return ST_OK;
}

void query_close(struct query *q)
{
    if (q == NULL)
        return;
    view_free(q->view);
    snippet_free(q->snippet);
    for (size_t i = 0; i < q->nkept; i++)
        (void)sqlite3_finalize(q->kept[i].st);
    (void)sqlite3_close(q->db);
    free(q->dir);
    free(q);
}

void query_drop(struct query **q)
{
    query_close(*q);
}

enum status query_prepare(struct query *q, const char *sql, int64_t first, int64_t second,
                          sqlite3_stmt **ret)
{
    size_t i = 0;

    while (i < q->nkept && (q->kept[i].sql != sql || q->kept[i].busy))
        i++;
    if (i < q->nkept)
        *ret = q->kept[i].st;
    else
        TRY(db_prepare(q->db, sql, ret));
    if (i < QUERY_KEPT) {
        q->kept[i].sql = sql;
        q->kept[i].st = *ret;
        q->kept[i].busy = true;
        q->nkept += i == q->nkept;
    }
    (void)sqlite3_bind_int64(*ret, 1, first);
    (void)sqlite3_bind_int64(*ret, 2, second);
    return ST_OK;
}

void query_done(struct query *q, sqlite3_stmt *st)
{
    for (size_t i = 0; i < q->nkept; i++)
        if (q->kept[i].st == st) {
            (void)sqlite3_reset(st);
            (void)sqlite3_clear_bindings(st); /* texts were only lent */
            q->kept[i].busy = false;
            return;
        }
    (void)sqlite3_finalize(st);
}

struct query_rows query_rows(struct query *q, const char *sql, int64_t first, int64_t second)
{
    struct query_rows r = {.query = q};

    r.status = query_prepare(q, sql, first, second, &r.st);
    return r;
}

bool rows_next(struct query_rows *r)
{
    return r->status == ST_OK && db_row(r->query->db, r->st, &r->status);
}

void rows_end(struct query_rows *r)
{
    query_done(r->query, r->st);
}

void rows_bind_str(struct query_rows *r, int at, struct str text)
{
    if (r->status == ST_OK)
        db_bind_str(r->st, at, text);
}

enum status query_number(struct query *q, const char *sql, int64_t parameter, uint64_t *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(q, sql, parameter, 0, &st);
    int64_t n = 0;

    if (status == ST_OK && db_row(q->db, st, &status))
        n = sqlite3_column_int64(st, 0);
    query_done(q, st);
    if (status == ST_OK)
        *ret = (uint64_t)n;
    return status;
}

double query_real(sqlite3_stmt *st, int column)
{
    return sqlite3_column_type(st, column) == SQLITE_NULL ? (double)NAN
                                                          : sqlite3_column_double(st, column);
}

/* ---- the crawl itself ---------------------------------------------------- */

enum status query_key(struct query *q, const char *key, struct buf *ret)
{
    LOCAL_ROWS rows = query_rows(q, "SELECT value FROM crawl WHERE key = ?", 0, 0);

    rows_bind_str(&rows, 1, str_of(key));
    if (rows_next(&rows)) {
        buf_add_str(ret, db_str(rows.st, 0));
        rows.status = buf_check(ret);
    } else if (rows.status == ST_OK)
        rows.status = status_fail(ST_MISSING, "the crawl has no value for %s", key);
    return rows.status;
}

enum status query_keys(struct query *q, query_key_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(q, "SELECT key, value FROM crawl ORDER BY key", 0, 0);

    while (rows_next(&rows))
        rows.status = fn(ctx, db_str(rows.st, 0), db_str(rows.st, 1));
    return rows.status;
}

struct tally query_tally(struct query *q)
{
    LOCAL_BUF text = BUF_INIT(TALLY_TEXT);
    struct tally t = {0};

    if (query_key(q, TALLY_KEY, &text) == ST_OK && tally_read(text.data, &t))
        t.is_whole = t.is_whole && !(fabs(t.threshold - query_threshold(q)) > 0);
    return t;
}

static void take_tally(const struct tally *t, struct query_stats *ret)
{
    ret->pages = t->pages;
    ret->hidden = t->hidden;
    ret->duplicates = t->duplicates;
    ret->urls = t->urls;
    ret->untried = t->untried;
    ret->links = t->links;
    ret->bytes = t->bytes;
    ret->hosts = t->hosts;
    ret->outcomes = t->outcomes;
    ret->relevant = t->relevant;
    ret->mean_relevance = t->pages ? t->relevance_sum / (double)t->pages : 0;
}

struct count {
    const char *sql;
    uint64_t *to;
};

static enum status count_rows(struct query *q, const struct count *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        TRY(query_number(q, counts[i].sql, 0, counts[i].to));
    return ST_OK;
}

/* Counts the figures for which the rows of pages must be read. */
static enum status count_relevant(struct query *q, struct query_stats *s)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(q,
                                       "SELECT avg(relevance), count(*) FILTER (WHERE relevance >="
                                       " ?), count(DISTINCT host) FROM page_row",
                                       0, 0, &st);

    if (status == ST_OK) {
        (void)sqlite3_bind_double(st, 1, s->threshold);
        if (db_row(q->db, st, &status)) {
            s->mean_relevance = sqlite3_column_double(st, 0);
            s->relevant = (uint64_t)sqlite3_column_int64(st, 1);
            s->hosts = (uint64_t)sqlite3_column_int64(st, 2);
        }
    }
    query_done(q, st);
    return status == ST_OK ? query_number(q, "SELECT count(*) FROM outcome_row", 0, &s->outcomes)
                           : status;
}

static enum status read_counts(struct query *q, struct query_stats *ret)
{
    const struct count counts[] = {
        {"SELECT count(*) FROM page_row", &ret->pages},
        {"SELECT count(*) FROM page_row WHERE hidden", &ret->hidden},
        {"SELECT count(*) FROM page_row WHERE dup_of IS NOT NULL", &ret->duplicates},
        {"SELECT count(*) FROM url_row", &ret->urls},
        {"SELECT count(*) FROM url WHERE state < 2 AND \"drop\" = 0 AND page = 0", &ret->untried},
        {"SELECT count(*) FROM link_row", &ret->links},
        {"SELECT coalesce(sum(bytes), 0) FROM page_row", &ret->bytes},
    };
    struct tally tally = query_tally(q);
    uint64_t unindexed = 0;
    enum status st = ST_OK;

    take_tally(&tally, ret);
    if (!tally.is_known)
        st = count_rows(q, counts, ARRAY_LEN(counts));
    if (st == ST_OK && !tally.is_whole)
        st = count_relevant(q, ret);
    if (st == ST_OK)
        st = query_unindexed(q, &unindexed);
    ret->indexed = ret->pages - ret->hidden; /* pages that have a text */
    ret->indexed -= unindexed < ret->indexed ? unindexed : ret->indexed;
    return st == ST_OK ? query_agent_counts(q, &ret->alive, &ret->born, &ret->died) : st;
}

/* The texts of a crawl without an index are not counted one by one. */
enum status query_unindexed(struct query *q, uint64_t *ret)
{
    struct tally tally = query_tally(q);
    uint64_t indexed = 0;
    enum status st = query_number(q, "SELECT page FROM indexed", 0, &indexed);

    if (st == ST_OK && indexed == 0 && tally.is_known) {
        *ret = tally.pages - tally.hidden;
        return ST_OK;
    }
    if (st != ST_OK)
        return st;
    return query_number(q,
                        "SELECT count(*) FROM body WHERE id >"
                        " (SELECT page FROM indexed)",
                        0, ret);
}

/* From the first page or outcome to the last. */
#define SPAN_SQL                                                        \
    "SELECT (max(b) - min(a)) / 1e6 FROM (SELECT min(fetched_at) AS a," \
    " max(fetched_at + latency) AS b FROM page_row UNION ALL"           \
    " SELECT min(at), max(at) FROM outcome_row)"

double query_threshold(struct query *q)
{
    LOCAL_BUF key = BUF_INIT(64);
    double threshold = 0.5;

    if (query_key(q, "relevant_threshold", &key) == ST_OK)
        (void)str_to_double(buf_str(&key), &threshold);
    return threshold;
}

bool query_total(struct query *q, const char *key, double *ret)
{
    LOCAL_BUF text = BUF_INIT(64);
    bool there = query_key(q, key, &text) == ST_OK && str_to_double(buf_str(&text), ret);

    return there;
}

static uint64_t total_or(struct query *q, const char *key, uint64_t other)
{
    double n;

    return query_total(q, key, &n) && n >= 0 && n < 1e18 ? (uint64_t)n : other;
}

static enum status read_span(struct query *q, double *ret)
{
    LOCAL_ROWS rows = query_rows(q, SPAN_SQL, 0, 0);

    if (rows_next(&rows))
        *ret = sqlite3_column_double(rows.st, 0);
    return rows.status;
}

/* Reads the totals that the crawl counted; an earlier version did not count. */
static enum status read_totals(struct query *q, struct query_stats *s)
{
    s->failed = total_or(q, "total.failed", 0);
    s->received = total_or(q, "total.received", s->bytes);
    s->hosts_met = total_or(q, "total.hosts_met", s->hosts);
    return query_total(q, "total.seconds", &s->seconds) ? ST_OK : read_span(q, &s->seconds);
}

enum status query_stats(struct query *q, struct query_stats *ret)
{
    struct query_stats s = {.threshold = query_threshold(q)};

    TRY(read_counts(q, &s));
    TRY(read_totals(q, &s));
    *ret = s;
    return ST_OK;
}

enum status query_counts(struct query *q, const char *sql, query_count_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(q, sql, 0, 0);

    while (rows_next(&rows))
        rows.status = fn(ctx, db_str(rows.st, 0), (uint64_t)sqlite3_column_int64(rows.st, 1));
    return rows.status;
}

enum status query_drops(struct query *q, query_count_fn *fn, void *ctx)
{
    return query_counts(q, "SELECT reason, n FROM drop_count WHERE n > 0 ORDER BY n DESC, reason",
                        fn, ctx);
}

/* ---- its indexes: made when it ends ---------------------------------------- */

static enum status has_index(struct query *q, const char *name, bool *ret)
{
    LOCAL_ROWS rows =
        query_rows(q, "SELECT 1 FROM main.sqlite_schema WHERE type = 'index' AND name = ?", 0, 0);

    rows_bind_str(&rows, 1, str_of(name));
    *ret = rows_next(&rows);
    return rows.status;
}

enum status query_is_closed(struct query *q, bool *ret)
{
    return has_index(q, "page_by_relevance", ret);
}

enum status query_knows_targets(struct query *q, bool *ret)
{
    return has_index(q, "link_by_target", ret);
}

/* ---- pages --------------------------------------------------------------- */

static void page_read(sqlite3_stmt *st, struct query_page *ret)
{
    struct str hash = db_str(st, 18);

    *ret = (struct query_page){
        .id = (uint32_t)sqlite3_column_int64(st, 0),
        .url_id = (uint32_t)sqlite3_column_int64(st, 1),
        .url = db_str(st, 2),
        .host = db_str(st, 3),
        .mime = db_str(st, 4),
        .charset = db_str(st, 5),
        .lang = db_str(st, 6),
        .title = db_str(st, 7),
        .status = sqlite3_column_int(st, 8),
        .fetched_at = sqlite3_column_int64(st, 9),
        .date = sqlite3_column_int64(st, 10),
        .latency_ms = sqlite3_column_double(st, 11),
        .bytes = (uint64_t)sqlite3_column_int64(st, 12),
        .relevance = sqlite3_column_double(st, 13),
        .similarity = sqlite3_column_double(st, 14),
        .depth = (uint32_t)sqlite3_column_int64(st, 15),
        .agent = (uint32_t)sqlite3_column_int64(st, 16),
        .energy = query_real(st, 17),
        .dup_of = (uint32_t)sqlite3_column_int64(st, 19),
        .version_of = (uint32_t)sqlite3_column_int64(st, 20),
        .exact_dup = sqlite3_column_int(st, 21) != 0,
        .hidden = sqlite3_column_int(st, 22) != 0,
        .truncated = sqlite3_column_int(st, 23) != 0,
        .warc_file = db_str(st, 24),
        .warc_offset = (uint64_t)sqlite3_column_int64(st, 25),
        .warc_length = (uint64_t)sqlite3_column_int64(st, 26),
        .digest = db_str(st, 27),
        .p = query_real(st, 28),
        .declared = db_str(st, 29),
    };
    for (size_t i = 0; i < hash.len; i++)
        ret->hash = ret->hash << 4 | (uint64_t)(ascii_hex(hash.ptr[i]) & 15);
}

enum status query_page_stream(struct query *q, sqlite3_stmt *st, query_page_fn *fn, void *ctx)
{
    enum status status = ST_OK;

    while (status == ST_OK && db_row(q->db, st, &status)) {
        struct query_page page;

        page_read(st, &page);
        if (sqlite3_column_count(st) > QUERY_PAGE_COUNT)
            page.score = sqlite3_column_double(st, QUERY_PAGE_COUNT);
        status = fn(ctx, &page);
    }
    query_done(q, st);
    return status;
}

enum status query_page_rows(struct query *q, const char *sql, int64_t first, int64_t second,
                            query_page_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;

    TRY(query_prepare(q, sql, first, second, &st));
    return query_page_stream(q, st, fn, ctx);
}

/* The pages that lists show: neither hidden ones nor duplicates, and of each URL the newest. */
#define SHOWN  "NOT s.hidden AND s.dup_of IS NULL"
#define NEWEST "coalesce((SELECT f.page FROM fate f WHERE f.url = s.url), 0) IN (0, s.id)"

/* Pages with a verdict are read in the order of one index, the others in that of a second index,
 * and only as far as they can be among the first: by the inverse of QUERY_SURE, with some margin
 * for rounding. If every page has a verdict, there are no others. Conditions are tested in this
 * order, because the last one needs the page's row. */
const char query_ranked_sql[] =
    "WITH a(id, r, n) AS MATERIALIZED (SELECT j.page, j.p, s.relevance FROM judged_row j CROSS JOIN"
    " page_row s ON s.id = j.page WHERE j.p IS NOT NULL AND " SHOWN " AND " NEWEST
    " ORDER BY j.p DESC, s.relevance DESC, s.id LIMIT ?1),"
    " b(id, r, n) AS (SELECT s.id, " QUERY_SURE(
        "s.relevance") ", s.relevance FROM page_row s"
                       " WHERE " SHOWN " AND s.relevance >= (SELECT CASE WHEN (SELECT count(*) FROM"
                       " judged_row) >= (SELECT max(id) FROM page_row) THEN 1e300 WHEN count(*) <"
                       " ?1 THEN -1e300 WHEN min(r) < 1 THEN 0.0499 * min(r) / (1 - min(r)) ELSE"
                       " 1e300 END FROM a) AND NOT EXISTS (SELECT 1 FROM judged_row j WHERE j.page"
                       " = s.id AND j.p IS NOT NULL) AND " NEWEST
                       " ORDER BY s.relevance DESC, s.id LIMIT ?1)"
                       " SELECT " QUERY_PAGE_COLUMNS
                       " FROM (SELECT * FROM a UNION ALL SELECT * FROM b ORDER BY r DESC, n DESC,"
                       " id LIMIT ?1 - ?2 OFFSET ?2) t JOIN page p ON p.id = t.id"
                       " ORDER BY t.r DESC, t.n DESC, t.id";

const char query_newest_sql[] =
    "SELECT " QUERY_PAGE_COLUMNS " FROM (SELECT s.id FROM page_row s WHERE " SHOWN " AND " NEWEST
    " ORDER BY s.id DESC LIMIT ?1 - ?2 OFFSET ?2) t JOIN page p ON p.id = t.id ORDER BY t.id DESC";

enum status query_ranked(struct query *q, bool by_time, uint32_t offset, uint32_t n,
                         query_page_fn *fn, void *ctx)
{
    return query_page_rows(q, by_time ? query_newest_sql : query_ranked_sql, (int64_t)offset + n,
                           offset, fn, ctx);
}

enum status query_seeds(struct query *q, uint32_t n, query_page_fn *fn, void *ctx)
{
    return query_page_rows(q,
                           "SELECT " QUERY_PAGE_COLUMNS " FROM page p WHERE p.id <= 5000 AND"
                           " p.depth = 0 AND NOT p.hidden AND p.dup_of IS NULL ORDER BY p.id DESC"
                           " LIMIT ?",
                           n, 0, fn, ctx);
}

enum status query_top(struct query *q, uint32_t n, query_page_fn *fn, void *ctx)
{
    return query_ranked(q, false, 0, n, fn, ctx);
}

enum status query_versions(struct query *q, uint32_t url, query_page_fn *fn, void *ctx)
{
    return query_page_rows(q,
                           q->view ? "SELECT " QUERY_PAGE_COLUMNS " FROM temp.seen s JOIN page p"
                                     " ON p.id = s.id WHERE s.url = ? ORDER BY s.id"
                                   : "SELECT " QUERY_PAGE_COLUMNS
                                     " FROM page p WHERE p.url_id = ? ORDER BY p.id",
                           url, 0, fn, ctx);
}

struct row_counter {
    query_page_fn *fn;
    void *ctx;
    uint32_t rows;
};

static enum status count_page(void *ctx, const struct query_page *page)
{
    struct row_counter *c = ctx;

    c->rows++;
    return c->fn(c->ctx, page);
}

enum status query_page(struct query *q, uint32_t id, query_page_fn *fn, void *ctx)
{
    struct row_counter counted = {fn, ctx, 0};

    TRY(query_page_rows(q, "SELECT " QUERY_PAGE_COLUMNS " FROM page p WHERE p.id = ?", id, 0,
                        count_page, &counted));
    if (counted.rows == 0)
        return status_fail(ST_MISSING, "there is no page %u", id);
    return ST_OK;
}

enum status query_text(struct query *q, uint32_t page, struct buf *ret)
{
    LOCAL_ROWS rows = query_rows(q, "SELECT text FROM body WHERE id = ?", page, 0);

    if (rows_next(&rows)) {
        buf_add_str(ret, db_str(rows.st, 0));
        rows.status = buf_check(ret);
    } else if (rows.status == ST_OK)
        rows.status = status_fail(ST_MISSING, "page %u has no text", page);
    return rows.status;
}

static enum status has_table(struct query *q, const char *sql, bool *ret)
{
    int64_t there = 0;
    enum status st = db_int(q->db, sql, &there);

    *ret = there > 0;
    return st;
}

enum status query_has_main(struct query *q, bool *ret)
{
    return has_table(q, "SELECT count(*) FROM sqlite_schema WHERE name = 'main_row'", ret);
}

enum status query_main(struct query *q, uint32_t page, struct buf *ret)
{
    sqlite3_stmt *st = NULL;
    bool has_main;
    enum status status = query_has_main(q, &has_main);

    if (status != ST_OK)
        return status;
    if (!has_main)
        return query_text(q, page, ret);
    status =
        query_prepare(q,
                      "SELECT b.text, m.places, m.page IS NULL FROM body b LEFT JOIN main_row m"
                      " ON m.page = b.id WHERE b.id = ?",
                      page, 0, &st);
    if (status == ST_OK && db_row(q->db, st, &status)) {
        if (sqlite3_column_int(st, 2))
            buf_add_str(ret, db_str(st, 0));
        else
            passages_add(db_str(st, 1), db_str(st, 0), ret);
        status = buf_check(ret);
    } else if (status == ST_OK)
        status = status_fail(ST_MISSING, "page %u has no text", page);
    query_done(q, st);
    return status;
}

/* Of a page's links, as links_row has them: up to the first that is damaged. */
static size_t anchors_read(struct str links, struct span **ret)
{
    size_t n = 0, cap = 0, at = 0;
    struct links_item item;
    bool bad;

    *ret = NULL;
    while (links_next(links, &at, &item, &bad)) {
        if (item.len == 0)
            continue;
        MEM_GROW(*ret, n, &cap);
        (*ret)[n++] = (struct span){item.at, item.at + item.len};
    }
    return n;
}

static void extent_read(struct str places, struct str links, size_t all, struct text_extent *ret,
                        size_t *ret_begins)
{
    LOCAL_HEAP struct passage *main = NULL;
    LOCAL_HEAP struct span *anchors = NULL;
    size_t n = 0, cap = 0, nanchors = anchors_read(links, &anchors);
    struct passages p = passages_of(places, all);
    struct passage one;

    *ret = (struct text_extent){.all = all};
    for (; passages_next(&p, &one); ret->main += one.len) {
        MEM_GROW(main, n, &cap);
        main[n++] = one;
    }
    if (n > 0 && ret_begins)
        *ret_begins = main[0].off;
    ret->linked = text_linked(main, n, anchors, nanchors);
}

enum status query_extent(struct query *q, uint32_t page, struct text_extent *ret,
                         size_t *ret_begins)
{
    sqlite3_stmt *st = NULL;
    bool has_main, has_links = false;
    enum status status = query_has_main(q, &has_main);

    *ret = (struct text_extent){.main = SIZE_MAX};
    if (status == ST_OK && has_main) /* crawls of an earlier version have no such table */
        status =
            has_table(q, "SELECT count(*) FROM sqlite_schema WHERE name = 'links_row'", &has_links);
    if (status != ST_OK || !has_main)
        return status;
    status = query_prepare(
        q,
        has_links ? "SELECT places, (SELECT length(CAST(text AS BLOB)) FROM body WHERE id = page),"
                    " (SELECT links FROM links_row l WHERE l.page = m.page)"
                    " FROM main_row m WHERE page = ?"
                  : "SELECT places, (SELECT length(CAST(text AS BLOB)) FROM body WHERE id = page),"
                    " NULL FROM main_row WHERE page = ?",
        page, 0, &st);
    if (status == ST_OK && db_row(q->db, st, &status))
        extent_read(db_str(st, 0), db_str(st, 2), (size_t)sqlite3_column_int64(st, 1), ret,
                    ret_begins);
    query_done(q, st);
    return status;
}

static enum status look_for(struct query *q, struct str words)
{
    if (q->snippet && snippet_is_for(q->snippet, words))
        return ST_OK;
    snippet_free(q->snippet);
    q->snippet = NULL;
    return snippet_new(q->db, words, &q->snippet);
}

enum status query_snippet(struct query *q, const struct query_page *page, struct str words,
                          struct buf *ret, struct buf *ret_why)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_DECODED * 2);
    uint32_t id = page->exact_dup ? page->dup_of : page->id;
    size_t from = ret->len;
    enum status st = look_for(q, words);

    if (st == ST_OK)
        st = query_main(q, id, &text);
    if (st == ST_OK && !snippet_make(q->snippet, buf_str(&text), page->lang, ret)) {
        struct buf all = BUF_INIT(LIMIT_DECODED * 2), other = BUF_INIT(KIB(4));

        st = query_text(q, id, &all);
        if (st == ST_OK &&
            (snippet_make(q->snippet, buf_str(&all), page->lang, &other) || ret->len == from)) {
            ret->len = from;
            buf_add_str(ret, buf_str(&other));
        }
        buf_free(&all);
        buf_free(&other);
    }
    buf_clear(&text);
    buf_add_str(&text, page->title);
    buf_add_char(&text, '\n');
    if (st == ST_OK)
        st = query_text(q, id, &text);
    if (st == ST_OK)
        snippet_why(q->snippet, buf_str(&text), page->lang, ret_why);
    return st == ST_MISSING ? ST_OK : st;
}

enum status query_conversion(struct query *q, uint32_t page, struct warc_record *ret)
{
    LOCAL_ROWS rows = query_rows(q,
                                 "SELECT p.warc_file, p.warc_offset, p.mime FROM page p"
                                 " WHERE p.id = ? AND p.warc_file IS NOT NULL",
                                 page, 0);

    if (rows_next(&rows) && !page_is_read_as_is(db_str(rows.st, 2)))
        rows.status = archive_conversion(q->dir, db_str(rows.st, 0),
                                         (uint64_t)sqlite3_column_int64(rows.st, 1), ret);
    else if (rows.status == ST_OK)
        rows.status =
            status_fail(ST_MISSING, "page %u was not converted from another format", page);
    return rows.status;
}

/* A revisit has the payload of the page it repeats: of dup_of, or (304) none
 * of its own. One step is enough, because originals are never revisits. */
enum status query_payload(struct query *q, uint32_t page, struct warc_record *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(q,
                                       "SELECT p.warc_file, p.warc_offset, p.dup_of FROM page p"
                                       " WHERE p.id = ? AND p.warc_file IS NOT NULL",
                                       page, 0, &st);
    uint32_t original = 0;

    if (status == ST_OK && db_row(q->db, st, &status)) {
        status = archive_read(q->dir, db_str(st, 0), (uint64_t)sqlite3_column_int64(st, 1), ret);
        original = (uint32_t)sqlite3_column_int64(st, 2);
    } else if (status == ST_OK) {
        status = status_fail(ST_MISSING, "page %u is not in the archive", page);
    }
    query_done(q, st);
    if (status == ST_OK && str_eq(ret->type, STR("revisit")) && original && original < page) {
        warc_record_free(ret);
        return query_payload(q, original, ret);
    }
    return status;
}
