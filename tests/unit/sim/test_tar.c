/* What imports read with: tar archives in all their forms, gzip and zstd around
 * them, chunked bodies, lines of tables. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "sim/import/dechunk.h"
#include "sim/import/tables.h"
#include "sim/import/stream.h"
#include "sim/import/tar.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* ---- tar ----------------------------------------------------------------- */

struct source {
    struct str rest;
    size_t chunk; /* bytes a chunk */
};

static enum status next_chunk(void *ctx, struct str *ret)
{
    struct source *s = ctx;

    *ret = str_sub(s->rest, 0, s->chunk);
    s->rest = str_sub(s->rest, ret->len, s->rest.len);
    return ST_OK;
}

/* Names and sizes of an archive's entries, and how it ended. */
static enum status list(struct str archive, size_t chunk, struct buf *out)
{
    struct source s = {archive, chunk};
    struct tar *t = tar_new(next_chunk, &s);
    struct buf bytes = BUF_INIT(100000);
    struct tar_entry e;
    enum status st;

    while ((st = tar_next(t, &e)) == ST_OK) {
        buf_clear(&bytes);
        buf_addf(out, "%.*s%s", STR_ARG(e.name), e.is_file ? "" : " (no file)");
        if (e.is_file && tar_read(t, &bytes) == ST_OK)
            buf_addf(out, " %.*s", STR_ARG(str_sub(buf_str(&bytes), 0, 8)));
        buf_add_z(out, "\n");
    }
    tar_free(t);
    buf_free(&bytes);
    return st;
}

static void corpus(const char *name, struct buf *out)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/fuzz/corpus/tar/%s", getenv("BROOD_SOURCE"), name);
    test_read(path, out);
}

/* Made with GNU tar: d/, d/a.html ("<p>one\n"), d/e/, d/e/b.html (700 times x),
 * and, but for ustar, thirty folders "long/" with x/y.html ("l\n") at their end. */
static void every_form_of_tar_is_read_whatever_the_chunks(void **state)
{
    static const char *const forms[] = {"ustar", "gnu", "pax"};
    static const size_t chunks[] = {1, 511, 513, 1 << 20};

    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(forms); f++) {
        struct buf archive = BUF_INIT(1 << 20);

        corpus(forms[f], &archive);
        for (size_t c = 0; c < ARRAY_LEN(chunks); c++) {
            struct buf names = BUF_INIT(1 << 16);

            assert_int_equal(list(buf_str(&archive), chunks[c], &names), ST_MISSING);
            assert_non_null(strstr(names.data, "d/a.html <p>one\n"));
            assert_non_null(strstr(names.data, "d/e/b.html xxxxxxxx"));
            assert_non_null(strstr(names.data, "d/ (no file)"));
            if (f > 0)
                assert_non_null(strstr(names.data, "long/long/long/x/y.html l\n"));
            buf_free(&names);
        }
        buf_free(&archive);
    }
}

static void an_archive_that_ends_early_says_so_wherever_it_is_cut(void **state)
{
    struct buf archive = BUF_INIT(1 << 20), names = BUF_INIT(1 << 16);

    (void)state;
    corpus("ustar", &archive);
    /* 4,608 bytes: the last 1,024 are the end mark, of which half is enough */
    for (size_t len = 0; len < archive.len - 512; len += 97)
        assert_int_equal(list(str_sub(buf_str(&archive), 0, len), 4096, &names), ST_CORRUPT);
    assert_int_equal(list(str_sub(buf_str(&archive), 0, archive.len - 512), 4096, &names),
                     ST_MISSING);
    archive.data[3] ^= 1; /* in the first header: the checksum is wrong */
    assert_int_equal(list(buf_str(&archive), 4096, &names), ST_CORRUPT);
    buf_free(&archive);
    buf_free(&names);
}

