/* query_message.c - the read side: what agents said to each other.
 * SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/limits.h"
#include "store/read/query_int.h"

/* ---- messages ------------------------------------------------------------ */

#define MESSAGE_COLUMNS \
    "m.id, m.at, m.reply_by, m.conversation, m.performative, m.sender, m.receiver, m.content"

/* Rows of a statement with two numbers and, as the third parameter, a conversation. */
static enum status message_rows(struct query *q, const char *sql, int64_t first, int64_t second,
                                struct str conversation, query_message_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(q, sql, first, second);

    if (conversation.len)
        rows_bind_str(&rows, 3, conversation);
    while (rows_next(&rows)) {
        struct query_message m = {.id = sqlite3_column_int64(rows.st, 0),
                                  .at = sqlite3_column_int64(rows.st, 1),
                                  .reply_by = sqlite3_column_int64(rows.st, 2),
                                  .conversation = db_str(rows.st, 3),
                                  .performative = db_str(rows.st, 4),
                                  .sender = db_str(rows.st, 5),
                                  .receiver = db_str(rows.st, 6),
                                  .content = db_str(rows.st, 7)};

        rows.status = fn(ctx, &m);
    }
    return rows.status;
}

enum status query_messages(struct query *q, struct str conversation, int64_t after, uint32_t n,
                           query_message_fn *fn, void *ctx)
{
    const char *sql =
        conversation.len == 0 ? "SELECT " MESSAGE_COLUMNS
                                " FROM message m WHERE m.id > ?1 ORDER BY m.id LIMIT ?2"
        : q->view ? "SELECT " MESSAGE_COLUMNS
                    " FROM message m JOIN temp.talk t ON t.id = ?3 WHERE m.id > ?1 AND m.id BETWEEN"
                    " t.first AND t.last AND m.conversation = ?3 ORDER BY m.id LIMIT ?2"
                  : "SELECT " MESSAGE_COLUMNS " FROM message m WHERE m.id > ?1 AND m.conversation ="
                    " ?3 ORDER BY m.id LIMIT ?2";

    return message_rows(q, sql, after, n, conversation, fn, ctx);
}

/* ---- what became of a contract ------------------------------------------- */

struct conversation_story {
    struct query_conversation *c;
    struct arena *strings;
    bool over; /* for its manager */
};

/* "supply-links 5 min 0.25: …": 5. */
static bool count_in(struct str content, struct str word, uint64_t *ret)
{
    struct str number;

    if (!str_starts(content, word))
        return false;
    content = str_sub(content, word.len, content.len);
    return str_cut(&content, ' ', &number) && str_to_u64(number, ret);
}

static void turn(struct conversation_story *s, struct str outcome, const struct query_message *m,
                 bool over)
{
    s->c->outcome = outcome;
    s->c->detail = over ? arena_str(s->strings, m->content) : STR("");
    s->over = over;
}

static void contractor_is(struct conversation_story *s, struct str name,
                          const struct query_message *m)
{
    if (!str_eq(s->c->contractor, name))
        s->c->contractor = arena_str(s->strings, name);
    turn(s, STR("awarded"), m, false);
}

static enum status follow(void *ctx, const struct query_message *m)
{
    struct conversation_story *s = ctx;
    struct str p = m->performative;
    bool to_manager = str_eq(m->receiver, s->c->sender);

    (void)count_in(m->content, STR("take-links "), &s->c->passed);
    if (s->c->offered == 0)
        (void)count_in(m->content, STR("supply-links "), &s->c->offered);
    if (s->over)
        return ST_OK;
    if (str_eq(p, STR("accept-proposal")))
        contractor_is(s, m->receiver, m);
    else if (to_manager && str_eq(p, STR("agree")))
        turn(s, STR("running"), m, false);
    else if (to_manager && str_eq(p, STR("inform-done")))
        turn(s, STR("done"), m, true);
    else if (to_manager && str_eq(p, STR("refuse")))
        turn(s, STR("no-bid"), m, true);
    else if (to_manager && str_eq(p, STR("failure")))
        turn(s, STR("failed"), m, true);
    else if (str_eq(p, STR("cancel")) && str_eq(m->sender, s->c->sender))
        turn(s, STR("timed-out"), m, true);
    return ST_OK;
}

/* ---- conversations ------------------------------------------------------- */

