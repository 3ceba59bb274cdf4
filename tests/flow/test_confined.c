/* Crawls that confine themselves still work, and can do nothing else.
 * base/test_confine.c tries from inside what is refused.
 * SPDX-License-Identifier: MIT */
#include "dash.h"
#include "site.h"

#include "base/os/clock.h"
#include "base/os/confine.h"
#include "base/mem.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROSE "<p>Coral reefs are built by corals; a reef of corals lives in warm, clear water.</p>"

static const struct site_page pages[] = {
    {"/",
     .body = "<title>reefs</title>" PROSE "<a href=/ja>a</a><a href=/ru>b</a><a href=/x>c</a>"},
    {"/ja", .type = "text/html; charset=euc-jp",
     .body = "<title>\xa5\xb5\xa5\xf3\xa5\xb4\xbe\xcc</title>" PROSE},
    {"/ru", .type = "text/html; charset=koi8-r",
     .body = "<title>\xeb\xcf\xd2\xc1\xcc\xcc\xcf\xd7\xd9\xca \xd2\xc9\xc6</title>" PROSE},
    {"/x", .body = "<title>more</title>" PROSE},
};

static struct site *site;
static char held[40]; /* what stats has to say first */

static int set_up(void **state)
{
    struct confine c;

    (void)state;
    confine_init(&c, CONFINE_CONNECT);
    confine_clear(&c);
    if (c.abi > 0)
        (void)snprintf(held, sizeof held, "landlock %d, ", c.abi);
    else
        (void)snprintf(held, sizeof held, "no landlock (");
    site = site_start(pages, ARRAY_LEN(pages));
    return 0;
}

static const char *confined(const char *dir)
{
    return text_at(json_of(brood("stats", dir, "--json").out), "confined");
}

#define CRAWL(dir)                                                                  \
    "crawl", "coral reefs", "--quiet", "--out", (dir), "--allow-private", "--seed", \
        "http://a.test/", "--resolve", site_resolve(site)

static void over_https_with_an_authority_of_ones_own(void **state)
{
    const char *w = world("--pages", "100", "--hosts", "3", "--topics", "2"), *dir = fresh("tls");
    struct server *s = serve(w, "--tls-port", "0");
    const char *seed = text("https://%s", world_seed(w, 0, 0) + strlen("http://"));

    (void)state;
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", seed, "--pages", "40", "--delay", "0",
                      "--ca-file", s->ca, "--memory", "64Gi"),
                0);
    assert_int_equal(crawl_pages(dir), 40);
    assert_says(confined(dir), held);
    assert_says(brood("stats", dir).out, text("confined    %s", held));
    assert_says(file_text(text("%s/crawl.log", dir)), text("confined: %s", held));
}

static void pages_in_other_encodings_are_read(void **state)
{
    const char *dir = fresh("encodings");

    (void)state;
    assert_code(brood(CRAWL(dir), "--delay", "0"), 0);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE title = 'サンゴ礁'"), 1);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE title = 'Коралловый риф'"), 1);
}

/* Looks at every thread of a process. */
static void assert_threads_held(pid_t pid)
{
    DIR *tasks = opendir(text("/proc/%d/task", (int)pid));
    struct dirent *task;
    unsigned n = 0;

    assert_non_null(tasks);
    while ((task = readdir(tasks)) != NULL) {
        const char *status;

        if (task->d_name[0] == '.')
            continue;
        status = file_text(text("/proc/%d/task/%s/status", (int)pid, task->d_name));
        assert_says(status, "NoNewPrivs:\t1\n");
#ifdef BROOD_SECCOMP
        assert_says(status, "Seccomp:\t2\n");
#endif
        n++;
    }
    (void)closedir(tasks);
    assert_true(n > 3);
}

/* It listens, answers, and is told to pause through its own control socket. */
static void with_its_dashboard(void **state)
{
    const char *dir = fresh("board"), *log = fresh("board.url"), *id, *said;
    const char *argv[] = {"sh",        "-c",      "log=$1; shift; exec \"$@\" 2>\"$log\"",
                          "sh",        log,       getenv("BROOD_BIN"),
                          CRAWL(dir),  "--delay", "60s",
                          "--threads", "2",       "--dashboard=0",
                          NULL};
    struct board b = {.job = job_start(argv)};
    struct ran r;

    (void)state;
    await_lines(log, 1);
    said = file_text(log);
    assert_says(said, "dashboard: http://127.0.0.1:");
    b.port = atoi(strrchr(said, ':') + 1);
    b.token = text("%.32s", strstr(said, "#token=") + 7);
    id = board_id(&b, "board");
    board_await(&b, id, "running");
    assert_threads_held(job_pid(b.job));
    assert_int_equal(board_post(&b, text("/api/crawls/%s/pause", id), "{}").status, 200);
    board_await(&b, id, "paused");
    (void)kill(job_pid(b.job), SIGTERM);
    r = job_wait(b.job);
    assert_code(r, 130);
    assert_says(confined(dir), held);
}

static const char *story(const char *path)
{
    static char body[1200];
    char date[CLOCK_TEXT];

    clock_format(clock_now(), 0, date);
    (void)snprintf(
        body, sizeof body,
        "<meta property=article:published_time content=%.10s><title>Reef %s</title>" PROSE
        "<p>Story %s of the coral reefs: divers saw number %s north of island %s.",
        date, path, path, path, path);
    return body;
}