static void an_entry_larger_than_the_buffer_is_passed_over(void **state)
{
    struct buf archive = BUF_INIT(1 << 20), bytes = BUF_INIT(100);
    struct tar_entry e;
    int large = 0, files = 0;

    (void)state;
    corpus("ustar", &archive);
    struct source s = {buf_str(&archive), 1000};
    struct tar *t = tar_new(next_chunk, &s);
    while (tar_next(t, &e) == ST_OK) {
        buf_clear(&bytes);
        files += e.is_file;
        large += e.is_file && tar_read(t, &bytes) == ST_LIMIT;
    }
    assert_int_equal(files, 2);
    assert_int_equal(large, 1); /* 700 bytes into 100 */
    tar_free(t);
    buf_free(&archive);
    buf_free(&bytes);
}

/* ---- codings ------------------------------------------------------------- */

static void write_file(const char *path, struct str bytes)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
}

static enum status read_stream(const char *path, struct buf *out)
{
    struct stream *s = NULL;
    struct str chunk = {"", 0};
    enum status st = stream_open(path, &s);

    if (st != ST_OK)
        return st;
    do {
        st = stream_next(s, &chunk);
        if (st == ST_OK)
            buf_add_str(out, chunk);
    } while (st == ST_OK && chunk.len);
    stream_close(s);
    return st;
}

static struct buf gzipped(struct str text)
{
    struct buf out = BUF_INIT(1 << 22);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)text.ptr, .avail_in = (uInt)text.len};

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = (Bytef *)buf_room(&out, deflateBound(&z, text.len));
    z.avail_out = (uInt)deflateBound(&z, text.len);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.len = z.total_out;
    (void)deflateEnd(&z);
    return out;
}

static struct buf zstded(struct str text)
{
    struct buf out = BUF_INIT(1 << 22);
    size_t bound = ZSTD_compressBound(text.len);

    out.len = ZSTD_compress(buf_room(&out, bound), bound, text.ptr, text.len, 3);
    return out;
}

static void plain_gzip_and_zstd_give_the_same_bytes_also_in_several_parts(void **state)
{
    struct buf text = BUF_INIT(1 << 22), got = BUF_INIT(1 << 22);
    char path[256];

    (void)state;
    for (int i = 0; i < 100000; i++) /* larger than a chunk */
        buf_addf(&text, "%d ", i);
    (void)snprintf(path, sizeof path, "%s/f", test_dir());
    write_file(path, buf_str(&text));
    assert_int_equal(read_stream(path, &got), ST_OK);
    assert_true(str_eq(buf_str(&got), buf_str(&text)));
    for (int coding = 0; coding < 2; coding++) {
        struct str half[2] = {str_sub(buf_str(&text), 0, 300000),
                              str_sub(buf_str(&text), 300000, text.len)};
        struct buf file = BUF_INIT(1 << 22);

        for (int i = 0; i < 2; i++) {
            struct buf part = coding ? zstded(half[i]) : gzipped(half[i]);

            buf_add_str(&file, buf_str(&part));
            buf_free(&part);
        }
        write_file(path, buf_str(&file));
        buf_clear(&got);
        assert_int_equal(read_stream(path, &got), ST_OK);
        assert_true(str_eq(buf_str(&got), buf_str(&text)));
        write_file(path, str_sub(buf_str(&file), 0, file.len - 10));
        assert_int_equal(read_stream(path, &got), ST_CORRUPT);
        assert_non_null(strstr(status_text(), "ends early"));
        file.data[file.len / 3] ^= 0x55;
        write_file(path, buf_str(&file));
        buf_clear(&got);
        assert_true(read_stream(path, &got) != ST_OK || !str_eq(buf_str(&got), buf_str(&text)));
        buf_free(&file);
    }
    assert_int_equal(read_stream("/nowhere/at/all", &got), ST_MISSING);
    buf_free(&text);
    buf_free(&got);
}

/* ---- chunks -------------------------------------------------------------- */

