/* forget.c - removes a page or a host from database, index and archive.
 *
 *   1. temp tables of the numbers that go (URLs, pages, resources)
 *   2. every WARC file with a record of them is copied without those records
 *   3. one transaction: rows deleted, offsets moved, files renamed in the
 *      table, the old names noted as garbage; it is on the disk when it returns
 *   4. old files removed, index merged, WAL emptied: nothing is left in them
 *
 * Whatever happens before the commit of 3 changes nothing; after it, the old
 * files are garbage for archive_sweep(). SPDX-License-Identifier: MIT */
#include "store/write/forget.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "flow.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "store/archive.h"
#include "store/db.h"
#include "store/write/index.h"
#include "store/read/query.h"
#include "store/write/warc_drop.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct forget {
    const char *dir;
    sqlite3 *db;
    struct str host;          /* empty: one URL */
    uint64_t key;             /* of that URL */
    struct warc_drop **files; /* being written anew */
    size_t nfiles, cap;
    struct forget_result result;
};

/* ---- 1: what goes -------------------------------------------------------- */

static struct str host_of(struct str url)
{
    struct str scheme, host, path;
    uint16_t port;

    url_split(url, &scheme, &host, &port, &path);
    return host;
}

static bool is_gone(void *ctx, struct str url)
{
    const struct forget *f = ctx;

    return f->host.len ? str_eq_i(host_of(url), f->host) : url_key(url) == f->key;
}

/* Puts the ids of a table whose URL goes into a temp table. */
static enum status gather(struct forget *f, const char *select, const char *insert)
{
    sqlite3_stmt *from = NULL, *to = NULL;
    enum status st = db_prepare(f->db, select, &from);

    if (st == ST_OK)
        st = db_prepare(f->db, insert, &to);
    while (st == ST_OK && db_row(f->db, from, &st)) {
        if (!is_gone(f, db_str(from, 1)))
            continue;
        (void)sqlite3_bind_int64(to, 1, sqlite3_column_int64(from, 0));
        st = db_run(f->db, to);
    }
    (void)sqlite3_finalize(from);
    (void)sqlite3_finalize(to);
    return st;
}

static enum status gather_all(struct forget *f)
{
    int64_t urls = 0, pages = 0;
    enum status st = db_exec(f->db, "CREATE TEMP TABLE gone(id INTEGER PRIMARY KEY);"
                                    "CREATE TEMP TABLE gone_page(id INTEGER PRIMARY KEY);"
                                    "CREATE TEMP TABLE gone_resource(id INTEGER PRIMARY KEY)");

    if (st == ST_OK)
        st = gather(f, "SELECT id, url FROM url_row", "INSERT OR IGNORE INTO gone VALUES(?)");
    if (st == ST_OK)
        st = gather(f, "SELECT id, url FROM resource_row",
                    "INSERT OR IGNORE INTO gone_resource VALUES(?)");
    if (st == ST_OK)
        st = db_exec(f->db, "INSERT INTO gone_page SELECT id FROM page_row WHERE url IN gone");
    if (st == ST_OK)
        st = db_int(f->db, "SELECT count(*) FROM gone", &urls);
    if (st == ST_OK)
        st = db_int(f->db, "SELECT count(*) FROM gone_page", &pages);
    f->result.urls = (uint64_t)urls;
    f->result.pages = (uint64_t)pages;
    return st;
}

/* ---- 2: files ------------------------------------------------------------ */

#define FILES_SQL                                                                        \
    "SELECT id, name FROM warc WHERE id IN (SELECT warc FROM page_row WHERE url IN gone" \
    " UNION SELECT warc FROM outcome_row WHERE url IN gone"                              \
    " UNION SELECT warc FROM resource_row WHERE id IN gone_resource) ORDER BY id"

