/* warc_write.c - WARC/1.1 files (ISO 28500:2017), one gzip member a record.
 *
 * A record is built in one buffer and deflated by libdeflate into another, which is written when it
 * has WARC_PIECE bytes or a commit needs them: three records a page, one system call for about
 * twenty pages. Replies come deflated (store/pack.h): only their headers are put in front, stored.
 *
 * Workload: 25 KB responses at level 1, some thousand a second. The compressor and all
 * buffers live as long as the writer.
 * SPDX-License-Identifier: MIT */
#include "store/write/warc_write.h"

#include "base/os/clock.h"
#include "base/os/dir.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "store/warc_file.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define WARC_PIECE KIB(512) /* bytes collected before they are written */

struct warc_writer {
    int folder; /* DIR/warc */
    struct warc_options options;
    struct libdeflate_compressor *compressor, *none; /* `none` only wraps */
    struct buf record;                               /* the record being built */
    struct buf out;                                  /* members that are not written yet */
    int fd;                                          /* of the file, -1 before the first */
    uint32_t file;                                   /* its number */
    char name[64];                                   /* its name */
    uint64_t length;                                 /* its length, `out` included */
    uint64_t written;                                /* bytes that write() has taken */
    uint64_t cut;                                    /* bytes that resuming cut off */
    bool renamed;                                    /* the folder is to be synced */
};

enum status warc_writer_new(const char *dir, const struct warc_options *options,
                            struct warc_writer **ret)
{
    struct warc_writer *w;
    struct libdeflate_compressor *compressor;
    int folder = -1;
    enum status st = warc_folder(dir, true, &folder);

    if (st != ST_OK)
        return st;
    compressor = libdeflate_alloc_compressor(options->level);
    if (compressor == NULL) {
        (void)close(folder);
        return status_fail(ST_USAGE, "%d is not a level of compression", options->level);
    }
    w = MEM_NEW(struct warc_writer);
    w->folder = folder;
    w->options = *options;
    w->compressor = compressor;
    w->none = libdeflate_alloc_compressor(0);
    if (w->none == NULL)
        mem_out();
    w->fd = -1;
    buf_init(&w->record, LIMIT_WARC_RECORD);
    buf_init(&w->out, LIMIT_WARC_RECORD * 2);
    *ret = w;
    return ST_OK;
}

void warc_writer_free(struct warc_writer *w)
{
    if (w == NULL)
        return;
    if (w->fd >= 0)
        (void)close(w->fd);
    libdeflate_free_compressor(w->compressor);
    libdeflate_free_compressor(w->none);
    buf_free(&w->record);
    buf_free(&w->out);
    (void)close(w->folder);
    free(w);
}

enum status warc_writer_resume(struct warc_writer *w, uint32_t file, const char *name,
                               uint64_t length)
{
    struct stat info;
    int fd = -1;
    enum status st = warc_file_go_on(w->folder, str_of(name), &fd);

    w->file = file; /* numbers go on in any case */
    w->renamed = true;
    if (st != ST_OK)
        return st == ST_MISSING ? ST_OK : st;
    if (fstat(fd, &info) != 0 || (uint64_t)info.st_size < length) {
        (void)close(fd);
        return warc_file_done(w->folder, str_of(name));
    }
    if (ftruncate(fd, (off_t)length) != 0 || lseek(fd, (off_t)length, SEEK_SET) < 0) {
        (void)close(fd);
        return status_fail(ST_IO, "%s cannot be cut to its committed length: %s", name,
                           strerror(errno));
    }
    w->fd = fd;
    w->cut = (uint64_t)info.st_size - length;
    w->length = w->written = length;
    (void)snprintf(w->name, sizeof w->name, "%s", name);
    return ST_OK;
}

/* Puts w->record onto w->out as one member. */
static enum status add_member(struct warc_writer *w, bool plain, struct warc_place *ret)
{
    struct libdeflate_compressor *by = plain ? w->none : w->compressor;
    size_t bound = libdeflate_gzip_compress_bound(by, w->record.len), n;
    char *room;

