/* check_archive.c - the WARC files against the rows that point into them.
 *
 * The rows of one file are sorted by offset and the file is read once from its
 * beginning: both advance together, and a record without a row, or a row without a record, is an
 * issue. After damage the reader looks for the next record.
 * SPDX-License-Identifier: MIT */
#include "base/os/dir.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "store/archive.h"
#include "store/write/check_int.h"
#include "store/warc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A row that says where its record is. */
struct pointer {
    const char *table; /* page_row, outcome_row, resource_row */
    uint32_t id;
    uint64_t offset, length;
    uint64_t key; /* of its URL */
    char digest[SHA1_TEXT];
};

struct file_check {
    struct check *c;
    char *name;
    uint64_t length;          /* as committed */
    uint64_t short_by;        /* bytes that are missing at its end */
    uint64_t whole;           /* bytes up to the end of the last record that can be read */
    struct pointer *pointers; /* ascending by offset */
    size_t count, cap, at;
    struct sha1 *sha1;
};

static const char *const pointer_sql[][2] = {
    {"page_row", "SELECT p.id, p.warc_offset, p.warc_length, u.url, p.digest FROM page_row p"
                 " LEFT JOIN url_row u ON u.id = p.url WHERE p.warc = ?"},
    {"outcome_row", "SELECT p.id, p.warc_offset, p.warc_length, u.url, p.digest FROM outcome_row p"
                    " LEFT JOIN url_row u ON u.id = p.url WHERE p.warc = ?"},
    {"resource_row", "SELECT id, warc_offset, warc_length, url, digest FROM resource_row"
                     " WHERE warc = ?"},
};

