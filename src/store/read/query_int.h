/* query_int.h - what the files of the read side share. Inside store/ only. */
#pragma once

#include "store/db.h"
#include "store/read/query.h"

#define QUERY_KEPT 48

struct query {
    sqlite3 *db;
    char *dir;
    struct {
        const char *sql;
        sqlite3_stmt *st;
        bool busy;
    } kept[QUERY_KEPT]; /* statements that are asked again and again */
    size_t nkept;
};

/* A statement with up to two integers bound; NULL values are 0. */
enum status query_prepare(struct query *q, const char *sql, int64_t first, int64_t second,
                          sqlite3_stmt **ret) MUST_USE;

/* The same, prepared once and kept, for what one answer asks thousands of times: preparing
 * costs more than asking. `sql` has to stay where it is. Give it back with query_done(),
 * which takes any statement. */
enum status query_kept(struct query *q, const char *sql, int64_t first, int64_t second,
                       sqlite3_stmt **ret) MUST_USE;
void query_done(struct query *q, sqlite3_stmt *st);

/* Columns of the view `page`, in the order query_page_stream() takes them. */
#define QUERY_PAGE_COLUMNS                                                                       \
    "p.id, p.url_id, p.url, p.host, p.mime, p.charset, p.lang, p.title, p.status, p.fetched_at," \
    " p.date, p.latency_ms, p.bytes, p.relevance, p.similarity, p.depth, p.agent_id, p.energy,"  \
    " p.hash, p.dup_of, p.version_of, p.exact_dup, p.hidden, p.truncated, p.warc_file,"          \
    " p.warc_offset, p.warc_length, p.digest"
#define QUERY_PAGE_COUNT 28

/* Of a page's versions only the last: what its URL names. */
#define QUERY_NEWEST     "coalesce((SELECT f.page FROM fate f WHERE f.url = p.url_id), 0) IN (0, p.id)"

/* Streams the pages of a prepared statement and gives it back. */
enum status query_page_stream(struct query *q, sqlite3_stmt *st, query_page_fn *fn,
                              void *ctx) MUST_USE;
