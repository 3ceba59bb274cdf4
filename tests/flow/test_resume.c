/* Stopped crawls go on where they were: exact, and no page twice.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include <poll.h>
#include <signal.h>
#include <sqlite3.h>

static const char *w;

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "500", "--hosts", "10", "--topics", "3");
    return 0;
}

/* So many pages, each once; nothing was asked twice but robots.txt, which a
 * resumed crawl may ask again. */
static void holds(const char *dir, struct server *s, int64_t pages)
{
    struct sqlite3 *facts = facts_open(dir, w, s);

    assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page"), pages);
    assert_int_equal(facts_int(facts, "SELECT count(DISTINCT url) FROM main.page"), pages);
    assert_int_equal(facts_int(facts, "SELECT max(id) FROM main.page"), pages);
    assert_code(brood("check", dir), 0);
}

static int64_t asked_again(const char *dir, struct server *s)
{
    return facts_int(
        facts_open(dir, w, s),
        "SELECT count(*) - count(DISTINCT url) FROM asked WHERE path <> '/robots.txt'");
}

static void a_crawl_goes_on_to_a_new_limit(void **state)
{
    const char *const models[] = {"best-first", "breadth-first"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *dir = fresh(models[i]);
        struct server *s = serve(w);
        struct ran r;

        assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "40",
                          "--delay", "0", "--model", models[i]),
                    0);
        assert_int_equal(crawl_pages(dir), 40);
        assert_code(brood("resume", dir, "--quiet"), 0); /* to the old limit: nothing to do */
        assert_int_equal(crawl_pages(dir), 40);
        r = brood("resume", dir, "--pages", "100", "--quiet", "--json");
        assert_code(r, 0);
        assert_int_equal(lines_in(r.out), 61);
        holds(dir, s, 100);
        assert_int_equal(asked_again(dir, s), 0);
    }
}

/* A setting of an older version, whose option is gone, does not keep a crawl from going on. */
static void a_setting_that_is_no_more_is_left_out_with_a_warning(void **state)
{
    const char *dir = fresh("forgotten");
    struct server *s = serve(w);
    struct sqlite3 *db;
    struct ran r;

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "10",
                      "--delay", "0", "--model", "best-first", "--set", "context=0.5"),
                0);
    assert_int_equal(sqlite3_open(text("%s/crawl.db", dir), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "UPDATE crawl SET value = 'idle=3' || char(10) || value"
                                  " WHERE key = 'option.set'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    (void)sqlite3_close(db);
    r = brood("resume", dir, "--pages", "20", "--quiet");
    assert_code(r, 0);
    assert_says(r.err, "the model best-first has no option 'idle' any more");
    holds(dir, s, 20);
    r = brood("resume", dir, "--pages", "15");
    assert_code(r, 0);
    assert_says(r.err, "20 pages are stored; --pages 15 counts them too");
}

static void a_resumed_crawl_reaches_the_end_of_the_world(void **state)
{
    const char *whole = fresh("whole"), *parts = fresh("parts");
    struct server *s = serve(w);

    (void)state;
    assert_code(crawl(s, whole, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "0",
                      "--delay", "0"),
                0);
    assert_code(crawl(s, parts, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "120",
                      "--delay", "0"),
                0);
    assert_code(brood("resume", parts, "--pages", "250", "--quiet"), 0);
    assert_code(brood("resume", parts, "--pages", "0", "--quiet"), 0);
    assert_int_equal(crawl_pages(parts), crawl_pages(whole));
    holds(parts, s, crawl_pages(whole));
}

/* Every page is judged, and `top` is in that order, before and after. */
static void what_the_model_says_of_pages_is_kept(void **state)
{
    const char *dir = fresh("judged");
    struct server *s = serve(w);

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "40",
                      "--delay", "0", "--model", "brood"),
                0);
    assert_int_equal(crawl_int(dir, "SELECT count(p) FROM page WHERE p BETWEEN 0 AND 1"), 40);
    assert_code(brood("resume", dir, "--pages", "90", "--quiet"), 0);
    assert_int_equal(crawl_int(dir, "SELECT count(p) FROM page WHERE p BETWEEN 0 AND 1"), 90);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_says(brood("top", dir, "-n", "1").out,
                crawl_text(dir, "SELECT url FROM page WHERE NOT hidden AND dup_of IS NULL"
                                " ORDER BY p DESC, relevance DESC, id LIMIT 1"));
    holds(dir, s, 90);
}

static void ctrl_c_keeps_everything(void **state)
{
    const char *dir = fresh("interrupted");
    struct server *s = serve(w);
    struct job *j;
    struct ran r;
    int64_t before;

    (void)state;
    j = brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "100",
                  "--delay", "400ms", "--out", dir, "--allow-private", "--resolve", s->resolve);
    await_lines(s->log, 25);
    assert_int_equal(kill(job_pid(j), SIGINT), 0);
    r = job_wait(j);
    assert_code(r, 130);
    assert_says(r.err, text("brood resume %s", dir));
    before = crawl_pages(dir);
    assert_in_range(before, 1, 99);
    assert_code(brood("resume", dir, "--quiet", "--delay", "20ms"), 0);
    holds(dir, s, 100);
}

