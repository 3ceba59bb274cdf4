/* test_search.c - words in a crawl that has no full-text index of its own, or half of one.
 *
 * The rows are written by hand, with the tables of schema.c. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/charset.h"
#include "store/db.h"
#include "store/write/index.h"
#include "store/read/view.h"
#include "store/schema.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>

static sqlite3 *db;
static char dir[256];

static void change(const char *sql)
{
    if (db_exec(db, sql) != ST_OK)
        fail_msg("%s", status_text());
}

/* A page of a URL of its own; the lower its number, the more relevant. */
static void add_page(int id, const char *title, const char *text)
{
    char *sql = sqlite3_mprintf(
        "INSERT INTO url_row VALUES(%d, 'http://a.example/place-%d', 0, 0, 0);"
        "INSERT INTO fate VALUES(%d, 2, 0, %d);"
        "INSERT INTO page_row(id, url, host, status, fetched_at, latency, bytes, title,"
        " relevance, depth, agent, hidden) VALUES(%d, %d, 'a.example', 200, 1, 0, 1, %Q,"
        " 1.0 - %d / 1e6, 0, 0, %d);"
        "INSERT INTO body SELECT %d, %Q WHERE %d",
        id, id, id, id, id, id, title, id, text == NULL, id, text, text != NULL);

    change(sql);
    sqlite3_free(sql);
}

/* Makes index.db with the first pages in it. */
static void index_up_to(int page)
{
    struct index *index = NULL;
    char path[512];
    char *sql;
    sqlite3 *own = NULL;

    assert_int_equal(index_open(dir, &index), ST_OK);
    index_close(index);
    (void)snprintf(path, sizeof path, "%s/index.db", dir);
    assert_int_equal(sqlite3_open(path, &own), SQLITE_OK);
    sql = sqlite3_mprintf("ATTACH '%q/crawl.db' AS crawl; INSERT INTO page_text(rowid, title, main)"
                          " SELECT id, title, text FROM crawl.page_content WHERE id <= %d;"
                          "UPDATE indexed_row SET page = %d",
                          dir, page, page);
    if (sqlite3_exec(own, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(own));
    sqlite3_free(sql);
    (void)sqlite3_close(own);
}

static void index_all(void)
{
    struct index *index = NULL;

    assert_int_equal(index_open(dir, &index), ST_OK);
    assert_int_equal(index_build(index, NULL, NULL, NULL), ST_OK);
    index_close(index);
}

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(dir, sizeof dir, "%s", test_dir());
    assert_int_equal(db_open(dir, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &db), ST_OK);
    (void)sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1000000000); /* long texts are written so */
    assert_int_equal(db_pragmas(db), ST_OK);
    assert_int_equal(schema_create(db), ST_OK);
    index_up_to(0);
    add_page(1, "Coral reefs", "The quick brown fox sleeps in Zürich.");
    add_page(2, "Rivers", "A brown quick otter, not a fox; reefs are far.");
    add_page(3, "hidden", NULL);
    add_page(4, "Foxes", "Foxglove grows here.");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return sqlite3_close(db) == SQLITE_OK ? 0 : 1;
}

struct seen {
    char text[200];
};

static void on_hit(void *ctx, int64_t page)
{
    struct seen *s = ctx;
    size_t n = strlen(s->text);

    (void)snprintf(s->text + n, sizeof s->text - n, "%d ", (int)page);
}

static enum status on_page(void *ctx, const struct query_page *p)
{
    on_hit(ctx, p->id);
    return ST_OK;
}

static struct query *open_view(void)
{
    struct query *v;

    assert_int_equal(view_open(dir, &v), ST_OK);
    assert_int_equal(view_refresh(v, true, NULL), ST_OK);
    return v;
}

static struct view_searched search(struct query *v, const char *words, struct seen *ret,
                                   uint64_t *ret_count)
{
    struct view_filter f = {.words = str_of(words), .seeds = -1, .n = 100};
    struct view_searched how = {0};

    *ret = (struct seen){""};
    assert_int_equal(view_refresh(v, true, NULL), ST_OK);
    assert_int_equal(view_begin(v), ST_OK);
    assert_int_equal(view_count(v, &f, ret_count), ST_OK);
    assert_int_equal(view_pages(v, &f, on_page, ret, &how), ST_OK);
    view_end(v);
    return how;
}

