/* What imports read with: tar archives in all their forms, gzip and zstd around
 * them, chunked bodies, lines of tables. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "sim/import/import_int.h"
#include "sim/import/tables.h"
#include "sim/import/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* ---- tar ----------------------------------------------------------------- */

static const char *file_of(struct str bytes)
{
    static char path[256];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s/f", test_dir());
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    assert_int_equal(fclose(f), 0);
    return path;
}

/* Names and first bytes of an archive's entries, and how it ended. */
static enum status list(struct str archive, struct buf *out)
{
    struct unpack *u = NULL;
    struct buf bytes = BUF_INIT(100000);
    struct unpack_entry e;
    enum status st = unpack_open(file_of(archive), &u);

    assert_int_equal(st, ST_OK);
    while ((st = unpack_next(u, &e)) == ST_OK) {
        buf_clear(&bytes);
        buf_addf(out, "%.*s%s", STR_ARG(e.name), e.is_file ? "" : " (no file)");
        if (e.is_file && unpack_read(u, &bytes) == ST_OK)
            buf_addf(out, " %.*s", STR_ARG(str_sub(buf_str(&bytes), 0, 8)));
        buf_add_z(out, "\n");
    }
    unpack_close(u);
    buf_free(&bytes);
    return st;
}

static void corpus(const char *name, struct buf *out)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/fuzz/corpus/unpack/%s", getenv("BROOD_SOURCE"),
                   name);
    test_read(path, out);
}

/* Made with GNU tar: d/, d/a.html ("<p>one\n"), d/e/, d/e/b.html (700 times x),
 * and, but for ustar, thirty folders "long/" with x/y.html ("l\n") at their end. */
static void every_form_of_tar_is_read(void **state)
{
    static const char *const forms[] = {"ustar", "gnu", "pax"};

    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(forms); f++) {
        struct buf archive = BUF_INIT(1 << 20), names = BUF_INIT(1 << 16);

        corpus(forms[f], &archive);
        assert_int_equal(list(buf_str(&archive), &names), ST_MISSING);
        assert_non_null(strstr(names.data, "d/a.html <p>one\n"));
        assert_non_null(strstr(names.data, "d/e/b.html xxxxxxxx"));
        assert_non_null(strstr(names.data, "d/ (no file)"));
        if (f > 0)
            assert_non_null(strstr(names.data, "long/long/long/x/y.html l\n"));
        buf_free(&names);
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
        assert_int_equal(list(str_sub(buf_str(&archive), 0, len), &names), ST_CORRUPT);
    assert_int_equal(list(str_sub(buf_str(&archive), 0, archive.len - 1024), &names), ST_CORRUPT);
    assert_non_null(strstr(status_text(), "without its end mark"));
    assert_int_equal(list(str_sub(buf_str(&archive), 0, archive.len - 512), &names), ST_MISSING);
    archive.data[3] ^= 1; /* in the first header: the checksum is wrong */
    assert_int_equal(list(buf_str(&archive), &names), ST_CORRUPT);
    buf_free(&archive);
    buf_free(&names);
}

static void an_entry_larger_than_the_buffer_is_passed_over(void **state)
{
    struct buf archive = BUF_INIT(1 << 20), bytes = BUF_INIT(100);
    struct unpack *u = NULL;
    struct unpack_entry e;
    int large = 0, files = 0;

    (void)state;
    corpus("ustar", &archive);
    assert_int_equal(unpack_open(file_of(buf_str(&archive)), &u), ST_OK);
    while (unpack_next(u, &e) == ST_OK) {
        buf_clear(&bytes);
        files += e.is_file;
        large += e.is_file && unpack_read(u, &bytes) == ST_LIMIT;
    }
    assert_int_equal(files, 2);
    assert_int_equal(large, 1); /* 700 bytes into 100 */
    unpack_close(u);
    buf_free(&archive);
    buf_free(&bytes);
}

/* ---- hostile archives ----------------------------------------------------- */

/* Appends a header of POSIX tar and `content`, padded. */
static void add_entry(struct buf *out, char type, const char *name, size_t size, struct str content)
{
    char h[512] = {0};
    unsigned sum = 0;

    (void)snprintf(h, 100, "%s", name);
    (void)snprintf(h + 100, 8, "%07o", 0644);
    (void)snprintf(h + 124, 12, "%011zo", size);
    memset(h + 148, ' ', 8);
    h[156] = type;
    memcpy(h + 257, type == 'S' ? "ustar  " : "ustar\00000", 8);
    if (type == 'S') { /* of a sparse file: its map goes on in the next block */
        (void)snprintf(h + 386, 12, "%011o", 0);
        h[482] = 1;
        (void)snprintf(h + 483, 12, "%011o", 1);
    }
    if (type == '1' || type == '2')
        (void)snprintf(h + 157, 100, "/etc/passwd");
    for (size_t i = 0; i < sizeof h; i++)
        sum += (unsigned char)h[i];
    (void)snprintf(h + 148, 8, "%06o", sum);
    buf_add_str(out, (struct str){h, sizeof h});
    buf_add_str(out, content);
    for (size_t n = content.len; n % 512; n++)
        buf_add_char(out, '\0');
}

