/* brood check through the command line: what is sound is called so, and every
 * planted disagreement of database, index and archive is found, with its kind and
 * whether it can be mended; what can be is. SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"

#include <sqlite3.h>

static const char *w, *sound;

static int set_up(void **state)
{
    struct server *s;

    (void)state;
    w = world("--pages", "200", "--hosts", "5", "--topics", "2", "--duplicates", "0.1");
    sound = fresh("sound");
    s = serve(w);
    assert_code(crawl(s, sound, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "60",
                      "--delay", "0"),
                0);
    server_stop(s);
    return 0;
}

static json_t *issues_of(const char *dir, bool mend, int code)
{
    struct ran r = mend ? brood("check", dir, "--mend", "--json") : brood("check", dir, "--json");

    assert_code(r, code);
    return json_at(json_of(r.out), "issues");
}

static void sound_directories_are_called_so(void **state)
{
    struct server *s = serve(w);
    const char *plain = fresh("plain"), *bare = fresh("bare");
    struct ran r;

    (void)state;
    assert_says(brood("check", sound).out, "everything agrees");
    assert_int_equal(json_array_size(issues_of(sound, false, 0)), 0);
    /* a made world has no index, and claims none */
    assert_int_equal(json_array_size(issues_of(w, false, 0)), 0);
    assert_code(crawl(s, plain, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "20",
                      "--delay", "0", "--no-index"),
                0);
    r = brood("check", plain);
    assert_code(r, 0);
    assert_says(r.out, "everything agrees");
    assert_says(r.out, "20 pages are to be indexed");
    assert_code(brood("search", plain, "the"), 0); /* it indexes them */
    assert_int_equal(int_at(json_of(brood("check", plain, "--json").out), "unindexed"), 0);
    assert_code(crawl(s, bare, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "20",
                      "--delay", "0", "--no-warc"),
                0);
    assert_int_equal(json_array_size(issues_of(bare, false, 0)), 0);
    server_stop(s);
}

/* ---- versions ------------------------------------------------------------ */

