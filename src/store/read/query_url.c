/* query_url.c - the read side: what is known of a URL, its links, its visits,
 * and full-text search. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/dir.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "store/full_text.h"
#include "store/read/query_int.h"

/* ---- finding ------------------------------------------------------------- */

static enum status find_exactly(struct query *q, struct str url, uint32_t *ret)
{
    LOCAL_ROWS rows = query_rows(q, "SELECT id FROM url_row WHERE url = ? LIMIT 1", 0, 0);

    rows_bind_str(&rows, 1, url);
    if (rows_next(&rows))
        *ret = (uint32_t)sqlite3_column_int64(rows.st, 0);
    else if (rows.status == ST_OK)
        rows.status = ST_MISSING;
    return rows.status;
}

/* Returns the same URL with the other scheme, http or https; the set of seen URLs does not
 * distinguish them. */
static struct str other_scheme(struct str url, struct arena *arena)
{
    bool tls = str_starts(url, STR("https://"));
    struct str rest = str_sub(url, tls ? 8 : 7, url.len);
    char *text = arena_alloc(arena, rest.len + 9);

    if (text == NULL || (!tls && !str_starts(url, STR("http://"))))
        return (struct str){"", 0};
    memcpy(text, tls ? "http://" : "https://", 8);
    memcpy(text + (tls ? 7 : 8), rest.ptr, rest.len);
    return (struct str){text, rest.len + (tls ? 7 : 8)};
}

/* The normal form of what a person wrote; "example.org/x" gets a scheme. */
static struct str normal_form(struct str text, struct arena *arena)
{
    struct url u;
    LOCAL_BUF with = BUF_INIT(LIMIT_URL + 16);
    struct str norm = {"", 0};

    if (url_parse(text, NULL, arena, &u) == ST_OK) {
        norm = url_norm(&u, arena);
    } else if (str_find(text, STR("://"), 0) == SIZE_MAX) {
        buf_add_z(&with, "http://");
        buf_add_str(&with, text);
        if (url_parse(buf_str(&with), NULL, arena, &u) == ST_OK)
            norm = url_norm(&u, arena);
    }
    return norm;
}

enum status query_find(struct query *q, struct str text, uint32_t *ret_url)
{
    struct arena arena;
    struct str norm;
    enum status st = find_exactly(q, text, ret_url);

    if (st != ST_MISSING)
        return st;
    arena_init(&arena, MIB(1));
    norm = normal_form(text, &arena);
    if (norm.len)
        st = find_exactly(q, norm, ret_url);
    if (st == ST_MISSING && norm.len)
        st = find_exactly(q, other_scheme(norm, &arena), ret_url);
    arena_free(&arena);
    return st == ST_MISSING
               ? status_fail(ST_MISSING, "%.*s was never met by this crawl", STR_ARG(text))
               : st;
}

enum status query_url(struct query *q, uint32_t id, query_url_fn *fn, void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT u.id, u.url, u.depth, u.from_page, u.state, u.\"drop\", u.page"
                   " FROM url u WHERE u.id = ?",
                   id, 0);

    if (rows_next(&rows)) {
        struct query_url url = {.id = (uint32_t)sqlite3_column_int64(rows.st, 0),
                                .url = db_str(rows.st, 1),
                                .depth = (uint16_t)sqlite3_column_int(rows.st, 2),
                                .from_page = (uint32_t)sqlite3_column_int64(rows.st, 3),
                                .state = (uint8_t)sqlite3_column_int(rows.st, 4),
                                .drop = (enum drop)sqlite3_column_int(rows.st, 5),
                                .page = (uint32_t)sqlite3_column_int64(rows.st, 6)};

        rows.status = fn(ctx, &url);
    } else if (rows.status == ST_OK) {
        rows.status = status_fail(ST_MISSING, "there is no URL %u", id);
    }
    return rows.status;
}

enum status query_dropped(struct query *q, struct str text, enum drop *ret, int64_t *ret_at)
{
    LOCAL_ARENA arena = ARENA_INIT(MIB(1));
    struct str norm;
    LOCAL_ROWS rows = query_rows(
        q, "SELECT reason, at FROM drop_row WHERE url = ?1 OR url = ?2 ORDER BY at DESC LIMIT 1", 0,
        0);

    if (rows.status != ST_OK)
        return rows.status;
    *ret = DROP_NONE;
    *ret_at = 0;
    norm = normal_form(text, &arena);
    rows_bind_str(&rows, 1, text);
    rows_bind_str(&rows, 2, norm.len ? norm : text);
    if (rows_next(&rows)) {
        *ret = (enum drop)sqlite3_column_int(rows.st, 0);
        *ret_at = sqlite3_column_int64(rows.st, 1);
    }
    return rows.status;
}