/* One search indexes for a short time only, which on a busy machine may not be enough. */
static struct view_searched assert_finds(struct query *v, const char *words, const char *wanted)
{
    struct view_searched how;
    struct seen s;
    uint64_t count = 0, shown = 0;
    int tries = 0;

    do
        how = search(v, words, &s, &count);
    while (strcmp(s.text, wanted) != 0 && how.how != VIEW_TEXT && ++tries < 100);
    if (strcmp(s.text, wanted) != 0)
        fail_msg("'%s' is in %s, not in %s", words, s.text, wanted);
    for (const char *p = wanted; *p; p++)
        shown += *p == ' ';
    assert_int_equal(count, shown);
    return how;
}

/* What each is found in, by hand; the last are no expressions of FTS5, and so plain words. */
static const struct {
    const char *words, *pages;
} cases[] = {
    {"quick", "1 2 "},
    {"reefs", "1 2 "},
    {"\"quick brown\"", "1 "},
    {"fox*", "1 2 4 "},
    {"fox", "1 2 "},
    {"brown NOT otter", "1 "},
    {"zurich", "1 "},
    {"foxglove OR otter", "2 4 "},
    {"title:reefs", "1 "},
    {"otter sleeps", ""},
    {"place", ""},
    {"fox AND (", ""},
    {"'; DROP TABLE x --", ""},
    {"quick; fox", "1 2 "},
    {"\"quick", "1 2 "},
};

static void a_running_crawl_has_full_text(void **state)
{
    struct query *v = open_view();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct view_searched how = assert_finds(v, cases[i].words, cases[i].pages);

        assert_int_equal(how.how, VIEW_TEXT);
        assert_int_equal(how.indexed, 4);
    }
    query_close(v);
}

static bool has_text(struct query *v)
{
    struct word_index *text = view_text(v, 0);

    word_index_release(text);
    return text != NULL;
}

/* The same words in the same pages, whichever index has them: the crawl's own, the one
 * beside it, or the first half here and the second there. */
static void the_own_index_gives_the_same(void **state)
{
    struct query *v = open_view(), *half;

    (void)state;
    (void)assert_finds(v, "quick", "1 2 ");
    index_up_to(2);
    half = open_view();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)assert_finds(v, cases[i].words, cases[i].pages);
        assert_int_equal(assert_finds(half, cases[i].words, cases[i].pages).how, VIEW_TEXT);
    }
    query_close(half);
    assert_true(has_text(v));
    index_all();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(assert_finds(v, cases[i].words, cases[i].pages).how, VIEW_TEXT);
    assert_false(has_text(v)); /* it is needed no more */
    query_close(v);
}

/* What brood search finds, in the order of the pages' numbers. */
static void assert_found(const char *words, bool all_text, const char *wanted)
{
    bool found[16] = {false};
    struct seen s = {""};
    struct query *q;

    assert_int_equal(query_open(dir, &q), ST_OK);
    if (query_search(q, str_of(words), all_text, 100, on_page, &s) != ST_OK)
        fail_msg("%s", status_text());
    query_close(q);
    for (char *at = s.text; *at; at++)
        if (*at != ' ')
            found[*at - '0'] = true;
    s.text[0] = '\0';
    for (int i = 0; i < 10; i++)
        if (found[i])
            on_hit(&s, i);
    if (strcmp(s.text, wanted) != 0)
        fail_msg("'%s' is in %s, not in %s", words, s.text, wanted);
}

static void assert_search(const char *words, const char *wanted)
{
    assert_found(words, false, wanted);
}

/* "Vines" is a menu, "Old vines grow on slopes." the main text: 13 bytes in, 25 long. */
static void add_page_with_menu(void)
{
    add_page(5, "A hill", "Vines herons\nOld vines grow on slopes.\nImprint");
    change("INSERT INTO main_row VALUES(5, x'0dc801')");
}

