/* brood retry: what failed is tried again, by its reason, and nothing else.
 * The server is a site whose table changes between two runs.
 * SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define ROOM "coral reefs", "--delay", "0", "--retries", "0", "--allow-private", "--quiet"

static int64_t failed(const char *dir, const char *reason)
{
    struct ran r = brood("retry", dir, "--dry-run", "--json", "--reason", reason);

    assert_code(r, 0);
    return (int64_t)json_array_size(json_of(r.out));
}

static void what_failed_is_tried_again_and_nothing_else(void **state)
{
    static struct site_page pages[] = {
        {"/", .body = "<a href=/ok>coral</a> <a href=/broken>reefs</a> <a href=/gone>fish</a>"},
        {"/ok", .body = "coral reefs"},
        {"/broken", .body = "<a href=/beyond>more coral reefs</a>", .status = 500},
        {"/gone", .body = "reefs again", .status = 404},
        {"/beyond", .body = "the reef behind"},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("site");
    json_t *list;
    struct ran r;

    (void)state;
    assert_code(brood("crawl", ROOM, "--out", dir, "--seed", "http://a.test/", "--resolve",
                      site_resolve(s)),
                0);
    assert_int_equal(crawl_pages(dir), 2);
    list = json_of(brood("retry", dir, "--dry-run", "--json").out);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text_at(list, "0.url"), "http://a.test/broken");
    assert_string_equal(text_at(list, "0.reason"), "status");
    assert_int_equal(int_at(list, "0.status"), 500);
    assert_says(brood("retry", dir, "--dry-run").out, "500  http://a.test/broken\n");
    assert_int_equal(site_asked(s, "/broken"), 1); /* listing asks nobody */

    pages[2].status = 0;
    r = brood("retry", dir, "--json");
    assert_code(r, 0);
    assert_says(r.err, "1 URL that failed is tried again");
    assert_says(r.out, "http://a.test/broken");
    assert_int_equal(crawl_pages(dir), 3);
    assert_int_equal(site_asked(s, "/broken"), 2);
    assert_int_equal(site_asked(s, "/ok"), 1);
    assert_int_equal(site_asked(s, "/gone"), 1);
    assert_int_equal(site_asked(s, "/beyond"), 0); /* a link of it waits for resume */
    assert_code(brood("check", dir), 0);

    r = brood("retry", dir);
    assert_code(r, 0);
    assert_says(r.err, "nothing failed that a further try could mend");
    assert_code(brood("resume", dir, "--quiet"), 0);
    assert_int_equal(site_asked(s, "/beyond"), 1);
    assert_int_equal(crawl_pages(dir), 4);

    pages[3].status = 0;
    assert_int_equal(failed(dir, "404"), 1);
    assert_int_equal(failed(dir, "4xx"), 1);
    assert_int_equal(failed(dir, "status"), 1);
    assert_int_equal(failed(dir, "5xx"), 0);
    assert_code(brood("retry", dir, "--reason", "404", "--quiet"), 0);
    assert_int_equal(crawl_pages(dir), 5);
    assert_int_equal(failed(dir, "all"), 0);
    assert_code(brood("check", dir), 0);
}

