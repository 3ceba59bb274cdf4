/* schema.c - the tables of crawl.db, as data.
 *
 * URLs are interned: base tables (`…_row`, `fate`) hold numbers, views give
 * the columns others rely on. What the hot path writes is append-only and has
 * no secondary index: a new row always goes to the right end of its tree. The fate of a URL is in a
 * table of its own (`fate`), because a row that grows in place splits full pages.
 *
 * The links of a page are one row (links.h): as separate rows they cost more than all other tables
 * together.
 *
 * References are declared, so that PRAGMA foreign_key_check finds rows whose target is missing;
 * SQLite does not enforce them here, so they cost nothing. Columns in which 0 means none
 * (from_page, fate.page), or in which history outlives a page (visit), have no reference.
 *
 * Versions: 1; 2 declares the references; 3 has its full-text index in a file of its own
 * (full_text.h), and the links of a page in one row. Other rows are the same: an older crawl is
 * read as it is, and gets what is new when it is next written to.
 * SPDX-License-Identifier: MIT */
#include "store/schema.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "flow.h"
#include "store/db.h"
#include "store/full_text.h"

#include <pthread.h>

/* `column`, `join`: additions of later versions. */
#define PAGE_VIEW(create, column, join)                                                            \
    create " VIEW page AS SELECT p.id AS id, u.url AS url, p.host AS host, p.status AS status,"    \
           " p.fetched_at AS fetched_at, p.latency / 1000.0 AS latency_ms, p.bytes AS bytes,"      \
           " p.mime AS mime, p.lang AS lang, p.title AS title, p.date AS date,"                    \
           " p.relevance AS relevance, p.depth AS depth, p.agent AS agent_id, p.energy AS energy," \
           " printf('%016x', p.hash) AS hash, p.dup_of AS dup_of, p.version_of AS version_of,"     \
           " w.name AS warc_file, p.warc_offset AS warc_offset, p.warc_length AS warc_length,"     \
           " p.digest AS digest, p.hidden AS hidden, p.exact AS exact_dup, p.charset AS charset,"  \
           " p.similarity AS similarity, p.truncated AS truncated, p.url AS url_id" column         \
           " FROM page_row p LEFT JOIN url_row u ON u.id = p.url LEFT JOIN warc w ON w.id = "      \
           "p.warc" join
#define PAGE_VIEW_OF(create) \
    PAGE_VIEW(create, ", j.p AS p", " LEFT JOIN judged_row j ON j.page = p.id")
#define PAGE_VIEW_NOW PAGE_VIEW_OF("CREATE")

/* The links of a page are one row (links.h). */
#define LINKS_TABLE \
    "CREATE TABLE links_row(page INTEGER PRIMARY KEY REFERENCES page_row(id), links TEXT)"
#define LINK_VIEW                                                                                \
    "CREATE VIEW link AS SELECT l.page AS from_page, u.url AS to_url,"                           \
    " CASE WHEN json_extract(e.value, '$[3]') > 0 THEN CAST(substr(CAST(b.text AS BLOB),"        \
    " json_extract(e.value, '$[2]') + 1, json_extract(e.value, '$[3]')) AS TEXT) END AS anchor," \
    " json_extract(e.value, '$[4]') AS score, json_extract(e.value, '$[0]') AS pos,"             \
    " u.id AS to_id FROM links_row l JOIN json_each(l.links) e JOIN url_row u"                   \
    " ON u.id = json_extract(e.value, '$[1]') LEFT JOIN body b ON b.id = l.page"
#define FORMER_LINK_VIEW                                                                   \
    "CREATE VIEW link AS SELECT l.page AS from_page, u.url AS to_url, l.anchor AS anchor," \
    " l.score AS score, l.pos AS pos, l.url AS to_id"                                      \
    " FROM link_row l JOIN url_row u ON u.id = l.url"