    if (w->out.len >= WARC_PIECE) {
        enum status st = warc_flush(w);

        if (st != ST_OK)
            return st;
    }
    room = buf_room(&w->out, bound);
    n = room ? libdeflate_gzip_compress(by, w->record.data, w->record.len, room, bound) : 0;
    if (n == 0)
        return status_fail(ST_LIMIT, "a WARC record is larger than %zu bytes", w->out.max);
    w->out.len += n;
    *ret = (struct warc_place){w->file, w->length, n};
    w->length += n;
    return ST_OK;
}

/* ---- blocks that are deflated already ---- */

#define STORED_MOST 65535 /* bytes of one stored block (RFC 1951, 3.2.4) */

static char *put_le(char *at, uint32_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *at++ = (char)(v >> 8 * i & 255);
    return at;
}

/* Writes stored blocks that are not the last: they end at a whole byte, so that another deflate
 * stream can follow. */
static char *put_stored(char *at, struct str text)
{
    while (text.len > 0) {
        size_t n = text.len < STORED_MOST ? text.len : STORED_MOST;

        *at++ = 0;
        at = put_le(at, (uint32_t)n, 2);
        at = put_le(at, ~(uint32_t)n, 2);
        memcpy(at, text.ptr, n);
        at += n;
        text = str_sub(text, n, text.len);
    }
    return at;
}

/* w->record is the header; it and the packed block become one member (RFC 1952). */
static enum status add_packed(struct warc_writer *w, const struct packed *p, struct warc_place *ret)
{
    static const char head[10] = {0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0, (char)255};
    size_t most = w->record.len + 5 * (w->record.len / STORED_MOST + 1) + p->size + sizeof head + 8;
    uint32_t crc = libdeflate_crc32(0, w->record.data, w->record.len);
    enum status st = w->out.len >= WARC_PIECE ? warc_flush(w) : ST_OK;
    char *room, *at;
    size_t n;

    if (st != ST_OK)
        return st;
    room = buf_room(&w->out, most);
    if (room == NULL)
        return status_fail(ST_LIMIT, "a WARC record is larger than %zu bytes", w->out.max);
    memcpy(room, head, sizeof head);
    at = put_stored(room + sizeof head, buf_str(&w->record));
    memcpy(at, p->bytes, p->size);
    at += p->size;
    at = put_le(at, (uint32_t)crc32_combine(crc, p->crc, (z_off_t)p->length + 4), 4);
    at = put_le(at, (uint32_t)(w->record.len + p->length + 4), 4);
    n = (size_t)(at - room);
    w->out.len += n;
    *ret = (struct warc_place){w->file, w->length, n};
    w->length += n;
    return ST_OK;
}

static enum status put_record(struct warc_writer *w, const struct warc_new *r,
                              struct warc_place *ret)
{
    char urn[HASH_URN], date[CLOCK_TEXT];
    size_t length = r->packed ? r->packed->length : 0;

    for (size_t i = 0; i < r->nblock; i++)
        length += r->block[i].len;
    hash_urn(r->id, urn);
    clock_format(r->date, 6, date);
    buf_clear(&w->record);
    buf_add_z(&w->record, "WARC/1.1\r\nWARC-Type: ");
    buf_add_z(&w->record, r->type);
    buf_add_z(&w->record, "\r\nWARC-Record-ID: <");
    buf_add_z(&w->record, urn);
    buf_add_z(&w->record, ">\r\nWARC-Date: ");
    buf_add_z(&w->record, date);
    buf_addf(&w->record, "\r\nContent-Length: %zu\r\n", length);
    buf_add_str(&w->record, r->fields);
    buf_add_z(&w->record, "\r\n");
    for (size_t i = 0; i < r->nblock; i++)
        buf_add_str(&w->record, r->block[i]);
    if (r->packed == NULL)
        buf_add_z(&w->record, "\r\n\r\n");
    if (w->record.full)
        return status_fail(ST_LIMIT, "a WARC record is larger than %zu bytes", w->record.max);
    if (r->packed)
        return add_packed(w, r->packed, ret);
    return add_member(w, r->plain, ret);
}

