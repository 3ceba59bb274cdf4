/* decode.c - gzip, deflate, brotli and zstd behind one bounded sink.
 *
 * In: a body as received and its Content-Encoding. Out: the payload.
 *
 * Encodings are a chain of layers, the outermost first. Bytes are pushed into
 * a layer, which writes its output into its room: the last one straight into
 * the caller's buffer, the others into a small window which is pushed into
 * the next layer. So only the last layer's output is ever held as a whole,
 * and each layer is counted against the same ceiling: a bomb inside a bomb is
 * detected at the first of them.
 *
 *     raw --push--> [gzip] --window--> [br] --room--> out
 *
 * One gzip member that is whole, by far the commonest case, is given to
 * libdeflate first: twice as fast as zlib, and it needs only the size, which
 * the member's last four bytes claim and the ceiling bounds.
 *
 * What follows the end of a stream (padding, garbage) is ignored; a further
 * gzip member or zstd frame is decoded (Limit: not where the border of a window
 * between two layers falls on its first bytes). "deflate" is zlib or, as some servers
 * have it, bare deflate: the first two bytes tell.
 *
 * Source: RFC 1950, 1951, 1952, 7932, 8878, 9110 8.4, 9659 (zstd windows above
 * 8 MiB are refused). SPDX-License-Identifier: MIT */
#include "parse/http/decode.h"

#include "base/limits.h"
#include "base/mem.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#define WINDOW          KIB(16) /* between two layers */
#define ROOM_FIRST      KIB(64) /* the least room reserved in the caller's buffer */
#define RATIO_FROM      MIB(1)  /* below this size the ratio does not matter */
#define ZSTD_WINDOW_LOG 23      /* 8 MiB, RFC 9659 */

enum run_verdict {
    RUN_MORE, /* all input used, the stream goes on */
    RUN_END,  /* the stream is complete; the rest of the input is ignored */
    RUN_FULL, /* no room left for output: call again */
    RUN_BAD   /* not what the encoding promised */
};

/* A piece of input and a piece of room for output; both shrink as they are used. */
struct io {
    const uint8_t *in;
    size_t in_len;
    uint8_t *out;
    size_t out_len;
};

struct layer;

struct codec {
    const char *name, *alias;
    bool (*open)(struct layer *l);
    enum run_verdict (*run)(struct layer *l, struct io *io);
    void (*close)(struct layer *l);
};

struct layer {
    const struct codec *codec;
    struct layer *next; /* NULL: writes into `sink` */
    struct buf *sink;   /* the last layer's */
    uint8_t *window;    /* the others' */
    size_t total, max;  /* bytes of output so far, and at most */
    bool open, ended;   /* the codec is open; its stream is complete */
    uint8_t first[2];   /* deflate: the bytes that tell a zlib stream from a raw one */
    unsigned nfirst;    /* deflate: how many of them are there */
    union {
        z_stream zlib;
        BrotliDecoderState *brotli;
        ZSTD_DCtx *zstd;
    } as;
};

/* If memory ran out, a codec would report a broken page; so only a large window may be refused. */
static void *codec_alloc(void *ctx, size_t size)
{
    (void)ctx;
    return mem_try(NULL, size);
}

static void codec_free(void *ctx, void *old)
{
    (void)ctx;
    free(old);
}

/* ---- zlib: gzip and deflate ------------------------------------------------ */

#define WBITS_GZIP (15 + 16)
#define WBITS_ZLIB 15
#define WBITS_BARE (-15)

static void *zlib_alloc(void *ctx, unsigned count, unsigned size)
{
    (void)ctx;
    return mem_try(NULL, (size_t)count * size);
}

static bool zlib_open(struct layer *l, int bits)
{
    l->as.zlib = (z_stream){.zalloc = zlib_alloc, .zfree = codec_free};
    return inflateInit2(&l->as.zlib, bits) == Z_OK;
}

static bool gzip_open(struct layer *l)
{
    return zlib_open(l, WBITS_GZIP);
}

static bool deflate_open(struct layer *l)
{
    return zlib_open(l, WBITS_ZLIB);
}

static enum run_verdict zlib_run(struct layer *l, struct io *io)
{
    z_stream *z = &l->as.zlib;
    int rc;

    z->next_in = (Bytef *)(uintptr_t)io->in;
    z->avail_in = (uInt)io->in_len;
    z->next_out = io->out;
    z->avail_out = (uInt)io->out_len;
    rc = inflate(z, Z_NO_FLUSH);
    io->in = z->next_in;
    io->in_len = z->avail_in;
    io->out = z->next_out;
    io->out_len = z->avail_out;
    if (rc == Z_STREAM_END)
        return RUN_END;
    if (rc != Z_OK && rc != Z_BUF_ERROR)
        return RUN_BAD;
    return z->avail_out == 0 ? RUN_FULL : RUN_MORE;
}

static enum run_verdict gzip_run(struct layer *l, struct io *io)
{
    enum run_verdict v = zlib_run(l, io);

