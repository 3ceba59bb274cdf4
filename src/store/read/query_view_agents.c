/* query_view_agents.c - agents of a view: families, visits, finds; hosts; talk.
 * SPDX-License-Identifier: MIT */
#include "store/read/query_view_int.h"

#include <math.h>
#include <unistd.h>

enum status query_view_children(struct query_view *v, uint32_t parent, uint32_t n,
                                query_agent_fn *fn, void *ctx, uint64_t *ret_all)
{
    sqlite3_stmt *st = NULL;
    uint32_t rows = 0;
    enum status status = ST_OK;

    if (n > 0)
        status = query_kept(v->q,
                            "SELECT " QUERY_AGENT_COLUMNS " FROM (SELECT id FROM temp.kin WHERE"
                            " parent = ? ORDER BY id LIMIT ?) k JOIN agent a ON a.id = k.id"
                            " ORDER BY k.id",
                            parent, n, &st);
    if (st)
        status = query_agent_stream(v->q, st, fn, ctx, &rows);
    *ret_all = rows;
    return status == ST_OK && rows == n
               ? query_view_number(v, "SELECT count(*) FROM temp.kin WHERE parent = ?", parent,
                                   ret_all)
               : status;
}

enum status query_view_agent(struct query_view *v, uint32_t id, query_agent_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    uint32_t rows = 0;
    enum status status =
        query_kept(v->q, "SELECT " QUERY_AGENT_COLUMNS " FROM agent a WHERE a.id = ?", id, 0, &st);

    if (status == ST_OK)
        status = query_agent_stream(v->q, st, fn, ctx, &rows);
    if (status == ST_OK && rows == 0)
        status = status_fail(ST_MISSING, "there is no agent %u", id);
    return status;
}

enum status query_view_best(struct query_view *v, uint32_t agent, struct query_page *ret,
                            query_page_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT p.id, u.url, p.title, p.relevance FROM temp.seen s JOIN page_row p"
                   " ON p.id = s.id LEFT JOIN url_row u ON u.id = p.url WHERE s.agent = ? AND"
                   " s.find ORDER BY s.relevance DESC, s.id LIMIT 1",
                   agent, 0, &st);

    *ret = (struct query_page){0};
    if (status == ST_OK && db_row(v->q->db, st, &status)) {
        ret->id = (uint32_t)sqlite3_column_int64(st, 0);
        ret->url = db_str(st, 1);
        ret->title = db_str(st, 2);
        ret->relevance = sqlite3_column_double(st, 3);
        status = fn(ctx, ret);
        ret->url = ret->title = STR("");
    }
    query_done(v->q, st);
    return status;
}

enum status query_view_visits(struct query_view *v, uint32_t agent, uint32_t max,
                              query_visit_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT " QUERY_VISIT_COLUMNS " FROM (SELECT id FROM temp.trip WHERE agent ="
                   " ? ORDER BY id DESC LIMIT ?) t JOIN visit v ON v.id = t.id" QUERY_VISIT_JOINS
                   " ORDER BY v.id",
                   agent, max, &st);

    return status == ST_OK ? query_visit_stream(v->q, st, fn, ctx) : status;
}

enum status query_view_life(struct query_view *v, uint32_t agent, struct query_life *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT count(*), total(first), total(max(delta, 0.0)),"
                   " total(max(-delta, 0.0)) FROM temp.trip t JOIN visit v ON v.id = t.id"
                   " WHERE t.agent = ?",
                   agent, 0, &st);

    if (status == ST_OK && db_row(v->q->db, st, &status))
        *ret = (struct query_life){.visits = (uint64_t)sqlite3_column_int64(st, 0),
                                   .found = (uint64_t)sqlite3_column_int64(st, 1),
                                   .gained = sqlite3_column_double(st, 2),
                                   .paid = sqlite3_column_double(st, 3)};
    query_done(v->q, st);
    return status;
}

enum status query_view_visitors(struct query_view *v, uint32_t page, uint32_t max,
                                query_visit_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT " QUERY_VISIT_COLUMNS " FROM (SELECT id FROM temp.trip WHERE page ="
                   " ? ORDER BY id DESC LIMIT ?) t JOIN visit v ON v.id = t.id" QUERY_VISIT_JOINS
                   " ORDER BY v.id",
                   page, max, &st);

    return status == ST_OK ? query_visit_stream(v->q, st, fn, ctx) : status;
}

enum status query_view_finds(struct query_view *v, uint32_t agent, uint32_t n, query_page_fn *fn,
                             void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT " QUERY_PAGE_COLUMNS " FROM (SELECT id, relevance AS r FROM temp.seen"
                   " WHERE agent = ? AND find ORDER BY relevance DESC, id LIMIT ?) t JOIN page p"
                   " ON p.id = t.id ORDER BY t.r DESC, t.id",
                   agent, n, &st);

    return status == ST_OK ? query_page_stream(v->q, st, fn, ctx) : status;
}

/* ---- links --------------------------------------------------------------- */

