/* The archive: what is written, and reading files of anybody.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "base/rng.h"
#include "store/archive.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The record a row of `table` points to. */
static struct warc_record record_of(const char *dir, const char *table, int id)
{
    struct warc_record rec;
    char sql[256];
    uint64_t offset;

    (void)snprintf(sql, sizeof sql, "SELECT warc_offset FROM %s WHERE id = %d", table, id);
    offset = (uint64_t)made_int(dir, sql);
    (void)snprintf(sql, sizeof sql, "SELECT warc_file FROM %s WHERE id = %d", table, id);
    if (archive_read(dir, str_of(made_text(dir, sql)), offset, &rec) != ST_OK)
        fail_msg("%s", status_text());
    return rec;
}

static const char *only_file(const char *dir)
{
    static char path[512];

    (void)snprintf(path, sizeof path, "%s/warc/%s", dir, made_text(dir, "SELECT name FROM warc"));
    return path;
}

/* "type type type" of a whole file. */
static void types_of(const char *path, struct buf *out)
{
    struct warc_reader *r = NULL;
    struct warc_record rec;
    enum status st;

    assert_int_equal(warc_open(path, &r), ST_OK);
    while ((st = warc_next(r, &rec)) == ST_OK) {
        buf_addf(out, "%s%.*s", out->len ? " " : "", STR_ARG(rec.type));
        warc_record_free(&rec);
    }
    if (st != ST_MISSING)
        buf_addf(out, " (%s)", status_text());
    warc_close(r);
}

static void a_page_is_three_records_that_name_each_other(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);
    struct buf types = BUF_INIT(1000);
    struct warc_record rec, next;
    struct warc_reader *r = NULL;
    struct str head, payload;
    int status;

    (void)state;
    made_post(s, &(struct made_page){.id = 1, .body = "<p>hello</p>", .relevance = 0.5F});
    made_checkpoint(s, 1);
    made_close(s);
    types_of(only_file(dir), &types);
    assert_string_equal(types.data, "warcinfo response request metadata");
    rec = record_of(dir, "page", 1);
    assert_str(rec.version, "WARC/1.1");
    assert_str(rec.type, "response");
    assert_str(rec.target, "http://a.test/1");
    assert_str(rec.date, "2026-02-02T02:40:01.000000Z");
    assert_str(warc_field(&rec, STR("WARC-IP-Address")), "192.0.2.1");
    assert_str(rec.payload_digest, "sha1:EH2SPSI2J7IA53E7X7MLVOIBNGZPXYIP");
    assert_true(warc_http(&rec, &status, &head, &payload));
    assert_int_equal(status, 200);
    assert_str(payload, "<p>hello</p>");
    assert_int_equal(rec.length, made_int(dir, "SELECT warc_length FROM page"));
    assert_int_equal(warc_open(only_file(dir), &r), ST_OK);
    assert_int_equal(warc_at(r, rec.offset + rec.length, &next), ST_OK);
    assert_str(next.type, "request");
    assert_true(str_find(warc_field(&next, STR("WARC-Concurrent-To")), rec.id, 0) != SIZE_MAX);
    warc_record_free(&next);
    assert_int_equal(warc_next(r, &next), ST_OK);
    assert_str(next.type, "metadata");
    assert_true(str_find(buf_str(&next.block), STR("relevance: 0.5\r\n"), 0) != SIZE_MAX);
    assert_true(str_find(buf_str(&next.block), STR("agent: 1\r\n"), 0) != SIZE_MAX);
    warc_record_free(&next);
    warc_record_free(&rec);
    warc_close(r);
    buf_free(&types);
}

static void header_blocks_follow_the_rules(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);
    struct warc_record rec;
    struct str head, payload;
    int status;

    (void)state;
    made_post(s, &(struct made_page){.id = 1,
                                     .head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                                             "X: y\r\n\r\n"});
    made_post(s, &(struct made_page){.id = 2, .h2 = true, .head = "HTTP/2 200 \r\nx: y\r\n\r\n"});
    made_post(s,
              &(struct made_page){.id = 3, .truncated = true, .head = "HTTP/1.0 200 OK\nA: b\n"});
    made_checkpoint(s, 3);
    made_close(s);
    rec = record_of(dir, "page", 1);
    assert_true(warc_http(&rec, &status, &head, &payload));
    assert_str(head,
               "HTTP/1.1 200 OK\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\nX: y\r\n\r\n");
    warc_record_free(&rec);
    rec = record_of(dir, "page", 2);
    assert_true(warc_http(&rec, &status, &head, &payload));
    assert_str(head, "HTTP/1.1 200 \r\nx: y\r\n\r\n");
    assert_str(warc_field(&rec, STR("WARC-Protocol")), "h2");
    warc_record_free(&rec);
    rec = record_of(dir, "page", 3);
    assert_true(warc_http(&rec, &status, &head, &payload));
    assert_str(head, "HTTP/1.0 200 OK\r\nA: b\r\n\r\n");
    assert_str(warc_field(&rec, STR("WARC-Truncated")), "length");
    warc_record_free(&rec);
}

