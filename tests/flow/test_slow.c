/* Slow hosts and many of them: politeness read from the servers' logs.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/os/clock.h"
#include "base/mem.h"

#include <signal.h>

#define HOSTS 60
#define DELAY 200 /* ms */
#define PAGES "800"

/* bench/politeness does the same for a minute, and asks for a share of the rate. */
static void no_host_of_a_slow_world_is_asked_too_early(void **state)
{
    const char *w = world("--pages", "4000", "--hosts", text("%d", HOSTS), "--words", "40",
                          "--dead", "0", "--robots", "0", "--topics", "4");
    const char *dir = fresh("slow");
    struct server *s = serve(w, "--latency", "50ms");
    struct sqlite3 *facts;

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                      world_seed(w, 1, 0), "--pages", PAGES, "--delay", text("%dms", DELAY),
                      "--model", "breadth-first", "--no-index", "--no-warc"),
                0);
    facts = facts_open(dir, w, s);
    assert_true(facts_int(facts, "SELECT count(DISTINCT host) FROM asked") > HOSTS / 2);
    assert_int_equal(facts_int(facts, "SELECT count(DISTINCT local) FROM asked"),
                     facts_int(facts, "SELECT count(DISTINCT host) FROM asked"));
    assert_true(facts_shortest(facts, FACTS_STARTS, FACTS_HOST) >= DELAY * US_PER_MS);
    assert_int_equal(facts_noted_early(facts, FACTS_STARTS), 0);
}

/* ---- a slow host and a quick one ------------------------------------------ */

#define LINKS(host)                                                            \
    "zebrafish <a href=http://" host "/1>1</a><a href=http://" host "/2>2</a>" \
    "<a href=http://" host "/3>3</a><a href=http://" host "/4>4</a>"
#define PAGE(n, wait)                                                                 \
    {                                                                                 \
        .path = "/" #n, .wait_ms = wait, .body = "<title>" #n "</title>zebrafish " #n \
    }

static void a_slow_host_is_spared_and_holds_nobody_up(void **state)
{
    static const struct site_page slow[] = {{.path = "/", .body = LINKS("slow.example")},
                                            PAGE(1, 300),
                                            PAGE(2, 300),
                                            PAGE(3, 300),
                                            PAGE(4, 300)};
    static const struct site_page quick[] = {{.path = "/", .body = LINKS("quick.example")},
                                             PAGE(1, 0),
                                             PAGE(2, 0),
                                             PAGE(3, 0),
                                             PAGE(4, 0)};
    struct site *a = site_start(slow, ARRAY_LEN(slow)),
                *b = site_start_at("127.0.0.2", quick, ARRAY_LEN(quick));
    const char *dir = fresh("blocks");

    (void)state;
    assert_code(brood("crawl", "zebrafish", "--seed", "http://slow.example/", "--seed",
                      "http://quick.example/", "--out", dir, "--quiet", "--delay", "20ms",
                      "--allow-private", "--no-robots", "--model", "breadth-first", "--resolve",
                      text("slow.example:%s", site_resolve(a) + 2), "--resolve",
                      text("quick.example:%s", site_resolve(b) + 2)),
                0);
    assert_int_equal(site_total(a), 5);
    assert_int_equal(site_total(b), 5);
    /* twice the answering time of 0.3 s, and quick's come between slow's */
    assert_true(crawl_int(dir, "SELECT min(gap) FROM (SELECT fetched_at - lag(fetched_at) OVER"
                               " (ORDER BY fetched_at) AS gap FROM page WHERE host ="
                               " 'slow.example' AND url NOT LIKE '%/1' AND url NOT LIKE '%/')") >=
                600000);
    assert_int_equal(crawl_int(dir, "SELECT max(fetched_at) FILTER (WHERE url ="
                                    " 'http://quick.example/1') <"
                                    " max(fetched_at) FILTER (WHERE host = 'slow.example')"
                                    " FROM page"),
                     1);
}

/* ---- long waits ----------------------------------------------------------- */

static void a_long_retry_after_means_slow_and_never_lost(void **state)
{
    static const struct site_page pages[] = {
        {.path = "/",
         .body = "<title>start</title>zebrafish <a href=/busy>b</a>"
                 "<a href=http://g.example/busy>b</a>"},
        {.path = "/busy",
         .host = "h.example",
         .status = 503,
         .headers = "Retry-After: 15\r\n",
         .times = 1},
        {.path = "/busy", .host = "h.example", .body = "<title>free</title>zebrafish again"},
        {.path = "/busy", .status = 503, .headers = "Retry-After: 3600\r\n"}};
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("wait");
    struct job *j =
        brood_job("crawl", "zebrafish", "--seed", "http://h.example/", "--out", dir, "--quiet",
                  "--delay", "0", "--allow-private", "--no-robots", "--resolve", site_resolve(s));

    (void)state;
    await(crawl_int_yet(dir, "SELECT count(*) FROM outcome WHERE url LIKE '%/busy'") == 2);
    (void)kill(job_pid(j), SIGTERM);
    assert_code(job_wait(j), 130);
    assert_int_equal(site_asked(s, "/busy"), 2);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM dropped"), 0);
    assert_says(brood("explain", dir, "http://h.example/busy").out, "waits for another try");
    assert_code(brood("resume", dir, "--pages", "2", "--quiet"), 0);
    assert_int_equal(site_asked(s, "/busy"), 3); /* h again, g's hour is not over */
    assert_int_equal(crawl_pages(dir), 2);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE title = 'free'"), 1);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM dropped"), 0);
    assert_says(brood("explain", dir, "http://g.example/busy").out, "waits for another try");
    assert_true(
        crawl_int(dir, "SELECT p.fetched_at - o.at FROM page p JOIN outcome o USING (url)") >=
        15 * US_PER_S);
}

static void after_a_resume_a_host_waits_its_full_delay(void **state)
{
    static const struct site_page pages[] = {
        {.path = "/", .body = LINKS("h.example")}, PAGE(1, 0), PAGE(2, 0), PAGE(3, 0), PAGE(4, 0)};
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("again");

    (void)state;
    assert_code(brood("crawl", "zebrafish", "--seed", "http://h.example/", "--out", dir, "--quiet",
                      "--delay", "1s", "--allow-private", "--no-robots", "--pages", "1",
                      "--resolve", site_resolve(s)),
                0);
    for (int n = 2; n <= 3; n++)
        assert_code(brood("resume", dir, "--pages", text("%d", n), "--quiet"), 0);
    assert_int_equal(site_total(s), 3);
    assert_true(crawl_int(dir, "SELECT min(gap) FROM (SELECT fetched_at - lag(fetched_at) OVER"
                               " (ORDER BY fetched_at) AS gap FROM page)") >= US_PER_S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_host_of_a_slow_world_is_asked_too_early),
        cmocka_unit_test(a_slow_host_is_spared_and_holds_nobody_up),
        cmocka_unit_test(a_long_retry_after_means_slow_and_never_lost),
        cmocka_unit_test(after_a_resume_a_host_waits_its_full_delay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
