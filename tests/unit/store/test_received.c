/* Tests of store/ on a directory that somebody else made: whatever it holds,
 * nothing outside it is read, written or removed. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"
#include "store/archive.h"
#include "store/write/check.h"
#include "store/db.h"
#include "store/write/forget.h"
#include "store/read/query.h"
#include "store/schema.h"
#include "store/warc_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char victim[512]; /* a file outside the crawl */

static const char *path_of(const char *dir, const char *name)
{
    static char path[2][4096];
    static int turn;

    turn = !turn;
    (void)snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}

/* A small crawl in a folder of its own, beside the victim. */
static const char *make_crawl(void)
{
    static char dir[512];
    const char *place = test_dir();
    struct store *s;
    FILE *f;

    (void)snprintf(victim, sizeof victim, "%s/victim", place);
    f = fopen(victim, "w");
    assert_non_null(f);
    assert_true(fputs("precious", f) >= 0);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(dir, sizeof dir, "%s/crawl", place);
    s = made_store(dir);
    made_post(s, &(struct made_page){.id = 1, .text = "vines"});
    made_checkpoint(s, 1);
    made_close(s);
    return dir;
}

static void harm(const char *dir, const char *sql)
{
    sqlite3 *db = NULL;
    char *error = NULL;

    assert_int_equal(sqlite3_open(path_of(dir, "crawl.db"), &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s: %s", sql, error);
    sqlite3_close(db);
}

static void victim_is_whole(void)
{
    struct buf text = BUF_INIT(100);

    test_read(victim, &text);
    assert_str(buf_str(&text), "precious");
    buf_free(&text);
}

static void no_issue(void *ctx, const struct check_issue *issue)
{
    (void)ctx;
    (void)issue;
}

/* Everything that opens files of the directory for writing. */
static void try_all(const char *dir)
{
    struct store_config config = made_config();
    struct forget_result forgotten;
    struct check_result checked;
    struct store *s = NULL;

    if (check_run(dir, true, no_issue, NULL, &checked) == ST_OK)
        victim_is_whole();
    if (forget_run(dir, STR("a.test"), 1, &forgotten) == ST_OK)
        victim_is_whole();
    if (store_open(dir, &config, &s) == ST_OK) {
        made_post(s, &(struct made_page){.id = 7, .text = "more"});
        made_checkpoint(s, 2);
        (void)!store_close(s, NULL, NULL);
    }
    victim_is_whole();
}

static void names_from_the_database_lead_nowhere(void **state)
{
    static const char *const harms[] = {
        "INSERT INTO garbage VALUES('../../victim')",
        "INSERT INTO garbage VALUES('../crawl.db')",
        "UPDATE warc SET name = '../../victim', length = 0",
        "UPDATE warc SET name = '../../victim', length = 8",
        "UPDATE warc SET name = 'brood-20260101000000-00001.warc.gz/../../../victim'",
        "UPDATE warc SET name = ''",
        "UPDATE warc SET name = x'2e2e002f'",
    };

    (void)state;
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        const char *dir = make_crawl();

        harm(dir, harms[i]);
        try_all(dir);
        assert_int_equal(access(path_of(dir, "crawl.db"), F_OK), 0);
    }
}

static enum status opened(const char *dir)
{
    struct query *q = NULL;
    enum status st = query_open(dir, &q);

    query_close(q);
    return st;
}

static void what_brood_does_not_declare_is_refused(void **state)
{
    static const char *const harms[] = {
        "CREATE TRIGGER t AFTER INSERT ON page_row BEGIN DELETE FROM body; END",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TABLE more(x)",
        "CREATE INDEX more ON page_row(length(title))",
        "CREATE VIRTUAL TABLE more USING fts5(x)",
        "DROP VIEW page; CREATE VIEW page AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
        " SELECT i + 1 FROM n) SELECT i AS id, '' AS url FROM n",
        "DROP TABLE host; CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT, state BLOB,"
        " x AS (length(name)))",
        "ALTER TABLE warc ADD COLUMN more",
        "DROP TABLE crawl; CREATE VIEW crawl AS SELECT 'schema' AS key, 2 AS value",
    };

    (void)state;
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        const char *dir = make_crawl();
        enum status st;

        assert_int_equal(opened(dir), ST_OK);
        harm(dir, harms[i]);
        st = opened(dir);
        if (st != ST_INVALID && st != ST_CORRUPT)
            fail_msg("%s: %s", harms[i], status_name(st));
    }
}