static enum status rewrite_files(struct forget *f)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(f->db, FILES_SQL, &st);

    while (status == ST_OK && db_row(f->db, st, &status)) {
        MEM_GROW(f->files, f->nfiles, &f->cap);
        f->files[f->nfiles] = NULL;
        status = warc_drop_run(f->dir, (uint32_t)sqlite3_column_int64(st, 0), db_str(st, 1),
                               is_gone, f, &f->files[f->nfiles]);
        if (status == ST_OK)
            f->result.records += warc_drop_count(f->files[f->nfiles++]);
    }
    (void)sqlite3_finalize(st);
    f->result.files = f->nfiles;
    return status;
}

/* ---- 3: rows ------------------------------------------------------------- */

static enum status remove_from_index(struct forget *f)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(f->db, "SELECT id FROM gone_page", &st);

    while (status == ST_OK && db_row(f->db, st, &status))
        status = index_remove(f->db, (uint32_t)sqlite3_column_int64(st, 0));
    (void)sqlite3_finalize(st);
    return status;
}

static const char *const deletes[] = {
    "DELETE FROM label WHERE url IN (SELECT url FROM url_row WHERE id IN gone)",
    "DELETE FROM news_row WHERE page IN gone_page",
    "DELETE FROM body WHERE id IN gone_page",
    "DELETE FROM link_row WHERE page IN gone_page",
    "DELETE FROM page_row WHERE id IN gone_page",
    "DELETE FROM outcome_row WHERE url IN gone",
    "DELETE FROM resource_row WHERE id IN gone_resource",
    "DELETE FROM drop_row WHERE url_id IN gone",
    "UPDATE page_row SET dup_of = NULL, exact = 0 WHERE dup_of IN gone_page",
    "UPDATE page_row SET version_of = NULL WHERE version_of IN gone_page",
};

/* Offsets behind a record that went move to the left. */
static enum status move_offsets(struct forget *f, const char *table, const struct warc_drop *d)
{
    sqlite3_stmt *from = NULL, *to = NULL;
    char sql[160];
    enum status st;

    (void)snprintf(sql, sizeof sql, "SELECT id, warc_offset FROM %s WHERE warc = %u", table,
                   warc_drop_file(d));
    st = db_prepare(f->db, sql, &from);
    (void)snprintf(sql, sizeof sql, "UPDATE %s SET warc_offset = ?2 WHERE id = ?1", table);
    if (st == ST_OK)
        st = db_prepare(f->db, sql, &to);
    while (st == ST_OK && db_row(f->db, from, &st)) {
        uint64_t old = (uint64_t)sqlite3_column_int64(from, 1);

        (void)sqlite3_bind_int64(to, 1, sqlite3_column_int64(from, 0));
        (void)sqlite3_bind_int64(to, 2, (int64_t)warc_drop_moved(d, old));
        st = db_run(f->db, to);
    }
    (void)sqlite3_finalize(from);
    (void)sqlite3_finalize(to);
    return st;
}

static enum status switch_file(struct forget *f, const struct warc_drop *d)
{
    static const char *const tables[] = {"page_row", "outcome_row", "resource_row"};
    enum status st = db_execf(f->db,
                              "INSERT OR IGNORE INTO garbage SELECT name FROM warc WHERE id = %u;"
                              "UPDATE warc SET name = '%s', length = %llu WHERE id = %u",
                              warc_drop_file(d), warc_drop_name(d),
                              (unsigned long long)warc_drop_length(d), warc_drop_file(d));

    for (size_t i = 0; i < ARRAY_LEN(tables) && st == ST_OK; i++)
        st = move_offsets(f, tables[i], d);
    return st;
}

static enum status note(struct forget *f, struct str what, int64_t now)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        db_prepare(f->db, "INSERT INTO forgotten(at, what, pages) VALUES(?,?,?)", &st);

    if (status == ST_OK) {
        (void)sqlite3_bind_int64(st, 1, now);
        db_bind_str(st, 2, what);
        (void)sqlite3_bind_int64(st, 3, (int64_t)f->result.pages);
        status = db_run(f->db, st);
    }
    (void)sqlite3_finalize(st);
    return status;
}

static enum status remove_rows(struct forget *f, struct str what, int64_t now)
{
    enum status st = db_exec(f->db, "BEGIN IMMEDIATE");