enum status query_view_links(struct query_view *v, uint32_t page, uint32_t max, query_target_fn *fn,
                             void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT l.url, t.url, l.anchor, l.score, t.page, t.state, t.\"drop\" FROM"
                   " link_row l JOIN url t ON t.id = l.url WHERE l.page = ? ORDER BY l.pos"
                   " LIMIT ?",
                   page, max, &st);

    while (status == ST_OK && db_row(v->q->db, st, &status)) {
        struct query_target t = {
            .url = (uint32_t)sqlite3_column_int64(st, 0),
            .href = db_str(st, 1),
            .anchor = db_str(st, 2),
            .score = sqlite3_column_type(st, 3) == SQLITE_NULL ? (double)NAN
                                                               : sqlite3_column_double(st, 3),
            .page = (uint32_t)sqlite3_column_int64(st, 4),
            .drop = (enum drop)sqlite3_column_int(st, 6),
        };

        t.open = t.page == 0 && t.drop == DROP_NONE && sqlite3_column_int(st, 5) < 2;
        status = fn(ctx, &t);
    }
    query_done(v->q, st);
    return status;
}

/* ---- hosts --------------------------------------------------------------- */

enum status query_view_hosts(struct query_view *v, uint32_t n, query_host_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT h.name, g.n, g.r / g.n FROM (SELECT id, n, relevance AS r FROM"
                   " temp.host_sum ORDER BY n DESC, id LIMIT ?) g"
                   " JOIN temp.seen_host h ON h.id = g.id ORDER BY g.n DESC, h.name",
                   n, 0, &st);

    while (status == ST_OK && db_row(v->q->db, st, &status)) {
        struct query_host host = {.name = db_str(st, 0),
                                  .pages = (uint64_t)sqlite3_column_int64(st, 1),
                                  .relevance = sqlite3_column_double(st, 2)};

        host.waiting = query_waiting_of(v, host.name);

        status = fn(ctx, &host);
    }
    query_done(v->q, st);
    return status;
}

enum status query_view_edges(struct query_view *v, uint32_t n, query_edge_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_kept(v->q,
                   "SELECT a.name, b.name, g.n FROM (SELECT a AS x, b AS y, n FROM temp.edge"
                   " ORDER BY n DESC, x, y LIMIT ?) g"
                   " JOIN temp.seen_host a ON a.id = g.x JOIN temp.seen_host b ON b.id = g.y"
                   " ORDER BY g.n DESC, a.name, b.name",
                   n, 0, &st);

    while (status == ST_OK && db_row(v->q->db, st, &status))
        status = fn(ctx, db_str(st, 0), db_str(st, 1), (uint64_t)sqlite3_column_int64(st, 2));
    query_done(v->q, st);
    return status;
}

/* ---- samples and messages ------------------------------------------------ */

enum status query_samples(struct query *q, int64_t after, query_sample_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_prepare(
        q, "SELECT id, at, metric, value FROM sample WHERE id > ? ORDER BY id", after, 0, &st);

    while (status == ST_OK && db_row(q->db, st, &status))
        status = fn(ctx, sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1), db_str(st, 2),
                    sqlite3_column_double(st, 3));
    query_done(q, st);
    return status;
}

enum status query_view_messages(struct query_view *v, struct str conversation, int64_t after,
                                uint32_t n, query_message_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status = query_kept(
        v->q,
        conversation.len
            ? "SELECT m.id, at, reply_by, conversation, performative, sender, receiver, content"
              " FROM message m JOIN temp.talk t ON t.id = ?3 WHERE m.id > ?1 AND m.id BETWEEN"
              " t.first AND t.last AND m.conversation = ?3 ORDER BY m.id LIMIT ?2"
            : "SELECT id, at, reply_by, conversation, performative, sender, receiver, content"
              " FROM message WHERE id > ?1 ORDER BY id LIMIT ?2",
        after, n, &st);

    if (status == ST_OK && conversation.len)
        db_bind_str(st, 3, conversation);
    while (status == ST_OK && db_row(v->q->db, st, &status)) {
        struct query_message m = {.id = sqlite3_column_int64(st, 0),
                                  .at = sqlite3_column_int64(st, 1),
                                  .reply_by = sqlite3_column_int64(st, 2),
                                  .conversation = db_str(st, 3),
                                  .performative = db_str(st, 4),
                                  .sender = db_str(st, 5),
                                  .receiver = db_str(st, 6),
                                  .content = db_str(st, 7)};

        status = fn(ctx, &m);
    }
    query_done(v->q, st);
    return status;
}

/* ---- marks --------------------------------------------------------------- */

static enum status write_mark(sqlite3 *db, struct str url, int relevant)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(
        db, "DELETE FROM label WHERE url = ? AND label IN ('relevant', 'irrelevant')", &st);

    if (status == ST_OK) {
        db_bind_str(st, 1, url);
        status = db_run(db, st);
    }
    (void)sqlite3_finalize(st);
    st = NULL;
    if (status == ST_OK && relevant >= 0)
        status = db_prepare(db, "INSERT OR IGNORE INTO label(url, label) VALUES(?, ?)", &st);
    if (st) {
        db_bind_str(st, 1, url);
        db_bind_str(st, 2, relevant ? STR("relevant") : STR("irrelevant"));
        status = db_run(db, st);
    }
    (void)sqlite3_finalize(st);
    return status;
}

enum status query_mark(const char *dir, struct str url, int relevant)
{
    sqlite3 *db = NULL;
    int lock = -1;
    enum status st = db_lock(dir, &lock);

    if (st == ST_OK)
        st = db_open_writer(dir, &db);
    if (st == ST_OK)
        st = db_exec(db, "BEGIN IMMEDIATE");
    if (st == ST_OK)
        st = write_mark(db, url, relevant);
    if (st == ST_OK)
        st = db_exec(db, "COMMIT");
    (void)sqlite3_close(db);
    if (lock >= 0)
        (void)close(lock);
    return st;
}
