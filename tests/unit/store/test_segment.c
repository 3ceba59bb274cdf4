/* test_segment.c - segments of ours against what FTS5 itself writes. SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "store/tokens.h"
#include "store/write/segment.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TABLE                                                        \
    "CREATE VIRTUAL TABLE page_text USING fts5(title, main, rest,"   \
    " content='', tokenize='unicode61 remove_diacritics 2');"        \
    "INSERT INTO page_text(page_text, rank) VALUES('automerge', 0);" \
    "CREATE VIRTUAL TABLE temp.instance USING fts5vocab('main', 'page_text', 'instance')"

/* The same pages in two indexes: by segments, and by FTS5 itself. */
static struct {
    char dir[32], path[64];
    sqlite3 *plain, *own, *stock;
    struct segment *segment;
    fts5_tokenizer calls;
    Fts5Tokenizer *words;
    int64_t row;
} t;

static void run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(t.dir, sizeof t.dir, "/tmp/brood-segment-XXXXXX");
    assert_non_null(mkdtemp(t.dir));
    (void)snprintf(t.path, sizeof t.path, "%s/index.db", t.dir);
    assert_int_equal(sqlite3_open(t.path, &t.own), SQLITE_OK);
    assert_int_equal(sqlite3_open(t.path, &t.plain), SQLITE_OK);
    assert_int_equal(sqlite3_open(":memory:", &t.stock), SQLITE_OK);
    assert_int_equal(tokens_join(t.own), ST_OK);
    assert_int_equal(tokens_join(t.stock), ST_OK);
    run(t.own, TABLE);
    run(t.stock, TABLE);
    assert_int_equal(tokens_find(t.own, &t.calls, &t.words), ST_OK);
    assert_int_equal(segment_new(t.plain, &t.segment), ST_OK);
    t.row = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    t.calls.xDelete(t.words);
    segment_free(t.segment);
    (void)sqlite3_close(t.plain);
    (void)sqlite3_close(t.own);
    (void)sqlite3_close(t.stock);
    (void)unlink(t.path);
    (void)rmdir(t.dir);
    return 0;
}

/* A page of three columns into both. */
static void add(struct str title, struct str main, struct str rest)
{
    struct str texts[] = {title, main, rest};
    sqlite3_stmt *st = NULL;

    segment_page(t.segment, ++t.row);
    assert_int_equal(sqlite3_prepare_v2(t.stock,
                                        "INSERT INTO page_text(rowid, title, main, rest)"
                                        " VALUES(?, ?, ?, ?)",
                                        -1, &st, NULL),
                     SQLITE_OK);
    (void)sqlite3_bind_int64(st, 1, t.row);
    for (unsigned c = 0; c < 3; c++) {
        struct str words[TOKENS_MOST], left = texts[c];
        size_t n;

        while ((n = tokens_cut(t.words, &left, words)) > 0)
            segment_words(t.segment, c, words, n);
        (void)sqlite3_bind_text(st, 2 + (int)c, texts[c].ptr, (int)texts[c].len, SQLITE_STATIC);
    }
    assert_int_equal(sqlite3_step(st), SQLITE_DONE);
    (void)sqlite3_finalize(st);
}

static void write_segment(void)
{
    int64_t merge = 0;

    run(t.plain, "BEGIN IMMEDIATE");
    assert_int_equal(segment_write(t.segment, &merge), ST_OK);
    run(t.plain, "COMMIT");
    assert_true(merge > 0);
}

/* The answer of a query as one number, with the places of all rows in it. */
static uint64_t ask(sqlite3 *db, const char *sql, int *ret_rows)
{
    sqlite3_stmt *st = NULL;
    uint64_t sum = 0;
    int rc;

    *ret_rows = 0;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
    for (; (rc = sqlite3_step(st)) == SQLITE_ROW; ++*ret_rows)
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const char *value = sqlite3_column_blob(st, i);

            sum = hash_u64(sum ^ hash_str((struct str){value ? value : "",
                                                       (size_t)sqlite3_column_bytes(st, i)}));
        }
    assert_int_equal(rc, SQLITE_DONE);
    (void)sqlite3_finalize(st);
    return sum;
}

/* Every word at every place, sizes, totals, the ranking, and FTS5's own check. */
static void assert_same(void)
{
    static const char *const queries[] = {
        "SELECT term, doc, col, offset FROM instance",
        "SELECT id, sz FROM page_text_docsize",
        "SELECT block FROM page_text_data WHERE id = 1",
        "SELECT rowid, printf('%.9f', bm25(page_text)) FROM page_text('w1') ORDER BY rowid DESC",
        "SELECT rowid FROM page_text('\"w0 w1\" OR w2*') ORDER BY rowid",
        "SELECT rowid FROM page_text('main : w0') WHERE rowid > 40 ORDER BY rowid DESC",
    };

    run(t.own, "INSERT INTO page_text(page_text) VALUES('integrity-check')");
    for (size_t i = 0; i < ARRAY_LEN(queries); i++) {
        int own = 0, stock = 0;

        assert_int_equal(ask(t.own, queries[i], &own), ask(t.stock, queries[i], &stock));
        assert_int_equal(own, stock);
        assert_true(own > 0 || i == ARRAY_LEN(queries) - 1);
    }
}