    if (st == ST_OK)
        st = remove_from_index(f);
    for (size_t i = 0; i < ARRAY_LEN(deletes) && st == ST_OK; i++)
        st = db_exec(f->db, deletes[i]);
    if (st == ST_OK)
        st = db_execf(f->db, "INSERT OR REPLACE INTO fate SELECT id, %d, %d, 0 FROM gone", URL_GONE,
                      DROP_FORGOTTEN);
    for (size_t i = 0; i < f->nfiles && st == ST_OK; i++)
        st = switch_file(f, f->files[i]);
    if (st == ST_OK)
        st = note(f, what, now);
    if (st == ST_OK)
        st = db_exec(f->db, "COMMIT");
    if (st != ST_OK && !sqlite3_get_autocommit(f->db))
        (void)sqlite3_exec(f->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

/* ---- all ----------------------------------------------------------------- */

/* A URL of the crawl, or a host. */
static enum status understand(struct forget *f, struct str what, struct buf *host)
{
    struct query *q = NULL;
    uint32_t id = 0;
    enum status st = query_open(f->dir, &q);

    if (st != ST_OK)
        return st;
    if (str_find_char(what, '/', 0) == SIZE_MAX) {
        buf_add_str(host, what);
        f->host = buf_str(host);
    } else {
        st = query_find(q, what, &id);
    }
    query_close(q);
    if (st == ST_OK && id) {
        sqlite3_stmt *row = NULL;

        st = db_prepare(f->db, "SELECT url FROM url_row WHERE id = ?", &row);
        if (st == ST_OK)
            (void)sqlite3_bind_int64(row, 1, id);
        if (st == ST_OK && db_row(f->db, row, &st))
            f->key = url_key(db_str(row, 0));
        (void)sqlite3_finalize(row);
    }
    return st;
}

static enum status forget_open(struct forget *f, struct str what, struct buf *host)
{
    uint32_t removed;
    enum status st = db_open_writer(f->dir, &f->db);

    if (st == ST_OK)
        st = db_exec(f->db, "PRAGMA secure_delete = ON");
    if (st == ST_OK)
        st = archive_sweep(f->dir, f->db, &removed);
    if (st == ST_OK)
        st = understand(f, what, host);
    if (st == ST_OK)
        st = gather_all(f);
    if (st == ST_OK && f->result.urls == 0)
        st = status_fail(ST_MISSING, "this crawl knows no URL of the host %.*s", STR_ARG(what));
    return st;
}

/* Terms of removed pages stay in the index's old segments until they are
 * merged, and removed rows in the WAL until it is emptied. */
static enum status wipe_traces(struct forget *f)
{
    uint32_t removed;
    enum status st = archive_sweep(f->dir, f->db, &removed);

    if (st == ST_OK)
        st = db_exec(f->db, "INSERT INTO page_text(page_text) VALUES('optimize')");
    if (st == ST_OK)
        st = db_exec(f->db, "PRAGMA wal_checkpoint(TRUNCATE)");
    return st;
}

enum status forget_run(const char *dir, struct str what, int64_t now, struct forget_result *ret)
{
    struct forget f = {.dir = dir};
    struct buf host = BUF_INIT(LIMIT_URL);
    int lock = -1;
    bool switched = false;
    enum status st = db_lock(dir, &lock);

    what = str_trim(what);
    if (st == ST_OK && what.len == 0)
        st = status_fail(ST_USAGE, "there is no URL and no host to forget");
    if (st == ST_OK)
        st = forget_open(&f, what, &host);
    if (st == ST_OK)
        st = rewrite_files(&f);
    if (st == ST_OK) {
        st = remove_rows(&f, what, now);
        switched = st == ST_OK;
    }
    if (st == ST_OK)
        st = wipe_traces(&f);
    for (size_t i = 0; i < f.nfiles; i++)
        warc_drop_free(f.files[i], switched);
    free(f.files);
    buf_free(&host);
    (void)sqlite3_close(f.db);
    if (lock >= 0)
        (void)close(lock);
    if (st == ST_OK)
        *ret = f.result;
    return st;
}
