/* --base-from: a crawl that goes on from the pages of another one.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include <signal.h>
#include <sqlite3.h>

#define FIRST 120 /* pages of the earlier crawl */
#define NEXT  80

static const char *w, *first;

static int set_up(void **state)
{
    struct server *s;

    (void)state;
    w = world("--pages", "600", "--hosts", "20", "--topics", "4", "--duplicates", "0");
    first = fresh("first");
    s = serve(w);
    assert_code(crawl(s, first, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages",
                      text("%d", FIRST), "--delay", "0", "--model", "breadth-first"),
                0);
    server_stop(s);
    assert_int_equal(crawl_pages(first), FIRST);
    return 0;
}

/* The second crawl with the first attached as `f`, and what the server was asked. */
static struct sqlite3 *facts_of(const char *dir, struct server *s)
{
    struct sqlite3 *facts = facts_open(dir, w, s);

    assert_int_equal(
        sqlite3_exec(facts, text("ATTACH '%s/crawl.db' AS f", first), NULL, NULL, NULL), SQLITE_OK);
    return facts;
}

static void nothing_was_fetched_again(struct sqlite3 *facts)
{
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM asked WHERE url IN"
                                      " (SELECT url FROM f.page WHERE warc_file NOT NULL)"),
                     0);
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page p JOIN f.page o"
                                      " ON o.url = p.url WHERE o.warc_file NOT NULL"),
                     0);
    assert_string_equal(facts_text(facts, "PRAGMA main.integrity_check"), "ok");
    assert_int_equal(facts_int(facts, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

/* Every model starts from the old pages: all it fetches is linked from there, or from
 * what it found behind. The seed is one of them, so that there is no other way. */
static void every_model_goes_on_from_the_pages_of_another_crawl(void **state)
{
    static const char *const models[] = {"balanced",   "endogenous", "infospiders",
                                         "best-first", "classifier", "breadth-first",
                                         "shark",      "fish",       "pagerank"};

    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const char *dir = fresh(models[i]);
        struct server *s = serve(w);
        struct sqlite3 *facts;

        print_message("# %s\n", models[i]);
        assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--base-from",
                          first, "--pages", text("%d", NEXT), "--delay", "0", "--model", models[i]),
                    0);
        facts = facts_of(dir, s);
        nothing_was_fetched_again(facts);
        assert_int_equal(facts_int(facts, "SELECT count(*) FROM main.page"), NEXT);
        /* the first one can only have come from an old page */
        assert_int_equal(facts_int(facts,
                                   "SELECT count(*) > 0 FROM f.link WHERE to_url ="
                                   " (SELECT url FROM main.page ORDER BY fetched_at LIMIT 1)"),
                         1);
        assert_code(brood("check", dir), 0);
    }
}

/* Without seeds the best pages of the old crawl are where it begins. */
static void it_needs_no_seeds(void **state)
{
    const char *dir = fresh("seedless");
    struct server *s = serve(w);

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--base-from", first, "--pages", "30", "--delay",
                      "0", "--model", "balanced"),
                0);
    nothing_was_fetched_again(facts_of(dir, s));
    assert_int_equal(crawl_pages(dir), 30);
}

/* Another topic: pages are judged anew, and nothing is fetched again either. */
static void the_topic_may_be_another(void **state)
{
    const char *dir = fresh("other-topic");
    struct server *s = serve(w);

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 1), "--base-from", first, "--pages", "30", "--delay",
                      "0", "--model", "balanced"),
                0);
    nothing_was_fetched_again(facts_of(dir, s));
    assert_int_equal(crawl_pages(dir), 30);
}

/* Killed, and resumed: with the old directory, and (`gone`) without. */
static void killed_and_resumed(const char *model, bool gone)
{
    const char *dir = fresh(text("killed-%s%s", model, gone ? "-gone" : ""));
    const char *base = fresh(text("base-%s", model));
    struct server *s = serve(w);
    struct job *j;
    struct ran r;

    assert_code(run("cp", "-r", first, base), 0);
    j = brood_job("crawl", world_words(w, 0), "--base-from", base, "--pages", text("%d", NEXT),
                  "--delay", "30ms", "--model", model, "--out", dir, "--allow-private", "--resolve",
                  s->resolve);
    await_lines(s->log, 25);
    assert_int_equal(kill(job_pid(j), SIGKILL), 0);
    assert_code(job_wait(j), 128 + SIGKILL);
    assert_in_range(crawl_pages(dir), 0, NEXT - 1);
    if (gone)
        assert_code(run("mv", base, text("%s-away", base)), 0);
    r = brood("resume", dir);
    assert_code(r, 0);
    if (gone)
        assert_says(r.err, text("pages of the earlier crawl %s cannot be read again", base));
    else
        assert_null(strstr(r.err, "cannot be read again"));
    assert_int_equal(crawl_pages(dir), NEXT);
    nothing_was_fetched_again(facts_of(dir, s));
    assert_code(run("rm", "-rf", base), 0);
}

static void a_killed_crawl_goes_on_with_its_base(void **state)
{
    (void)state;
    killed_and_resumed("balanced", false);
    killed_and_resumed("infospiders", false);
    killed_and_resumed("best-first", false);
}

static void a_killed_crawl_goes_on_where_its_base_is_gone(void **state)
{
    (void)state;
    killed_and_resumed("balanced", true);
    killed_and_resumed("infospiders", true);
    killed_and_resumed("best-first", true);
}

static void what_is_no_crawl_is_refused(void **state)
{
    (void)state;
    assert_refused(brood("crawl", "x", "--seed", "http://a.example/", "--base-from",
                         fresh("nowhere"), "--out", fresh("none"), "--contact", "me@a.example"),
                   1, "--base-from");
    assert_int_not_equal(run("test", "-e", fresh("none")).code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_goes_on_from_the_pages_of_another_crawl),
        cmocka_unit_test(it_needs_no_seeds),
        cmocka_unit_test(the_topic_may_be_another),
        cmocka_unit_test(a_killed_crawl_goes_on_with_its_base),
        cmocka_unit_test(a_killed_crawl_goes_on_where_its_base_is_gone),
        cmocka_unit_test(what_is_no_crawl_is_refused),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
