/* query_agent.c - the read side: agents, their lives, what they found.
 * SPDX-License-Identifier: MIT */
#include "store/read/query_int.h"

#define AGENT_COLUMNS                                                                 \
    "a.id, a.parent_id, a.generation, a.name, a.kind, a.death, a.born_at, a.died_at," \
    " a.born_page, a.energy, a.pages"
#define VISIT_COLUMNS                                                                        \
    "v.agent_id, v.page_id, v.at, v.first, v.energy_before, v.delta, v.energy_after, u.url," \
    " p.title, p.relevance"
#define VISIT_JOINS " LEFT JOIN page_row p ON p.id = v.page_id LEFT JOIN url_row u ON u.id = p.url"

bool query_has_energy(struct query *q)
{
    uint64_t some = 0;

    return query_number(q, "SELECT EXISTS (SELECT 1 FROM agent WHERE energy <> 0)", 0, &some) ==
               ST_OK &&
           some;
}

/* ---- how many ------------------------------------------------------------ */

/* The first and the last move of each traveller: moves alternate, and a trip begins with
 * leaving. */
#define MOVES                                                                                   \
    "(SELECT agent_id, min(2 * trip + came) AS first, max(2 * trip + came) AS last FROM travel" \
    " GROUP BY agent_id)"

/* Crawls of earlier versions have no table of travels. */
static enum status count_travellers(struct query *q, uint64_t *ret_away, uint64_t *ret_guests)
{
    uint64_t there = 0;
    enum status st =
        query_number(q, "SELECT count(*) FROM sqlite_schema WHERE name = 'travel'", 0, &there);

    *ret_away = *ret_guests = 0;
    if (st == ST_OK && there)
        st = query_number(q,
                          "SELECT count(*) FROM " MOVES " m JOIN agent a ON a.id = m.agent_id"
                          " WHERE m.last % 2 = 0 AND a.died_at IS NULL",
                          0, ret_away);
    if (st == ST_OK && there)
        st = query_number(q,
                          "SELECT count(*) FROM " MOVES " m JOIN agent a ON a.id = m.agent_id"
                          " WHERE m.first % 2 = 1",
                          0, ret_guests);
    return st;
}

enum status query_away(struct query *q, query_away_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    uint64_t there = 0;
    enum status status =
        query_number(q, "SELECT count(*) FROM sqlite_schema WHERE name = 'travel'", 0, &there);

    if (status == ST_OK && there)
        status = query_prepare(
            q, "SELECT agent_id FROM " MOVES " WHERE last % 2 = 0 ORDER BY agent_id", 0, 0, &st);
    while (st && status == ST_OK && db_row(q->db, st, &status))
        fn(ctx, (uint32_t)sqlite3_column_int64(st, 0));
    query_done(q, st);
    return status;
}

enum status query_agent_counts(struct query *q, uint64_t *ret_alive, uint64_t *ret_born,
                               uint64_t *ret_died)
{
    uint64_t rows = 0, died = 0, away = 0, guests = 0;

    TRY(query_number(q, "SELECT count(*) FROM agent", 0, &rows));
    TRY(query_number(q, "SELECT count(*) FROM agent WHERE died_at IS NOT NULL", 0, &died));
    TRY(count_travellers(q, &away, &guests));
    *ret_alive = rows - died - away;
    *ret_born = rows - guests;
    *ret_died = died;
    return ST_OK;
}

/* ---- agents -------------------------------------------------------------- */

/* Passes on the statement's rows, and gives the statement back. */
static enum status stream_agents(struct query *q, sqlite3_stmt *st, query_agent_fn *fn, void *ctx,
                                 uint64_t *ret_rows)
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
    uint64_t rows = 0;
    enum status status =
        query_prepare(q, "SELECT " AGENT_COLUMNS " FROM agent a ORDER BY id", 0, 0, &st);

    return status == ST_OK ? stream_agents(q, st, fn, ctx, &rows) : status;
}

enum status query_agent(struct query *q, uint32_t id, query_agent_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    uint64_t rows = 0;
    enum status status =
        query_prepare(q, "SELECT " AGENT_COLUMNS " FROM agent a WHERE a.id = ?", id, 0, &st);

    if (status == ST_OK)
        status = stream_agents(q, st, fn, ctx, &rows);
    return status == ST_OK && rows == 0 ? status_fail(ST_MISSING, "there is no agent %u", id)
                                        : status;
}

enum status query_agent_named(struct query *q, struct str name, query_agent_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    uint64_t rows = 0, id = 0;

    (void)str_to_u64(name, &id);
    TRY(query_prepare(
        q, "SELECT " AGENT_COLUMNS " FROM agent a WHERE name = ?1 OR id = ?2 ORDER BY id LIMIT 1",
        0, (int64_t)id, &st));
    db_bind_str(st, 1, name);
    TRY(stream_agents(q, st, fn, ctx, &rows));
    if (rows == 0)
        return status_fail(ST_MISSING, "there is no agent '%.*s'", STR_ARG(name));
    return ST_OK;
}