static const char *const tables[] = {
    "CREATE TABLE crawl(key TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "CREATE TABLE state(id INTEGER PRIMARY KEY, name TEXT, value BLOB)",
    "CREATE TABLE reason(id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE url_row(id INTEGER PRIMARY KEY, url TEXT, depth INTEGER, from_page INTEGER,"
    " reason INTEGER)",
    "CREATE TABLE fate(url INTEGER PRIMARY KEY REFERENCES url_row(id), state INTEGER,"
    " reason INTEGER, page INTEGER)",
    "CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT, state BLOB)",
    "CREATE TABLE page_row(id INTEGER PRIMARY KEY, url INTEGER REFERENCES url_row(id), host TEXT,"
    " status INTEGER, fetched_at INTEGER, latency INTEGER, bytes INTEGER, mime TEXT,"
    " charset TEXT, lang TEXT, title TEXT, date INTEGER, relevance REAL, similarity REAL, depth "
    "INTEGER,"
    " agent INTEGER REFERENCES agent(id), energy REAL, hash INTEGER, simhash INTEGER,"
    " words INTEGER, dup_of INTEGER REFERENCES page_row(id), exact INTEGER,"
    " version_of INTEGER REFERENCES page_row(id), hidden INTEGER, truncated INTEGER,"
    " etag TEXT, last_modified TEXT, warc INTEGER REFERENCES warc(id), warc_offset INTEGER,"
    " warc_length INTEGER, digest TEXT)",
    "CREATE TABLE body(id INTEGER PRIMARY KEY REFERENCES page_row(id), text TEXT)",
    LINKS_TABLE,
    "CREATE TABLE outcome_row(id INTEGER PRIMARY KEY, url INTEGER REFERENCES url_row(id),"
    " at INTEGER, status INTEGER, error TEXT, reason INTEGER, is_final INTEGER,"
    " redirect_to INTEGER REFERENCES url_row(id), attempt INTEGER, mime TEXT,"
    " warc INTEGER REFERENCES warc(id), warc_offset INTEGER, warc_length INTEGER, digest TEXT)",
    "CREATE TABLE resource_row(id INTEGER PRIMARY KEY, url TEXT, at INTEGER, status INTEGER,"
    " mime TEXT, warc INTEGER REFERENCES warc(id), warc_offset INTEGER, warc_length INTEGER,"
    " digest TEXT)",
    "CREATE TABLE warc(id INTEGER PRIMARY KEY, name TEXT, length INTEGER)",
    "CREATE TABLE garbage(name TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE drop_row(id INTEGER PRIMARY KEY, url TEXT, url_id INTEGER, reason INTEGER,"
    " at INTEGER)",
    "CREATE TABLE drop_count(reason TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID",
    "CREATE TABLE agent(id INTEGER PRIMARY KEY, name TEXT, kind TEXT,"
    " parent_id INTEGER REFERENCES agent(id), generation INTEGER, born_at INTEGER,"
    " born_page INTEGER, died_at INTEGER, death TEXT, energy REAL, pages INTEGER)",
    "CREATE TABLE visit(id INTEGER PRIMARY KEY, agent_id INTEGER REFERENCES agent(id),"
    " page_id INTEGER, at INTEGER, first INTEGER, energy_before REAL, delta REAL,"
    " energy_after REAL)",
    "CREATE TABLE message(id INTEGER PRIMARY KEY, at INTEGER, conversation TEXT,"
    " performative TEXT, sender TEXT, receiver TEXT, reply_by INTEGER, content TEXT)",
    "CREATE TABLE label(url TEXT, label TEXT, PRIMARY KEY(url, label)) WITHOUT ROWID",
    "CREATE TABLE sample(id INTEGER PRIMARY KEY, at INTEGER, metric TEXT, value REAL)",
    "CREATE TABLE forgotten(id INTEGER PRIMARY KEY, at INTEGER, what TEXT, pages INTEGER)",

    "CREATE VIEW url AS SELECT u.id AS id, u.url AS url, u.depth AS depth,"
    " u.from_page AS from_page, coalesce(f.state, 0) AS state,"
    " coalesce(f.reason, u.reason) AS \"drop\", coalesce(f.page, 0) AS page"
    " FROM url_row u LEFT JOIN fate f ON f.url = u.id",
    PAGE_VIEW_NOW,
    "CREATE VIEW page_content AS SELECT b.id AS id, p.title AS title, b.text AS text"
    " FROM body b JOIN page_row p ON p.id = b.id",
    LINK_VIEW,
    "CREATE VIEW outcome AS SELECT o.id AS id, u.url AS url, o.at AS at, o.status AS status,"
    " o.error AS error, r.name AS reason, o.is_final AS is_final, t.url AS redirect_to,"
    " o.attempt AS attempt, w.name AS warc_file, o.warc_offset AS warc_offset, o.url AS url_id"
    " FROM outcome_row o LEFT JOIN url_row u ON u.id = o.url"
    " LEFT JOIN url_row t ON t.id = o.redirect_to LEFT JOIN warc w ON w.id = o.warc"
    " LEFT JOIN reason r ON r.id = o.reason",
    "CREATE VIEW resource AS SELECT r.id AS id, r.url AS url, r.at AS at, r.status AS status,"
    " r.mime AS mime, w.name AS warc_file, r.warc_offset AS warc_offset"
    " FROM resource_row r LEFT JOIN warc w ON w.id = r.warc",

    "CREATE VIEW dropped AS SELECT u.url AS url, r.name AS reason, p.fetched_at AS at"
    " FROM url_row u JOIN reason r ON r.id = u.reason LEFT JOIN page_row p ON p.id = u.from_page"
    " WHERE u.reason <> 0 UNION ALL SELECT coalesce(d.url, u.url), r.name, d.at"
    " FROM drop_row d JOIN reason r ON r.id = d.reason LEFT JOIN url_row u ON u.id = d.url_id",
};