static void exec(const char *dir, const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(text("%s/crawl.db", dir), &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    (void)sqlite3_close(db);
}

/* Version 1 had the same columns, declared no references, and knew neither news nor natures
 * nor what a model says of pages. Its full-text index was in crawl.db. */
static void make_old(const char *dir)
{
    assert_code(run("sh", "-c", text("rm %s/index.db*", dir)), 0);
    exec(dir, "CREATE VIRTUAL TABLE page_text USING fts5(title, text, content='page_content',"
              " content_rowid='id', tokenize='unicode61 remove_diacritics 2');"
              "INSERT INTO page_text(page_text) VALUES('rebuild');"
              "INSERT INTO crawl SELECT 'indexed', max(id) FROM body");
    exec(dir,
         "CREATE TABLE link_row(page INTEGER, pos INTEGER, url INTEGER, anchor TEXT, score REAL,"
         " PRIMARY KEY(page, pos)) WITHOUT ROWID; INSERT INTO link_row SELECT from_page, pos,"
         " to_id, anchor, score FROM link; CREATE INDEX link_by_target ON link_row(url);"
         "DROP VIEW link; DROP TABLE links_row; CREATE VIEW link AS SELECT l.page AS from_page,"
         " u.url AS to_url, l.anchor AS anchor, l.score AS score, l.pos AS pos, l.url AS to_id"
         " FROM link_row l JOIN url_row u ON u.id = l.url");
    exec(dir,
         "DROP VIEW news; DROP TABLE news_row; DROP TABLE nature; DROP TABLE main_row;"
         "DROP TABLE judged_row; DROP TABLE use_row; DROP TABLE host_use; DROP TABLE page_topic;"
         "DROP TABLE declared_row; DROP TABLE requisite_row; DROP TABLE travel");
    exec(dir, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
              " replace(replace(replace(replace(sql, ' REFERENCES url_row(id)', ''),"
              " ' REFERENCES page_row(id)', ''), ' REFERENCES warc(id)', ''),"
              " ' REFERENCES agent(id)', ''); UPDATE sqlite_schema SET sql = replace(replace(sql,"
              " ', j.p AS p', ''), ' LEFT JOIN judged_row j ON j.page = p.id', '') WHERE name ="
              " 'page'; PRAGMA writable_schema = RESET;"
              "UPDATE crawl SET value = '1' WHERE key = 'schema'");
}

static int64_t references(const char *dir)
{
    return crawl_int(dir, "SELECT count(*) FROM sqlite_schema s, pragma_foreign_key_list(s.name)"
                          " WHERE s.type = 'table'");
}

static void a_crawl_of_an_older_version_is_read_and_migrated(void **state)
{
    const char *dir = fresh("old");
    int64_t declared = references(sound);

    (void)state;
    assert_true(declared > 10);
    assert_code(run("cp", "-r", sound, dir), 0);
    make_old(dir);
    assert_int_equal(references(dir), 0);
    assert_code(brood("stats", dir), 0); /* reading changes nothing */
    assert_code(brood("top", dir), 0);
    assert_string_equal(crawl_text(dir, "SELECT value FROM crawl WHERE key = 'schema'"), "1");
    assert_code(brood("resume", dir, "--quiet", "--trust"), 0);
    assert_string_equal(crawl_text(dir, "SELECT value FROM crawl WHERE key = 'schema'"), "3");
    assert_int_equal(references(dir), declared);
    assert_int_equal(
        crawl_int(dir, "SELECT count(*) FROM pragma_table_info('page') WHERE name = 'p'"), 1);
    assert_string_equal(crawl_text(dir, "PRAGMA integrity_check"), "ok");
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_int_equal(crawl_pages(dir), 60);
    assert_int_equal(json_array_size(issues_of(dir, false, 0)), 0);
}

static void a_version_we_do_not_know_is_refused_by_name(void **state)
{
    const char *const commands[] = {"resume", "top", "stats", "check", "retry"};
    const char *dir = fresh("new");

    (void)state;
    assert_code(run("cp", "-r", sound, dir), 0);
    exec(dir, "UPDATE crawl SET value = '99' WHERE key = 'schema'");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        assert_refused(brood(commands[i], dir), 1, "newer version of brood (schema 99");
    exec(dir, "UPDATE crawl SET value = '-1' WHERE key = 'schema'");
    assert_refused(brood("resume", dir), 1, "older version of brood");
}

/* ---- damages ------------------------------------------------------------- */

static const struct damage {
    const char *sql;   /* on the database, or */
    const char *shell; /* a command; $f is the archive file */
    const char *kind;  /* of an issue that it must make */
    bool mendable;
} damages[] = {
    {"UPDATE page_row SET url = 999999 WHERE id = 7", NULL, "reference", false},
    {"DELETE FROM page_row WHERE id = 7", NULL, "orphan", false},
    {"DELETE FROM fate WHERE page = 7", NULL, "reference", true},
    {"UPDATE fate SET page = 999 WHERE page = 7", NULL, "reference", true},
    {"INSERT INTO fate VALUES(999999, 3, 1, 0)", NULL, "reference", true},
    {"UPDATE links_row SET links = '[[0,999999,0,0]]' WHERE page = 3", NULL, "reference", true},
    {"UPDATE links_row SET links = '[[0,1,0' WHERE page = 3", NULL, "database", true},
    {"UPDATE links_row SET page = 999 WHERE page = 3", NULL, "reference", true},
    {"UPDATE body SET id = 999 WHERE id = 9", NULL, "reference", false},
    {"DELETE FROM body WHERE id = 9", NULL, "reference", false},
    {"UPDATE page_row SET dup_of = 999 WHERE id = 9", NULL, "reference", true},
    {"UPDATE page_row SET url = (SELECT url FROM page_row WHERE id = 1) WHERE id = 2", NULL,
     "count", false},
    {"UPDATE crawl SET value = '61' WHERE key = 'pages'", NULL, "count", true},
    {"UPDATE body SET text = 'other words' WHERE id = 5", NULL, "index", true},
    {"UPDATE page_row SET title = 'another title' WHERE id = 5", NULL, "index", true},
    {"DELETE FROM page_text_docsize WHERE id = 5", NULL, "index", true},
    {"UPDATE indexed_row SET page = 30 WHERE id = 1", NULL, "index", true},
    {"UPDATE page_row SET warc = 99 WHERE id = 5", NULL, "reference", false},
    {"UPDATE resource_row SET warc = 99 WHERE id = 1", NULL, "reference", false},
    {"UPDATE page_row SET warc_offset = warc_offset + 1 WHERE id = 5", NULL, "record", false},
    {"UPDATE page_row SET warc = NULL WHERE id = 5", NULL, "orphan", false},
    {"UPDATE page_row SET digest = 'AAAA' WHERE id = 5", NULL, "digest", false},
    {"UPDATE page_row SET warc_offset = (SELECT warc_offset FROM page_row WHERE id = 6)"
     " WHERE id = 5",
     NULL, "record", false},
    {NULL, "rm $f", "file", false},
    {NULL, "truncate -s -100 $f", "file", true},
    {NULL, "head -c 500 $f >$f.x; cat $f.x >>$f; rm $f.x", "file", true},
    {NULL, "echo x >$(dirname $f)/stray", "file", false},
    {NULL, "printf '\\377\\377\\377\\377' | dd of=$f bs=1 seek=5000 conv=notrunc status=none",
     "record", false},
};

static void plant(const char *dir, const struct damage *d)
{
    sqlite3 *db;

    if (d->shell) {
        assert_code(run("sh", "-c", text("f=$(ls %s/warc/*.warc.gz); %s", dir, d->shell)), 0);
        return;
    }
    assert_int_equal(sqlite3_open(text("%s/crawl.db", dir), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, text("ATTACH '%s/index.db' AS full_text", dir), NULL, NULL, NULL),
        SQLITE_OK);
    if (sqlite3_exec(db, d->sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", d->sql, sqlite3_errmsg(db));
    if (sqlite3_changes(db) == 0)
        fail_msg("%s: nothing changed", d->sql);
    (void)sqlite3_close(db);
}

/* Is there an issue of this kind; are all of them mendable? */
static bool has_kind(json_t *issues, const char *kind, bool *ret_mendable)
{
    bool found = false;
    json_t *issue;
    size_t i;

    *ret_mendable = true;
    json_array_foreach(issues, i, issue)
    {
        found |= strcmp(text_at(issue, "kind"), kind) == 0;
        *ret_mendable &= json_is_true(json_at(issue, "mendable"));
    }
    return found;
}

static void planted_damage_is_found_and_mended(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        const struct damage *d = &damages[i];
        const char *dir = fresh(text("damage-%zu", i)), *what = d->sql ? d->sql : d->shell;
        bool mendable;

        assert_code(run("cp", "-r", sound, dir), 0);
        plant(dir, d);
        if (!has_kind(issues_of(dir, false, 1), d->kind, &mendable))
            fail_msg("%s: not found as '%s'", what, d->kind);
        if (mendable != d->mendable)
            fail_msg("%s: said to be %smendable", what, mendable ? "" : "not ");
        (void)issues_of(dir, true, d->mendable ? 0 : 1);
        if (d->mendable && json_array_size(issues_of(dir, false, 0)) > 0)
            fail_msg("%s: not mended", what);
        assert_code(run("rm", "-r", dir), 0);
    }
}

static void pages_that_a_short_archive_lost_are_counted(void **state)
{
    static const struct damage short_file = {NULL, "truncate -s 500 $f", "file", false};
    const char *dir = fresh("short");
    struct ran r;

    (void)state;
    assert_code(run("cp", "-r", sound, dir), 0);
    plant(dir, &short_file);
    r = brood("check", dir);
    assert_code(r, 1);
    assert_says(r.out,
                "pages are lost from the archive; the text is still in crawl.db, and --mend");
    r = brood("resume", dir, "--trust"); /* a copy */
    assert_code(r, 0);
    assert_says(r.err, text("pages are lost from the archive: `brood check %s` says which", dir));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_directories_are_called_so),
        cmocka_unit_test(a_crawl_of_an_older_version_is_read_and_migrated),
        cmocka_unit_test(a_version_we_do_not_know_is_refused_by_name),
        cmocka_unit_test(planted_damage_is_found_and_mended),
        cmocka_unit_test(pages_that_a_short_archive_lost_are_counted),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