enum status query_paths(struct query *q, query_path_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(
        q,
        "SELECT p.id, u.from_page, coalesce(p.agent_id, 0), coalesce(p.p, p.relevance), p.url, "
        "a.name"
        " FROM page p JOIN url u ON u.id = p.url_id LEFT JOIN agent a ON a.id = p.agent_id"
        " WHERE p.version_of IS NULL ORDER BY p.id",
        0, 0);

    while (rows_next(&rows)) {
        struct query_path path = {.page = (uint32_t)sqlite3_column_int64(rows.st, 0),
                                  .from_page = (uint32_t)sqlite3_column_int64(rows.st, 1),
                                  .agent = (uint32_t)sqlite3_column_int64(rows.st, 2),
                                  .sure = sqlite3_column_double(rows.st, 3),
                                  .url = db_str(rows.st, 4),
                                  .agent_name = db_str(rows.st, 5)};

        rows.status = fn(ctx, &path);
    }
    return rows.status;
}

/* ---- links and visits ---------------------------------------------------- */

#define LINK_COLUMNS "l.page, f.url, l.url, t.url, l.anchor, l.score, l.pos"
#define LINK_TABLES                                                                    \
    " FROM link_row l JOIN page_row p ON p.id = l.page JOIN url_row f ON f.id = p.url" \
    " JOIN url_row t ON t.id = l.url "

static enum status stream_links(struct query *q, const char *sql, uint32_t which, uint32_t max,
                                query_link_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(q, sql, which, max);

    while (rows_next(&rows)) {
        struct query_link link = {
            .from_page = (uint32_t)sqlite3_column_int64(rows.st, 0),
            .from_url = db_str(rows.st, 1),
            .to = (uint32_t)sqlite3_column_int64(rows.st, 2),
            .to_url = db_str(rows.st, 3),
            .anchor = db_str(rows.st, 4),
            .score = query_real(rows.st, 5),
            .pos = (uint32_t)sqlite3_column_int64(rows.st, 6),
        };

        rows.status = fn(ctx, &link);
    }
    return rows.status;
}

enum status query_links_from(struct query *q, uint32_t page, uint32_t max, query_link_fn *fn,
                             void *ctx)
{
    return stream_links(
        q, "SELECT " LINK_COLUMNS LINK_TABLES "WHERE l.page = ?1 ORDER BY l.pos LIMIT ?2", page,
        max, fn, ctx);
}

enum status query_links_to(struct query *q, uint32_t url, uint32_t max, query_link_fn *fn,
                           void *ctx)
{
    return stream_links(q,
                        "SELECT " LINK_COLUMNS ", max(l.score)" LINK_TABLES
                        "WHERE l.url = ?1 GROUP BY p.url ORDER BY l.page LIMIT ?2",
                        url, max, fn, ctx);
}

enum status query_targets(struct query *q, uint32_t page, uint32_t max, query_target_fn *fn,
                          void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT l.url, t.url, l.anchor, l.score, t.page, t.state, t.\"drop\" FROM"
                   " link_row l JOIN url t ON t.id = l.url WHERE l.page = ? ORDER BY l.pos"
                   " LIMIT ?",
                   page, max);

    while (rows_next(&rows)) {
        struct query_target t = {
            .url = (uint32_t)sqlite3_column_int64(rows.st, 0),
            .href = db_str(rows.st, 1),
            .anchor = db_str(rows.st, 2),
            .score = query_real(rows.st, 3),
            .page = (uint32_t)sqlite3_column_int64(rows.st, 4),
            .drop = (enum drop)sqlite3_column_int(rows.st, 6),
        };

        t.open = t.page == 0 && t.drop == DROP_NONE && sqlite3_column_int(rows.st, 5) < 2;
        rows.status = fn(ctx, &t);
    }
    return rows.status;
}