/* The columns of versions 1 and 2. */
#define FORMER_TEXT_COLUMNS "title, text, content='', tokenize='unicode61 remove_diacritics 2'"
static const char former_tables[] =
    "CREATE VIRTUAL TABLE page_text USING fts5(title, text, content='page_content',"
    " content_rowid='id', tokenize='unicode61 remove_diacritics 2');"
    "CREATE TABLE link_row(page INTEGER REFERENCES page_row(id), pos INTEGER,"
    " url INTEGER REFERENCES url_row(id), anchor TEXT, score REAL, PRIMARY KEY(page, pos))"
    " WITHOUT ROWID; CREATE INDEX link_by_target ON link_row(url)";

/* Later additions: an older crawl gets them when it is next written to. */
static const char *const additions[] = {
    "CREATE TABLE IF NOT EXISTS main_row(page INTEGER PRIMARY KEY REFERENCES page_row(id),"
    " places BLOB)",
    "CREATE TABLE IF NOT EXISTS use_row(page INTEGER PRIMARY KEY REFERENCES page_row(id),"
    " said TEXT)",
    "CREATE TABLE IF NOT EXISTS requisite_row(url INTEGER PRIMARY KEY REFERENCES url_row(id))",
    "CREATE TABLE IF NOT EXISTS declared_row(page INTEGER PRIMARY KEY REFERENCES page_row(id),"
    " lang TEXT)",
    "CREATE TABLE IF NOT EXISTS host_use(host TEXT PRIMARY KEY, said TEXT) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS judged_row(id INTEGER PRIMARY KEY,"
    " page INTEGER UNIQUE REFERENCES page_row(id), p REAL)",
    "CREATE TABLE IF NOT EXISTS page_topic(page_id INTEGER REFERENCES page_row(id), topic TEXT,"
    " relevance REAL, p REAL, PRIMARY KEY(page_id, topic)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS nature(agent_id INTEGER PRIMARY KEY REFERENCES agent(id),"
    " at INTEGER, told TEXT)",
    "CREATE TABLE IF NOT EXISTS news_row(id INTEGER PRIMARY KEY,"
    " page INTEGER REFERENCES page_row(id), at INTEGER)",
    "CREATE TABLE IF NOT EXISTS outbox(part INTEGER, number INTEGER, at INTEGER, bytes BLOB,"
    " PRIMARY KEY(part, number)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS state_part(id INTEGER PRIMARY KEY, value BLOB)",
    "CREATE TABLE IF NOT EXISTS travel(id INTEGER PRIMARY KEY, agent_id INTEGER REFERENCES"
    " agent(id), at INTEGER, trip INTEGER, came INTEGER, energy REAL)",
    /* The two orders of a ranking: they are small, and kept while the crawl runs, so that a list of
     * the best pages does not read all pages. */
    "CREATE INDEX IF NOT EXISTS page_shown ON page_row(relevance DESC) WHERE NOT hidden AND"
    " dup_of IS NULL",
    "CREATE INDEX IF NOT EXISTS judged_by_p ON judged_row(p DESC)",
    "CREATE VIEW IF NOT EXISTS news AS SELECT n.id AS id, n.at AS at, u.url AS url,"
    " p.title AS title, p.date AS date, p.relevance AS relevance,"
    " CASE WHEN p.version_of IS NULL THEN 'new' ELSE 'changed' END AS change,"
    " p.agent AS agent_id, n.page AS page_id, p.version_of AS version_of"
    " FROM news_row n JOIN page_row p ON p.id = n.page LEFT JOIN url_row u ON u.id = p.url",
};