static void equal_payloads_and_304s_become_revisits(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);
    struct warc_record first, rec;

    (void)state;
    made_post(s, &(struct made_page){.id = 1, .body = "same"});
    made_post(s, &(struct made_page){.id = 2, .body = "same", .dup_of = 1, .exact_dup = true});
    made_post(s, &(struct made_page){.id = 3, .body = "packed", .dup_of = 1, .exact_dup = true});
    made_outcome(s, 1, "http://a.test/1", 304, DROP_NONE, 0, true);
    made_checkpoint(s, 3);
    made_close(s);
    first = record_of(dir, "page", 1);
    rec = record_of(dir, "page", 2);
    assert_str(rec.type, "revisit");
    assert_str(warc_field(&rec, STR("WARC-Profile")),
               "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
    assert_true(str_find(warc_field(&rec, STR("WARC-Refers-To")), first.id, 0) != SIZE_MAX);
    assert_str(warc_field(&rec, STR("WARC-Refers-To-Target-URI")), "http://a.test/1");
    assert_true(str_eq(warc_field(&rec, STR("WARC-Refers-To-Date")), first.date));
    assert_true(str_eq(rec.payload_digest, first.payload_digest));
    warc_record_free(&rec);
    rec = record_of(dir, "page", 3);
    assert_str(rec.type, "response"); /* the bytes as sent differ */
    warc_record_free(&rec);
    rec = record_of(dir, "outcome", 1);
    assert_str(rec.type, "revisit");
    assert_str(warc_field(&rec, STR("WARC-Profile")),
               "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
    warc_record_free(&rec);
    warc_record_free(&first);
    assert_int_equal(made_int(dir, "SELECT page FROM url WHERE id = 1"), 1);
}

static void full_files_are_followed_by_others(void **state)
{
    const char *dir = test_dir();
    struct store_config config = made_config();
    struct store *s = NULL;

    (void)state;
    config.warc_size = 3000;
    assert_int_equal(store_create(dir, &config, &s), ST_OK);
    for (uint32_t i = 1; i <= 20; i++)
        made_post(s, &(struct made_page){.id = i});
    made_checkpoint(s, 20);
    made_close(s);
    assert_true(made_int(dir, "SELECT count(*) FROM warc") > 3);
    assert_int_equal(made_int(dir, "SELECT count(DISTINCT name) = count(*) FROM warc"), 1);
    for (int i = 1; i <= 20; i++) {
        struct warc_record rec = record_of(dir, "page", i);
        char url[32];

        (void)snprintf(url, sizeof url, "http://a.test/%d", i);
        assert_str(rec.target, url);
        warc_record_free(&rec);
    }
}

static void equal_events_make_equal_archives(void **state)
{
    struct buf files[2] = {BUF_INIT(MIB(1)), BUF_INIT(MIB(1))};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *dir = test_dir();
        struct store *s = made_store(dir);

        made_post(s, &(struct made_page){.id = 1});
        made_checkpoint(s, 1);
        made_close(s);
        test_read(only_file(dir), &files[i]);
    }
    assert_true(str_eq(buf_str(&files[0]), buf_str(&files[1])));
    buf_free(&files[0]);
    buf_free(&files[1]);
}

static void what_fetch_threads_packed_is_archived_as_if_the_writer_had_done_it(void **state)
{
    static char noise[300000];
    struct buf files[2] = {BUF_INIT(MIB(1)), BUF_INIT(MIB(1))};
    struct rng rng;

    (void)state;
    rng_init(&rng, 1);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)rng_below(&rng, 256);
    for (int i = 0; i < 2; i++) {
        const char *dir = test_dir();
        struct store *s = made_store(dir);
        struct made_page pages[] = {
            {.id = 1, .body = "same"},
            {.id = 2, .body = "same", .dup_of = 1, .exact_dup = true},
            {.id = 3, .body = noise, .body_len = sizeof noise},
            {.id = 4, .html = "<p>what a document says</p>"},
            {.id = 5, .robots = ROBOTS_NOARCHIVE},
        };

        for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
            pages[k].packed = i == 1;
            made_post(s, &pages[k]);
        }
        made_checkpoint(s, 5);
        made_close(s);
        test_read(only_file(dir), &files[i]);
    }
    assert_true(files[0].len > sizeof noise);
    assert_true(str_eq(buf_str(&files[0]), buf_str(&files[1])));
    buf_free(&files[0]);
    buf_free(&files[1]);
}

/* ---- reading ---- */

static struct warc_reader *reader_of(struct str bytes)
{
    struct warc_reader *r = NULL;
    FILE *f = fmemopen((void *)(uintptr_t)bytes.ptr, bytes.len, "rb");

    assert_non_null(f);
    assert_int_equal(warc_open_file(f, &r), ST_OK);
    return r;
}

