/* brood merge, and reading commands over several directories. SPDX-License-Identifier: MIT */
#include "flow.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *w, *a, *b; /* a world, and two crawls of it that share some pages */
static struct server *s;

static int crawl_twice(void **state)
{
    (void)state;
    w = world("--pages", "90", "--hosts", "7", "--topics", "2");
    a = fresh("A");
    b = fresh("B");
    s = serve(w);
    assert_code(crawl(s, a, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "50",
                      "--model", "balanced", "--delay", "0"),
                0);
    assert_code(crawl(s, b, world_words(w, 0), "--seed", world_seed(w, 1, 0), "--pages", "50",
                      "--model", "balanced", "--delay", "0"),
                0);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    server_stop(s);
    return 0;
}

static const char *merged(void)
{
    static const char *dir;

    if (dir == NULL) {
        dir = fresh("M");
        assert_code(brood("merge", a, b, "-o", dir, "--quiet"), 0);
    }
    return dir;
}

static struct sqlite3 *open_all(void)
{
    struct sqlite3 *db = facts_open(merged(), NULL, NULL);

    assert_int_equal(
        sqlite3_exec(db, text("ATTACH '%s/crawl.db' AS a; ATTACH '%s/crawl.db' AS b", a, b), NULL,
                     NULL, NULL),
        SQLITE_OK);
    return db;
}

static void a_merged_crawl_has_every_page_once_and_agrees_with_itself(void **state)
{
    struct sqlite3 *db;

    (void)state;
    assert_says(brood("check", merged()).out, "everything agrees");
    db = open_all();
    assert_int_equal(facts_int(db, "SELECT count(*) FROM page"),
                     facts_int(db, "SELECT count(*) FROM (SELECT url FROM a.page UNION SELECT url"
                                   " FROM b.page)"));
    assert_true(facts_int(db, "SELECT count(*) FROM page") < 100);
    /* what was fetched twice is still known, and still in the archive */
    assert_int_equal(facts_int(db, "SELECT count(*) FROM page") +
                         facts_int(db, "SELECT count(*) FROM outcome WHERE reason = 'none' AND"
                                       " status = 200 AND warc_file IS NOT NULL"),
                     100);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM page WHERE p IS NULL AND dup_of IS NULL"
                                   " AND NOT hidden"),
                     0);
}

static void links_and_agents_of_all_are_in_it(void **state)
{
    struct sqlite3 *db = open_all();

    (void)state;
    assert_int_equal(
        facts_int(db, "SELECT count(*) FROM (SELECT p.url, l.to_url, l.anchor FROM a.page p JOIN"
                      " a.link l ON l.from_page = p.id EXCEPT SELECT p.url, l.to_url, l.anchor FROM"
                      " main.page p JOIN main.link l ON l.from_page = p.id)"),
        0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM main.agent"),
                     facts_int(db, "SELECT (SELECT count(*) FROM a.agent) + (SELECT count(*) FROM"
                                   " b.agent)"));
    assert_int_equal(facts_int(db, "SELECT count(*) FROM main.agent WHERE parent_id IS NULL"),
                     facts_int(db, "SELECT (SELECT count(*) FROM a.agent WHERE parent_id IS NULL) +"
                                   " (SELECT count(*) FROM b.agent WHERE parent_id IS NULL)"));
    assert_int_equal(facts_int(db, "SELECT count(*) FROM main.visit"),
                     facts_int(db, "SELECT (SELECT count(*) FROM a.visit) + (SELECT count(*) FROM"
                                   " b.visit)"));
    assert_int_equal(facts_int(db, "SELECT count(*) FROM (SELECT at, lag(at) OVER (ORDER BY id) AS"
                                   " before FROM main.visit) WHERE at < before"),
                     0);
    /* books that balanced in each balance together */
    assert_true(facts_int(db, "SELECT abs(sum(CASE key WHEN 'energy.given' THEN value WHEN"
                              " 'energy.earned' THEN value ELSE -value END)) < 1e-9 FROM main.crawl"
                              " WHERE key GLOB 'energy.*'"));
}