#define PAGE  8192
#define CELLS 256

/* An interior page of a table whose children are all the same page. */
static void put_interior(uint8_t page[PAGE], int64_t child)
{
    memset(page, 0, PAGE);
    page[0] = 0x05;
    page[3] = CELLS >> 8;
    page[5] = (uint8_t)((PAGE - CELLS * 5) >> 8);
    page[10] = (uint8_t)(child >> 8);
    page[11] = (uint8_t)child;
    for (int i = 0; i < CELLS; i++) {
        int at = PAGE - (i + 1) * 5;

        page[12 + 2 * i] = (uint8_t)(at >> 8);
        page[13 + 2 * i] = (uint8_t)at;
        page[at + 2] = (uint8_t)(child >> 8);
        page[at + 3] = (uint8_t)child;
        page[at + 4] = 1; /* its key */
    }
}

/* One row: no id, an empty text. */
static void put_leaf(uint8_t page[PAGE])
{
    static const uint8_t cell[] = {3, 1, 3, 0, 13};

    memset(page, 0, PAGE);
    page[0] = 0x0d;
    page[4] = 1;
    page[5] = page[8] = (PAGE - 5) >> 8;
    page[6] = page[9] = (uint8_t)(PAGE - 5);
    memcpy(page + PAGE - 5, cell, sizeof cell);
}

static void write_page(FILE *f, int64_t number, const uint8_t page[PAGE])
{
    assert_int_equal(fseek(f, (long)(number - 1) * PAGE, SEEK_SET), 0);
    assert_int_equal(fwrite(page, PAGE, 1, f), 1);
}

/* Five pages make a tree of 4 thousand million rows. */
static void a_tree_whose_pages_are_shared_ends(void **state)
{
    const char *dir = make_crawl();
    struct store_config config = made_config();
    struct store *s = NULL;
    uint8_t page[PAGE];
    int64_t root = made_int(dir, "SELECT rootpage FROM sqlite_schema WHERE name = 'body'");
    int64_t count = made_int(dir, "PRAGMA page_count");
    uint8_t size[4] = {0, 0, (uint8_t)((count + 4) >> 8), (uint8_t)(count + 4)};
    FILE *f;

    (void)state;
    assert_int_equal(unlink(path_of(dir, "index.db")), 0);
    harm(dir, "PRAGMA journal_mode = DELETE");
    f = fopen(path_of(dir, "crawl.db"), "r+b");
    assert_non_null(f);
    for (int64_t i = 0; i < 4; i++) {
        put_interior(page, count + i + 1);
        write_page(f, i ? count + i : root, page);
    }
    put_leaf(page);
    write_page(f, count + 4, page);
    assert_int_equal(fseek(f, 28, SEEK_SET), 0); /* pages of the file */
    assert_int_equal(fwrite(size, sizeof size, 1, f), 1);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(store_open(dir, &config, &s), ST_OK);
    assert_int_equal(store_close(s, NULL, NULL), ST_CORRUPT);
    assert_non_null(strstr(status_text(), "more steps"));
}

static void numbers_beyond_the_file_size_no_memory(void **state)
{
    static const char *const harms[] = {
        "INSERT INTO agent(id) VALUES(4294967295)",
        "INSERT INTO agent(id) VALUES(9223372036854775807)",
        "INSERT INTO agent(id) VALUES(-1)",
    };
    struct store_config config = made_config();

    (void)state;
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        const char *dir = make_crawl();
        struct store *s = NULL;

        harm(dir, harms[i]);
        assert_int_equal(store_open(dir, &config, &s), ST_CORRUPT);
    }
}

