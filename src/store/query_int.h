/* query_int.h - what the files of the read side share. Inside store/ only. */
#ifndef STORE_QUERY_INT_H
#define STORE_QUERY_INT_H

#include "store/db.h"
#include "store/query.h"

struct query {
    sqlite3 *db;
    char *dir;
};

/* A statement with up to two integers bound; NULL values are 0. */
enum status query_prepare(struct query *q, const char *sql, int64_t first, int64_t second,
                          sqlite3_stmt **ret) MUST_USE;

/* Columns of the view `page`, in the order query_page_stream() takes them. */
#define QUERY_PAGE_COLUMNS                                                                       \
    "p.id, p.url_id, p.url, p.host, p.mime, p.charset, p.lang, p.title, p.status, p.fetched_at," \
    " p.date, p.latency_ms, p.bytes, p.relevance, p.similarity, p.depth, p.agent_id, p.energy,"  \
    " p.hash, p.dup_of, p.version_of, p.exact_dup, p.hidden, p.truncated, p.warc_file,"          \
    " p.warc_offset, p.warc_length, p.digest"
#define QUERY_PAGE_COUNT 28

/* Of a page's versions only the last: what its URL names. */
#define QUERY_NEWEST     "coalesce((SELECT f.page FROM fate f WHERE f.url = p.url_id), 0) IN (0, p.id)"

/* Streams the pages of a prepared statement and finalizes it. */
enum status query_page_stream(struct query *q, sqlite3_stmt *st, query_page_fn *fn,
                              void *ctx) MUST_USE;

#endif
