/* query_agent.c - the read side: agents, their lives, what they found.
 * SPDX-License-Identifier: MIT */
#include "store/read/query_view_int.h"

enum status query_agent_stream(struct query *q, sqlite3_stmt *st, query_agent_fn *fn, void *ctx,
                               uint32_t *ret_rows)
{
    enum status status = ST_OK;

    while (status == ST_OK && db_row(q->db, st, &status)) {
        struct query_agent agent = {
            .id = (uint32_t)sqlite3_column_int64(st, 0),
            .parent = (uint32_t)sqlite3_column_int64(st, 1),
            .generation = (uint32_t)sqlite3_column_int64(st, 2),
            .name = db_str(st, 3),
            .kind = db_str(st, 4),
            .death = db_str(st, 5),
            .born_at = sqlite3_column_int64(st, 6),
            .died_at = sqlite3_column_int64(st, 7),
            .born_page = (uint32_t)sqlite3_column_int64(st, 8),
            .energy = sqlite3_column_double(st, 9),
            .pages = (uint64_t)sqlite3_column_int64(st, 10),
        };

        ++*ret_rows;
        status = fn(ctx, &agent);
    }
    query_done(q, st);
    return status;
}

enum status query_agents(struct query *q, query_agent_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    uint32_t rows = 0;
    enum status status =
        db_prepare(q->db, "SELECT " QUERY_AGENT_COLUMNS " FROM agent a ORDER BY id", &st);

    return status == ST_OK ? query_agent_stream(q, st, fn, ctx, &rows) : status;
}

enum status query_agent(struct query *q, struct str name, query_agent_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    uint32_t rows = 0;
    uint64_t id = 0;
    enum status status = db_prepare(q->db,
                                    "SELECT " QUERY_AGENT_COLUMNS
                                    " FROM agent a WHERE name = ? OR id = ? ORDER BY id LIMIT 1",
                                    &st);

    if (status != ST_OK)
        return status;
    (void)str_to_u64(name, &id);
    db_bind_str(st, 1, name);
    (void)sqlite3_bind_int64(st, 2, (int64_t)id);
    status = query_agent_stream(q, st, fn, ctx, &rows);
    if (status == ST_OK && rows == 0)
        status = status_fail(ST_MISSING, "there is no agent '%.*s'", STR_ARG(name));
    return status;
}

enum status query_children(struct query *q, uint32_t agent, query_agent_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    uint32_t rows = 0;
    enum status status = query_prepare(
        q, "SELECT " QUERY_AGENT_COLUMNS " FROM agent a WHERE parent_id = ? ORDER BY id", agent, 0,
        &st);

    return status == ST_OK ? query_agent_stream(q, st, fn, ctx, &rows) : status;
}

/* Crawls of earlier versions have no such table. */
enum status query_told(struct query *q, uint32_t agent, int64_t *ret_at, struct buf *ret)
{
    sqlite3_stmt *st = NULL;
    int64_t there = 0;
    enum status status =
        db_int(q->db, "SELECT count(*) FROM sqlite_schema WHERE name = 'nature'", &there);

    *ret_at = 0;
    if (status == ST_OK && there)
        status = query_prepare(q, "SELECT at, told FROM nature WHERE agent_id = ?", agent, 0, &st);
    if (st && status == ST_OK && db_row(q->db, st, &status)) {
        *ret_at = sqlite3_column_int64(st, 0);
        buf_add_str(ret, db_str(st, 1));
        status = buf_check(ret);
    }
    (void)sqlite3_finalize(st);
    return status;
}

/* ---- visits -------------------------------------------------------------- */

enum status query_visit_stream(struct query *q, sqlite3_stmt *st, query_visit_fn *fn, void *ctx)
{
    enum status status = ST_OK;

    while (status == ST_OK && db_row(q->db, st, &status)) {
        struct query_visit visit = {
            .agent = (uint32_t)sqlite3_column_int64(st, 0),
            .page = (uint32_t)sqlite3_column_int64(st, 1),
            .at = sqlite3_column_int64(st, 2),
            .first = sqlite3_column_int(st, 3) != 0,
            .before = sqlite3_column_double(st, 4),
            .delta = sqlite3_column_double(st, 5),
            .after = sqlite3_column_double(st, 6),
            .url = db_str(st, 7),
            .title = db_str(st, 8),
            .relevance = sqlite3_column_double(st, 9),
        };

        status = fn(ctx, &visit);
    }
    query_done(q, st);
    return status;
}

enum status query_visits(struct query *q, uint32_t agent, uint32_t max, query_visit_fn *fn,
                         void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_prepare(q,
                      "SELECT " QUERY_VISIT_COLUMNS " FROM (SELECT * FROM visit WHERE agent_id = ?"
                      " ORDER BY id DESC LIMIT ?) v" QUERY_VISIT_JOINS " ORDER BY v.id",
                      agent, max, &st);

    return status == ST_OK ? query_visit_stream(q, st, fn, ctx) : status;
}

enum status query_histories(struct query *q, query_visit_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(q->db,
                                    "SELECT " QUERY_VISIT_COLUMNS " FROM visit v" QUERY_VISIT_JOINS
                                    " ORDER BY v.agent_id, v.id",
                                    &st);

    return status == ST_OK ? query_visit_stream(q, st, fn, ctx) : status;
}

enum status query_life(struct query *q, uint32_t agent, struct query_life *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(q,
                                       "SELECT count(*), total(first), total(max(delta, 0.0)),"
                                       " total(max(-delta, 0.0)) FROM visit WHERE agent_id = ?",
                                       agent, 0, &st);

    while (status == ST_OK && db_row(q->db, st, &status))
        *ret = (struct query_life){
            .visits = (uint64_t)sqlite3_column_int64(st, 0),
            .found = (uint64_t)sqlite3_column_int64(st, 1),
            .gained = sqlite3_column_double(st, 2),
            .paid = sqlite3_column_double(st, 3),
        };
    (void)sqlite3_finalize(st);
    return status;
}

/* ---- finds --------------------------------------------------------------- */

enum status query_finds(struct query *q, uint32_t agent, uint32_t n, query_page_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_prepare(q,
                      "SELECT " QUERY_PAGE_COLUMNS " FROM page p WHERE p.agent_id = ? AND"
                      " NOT p.hidden AND p.dup_of IS NULL"
                      " ORDER BY p.relevance DESC, p.id LIMIT ?",
                      agent, n, &st);

    return status == ST_OK ? query_page_stream(q, st, fn, ctx) : status;
}

enum status query_all_finds(struct query *q, query_find_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(q->db,
                                    "SELECT agent, id, relevance FROM page_row WHERE agent > 0 AND"
                                    " NOT hidden AND dup_of IS NULL ORDER BY id",
                                    &st);

    while (status == ST_OK && db_row(q->db, st, &status))
        status = fn(ctx, (uint32_t)sqlite3_column_int64(st, 0),
                    (uint32_t)sqlite3_column_int64(st, 1), sqlite3_column_double(st, 2));
    (void)sqlite3_finalize(st);
    return status;
}