#define URL_BY_TEXT 0

static const struct {
    const char *name, *on;
} indexes[] = {
    [URL_BY_TEXT] = {"url_by_text", "url_row(url)"},
    {"page_by_url", "page_row(url)"},
    {"page_by_host", "page_row(host)"},
    {"page_by_relevance", "page_row(relevance)"},
    {"outcome_by_url", "outcome_row(url)"},
    {"visit_by_page", "visit(page_id)"},
    {"visit_by_agent", "visit(agent_id)"},
    {"page_by_agent", "page_row(agent, relevance)"},
    {"message_by_conversation", "message(conversation)"},
};

static enum status knows_judgements(sqlite3 *db, bool *ret)
{
    int64_t views = 0;
    enum status st = db_int(db,
                            "SELECT count(*) FROM main.sqlite_schema WHERE name = 'page' AND"
                            " instr(sql, 'judged_row')",
                            &views);

    *ret = views > 0;
    return st;
}

/* The view of an older crawl has no column `p`. */
static enum status renew_view(sqlite3 *db)
{
    bool knows = false;
    enum status st = knows_judgements(db, &knows);

    if (st != ST_OK || knows)
        return st;
    return db_exec(db, "BEGIN IMMEDIATE; DROP VIEW page; " PAGE_VIEW_NOW "; COMMIT");
}

/* Queries use tables that an older crawl does not have. */
static enum status lend_tables(sqlite3 *db)
{
    static const struct {
        const char *name, *columns;
    } newer[] = {
        {"main_row", "page INTEGER PRIMARY KEY, places BLOB"},
        {"declared_row", "page INTEGER PRIMARY KEY, lang TEXT"},
        {"requisite_row", "url INTEGER PRIMARY KEY"},
    };

    for (size_t i = 0; i < ARRAY_LEN(newer); i++) {
        char sql[128];
        int64_t there = 0;

        (void)sqlite3_snprintf((int)sizeof sql, sql,
                               "SELECT count(*) FROM main.sqlite_schema WHERE name = '%s'",
                               newer[i].name);
        TRY(db_int(db, sql, &there));
        if (there == 0)
            TRY(db_execf(db, "PRAGMA temp_store = MEMORY; CREATE TEMP TABLE %s(%s)", newer[i].name,
                         newer[i].columns));
    }
    return ST_OK;
}

enum status schema_read_older(struct sqlite3 *db)
{
    bool knows = false;

    TRY(lend_tables(db));
    TRY(knows_judgements(db, &knows));
    if (knows)
        return ST_OK;
    TRY(db_exec(db, "PRAGMA temp_store = MEMORY;"
                    "CREATE TEMP TABLE judged_row(id INTEGER PRIMARY KEY, page INTEGER UNIQUE,"
                    " p REAL)"));
    return db_exec(db, PAGE_VIEW_OF("CREATE TEMP"));
}

