/* forget.c - removes a page or a host from database, index and archive.
 *
 *   1. temp tables of the numbers that go (URLs, pages, resources)
 *   2. every WARC file with a record of them is copied without those records
 *   3. one transaction: rows deleted, offsets moved, files renamed in the
 *      table, the old names noted as garbage; it is on the disk when it returns
 *   4. old files removed, index merged, WAL emptied: nothing is left in them
 *
 * A failure before the commit of 3 changes nothing; after it, the old files are garbage for
 * archive_sweep(). SPDX-License-Identifier: MIT */
#include "store/write/forget.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/dir.h"
#include "base/search.h"
#include "base/status.h"
#include "base/str.h"
#include "flow.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "store/archive.h"
#include "store/db.h"
#include "store/read/query.h"
#include "store/warc_file.h"
#include "store/write/index.h"
#include "store/write/tally.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- a WARC file without some of its records --------------------------------
 *
 * The old file stays as it is; the copy is beside it under another name ("…-f1.warc.gz", open until
 * archive_sweep() finds it in the database) and is on the disk when warc_drop_run() returns. Bytes
 * that are not records (damage) are copied as they are. */

typedef bool warc_drop_fn(void *ctx, struct str target);

/* Bytes [from, to) go; `before` bytes went with the intervals before it. */
struct interval {
    uint64_t from, to, before;
};

struct warc_drop {
    int folder; /* DIR/warc */
    uint32_t file;
    char name[128];  /* of the copy */
    uint64_t length; /* of the copy */
    struct interval *gone;
    size_t count, cap;
};

/* Returns the new offset of a record that was at `old`. */
static uint64_t warc_drop_moved(const struct warc_drop *d, uint64_t old)
{
    const struct interval *last;
    size_t first;

    FIND_FIRST(first, 0, d->count, d->gone[first].from >= old);
    if (first == 0)
        return old;
    last = &d->gone[first - 1];
    return old - last->before - (last->to - last->from);
}

/* "x.warc.gz" -> "x-f1.warc.gz" -> "x-f2.warc.gz" */
static void next_name(struct str name, char *ret, size_t size)
{
    struct str stem = str_ends(name, STR(".warc.gz")) ? str_sub(name, 0, name.len - 8) : name;
    size_t at = stem.len;
    uint64_t turn = 0;

    while (at > 0 && ascii_is_digit(stem.ptr[at - 1]))
        at--;
    if (at >= 2 && str_eq(str_sub(stem, at - 2, at), STR("-f")) &&
        str_to_u64(str_sub(stem, at, stem.len), &turn))
        stem.len = at - 2;
    (void)snprintf(ret, size, "%.*s-f%llu.warc.gz", STR_ARG(stem), (unsigned long long)turn + 1);
}

static void add_interval(struct warc_drop *d, uint64_t from, uint64_t length)
{
    uint64_t before = 0;

    if (d->count) {
        const struct interval *last = &d->gone[d->count - 1];

        before = last->before + (last->to - last->from);
    }
    MEM_GROW(d->gone, d->count, &d->cap);
    d->gone[d->count++] = (struct interval){from, from + length, before};
}

static enum status find_gone(struct warc_drop *d, const char *dir, struct str name,
                             warc_drop_fn *is_gone, void *ctx)
{
    struct warc_reader *r = NULL;
    struct warc_record rec;
    enum status st = archive_open(dir, name, &r);

    if (st != ST_OK)
        return st;
    for (;;) {
        st = warc_next(r, &rec);
        if (st == ST_MISSING || st == ST_IO || (st != ST_OK && warc_resync(r) != ST_OK))
            break;
        if (st != ST_OK)
            continue;
        if (rec.target.len && rec.length && is_gone(ctx, rec.target))
            add_interval(d, rec.offset, rec.length);
        warc_record_free(&rec);
    }
    warc_close(r);
    return st == ST_IO ? st : ST_OK; /* a record that cannot be read may be one to remove */
}

static bool write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

