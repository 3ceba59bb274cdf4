/* Content decoding: streams are built here, by the encoders themselves.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/rng.h"
#include "parse/http/decode.h"

#include <brotli/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* ---- encoders -------------------------------------------------------------- */

static void zlib_encode(struct str in, struct buf *out, int bits)
{
    z_stream z = {0};
    size_t room = compressBound(in.len) + 64;
    char *to = buf_room(out, room);

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)in.ptr;
    z.avail_in = (uInt)in.len;
    z.next_out = (Bytef *)to;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->len += room - z.avail_out;
    deflateEnd(&z);
}

static void encode_gzip(struct str in, struct buf *out)
{
    zlib_encode(in, out, 15 + 16);
}

static void encode_zlib(struct str in, struct buf *out)
{
    zlib_encode(in, out, 15);
}

static void encode_bare(struct str in, struct buf *out)
{
    zlib_encode(in, out, -15);
}

static void encode_brotli(struct str in, struct buf *out)
{
    size_t room = BrotliEncoderMaxCompressedSize(in.len) + 64;
    char *to = buf_room(out, room);

    assert_true(BrotliEncoderCompress(5, 22, BROTLI_MODE_GENERIC, in.len, (const uint8_t *)in.ptr,
                                      &room, (uint8_t *)to));
    out->len += room;
}

static void encode_zstd(struct str in, struct buf *out)
{
    size_t room = ZSTD_compressBound(in.len), n;
    char *to = buf_room(out, room);

    n = ZSTD_compress(to, room, in.ptr, in.len, 3);
    assert_false(ZSTD_isError(n));
    out->len += n;
}

static const struct {
    const char *name;
    void (*encode)(struct str in, struct buf *out);
} encoders[] = {
    {"gzip", encode_gzip},    {"x-gzip", encode_gzip}, {"deflate", encode_zlib},
    {"deflate", encode_bare}, {"br", encode_brotli},   {"zstd", encode_zstd},
};
#define ENCODERS (sizeof encoders / sizeof *encoders)

static struct buf text_of(size_t len)
{
    struct buf b = BUF_INIT(MIB(64));
    struct rng r;

    rng_init(&r, len);
    while (b.len < len)
        buf_addf(&b, "<p>word%u and %u ", (unsigned)rng_below(&r, 500),
                 (unsigned)rng_below(&r, 100000));
    b.len = len;
    return b;
}

static enum drop decode(struct str raw, const char *encoding, struct buf *out, bool *cut)
{
    struct str ret;
    enum drop why;

    buf_init(out, LIMIT_DECODED);
    why = decode_body(raw, str_of(encoding), out, &ret, cut);
    if (why == DROP_NONE)
        assert_true(str_eq(ret, buf_str(out)));
    return why;
}

/* ---- tests ----------------------------------------------------------------- */

static void every_encoding_gives_back_what_went_in(void **state)
{
    static const size_t sizes[] = {1, 2, 100, 30000, 200000, 3000000};

    (void)state;
    for (size_t e = 0; e < ENCODERS; e++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct buf text = text_of(sizes[s]), raw = BUF_INIT(MIB(64)), out;
            bool cut = true;

            encoders[e].encode(buf_str(&text), &raw);
            assert_int_equal(decode(buf_str(&raw), encoders[e].name, &out, &cut), DROP_NONE);
            assert_true(str_eq(buf_str(&out), buf_str(&text)));
            assert_int_equal(out.data[out.len], '\0');
            assert_false(cut);
            buf_free(&text);
            buf_free(&raw);
            buf_free(&out);
        }
}

static void nested_encodings_come_off_last_to_first(void **state)
{
    (void)state;
    for (size_t a = 0; a < ENCODERS; a++)
        for (size_t b = 0; b < ENCODERS; b++) {
            struct buf text = text_of(100000), once = BUF_INIT(MIB(64)), twice = BUF_INIT(MIB(64)),
                       out;
            char names[40];
            bool cut = true;

            encoders[a].encode(buf_str(&text), &once);
            encoders[b].encode(buf_str(&once), &twice);
            (void)snprintf(names, sizeof names, "%s,  %s", encoders[a].name, encoders[b].name);
            assert_int_equal(decode(buf_str(&twice), names, &out, &cut), DROP_NONE);
            assert_true(str_eq(buf_str(&out), buf_str(&text)));
            assert_false(cut);
            buf_free(&text);
            buf_free(&once);
            buf_free(&twice);
            buf_free(&out);
        }
}