enum status query_outcomes(struct query *q, uint32_t url, query_outcome_fn *fn, void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT o.at, o.status, o.error, o.reason, o.is_final, t.url, o.attempt,"
                   " w.name, o.warc_offset FROM outcome_row o LEFT JOIN url_row t"
                   " ON t.id = o.redirect_to LEFT JOIN warc w ON w.id = o.warc"
                   " WHERE o.url = ? ORDER BY o.id",
                   url, 0);

    while (rows_next(&rows)) {
        struct query_outcome outcome = {.at = sqlite3_column_int64(rows.st, 0),
                                        .status = sqlite3_column_int(rows.st, 1),
                                        .error = db_str(rows.st, 2),
                                        .why = (enum drop)sqlite3_column_int(rows.st, 3),
                                        .is_final = sqlite3_column_int(rows.st, 4) != 0,
                                        .redirect_to = db_str(rows.st, 5),
                                        .attempt = (uint32_t)sqlite3_column_int64(rows.st, 6),
                                        .warc_file = db_str(rows.st, 7),
                                        .warc_offset = (uint64_t)sqlite3_column_int64(rows.st, 8)};

        rows.status = fn(ctx, &outcome);
    }
    return rows.status;
}

enum status query_failed(struct query *q, query_failed_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(
        q,
        "SELECT u.id, u.url, f.reason, o.status, o.error, o.at FROM fate f JOIN url_row u"
        " ON u.id = f.url LEFT JOIN (SELECT url, max(id) AS id FROM outcome_row WHERE is_final"
        " GROUP BY url) l ON l.url = f.url LEFT JOIN outcome_row o ON o.id = l.id"
        " WHERE f.state = ? AND f.reason <> 0 AND f.url NOT IN (SELECT url FROM requisite_row)"
        " ORDER BY u.id",
        URL_GONE, 0);

    while (rows_next(&rows)) {
        struct query_failed failed = {.url = (uint32_t)sqlite3_column_int64(rows.st, 0),
                                      .href = db_str(rows.st, 1),
                                      .why = (enum drop)sqlite3_column_int(rows.st, 2),
                                      .status = sqlite3_column_int(rows.st, 3),
                                      .error = db_str(rows.st, 4),
                                      .at = sqlite3_column_int64(rows.st, 5)};

        if (failed.why < DROP_COUNT)
            rows.status = fn(ctx, &failed);
    }
    return rows.status;
}

/* ---- full text ----------------------------------------------------------- */

void query_add_phrases(struct buf *out, struct str words)
{
    struct str word;

    for (struct str rest = words; str_cut(&rest, ' ', &word);) {
        if (str_trim(word).len == 0)
            continue;
        buf_add_char(out, '"');
        for (size_t i = 0; i < word.len; i++) {
            if (word.ptr[i] == '"')
                buf_add_char(out, '"');
            if (word.ptr[i] != '\0')
                buf_add_char(out, word.ptr[i]);
        }
        buf_add_z(out, "\" ");
    }
}

#define SEARCH_IN(table)                                                                        \
    "SELECT " QUERY_PAGE_COLUMNS ", -bm25(" table ", " QUERY_WEIGHTS ") AS fit FROM " table     \
    " JOIN page p"                                                                              \
    " ON p.id = " table ".rowid WHERE " table " MATCH ?1 AND NOT p.hidden AND p.dup_of IS NULL" \
    " AND " QUERY_NEWEST
#define SEARCH SEARCH_IN("page_text") " ORDER BY fit DESC, p.id LIMIT ?2"
#define SEARCH_ALL                                                    \
    "SELECT * FROM (" SEARCH_IN("page_text") " UNION ALL " SEARCH_IN( \
        "unindexed") ") ORDER BY fit DESC, id LIMIT ?2"

/* Pages that are not indexed yet: a running crawl is some seconds ahead of its index. They get
 * an index of their own during the query. Limit: the rarity of a word is computed among them
 * only. */
static enum status index_rest(struct query *q, bool *ret)
{
    uint64_t rest = 0;
    enum status st = query_unindexed(q, &rest);

    *ret = rest > 0;
    if (st != ST_OK || rest == 0)
        return st;
    st = db_exec(q->db, "DROP TABLE IF EXISTS temp.unindexed; CREATE VIRTUAL TABLE temp.unindexed"
                        " USING fts5(" FULL_TEXT_COLUMNS ")");
    if (st == ST_OK)
        st = db_execf(q->db,
                      "INSERT INTO temp.unindexed(rowid, title, main, rest) " FULL_TEXT_SOURCE
                      "WHERE b.id > (SELECT page FROM indexed) ORDER BY b.id LIMIT %d",
                      LIMIT_SEARCH_REST);
    return st;
}

enum status query_keep_to_main(struct query *q, struct buf *match)
{
    LOCAL_BUF all = BUF_INIT(match->max + 64);
    bool has_main = false;
    enum status st = full_text_has_main(q->db, &has_main);

    if (st == ST_OK && has_main) {
        buf_addf(&all, "{title main} : (%.*s)", STR_ARG(buf_str(match)));
        buf_clear(match);
        buf_add_str(match, buf_str(&all));
        st = buf_check(match);
    }
    return st;
}

