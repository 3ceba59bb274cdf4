/* check.c - do database, index and archive agree?
 *
 * The rules of the database are a table of queries, each giving the rows that
 * break one, with the statement that mends it. Then the index against the
 * text, then every WARC file record by record against the rows that point into
 * it (check_archive.c).
 * SPDX-License-Identifier: MIT */
#include "store/write/check.h"

#include "base/mem.h"
#include "base/os/dir.h"
#include "store/archive.h"
#include "store/write/check_int.h"
#include "store/write/index.h"
#include "store/write/tally.h"

#define SHOWN 20 /* issues of one rule that are reported one by one */

static const char *const kinds[] = {
    [CHECK_DATABASE] = "database", [CHECK_REFERENCE] = "reference", [CHECK_COUNT] = "count",
    [CHECK_INDEX] = "index",       [CHECK_FILE] = "file",           [CHECK_RECORD] = "record",
    [CHECK_DIGEST] = "digest",     [CHECK_ORPHAN] = "orphan",
};

const char *check_kind_name(enum check_kind kind)
{
    return kind < ARRAY_LEN(kinds) ? kinds[kind] : "unknown";
}

void check_tell(struct check *c, enum check_kind kind, bool mendable, bool mended, const char *fmt,
                ...)
{
    struct buf text = BUF_INIT(4096);
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    c->result.issues++;
    c->result.mended += mended;
    if (c->fn)
        c->fn(c->ctx, &(struct check_issue){kind, buf_str(&text), mendable, mended});
    buf_free(&text);
}

/* ---- the database -------------------------------------------------------- */

static enum status check_integrity(struct check *c)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(c->db, "PRAGMA integrity_check(20)", &st);

    while (status == ST_OK && db_row(c->db, st, &status))
        if (!str_eq(db_str(st, 0), STR("ok")))
            check_tell(c, CHECK_DATABASE, false, false, "crawl.db: %.*s", STR_ARG(db_str(st, 0)));
    (void)sqlite3_finalize(st);
    return status;
}