static void replace_by_link(const char *dir, const char *name)
{
    const char *path = path_of(dir, name);

    (void)unlink(path);
    assert_int_equal(symlink(victim, path), 0);
}

static void links_in_the_directory_are_not_followed(void **state)
{
    static const char *const names[] = {"crawl.db", "crawl.db-wal", "crawl.db-shm",
                                        "crawl.db-journal"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *dir = make_crawl();
        replace_by_link(dir, names[i]);
        try_all(dir);
        assert_int_equal(opened(dir), ST_INVALID);
    }
}

static void linked_archive_files_and_folders_are_not_followed(void **state)
{
    const char *dir = make_crawl();
    char name[1500], elsewhere[600];

    (void)state;
    (void)snprintf(name, sizeof name, "warc/%s", made_text(dir, "SELECT name FROM warc"));
    replace_by_link(dir, name);
    harm(dir, "UPDATE warc SET length = 0");
    try_all(dir);
    dir = make_crawl();
    (void)snprintf(elsewhere, sizeof elsewhere, "%s.d", victim);
    assert_int_equal(rename(path_of(dir, "warc"), elsewhere), 0);
    assert_int_equal(symlink(elsewhere, path_of(dir, "warc")), 0);
    /* Records that cannot be looked at are not mended away. */
    assert_int_equal(check_run(dir, true, no_issue, NULL, &(struct check_result){0}), ST_INVALID);
    assert_string_equal(made_text(dir, "SELECT count(*) > 0 FROM page_row WHERE warc > 0"), "1");
    harm(dir, "UPDATE warc SET length = 10");
    try_all(dir);
    (void)snprintf(name, sizeof name, "%s/%s", elsewhere,
                   made_text(dir, "SELECT name FROM warc LIMIT 1"));
    assert_int_equal(access(name, F_OK), 0);
}

static void a_file_with_a_second_name_is_not_written(void **state)
{
    const char *dir = make_crawl();
    char name[600];

    (void)state;
    (void)snprintf(name, sizeof name, "warc/%s", made_text(dir, "SELECT name FROM warc"));
    assert_int_equal(unlink(path_of(dir, name)), 0);
    assert_int_equal(link(victim, path_of(dir, name)), 0);
    harm(dir, "UPDATE warc SET length = 0");
    try_all(dir);
}

static void pipes_hold_nobody(void **state)
{
    const char *dir = make_crawl();
    struct warc_record rec;
    char name[600];

    (void)state;
    (void)snprintf(name, sizeof name, "warc/%s", made_text(dir, "SELECT name FROM warc"));
    assert_int_equal(unlink(path_of(dir, name)), 0);
    assert_int_equal(mkfifo(path_of(dir, name), 0600), 0);
    try_all(dir);
    assert_int_equal(archive_read(dir, str_of(name + 5), 0, &rec), ST_INVALID);
    assert_int_equal(unlink(path_of(dir, "crawl.db")), 0);
    assert_int_equal(mkfifo(path_of(dir, "crawl.db"), 0600), 0);
    try_all(dir);
}