static int by_offset(const void *a, const void *b)
{
    const struct pointer *x = a, *y = b;

    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static enum status load_pointers(struct file_check *f, int64_t file)
{
    enum status status = ST_OK;

    for (size_t t = 0; t < ARRAY_LEN(pointer_sql) && status == ST_OK; t++) {
        sqlite3_stmt *st = NULL;

        status = db_prepare(f->c->db, pointer_sql[t][1], &st);
        if (status == ST_OK)
            (void)sqlite3_bind_int64(st, 1, file);
        while (status == ST_OK && db_row(f->c->db, st, &status)) {
            struct pointer *p;

            MEM_GROW(f->pointers, f->count, &f->cap);
            p = &f->pointers[f->count++];
            *p = (struct pointer){.table = pointer_sql[t][0],
                                  .id = (uint32_t)sqlite3_column_int64(st, 0),
                                  .offset = (uint64_t)sqlite3_column_int64(st, 1),
                                  .length = (uint64_t)sqlite3_column_int64(st, 2),
                                  .key = url_key(db_str(st, 3))};
            (void)snprintf(p->digest, sizeof p->digest, "%.*s", STR_ARG(db_str(st, 4)));
        }
        (void)sqlite3_finalize(st);
    }
    if (f->count)
        qsort(f->pointers, f->count, sizeof *f->pointers, by_offset);
    return status;
}

/* Removes the record from the row: the page keeps its text, as if it had never been archived. */
static enum status lost_record(struct file_check *f, const struct pointer *p, const char *why)
{
    bool mend = f->c->mend;

    f->c->result.lost += strcmp(p->table, "page_row") == 0;
    check_tell(f->c, CHECK_RECORD, true, mend, "%s %u: %s at %llu of %s", p->table, p->id, why,
               (unsigned long long)p->offset, f->name);
    if (!mend)
        return ST_OK;
    return db_execf(f->c->db,
                    "UPDATE %s SET warc = NULL, warc_offset = NULL, warc_length = NULL"
                    " WHERE id = %u",
                    p->table, p->id);
}

static bool digest_is(struct file_check *f, struct str field, struct str bytes)
{
    char text[SHA1_TEXT];

    if (!str_starts(field, STR("sha1:")))
        return true; /* absent, or of a kind we did not write */
    sha1_base32(f->sha1, &bytes, 1, text);
    return str_eq(str_sub(field, 5, field.len), str_of(text));
}

static void check_digests(struct file_check *f, const struct warc_record *rec)
{
    struct str head, payload;
    int status;

    if (rec->cut)
        return;
    if (!digest_is(f, rec->block_digest, buf_str(&rec->block)))
        check_tell(f->c, CHECK_DIGEST, false, false, "the record at %llu of %s is damaged",
                   (unsigned long long)rec->offset, f->name);
    else if (str_eq(rec->type, STR("response")) && warc_http(rec, &status, &head, &payload) &&
             !digest_is(f, rec->payload_digest, payload))
        check_tell(f->c, CHECK_DIGEST, false, false, "the payload at %llu of %s is damaged",
                   (unsigned long long)rec->offset, f->name);
}

static enum status compare(struct file_check *f, const struct pointer *p,
                           const struct warc_record *rec)
{
    struct str digest = str_starts(rec->payload_digest, STR("sha1:"))
                            ? str_sub(rec->payload_digest, 5, rec->payload_digest.len)
                            : STR("");

    if (url_key(rec->target) != p->key)
        return lost_record(f, p, "the record of another URL is");
    if (!str_eq(digest, str_of(p->digest)))
        check_tell(f->c, CHECK_DIGEST, false, false,
                   "%s %u and its record at %llu of %s have different digests", p->table, p->id,
                   (unsigned long long)p->offset, f->name);
    return ST_OK;
}

static bool is_answer(const struct warc_record *rec)
{
    return str_eq(rec->type, STR("response")) || str_eq(rec->type, STR("revisit"));
}

/* Reports rows before `offset`, which point to no record. */
static enum status pass_pointers(struct file_check *f, uint64_t offset)
{
    enum status st = ST_OK;

    while (st == ST_OK && f->at < f->count && f->pointers[f->at].offset < offset)
        st = lost_record(f, &f->pointers[f->at++], "no record is");
    return st;
}

static enum status check_record(struct file_check *f, const struct warc_record *rec)
{
    enum status st = pass_pointers(f, rec->offset);

    if (rec->offset >= f->length) /* reported once, by check_length() */
        return st;
    f->c->result.records++;
    check_digests(f, rec);
    if (st != ST_OK || !is_answer(rec))
        return st;
    if (f->at < f->count && f->pointers[f->at].offset == rec->offset)
        return compare(f, &f->pointers[f->at++], rec);
    check_tell(f->c, CHECK_ORPHAN, false, false,
               "no row points to the record of %.*s at %llu of %s", STR_ARG(rec->target),
               (unsigned long long)rec->offset, f->name);
    return ST_OK;
}

/* Half a record at the end of a file that was cut is removed with the rest (mend_end()). */
static void tell_damage(struct file_check *f, struct buf *why, bool at_end)
{
    bool half = at_end && f->short_by > 0;

    if (why->len > 0)
        check_tell(f->c, CHECK_RECORD, half, half && f->c->mend, "%s: %s", f->name, why->data);
    buf_free(why);
}

/* Makes a file that was cut end with its last complete record. */
static enum status mend_end(struct file_check *f, int64_t id, int fd)
{
    if (ftruncate(fd, (off_t)f->whole) != 0 || fsync(fd) != 0)
        return status_fail(ST_IO, "%s cannot be cut: %s", f->name, strerror(errno));
    return db_execf(f->c->db, "UPDATE warc SET length = %llu WHERE id = %lld",
                    (unsigned long long)f->whole, (long long)id);
}

/* Takes the descriptor. */
static enum status read_file(struct file_check *f, int fd)
{
    struct buf damage = BUF_INIT(8192); /* between it and the next record that can be read */
    struct warc_reader *r = NULL;
    struct warc_record rec;
    enum status st = warc_open_fd(fd, &r);

    if (st != ST_OK)
        return st;
    for (;;) {
        st = warc_next(r, &rec);
        if (st == ST_OK) {
            tell_damage(f, &damage, false);
            f->whole = rec.offset + rec.length;
            st = check_record(f, &rec);
            warc_record_free(&rec);
            if (st != ST_OK)
                break;
            continue;
        }
        if (st == ST_MISSING || st == ST_IO || f->whole >= f->length)
            break; /* check_length() reported a broken tail */
        if (damage.len == 0)
            buf_add_z(&damage, status_text());
        if (warc_resync(r) != ST_OK)
            break;
    }
    tell_damage(f, &damage, true);
    warc_close(r);
    if (st == ST_MISSING || st == ST_CORRUPT || st == ST_LIMIT)
        st = pass_pointers(f, UINT64_MAX);
    return st;
}

/* The file, where there is one that is ours (else *ret_fd is -1). */
static enum status open_file(struct file_check *f, int *ret_fd)
{
    LOCAL_FD folder = -1;
    enum status st = warc_folder(f->c->dir, false, &folder);

    *ret_fd = -1;
    if (st == ST_OK)
        st = warc_file_open(folder, str_of(f->name), f->c->mend ? O_RDWR : O_RDONLY, ret_fd);
    if (st == ST_OK || st == ST_IO)
        return st;
    if (st == ST_MISSING)
        check_tell(f->c, CHECK_FILE, false, false, "%s is missing", f->name);
    else
        check_tell(f->c, CHECK_FILE, false, false, "%s", status_text());
    return pass_pointers(f, UINT64_MAX);
}

static enum status check_length(struct file_check *f, int fd)
{
    struct stat info;

    if (fstat(fd, &info) != 0)
        return status_fail(ST_IO, "%s: %s", f->name, strerror(errno));
    if ((uint64_t)info.st_size < f->length)
        check_tell(f->c, CHECK_FILE, true, f->c->mend,
                   "%s has %lld bytes where %llu were committed", f->name, (long long)info.st_size,
                   (unsigned long long)f->length);
    f->short_by = (uint64_t)info.st_size < f->length ? f->length - (uint64_t)info.st_size : 0;
    if ((uint64_t)info.st_size > f->length) {
        if (f->c->mend && !(ftruncate(fd, (off_t)f->length) == 0 && fsync(fd) == 0))
            return status_fail(ST_IO, "%s cannot be cut: %s", f->name, strerror(errno));
        check_tell(f->c, CHECK_FILE, true, f->c->mend, "%s is %lld bytes longer than was committed",
                   f->name, (long long)info.st_size - (long long)f->length);
    }
    return ST_OK;
}

static enum status check_file(struct check *c, int64_t id, struct str name, uint64_t length)
{
    struct file_check f = {.c = c, .name = str_dup(name), .length = length, .sha1 = sha1_new()};
    int fd = -1, own = -1;
    enum status st = load_pointers(&f, id);

    c->result.files++;
    if (st == ST_OK)
        st = open_file(&f, &fd);
    if (st == ST_OK && fd >= 0)
        st = check_length(&f, fd);
    if (st == ST_OK && f.short_by > 0 && c->mend)
        own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (st == ST_OK && fd >= 0)
        st = read_file(&f, fd);
    else if (fd >= 0)
        (void)close(fd);
    if (st == ST_OK && own >= 0)
        st = mend_end(&f, id, own);
    if (own >= 0)
        (void)close(own);
    sha1_free(f.sha1);
    free(f.pointers);
    free(f.name);
    return st;
}

static enum status check_unknown(struct check *c)
{
    int folder = -1;
    sqlite3_stmt *find = NULL;
    struct dirent *entry;
    struct str name;
    bool open;
    DIR *list = NULL;
    enum status st = db_prepare(c->db, "SELECT 1 FROM warc WHERE name = ?", &find);

    if (st == ST_OK && warc_folder(c->dir, false, &folder) == ST_OK) {
        list = dir_list(folder);
        (void)close(folder);
    }
    while (st == ST_OK && list && (entry = readdir(list)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        name = str_of(entry->d_name);
        open = warc_file_is_open(&name);
        db_bind_str(find, 1, name);
        if (!db_row(c->db, find, &st) && st == ST_OK) /* --mend swept the open ones */
            check_tell(c, CHECK_FILE, open, false, "%s is in warc/ and not in the database",
                       entry->d_name);
        (void)sqlite3_reset(find);
    }
    if (list)
        (void)closedir(list);
    (void)sqlite3_finalize(find);
    return st;
}

/* If the folder cannot be read, its records may still exist, and their rows must not be mended. */
static enum status check_folder(struct check *c)
{
    LOCAL_FD folder = -1;
    enum status st = warc_folder(c->dir, false, &folder);

    return st == ST_MISSING ? ST_OK : st;
}

enum status check_archive(struct check *c)
{
    sqlite3_stmt *st = NULL;
    enum status status = check_folder(c);

    if (status == ST_OK)
        status = db_prepare(c->db, "SELECT id, name, length FROM warc ORDER BY id", &st);
    while (status == ST_OK && db_row(c->db, st, &status))
        status = check_file(c, sqlite3_column_int64(st, 0), db_str(st, 1),
                            (uint64_t)sqlite3_column_int64(st, 2));
    (void)sqlite3_finalize(st);
    return status == ST_OK ? check_unknown(c) : status;
}