/* `broken` gives one sentence a row; `mend` repairs all of them. */
static const struct check_rule {
    enum check_kind kind;
    const char *broken, *mend;
} rules[] = {
    {CHECK_REFERENCE,
     "SELECT 'page ' || id || ' has no URL' FROM page_row"
     " WHERE url NOT IN (SELECT id FROM url_row)",
     NULL},
    {CHECK_REFERENCE,
     "SELECT 'URL ' || url || ' names page ' || page || ', which is not there' FROM fate"
     " WHERE page > 0 AND page NOT IN (SELECT id FROM page_row)",
     "DELETE FROM fate WHERE page > 0 AND page NOT IN (SELECT id FROM page_row)"},
    {CHECK_REFERENCE,
     "SELECT 'page ' || p.id || ' is not what its URL names' FROM page_row p"
     " LEFT JOIN fate f ON f.url = p.url WHERE f.page IS NULL OR f.page = 0",
     "INSERT OR REPLACE INTO fate SELECT url, 2, 0, max(id) FROM page_row WHERE url NOT IN"
     " (SELECT url FROM fate WHERE page > 0) GROUP BY url"},
    {CHECK_DATABASE,
     "SELECT 'links of page ' || page || ' cannot be read' FROM links_row"
     " WHERE NOT links_sound(links)",
     "DELETE FROM links_row WHERE NOT links_sound(links)"},
    {CHECK_REFERENCE,
     "SELECT 'link ' || pos || ' of page ' || page || ' leads to URL ' || url ||"
     " ', which is not there' FROM (SELECT l.* FROM links_row s CROSS JOIN link_row l ON l.page ="
     " s.page WHERE links_sound(s.links)) WHERE url NOT IN (SELECT id FROM url_row)",
     "UPDATE links_row SET links = (SELECT json_group_array(json(e.value)) FROM json_each(links) e"
     " WHERE json_extract(e.value, '$[1]') IN (SELECT id FROM url_row)) WHERE page IN (SELECT page"
     " FROM link_row WHERE url NOT IN (SELECT id FROM url_row))"},
    {CHECK_REFERENCE,
     "SELECT 'links of page ' || page || ', which is not there' FROM links_row"
     " WHERE page NOT IN (SELECT id FROM page_row)",
     "DELETE FROM links_row WHERE page NOT IN (SELECT id FROM page_row)"},
    {CHECK_REFERENCE,
     "SELECT 'text of page ' || id || ', which is not there' FROM body"
     " WHERE id NOT IN (SELECT id FROM page_row)",
     "DELETE FROM body WHERE id NOT IN (SELECT id FROM page_row)"},
    {CHECK_REFERENCE,
     "SELECT 'page ' || id || ' is not hidden and has no text' FROM page_row"
     " WHERE NOT hidden AND id NOT IN (SELECT id FROM body)",
     NULL},
    {CHECK_REFERENCE,
     "SELECT 'page ' || id || ' is in WARC file ' || warc || ', which is not named' FROM page_row"
     " WHERE warc IS NOT NULL AND warc NOT IN (SELECT id FROM warc)",
     "UPDATE page_row SET warc = NULL, warc_offset = NULL, warc_length = NULL"
     " WHERE warc NOT IN (SELECT id FROM warc)"},
    {CHECK_REFERENCE,
     "SELECT 'answer ' || id || ' is in WARC file ' || warc || ', which is not named'"
     " FROM outcome_row WHERE warc IS NOT NULL AND warc NOT IN (SELECT id FROM warc)",
     "UPDATE outcome_row SET warc = NULL, warc_offset = NULL, warc_length = NULL"
     " WHERE warc NOT IN (SELECT id FROM warc)"},
    {CHECK_REFERENCE,
     "SELECT 'resource ' || id || ' is in WARC file ' || warc || ', which is not named'"
     " FROM resource_row WHERE warc IS NOT NULL AND warc NOT IN (SELECT id FROM warc)",
     "UPDATE resource_row SET warc = NULL, warc_offset = NULL, warc_length = NULL"
     " WHERE warc NOT IN (SELECT id FROM warc)"},
    {CHECK_REFERENCE,
     "SELECT 'the fate of URL ' || url || ', which is not there' FROM fate"
     " WHERE url NOT IN (SELECT id FROM url_row)",
     "DELETE FROM fate WHERE url NOT IN (SELECT id FROM url_row)"},
    {CHECK_REFERENCE,
     "SELECT 'answer ' || id || ' of URL ' || url || ', which is not there' FROM outcome_row"
     " WHERE url NOT IN (SELECT id FROM url_row)",
     NULL},
    {CHECK_REFERENCE,
     "SELECT 'page ' || id || ' repeats page ' || dup_of || ', which is not there' FROM page_row"
     " WHERE dup_of > 0 AND dup_of NOT IN (SELECT id FROM page_row)",
     "UPDATE page_row SET dup_of = NULL, exact = 0 WHERE dup_of NOT IN (SELECT id FROM page_row)"},
    {CHECK_REFERENCE,
     "SELECT 'agent ' || id || ' is a child of ' || parent_id || ', which is not there or younger'"
     " FROM agent WHERE (parent_id >= id OR parent_id NOT IN (SELECT id FROM agent))"
     " AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'travel')",
     NULL},
    {CHECK_REFERENCE,
     "SELECT 'visits of agent ' || agent_id || ', which is not there' FROM visit"
     " WHERE agent_id NOT IN (SELECT id FROM agent) GROUP BY agent_id",
     NULL},
    {CHECK_COUNT,
     "SELECT count(*) || ' agents are called ' || name FROM agent GROUP BY name"
     " HAVING count(*) > 1",
     NULL},
    {CHECK_COUNT,
     "SELECT 'URL ' || url || ' has ' || count(*) || ' pages that are no versions of each other'"
     " FROM page_row WHERE version_of IS NULL GROUP BY url HAVING count(*) > 1",
     NULL},
    {CHECK_COUNT,
     "SELECT 'the crawl counts ' || value || ' pages, ' || n || ' are there' FROM crawl,"
     " (SELECT count(*) + (SELECT coalesce(sum(pages), 0) FROM forgotten) AS n FROM page_row)"
     " WHERE key = 'pages' AND CAST(value AS INTEGER) <> n",
     "UPDATE crawl SET value = (SELECT CAST(count(*) + (SELECT coalesce(sum(pages), 0)"
     " FROM forgotten) AS TEXT) FROM page_row) WHERE key = 'pages'"},
};