/* Nobody waits a minute for the end of this test: the stop does not either. */
static void ctrl_c_does_not_wait_for_slow_servers(void **state)
{
    const char *dir = fresh("slow");
    struct server *s = serve(w, "--latency", "10m");
    struct job *j = brood_job("crawl", "stars", "--seed", world_seed(w, 0, 0), "--out", dir,
                              "--allow-private", "--timeout", "10m", "--resolve", s->resolve);

    (void)state;
    await(crawl_int_yet(dir, "SELECT count(*) FROM state") > 0); /* the wheel turns */
    assert_int_equal(kill(job_pid(j), SIGINT), 0);
    assert_code(job_wait(j), 130);
    assert_int_equal(crawl_pages(dir), 0);
    assert_code(brood("resume", dir, "--quiet", "--for", "100ms"), 3); /* still no page */
    server_stop(s);
}

static void a_time_limit_keeps_everything(void **state)
{
    const char *dir = fresh("timed");
    struct server *s = serve(w);
    int64_t pages;

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "0",
                      "--delay", "300ms", "--for", "6s"),
                0);
    pages = crawl_pages(dir);
    assert_in_range(pages, 1, 399);
    for (int i = 0; i < 3; i++) { /* exact, though more visits were open when time was up */
        pages += 3;
        assert_code(brood("resume", dir, "--pages", text("%lld", (long long)pages), "--for", "1h",
                          "--quiet"),
                    0);
        assert_int_equal(crawl_pages(dir), pages);
    }
    holds(dir, s, pages);
}

static void a_second_process_is_refused(void **state)
{
    const char *dir = fresh("busy");
    struct server *s = serve(w);
    struct job *j = brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--out",
                              dir, "--allow-private", "--resolve", s->resolve);

    (void)state;
    await_lines(s->log, 1); /* it has asked: its directory is made */
    assert_refused(brood("resume", dir, "--quiet"), 1, dir);
    assert_refused(brood("forget", dir, "http://x.example/"), 1, dir);
    assert_code(brood("stats", dir), 0); /* reading is welcome */
    assert_int_equal(kill(job_pid(j), SIGTERM), 0);
    assert_code(job_wait(j), 130);
    server_stop(s);
}

static void a_directory_that_exists_is_never_overwritten(void **state)
{
    const char *dir = fresh("once");
    struct server *s = serve(w);
    const char *other = fresh("full"), *file;
    int64_t pages;

    (void)state;
    assert_code(
        crawl(s, dir, "stars", "--seed", world_seed(w, 0, 0), "--pages", "5", "--delay", "0"), 0);
    pages = crawl_pages(dir);
    assert_refused(crawl(s, dir, "moons", "--seed", world_seed(w, 0, 0)), 2, "resume");
    assert_int_equal(crawl_pages(dir), pages);
    assert_code(run("mkdir", other), 0);
    file = file_with("full/precious", "do not lose me");
    assert_code(crawl(s, other, "moons", "--seed", world_seed(w, 0, 0)), 2);
    assert_string_equal(file_text(file), "do not lose me");
    file = file_with("plain", "a file");
    assert_int_not_equal(crawl(s, file, "moons", "--seed", world_seed(w, 0, 0)).code, 0);
    assert_string_equal(file_text(file), "a file");
    server_stop(s);
}

static void what_is_no_crawl_is_said_to_be_none(void **state)
{
    const char *const commands[] = {"resume", "top", "stats", "check"};
    const char *file = file_with("no-crawl", "hello"), *dir = fresh("no-crawl-dir"), *broken;

    (void)state;
    assert_code(run("mkdir", dir), 0);
    broken = fresh("broken");
    assert_code(run("mkdir", broken), 0);
    (void)file_with("broken/crawl.db", "this is not a database, but long enough to look like one");
    for (size_t i = 0; i < 4; i++) {
        assert_refused(brood(commands[i], file), 1, "is not a crawl");
        assert_refused(brood(commands[i], dir), 1, "is not a crawl");
        assert_refused(brood(commands[i], broken), 1, "is not a crawl");
        assert_refused(brood(commands[i], fresh("nowhere")), 1, "nowhere");
    }
    assert_string_equal(file_text(file), "hello");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crawl_goes_on_to_a_new_limit),
        cmocka_unit_test(a_setting_that_is_no_more_is_left_out_with_a_warning),
        cmocka_unit_test(a_resumed_crawl_reaches_the_end_of_the_world),
        cmocka_unit_test(what_the_model_says_of_pages_is_kept),
        cmocka_unit_test(ctrl_c_keeps_everything),
        cmocka_unit_test(ctrl_c_does_not_wait_for_slow_servers),
        cmocka_unit_test(a_time_limit_keeps_everything),
        cmocka_unit_test(a_second_process_is_refused),
        cmocka_unit_test(a_directory_that_exists_is_never_overwritten),
        cmocka_unit_test(what_is_no_crawl_is_said_to_be_none),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
