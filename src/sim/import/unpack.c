/* unpack.c - reads the files of a tar archive with zlib and libarchive.
 *
 * In: a file. Out: names and contents. Three readers, one behind the other:
 *
 *     file --gzip--> file_bytes() --zstd--> plain_bytes() --tar--> entries
 *
 * gzip is read by zlib, which passes other bytes through, because libarchive does not check gzip's
 * checksums. The other two are apart because libarchive has no ceiling on what one header may take
 * (the map of a sparse file may be as long as the archive): between them the bytes are counted.
 * Only zstd and tar are enabled, and only if they are built into the library, which would otherwise
 * start a program of that name.
 *
 * Workload: some gigabytes, read once, front to back.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import/unpack.h"

#include "base/limits.h"
#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#define CHUNK KIB(256)

struct unpack {
    char *path;
    uint64_t size; /* of the file */
    gzFile file;
    char *chunk;
    struct archive *plain; /* makes plain bytes of the file's */
    struct archive *tar;   /* makes entries of these */
    struct str name;       /* of the entry, lent by tar */
    uint64_t entry_size;
    uint64_t allowance;     /* bytes that tar may still take for a header */
    bool begun;             /* a header was read */
    bool file_ended, ended; /* there are no more bytes of the file; plain ones */
    enum status failure;    /* of the bytes; its sentence is set */
};

/* ---- bytes --------------------------------------------------------------- */

static enum status broken(struct unpack *u, const char *why)
{
    return status_fail(ST_CORRUPT, "%s: %s", u->path, why);
}

/* Ends a reader: there is nothing for it, and u->failure says why. */
static la_ssize_t no_bytes(struct archive *a)
{
    archive_set_error(a, EINVAL, "no more bytes");
    return -1;
}

/* For plain. */
static la_ssize_t file_bytes(struct archive *plain, void *ctx, const void **ret)
{
    struct unpack *u = ctx;
    int n = gzread(u->file, u->chunk, CHUNK), code = Z_OK;

    if (n <= 0)
        (void)gzerror(u->file, &code); /* also where a member was cut */
    if (code == Z_ERRNO)
        u->failure = status_fail(ST_IO, "%s cannot be read: %s", u->path, strerror(errno));
    else if (code != Z_OK)
        u->failure = broken(u, code == Z_BUF_ERROR ? "it ends early" : "the gzip data is broken");
    u->file_ended = n == 0;
    *ret = u->chunk;
    return u->failure == ST_OK ? n : no_bytes(plain);
}

static enum status plain_failed(struct unpack *u)
{
    const char *why = archive_error_string(u->plain);

    if (u->failure == ST_OK)
        u->failure = broken(u, u->file_ended ? "it ends early" : why ? why : "it cannot be read");
    return u->failure;
}

/* For tar. */
static la_ssize_t plain_bytes(struct archive *tar, void *ctx, const void **ret)
{
    struct unpack *u = ctx;
    size_t len = 0;
    la_int64_t offset;
    int rc;

    if (u->allowance == 0) {
        u->failure =
            status_fail(ST_LIMIT, "a header is larger than %zu bytes", (size_t)LIMIT_TAR_EXTRA);
        return no_bytes(tar);
    }
    rc = archive_read_data_block(u->plain, ret, &len, &offset);
    u->ended = rc == ARCHIVE_EOF;
    if (rc != ARCHIVE_OK && rc != ARCHIVE_EOF) {
        (void)plain_failed(u);
        return no_bytes(tar);
    }
    u->allowance -= len < u->allowance ? len : u->allowance;
    return (la_ssize_t)len;
}

static enum status cut_short(void)
{
    return status_fail(ST_CORRUPT, "the archive ends early");
}

/* Why tar could not go on. */
static enum status tar_failed(struct unpack *u)
{
    if (u->failure != ST_OK)
        return u->failure;
    if (u->ended && u->begun)
        return cut_short();
    return status_fail(ST_CORRUPT, u->begun ? "a header is broken" : "it is no tar archive");
}

/* ---- opening ------------------------------------------------------------- */

static enum status open_plain(struct unpack *u)
{
    struct archive_entry *whole;
    int rc;

