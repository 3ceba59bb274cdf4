/* The archive in the eyes of an independent reader, npm `warcio`: records,
 * digests and places agree with the database. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static const char *make_crawl(void)
{
    const char *dir = test_dir();
    struct store_config config = made_config();
    struct store *s = NULL;

    config.warc_size = 8000;
    assert_int_equal(store_create(dir, &config, &s), ST_OK);
    for (uint32_t i = 1; i <= 30; i++)
        made_post(s, &(struct made_page){.id = i, .h2 = i % 7 == 0, .truncated = i % 9 == 0});
    made_post(s, &(struct made_page){.id = 31, .body = "same"});
    made_post(s, &(struct made_page){.id = 32, .body = "same", .dup_of = 31, .exact_dup = true});
    made_post(s, &(struct made_page){.id = 33, .body = "a\0b\xff", .body_len = 4});
    made_post(s, &(struct made_page){.id = 34, .hidden = true});
    made_url(s, 35, "http://a.test/missing");
    made_outcome(s, 35, "http://a.test/missing", 404, DROP_STATUS, 0, true);
    made_outcome(s, 31, "http://a.test/31", 304, DROP_NONE, 0, true);
    made_robots(s, "http://a.test/robots.txt", "User-agent: *\n");
    made_checkpoint(s, 34);
    made_close(s);
    return dir;
}

/* How many rows say what the line says: place, length and digest. */
static int64_t rows_like(const char *dir, const char *offset, const char *length,
                         const char *digest, const char *url)
{
    char sql[2048];

    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM (SELECT p.warc_offset AS o, p.warc_length AS l, p.digest"
                   " AS d, u.url AS u FROM page_row p JOIN url_row u ON u.id = p.url UNION ALL"
                   " SELECT p.warc_offset, p.warc_length, p.digest, u.url FROM outcome_row p"
                   " JOIN url_row u ON u.id = p.url UNION ALL SELECT warc_offset, warc_length,"
                   " digest, url FROM resource_row)"
                   " WHERE o = %s AND l = %s AND d = '%s' AND u = '%s'",
                   offset, length, digest, url);
    return made_int(dir, sql);
}

static void warcio_agrees_with_the_database(void **state)
{
    const char *dir = make_crawl(), *source = getenv("BROOD_SOURCE");
    char command[1024], type[32], status[8], offset[24], length[24], digest[64], url[256];
    char line[1024];
    int answers = 0, records = 0, how, total = -1;
    FILE *p;

    (void)state;
    (void)snprintf(command, sizeof command, "node %s/tests/flow/warcio.mjs %s/warc/*.warc.gz",
                   source ? source : ".", dir);
    p = popen(command, "r");
    assert_non_null(p);
    while (fgets(line, sizeof line, p)) {
        if (sscanf(line, "ok %d records", &total) == 1)
            continue;
        assert_int_equal(sscanf(line, "%31s %7s %23s %23s %63s %255s", type, status, offset, length,
                                digest, url),
                         6);
        records++;
        if (strcmp(type, "response") != 0 && strcmp(type, "revisit") != 0)
            continue;
        answers++;
        if (rows_like(dir, offset, length, digest, url) != 1)
            fail_msg("no row for: %s", line);
    }
    how = pclose(p);
    if (WIFEXITED(how) && (WEXITSTATUS(how) == 77 || WEXITSTATUS(how) == 127)) {
        print_message("# npm warcio is not installed and cannot be: skipped\n");
        skip();
    }
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    assert_int_equal(total, records);
    assert_int_equal(answers, 33 + 2 + 1);
    /* a warcinfo a file; request and metadata beside a page, request beside others */
    assert_int_equal(records, answers + 33 * 2 + 3 + made_int(dir, "SELECT count(*) FROM warc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warcio_agrees_with_the_database),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
