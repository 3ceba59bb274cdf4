/* query_activity.c - recent events: births, deaths and finds, newest first.
 *
 * Agents and pages are numbered in order of time, so births and finds are at the end of their
 * tables; only the last LOOKED_AT pages are read. Deaths have no order of their own: all agents are
 * read. SPDX-License-Identifier: MIT */
#include "store/read/query_int.h"

#define LOOKED_AT "5000"

static const char *const kinds[] = {"born", "died", "found"};

#define BIRTHS                                                                                    \
    "SELECT a.born_at AS at, 0 AS kind, a.id AS agent, a.name AS name, b.id AS parent, b.name AS" \
    " parent_name, a.born_page AS page, NULL AS title, NULL AS relevance, NULL AS p,"             \
    " NULL AS cause"                                                                              \
    " FROM agent a JOIN agent b ON b.id = a.parent_id ORDER BY a.id DESC LIMIT ?1"
#define DEATHS                                                                                 \
    "SELECT died_at, 1, id, name, NULL, NULL, NULL, NULL, NULL, NULL, death FROM agent WHERE " \
    "died_at IS NOT NULL ORDER BY died_at DESC LIMIT ?1"
#define FINDS                                                                                  \
    "SELECT p.fetched_at, 2, p.agent, a.name, NULL, NULL, p.id, coalesce(nullif(p.title, '')," \
    " u.url), p.relevance, j.p, NULL FROM page_row p JOIN url_row u ON u.id = p.url"           \
    " LEFT JOIN agent a ON a.id = p.agent LEFT JOIN judged_row j ON j.page = p.id"             \
    " WHERE p.id > (SELECT max(id) FROM page_row) - " LOOKED_AT                                \
    " AND p.relevance >= ?2 AND NOT p.hidden AND p.dup_of IS NULL ORDER BY p.id DESC LIMIT ?1"

enum status query_activity(struct query *q, uint32_t n, query_activity_fn *fn, void *ctx)
{
    double threshold = query_threshold(q);
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT * FROM (SELECT * FROM (" BIRTHS ") UNION ALL SELECT * FROM (" DEATHS
                   ") UNION ALL SELECT * FROM (" FINDS ")) ORDER BY at DESC, kind LIMIT ?1",
                   n, 0);

    if (rows.status == ST_OK)
        (void)sqlite3_bind_double(rows.st, 2, threshold);
    while (rows_next(&rows)) {
        int kind = sqlite3_column_int(rows.st, 1);
        struct query_activity a = {.at = sqlite3_column_int64(rows.st, 0),
                                   .kind = kinds[kind >= 0 && kind < 3 ? kind : 0],
                                   .agent = (uint32_t)sqlite3_column_int64(rows.st, 2),
                                   .name = db_str(rows.st, 3),
                                   .parent = (uint32_t)sqlite3_column_int64(rows.st, 4),
                                   .parent_name = db_str(rows.st, 5),
                                   .page = (uint32_t)sqlite3_column_int64(rows.st, 6),
                                   .title = db_str(rows.st, 7),
                                   .relevance = query_real(rows.st, 8),
                                   .p = query_real(rows.st, 9),
                                   .cause = db_str(rows.st, 10)};

        rows.status = fn(ctx, &a);
    }
    return rows.status;
}