static void what_fails_again_stays_failed(void **state)
{
    static struct site_page pages[] = {
        {"/", .body = "<a href=/broken>reefs</a>"},
        {"/broken", .body = "no", .status = 500},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("again");

    (void)state;
    assert_code(brood("crawl", ROOM, "--out", dir, "--seed", "http://a.test/", "--resolve",
                      site_resolve(s)),
                0);
    for (unsigned i = 2; i < 4; i++) {
        assert_code(brood("retry", dir, "--quiet"), 0);
        assert_int_equal(site_asked(s, "/broken"), i);
        assert_int_equal(failed(dir, "500"), 1);
    }
    assert_int_equal(crawl_pages(dir), 1);
}

static void a_server_that_was_down_is_asked_again(void **state)
{
    const char *w = world("--pages", "60", "--hosts", "3", "--topics", "2"), *dir = fresh("down");
    struct job *j;
    int port, fd = closed_port(&port);

    (void)state;
    assert_code(brood("crawl", ROOM, "--no-robots", "--out", dir, "--seed", world_seed(w, 0, 0),
                      "--resolve", text("*:80:127.0.0.1:%d", port)),
                3);
    assert_int_equal(failed(dir, "network"), 1);
    (void)close(fd);
    j = brood_job("world", "serve", w, "--quiet", "--port", text("%d", port));
    /* the server may not be up at once */
    await((brood("retry", dir, "--quiet"), crawl_pages(dir) == 1));
    assert_int_equal(failed(dir, "all"), 0);
    (void)kill(job_pid(j), SIGTERM);
    assert_code(job_wait(j), 0);
}

static void a_killed_retry_is_resumed(void **state)
{
    static struct site_page pages[] = {
        {"/", .body = "<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/4>4</a>"
                      "<a href=/5>5</a><a href=/6>6</a>"},
        {"/1", .body = "one", .status = 404},
        {"/2", .body = "two", .status = 404},
        {"/3", .body = "three", .status = 404},
        {"/4", .body = "four", .status = 404},
        {"/5", .body = "five", .status = 404},
        {"/6", .body = "six", .status = 404},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("killed");
    struct job *j;

    (void)state;
    assert_code(brood("crawl", "coral reefs", "--delay", "500ms", "--allow-private", "--quiet",
                      "--out", dir, "--seed", "http://a.test/", "--resolve", site_resolve(s)),
                0);
    assert_int_equal(failed(dir, "404"), 6);
    for (size_t i = 1; i < ARRAY_LEN(pages); i++)
        pages[i].status = 0;
    j = brood_job("retry", dir, "--reason", "404", "--quiet");
    await(site_asked(s, "/3") == 2);
    (void)kill(job_pid(j), SIGKILL);
    (void)job_wait(j);
    assert_code(brood("resume", dir, "--quiet"), 0);
    assert_int_equal(crawl_pages(dir), 7);
    assert_int_equal(crawl_int(dir, "SELECT count(DISTINCT url) FROM page"), 7);
    assert_code(brood("check", dir), 0);
}

/* A server that asked to be left alone for an hour is, also by the next process. */
static void retry_after_outlives_a_kill(void **state)
{
    static const struct site_page pages[] = {
        {"/", .body = "<a href=/1>1</a>"},
        {"/1", .body = "<a href=/2>2</a>"},
        {"/2", .body = "<a href=/busy>3</a>"},
        {"/busy", .body = "later", .status = 503, .headers = "Retry-After: 3600\r\n"},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("busy");
    struct job *j =
        brood_job("crawl", "coral reefs", "--delay", "700ms", "--allow-private", "--quiet", "--out",
                  dir, "--seed", "http://a.test/", "--resolve", site_resolve(s));

    (void)state;
    await(crawl_int_yet(dir, "SELECT count(*) FROM outcome WHERE url LIKE '%/busy'") == 1);
    (void)kill(job_pid(j), SIGKILL);
    (void)job_wait(j);
    assert_code(brood("resume", dir, "--quiet", "--for", "2s"), 0);
    assert_int_equal(site_asked(s, "/busy"), 1);
    assert_int_equal(crawl_pages(dir), 3);
}

#define FOUR(n)                                                                     \
    "<a href=/old/" n "1>1</a> <a href=/old/" n "2>2</a> <a href=/old/" n "3>3</a>" \
    " <a href=/old/" n "4>4</a> "

/* Nothing is asked for in a directory where all is missing, unless the user wants it. */
static void what_was_left_out_as_missing_is_asked_for(void **state)
{
    static struct site_page pages[] = {
        {"/", .body = FOUR("a") FOUR("b") FOUR("c") FOUR("d") FOUR("e") FOUR("f") FOUR("g")
                  FOUR("h") "<a href=/next>coral</a> <a href=/late>reefs</a>"},
        {"/next", .body = "<a href=/old/x>reefs</a>"},
        {"/late", .body = "<a href=/old/y>more reefs</a>", .status = 500},
        {"/old/x", .body = "it is back"},
        {"/old/y", .body = "this one too"},
    };
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("missing");

    (void)state;
    assert_code(brood("crawl", ROOM, "--model", "breadth-first", "--out", dir, "--seed",
                      "http://a.test/", "--resolve", site_resolve(s)),
                0);
    assert_int_equal(failed(dir, "404"), 32);
    assert_int_equal(failed(dir, "missing"), 1);
    pages[2].status = 0;
    assert_code(brood("retry", dir, "--reason", "500", "--quiet"), 0);
    assert_code(brood("resume", dir, "--quiet"), 0);
    assert_int_equal(failed(dir, "missing"), 2); /* another process knows it, too */
    assert_int_equal(site_asked(s, "/old/x") + site_asked(s, "/old/y"), 0);
    assert_code(brood("retry", dir, "--reason", "missing", "--quiet"), 0);
    assert_int_equal(failed(dir, "missing"), 0);
    assert_int_equal(crawl_pages(dir), 5);
}

static void a_reason_that_is_none_is_refused(void **state)
{
    const char *w = world("--pages", "20", "--hosts", "2", "--topics", "1");

    (void)state;
    assert_refused(brood("retry", w, "--dry-run", "--reason", "bad luck"), 2, "bad luck");
    assert_refused(brood("retry", w, "--dry-run", "--reason", "99x"), 2, "99x");
    assert_refused(brood("retry", w, "--dry-run", "--reason", "forgotten"), 2, "forgotten");
    assert_refused(brood("retry", fresh("nowhere")), 1, "nowhere");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_failed_is_tried_again_and_nothing_else),
        cmocka_unit_test(what_fails_again_stays_failed),
        cmocka_unit_test(a_server_that_was_down_is_asked_again),
        cmocka_unit_test(a_killed_retry_is_resumed),
        cmocka_unit_test(retry_after_outlives_a_kill),
        cmocka_unit_test(what_was_left_out_as_missing_is_asked_for),
        cmocka_unit_test(a_reason_that_is_none_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
