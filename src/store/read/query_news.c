/* query_news.c - the read side: the announcements of a watch, and figures over time.
 *
 * Every function is one statement and one loop. SPDX-License-Identifier: MIT */
#include "store/read/query_int.h"

#include <assert.h>

struct news_stream {
    struct query_news news;
    query_news_fn *fn;
    void *ctx;
};

static enum status on_page(void *ctx, const struct query_page *page)
{
    struct news_stream *s = ctx;

    s->news.page = page;
    return s->fn(s->ctx, &s->news);
}

enum status query_news(struct query *q, uint32_t after, uint32_t max, query_news_fn *fn, void *ctx)
{
    struct news_stream s = {.fn = fn, .ctx = ctx};
    LOCAL_ROWS rows = query_rows(
        q, "SELECT id, at, page FROM news_row WHERE id > ? ORDER BY id LIMIT ?", after, max);

    while (rows_next(&rows)) {
        s.news.id = (uint32_t)sqlite3_column_int64(rows.st, 0);
        s.news.at = sqlite3_column_int64(rows.st, 1);
        rows.status = query_page(q, (uint32_t)sqlite3_column_int64(rows.st, 2), on_page, &s);
    }
    return rows.status;
}

enum status query_news_last(struct query *q, uint32_t *ret)
{
    uint64_t last = 0;

    TRY(query_number(q, "SELECT max(id) FROM news_row", 0, &last));
    *ret = (uint32_t)last;
    return ST_OK;
}

enum status query_news_count(struct query *q, uint64_t *ret)
{
    return query_number(q, "SELECT count(*) FROM news_row", 0, ret);
}

enum status query_news_times(struct query *q, uint32_t after, query_news_time_fn *fn, void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT n.id, n.at, p.version_of IS NOT NULL FROM news_row n"
                   " JOIN page_row p ON p.id = n.page WHERE n.id > ?1 ORDER BY n.id LIMIT ?2",
                   after, INT64_MAX);

    while (rows_next(&rows))
        rows.status = fn(ctx, (uint32_t)sqlite3_column_int64(rows.st, 0),
                         sqlite3_column_int64(rows.st, 1), sqlite3_column_int(rows.st, 2));
    return rows.status;
}

/* A page's first version has its links in links_row. A URL that has this page as its source, but is
 * not among these links, was met on a later visit. */
#define APPEARED_SQL                                                         \
    "SELECT u.id FROM url_row u JOIN page_row p ON p.id = u.from_page"       \
    " LEFT JOIN fate f ON f.url = u.id WHERE coalesce(f.page, 0) = 0"        \
    " AND (p.version_of IS NOT NULL OR NOT EXISTS (SELECT 1 FROM link_row l" \
    " WHERE l.page = u.from_page AND l.url = u.id))"

enum status query_appeared(struct query *q, query_number_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(q, APPEARED_SQL, 0, 0);

    while (rows_next(&rows))
        fn(ctx, (uint32_t)sqlite3_column_int64(rows.st, 0));
    return rows.status;
}

#define LOOKS_SQL                                                                                \
    "SELECT fetched_at AS at, url, CASE WHEN hidden THEN 3 ELSE version_of IS NOT NULL END,"     \
    " host FROM page_row UNION ALL SELECT at, url, CASE WHEN redirect_to IS NOT NULL OR status " \
    "IN (404, 410) THEN 3 ELSE 2 END, NULL FROM outcome_row WHERE is_final AND (reason = 0 OR "  \
    "redirect_to IS NOT NULL OR status IN (404, 410)) ORDER BY 1"

enum status query_looks(struct query *q, query_look_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(q, LOOKS_SQL, 0, 0);

    static_assert(LOOK_CHANGED == 1 && LOOK_SAME == 2 && LOOK_GONE == 3, "as in LOOKS_SQL");
    while (rows_next(&rows)) {
        struct query_look l = {.at = sqlite3_column_int64(rows.st, 0),
                               .url = (uint32_t)sqlite3_column_int64(rows.st, 1),
                               .kind = (enum look_kind)sqlite3_column_int(rows.st, 2),
                               .host = db_str(rows.st, 3)};

        rows.status = fn(ctx, &l);
    }
    return rows.status;
}

/* ---- samples ------------------------------------------------------------- */

enum status query_samples(struct query *q, int64_t after, query_sample_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(
        q, "SELECT id, at, metric, value FROM sample WHERE id > ? ORDER BY id", after, 0);

    while (rows_next(&rows))
        rows.status = fn(ctx, sqlite3_column_int64(rows.st, 0), sqlite3_column_int64(rows.st, 1),
                         db_str(rows.st, 2), sqlite3_column_double(rows.st, 3));
    return rows.status;
}

enum status query_idle(struct query *q, double *ret)
{
    LOCAL_ROWS rows =
        query_rows(q, "SELECT avg(value) FROM sample WHERE metric = 'wait.patience'", 0, 0);

    if (rows_next(&rows))
        *ret = query_real(rows.st, 0);
    return rows.status;
}