static void add_end(struct buf *out)
{
    for (int i = 0; i < 1024; i++)
        buf_add_char(out, '\0');
}

static void links_devices_and_folders_are_no_files(void **state)
{
    struct buf archive = BUF_INIT(1 << 20), names = BUF_INIT(1 << 16);

    (void)state;
    add_entry(&archive, '1', "hard", 0, STR(""));
    add_entry(&archive, '2', "soft", 0, STR(""));
    add_entry(&archive, '3', "char", 0, STR(""));
    add_entry(&archive, '4', "block", 0, STR(""));
    add_entry(&archive, '5', "folder", 0, STR(""));
    add_entry(&archive, '6', "pipe", 0, STR(""));
    add_entry(&archive, '0', "./../../etc/x", 1, STR("x"));
    add_end(&archive);
    assert_int_equal(list(buf_str(&archive), &names), ST_MISSING);
    assert_string_equal(names.data, "hard (no file)\nsoft (no file)\nchar (no file)\n"
                                    "block (no file)\nfolder (no file)\npipe (no file)\n"
                                    "../../etc/x x\n"); /* a name is data */
    buf_free(&archive);
    buf_free(&names);
}

static void sizes_that_are_not_there_end_the_archive(void **state)
{
    static const size_t sizes[] = {1000, (size_t)1 << 32};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct buf archive = BUF_INIT(1 << 20), names = BUF_INIT(1 << 16);

        add_entry(&archive, '0', "a", sizes[i], STR("few"));
        assert_int_equal(list(buf_str(&archive), &names), ST_CORRUPT);
        assert_non_null(strstr(status_text(), "ends early"));
        buf_free(&archive);
        buf_free(&names);
    }
}

static void a_header_takes_no_more_memory_than_it_may(void **state)
{
    struct buf big = BUF_INIT(64 << 20), names = BUF_INIT(1 << 16), map = BUF_INIT(64 << 20);
    struct buf name = BUF_INIT(1 << 20);

    (void)state;
    /* a long name of 4 MiB */
    while (map.len < MIB(4))
        buf_add_z(&map, "nnnnnnnnnnnnnnnn");
    add_entry(&big, 'L', "././@LongLink", map.len, buf_str(&map));
    add_entry(&big, '0', "a", 0, STR(""));
    add_end(&big);
    assert_true(list(buf_str(&big), &names) != ST_MISSING);
    /* one that libarchive takes and we do not */
    while (name.len <= LIMIT_TAR_NAME)
        buf_add_char(&name, 'n');
    buf_clear(&big);
    add_entry(&big, 'L', "././@LongLink", name.len, buf_str(&name));
    add_entry(&big, '0', "a", 0, STR(""));
    add_end(&big);
    assert_int_equal(list(buf_str(&big), &names), ST_LIMIT);
    /* the map of a sparse file, block after block: 21 places, and "it goes on" */
    buf_clear(&map);
    while (map.len < MIB(4)) {
        char block[512] = {0};

        for (size_t i = 0; i < 21; i++)
            (void)snprintf(block + i * 24, 12, "%011zo", i);
        block[504] = 1;
        buf_add_str(&map, (struct str){block, sizeof block});
    }
    buf_clear(&big);
    add_entry(&big, 'S', "sparse", 0, buf_str(&map));
    add_end(&big);
    assert_int_equal(list(buf_str(&big), &names), ST_LIMIT);
    assert_non_null(strstr(status_text(), "a header is larger"));
    /* headers about headers, without end */
    buf_clear(&big);
    for (int i = 0; i < 10000; i++)
        add_entry(&big, 'x', "x", 11, STR("11 a=bcdef\n"));
    add_end(&big);
    assert_true(list(buf_str(&big), &names) != ST_MISSING);
    buf_free(&name);
    buf_free(&big);
    buf_free(&map);
    buf_free(&names);
}

/* ---- codings ------------------------------------------------------------- */

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
    struct buf out = BUF_INIT(1 << 24);
    size_t bound = ZSTD_compressBound(text.len);

    out.len = ZSTD_compress(buf_room(&out, bound), bound, text.ptr, text.len, 3);
    return out;
}