/* Copies [from, to); to = UINT64_MAX: up to the end. */
static bool copy_range(struct warc_drop *d, int in, int out, char *piece, uint64_t from,
                       uint64_t to)
{
    while (from < to) {
        size_t want = to - from < MIB(1) ? (size_t)(to - from) : MIB(1);
        ssize_t n = pread(in, piece, want, (off_t)from);

        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            return to == UINT64_MAX;
        if (n < 0 || !write_all(out, piece, (size_t)n))
            return false;
        from += (uint64_t)n;
        d->length += (uint64_t)n;
    }
    return true;
}

static enum status copy_pieces(struct warc_drop *d, int in, int out)
{
    LOCAL_HEAP char *piece = mem_alloc(MIB(1));
    uint64_t at = 0;
    bool ok = true;

    for (size_t i = 0; i < d->count && ok; i++) {
        ok = copy_range(d, in, out, piece, at, d->gone[i].from);
        at = d->gone[i].to;
    }
    ok = ok && copy_range(d, in, out, piece, at, UINT64_MAX) && fsync(out) == 0;
    return ok ? ST_OK : status_fail(ST_IO, "%s cannot be written: %s", d->name, strerror(errno));
}

static enum status copy_rest(struct warc_drop *d, struct str name)
{
    LOCAL_FD in = -1, out = -1;

    TRY(warc_file_open(d->folder, name, O_RDONLY, &in));
    TRY(warc_file_begin(d->folder, str_of(d->name), &out));
    TRY(copy_pieces(d, in, out));
    return dir_sync(d->folder);
}

/* Keeps the message of the failure that led here; there may be no copy yet. */
static void remove_copy(struct warc_drop *d)
{
    LOCAL_BUF said = BUF_INIT(KIB(4));

    buf_add_z(&said, status_text());
    (void)!warc_file_remove(d->folder, str_of(d->name));
    (void)status_fail(ST_IO, "%.*s", STR_ARG(buf_str(&said)));
}

/* Removes the copy again unless it is kept. */
static void warc_drop_free(struct warc_drop *d, bool keep)
{
    if (d == NULL)
        return;
    if (!keep && d->name[0])
        remove_copy(d);
    if (d->folder >= 0)
        (void)close(d->folder);
    free(d->gone);
    free(d);
}

/* Drops the records for whose WARC-Target-URI `is_gone` returns true. */
static enum status warc_drop_run(const char *dir, uint32_t file, struct str name,
                                 warc_drop_fn *is_gone, void *ctx, struct warc_drop **ret)
{
    struct warc_drop *d = MEM_NEW(struct warc_drop);
    enum status st;

    d->folder = -1;
    d->file = file;
    st = find_gone(d, dir, name, is_gone, ctx); /* checks the name, too */
    if (st == ST_OK)
        st = warc_folder(dir, false, &d->folder);
    if (st == ST_OK) {
        next_name(name, d->name, sizeof d->name);
        st = copy_rest(d, name);
    }
    if (st == ST_OK)
        *ret = d;
    else
        warc_drop_free(d, false);
    return st;
}

/* ---- forgetting ----------------------------------------------------------- */

struct forget {
    const char *dir;
    sqlite3 *db;
    struct str host;          /* empty: one URL */
    uint64_t key;             /* of that URL */
    struct index *index;      /* NULL: nothing was taken out of it yet */
    struct warc_drop **files; /* being written again */
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

/* Puts the ids of a table's rows whose URL is removed into a temporary table. */
static enum status gather(struct forget *f, const char *select, const char *insert)
{
    LOCAL_STMT *from = NULL, *to = NULL;
    enum status st = ST_OK;

    TRY(db_prepare(f->db, select, &from));
    TRY(db_prepare(f->db, insert, &to));
    while (st == ST_OK && db_row(f->db, from, &st)) {
        if (!is_gone(f, db_str(from, 1)))
            continue;
        (void)sqlite3_bind_int64(to, 1, sqlite3_column_int64(from, 0));
        st = db_run(f->db, to);
    }
    return st;
}

static enum status gather_all(struct forget *f)
{
    int64_t urls = 0, pages = 0;