    if (v != RUN_END || io->in_len < 2 || io->in[0] != 0x1f || io->in[1] != 0x8b)
        return v;
    return inflateReset(&l->as.zlib) == Z_OK ? RUN_FULL : RUN_END; /* one more member */
}

/* A zlib header is a multiple of 31 and names method 8; otherwise the stream is raw. */
static bool is_zlib_header(const uint8_t *b)
{
    return (b[0] & 15) == 8 && (b[0] * 256 + b[1]) % 31 == 0;
}

static enum run_verdict deflate_run(struct layer *l, struct io *io)
{
    struct io head = *io;
    enum run_verdict v;

    if (l->nfirst == 2)
        return zlib_run(l, io);
    while (l->nfirst < 2 && io->in_len > 0) {
        l->first[l->nfirst++] = *io->in++;
        io->in_len--;
    }
    if (l->nfirst < 2)
        return RUN_MORE;
    if (!is_zlib_header(l->first) && inflateReset2(&l->as.zlib, WBITS_BARE) != Z_OK)
        return RUN_BAD;
    head.in = l->first;
    head.in_len = 2;
    v = zlib_run(l, &head);
    io->out = head.out;
    io->out_len = head.out_len;
    return v == RUN_MORE ? RUN_FULL : v; /* called again for the rest */
}

static void zlib_close(struct layer *l)
{
    (void)inflateEnd(&l->as.zlib);
}

/* ---- brotli ---------------------------------------------------------------- */

static bool brotli_open(struct layer *l)
{
    l->as.brotli = BrotliDecoderCreateInstance(codec_alloc, codec_free, NULL);
    return l->as.brotli != NULL;
}

static enum run_verdict brotli_run(struct layer *l, struct io *io)
{
    BrotliDecoderResult rc = BrotliDecoderDecompressStream(l->as.brotli, &io->in_len, &io->in,
                                                           &io->out_len, &io->out, NULL);

    if (rc == BROTLI_DECODER_RESULT_SUCCESS)
        return RUN_END;
    if (rc == BROTLI_DECODER_RESULT_ERROR)
        return RUN_BAD;
    return io->out_len == 0 ? RUN_FULL : RUN_MORE; /* it may want input although the room is full */
}

static void brotli_close(struct layer *l)
{
    BrotliDecoderDestroyInstance(l->as.brotli);
}

/* ---- zstd ------------------------------------------------------------------ */

static bool zstd_open(struct layer *l)
{
    l->as.zstd = ZSTD_createDCtx();
    if (l->as.zstd == NULL)
        mem_out();
    return !ZSTD_isError(ZSTD_DCtx_setParameter(l->as.zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
}

static enum run_verdict zstd_run(struct layer *l, struct io *io)
{
    static const uint8_t magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    ZSTD_inBuffer in = {io->in, io->in_len, 0};
    ZSTD_outBuffer out = {io->out, io->out_len, 0};
    size_t rc = ZSTD_decompressStream(l->as.zstd, &out, &in);

    io->in += in.pos;
    io->in_len -= in.pos;
    io->out += out.pos;
    io->out_len -= out.pos;
    if (ZSTD_isError(rc))
        return RUN_BAD;
    if (rc == 0) /* a frame is complete: RUN_FULL asks for a call for the next one */
        return io->in_len >= 4 && memcmp(io->in, magic, 4) == 0 ? RUN_FULL : RUN_END;
    return io->out_len == 0 ? RUN_FULL : RUN_MORE;
}

static void zstd_close(struct layer *l)
{
    (void)ZSTD_freeDCtx(l->as.zstd);
}

/* ---- the chain ------------------------------------------------------------- */

static const struct codec codecs[] = {
    {"gzip", "x-gzip", gzip_open, gzip_run, zlib_close},
    {"deflate", "deflate", deflate_open, deflate_run, zlib_close},
    {"br", "br", brotli_open, brotli_run, brotli_close},
    {"zstd", "zstd", zstd_open, zstd_run, zstd_close},
};

struct chain {
    struct layer layers[LIMIT_ENCODINGS]; /* the outermost first */
    size_t count;
};

static const struct codec *codec_find(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(codecs); i++)
        if (str_eq_i(name, str_of(codecs[i].name)) || str_eq_i(name, str_of(codecs[i].alias)))
            return &codecs[i];
    return NULL;
}

/* Reads the list from its end: the encoding applied last is removed first. */
static bool chain_read(struct chain *c, struct str encoding)
{
    while (encoding.len > 0) {
        size_t at = encoding.len;
        const struct codec *codec;
        struct str name;

        while (at > 0 && encoding.ptr[at - 1] != ',')
            at--;
        name = str_trim(str_sub(encoding, at, encoding.len));
        encoding.len = at > 0 ? at - 1 : 0;
        if (name.len == 0 || str_eq_i(name, STR("identity")))
            continue;
        codec = codec_find(name);
        if (codec == NULL || c->count == LIMIT_ENCODINGS)
            return false;
        c->layers[c->count++].codec = codec;
    }
    return true;
}

static bool chain_open(struct chain *c, size_t raw, struct buf *out)
{
    size_t max = raw > RATIO_FROM / LIMIT_DECODED_RATIO ? raw * LIMIT_DECODED_RATIO : RATIO_FROM;

    for (size_t i = 0; i < c->count; i++) {
        struct layer *l = &c->layers[i];

        l->max = max < LIMIT_DECODED ? max : LIMIT_DECODED;
        l->sink = out;
        if (i + 1 < c->count) {
            l->next = l + 1;
            l->window = mem_alloc(WINDOW);
        }
        l->open = true;
        if (!l->codec->open(l))
            return false;
    }
    return true;
}

static void chain_close(struct chain *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->layers[i].open)
            c->layers[i].codec->close(&c->layers[i]);
        free(c->layers[i].window);
    }
}