#define CHILDREN(of)                                                                           \
    "SELECT " AGENT_COLUMNS " FROM (SELECT id FROM " of " ORDER BY id LIMIT ?) k JOIN agent a" \
    " ON a.id = k.id ORDER BY k.id"

enum status query_children(struct query *q, uint32_t parent, uint32_t n, query_agent_fn *fn,
                           void *ctx, uint64_t *ret_all)
{
    sqlite3_stmt *st = NULL;
    enum status status = ST_OK;

    *ret_all = 0;
    if (n > 0)
        status = query_prepare(q,
                               q->view ? CHILDREN("temp.kin WHERE parent = ?")
                                       : CHILDREN("agent WHERE parent_id IS nullif(?, 0)"),
                               parent, n, &st);
    if (st)
        status = stream_agents(q, st, fn, ctx, ret_all);
    if (status != ST_OK || *ret_all < n)
        return status;
    return query_number(q,
                        q->view ? "SELECT count(*) FROM temp.kin WHERE parent = ?"
                                : "SELECT count(*) FROM agent WHERE parent_id IS nullif(?, 0)",
                        parent, ret_all);
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
    query_done(q, st);
    return status;
}

/* ---- visits -------------------------------------------------------------- */

static enum status stream_visits(struct query *q, sqlite3_stmt *st, query_visit_fn *fn, void *ctx)
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

/* The newest visits in a table, oldest first. */
#define VISITS(of)                                                                          \
    "SELECT " VISIT_COLUMNS " FROM (SELECT id FROM " of " ORDER BY id DESC LIMIT ?) t JOIN" \
    " visit v ON v.id = t.id" VISIT_JOINS " ORDER BY v.id"

static enum status visit_rows(struct query *q, const char *sql, uint32_t of, uint32_t max,
                              query_visit_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(q, sql, of, max, &st);

    return status == ST_OK ? stream_visits(q, st, fn, ctx) : status;
}

enum status query_visits(struct query *q, uint32_t agent, uint32_t max, query_visit_fn *fn,
                         void *ctx)
{
    return visit_rows(
        q, q->view ? VISITS("temp.trip WHERE agent = ?") : VISITS("visit WHERE agent_id = ?"),
        agent, max, fn, ctx);
}

enum status view_visitors(struct query *q, uint32_t page, uint32_t max, query_visit_fn *fn,
                          void *ctx)
{
    return visit_rows(q, VISITS("temp.trip WHERE page = ?"), page, max, fn, ctx);
}

enum status query_histories(struct query *q, query_visit_fn *fn, void *ctx)
{
    return visit_rows(
        q, "SELECT " VISIT_COLUMNS " FROM visit v" VISIT_JOINS " ORDER BY v.agent_id, v.id", 0, 0,
        fn, ctx);
}

#define LIFE(of)                                                                     \
    "SELECT count(*), total(first), total(max(delta, 0.0)), total(max(-delta, 0.0))" \
    " FROM " of

enum status query_life(struct query *q, uint32_t agent, struct query_life *ret)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   q->view ? LIFE("temp.trip t JOIN visit v ON v.id = t.id WHERE t.agent = ?")
                           : LIFE("visit WHERE agent_id = ?"),
                   agent, 0);

    if (rows_next(&rows))
        *ret = (struct query_life){
            .visits = (uint64_t)sqlite3_column_int64(rows.st, 0),
            .found = (uint64_t)sqlite3_column_int64(rows.st, 1),
            .gained = sqlite3_column_double(rows.st, 2),
            .paid = sqlite3_column_double(rows.st, 3),
        };
    return rows.status;
}

/* ---- finds --------------------------------------------------------------- */

#define FINDS(of, where)                                                                    \
    "SELECT " QUERY_PAGE_COLUMNS " FROM (SELECT s.id FROM " of " s LEFT JOIN judged_row j"  \
    " ON j.page = s.id WHERE s.agent = ? AND " where " ORDER BY coalesce(j.p, " QUERY_SURE( \
        "s.relevance") ") DESC, s.relevance DESC, s.id LIMIT ?) t"                          \
                       " JOIN page p ON p.id = t.id" QUERY_BY_RANK

enum status query_finds(struct query *q, uint32_t agent, uint32_t n, query_page_fn *fn, void *ctx)
{
    return query_page_rows(q,
                           q->view ? FINDS("temp.seen", "s.find")
                                   : FINDS("page_row", "NOT s.hidden AND s.dup_of IS NULL"),
                           agent, n, fn, ctx);
}

enum status query_all_finds(struct query *q, query_find_fn *fn, void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT s.agent, s.id, coalesce(j.p, " QUERY_SURE(
                       "s.relevance") ") AS r FROM page_row s LEFT JOIN judged_row j"
                                      " ON j.page = s.id WHERE s.agent > 0 AND NOT s.hidden AND"
                                      " s.dup_of IS NULL ORDER BY r DESC, s.relevance DESC, s.id",
                   0, 0);

    while (rows_next(&rows))
        rows.status =
            fn(ctx, (uint32_t)sqlite3_column_int64(rows.st, 0),
               (uint32_t)sqlite3_column_int64(rows.st, 1), sqlite3_column_double(rows.st, 2));
    return rows.status;
}