static void chunks_are_joined_and_a_missing_last_one_is_said(void **state)
{
    static const struct {
        const char *raw, *out;
        bool chunked, cut;
    } cases[] = {
        {"5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nTrailer: x\r\n\r\n", "hello world", true, false},
        {"5\nhello\n0\n\n", "hello", true, false},
        {"A\r\n0123456789\r\n", "0123456789", true, true},
        {"ff\r\nshort", "short", true, true},
        {"5\r\nhello\r\nzz\r\n", "hello", true, true},
        {"<html>", "", false, false},
        {"", "", false, false},
        {"cafe au lait\r\n", "", true, true}, /* "cafe" is a size */
        {"cafes\r\n", "", false, false},
        {"fffffffffffffffff\r\n", "", false, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = BUF_INIT(1000);
        bool cut = false;

        assert_int_equal(dechunk(str_of(cases[i].raw), &out, &cut), cases[i].chunked);
        assert_str(buf_str(&out), cases[i].out);
        assert_int_equal(cut, cases[i].cut);
        buf_free(&out);
    }
}

/* ---- tables -------------------------------------------------------------- */

static void tables_pass_over_headings_and_empty_lines_and_count_all(void **state)
{
    struct table t = table_of(STR("\xef\xbb\xbf#heading\tx\r\n\r\na\tb\r\n#c\td\n"));
    struct str line;

    (void)state;
    assert_true(table_next(&t, &line));
    assert_str(line, "a\tb");
    assert_int_equal(t.line, 3);
    assert_true(table_next(&t, &line)); /* a file may be called "#c" */
    assert_str(line, "#c\td");
    assert_false(table_next(&t, &line));
}

static void rows_are_read_or_refused_with_a_sentence(void **state)
{
    struct label_row label;
    struct manifest_row row;
    struct event_row event;
    struct str list, one;

    (void)state;
    assert_null(label_row(STR("wp/%C3.htm\tA.B, c ,,D"), &label));
    assert_str(label.name, "wp/%C3.htm");
    list = label.labels;
    assert_true(label_next(&list, &one));
    assert_str(one, "A.B");
    assert_true(label_next(&list, &one));
    assert_str(one, "c");
    assert_true(label_next(&list, &one));
    assert_str(one, "D");
    assert_false(label_next(&list, &one));
    assert_non_null(label_row(STR("no tab"), &label));
    assert_non_null(label_row(STR("a\tb\tc"), &label));
    assert_non_null(label_row(STR("a\t , "), &label));

    assert_null(manifest_row(STR("f\thttp://x/"), &row));
    assert_int_equal(row.labels.len, 0);
    assert_null(manifest_row(STR("f\thttp://x/\tl"), &row));
    assert_str(row.labels, "l");
    assert_non_null(manifest_row(STR("f"), &row));
    assert_non_null(manifest_row(STR("\thttp://x/"), &row));

    assert_null(event_row(STR("821204925\tM\t275de46a\ta b.html"), &event));
    assert_true(event.at == INT64_C(821204925000000) && event.kind == 'M');
    assert_str(event.path, "a b.html");
    assert_non_null(event_row(STR("x\tM\t275de46a\ta"), &event));
    assert_non_null(event_row(STR("1\tX\t275de46a\ta"), &event));
    assert_non_null(event_row(STR("1\tM\t../275de46a\ta"), &event));
    assert_non_null(event_row(STR("1\tM\t275de46a\t"), &event));
    assert_non_null(event_row(STR("99999999999999\tM\t275de46a\ta"), &event));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_tar_is_read_whatever_the_chunks),
        cmocka_unit_test(an_archive_that_ends_early_says_so_wherever_it_is_cut),
        cmocka_unit_test(an_entry_larger_than_the_buffer_is_passed_over),
        cmocka_unit_test(plain_gzip_and_zstd_give_the_same_bytes_also_in_several_parts),
        cmocka_unit_test(chunks_are_joined_and_a_missing_last_one_is_said),
        cmocka_unit_test(tables_pass_over_headings_and_empty_lines_and_count_all),
        cmocka_unit_test(rows_are_read_or_refused_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