static void plain_files_and_loose_line_ends_are_read(void **state)
{
    struct warc_reader *r =
        reader_of(STR("WARC/0.18\nWARC-Type: resource\nContent-Length: 3\n\nabc\n\n"
                      "WARC/1.0\r\nwarc-type:metadata\r\nWARC-Target-URI: <x:y>\r\n"
                      "Content-Length: 0\r\n\r\n\r\n\r\n"));
    struct warc_record rec;

    (void)state;
    assert_int_equal(warc_next(r, &rec), ST_OK);
    assert_str(rec.type, "resource");
    assert_str(buf_str(&rec.block), "abc");
    assert_int_equal(rec.offset, 0);
    assert_int_equal(rec.length, 54);
    warc_record_free(&rec);
    assert_int_equal(warc_next(r, &rec), ST_OK);
    assert_str(rec.type, "metadata");
    assert_str(rec.target, "x:y");
    assert_int_equal(rec.offset, 54);
    warc_record_free(&rec);
    assert_int_equal(warc_next(r, &rec), ST_MISSING);
    assert_int_equal(warc_at(r, 54, &rec), ST_OK);
    assert_str(rec.type, "metadata");
    warc_record_free(&rec);
    assert_int_equal(warc_at(r, 3, &rec), ST_CORRUPT);
    assert_int_equal(warc_at(r, 4000, &rec), ST_CORRUPT);
    warc_close(r);
}

static void lies_and_damage_are_corrupt_never_more(void **state)
{
    static const char *const bad[] = {
        "not a record at all, but long enough to be one",
        "WARC/1.0\r\nContent-Length: 99999\r\n\r\nshort",
        "WARC/1.0\r\nContent-Length: -1\r\n\r\n",
        "WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "WARC/1.0\r\nWARC-Type: response\r\n\r\n",
        "WARC/1.0\r\n",
        "\x1f\x8b\x08",
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03 rubbish behind the magic",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct warc_reader *r = reader_of((struct str){bad[i], i < 6    ? strlen(bad[i])
                                                               : i == 6 ? 10
                                                                        : 35});
        struct warc_record rec;

        if (i == 6) {
            warc_close(r);
            r = reader_of(STR("\x1f\x8b\x08\0\0\0\0\0\0\3"));
        }
        assert_int_equal(warc_next(r, &rec), ST_CORRUPT);
        assert_true(strlen(status_text()) > 0);
        warc_close(r);
    }
}

static void behind_damage_the_next_record_is_found(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);
    struct buf bytes = BUF_INIT(MIB(1));
    struct warc_reader *r;
    struct warc_record rec;
    uint64_t offset;
    enum status st;
    int found = 0, errors = 0;

    (void)state;
    for (uint32_t i = 1; i <= 5; i++)
        made_post(s, &(struct made_page){.id = i});
    made_checkpoint(s, 5);
    made_close(s);
    test_read(only_file(dir), &bytes);
    offset = (uint64_t)made_int(dir, "SELECT warc_offset FROM page WHERE id = 3");
    memset(bytes.data + offset + 20, 'x', 60);
    r = reader_of(buf_str(&bytes));
    for (;;) {
        st = warc_next(r, &rec);
        if (st == ST_OK) {
            found++;
            warc_record_free(&rec);
            continue;
        }
        if (st == ST_MISSING)
            break;
        errors++;
        assert_int_equal(warc_resync(r), ST_OK);
    }
    assert_int_equal(found, 15); /* warcinfo and 15 records, less the damaged one */
    assert_true(errors >= 1);
    warc_close(r);
    buf_free(&bytes);
}

/* ---- files of others ---- */

static int show_file(const char *path, const struct stat *info, int flag, struct FTW *ftw)
{
    struct warc_reader *r = NULL;
    struct warc_record rec;
    int records = 0, errors = 0;
    char first[200] = "";
    enum status st;

    (void)info, (void)ftw;
    if (flag != FTW_F || warc_open(path, &r) != ST_OK)
        return 0;
    for (;;) {
        st = warc_next(r, &rec);
        if (st == ST_OK) {
            records++;
            warc_record_free(&rec);
        } else if (st == ST_MISSING) {
            break;
        } else {
            if (errors++ == 0)
                (void)snprintf(first, sizeof first, ", first: %s", status_text());
            if (warc_resync(r) != ST_OK)
                break;
        }
    }
    warc_close(r);
    print_message("# %-46s %5d records, %d errors%s\n", strrchr(path, '/') + 1, records, errors,
                  first);
    return 0;
}

static void files_of_others_are_read_without_harm(void **state)
{
    (void)state;
    NEED_DATA(path, "warc");
    char *root = str_dup(str_of(path));

    assert_int_equal(nftw(root, show_file, 16, FTW_PHYS), 0);
    free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_three_records_that_name_each_other),
        cmocka_unit_test(header_blocks_follow_the_rules),
        cmocka_unit_test(equal_payloads_and_304s_become_revisits),
        cmocka_unit_test(full_files_are_followed_by_others),
        cmocka_unit_test(equal_events_make_equal_archives),
        cmocka_unit_test(what_fetch_threads_packed_is_archived_as_if_the_writer_had_done_it),
        cmocka_unit_test(plain_files_and_loose_line_ends_are_read),
        cmocka_unit_test(lies_and_damage_are_corrupt_never_more),
        cmocka_unit_test(behind_damage_the_next_record_is_found),
        cmocka_unit_test(files_of_others_are_read_without_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
