/* The same figure has one name and one value wherever it is shown: in the summary, as text and as
 * JSON, in `stats`, as text and as JSON, in the dashboard's list and overview, and in the database.
 * Three crawls: one that was stopped and resumed, one with failures, one with duplicates.
 * SPDX-License-Identifier: MIT */
#include "dash.h"

#include "base/mem.h"

#include <signal.h>

/* What all of them show; duplicates are not in the dashboard's list. */
static const char *const names[] = {"pages",     "relevant", "failed",    "hosts",
                                    "hosts_met", "received", "duplicates"};

static const char *count(int64_t n, const char *noun)
{
    return text("%lld %s%s", (long long)n, noun, n == 1 ? "" : "s");
}

static void same_figures(const char *where, json_t *got, json_t *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (int_at(got, names[i]) != int_at(wanted, names[i]))
            fail_msg("%s: %s: %lld, but %lld in stats --json", where, names[i],
                     (long long)int_at(got, names[i]), (long long)int_at(wanted, names[i]));
    if (num_at(got, "seconds") != num_at(wanted, "seconds"))
        fail_msg("%s: %g seconds, but %g in stats --json", where, num_at(got, "seconds"),
                 num_at(wanted, "seconds"));
}

static void summary_agrees(struct ran r, json_t *stats)
{
    const char *last = strstr(r.out, "{\"summary\"");

    assert_non_null(last);
    same_figures("the summary of --json", json_at(json_of(last), "summary"), stats,
                 ARRAY_LEN(names));
    assert_says(r.err, text("%s in ", count(int_at(stats, "pages"), "page")));
    assert_says(r.err, text("%lld relevant (", (long long)int_at(stats, "relevant")));
    assert_says(r.err, text("%s (%lld met)", count(int_at(stats, "hosts"), "host"),
                            (long long)int_at(stats, "hosts_met")));
    assert_says(r.err, text("%lld failed", (long long)int_at(stats, "failed")));
    assert_says(r.err, count(int_at(stats, "duplicates"), "duplicate"));
}

static void text_of_stats_agrees(const char *dir, struct ran r, json_t *stats)
{
    const char *out = brood("stats", dir).out, *received, *ran;

    assert_says(out, text("pages       %lld (%lld relevant,", (long long)int_at(stats, "pages"),
                          (long long)int_at(stats, "relevant")));
    assert_says(out, count(int_at(stats, "duplicates"), "duplicate"));
    assert_says(out, text("%lld failed\n", (long long)int_at(stats, "failed")));
    assert_says(out, text("%lld with pages, %lld met", (long long)int_at(stats, "hosts"),
                          (long long)int_at(stats, "hosts_met")));
    /* "received    1.2 MB in 3.4 s, …": both as in the summary */
    received = strstr(out, "\nreceived    ");
    assert_non_null(received);
    received += strlen("\nreceived    ");
    ran = strstr(received, " in ");
    assert_non_null(ran);
    assert_says(r.err, text("%.*s received", (int)(ran - received), received));
    assert_says(r.err, text("%.*s (", (int)(strchr(ran, ',') - ran), ran));
}

static void page_agrees(const char *dir, const char *name, json_t *stats)
{
    struct board *b = board(dir);
    const char *id = board_id(b, name);

    same_figures("the dashboard's overview", board_json(b, text("/api/crawls/%s", id)), stats,
                 ARRAY_LEN(names));
    same_figures("the dashboard's list", json_array_get(board_json(b, "/api/crawls"), 0), stats,
                 ARRAY_LEN(names) - 1);
    board_stop(b);
}

static void tables_agree(const char *dir, json_t *stats)
{
    assert_int_equal(int_at(stats, "pages"), crawl_pages(dir));
    assert_int_equal(int_at(stats, "hosts"),
                     crawl_int(dir, "SELECT count(DISTINCT host) FROM page"));
    assert_int_equal(int_at(stats, "duplicates"),
                     crawl_int(dir, "SELECT count(*) FROM page WHERE dup_of IS NOT NULL"));
    assert_int_equal(int_at(stats, "relevant"),
                     crawl_int(dir, "SELECT count(*) FROM page WHERE relevance >= 0.05"));
}

/* `r`: the last run of the crawl, with --json. */
static json_t *all_agree(const char *name, const char *dir, struct ran r)
{
    json_t *stats = json_of(brood("stats", dir, "--json").out);

    assert_code(r, 0);
    summary_agrees(r, stats);
    text_of_stats_agrees(dir, r, stats);
    page_agrees(dir, name, stats);
    tables_agree(dir, stats);
    return stats;
}

static struct ran whole_crawl(const char *w, const char *dir, const char *pages)
{
    return brood("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", pages,
                 "--delay", "0", "--json", "--out", dir, "--allow-private", "--resolve",
                 serve(w)->resolve);
}

static void of_a_crawl_that_was_stopped_and_resumed(void **state)
{
    const char *w = world("--pages", "400", "--hosts", "12", "--topics", "2", "--dead", "0.1");
    const char *dir = fresh("resumed");
    struct server *s = serve(w);
    struct job *j = brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages",
                              "200", "--delay", "20ms", "--json", "--out", dir, "--allow-private",
                              "--resolve", s->resolve);
    json_t *stats;

    (void)state;
    await_lines(s->log, 60); /* requests, of which most are pages */
    assert_int_equal(kill(job_pid(j), SIGINT), 0);
    assert_code(job_wait(j), 130);
    stats = all_agree("resumed", dir, brood("resume", dir, "--pages", "220", "--json"));
    assert_int_equal(int_at(stats, "pages"), 220);
}

static void of_a_crawl_with_failures(void **state)
{
    const char *w = world("--pages", "300", "--hosts", "12", "--topics", "2", "--dead", "0.3");
    const char *dir = fresh("failing");
    struct ran r = whole_crawl(w, dir, "120");

    (void)state;
    assert_true(int_at(all_agree("failing", dir, r), "failed") > 5);
}

static void of_a_crawl_with_duplicates(void **state)
{
    const char *w =
        world("--pages", "300", "--hosts", "12", "--topics", "2", "--duplicates", "0.4");
    const char *dir = fresh("copies");
    struct ran r = whole_crawl(w, dir, "150");

    (void)state;
    assert_true(int_at(all_agree("copies", dir, r), "duplicates") > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_crawl_that_was_stopped_and_resumed),
        cmocka_unit_test(of_a_crawl_with_failures),
        cmocka_unit_test(of_a_crawl_with_duplicates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