#define CONVERSATIONS                                                        \
    "WITH c AS (SELECT conversation AS id, min(id) AS f, max(id) AS l,"      \
    " count(*) AS n FROM message WHERE conversation <> '0' AND conversation" \
    " <> '' GROUP BY conversation)"

static enum status tell(struct query *q, sqlite3_stmt *st, query_conversation_fn *fn, void *ctx)
{
    LOCAL_ARENA strings = ARENA_INIT(LIMIT_CONVERSATION);
    struct query_conversation c = {
        .id = (uint32_t)sqlite3_column_int64(st, 0),
        .at = sqlite3_column_int64(st, 3),
        .last_at = sqlite3_column_int64(st, 4),
        .messages = (uint64_t)sqlite3_column_int64(st, 5),
        .performative = db_str(st, 6),
        .sender = db_str(st, 7),
        .receiver = db_str(st, 8),
        .outcome = db_str(st, 9),
        .detail = db_str(st, 10),
        .contract = str_eq(db_str(st, 6), STR("cfp")),
    };
    struct conversation_story s = {.c = &c, .strings = &strings};
    enum status status = ST_OK;

    if (c.contract) { /* without an index only rows from its first to its last are looked at */
        c.outcome = STR("called");
        c.detail = STR("");
        status = message_rows(q,
                              "SELECT " MESSAGE_COLUMNS " FROM message m WHERE m.id BETWEEN ?1"
                              " AND ?2 AND m.conversation = ?3 ORDER BY m.id",
                              sqlite3_column_int64(st, 1), sqlite3_column_int64(st, 2),
                              db_str(st, 0), follow, &s);
    }
    return status == ST_OK ? fn(ctx, &c) : status;
}

/* `talks` says where conversations are: a name, and a query that makes it. */
#define NEWEST(talks)                                                                      \
    talks " SELECT * FROM (SELECT c.id, c.f, c.l, a.at, b.at, c.n, a.performative,"        \
          " a.sender, a.receiver, b.performative, b.content FROM c JOIN message a ON a.id" \
          " = c.f JOIN message b ON b.id = c.l WHERE ?1 = 0 OR a.performative = 'cfp'"     \
          " ORDER BY c.f DESC LIMIT ?2) ORDER BY 2"

enum status query_conversations(struct query *q, bool contracts, uint32_t n,
                                query_conversation_fn *fn, void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   q->view ? NEWEST("WITH c AS (SELECT id, first AS f, last AS l, n FROM"
                                    " temp.talk WHERE id <> '')")
                           : NEWEST(CONVERSATIONS),
                   contracts, n);

    while (rows_next(&rows))
        rows.status = tell(q, rows.st, fn, ctx);
    return rows.status;
}

enum status query_talks(struct query *q, struct query_talks *ret)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   CONVERSATIONS " SELECT count(*), coalesce(sum(a.performative = 'cfp'), 0),"
                                 " min(CAST(c.id AS INTEGER)), max(CAST(c.id AS INTEGER)),"
                                 " (SELECT count(*) FROM message),"
                                 " (SELECT at FROM message ORDER BY id DESC LIMIT 1)"
                                 " FROM c JOIN message a ON a.id = c.f",
                   0, 0);

    *ret = (struct query_talks){0};
    if (rows_next(&rows))
        *ret = (struct query_talks){.conversations = (uint64_t)sqlite3_column_int64(rows.st, 0),
                                    .contracts = (uint64_t)sqlite3_column_int64(rows.st, 1),
                                    .first = (uint32_t)sqlite3_column_int64(rows.st, 2),
                                    .last = (uint32_t)sqlite3_column_int64(rows.st, 3),
                                    .messages = (uint64_t)sqlite3_column_int64(rows.st, 4),
                                    .last_at = sqlite3_column_int64(rows.st, 5)};
    return rows.status;
}

enum status query_last_said(struct query *q, int64_t *ret)
{
    return db_int(q->db, "SELECT coalesce((SELECT at FROM message ORDER BY id DESC LIMIT 1), 0)",
                  ret);
}

enum status query_performatives(struct query *q, query_count_fn *fn, void *ctx)
{
    return query_counts(
        q, "SELECT performative, count(*) FROM message GROUP BY performative ORDER BY 2 DESC, 1",
        fn, ctx);
}
