/* archive_sweep.c - what a crash leaves in DIR/warc, and what it has destroyed.
 *
 * Files that no commit names are removed: those begun after the last one, an
 * unfinished copy of a `forget`, an old file that a `forget` has replaced. Files that
 * were being written get their final names. SPDX-License-Identifier: MIT */
#include "base/os/dir.h"
#include "store/archive.h"
#include "store/db.h"
#include "store/warc_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct sweep {
    int folder; /* DIR/warc */
    sqlite3 *db;
    sqlite3_stmt *find; /* a file by its name */
    uint64_t last;      /* number of the last file that was committed */
    uint32_t removed;
};

/* The note is removed only when the file is certainly gone: what was forgotten must
 * not come back. */
static enum status sweep_garbage(struct sweep *s)
{
    sqlite3_stmt *list = NULL;
    enum status st = db_prepare(s->db, "SELECT name FROM garbage", &list);

    while (st == ST_OK && db_row(s->db, list, &st)) {
        st = warc_file_remove(s->folder, db_str(list, 0));
        s->removed += st == ST_OK;
        st = st == ST_MISSING ? ST_OK : st;
    }
    (void)sqlite3_finalize(list);
    if (st == ST_OK)
        st = dir_sync(s->folder);
    return st == ST_OK ? db_exec(s->db, "DELETE FROM garbage") : st;
}

static enum status sweep_file(struct sweep *s, struct str entry)
{
    struct str name = entry;
    uint64_t serial = warc_serial(entry);
    bool open = warc_file_is_open(&name), known;
    enum status st = ST_OK;

    if (!open && serial <= s->last) /* also what is not ours: 0 */
        return ST_OK;
    db_bind_str(s->find, 1, name);
    known = db_row(s->db, s->find, &st);
    (void)sqlite3_reset(s->find);
    if (st != ST_OK || known)
        return known ? warc_file_done(s->folder, name) : st;
    st = dir_remove(s->folder, entry);
    s->removed += st == ST_OK;
    return st;
}

static enum status sweep_files(struct sweep *s)
{
    struct dirent *entry;
    DIR *list = NULL;
    enum status st = db_prepare(s->db, "SELECT 1 FROM warc WHERE name = ?", &s->find);

    if (st == ST_OK)
        list = dir_list(s->folder);
    while (st == ST_OK && list && (entry = readdir(list)) != NULL)
        st = sweep_file(s, str_of(entry->d_name));
    if (list)
        (void)closedir(list);
    (void)sqlite3_finalize(s->find);
    return st == ST_OK ? dir_sync(s->folder) : st;
}

enum status archive_sweep(const char *dir, sqlite3 *db, uint32_t *ret_removed)
{
    struct sweep s = {.folder = -1, .db = db};
    int64_t last = 0;
    enum status st = db_int(db, "SELECT max(id) FROM warc", &last);

    s.last = (uint64_t)last;
    if (st == ST_OK)
        st = warc_folder(dir, false, &s.folder);
    if (st == ST_MISSING) /* a crawl without an archive */
        st = ST_OK;
    else if (st == ST_OK)
        st = sweep_files(&s);
    if (st == ST_OK && s.folder >= 0)
        st = sweep_garbage(&s);
    if (s.folder >= 0)
        (void)close(s.folder);
    *ret_removed = s.removed;
    return st;
}

/* ---- what is missing ----------------------------------------------------- */

/* Bytes of a file; 0 where it is not a regular file. */
static uint64_t length_of(int folder, struct str name)
{
    struct stat info = {0};
    int fd = -1;

    if (folder < 0 || warc_file_open(folder, name, O_RDONLY, &fd) != ST_OK)
        return 0;
    (void)fstat(fd, &info);
    (void)close(fd);
    return (uint64_t)info.st_size;
}

static enum status count_lost(sqlite3 *db, int64_t file, uint64_t there, uint64_t *pages)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(db,
                                    "SELECT count(*) FROM page_row WHERE warc = ?"
                                    " AND warc_offset + warc_length > ?",
                                    &st);

    if (status == ST_OK) {
        (void)sqlite3_bind_int64(st, 1, file);
        (void)sqlite3_bind_int64(st, 2, (int64_t)there);
        if (db_row(db, st, &status))
            *pages += (uint64_t)sqlite3_column_int64(st, 0);
    }
    (void)sqlite3_finalize(st);
    return status;
}

enum status archive_lost(const char *dir, sqlite3 *db, uint64_t *ret_pages)
{
    sqlite3_stmt *st = NULL;
    uint64_t pages = 0;
    int folder = -1;
    enum status status = warc_folder(dir, false, &folder);

    if (status == ST_OK || status == ST_MISSING)
        status = db_prepare(db, "SELECT id, name, length FROM warc ORDER BY id", &st);
    while (status == ST_OK && db_row(db, st, &status)) {
        uint64_t there = length_of(folder, db_str(st, 1));

        if (there < (uint64_t)sqlite3_column_int64(st, 2))
            status = count_lost(db, sqlite3_column_int64(st, 0), there, &pages);
    }
    (void)sqlite3_finalize(st);
    if (folder >= 0)
        (void)close(folder);
    if (status == ST_OK)
        *ret_pages = pages;
    return status;
}