static void a_watch_with_its_feed_and_webhook(void **state)
{
    static const struct site_page hook[] = {{"/hook", .status = 204}};
    static const struct site_page news[] = {
        {"/", .body = PROSE "<a href=/d1>a</a><a href=/d2>b</a>"}, {"/d", .make = story}};
    struct site *h = site_start(hook, ARRAY_LEN(hook)), *s = site_start(news, ARRAY_LEN(news));
    const char *dir = fresh("watch"), *folder = fresh("public"), *feed;

    (void)state;
    assert_int_equal(mkdir(folder, 0755), 0);
    feed = text("%s/news.xml", folder);
    assert_code(brood("watch", "coral reefs", "--quiet", "--out", dir, "--allow-private", "--delay",
                      "10ms", "--seed", "http://a.test/", "--resolve", site_resolve(s),
                      "--relevant", "0.01", "--model", "revisit", "--once", "--feed", feed,
                      "--webhook", site_url(h, "/hook"), "--webhook-secret-file",
                      file_with("secret", "Jefe\n")),
                0);
    assert_says(file_text(feed), "<feed");
    assert_says(confined(dir), held);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM news"), 2);
    assert_int_equal(times_in(file_text(feed), "<entry"), 2);
    assert_says(site_request(h, "/hook", 0), "X-Brood-Signature: sha256=");
}

/* Only the command line switches it off, never the directory. */
static void only_the_user_leaves_it_open(void **state)
{
    const char *dir = fresh("open");

    (void)state;
    assert_code(brood(CRAWL(dir), "--delay", "0", "--pages", "1", "--no-confine"), 0);
    assert_string_equal(confined(dir), "no (--no-confine)");
    assert_code(brood("resume", dir, "--quiet", "--pages", "2"), 0);
    assert_says(confined(dir), held);
    assert_code(brood("resume", dir, "--quiet", "--pages", "3", "--no-confine"), 0);
    assert_string_equal(confined(dir), "no (--no-confine)");
}

/* ---- links that lead out -------------------------------------------------- */

static const char *sums(const char *dir)
{
    return run("sh", "-c", "cd \"$1\" && find . -type f -exec sha256sum {} + | sort", "sh", dir)
        .out;
}

static void assert_untouched(const char *dir, const char *there)
{
    static const char *const commands[][5] = {{"top", "DIR"},
                                              {"search", "DIR", "reefs"},
                                              {"show", "DIR", "1"},
                                              {"stats", "DIR"},
                                              {"export", "DIR"},
                                              {"explain", "DIR", "http://a.test/"},
                                              {"check", "DIR", "--mend"},
                                              {"forget", "DIR", "a.test"},
                                              {"resume", "DIR", "--quiet", "--for", "2s"},
                                              {"retry", "DIR", "--quiet", "--for", "2s"}};
    const char *before = sums(there);

    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        const char *argv[6] = {NULL};
        struct ran r;

        for (size_t k = 0; k < 5 && commands[i][k]; k++)
            argv[k] = strcmp(commands[i][k], "DIR") == 0 ? dir : commands[i][k];
        r = brood_argv(NULL, argv);
        if (r.code < 0 || r.code >= 99)
            fail_msg("%s: %d\n%s", argv[0], r.code, r.err);
        assert_string_equal(sums(there), before);
    }
}

/* A directory whose archive, then whose database is a link to somewhere else. */
static void a_crawl_that_leads_elsewhere_leads_nowhere(void **state)
{
    const char *dir = fresh("leads"), *there = fresh("elsewhere");

    (void)state;
    if (strncmp(held, "landlock", 8) != 0) {
        print_message("# skipped: %s\n", held);
        skip();
    }
    assert_code(brood(CRAWL(dir), "--delay", "0", "--pages", "2"), 0);
    assert_int_equal(mkdir(there, 0755), 0);
    assert_code(run("mv", text("%s/warc", dir), there), 0);
    assert_int_equal(symlink(text("%s/warc", there), text("%s/warc", dir)), 0);
    assert_untouched(dir, there);
    assert_code(run("sh", "-c", "mv \"$1\"/crawl.db* \"$2\" && ln -s \"$2\"/crawl.db \"$1\"", "sh",
                    dir, there),
                0);
    assert_untouched(dir, there);
    assert_int_not_equal(brood("top", dir).code, 0);
}

static void an_export_goes_where_it_is_told(void **state)
{
    const char *dir = fresh("exported"), *folder = fresh("given");

    (void)state;
    assert_code(brood(CRAWL(dir), "--delay", "0"), 0);
    assert_int_equal(mkdir(folder, 0755), 0);
    assert_code(brood("export", dir, "--out", text("%s/pages.jsonl", folder)), 0);
    assert_int_equal(lines_in(file_text(text("%s/pages.jsonl", folder))), 4);
    assert_code(brood("export", dir, "--as", "docpool"), 0);
    assert_int_equal(access(text("%s.docpool", dir), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_https_with_an_authority_of_ones_own),
        cmocka_unit_test(pages_in_other_encodings_are_read),
        cmocka_unit_test(with_its_dashboard),
        cmocka_unit_test(a_watch_with_its_feed_and_webhook),
        cmocka_unit_test(only_the_user_leaves_it_open),
        cmocka_unit_test(a_crawl_that_leads_elsewhere_leads_nowhere),
        cmocka_unit_test(an_export_goes_where_it_is_told),
    };

    return cmocka_run_group_tests_name("flow confined", tests, set_up, NULL);
}