/* The same as on the merged crawl, word for word. */
#define assert_same(command, ...)                                   \
    do {                                                            \
        struct ran one = brood((command), merged(), ##__VA_ARGS__); \
        struct ran two = brood((command), a, b, ##__VA_ARGS__);     \
                                                                    \
        assert_int_equal(one.code, two.code);                       \
        assert_string_equal(one.out, two.out);                      \
    } while (0)

static void commands_over_several_directories_answer_as_on_the_merged_one(void **state)
{
    const char *url = crawl_text(b, "SELECT url FROM page ORDER BY id DESC LIMIT 1");

    (void)state;
    assert_same("top", "-n", "40");
    assert_same("search", "the", "--json");
    assert_same("stats");
    assert_same("tree");
    assert_same("explain", url);
    assert_same("explain", "http://nowhere.example/");
    assert_same("show", url, "--text");
    assert_same("show", "2");
    assert_same("show", "--conversation", "--all");
}

static bool is_there(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0;
}

static void a_merge_that_is_killed_leaves_no_crawl_and_can_be_made_again(void **state)
{
    const char *out = fresh("K"), *part = text("%s.part", out);
    struct job *j = brood_job("merge", a, b, "-o", out, "--quiet");

    (void)state;
    while (!is_there(part) && !is_there(out))
        assert_true(job_listen(j, 1));
    (void)kill(job_pid(j), SIGKILL);
    (void)job_wait(j);
    if (!is_there(out)) {
        assert_true(is_there(part));
        assert_code(brood("merge", a, b, "-o", out, "--quiet"), 0);
    }
    assert_false(is_there(part));
    assert_says(brood("check", out).out, "everything agrees");
}

/* What the second directory has is in the merged one already. */
static void a_merged_crawl_can_be_merged_again(void **state)
{
    const char *twice = fresh("twice"), *pages = "SELECT count(DISTINCT url) FROM page";

    (void)state;
    assert_code(brood("merge", merged(), b, "-o", twice, "--quiet"), 0);
    assert_says(brood("check", twice).out, "everything agrees");
    assert_int_equal(facts_int(facts_open(twice, NULL, NULL), pages),
                     facts_int(facts_open(merged(), NULL, NULL), pages));
}

static void what_cannot_be_merged_is_refused_and_nothing_is_made(void **state)
{
    const char *out = fresh("R");

    (void)state;
    assert_refused(brood("merge", a, text("%s/.", a), "-o", out), 2, "the same directory");
    assert_refused(brood("merge", a, fresh("nobody"), "-o", out), 1, "no such directory");
    assert_refused(brood("merge", a, b), 2, "-o DIR");
    assert_refused(brood("merge", a, b, "-o", merged()), 2, "is there already");
    assert_refused(brood("resume", merged(), "--pages", "200"), 2, "was merged from 2 directories");
    assert_false(is_there(out));
    assert_false(is_there(text("%s.part", out)));
}

static void words_of_a_search_that_are_not_quoted_are_no_directories(void **state)
{
    (void)state;
    assert_refused(brood("search", a, "queen", "swarm"), 2, "'queen swarm'");
    assert_refused(brood("search", a, b, "queen", "swarm"), 2, "'queen swarm'");
    assert_refused(brood("search", a, fresh("nobody"), "queen"), 2, "there is no directory");
}

/* What another person made may name anything. */
static void numbers_that_lead_nowhere_are_left_out(void **state)
{
    const char *harmed = fresh("H"), *out = fresh("HM");
    struct sqlite3 *db;

    (void)state;
    assert_code(run("cp", "-r", b, harmed), 0);
    assert_int_equal(sqlite3_open(text("%s/crawl.db", harmed), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "UPDATE page_row SET agent = 99999, dup_of = id + 5 WHERE id = 3;"
                     "UPDATE visit SET page_id = -7 WHERE id = 1;"
                     "UPDATE agent SET parent_id = id WHERE id = 2;"
                     "UPDATE links_row SET links = '[[0,4000000000,0,0]]' WHERE page = 4;"
                     "UPDATE fate SET page = 123456, state = 77 WHERE url = 5;"
                     "UPDATE crawl SET value = 'many' WHERE key = 'total.received'",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_code(brood("merge", a, harmed, "-o", out, "--quiet"), 0);
    assert_says(brood("check", out).out, "everything agrees");
}

/* A directory of somebody else: with a search from 2 on for each, this would take hours. */
static void two_hundred_thousand_agents_may_have_one_name(void **state)
{
    const char *many = fresh("many"), *out = fresh("named");
    struct sqlite3 *db;

    (void)state;
    assert_code(run("cp", "-a", a, many), 0);
    assert_int_equal(sqlite3_open(text("%s/crawl.db", many), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <"
                     " 200000) INSERT INTO agent(name, kind, generation, born_at, energy, pages)"
                     " SELECT 'Same', 'balanced', 0, i, 0, 0 FROM n",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_code(brood("merge", many, b, "-o", out, "--quiet", "--no-index"), 0);
    db = facts_open(out, NULL, NULL);
    assert_int_equal(
        facts_int(db, "SELECT count(DISTINCT name) FROM agent WHERE name GLOB 'Same*'"), 200000);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM agent WHERE name = 'Same-200000'"), 1);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_merged_crawl_has_every_page_once_and_agrees_with_itself),
        cmocka_unit_test(links_and_agents_of_all_are_in_it),
        cmocka_unit_test(commands_over_several_directories_answer_as_on_the_merged_one),
        cmocka_unit_test(a_merge_that_is_killed_leaves_no_crawl_and_can_be_made_again),
        cmocka_unit_test(a_merged_crawl_can_be_merged_again),
        cmocka_unit_test(what_cannot_be_merged_is_refused_and_nothing_is_made),
        cmocka_unit_test(words_of_a_search_that_are_not_quoted_are_no_directories),
        cmocka_unit_test(numbers_that_lead_nowhere_are_left_out),
        cmocka_unit_test(two_hundred_thousand_agents_may_have_one_name),
    };

    return cmocka_run_group_tests(tests, crawl_twice, stop);
}