    TRY(db_exec(f->db, "CREATE TEMP TABLE gone(id INTEGER PRIMARY KEY);"
                       "CREATE TEMP TABLE gone_page(id INTEGER PRIMARY KEY);"
                       "CREATE TEMP TABLE gone_resource(id INTEGER PRIMARY KEY)"));
    TRY(gather(f, "SELECT id, url FROM url_row", "INSERT OR IGNORE INTO gone VALUES(?)"));
    TRY(gather(f, "SELECT id, url FROM resource_row",
               "INSERT OR IGNORE INTO gone_resource VALUES(?)"));
    TRY(db_exec(f->db, "INSERT INTO gone_page SELECT id FROM page_row WHERE url IN gone"));
    TRY(db_int(f->db, "SELECT count(*) FROM gone", &urls));
    TRY(db_int(f->db, "SELECT count(*) FROM gone_page", &pages));
    f->result.urls = (uint64_t)urls;
    f->result.pages = (uint64_t)pages;
    return ST_OK;
}

/* ---- 2: files ------------------------------------------------------------ */

#define FILES_SQL                                                                        \
    "SELECT id, name FROM warc WHERE id IN (SELECT warc FROM page_row WHERE url IN gone" \
    " UNION SELECT warc FROM outcome_row WHERE url IN gone"                              \
    " UNION SELECT warc FROM resource_row WHERE id IN gone_resource) ORDER BY id"

static enum status rewrite_files(struct forget *f)
{
    LOCAL_STMT *st = NULL;
    enum status status = ST_OK;

    TRY(db_prepare(f->db, FILES_SQL, &st));
    while (status == ST_OK && db_row(f->db, st, &status)) {
        MEM_GROW(f->files, f->nfiles, &f->cap);
        f->files[f->nfiles] = NULL;
        status = warc_drop_run(f->dir, (uint32_t)sqlite3_column_int64(st, 0), db_str(st, 1),
                               is_gone, f, &f->files[f->nfiles]);
        if (status == ST_OK)
            f->result.records += f->files[f->nfiles++]->count;
    }
    f->result.files = f->nfiles;
    return status;
}

/* ---- 3: rows ------------------------------------------------------------- */

/* Called before the rows are removed, because the index needs the texts. */
static enum status remove_from_index(struct forget *f)
{
    LOCAL_STMT *st = NULL;
    enum status status = ST_OK;

    TRY(index_open(f->dir, &f->index));
    TRY(index_remove_begin(f->index));
    TRY(db_prepare(f->db, "SELECT id FROM gone_page", &st));
    while (status == ST_OK && db_row(f->db, st, &status))
        status = index_remove(f->index, (uint32_t)sqlite3_column_int64(st, 0));
    return status == ST_OK ? index_remove_end(f->index) : status;
}

static const char *const deletes[] = {
    "DELETE FROM crawl WHERE key = '" TALLY_KEY "'",
    "DELETE FROM label WHERE url IN (SELECT url FROM url_row WHERE id IN gone)",
    "DELETE FROM news_row WHERE page IN gone_page",
    "DELETE FROM judged_row WHERE page IN gone_page",
    "DELETE FROM body WHERE id IN gone_page",
    "DELETE FROM main_row WHERE page IN gone_page",
    "DELETE FROM use_row WHERE page IN gone_page",
    "DELETE FROM declared_row WHERE page IN gone_page",
    "DELETE FROM page_topic WHERE page_id IN gone_page",
    "DELETE FROM links_row WHERE page IN gone_page",
    "DELETE FROM page_row WHERE id IN gone_page",
    "DELETE FROM host_use WHERE host NOT IN (SELECT host FROM page_row)",
    "DELETE FROM outcome_row WHERE url IN gone",
    "DELETE FROM resource_row WHERE id IN gone_resource",
    "DELETE FROM drop_row WHERE url_id IN gone",
    "DELETE FROM requisite_row WHERE url IN gone",
    "UPDATE page_row SET dup_of = NULL, exact = 0 WHERE dup_of IN gone_page",
    "UPDATE page_row SET version_of = NULL WHERE version_of IN gone_page",
};

/* Reduces the offsets after a removed record. */
static enum status move_offsets(struct forget *f, const char *table, const struct warc_drop *d)
{
    LOCAL_STMT *from = NULL, *to = NULL;
    char sql[160];
    enum status st = ST_OK;

