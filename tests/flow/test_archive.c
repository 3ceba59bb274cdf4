/* The archive of a real crawl in the eyes of an independent reader, npm
 * `warcio`: records, digests and places agree with database and CDXJ.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

static const char *dir, *said; /* warcio's lines */

static int set_up(void **state)
{
    const char *w = world("--pages", "400", "--hosts", "8", "--topics", "3", "--duplicates", "0.1");
    struct server *s = serve(w, "--gzip");
    const char *argv[40] = {"node"};
    size_t n = 1;
    struct ran r;
    glob_t files;

    (void)state;
    dir = fresh("C");
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "150",
                      "--delay", "0"),
                0);
    server_stop(s);
    argv[n++] = text("%s/tests/flow/warcio.mjs", getenv("BROOD_SOURCE"));
    assert_int_equal(glob(text("%s/warc/*.warc.gz", dir), 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        argv[n++] = text("%s", files.gl_pathv[i]);
    globfree(&files);
    if (run("sh", "-c", "command -v node && command -v npm").code != 0)
        return 0;
    r = run_argv(NULL, argv);
    if (r.code == 77)
        return 0;
    assert_code(r, 0); /* every digest is right */
    said = r.out;
    return 0;
}

#define NEED_WARCIO                                                                 \
    do {                                                                            \
        if (said == NULL) {                                                         \
            print_message("# npm warcio is not here and cannot be had: skipped\n"); \
            skip();                                                                 \
        }                                                                           \
    } while (0)

static const char places[] =
    "SELECT count(*) FROM (SELECT p.warc_offset AS o, p.warc_length AS l, p.digest AS d, u.url AS u"
    " FROM page_row p JOIN url_row u ON u.id = p.url WHERE p.warc > 0 UNION ALL SELECT"
    " p.warc_offset, p.warc_length, p.digest, u.url FROM outcome_row p JOIN url_row u ON u.id ="
    " p.url WHERE p.warc > 0 UNION ALL SELECT warc_offset, warc_length, digest, url FROM"
    " resource_row WHERE warc > 0)";

static void records_agree_with_the_database(void **state)
{
    struct sqlite3 *facts = facts_open(dir, NULL, NULL);
    struct str rest, line;
    int answers = 0, revisits = 0;

    (void)state;
    NEED_WARCIO;
    rest = str_of(said);
    while (str_cut(&rest, '\n', &line)) {
        char type[32], status[8], offset[24], length[24], digest[64], url[512];
        const char *t = text("%.*s", STR_ARG(line));

        if (sscanf(t, "%31s %7s %23s %23s %63s %511s", type, status, offset, length, digest, url) !=
            6)
            continue;
        if (strcmp(type, "response") != 0 && strcmp(type, "revisit") != 0)
            continue;
        answers++;
        revisits += strcmp(type, "revisit") == 0;
        if (facts_int(facts, text("%s WHERE o = %s AND l = %s AND d = '%s' AND u = '%s'", places,
                                  offset, length, digest, url)) != 1)
            fail_msg("no row for: %s", t);
    }
    assert_int_equal(answers, facts_int(facts, places));
    assert_int_equal(revisits, facts_int(facts, "SELECT count(*) FROM page WHERE exact_dup = 1 AND"
                                                " warc_file IS NOT NULL"));
    assert_true(revisits > 0);
    assert_int_equal(times_in(said, "\nrequest "), answers);
    assert_true(times_in(said, "\nmetadata ") >= 150);
    assert_int_equal(times_in(said, "warcinfo "), 1);
}

static void cdxj_points_at_every_answer(void **state)
{
    struct ran r = brood("export", dir, "--as", "cdxj");
    struct str rest = str_of(r.out), line;
    size_t lines = 0;
    const char *before = "";

    (void)state;
    NEED_WARCIO;
    assert_code(r, 0);
    while (str_cut(&rest, '\n', &line)) {
        const char *t = text("%.*s", STR_ARG(line));
        json_t *j;

        if (*t == '\0')
            continue;
        assert_true(strcmp(before, t) <= 0); /* sorted */
        before = t;
        j = json_of(strchr(t, '{'));
        lines++;
        /* "TYPE STATUS OFFSET LENGTH DIGEST URL" */
        assert_says(said, text(" %s %s %s %s\n", text_at(j, "offset"), text_at(j, "length"),
                               text_at(j, "digest"), text_at(j, "url")));
    }
    assert_int_equal(lines, times_in(said, "\nresponse ") + times_in(said, "\nrevisit "));
}

static void our_own_check_agrees(void **state)
{
    json_t *j = json_of(brood("check", dir, "--json").out);

    (void)state;
    assert_int_equal(json_array_size(json_at(j, "issues")), 0);
    assert_int_equal(int_at(j, "pages"), 150);
    NEED_WARCIO;
    assert_says(said, text("ok %lld records", (long long)int_at(j, "records")));
}

static void a_wacz_is_what_its_format_says(void **state)
{
    const char *file = fresh("c.wacz"), *folder = fresh("unpacked");
    struct ran r;

    (void)state;
    assert_code(brood("export", dir, "--as", "wacz", "-o", file), 0);
    assert_code(run("mkdir", folder), 0);
    r = run("python3", text("%s/tests/flow/wacz.py", getenv("BROOD_SOURCE")), file, folder);
    assert_code(r, 0);
    assert_says(r.out, text("ok %lld pages, %lld lines",
                            (long long)crawl_int(dir, "SELECT count(*) FROM page WHERE dup_of IS"
                                                      " NULL AND NOT hidden"),
                            (long long)crawl_int(dir, places)));
    assert_code(run("diff", "-r", folder, text("%s/warc", dir)), 0);
    assert_code(
        run("sh", "-c", text("%s export %s --as wacz | head -c 9", getenv("BROOD_BIN"), dir)), 0);
}

static void parquet_is_read_by_another(void **state)
{
    const char *file = fresh("c.parquet");
    json_t *rows, *row;
    struct ran r;
    size_t i;

    (void)state;
    assert_code(run("sqlite3", text("%s/crawl.db", dir),
                    "UPDATE page_row SET title = CAST(x'61ff62' AS TEXT) WHERE id = 20"),
                0);
    assert_code(brood("export", dir, "--as", "parquet", "-o", file), 0);
    r = run("node", text("%s/tests/flow/parquet.mjs", getenv("BROOD_SOURCE")), file);
    if (r.code == 77 || r.code == 127)
        skip();
    assert_code(r, 0);
    rows = json_of(r.out);
    assert_int_equal(json_array_size(rows), 150);
    json_array_foreach(rows, i, row)
    {
        const char *where = text("FROM page WHERE id = %lld", (long long)int_at(row, "id"));

        assert_string_equal(text_at(row, "url"), crawl_text(dir, text("SELECT url %s", where)));
        assert_string_equal(text_at(row, "title"), crawl_text(dir, text("SELECT title %s", where)));
        assert_int_equal(int_at(row, "bytes"), crawl_int(dir, text("SELECT bytes %s", where)));
        assert_int_equal(json_is_null(json_at(row, "dup_of")),
                         crawl_int(dir, text("SELECT dup_of IS NULL %s", where)));
        assert_true(strlen(text_at(row, "text")) > 0);
        if (i == 10)
            break; /* each question opens the database */
    }
    json_array_foreach(rows, i, row)
    {
        if (int_at(row, "id") == 20) /* what is no UTF-8 is replaced */
            assert_string_equal(text_at(row, "title"), "a\xef\xbf\xbd"
                                                       "b");
    }
}

static void bulk_lines_are_pairs_with_known_fields(void **state)
{
    const char *folder = fresh("c.bulk"), *lines;
    json_t *mapping, *types, *fields, *field;
    struct str rest, id, page;
    const char *name;
    int pairs = 0;

    (void)state;
    assert_code(brood("export", dir, "--as", "bulk", "-o", folder), 0);
    mapping = json_of(file_text(text("%s/mapping.json", folder)));
    types = json_at(mapping, "mappings.properties");
    lines = file_text(text("%s/pages-00001.ndjson", folder));
    rest = str_of(lines);
    for (; str_cut(&rest, '\n', &id) && str_cut(&rest, '\n', &page); pairs++) {
        if (pairs > 10)
            continue;
        assert_int_equal(strlen(text_at(json_of(text("%.*s", STR_ARG(id))), "index._id")), 32);
        fields = json_of(text("%.*s", STR_ARG(page)));
        json_object_foreach(fields, name, field) assert_non_null(json_object_get(types, name));
    }
    assert_int_equal(pairs, 150);
    assert_refused(brood("export", dir, "--as", "bulk", "-o", folder), 2, folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_agree_with_the_database),
        cmocka_unit_test(cdxj_points_at_every_answer),
        cmocka_unit_test(our_own_check_agrees),
        cmocka_unit_test(a_wacz_is_what_its_format_says),
        cmocka_unit_test(parquet_is_read_by_another),
        cmocka_unit_test(bulk_lines_are_pairs_with_known_fields),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