/* A crawl that lacks nothing is not written to: it may lie on read-only media. */
static enum status add_missing(sqlite3 *db)
{
    int64_t reasons = 0;

    for (size_t i = 0; i < ARRAY_LEN(additions); i++)
        TRY(db_exec(db, additions[i]));
    TRY(renew_view(db));
    TRY(db_int(db, "SELECT count(*) FROM reason", &reasons));
    for (enum drop d = DROP_NONE; reasons < DROP_COUNT && d < DROP_COUNT; d++)
        TRY(db_execf(db, "INSERT OR IGNORE INTO reason VALUES(%d, '%s')", (int)d, drop_name(d)));
    return ST_OK;
}

enum status schema_create(struct sqlite3 *db)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        TRY(db_exec(db, tables[i]));
    TRY(add_missing(db));
    return db_execf(db, "INSERT INTO crawl VALUES('schema', '%d')", SCHEMA_VERSION);
}

static enum status read_version(sqlite3 *db, int64_t *ret)
{
    return db_int(db, "SELECT CAST(value AS INTEGER) FROM crawl WHERE key = 'schema'", ret);
}

/* Replaces the declaration of a table by the present one, which has the same columns. */
static enum status declare(sqlite3 *db, const char *sql)
{
    struct str name = str_sub(str_of(sql), strlen("CREATE TABLE "), SIZE_MAX);
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(db,
                                    "UPDATE sqlite_schema SET sql = ?1 WHERE type = 'table' AND"
                                    " name = ?2",
                                    &st);

    name.len = str_find_char(name, '(', 0);
    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(sql));
        db_bind_str(st, 2, name);
        status = db_run(db, st);
    }
    return status;
}

static enum status declare_all(sqlite3 *db)
{
    int64_t cookie = 0;
    enum status st = db_int(db, "PRAGMA schema_version", &cookie);

    if (st == ST_OK)
        st = db_exec(db, "PRAGMA writable_schema = ON");
    for (size_t i = 0; i < ARRAY_LEN(tables) && st == ST_OK; i++)
        if (str_starts(str_of(tables[i]), STR("CREATE TABLE ")))
            st = declare(db, tables[i]);
    if (st == ST_OK) /* so that every connection reads them again */
        st = db_execf(db, "PRAGMA schema_version = %lld", (long long)cookie + 1);
    if (st == ST_OK)
        st = db_execf(db, "UPDATE crawl SET value = '%d' WHERE key = 'schema'", SCHEMA_VERSION);
    return st;
}

/* Drops the index without a trace of the texts' words in the file, because a user may forget pages
 * later. */
static enum status drop_index(sqlite3 *db)
{
    return db_exec(db, "PRAGMA secure_delete = ON; DROP TABLE IF EXISTS page_text;"
                       "DELETE FROM crawl WHERE key = 'indexed'; PRAGMA secure_delete = OFF");
}

/* An anchor is a part of its page's text: its first occurrence is taken. */
static const char join_links[] =
    "DROP VIEW link;" LINKS_TABLE ";"
    "INSERT INTO links_row SELECT page, '[' || group_concat('[' || pos || ',' || url || ',' ||"
    " CASE WHEN at > 0 THEN at - 1 ELSE 0 END || ',' || CASE WHEN at > 0 THEN len ELSE 0 END ||"
    " coalesce(',' || score, '') || ']') || ']' FROM (SELECT l.page AS page, l.pos AS pos, l.url AS"
    " url, l.score AS score, coalesce(instr(CAST(b.text AS BLOB), CAST(l.anchor AS BLOB)), 0) AS "
    "at,"
    " length(CAST(l.anchor AS BLOB)) AS len FROM link_row l LEFT JOIN body b ON b.id = l.page"
    " ORDER BY l.page, l.pos) GROUP BY page;"
    "DROP TABLE link_row;" LINK_VIEW;

static enum status renew_links(sqlite3 *db)
{
    int64_t rows = 0;
    enum status st = db_int(db,
                            "SELECT count(*) FROM sqlite_schema WHERE name = 'link_row' AND type ="
                            " 'table'",
                            &rows);

