/* faults_code.c - faults of content coding: bombs, nests, broken streams. Rows
 * of the table of faults.h.
 *
 * A bomb is a stream whose middle can be repeated: gzip blocks flushed so that
 * none refers to the one before, zstd blocks that say "this byte, 128 KiB
 * times". Brotli has no such block, so its bomb (64 MiB of spaces) stands here
 * as it was made once, with Node: zlib.brotliCompressSync(Buffer.alloc(64 << 20,
 * " "), quality 9, window 24).
 * SPDX-License-Identifier: MIT */
#include "sim/serve/faults.h"

#include "base/limits.h"
#include "base/mem.h"

#include <zlib.h>

#define CODED(codings)                                              \
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n" \
    "Content-Encoding: " codings "\r\nConnection: close\r\n\r\n"

#define BLOCK  MIB(1)
#define BLOCKS 1024 /* of a bomb: 1 GiB */

/* ---- gzip ---------------------------------------------------------------- */

/* Deflates `in`, as gzip (windowBits 31) or bare (-15); no failure but memory. */
static void deflate_add(struct buf *out, struct str in, int window_bits, int flush)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)in.ptr, .avail_in = (uInt)in.len};
    size_t room = in.len + KIB(1);
    char *to = buf_room(out, room);

    if (to == NULL || deflateInit2(&z, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        mem_out();
    z.next_out = (Bytef *)to;
    z.avail_out = (uInt)room;
    (void)deflate(&z, flush);
    out->len += room - z.avail_out;
    (void)deflateEnd(&z);
}

/* A mebibyte of spaces that can stand any number of times in a stream. */
static void spaces_add(struct buf *out)
{
    LOCAL_HEAP char *spaces = mem_alloc(BLOCK);

    memset(spaces, ' ', BLOCK);
    deflate_add(out, (struct str){spaces, BLOCK}, -15, Z_FULL_FLUSH);
}

#define GZIP_HEAD "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

/* A gzip stream of so many mebibytes of spaces; no client gets to its end. */
static void bomb_add(struct buf *out, unsigned mebibytes)
{
    LOCAL_BUF block = BUF_INIT(MIB(2));

    spaces_add(&block);
    buf_add_str(out, STR(GZIP_HEAD));
    while (mebibytes-- > 0)
        buf_add_str(out, buf_str(&block));
}

static void gzip_bomb_raw(struct str path, struct buf *out)
{
    (void)path;
    buf_add_z(out, CODED("gzip"));
    bomb_add(out, BLOCKS);
}

static const struct fault_page gzip_bomb[] = {
    {.path = "/bomb", .raw_fn = gzip_bomb_raw},
};

/* ---- brotli, zstd -------------------------------------------------------- */

static const struct fault_page brotli_bomb[] = {
    {.path = "/bomb",
     .raw =
         RAW(CODED("br") "\xcf\xff\xff\x7f\x00\x24\x40\xe2\xb1\x40\x72\xef\xff\xf9\xff\xff\x0f"
                         "\x80\x04\x40\x1c\x16\x80\xee\xfd\x3f\xff\xff\xff\x01\x90\x00\x88\xc3"
                         "\x02\xd0\xbd\xff\xcf\xff\xff\x7f\x00\x12\x00\x71\x58\x00\xba\xf7\xff")},
};

/* Magic, no flags, a window of 1 MiB; a run of 128 KiB a block (RFC 8878). */
static const struct fault_page zstd_bomb[] = {
    {.path = "/bomb",
     .raw = RAW(CODED("zstd") "\x28\xb5\x2f\xfd\x00\x50"),
     .unit = RAW("\x02\x00\x10 "),
     .times = BLOCKS * 8},
    {.path = "/window", /* asks for a window of 3.75 TiB */
     .raw = RAW(CODED("zstd") "\x28\xb5\x2f\xfd\x00\xff"),
     .unit = RAW("\x02\x00\x10 "),
     .times = 8},
};

/* ---- nested -------------------------------------------------------------- */

static const char plain[] =
    "<!DOCTYPE html>\n<title>nested</title>\n<p>A page in a page in a page.\n";

static void nested_add(struct buf *out, struct str first, unsigned layers)
{
    struct buf all = BUF_INIT(MIB(8)), next = BUF_INIT(MIB(8)), swap;

    buf_add_str(&all, first);
    while (layers-- > 0) {
        buf_clear(&next);
        deflate_add(&next, buf_str(&all), 31, Z_FINISH);
        swap = all, all = next, next = swap;
    }
    buf_add_str(out, buf_str(&all));
    buf_free(&all);
    buf_free(&next);
}

static void nested_twice(struct str path, struct buf *out)
{
    (void)path;
    buf_add_z(out, CODED("gzip, gzip"));
    nested_add(out, STR(plain), 2);
}

static void nested_often(struct str path, struct buf *out)
{
    (void)path;
    buf_add_z(out, CODED("gzip, gzip, gzip, gzip, gzip, gzip"));
    nested_add(out, STR(plain), 6);
}

/* 2 GiB in 2 MiB in some kilobytes. */
static void nested_bomb(struct str path, struct buf *out)
{
    LOCAL_BUF inner = BUF_INIT(MIB(8));

    (void)path;
    buf_add_z(out, CODED("gzip, gzip"));
    bomb_add(&inner, 2 * BLOCKS);
    nested_add(out, buf_str(&inner), 1);
}

static const struct fault_page nested[] = {
    {.path = "/twice", .raw_fn = nested_twice},
    {.path = "/often", .raw_fn = nested_often},
    {.path = "/bomb", .raw_fn = nested_bomb},
};

/* ---- broken -------------------------------------------------------------- */

static void cut_gzip(struct str path, struct buf *out)
{
    LOCAL_BUF text = BUF_INIT(KIB(64)), zipped = BUF_INIT(KIB(64));

    (void)path;
    buf_add_z(&text, "<!DOCTYPE html>\n<title>cut</title>\n");
    for (unsigned i = 0; i < 1000; i++)
        buf_addf(&text, "<p>Line %u of a page that is cut.\n", i * i * 7919u);
    deflate_add(&zipped, buf_str(&text), 31, Z_FINISH);
    buf_add_z(out, CODED("gzip"));
    buf_add_str(out, str_sub(buf_str(&zipped), 0, zipped.len / 2));
}

static const struct fault_page broken_gzip[] = {
    {.path = "/cut", .raw_fn = cut_gzip},
    {.path = "/plain", .raw = RAW(CODED("gzip") "<p>This is not gzip at all, whatever they say.")},
    {.path = "/empty", .raw = RAW(CODED("gzip"))},
    {.path = "/martian", .raw = RAW(CODED("martian") "<p>Nobody knows this coding.")},
};

const struct fault faults_code[] = {
    {FAULT("gzip-bomb", "1 GiB of spaces in 1 MiB of gzip", gzip_bomb)},
    {FAULT("brotli-bomb", "64 MiB of spaces in 51 bytes of brotli", brotli_bomb)},
    {FAULT("zstd-bomb", "1 GiB of spaces in 32 KiB of zstd; a window of terabytes", zstd_bomb)},
    {FAULT("nested-coding", "codings in codings, harmless, too many, and a bomb", nested)},
    {FAULT("broken-coding", "gzip cut off, no gzip, an unknown coding", broken_gzip)},
};
const size_t faults_code_count = ARRAY_LEN(faults_code);