static void a_truncated_stream_gives_what_there_is(void **state)
{
    (void)state;
    for (size_t e = 0; e < ENCODERS; e++) {
        struct buf text = text_of(500000), raw = BUF_INIT(MIB(64)), out;
        size_t most = 0;
        bool cut;

        encoders[e].encode(buf_str(&text), &raw);
        for (size_t len = 0; len < raw.len; len += len < 300 ? 1 : raw.len / 37) {
            cut = false;
            assert_int_equal(decode((struct str){raw.data, len}, encoders[e].name, &out, &cut),
                             DROP_NONE);
            assert_int_equal(cut, len > 0);
            assert_true(str_starts(buf_str(&text), buf_str(&out)));
            most = out.len > most ? out.len : most;
            buf_free(&out);
        }
        assert_true(most > text.len / 2);
        buf_free(&text);
        buf_free(&raw);
    }
}

static void what_follows_the_stream_is_ignored(void **state)
{
    (void)state;
    for (size_t e = 0; e < ENCODERS; e++) {
        struct buf text = text_of(30000), raw = BUF_INIT(MIB(64)), out;
        bool cut = true;

        encoders[e].encode(buf_str(&text), &raw);
        buf_add(&raw, "\0\0\0 garbage \x1f\x8b", 14);
        assert_int_equal(decode(buf_str(&raw), encoders[e].name, &out, &cut), DROP_NONE);
        assert_true(str_eq(buf_str(&out), buf_str(&text)));
        assert_false(cut);
        buf_free(&text);
        buf_free(&raw);
        buf_free(&out);
    }
}

static void several_gzip_members_or_zstd_frames_are_one_body(void **state)
{
    static const size_t which[] = {0, 5};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct buf raw = BUF_INIT(MIB(1)), out;
        bool cut = true;

        encoders[which[i]].encode(STR("one "), &raw);
        encoders[which[i]].encode(STR(""), &raw);
        encoders[which[i]].encode(STR("two"), &raw);
        assert_int_equal(decode(buf_str(&raw), encoders[which[i]].name, &out, &cut), DROP_NONE);
        assert_str(buf_str(&out), "one two");
        assert_false(cut);
        buf_free(&raw);
        buf_free(&out);
    }
}

static void a_bomb_is_stopped_at_its_ratio(void **state)
{
    char *zeros = calloc(1, MIB(20));

    (void)state;
    for (size_t e = 0; e < ENCODERS; e++) {
        struct buf raw = BUF_INIT(MIB(64)), out;
        bool cut = false;

        encoders[e].encode((struct str){zeros, MIB(20)}, &raw);
        assert_true(raw.len < MIB(20) / LIMIT_DECODED_RATIO);
        assert_int_equal(decode(buf_str(&raw), encoders[e].name, &out, &cut), DROP_SIZE);
        assert_true(out.cap < MIB(20));
        buf_free(&raw);
        buf_free(&out);
    }
    free(zeros);
}

static void a_bomb_inside_a_bomb_is_stopped_too(void **state)
{
    char *zeros = calloc(1, MIB(20));
    struct buf once = BUF_INIT(MIB(64)), twice = BUF_INIT(MIB(64)), out;
    bool cut = false;

    (void)state;
    encode_gzip((struct str){zeros, MIB(20)}, &once);
    encode_zstd(buf_str(&once), &twice);
    assert_int_equal(decode(buf_str(&twice), "gzip, zstd", &out, &cut), DROP_SIZE);
    buf_free(&out);
    buf_clear(&once);
    buf_clear(&twice);
    encode_brotli((struct str){zeros, MIB(20)}, &once); /* a huge middle, of which nothing */
    encode_gzip(buf_str(&once), &twice);                /* is a document in the end */
    assert_int_equal(decode(buf_str(&twice), "zstd, br, gzip", &out, &cut), DROP_ENCODING);
    buf_free(&out);
    buf_free(&once);
    buf_free(&twice);
    free(zeros);
}