static void assert_main_text_is_searched(void)
{
    struct query *v = open_view();

    assert_search("slopes", "5 ");
    assert_search("hill vines", "5 ");
    assert_search("herons", "");
    assert_search("slopes imprint", "");
    assert_search("imprint OR slopes", "5 ");
    assert_search("title : vines", "");
    assert_found("herons", true, "5 ");
    assert_found("slopes imprint", true, "5 ");
    (void)assert_finds(v, "slopes", "5 ");
    (void)assert_finds(v, "herons", "");
    query_close(v);
}

static void menus_are_searched_on_request(void **state)
{
    struct index *index = NULL;
    uint64_t left = 0;

    (void)state;
    add_page_with_menu();
    assert_main_text_is_searched(); /* without an index */
    index_all();
    assert_main_text_is_searched();
    assert_int_equal(index_open(dir, &index), ST_OK);
    assert_int_equal(index_check(index, &left), ST_OK);
    index_close(index);
}

/* It has one column for all of the text. */
static void an_index_of_an_earlier_version_is_read_and_then_replaced(void **state)
{
    char path[512];
    sqlite3 *own = NULL;

    (void)state;
    add_page_with_menu();
    (void)snprintf(path, sizeof path, "%s/index.db", dir);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(sqlite3_open(path, &own), SQLITE_OK);
    if (sqlite3_exec(own,
                     "CREATE TABLE indexed_row(id INTEGER PRIMARY KEY, page INTEGER);"
                     "CREATE VIRTUAL TABLE page_text USING fts5(title, text, content='',"
                     " tokenize='unicode61 remove_diacritics 2');"
                     "INSERT INTO page_text(rowid, title, text) VALUES(5, 'A hill', 'herons');"
                     "INSERT INTO indexed_row VALUES(1, 5), (4, 1)",
                     NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(own));
    (void)sqlite3_close(own);
    assert_search("herons", "5 ");
    assert_search("slopes", "");
    index_all();
    assert_main_text_is_searched();
}

/* What a process leaves that dies in the middle of a transaction. */
static void leave_hot_journal(void)
{
    static char bytes[1 << 20];
    char path[512], journal[528];
    sqlite3 *own = NULL;
    FILE *f;
    size_t n;

    (void)snprintf(path, sizeof path, "%s/index.db", dir);
    (void)snprintf(journal, sizeof journal, "%s-journal", path);
    (void)unlink(path);
    assert_int_equal(sqlite3_open(path, &own), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(own,
                     "CREATE TABLE indexed_row(id INTEGER PRIMARY KEY, page INTEGER);"
                     "INSERT INTO indexed_row VALUES(1, zeroblob(9000)); PRAGMA cache_size = 1;"
                     "BEGIN; UPDATE indexed_row SET page = zeroblob(200000)",
                     NULL, NULL, NULL),
        SQLITE_OK);
    f = fopen(journal, "rb");
    assert_non_null(f);
    n = fread(bytes, 1, sizeof bytes, f);
    (void)fclose(f);
    assert_true(n > 512);
    assert_int_equal(sqlite3_close(own), SQLITE_OK); /* rolls back */
    f = fopen(journal, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void an_index_whose_writer_died_is_not_read_but_made_again(void **state)
{
    (void)state;
    add_page_with_menu();
    leave_hot_journal();
    assert_main_text_is_searched();
    index_all();
    assert_main_text_is_searched();
}

/* In the languages that the crawl's pages have. */
static void words_find_their_other_forms_and_phrases_do_not(void **state)
{
    struct query *v;

    (void)state;
    add_page(5, "Netzwerk", "Das Netzwerk der Häuser.");
    add_page(6, "Netzwerke", "Die Häuser eines Netzwerks sind alt.");
    add_page(7, "Haus", "Ein altes Haus.");
    change("UPDATE page_row SET lang = 'de' WHERE id >= 5");
    index_all();
    assert_search("Netzwerke", "5 6 ");
    assert_search("Netzwerken", "5 6 "); /* a form that no page has */
    assert_search("haus", "5 6 7 ");
    assert_search("häuser altes", "6 7 ");
    assert_search("Netzwerke Haus NOT alte", "5 ");
    assert_search("\"Netzwerke\"", "6 ");
    assert_search("\"eines Netzwerks\" haus", "6 ");
    assert_search("(netzwerken OR reefs) AND haus", "5 6 ");
    assert_search("netzwerke*", "6 ");
    assert_search("NEAR(Netzwerk Häuser)", "5 ");
    assert_search("Netzwerk(Häuser", "");
    assert_search("sleeping", ""); /* no page is known to be English */
    v = open_view();
    (void)assert_finds(v, "Netzwerken", "5 6 ");
    query_close(v);
    change("UPDATE page_row SET lang = 'en-gb' WHERE id < 5");
    assert_search("sleeping", "1 ");
}

static void text_without_spaces_is_found_wherever_it_stands(void **state)
{
    (void)state;
    add_page(5, "全文検索", "このシステムは全文検索を行う。Debianのパッケージ。");
    add_page(6, "京都", "検索する文の全文。東京都の天気。");
    add_page(7, "ภาษาไทย", "ภาษาไทยง่ายนิดเดียว กินข้าว");
    index_all();
    assert_search("全文検索", "5 ");
    assert_search("全文 検索", "5 6 ");
    assert_search("\"全文検索\"", "5 ");
    assert_search("検索 NOT システム", "6 ");
    assert_search("debian パッケージ", "5 ");
    assert_search("パッケ*", "5 ");
    assert_search("東京", "6 ");
    assert_search("ภาษา", "7 ");
    assert_search("กิน", "7 ");
    assert_search("กน", ""); /* marks tell letters apart */
}

/* A real text, as the title and text of a page. */
static void add_real(int page, const char *path, const char *charset)
{
    struct charset_reader *r = charset_reader_new();
    struct buf file = BUF_INIT(MIB(4));
    char *text;

    test_read(path, &file);
    text = str_dup(charset_decode(r, charset_of_name(str_of(charset)), buf_str(&file)));
    add_page(page, "", text);
    free(text);
    buf_free(&file);
    charset_reader_free(r);
}

static void real_pages_without_spaces_are_found(void **state)
{
    (void)state;
    NEED_DATA(japanese, "charset/EUC-JP/aivy.co.jp.xml");
    add_real(5, japanese, "EUC-JP");
    NEED_DATA(chinese, "charset/GB2312/bbs.blogsome.com.xml");
    add_real(6, chinese, "GBK");
    NEED_DATA(thai, "charset/TIS-620/pharmacy.kku.ac.th.healthinfo-ne.xml");
    add_real(7, thai, "windows-874");
    index_all();
    assert_search("正月", "5 ");
    assert_search("耳鳴り", "5 ");
    assert_search("国防白皮书", "6 ");
    assert_search("新华网 北京", "6 ");
    assert_search("สุขภาพ", "7 ");
    assert_search("正月 สุขภาพ", "");
}

static void feed_all(struct query *v)
{
    struct word_index *text = view_text(v, 0);
    bool more = true;

    assert_non_null(text);
    while (more)
        assert_int_equal(word_index_feed(text, 0, &more), ST_OK);
    word_index_release(text);
}

/* A text that takes longer than a search reads ahead: pages behind it are found by title and
 * URL until somebody has fed the index. */
static void the_rest_is_found_by_titles(void **state)
{
    const size_t size = 8 << 20;
    char *large = calloc(1, size + 1);
    struct view_searched how;
    struct query *v;

    (void)state;
    for (size_t i = 0; i < size; i++)
        large[i] = i % 7 == 6 ? ' ' : (char)('a' + i * 2654435761U / 65536 % 26);
    add_page(5, "Long", large);
    add_page(6, "Quick lakes", "Deep water, and an otter.");
    add_page(7, "Slow lakes", "Quick sand.");
    free(large);
    v = open_view();
    how = assert_finds(v, "quick", "1 2 6 ");
    assert_int_equal(how.how, VIEW_PART);
    assert_int_equal(how.indexed, 5);
    (void)assert_finds(v, "otter NOT quick", "");
    feed_all(v);
    how = assert_finds(v, "quick", "1 2 6 7 "); /* the same words again: only what is new */
    assert_int_equal(how.how, VIEW_TEXT);
    assert_int_equal(how.indexed, 7);
    (void)assert_finds(v, "lakes NOT quick", "");
    (void)assert_finds(v, "otter", "2 6 ");
    query_close(v);
}

/* The expression's sense, as far as titles need it. All texts but the first are unread. */
static void titles_understand_expressions(void **state)
{
    static const struct {
        const char *words, *pages;
    } of_titles[] = {
        {"CORAL", "2 3 "},
        {"coral NOT reef", "3 "},
        {"coral OR swamp", "2 3 4 "},
        {"\"coral sea\"", "3 "},
        {"title:swamp", "4 "},
        {"NOT coral", ""},
        {"place-4", "4 "},
        {"swam*", "4 "},
        {"coral AND reef", "2 "},
        {"coral OR reef NOT sea", "2 3 "},
    };
    const size_t size = 8 << 20;
    char *large = calloc(1, size + 1);
    struct query *v;

    (void)state;
    change("DELETE FROM page_row; DELETE FROM body; DELETE FROM url_row; DELETE FROM fate");
    for (size_t i = 0; i < size; i++)
        large[i] = i % 7 == 6 ? ' ' : (char)('a' + i * 2654435761U / 65536 % 26);
    add_page(1, "", large);
    free(large);
    add_page(2, "Coral reef", "x");
    add_page(3, "The coral sea", "x");
    add_page(4, "Swamp", "x");
    for (size_t i = 0; i < sizeof of_titles / sizeof *of_titles; i++) {
        v = open_view();
        assert_int_equal(assert_finds(v, of_titles[i].words, of_titles[i].pages).how, VIEW_PART);
        query_close(v);
    }
}

/* One page a slice, others coming in between, a page without text at the end. */
static void slices_equal_one_feed(void **state)
{
    struct word_index *by_slices, *at_once;
    bool more = true;
    int slices = 0;

    (void)state;
    assert_int_equal(word_index_open(dir, 0, &by_slices), ST_OK);
    for (; more; slices++) {
        assert_int_equal(word_index_feed(by_slices, 0, &more), ST_OK);
        if (slices == 1) {
            add_page(5, "Quick", "brown fox");
            add_page(6, "hidden", NULL);
        }
    }
    assert_int_equal(slices, 5); /* four texts, and a look whether there is a fifth */
    assert_int_equal(word_index_open(dir, 0, &at_once), ST_OK);
    assert_int_equal(word_index_feed(at_once, 60 * 1000000, &more), ST_OK);
    assert_false(more);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen a = {""}, b = {""};
        int64_t last = 0, end = 0;
        enum status st =
            word_index_match(by_slices, str_of(cases[i].words), 0, 0, on_hit, &a, &last);

        assert_int_equal(word_index_match(at_once, str_of(cases[i].words), 0, 0, on_hit, &b, &end),
                         st);
        assert_string_equal(a.text, b.text);
        assert_int_equal(last, 6);
        assert_int_equal(end, 6);
    }
    word_index_release(by_slices);
    word_index_release(at_once);
}

static void a_crawl_that_grows_is_followed(void **state)
{
    struct query *v = open_view();

    (void)state;
    (void)assert_finds(v, "quick", "1 2 ");
    add_page(5, "Lynx", "quick as well");
    (void)assert_finds(v, "quick", "1 2 5 ");
    /* A new version of page 1, without the word: the old one is shown no more. */
    change("INSERT INTO page_row(id, url, host, status, fetched_at, latency, bytes, title,"
           " relevance, depth, agent, hidden, version_of) VALUES(6, 1, 'a.example', 200, 2, 0, 1,"
           " 'Coral', 0.5, 0, 0, 0, 1); INSERT INTO body VALUES(6, 'slow');"
           "UPDATE fate SET page = 6 WHERE url = 1");
    (void)assert_finds(v, "quick", "2 5 ");
    (void)assert_finds(v, "slow", "6 ");
    query_close(v);
}

/* Nothing of a page that was forgotten is found, and the index that had its words is gone. */
static void what_is_forgotten_is_found_no_more(void **state)
{
    struct query *v = open_view();
    struct word_index *old, *now;
    bool more;

    (void)state;
    (void)assert_finds(v, "brown", "1 2 ");
    old = view_text(v, 0);
    change("DELETE FROM page_row WHERE id = 2; DELETE FROM body WHERE id = 2;"
           "INSERT INTO forgotten(at, what, pages) VALUES(1, 'x', 1)");
    (void)assert_finds(v, "brown", "1 ");
    (void)assert_finds(v, "otter", "");
    now = view_text(v, 0);
    assert_true(now != old);
    word_index_release(now);
    assert_int_equal(word_index_feed(old, 0, &more), ST_OK); /* who holds it may go on */
    word_index_release(old);
    query_close(v);
}

/* Overwrites a page of index.db; false: it has no such page. */
static bool damage(long page)
{
    char path[512], bytes[8192];
    FILE *f;
    long end;

    (void)snprintf(path, sizeof path, "%s/index.db", dir);
    f = fopen(path, "r+b");
    assert_non_null(f);
    (void)fseek(f, 0, SEEK_END);
    end = ftell(f);
    memset(bytes, 0xff, sizeof bytes);
    (void)fseek(f, page * (long)sizeof bytes, SEEK_SET);
    if (page * (long)sizeof bytes < end)
        assert_int_equal(fwrite(bytes, sizeof bytes, 1, f), 1);
    assert_int_equal(fclose(f), 0);
    return page * (long)sizeof bytes < end;
}

/* Wherever the damage is: it can be mended, and pages can be forgotten. */
static void a_damaged_index_is_made_anew(void **state)
{
    struct index *index = NULL;
    uint64_t left = 0;
    long page = 0;

    (void)state;
    index_all();
    for (; damage(page); page++) {
        assert_int_equal(index_open(dir, &index), ST_OK);
        assert_int_equal(index_rebuild(index, NULL, NULL), ST_OK);
        assert_int_equal(index_check(index, &left), ST_OK);
        assert_int_equal(left, 0);
        index_close(index);
        (void)damage(page);
        assert_int_equal(index_open(dir, &index), ST_OK);
        assert_int_equal(index_remove_begin(index), ST_OK);
        assert_int_equal(index_remove(index, 1), ST_OK);
        assert_int_equal(index_remove_end(index), ST_OK);
        index_close(index);
        index_all();
    }
    assert_true(page > 3);
}

/* Nothing says how far it is: pages would be put in twice. */
static void an_index_that_lost_its_note_is_made_anew(void **state)
{
    struct index *index = NULL;
    char path[512];
    sqlite3 *own = NULL;
    uint64_t left = 0;

    (void)state;
    index_all();
    (void)snprintf(path, sizeof path, "%s/index.db", dir);
    assert_int_equal(sqlite3_open(path, &own), SQLITE_OK);
    assert_int_equal(sqlite3_exec(own, "DELETE FROM indexed_row", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(own);
    index_all();
    assert_int_equal(index_open(dir, &index), ST_OK);
    assert_int_equal(index_check(index, &left), ST_OK);
    assert_int_equal(left, 0);
    index_close(index);
}

/* As many pages, and other words: crawl.db was replaced. */
static void the_index_of_another_crawl_is_made_anew(void **state)
{
    struct query *v;

    (void)state;
    change("INSERT INTO crawl VALUES('archive_id', '15738446510193700053')");
    index_all();
    change("UPDATE crawl SET value = '15738446510193600053' WHERE key = 'archive_id';"
           "UPDATE body SET text = 'Nothing but a heron.' WHERE id = 2");
    v = open_view();
    (void)assert_finds(v, "heron", "2 ");
    query_close(v);
    index_all();
    v = open_view();
    (void)assert_finds(v, "heron", "2 ");
    (void)assert_finds(v, "otter", "");
    query_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_running_crawl_has_full_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_own_index_gives_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_find_their_other_forms_and_phrases_do_not, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(menus_are_searched_on_request, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_index_whose_writer_died_is_not_read_but_made_again,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_index_of_an_earlier_version_is_read_and_then_replaced,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_without_spaces_is_found_wherever_it_stands, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(real_pages_without_spaces_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_rest_is_found_by_titles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(titles_understand_expressions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slices_equal_one_feed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crawl_that_grows_is_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_forgotten_is_found_no_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_index_is_made_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_index_of_another_crawl_is_made_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_index_that_lost_its_note_is_made_anew, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests_name("store search", tests, NULL, NULL);
}