static enum status put_warcinfo(struct warc_writer *w, int64_t date)
{
    struct buf block = BUF_INIT(KIB(16)), fields = BUF_INIT(KIB(4));
    struct warc_place place;
    struct str piece;
    enum status st;

    buf_addf(&block, "software: %s\r\nformat: WARC File Format 1.1\r\n", w->options.software);
    buf_add_z(&block, "conformsTo: http://iipc.github.io/warc-specifications/specifications/"
                      "warc-format/warc-1.1/\r\n");
    if (w->options.operator_)
        buf_addf(&block, "operator: %s\r\n", w->options.operator_);
    buf_addf(&block, "robots: %s\r\n", w->options.robots ? w->options.robots : "obey");
    buf_addf(&fields, "Content-Type: application/warc-fields\r\nWARC-Filename: %s\r\n", w->name);
    piece = buf_str(&block);
    st = put_record(w,
                    &(struct warc_new){.type = "warcinfo",
                                       .date = date,
                                       .id = {hash_str(str_of(w->name)), 0},
                                       .fields = buf_str(&fields),
                                       .block = &piece,
                                       .nblock = 1},
                    &place);
    buf_free(&block);
    buf_free(&fields);
    return st;
}

/* brood-20261115100000-00001.warc.gz: the serial is the file's number. */
static enum status begin_file(struct warc_writer *w, int64_t date)
{
    char at[CLOCK_TEXT], digits[16] = "";
    size_t n = 0;
    enum status st;

    clock_format(date, 0, at);
    for (const char *c = at; *c && n < 14; c++)
        if (ascii_is_digit(*c))
            digits[n++] = *c;
    (void)snprintf(w->name, sizeof w->name, "brood-%s-%05u.warc.gz", digits, w->file + 1);
    st = warc_file_begin(w->folder, str_of(w->name), &w->fd);
    if (st != ST_OK)
        return st;
    w->renamed = true;
    w->file++;
    w->length = w->written = 0;
    return put_warcinfo(w, date);
}

enum status warc_end(struct warc_writer *w)
{
    enum status st = warc_sync(w);

    if (st != ST_OK || w->fd < 0)
        return st;
    (void)close(w->fd);
    w->fd = -1;
    w->renamed = true;
    st = warc_file_done(w->folder, str_of(w->name));
    return st == ST_OK ? warc_sync(w) : st;
}

enum status warc_add(struct warc_writer *w, const struct warc_new *r, struct warc_place *ret)
{
    enum status st = ST_OK;

    if (w->fd < 0)
        st = begin_file(w, r->date);
    return st == ST_OK ? put_record(w, r, ret) : st;
}

bool warc_is_full(const struct warc_writer *w)
{
    return w->fd >= 0 && w->length >= w->options.size;
}

enum status warc_flush(struct warc_writer *w)
{
    size_t done = 0;
    enum status st = ST_OK;

    while (done < w->out.len) {
        ssize_t n = write(w->fd, w->out.data + done, w->out.len - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            st = status_fail(ST_IO, "%s: %s", w->name, strerror(errno));
            break;
        }
        done += (size_t)n;
    }
    if (done > 0 && done < w->out.len)
        memmove(w->out.data, w->out.data + done, w->out.len - done);
    w->out.len -= done;
    w->written += done;
    return st;
}

enum status warc_sync(struct warc_writer *w)
{
    TRY(warc_flush(w));
    if (w->fd >= 0 && fdatasync(w->fd) != 0)
        return status_fail(ST_IO, "%s: %s", w->name, strerror(errno));
    if (w->renamed)
        TRY(dir_sync(w->folder));
    w->renamed = false;
    return ST_OK;
}

uint64_t warc_cut(const struct warc_writer *w)
{
    return w->cut;
}

bool warc_is_there(const struct warc_writer *w)
{
    struct stat info;

    return w->fd < 0 || (fstat(w->fd, &info) == 0 && info.st_nlink > 0);
}

uint32_t warc_file(const struct warc_writer *w, const char **ret_name, uint64_t *ret_length)
{
    *ret_name = w->name;
    *ret_length = w->length;
    return w->file;
}