static void small_bodies_may_be_as_dense_as_they_like(void **state)
{
    char *zeros = calloc(1, MIB(1));

    (void)state;
    for (size_t e = 0; e < ENCODERS; e++) {
        struct buf raw = BUF_INIT(MIB(64)), out;
        bool cut = true;

        encoders[e].encode((struct str){zeros, MIB(1) - 1}, &raw);
        assert_int_equal(decode(buf_str(&raw), encoders[e].name, &out, &cut), DROP_NONE);
        assert_int_equal(out.len, MIB(1) - 1);
        buf_free(&raw);
        buf_free(&out);
    }
    free(zeros);
}

static void what_is_not_encoded_is_not_copied(void **state)
{
    static const char *const names[] = {"", "identity", " Identity ,", ",,"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct buf out = BUF_INIT(1000);
        struct str raw = STR("plain"), ret;
        bool cut = true;

        assert_int_equal(decode_body(raw, str_of(names[i]), &out, &ret, &cut), DROP_NONE);
        assert_ptr_equal(ret.ptr, raw.ptr);
        assert_null(out.data);
        assert_false(cut);
    }
}

static void unknown_and_broken_encodings_are_named(void **state)
{
    static const char *const unknown[] = {"compress", "gzipp",     "gzip;q=1",
                                          "br gzip",  "aes128gcm", "gzip,gzip,gzip,gzip"};

    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        struct buf out;
        bool cut;

        assert_int_equal(decode(STR("x"), unknown[i], &out, &cut), DROP_ENCODING);
        buf_free(&out);
    }
    for (size_t e = 0; e < ENCODERS; e++) {
        struct buf out;
        bool cut;

        assert_int_equal(
            decode(STR("<!DOCTYPE html><p>not encoded at all"), encoders[e].name, &out, &cut),
            DROP_ENCODING);
        buf_free(&out);
    }
}

static void names_ignore_case_and_an_empty_body_is_empty(void **state)
{
    struct buf raw = BUF_INIT(1000), out;
    bool cut = true;

    (void)state;
    encode_gzip(STR("hello"), &raw);
    assert_int_equal(decode(buf_str(&raw), "GZip", &out, &cut), DROP_NONE);
    assert_str(buf_str(&out), "hello");
    buf_free(&out);
    buf_free(&raw);
    assert_int_equal(decode(STR(""), "gzip", &out, &cut), DROP_NONE);
    assert_int_equal(out.len, 0);
    assert_false(cut);
    buf_free(&out);
}

static void a_liar_about_the_size_is_decoded_all_the_same(void **state)
{
    struct buf raw = BUF_INIT(MIB(1)), text = text_of(30000), out;
    bool cut;

    (void)state;
    encode_gzip(buf_str(&text), &raw);
    memcpy(raw.data + raw.len - 4, "\x10\0\0\0", 4); /* claims 16 bytes */
    assert_int_equal(decode(buf_str(&raw), "gzip", &out, &cut), DROP_NONE);
    assert_true(str_eq(buf_str(&out), buf_str(&text)));
    buf_free(&out);
    memcpy(raw.data + raw.len - 4, "\xff\xff\xff\xff", 4);
    assert_int_equal(decode(buf_str(&raw), "gzip", &out, &cut), DROP_NONE);
    assert_true(str_eq(buf_str(&out), buf_str(&text)));
    buf_free(&out);
    buf_free(&raw);
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_gives_back_what_went_in),
        cmocka_unit_test(nested_encodings_come_off_last_to_first),
        cmocka_unit_test(a_truncated_stream_gives_what_there_is),
        cmocka_unit_test(what_follows_the_stream_is_ignored),
        cmocka_unit_test(several_gzip_members_or_zstd_frames_are_one_body),
        cmocka_unit_test(a_bomb_is_stopped_at_its_ratio),
        cmocka_unit_test(a_bomb_inside_a_bomb_is_stopped_too),
        cmocka_unit_test(small_bodies_may_be_as_dense_as_they_like),
        cmocka_unit_test(what_is_not_encoded_is_not_copied),
        cmocka_unit_test(unknown_and_broken_encodings_are_named),
        cmocka_unit_test(names_ignore_case_and_an_empty_body_is_empty),
        cmocka_unit_test(a_liar_about_the_size_is_decoded_all_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