static void plain_gzip_and_zstd_give_the_same_files_also_in_several_parts(void **state)
{
    struct buf tar = BUF_INIT(1 << 22), text = BUF_INIT(1 << 22);
    struct buf want = BUF_INIT(1000), got = BUF_INIT(1000);
    struct unpack *u = NULL;

    (void)state;
    for (int i = 0; i < 100000; i++) /* larger than a chunk */
        buf_addf(&text, "%d ", i);
    add_entry(&tar, '0', "large", text.len, buf_str(&text));
    add_entry(&tar, '0', "small", 5, STR("small"));
    add_end(&tar);
    assert_int_equal(list(buf_str(&tar), &want), ST_MISSING);
    assert_string_equal(want.data, "large\nsmall small\n"); /* more than list() reads */
    for (int coding = 0; coding < 2; coding++) {
        struct str half[2] = {str_sub(buf_str(&tar), 0, 300000),
                              str_sub(buf_str(&tar), 300000, tar.len)};
        struct buf file = BUF_INIT(1 << 22), twice;

        for (int i = 0; i < 2; i++) {
            struct buf part = coding ? zstded(half[i]) : gzipped(half[i]);

            buf_add_str(&file, buf_str(&part));
            buf_free(&part);
        }
        buf_clear(&got);
        assert_int_equal(list(buf_str(&file), &got), ST_MISSING);
        assert_string_equal(got.data, want.data);
        /* the first part alone; a coding that stops in the middle */
        assert_int_equal(list(str_sub(buf_str(&file), 0, file.len / 3), &got), ST_CORRUPT);
        assert_non_null(strstr(status_text(), "ends early"));
        /* the same coding twice is no archive of ours */
        twice = coding ? zstded(buf_str(&file)) : gzipped(buf_str(&file));
        assert_int_equal(list(buf_str(&twice), &got), ST_CORRUPT);
        assert_non_null(strstr(status_text(), "no tar archive"));
        buf_free(&twice);
        file.data[file.len / 3] ^= 0x55;
        buf_clear(&got);
        if (coding == 0) /* these frames of zstd have no checksum */
            assert_int_equal(list(buf_str(&file), &got), ST_CORRUPT);
        buf_free(&file);
    }
    assert_int_equal(unpack_open("/nowhere/at/all", &u), ST_MISSING);
    buf_free(&text);
    buf_free(&tar);
    buf_free(&want);
    buf_free(&got);
}

/* 1 GiB of zeros as one file, and as what follows the end mark. */
static void a_bomb_is_passed_over_in_a_chunk_of_memory(void **state)
{
    struct buf head = BUF_INIT(1 << 20), file = BUF_INIT(1 << 24), names = BUF_INIT(1000), part;
    char *zeros = calloc(1, MIB(8));

    (void)state;
    add_entry(&head, '0', "bomb", (size_t)1 << 30, STR(""));
    part = zstded(buf_str(&head));
    buf_add_str(&file, buf_str(&part));
    buf_free(&part);
    part = zstded((struct str){zeros, MIB(8)});
    for (int i = 0; i < 128; i++)
        buf_add_str(&file, buf_str(&part));
    buf_free(&part);
    assert_int_equal(list(buf_str(&file), &names), ST_CORRUPT); /* there is no end mark */
    assert_string_equal(names.data, "bomb\n");
    free(zeros);
    buf_free(&head);
    buf_free(&file);
    buf_free(&names);
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
    struct tsv t = table_of(STR("\xef\xbb\xbf#heading\tx\r\n\r\na\tb\r\n#c\td\n"));
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
        cmocka_unit_test(every_form_of_tar_is_read),
        cmocka_unit_test(an_archive_that_ends_early_says_so_wherever_it_is_cut),
        cmocka_unit_test(an_entry_larger_than_the_buffer_is_passed_over),
        cmocka_unit_test(links_devices_and_folders_are_no_files),
        cmocka_unit_test(sizes_that_are_not_there_end_the_archive),
        cmocka_unit_test(a_header_takes_no_more_memory_than_it_may),
        cmocka_unit_test(plain_gzip_and_zstd_give_the_same_files_also_in_several_parts),
        cmocka_unit_test(a_bomb_is_passed_over_in_a_chunk_of_memory),
        cmocka_unit_test(chunks_are_joined_and_a_missing_last_one_is_said),
        cmocka_unit_test(tables_pass_over_headings_and_empty_lines_and_count_all),
        cmocka_unit_test(rows_are_read_or_refused_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