    (void)snprintf(sql, sizeof sql, "SELECT id, warc_offset FROM %s WHERE warc = %u", table,
                   d->file);
    TRY(db_prepare(f->db, sql, &from));
    (void)snprintf(sql, sizeof sql, "UPDATE %s SET warc_offset = ?2 WHERE id = ?1", table);
    TRY(db_prepare(f->db, sql, &to));
    while (st == ST_OK && db_row(f->db, from, &st)) {
        uint64_t old = (uint64_t)sqlite3_column_int64(from, 1);

        (void)sqlite3_bind_int64(to, 1, sqlite3_column_int64(from, 0));
        (void)sqlite3_bind_int64(to, 2, (int64_t)warc_drop_moved(d, old));
        st = db_run(f->db, to);
    }
    return st;
}

static enum status switch_file(struct forget *f, const struct warc_drop *d)
{
    static const char *const tables[] = {"page_row", "outcome_row", "resource_row"};
    enum status st = db_execf(f->db,
                              "INSERT OR IGNORE INTO garbage SELECT name FROM warc WHERE id = %u;"
                              "UPDATE warc SET name = '%s', length = %llu WHERE id = %u",
                              d->file, d->name, (unsigned long long)d->length, d->file);

    for (size_t i = 0; i < ARRAY_LEN(tables) && st == ST_OK; i++)
        st = move_offsets(f, tables[i], d);
    return st;
}

static enum status note(struct forget *f, struct str what, int64_t now)
{
    LOCAL_STMT *st = NULL;

    TRY(db_prepare(f->db, "INSERT INTO forgotten(at, what, pages) VALUES(?,?,?)", &st));
    (void)sqlite3_bind_int64(st, 1, now);
    db_bind_str(st, 2, what);
    (void)sqlite3_bind_int64(st, 3, (int64_t)f->result.pages);
    return db_run(f->db, st);
}

static enum status remove_rows(struct forget *f, struct str what, int64_t now)
{
    enum status st = remove_from_index(f);

    if (st == ST_OK)
        st = db_exec(f->db, "BEGIN IMMEDIATE");
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

/* Finds out whether it is a URL of the crawl, or a host. */
static enum status understand(struct forget *f, struct str what, struct buf *host)
{
    LOCAL_QUERY *q = NULL;
    LOCAL_STMT *row = NULL;
    uint32_t id = 0;
    enum status st = ST_OK;

    if (str_find_char(what, '/', 0) == SIZE_MAX) {
        buf_add_str(host, what);
        f->host = buf_str(host);
        return ST_OK;
    }
    TRY(query_open(f->dir, &q));
    TRY(query_find(q, what, &id));
    TRY(db_prepare(f->db, "SELECT url FROM url_row WHERE id = ?", &row));
    (void)sqlite3_bind_int64(row, 1, id);
    if (db_row(f->db, row, &st))
        f->key = url_key(db_str(row, 0));
    return st;
}

static enum status forget_open(struct forget *f, struct str what, struct buf *host)
{
    uint32_t removed;

    TRY(db_open_writer(f->dir, &f->db));
    TRY(db_exec(f->db, "PRAGMA secure_delete = ON"));
    TRY(archive_sweep(f->dir, f->db, &removed));
    TRY(understand(f, what, host));
    TRY(gather_all(f));
    if (f->result.urls == 0)
        return status_fail(ST_MISSING, "this crawl knows no URL of the host %.*s", STR_ARG(what));
    return ST_OK;
}

/* Removed rows stay in the WAL until it is emptied. */
static enum status wipe_traces(struct forget *f)
{
    uint32_t removed;

    TRY(archive_sweep(f->dir, f->db, &removed));
    return db_exec(f->db, "PRAGMA wal_checkpoint(TRUNCATE)");
}

enum status forget_run(const char *dir, struct str what, int64_t now, struct forget_result *ret)
{
    struct forget f = {.dir = dir};
    LOCAL_BUF host = BUF_INIT(LIMIT_URL);
    LOCAL_FD lock = -1;
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
    if (st == ST_OK)
        st = index_removed(f.index);
    for (size_t i = 0; i < f.nfiles; i++)
        warc_drop_free(f.files[i], switched);
    free(f.files);
    index_close(f.index);
    (void)sqlite3_close(f.db);
    if (st == ST_OK)
        *ret = f.result;
    return st;
}