static enum status search_once(struct query *q, struct buf *match, bool all_text, uint32_t n,
                               query_page_fn *fn, void *ctx, bool *ret_syntax)
{
    sqlite3_stmt *st = NULL;
    bool has_rest;

    TRY(index_rest(q, &has_rest));
    if (!all_text)
        TRY(query_keep_to_main(q, match));
    if (has_rest)
        TRY(db_prepare(q->db, SEARCH_ALL, &st));
    else
        TRY(query_prepare(q, SEARCH, 0, 0, &st));
    db_bind_str(st, 1, buf_str(match));
    (void)sqlite3_bind_int64(st, 2, n);
    /* The first step finds out whether the expression is valid. */
    if (ret_syntax && sqlite3_step(st) == SQLITE_ERROR) {
        query_done(q, st);
        *ret_syntax = true;
        return ST_OK;
    }
    (void)sqlite3_reset(st);
    return query_page_stream(q, st, fn, ctx);
}

/* Was an expression meant? Otherwise it is text with a stray character, which is searched as
 * words. */
static bool has_operator(struct str words)
{
    static const char *const operators[] = {"AND", "OR", "NOT", "NEAR"};
    struct str word;

    for (struct str rest = words; str_cut(&rest, ' ', &word);)
        for (size_t i = 0; i < ARRAY_LEN(operators); i++)
            if (str_eq(word, str_of(operators[i])))
                return true;
    return false;
}

enum status query_search(struct query *q, struct str words, bool all_text, uint32_t n,
                         query_page_fn *fn, void *ctx)
{
    LOCAL_BUF plain = BUF_INIT(KIB(64)), wide = BUF_INIT(KIB(256));
    bool wrong = false;

    if (str_trim(words).len == 0)
        return status_fail(ST_USAGE, "there are no words to search for");
    TRY(query_widen(q, words, &wide));
    TRY(search_once(q, &wide, all_text, n, fn, ctx, &wrong));
    if (wrong && has_operator(words)) {
        return status_fail(ST_USAGE,
                           "'%.*s' cannot be searched: AND, OR and NOT stand between two words or "
                           "\"phrases\", and quotes and parentheses come in pairs",
                           STR_ARG(words));
    } else if (wrong) {
        query_add_phrases(&plain, words);
        TRY(search_once(q, &plain, all_text, n, fn, ctx, NULL));
    }
    return ST_OK;
}

/* ---- marks --------------------------------------------------------------- */

enum status query_marked(struct query *q, query_marked_fn *fn, void *ctx)
{
    LOCAL_ROWS rows =
        query_rows(q,
                   "SELECT l.url, l.label = 'relevant', max(p.id) FROM label l JOIN url_row u"
                   " ON u.url = l.url JOIN page_row p ON p.url = u.id"
                   " WHERE l.label IN ('relevant', 'irrelevant') GROUP BY l.url ORDER BY l.url",
                   0, 0);

    while (rows_next(&rows))
        rows.status = fn(ctx, db_str(rows.st, 0), sqlite3_column_int(rows.st, 1) != 0,
                         (uint32_t)sqlite3_column_int64(rows.st, 2));
    return rows.status;
}

enum status query_label(struct query *q, struct str url, struct buf *ret)
{
    LOCAL_ROWS rows = query_rows(q,
                                 "SELECT label FROM label WHERE url = ? AND label IN"
                                 " ('relevant', 'irrelevant') LIMIT 1",
                                 0, 0);

    rows_bind_str(&rows, 1, url);
    if (rows_next(&rows)) {
        buf_add_str(ret, db_str(rows.st, 0));
        rows.status = buf_check(ret);
    }
    return rows.status;
}

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
    LOCAL_FD lock = -1;
    LOCAL_DB *db = NULL;

    TRY(db_lock(dir, &lock));
    TRY(db_open_writer(dir, &db));
    TRY(db_exec(db, "BEGIN IMMEDIATE"));
    TRY(write_mark(db, url, relevant));
    return db_exec(db, "COMMIT");
}

/* ---- what was found ------------------------------------------------------ */

enum status query_found(struct query *q, query_found_fn *fn, void *ctx)
{
    LOCAL_ROWS rows = query_rows(
        q, "SELECT u.url, p.relevance FROM page_row p JOIN url_row u ON u.id = p.url", 0, 0);

    while (rows_next(&rows))
        rows.status = fn(ctx, db_str(rows.st, 0), sqlite3_column_double(rows.st, 1));
    return rows.status;
}