    u->plain = archive_read_new();
    if (u->plain == NULL || archive_read_support_filter_zstd(u->plain) != ARCHIVE_OK ||
        archive_read_support_format_raw(u->plain) != ARCHIVE_OK ||
        archive_read_support_format_empty(u->plain) != ARCHIVE_OK)
        return status_fail(ST_LIMIT, "libarchive cannot read zstd");
    if (archive_read_open(u->plain, u, NULL, file_bytes, NULL) != ARCHIVE_OK)
        return plain_failed(u);
    rc = archive_read_next_header(u->plain, &whole);
    if (rc == ARCHIVE_EOF)
        return status_fail(ST_CORRUPT, "the archive is empty");
    if (rc != ARCHIVE_OK)
        return plain_failed(u);
    if (archive_filter_count(u->plain) > 2) /* zstd, and the file itself */
        return status_fail(ST_CORRUPT, "it is no tar archive");
    return ST_OK;
}

static enum status open_tar(struct unpack *u)
{
    u->tar = archive_read_new();
    if (u->tar == NULL || archive_read_support_format_tar(u->tar) != ARCHIVE_OK)
        return status_fail(ST_LIMIT, "libarchive cannot read tar");
    u->allowance = LIMIT_TAR_EXTRA;
    return archive_read_open(u->tar, u, NULL, plain_bytes, NULL) == ARCHIVE_OK ? ST_OK
                                                                               : tar_failed(u);
}

enum status unpack_open(const char *path, struct unpack **ret)
{
    struct stat facts;
    struct unpack *u;
    gzFile file = gzopen(path, "rbe");

    if (file == NULL || stat(path, &facts) != 0) {
        enum status st =
            status_fail(errno == ENOENT ? ST_MISSING : ST_IO, "%s: %s", path, strerror(errno));

        if (file)
            (void)gzclose(file);
        return st;
    }
    (void)gzbuffer(file, CHUNK);
    u = MEM_NEW(struct unpack);
    u->path = str_dup(str_of(path));
    u->size = (uint64_t)facts.st_size;
    u->file = file;
    u->chunk = mem_alloc(CHUNK);
    *ret = u;
    return ST_OK;
}

void unpack_close(struct unpack *u)
{
    if (u == NULL)
        return;
    (void)archive_read_free(u->tar);
    (void)archive_read_free(u->plain);
    (void)gzclose(u->file);
    free(u->chunk);
    free(u->path);
    free(u);
}

/* ---- entries ------------------------------------------------------------- */

/* libarchive accepts an end without the end mark; in that case it has read nothing more. */
static enum status at_end(struct unpack *u)
{
    if (archive_filter_bytes(u->tar, 0) > archive_read_header_position(u->tar))
        return ST_MISSING;
    return status_fail(ST_CORRUPT, "the archive ends without its end mark: it was cut");
}

enum status unpack_next(struct unpack *u, struct unpack_entry *ret)
{
    struct archive_entry *e = NULL;
    const char *name;
    int rc;

    if (u->plain == NULL)
        TRY(open_plain(u));
    if (u->tar == NULL)
        TRY(open_tar(u));
    u->allowance = UINT64_MAX;
    if (u->begun && archive_read_data_skip(u->tar) < ARCHIVE_WARN)
        return tar_failed(u);
    u->allowance = LIMIT_TAR_EXTRA;
    rc = archive_read_next_header(u->tar, &e);
    if (rc == ARCHIVE_EOF)
        return at_end(u);
    name = rc >= ARCHIVE_WARN ? archive_entry_pathname(e) : NULL;
    if (name == NULL)
        return tar_failed(u);
    u->begun = true;
    u->name = str_of(name);
    u->entry_size = (uint64_t)archive_entry_size(e);
    if (u->name.len > LIMIT_TAR_NAME)
        return status_fail(ST_LIMIT, "a name is longer than %zu bytes", (size_t)LIMIT_TAR_NAME);
    while (str_starts(u->name, STR("./")))
        u->name = str_sub(u->name, 2, u->name.len);
    *ret = (struct unpack_entry){.name = u->name,
                                 .is_file = archive_entry_filetype(e) == AE_IFREG &&
                                            archive_entry_hardlink(e) == NULL,
                                 .done = (uint64_t)gzoffset(u->file),
                                 .total = u->size};
    return ST_OK;
}

enum status unpack_read(struct unpack *u, struct buf *out)
{
    la_ssize_t n;

    if (u->entry_size > out->max - out->len)
        return status_fail(ST_LIMIT, "%.*s is larger than %zu bytes", STR_ARG(u->name), out->max);
    u->allowance = UINT64_MAX;
    n = archive_read_data(u->tar, buf_room(out, u->entry_size), u->entry_size);
    if (n < 0)
        return tar_failed(u);
    out->len += (size_t)n;
    return (uint64_t)n == u->entry_size ? ST_OK : cut_short();
}