/* Tables that came later: an older crawl need not have them. */
static const struct {
    const char *table;
    struct check_rule rule;
} later_rules[] = {
    {"main_row",
     {CHECK_REFERENCE,
      "SELECT 'main text of page ' || page || ', which is not there' FROM main_row"
      " WHERE page NOT IN (SELECT id FROM page_row)",
      "DELETE FROM main_row WHERE page NOT IN (SELECT id FROM page_row)"}},
    {"judged_row",
     {CHECK_REFERENCE,
      "SELECT 'verdict on page ' || page || ', which is not there' FROM judged_row"
      " WHERE page NOT IN (SELECT id FROM page_row)",
      "DELETE FROM judged_row WHERE page NOT IN (SELECT id FROM page_row)"}},
    {"use_row",
     {CHECK_REFERENCE,
      "SELECT 'wish for the use of page ' || page || ', which is not there' FROM use_row"
      " WHERE page NOT IN (SELECT id FROM page_row)",
      "DELETE FROM use_row WHERE page NOT IN (SELECT id FROM page_row)"}},
    {"travel", /* the parents of those who came may have stayed on another machine */
     {CHECK_REFERENCE,
      "SELECT 'agent ' || a.id || ' is a child of ' || a.parent_id || ', which is not there or"
      " younger' FROM agent a LEFT JOIN agent p ON p.id = a.parent_id WHERE a.parent_id > 0 AND"
      " (p.generation >= a.generation OR (a.parent_id >= a.id AND NOT EXISTS (SELECT 1 FROM"
      " travel)) OR (p.id IS NULL AND a.id NOT IN (SELECT agent_id FROM"
      " travel WHERE came)))",
      NULL}},
    {"declared_row",
     {CHECK_REFERENCE,
      "SELECT 'language of page ' || page || ', which is not there' FROM declared_row"
      " WHERE page NOT IN (SELECT id FROM page_row)",
      "DELETE FROM declared_row WHERE page NOT IN (SELECT id FROM page_row)"}},
    {"page_topic",
     {CHECK_REFERENCE,
      "SELECT 'topic of page ' || page_id || ', which is not there' FROM page_topic"
      " WHERE page_id NOT IN (SELECT id FROM page_row)",
      "DELETE FROM page_topic WHERE page_id NOT IN (SELECT id FROM page_row)"}},
};

static bool has_table(struct check *c, const char *name)
{
    return sqlite3_table_column_metadata(c->db, NULL, name, NULL, NULL, NULL, NULL, NULL, NULL) ==
           SQLITE_OK;
}

static enum status check_rule(struct check *c, const struct check_rule *rule)
{
    sqlite3_stmt *st = NULL;
    uint64_t found = 0;
    bool mend = c->mend && rule->mend;
    enum status status = db_prepare(c->db, rule->broken, &st);

    while (status == ST_OK && db_row(c->db, st, &status)) {
        if (++found <= SHOWN)
            check_tell(c, rule->kind, rule->mend != NULL, mend, "%.*s", STR_ARG(db_str(st, 0)));
    }
    (void)sqlite3_finalize(st);
    if (found > SHOWN) {
        check_tell(c, rule->kind, rule->mend != NULL, mend, "and %llu more of this kind",
                   (unsigned long long)(found - SHOWN));
    }
    if (status == ST_OK && found && mend)
        status = db_exec(c->db, rule->mend);
    if (status == ST_OK && found && mend)
        status = db_exec(c->db, "DELETE FROM crawl WHERE key = '" TALLY_KEY "'");
    return status;
}

static enum status check_database(struct check *c)
{
    int64_t pages = 0;
    enum status st = check_integrity(c);

    for (size_t i = 0; i < ARRAY_LEN(rules) && st == ST_OK; i++)
        st = check_rule(c, &rules[i]);
    for (size_t i = 0; i < ARRAY_LEN(later_rules) && st == ST_OK; i++)
        if (has_table(c, later_rules[i].table))
            st = check_rule(c, &later_rules[i].rule);
    if (st == ST_OK)
        st = db_int(c->db, "SELECT count(*) FROM page_row", &pages);
    c->result.pages = (uint64_t)pages;
    return st;
}

/* ---- the index ----------------------------------------------------------- */

/* The index is complete for what it claims: pages that are to be indexed later
 * are no disagreement. */
static enum status check_index(struct check *c)
{
    struct index *index = NULL;
    enum status st = index_open(c->dir, &index);

    if (st == ST_OK)
        st = index_check(index, &c->result.unindexed);
    if (st == ST_CORRUPT && index) {
        check_tell(c, CHECK_INDEX, true, c->mend, "the full-text index differs from the text");
        if (c->mend)
            c->result.unindexed = 0;
        st = c->mend ? index_rebuild(index, NULL, NULL) : ST_OK;
    }
    index_close(index);
    return st;
}

enum status check_run(const char *dir, bool mend, check_fn *fn, void *ctx, struct check_result *ret)
{
    struct check c = {.dir = dir, .mend = mend, .fn = fn, .ctx = ctx};
    uint32_t removed = 0;
    LOCAL_FD lock = -1;
    enum status st = db_lock(dir, &lock);

    if (st == ST_OK)
        st = db_open_writer(dir, &c.db);
    if (st == ST_OK && mend)
        st = archive_sweep(dir, c.db, &removed);
    if (st == ST_OK)
        st = check_database(&c);
    if (st == ST_OK)
        st = check_index(&c);
    if (st == ST_OK)
        st = check_archive(&c);
    (void)sqlite3_close(c.db);
    if (st == ST_OK)
        *ret = c.result;
    return st;
}