static void names_of_the_archive_have_our_form(void **state)
{
    static const struct {
        const char *name;
        uint64_t serial;
    } cases[] = {
        {"brood-20261115100000-00001.warc.gz", 1},
        {"brood-20261115100000-00012.warc.gz.open", 12},
        {"brood-20261115100000-123456-f3.warc.gz", 123456},
        {"brood-20261115100000-00012-f.warc.gz", 0},
        {"brood-2026111510000-00012.warc.gz", 0},
        {"brood-20261115100000-.warc.gz", 0},
        {"brood-20261115100000-00001.warc.gz/x", 0},
        {"brood-20261115100000-00001-f1/../.warc.gz", 0},
        {"brood-20261115100000-99999999999999999999999.warc.gz", 0},
        {"other-20261115100000-00001.warc.gz", 0},
        {"", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(warc_serial(str_of(cases[i].name)), cases[i].serial);
}

static unsigned mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 0777;
}

static void only_its_user_may_read_a_crawl(void **state)
{
    const char *dir;
    char name[600];

    (void)state;
    (void)umask(0);
    dir = make_crawl();
    (void)snprintf(name, sizeof name, "warc/%s", made_text(dir, "SELECT name FROM warc"));
    assert_int_equal(mode_of(dir), 0700);
    assert_int_equal(mode_of(path_of(dir, "warc")), 0700);
    assert_int_equal(mode_of(path_of(dir, name)), 0600);
    assert_int_equal(mode_of(path_of(dir, "crawl.db")), 0600);
}

static void the_user_may_name_the_directory_by_a_link(void **state)
{
    const char *dir = make_crawl();
    struct check_result checked;
    char by_link[600];

    (void)state;
    (void)snprintf(by_link, sizeof by_link, "%s.link", dir);
    assert_int_equal(symlink(dir, by_link), 0);
    assert_int_equal(check_run(by_link, false, no_issue, NULL, &checked), ST_OK);
    assert_int_equal(checked.issues, 0);
}

/* `brood check` on read-only media. */
static void a_crawl_that_lacks_nothing_is_not_written_to(void **state)
{
    sqlite3 *db = NULL;
    int64_t reasons = 0;

    (void)state;
    assert_int_equal(db_open(make_crawl(), SQLITE_OPEN_READWRITE, &db), ST_OK);
    assert_int_equal(db_exec(db, "PRAGMA query_only = ON"), ST_OK);
    assert_int_equal(schema_migrate(db), ST_OK);
    assert_int_equal(db_exec(db, "PRAGMA query_only = OFF; DELETE FROM reason WHERE id = 3"),
                     ST_OK);
    assert_int_equal(schema_migrate(db), ST_OK);
    assert_int_equal(db_int(db, "SELECT count(*) FROM reason WHERE id = 3", &reasons), ST_OK);
    assert_int_equal(reasons, 1);
    (void)sqlite3_close(db);
}

/* In a process of its own, since root may write anywhere. Bit 0: it can be read; bit 1: it is
 * said why it cannot be changed. */
static int as_a_reader(const char *dir)
{
    sqlite3 *db = NULL;
    int found;

    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return 0;
    found = db_open_reader(dir, &db) == ST_OK;
    (void)sqlite3_close(db);
    if (db_open_writer(dir, &db) == ST_IO && strstr(status_text(), "cannot be written to"))
        found |= 2;
    return found;
}

static void a_crawl_that_may_not_be_written_to_can_be_read(void **state)
{
    const char *dir = make_crawl();
    int status = 0;
    pid_t child;

    (void)state;
    assert_int_equal(chmod(path_of(dir, ".."), 0755), 0);
    assert_int_equal(chmod(path_of(dir, "crawl.db"), 0444), 0);
    assert_int_equal(chmod(dir, 0555), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(as_a_reader(dir));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(dir, 0700), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_from_the_database_lead_nowhere),
        cmocka_unit_test(what_brood_does_not_declare_is_refused),
        cmocka_unit_test(a_tree_whose_pages_are_shared_ends),
        cmocka_unit_test(numbers_beyond_the_file_size_no_memory),
        cmocka_unit_test(links_in_the_directory_are_not_followed),
        cmocka_unit_test(linked_archive_files_and_folders_are_not_followed),
        cmocka_unit_test(a_file_with_a_second_name_is_not_written),
        cmocka_unit_test(pipes_hold_nobody),
        cmocka_unit_test(names_of_the_archive_have_our_form),
        cmocka_unit_test(only_its_user_may_read_a_crawl),
        cmocka_unit_test(the_user_may_name_the_directory_by_a_link),
        cmocka_unit_test(a_crawl_that_lacks_nothing_is_not_written_to),
        cmocka_unit_test(a_crawl_that_may_not_be_written_to_can_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