/* Gives the next place for output: at least one byte, and at most one more than the ceiling of the
 * layer leaves, so that exceeding it is noticed. */
static bool layer_room(struct layer *l, struct io *io)
{
    size_t left = l->max - l->total + 1;

    io->out = l->window;
    io->out_len = WINDOW;
    if (l->next == NULL) {
        struct buf *b = l->sink;
        size_t want = b->cap > b->len + 1 ? b->cap - b->len - 1 : b->len / 2 + ROOM_FIRST;

        if (want > left)
            want = left;
        if (want > b->max - b->len)
            want = b->max - b->len;
        if (want == 0)
            return false;
        io->out = (uint8_t *)buf_room(b, want);
        io->out_len = want;
    }
    if (io->out_len > left)
        io->out_len = left;
    return io->out != NULL;
}

/* Decodes a piece. Returns DROP_NONE to go on (l->ended may be set), DROP_ENCODING if the stream is
 * broken here, DROP_SIZE at a ceiling. The number of layers bounds the recursion. */
static enum drop layer_push(struct layer *l, const uint8_t *data, size_t len)
{
    struct io io = {.in = data, .in_len = len};
    enum run_verdict v = RUN_FULL;

    while (v == RUN_FULL && !l->ended) {
        enum drop why = DROP_NONE;
        size_t room, came;

        if (!layer_room(l, &io))
            return DROP_SIZE;
        room = io.out_len;
        v = l->codec->run(l, &io);
        came = room - io.out_len;
        l->total += came;
        if (l->total > l->max)
            return DROP_SIZE;
        if (l->next != NULL && came > 0)
            why = layer_push(l->next, l->window, came);
        else if (l->next == NULL)
            l->sink->len += came;
        if (why != DROP_NONE || v == RUN_BAD)
            return why != DROP_NONE ? why : DROP_ENCODING;
        l->ended = v == RUN_END || (l->next != NULL && l->next->ended);
    }
    return DROP_NONE;
}

/* Decodes one whole gzip member by libdeflate. Returns false if the layers have to do it. */
static bool gzip_whole(struct str raw, size_t max, struct buf *out)
{
    const uint8_t *tail = (const uint8_t *)raw.ptr + raw.len - 4;
    struct libdeflate_decompressor *d;
    size_t claimed, used, came;
    char *room;

    if (raw.len < 18)
        return false;
    claimed =
        (size_t)tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
    if (claimed == 0 || claimed > max)
        return false;
    room = buf_room(out, claimed);
    d = room ? libdeflate_alloc_decompressor() : NULL;
    if (d == NULL)
        return false;
    if (libdeflate_gzip_decompress_ex(d, raw.ptr, raw.len, room, claimed, &used, &came) !=
            LIBDEFLATE_SUCCESS ||
        used != raw.len)
        came = 0;
    libdeflate_free_decompressor(d);
    out->len += came;
    out->data[out->len] = '\0';
    return came > 0;
}

static enum drop chain_run(struct chain *c, struct str raw, struct buf *out, bool *ret_cut)
{
    size_t before = out->len;
    enum drop why = DROP_NONE;

    if (raw.len == 0)
        return DROP_NONE; /* an empty body needs no decoding, whatever its encoding */
    if (!chain_open(c, raw.len, out))
        return DROP_ENCODING;
    if (c->count == 1 && c->layers[0].codec == &codecs[0] && gzip_whole(raw, c->layers[0].max, out))
        return DROP_NONE;
    why = layer_push(&c->layers[0], (const uint8_t *)raw.ptr, raw.len);
    if (out->data != NULL)
        out->data[out->len] = '\0';
    if (why == DROP_ENCODING && out->len > before)
        why = DROP_NONE;
    *ret_cut = why == DROP_NONE && !c->layers[c->count - 1].ended;
    return why;
}

enum drop decode_body(struct str raw, struct str encoding, struct buf *out, struct str *ret,
                      bool *ret_cut)
{
    struct chain chain = {.count = 0};
    size_t before = out->len;
    enum drop why;

    *ret_cut = false;
    *ret = raw;
    if (!chain_read(&chain, encoding))
        return DROP_ENCODING;
    if (chain.count == 0)
        return DROP_NONE;
    why = chain_run(&chain, raw, out, ret_cut);
    chain_close(&chain);
    *ret = str_sub(buf_str(out), before, out->len);
    return why;
}