/* Words w0, w1, …: small numbers are frequent. Some have many letters, and begin alike. */
static void draw_text(struct rng *r, size_t words, struct buf *out)
{
    buf_clear(out);
    while (words-- > 0) {
        uint64_t n = (uint64_t)(3000 * rng_unit(r) * rng_unit(r) * rng_unit(r));

        buf_addf(out, rng_below(r, 9) ? "w%u " : "longbeginning%u ", (unsigned)n);
        if (rng_below(r, 50) == 0)
            buf_add_str(out, STR("Ünï, ж "));
    }
}

static void draw_pages(struct rng *r, unsigned pages, size_t words)
{
    struct buf title = BUF_INIT(1 << 20), main = BUF_INIT(1 << 24), rest = BUF_INIT(1 << 20);

    while (pages-- > 0) {
        draw_text(r, rng_below(r, 8), &title);
        draw_text(r, rng_below(r, words), &main);
        draw_text(r, rng_below(r, words / 4), &rest);
        add(buf_str(&title), buf_str(&main), buf_str(&rest));
    }
    buf_free(&title);
    buf_free(&main);
    buf_free(&rest);
}

static void segments_are_what_fts5_would_write(void **state)
{
    struct rng r;

    (void)state;
    rng_init(&r, 1);
    for (unsigned i = 0; i < 5; i++) {
        draw_pages(&r, 20 + 200 * (i % 2), 600);
        write_segment();
        assert_same();
    }
}

static void fts5_merges_them(void **state)
{
    struct rng r;

    (void)state;
    rng_init(&r, 2);
    for (unsigned i = 0; i < 12; i++) {
        draw_pages(&r, 30, 300);
        write_segment();
        run(t.own, "INSERT INTO page_text(page_text, rank) VALUES('merge', 20)");
        assert_same();
    }
    run(t.own, "INSERT INTO page_text(page_text) VALUES('optimize')");
    draw_pages(&r, 30, 300);
    write_segment();
    assert_same();
}

/* One word fills many leaves; a word is longer than a leaf; a page has no word. */
static void what_does_not_fit_into_a_leaf_goes_on_in_the_next(void **state)
{
    struct buf text = BUF_INIT(1 << 24), word = BUF_INIT(1 << 24);

    (void)state;
    for (unsigned i = 0; i < 60000; i++)
        buf_add_str(&text, i % 300 ? STR("w0 ") : STR("w1 w2 "));
    for (unsigned i = 0; i < 40000; i++)
        buf_add_char(&word, (char)('a' + i % 26));
    for (unsigned i = 0; i < 50; i++) {
        add(STR("w1"), i % 7 ? STR("w0 w1") : buf_str(&text), i % 11 ? STR("") : buf_str(&word));
        add(STR(""), STR(""), STR(""));
    }
    write_segment();
    assert_same();
    buf_free(&text);
    buf_free(&word);
}

/* Pages without a word have sizes and count in the totals, but make no segment. */
static void pages_without_words_make_no_segment(void **state)
{
    int64_t merge = 1;

    (void)state;
    for (int i = 0; i < 2; i++)
        add(STR(""), STR(""), STR(""));
    run(t.plain, "BEGIN IMMEDIATE");
    assert_int_equal(segment_write(t.segment, &merge), ST_OK);
    run(t.plain, "COMMIT");
    assert_int_equal(merge, 0);
    add(STR("w0"), STR("w0 w1"), STR("w2"));
    write_segment();
    assert_same();
}

/* A page that wants to cost time: its words differ only in their middle. */
static void words_that_begin_and_end_alike_are_found_apart(void **state)
{
    struct buf text = BUF_INIT(1 << 24);

    (void)state;
    for (unsigned i = 0; i < 60000; i++)
        buf_addf(&text, "beginning%06uatitsveryend ", i);
    add(STR("w0 w1 w2"), buf_str(&text), buf_str(&text));
    write_segment();
    assert_same();
    buf_free(&text);
}

/* A list of segments that makes no sense is damage, whatever its bytes. */
static void a_damaged_list_is_reported(void **state)
{
    static const char *const lists[] = {
        "x''",
        "x'00'",
        "x'000000020101'",
        "x'00000002010100'",
        "x'0000000201010000ffffff'",
        "x'00000002010100000190000101'",
        "x'0000000201010000010001'",
        "x'000000020101000001010101ff'",
        "x'000000020101000002010101020101'", /* two segments, and it says one */
        "x'000000020102000001010101'",       /* one, and it says two */
        "x'00000002000000'",                 /* none, and there is one */
    };
    int64_t merge = 0;

    (void)state;
    run(t.plain, "INSERT INTO page_text_idx VALUES(1, x'', 2)");
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        char sql[120];

        (void)snprintf(sql, sizeof sql, "UPDATE page_text_data SET block = %s WHERE id = 10",
                       lists[i]);
        run(t.plain, sql);
        segment_page(t.segment, 1);
        segment_words(t.segment, 0, &(struct str){"word  padding", 4}, 1);
        assert_int_equal(segment_write(t.segment, &merge), ST_CORRUPT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(segments_are_what_fts5_would_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fts5_merges_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_fit_into_a_leaf_goes_on_in_the_next, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(pages_without_words_make_no_segment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_that_begin_and_end_alike_are_found_apart, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_list_is_reported, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("store segment", tests, NULL, NULL);
}
