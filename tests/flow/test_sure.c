/* How sure brood is of a page does not depend on the order in which pages came.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include <sqlite3.h>

/* All pages of a world, with one connection or with many. */
static const char *crawled(struct server *s, const char *w, const char *model,
                           const char *connections)
{
    const char *dir = fresh(text("%s-%s", model, connections));

    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                      world_seed(w, 0, 1), "--model", model, "--pages", "0", "--delay", "0",
                      "--connections", connections),
                0);
    return dir;
}

/* A figure of the differences `d` between the p of pages in two crawls. */
static double difference(const char *one, const char *two, const char *figure)
{
    sqlite3 *db;
    sqlite3_stmt *st;
    double ret;

    assert_int_equal(sqlite3_open(text("%s/crawl.db", one), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text("ATTACH '%s/crawl.db' AS two", two), NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           text("SELECT %s FROM (SELECT abs(a.p - b.p) AS d FROM main.page a"
                                " JOIN two.page b USING (url) WHERE a.depth > 0)",
                                figure),
                           -1, &st, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    ret = sqlite3_column_double(st, 0);
    (void)sqlite3_finalize(st);
    (void)sqlite3_close(db);
    return ret;
}

/* Without the last judgement, whose regression goes on to its end, the mean was .026 to .038 with
 * brood, which learns from what it has by then, and the largest .09 with best-first. */
static void another_order_gives_nearly_the_same_numbers(void **state)
{
    const char *w = world("--pages", "200", "--hosts", "8", "--topics", "3", "--duplicates", "0");
    struct server *s = serve(w);
    const char *one = crawled(s, w, "brood", "1"), *many = crawled(s, w, "brood", "32");

    (void)state;
    assert_true(difference(one, many, "count(*)") > 150);
    assert_true(difference(one, many, "avg(d)") < 0.02);
    one = crawled(s, w, "best-first", "1");
    many = crawled(s, w, "best-first", "32");
    assert_true(difference(one, many, "count(*)") > 150);
    assert_true(difference(one, many, "max(d)") < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_order_gives_nearly_the_same_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