    return st == ST_OK && rows > 0 ? db_exec(db, join_links) : st;
}

enum status schema_migrate(struct sqlite3 *db)
{
    int64_t version = 0;
    enum status st = read_version(db, &version);

    if (st == ST_OK)
        st = add_missing(db);
    if (st != ST_OK || version >= SCHEMA_VERSION)
        return st;
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL); /* else writing is refused */
    st = db_exec(db, "BEGIN IMMEDIATE");
    if (st == ST_OK)
        st = drop_index(db);
    if (st == ST_OK)
        st = renew_links(db);
    if (st == ST_OK)
        st = declare_all(db);
    if (st == ST_OK)
        st = db_exec(db, "COMMIT");
    if (!sqlite3_get_autocommit(db))
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    (void)sqlite3_exec(db, "PRAGMA writable_schema = RESET", NULL, NULL, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return st;
}

/* The end of a crawl should not wait until the texts of millions of URLs are sorted: then a search
 * for a URL reads them all. */
static enum status is_worth_it(sqlite3 *db, size_t i, bool *ret)
{
    int64_t urls = 0;
    enum status st = i == URL_BY_TEXT ? db_int(db, "SELECT max(id) FROM url_row", &urls) : ST_OK;

    *ret = urls <= LIMIT_URL_INDEX;
    return st;
}

enum status schema_index(struct sqlite3 *db)
{
    enum status st = ST_OK;
    bool is_worth = true;

    for (size_t i = 0; i < ARRAY_LEN(indexes) && st == ST_OK; i++) {
        st = is_worth_it(db, i, &is_worth);
        if (st != ST_OK || !is_worth)
            continue;
        st = db_execf(db, "CREATE INDEX IF NOT EXISTS %s ON %s", indexes[i].name, indexes[i].on);
    }
    return st;
}

enum status schema_unindex(struct sqlite3 *db)
{
    for (size_t i = 0; i < ARRAY_LEN(indexes); i++)
        TRY(db_execf(db, "DROP INDEX IF EXISTS %s", indexes[i].name));
    return ST_OK;
}

/* ---- is everything that a crawl.db declares ours? ---------------------------
 *
 * A trigger, a view, a generated column or an index on an expression runs what its author
 * wrote. So the declarations of a file are compared, word for word, with those made above in
 * an empty database of the same SQLite. A file may lack some of ours (a later table, an index that
 * is made at the end), but it may have no others. Version 1 is version 2 without the references,
 * which are ignored. */

#define ASK(database) "SELECT type, name, tbl_name, sql FROM " database "sqlite_schema"

static const char ask[] = ASK("");

/* PRAGMA optimize makes them; whether the second depends on SQLite's build. */
static const char *const statistics[] = {
    "table sqlite_stat1 sqlite_stat1 CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "table sqlite_stat4 sqlite_stat4 CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
};

/* Declarations of earlier versions. */
static const char *const former[] = {
    "view page page " PAGE_VIEW("CREATE", "", ""),
    "view link link " FORMER_LINK_VIEW,
    "table page_text page_text CREATE VIRTUAL TABLE page_text USING fts5(" FORMER_TEXT_COLUMNS ")",
};

static char *known[LIMIT_DB_SCHEMA];
static size_t nknown;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Appends `sql` without " REFERENCES table(id)". */
static void add_bare(struct buf *out, struct str sql)
{
    const struct str mark = STR(" REFERENCES ");

    for (size_t at; (at = str_find(sql, mark, 0)) != SIZE_MAX;) {
        size_t end = at + mark.len;

        while (end < sql.len && (ascii_is_alpha(sql.ptr[end]) || sql.ptr[end] == '_'))
            end++;
        if (!str_starts(str_sub(sql, end, sql.len), STR("(id)")))
            break;
        buf_add_str(out, str_sub(sql, 0, at));
        sql = str_sub(sql, end + strlen("(id)"), sql.len);
    }
    buf_add_str(out, sql);
}

