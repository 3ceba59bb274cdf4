/* merge_files.c - the archives of all directories, under names of their own.
 *
 * A file keeps its time stamp and gets a new serial, because two nodes may have begun a file in the
 * same second. Only what is committed is copied: a crawl may be writing more.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/dir.h"
#include "store/warc_file.h"
#include "store/write/merge_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME  128
#define STAMP 14

struct files {
    int to;          /* the new folder; -1: there is none */
    uint32_t count;  /* files so far, and so serials */
    uint64_t copied; /* bytes */
    sqlite3_stmt *row;
};

/* Copies this many bytes. The kernel shares them if the file system can. */
static bool copy_bytes(int in, int out, uint64_t length)
{
    char *piece = NULL;
    uint64_t at = 0;
    bool ok = true;

    while (at < length) {
        ssize_t n = copy_file_range(in, NULL, out, NULL, length - at, 0);

        if (n <= 0)
            break;
        at += (uint64_t)n;
    }
    if (at < length)
        piece = mem_alloc(MIB(1));
    while (ok && at < length) {
        size_t want = length - at < MIB(1) ? (size_t)(length - at) : MIB(1);
        ssize_t n = pread(in, piece, want, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        ok = n > 0 && pwrite(out, piece, (size_t)n, (off_t)at) == n;
        at += ok ? (uint64_t)n : 0;
    }
    free(piece);
    return ok && fsync(out) == 0;
}

static enum status copy_file(struct files *f, int in, const char *name, uint64_t length)
{
    LOCAL_FD out = -1;

    TRY(warc_file_begin(f->to, str_of(name), &out));
    if (!copy_bytes(in, out, length))
        return status_fail(ST_IO, "%s cannot be copied: %s", name, strerror(errno));
    return warc_file_done(f->to, str_of(name));
}

/* Returns true if it was linked. The last file of a source may be written to again when that crawl
 * is resumed. */
static bool link_file(const struct merge *m, const struct files *f, int folder, struct str old,
                      const char *name, uint64_t length, bool last)
{
    struct stat info;
    char from[NAME];

    if (m->options->archive != MERGE_LINK || last ||
        snprintf(from, sizeof from, "%.*s", STR_ARG(old)) >= (int)sizeof from ||
        fstatat(folder, from, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode) ||
        (uint64_t)info.st_size != length)
        return false;
    return linkat(folder, from, f->to, name, 0) == 0;
}

static enum status take_file(struct merge *m, struct merge_source *s, struct files *f, int folder,
                             struct str old, const char *name, uint64_t length, bool last)
{
    struct stat info;
    LOCAL_FD in = -1;

    TRY(warc_file_open(folder, old, O_RDONLY, &in)); /* checks the name, too */
    if (link_file(m, f, folder, old, name, length, last))
        return ST_OK;
    if (fstat(in, &info) != 0 || (uint64_t)info.st_size < length)
        return status_fail(ST_CORRUPT,
                           "%.*s is shorter than it was: 'brood check %s --mend' first, then merge",
                           STR_ARG(old), s->dir);
    return copy_file(f, in, name, length);
}

/* "brood-20261115100000-00001.warc.gz" with another serial. */
static enum status new_name(struct str old, uint32_t serial, char ret[NAME])
{
    if (warc_serial(old) == 0)
        return status_fail(ST_CORRUPT, "'%.*s' is not the name of a WARC file of brood",
                           STR_ARG(old));
    (void)snprintf(ret, NAME, "brood-%.*s-%05u.warc.gz", STAMP, old.ptr + strlen("brood-"), serial);
    return ST_OK;
}

static enum status take_row(struct merge *m, struct merge_source *s, struct files *f, int folder,
                            sqlite3_stmt *row, int64_t last)
{
    int64_t id = sqlite3_column_int64(row, 0), length = sqlite3_column_int64(row, 2);
    char name[NAME];
    enum status st;

    if (id <= 0 || (uint64_t)id >= s->files.count || length < 0)
        return ST_OK;
    st = new_name(db_str(row, 1), s->files.to[id], name);
    if (st == ST_OK && folder >= 0)
        st = take_file(m, s, f, folder, db_str(row, 1), name, (uint64_t)length, id == last);
    if (st != ST_OK)
        return status_prefix(st, "%s", s->dir);
    f->copied += (uint64_t)length;
    if (m->progress && !m->progress(m->ctx, m->what, f->copied / 1000000, m->total))
        return status_fail(ST_STOPPED, "stopped while %s", m->what);
    (void)sqlite3_bind_int64(f->row, 1, s->files.to[id]);
    db_bind_str(f->row, 2, str_of(name));
    (void)sqlite3_bind_int64(f->row, 3, length);
    return db_run(m->db, f->row);
}

static enum status take_files(struct merge *m, struct merge_source *s, struct files *f)
{
    LOCAL_STMT *row = NULL;
    LOCAL_FD folder = -1;
    enum status st = f->to < 0 ? ST_OK : warc_folder(s->dir, false, &folder);

    if (st == ST_MISSING) /* --no-warc */
        st = ST_OK;
    if (st == ST_OK)
        st = db_prepare(s->db, "SELECT id, name, length FROM warc ORDER BY id", &row);
    while (st == ST_OK && db_row(s->db, row, &st))
        st = take_row(m, s, f, folder, row, (int64_t)s->files.count - 1);
    return st;
}

static enum status number_files(struct merge *m, struct merge_source *s, uint32_t *count)
{
    LOCAL_STMT *row = NULL;
    enum status st = ST_OK;

    TRY(merge_numbers_init(s, &s->files, "SELECT max(id) FROM warc"));
    TRY(db_prepare(s->db, "SELECT id, length FROM warc ORDER BY id", &row));
    while (db_row(s->db, row, &st)) {
        int64_t id = sqlite3_column_int64(row, 0);

        if (id > 0 && (uint64_t)id < s->files.count)
            s->files.to[id] = ++*count;
        m->bytes += (uint64_t)sqlite3_column_int64(row, 1);
    }
    return st;
}

enum status merge_number_files(struct merge *m)
{
    uint32_t count = 0;

    for (size_t i = 0; i < m->nsources; i++)
        TRY(number_files(m, &m->sources[i], &count));
    return ST_OK;
}

enum status merge_files(struct merge *m)
{
    struct files f = {.to = -1};
    enum status st = db_prepare(m->db, "INSERT INTO warc VALUES(?,?,?)", &f.row);

    merge_begin(m, "copying the archive (MB)", m->bytes / 1000000);
    if (st == ST_OK && m->options->archive != MERGE_NAMES && m->bytes > 0)
        st = warc_folder(m->out, true, &f.to);
    for (size_t i = 0; i < m->nsources && st == ST_OK; i++)
        st = take_files(m, &m->sources[i], &f);
    if (st == ST_OK && f.to >= 0)
        st = dir_sync(f.to);
    if (f.to >= 0)
        (void)close(f.to);
    (void)sqlite3_finalize(f.row);
    return st;
}
