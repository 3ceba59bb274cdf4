/* stream.c - the bytes of a file, plain, gzip'ed or zstd'ed, chunk by chunk.
 *
 * In: a file. Out: chunks for tar.c. One function a coding; each turns what is
 * left of the input chunk into an output chunk, and says whether the coding may
 * end here: a file that ends elsewhere was cut.
 *
 * Workload: some gigabytes, read once, front to back.
 * SPDX-License-Identifier: MIT
 */
#include "sim/import/stream.h"

#include "base/limits.h"
#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#define CHUNK KIB(256)

typedef enum status expand_fn(struct stream *s, struct str *ret);

struct stream {
    FILE *file;
    char *path;
    uint64_t done, size; /* of the file */
    char *in, *out;      /* a chunk each */
    size_t at, filled;   /* of in */
    bool whole;          /* the coding may end here */
    bool inflating;      /* z is in use */
    bool full;           /* the last output filled its chunk: more may wait */
    z_stream z;
    ZSTD_DCtx *zstd;
    expand_fn *expand;
};

static enum status broken(const struct stream *s, const char *why)
{
    return status_fail(ST_CORRUPT, "%s: %s", s->path, why);
}

/* ---- codings ------------------------------------------------------------- */

static enum status expand_plain(struct stream *s, struct str *ret)
{
    *ret = (struct str){s->in + s->at, s->filled - s->at};
    s->at = s->filled;
    return ST_OK;
}

static enum status expand_gzip(struct stream *s, struct str *ret)
{
    int rc;

    if (s->whole && inflateReset(&s->z) != Z_OK) /* the next member */
        return broken(s, "gzip cannot be begun");
    s->z.next_in = (Bytef *)s->in + s->at;
    s->z.avail_in = (uInt)(s->filled - s->at);
    s->z.next_out = (Bytef *)s->out;
    s->z.avail_out = CHUNK;
    rc = inflate(&s->z, Z_NO_FLUSH);
    if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
        return broken(s, "the gzip data is broken");
    s->at = s->filled - s->z.avail_in;
    s->whole = rc == Z_STREAM_END;
    s->full = s->z.avail_out == 0;
    *ret = (struct str){s->out, CHUNK - s->z.avail_out};
    return ST_OK;
}

static enum status expand_zstd(struct stream *s, struct str *ret)
{
    ZSTD_inBuffer in = {s->in, s->filled, s->at};
    ZSTD_outBuffer out = {s->out, CHUNK, 0};
    size_t rc = ZSTD_decompressStream(s->zstd, &out, &in);

    if (ZSTD_isError(rc))
        return broken(s, ZSTD_getErrorName(rc));
    s->at = in.pos;
    s->whole = rc == 0;
    s->full = out.pos == CHUNK;
    *ret = (struct str){s->out, out.pos};
    return ST_OK;
}

/* ---- the file ------------------------------------------------------------ */

static enum status fill(struct stream *s)
{
    s->at = 0;
    s->filled = fread(s->in, 1, CHUNK, s->file);
    s->done += s->filled;
    if (s->filled == 0 && ferror(s->file))
        return status_fail(ST_IO, "%s cannot be read: %s", s->path, strerror(errno));
    return ST_OK;
}

static enum status choose(struct stream *s)
{
    struct str head = {s->in, s->filled};

    s->expand = expand_plain;
    s->whole = true;
    if (str_starts(head, STR("\x1f\x8b"))) {
        s->expand = expand_gzip;
        s->whole = false;
        s->inflating = inflateInit2(&s->z, 15 + 16) == Z_OK;
        if (!s->inflating)
            return status_fail(ST_LIMIT, "no memory for gzip");
    } else if (str_starts(head, STR("\x28\xb5\x2f\xfd"))) {
        s->expand = expand_zstd;
        s->whole = false;
        s->zstd = ZSTD_createDCtx();
        if (s->zstd == NULL ||
            ZSTD_isError(ZSTD_DCtx_setParameter(s->zstd, ZSTD_d_windowLogMax, LIMIT_ZSTD_WINDOW)))
            return status_fail(ST_LIMIT, "no memory for zstd");
    }
    return ST_OK;
}

enum status stream_open(const char *path, struct stream **ret)
{
    struct stream *s = MEM_NEW(struct stream);
    struct stat facts = {.st_size = 0};
    enum status st = ST_OK;

    s->path = str_dup(str_of(path));
    s->in = mem_alloc(CHUNK);
    s->out = mem_alloc(CHUNK);
    s->file = fopen(path, "rb");
    if (s->file == NULL || fstat(fileno(s->file), &facts) != 0)
        st = status_fail(errno == ENOENT ? ST_MISSING : ST_IO, "%s: %s", path, strerror(errno));
    s->size = (uint64_t)facts.st_size;
    if (st == ST_OK)
        st = fill(s);
    if (st == ST_OK)
        st = choose(s);
    if (st == ST_OK)
        *ret = s;
    else
        stream_close(s);
    return st;
}

void stream_close(struct stream *s)
{
    if (s == NULL)
        return;
    if (s->inflating)
        (void)inflateEnd(&s->z);
    (void)ZSTD_freeDCtx(s->zstd);
    if (s->file)
        (void)fclose(s->file);
    free(s->in);
    free(s->out);
    free(s->path);
    free(s);
}

enum status stream_next(void *stream, struct str *ret)
{
    struct stream *s = stream;
    struct str chunk = {"", 0};
    enum status st = ST_OK;

    while (st == ST_OK && chunk.len == 0) {
        if (s->at == s->filled && !s->full)
            st = fill(s);
        if (st == ST_OK && s->filled == 0 && !s->full) {
            if (!s->whole)
                st = broken(s, "it ends early");
            break;
        }
        if (st == ST_OK) {
            s->full = false;
            st = s->expand(s, &chunk);
        }
    }
    if (st == ST_OK)
        *ret = chunk;
    return st;
}

uint64_t stream_done(const struct stream *s)
{
    return s->done;
}

uint64_t stream_size(const struct stream *s)
{
    return s->size;
}