/* A declaration as one line. */
static enum status put_line(sqlite3_stmt *row, struct buf *out)
{
    buf_clear(out);
    for (int i = 0; i < 3; i++) {
        buf_add_str(out, db_str(row, i));
        buf_add_char(out, ' ');
    }
    add_bare(out, db_str(row, 3));
    return buf_check(out);
}

static enum status learn_rows(sqlite3 *db)
{
    LOCAL_BUF line = BUF_INIT(KIB(8));
    LOCAL_STMT *row = NULL;
    enum status st = db_prepare(db, ask, &row);

    while (st == ST_OK && nknown < LIMIT_DB_SCHEMA && db_row(db, row, &st)) {
        st = put_line(row, &line);
        known[nknown++] = str_dup(buf_str(&line));
    }
    return st;
}

static enum status create_all(sqlite3 *db)
{
    TRY(schema_create(db));
    TRY(schema_index(db));
    return db_exec(db, former_tables);
}

static void learn_from(enum status (*create)(sqlite3 *db))
{
    sqlite3 *db = NULL;
    enum status st = sqlite3_open(":memory:", &db) == SQLITE_OK ? create(db) : ST_IO;

    if (st == ST_OK)
        (void)!learn_rows(db);
    (void)sqlite3_close(db);
}

/* The declarations are collected once in a process. If memory runs out, every file is refused. */
static void learn(void)
{
    learn_from(create_all);
    learn_from(full_text_create);
}

static bool is_known(struct str line)
{
    for (size_t i = 0; i < nknown; i++)
        if (str_eq(line, str_of(known[i])))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(statistics); i++)
        if (str_eq(line, str_of(statistics[i])))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(former); i++)
        if (str_eq(line, str_of(former[i])))
            return true;
    return false;
}

static bool has_table(struct sqlite3 *db, const char *name)
{
    LOCAL_BUF line = BUF_INIT(KIB(8));
    LOCAL_STMT *row = NULL;
    enum status st;
    bool has = false;

    (void)pthread_once(&once, learn);
    st = db_prepare(db, ask, &row);
    while (st == ST_OK && !has && db_row(db, row, &st))
        has = str_eq(db_str(row, 1), str_of(name)) && put_line(row, &line) == ST_OK &&
              is_known(buf_str(&line));
    return has;
}

static enum status check_known(struct sqlite3 *db, const char *sql, const char *file,
                               const char *dir)
{
    LOCAL_BUF line = BUF_INIT(KIB(8));
    LOCAL_STMT *row = NULL;
    enum status st;

    (void)pthread_once(&once, learn);
    st = db_prepare(db, sql, &row);
    while (st == ST_OK && db_row(db, row, &st))
        if (put_line(row, &line) != ST_OK || !is_known(buf_str(&line)))
            st = status_fail(ST_INVALID,
                             "%s is refused: its %s has the %.*s '%.*s', which brood did "
                             "not make",
                             dir, file, STR_ARG(db_str(row, 0)), STR_ARG(db_str(row, 1)));
    return st;
}

enum status schema_check(struct sqlite3 *db, const char *dir)
{
    int64_t version = 0;

    if (!has_table(db, "crawl") && db_needs_writing(sqlite3_errcode(db)))
        return status_fail(ST_IO, "%s cannot be written to, and this command needs that", dir);
    if (!has_table(db, "crawl") || read_version(db, &version) != ST_OK || version == 0)
        return status_fail(ST_CORRUPT, "%s is not a crawl: its crawl.db has no table of ours", dir);
    if (version > SCHEMA_VERSION || version < SCHEMA_OLDEST)
        return status_fail(ST_INVALID,
                           "%s was written by %s version of brood (schema %lld; this one reads %d "
                           "to %d)",
                           dir, version > SCHEMA_VERSION ? "a newer" : "an older",
                           (long long)version, SCHEMA_OLDEST, SCHEMA_VERSION);
    return check_known(db, ask, "crawl.db", dir);
}

enum status schema_check_index(struct sqlite3 *db, const char *name, const char *dir)
{
    char sql[128];

    (void)sqlite3_snprintf((int)sizeof sql, sql, ASK("%s."), name);
    return check_known(db, sql, "index.db", dir);
}
