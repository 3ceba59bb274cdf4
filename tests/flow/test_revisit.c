/* A crawl that comes back: conditional requests, versions, what is no change, pages
 * that vanish, and a kill between two versions. The server is a site whose answers
 * change as they are asked for. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>

#define ROOM                                                                                      \
    "coral reefs", "--delay", "0", "--allow-private", "--connections", "1", "--model", "revisit", \
        "--set", "least=0s"

#define LINKS    "<a href=/other>the other page of this site</a>"
#define PROSE    "<p>Coral reefs are built by small animals in warm and shallow seas."
#define STAMP(n) "<p>$Id: index.html,v 1." n " 2005/01/0" n " 12:00:00 someone Exp $"
#define NEWS1    "<p>A new reef was found by divers north of the island last week."
#define NEWS2    "<p>The harbour wants to dig a channel through the oldest of the reefs."

/* The first page, visit by visit. */
static const struct site_page pages[] = {
    {"/", .body = LINKS PROSE STAMP("1"), .headers = "ETag: \"a\"\r\n", .times = 1},
    {"/", .status = 304, .times = 1},
    {"/", .body = LINKS PROSE STAMP("1"), .headers = "ETag: \"a\"\r\n", .times = 1},
    {"/", .body = LINKS PROSE STAMP("2") "<a href=/late>late</a>", .headers = "ETag: \"b\"\r\n",
     .times = 1},
    {"/", .status = 304, .times = 1},
    {"/", .body = LINKS NEWS1 PROSE STAMP("3"), .headers = "ETag: \"c\"\r\n", .times = 1},
    {"/", .status = 404, .times = 1},
    {"/", .body = LINKS NEWS2 NEWS1 PROSE STAMP("4"), .headers = "ETag: \"d\"\r\n"},
    {"/other", .body = "<p>The other page of this site says the same for ever."},
    {"/late", .body = "<p>A page that nobody spoke of in the beginning of all this."},
};

static size_t archived(const char *dir, const char *what)
{
    return times_in(
        run("sh", "-c", text("for f in %s/warc/*.gz; do zcat $f; done | grep -a '%s'", dir, what))
            .out,
        what);
}

static void versions_are_kept_and_what_is_no_change_is_not(void **state)
{
    struct site *s = site_start(pages, ARRAY_LEN(pages));
    const char *dir = fresh("versions");
    struct ran r;

    (void)state;
    /* Three versions of the first page, one of each of the other two. */
    assert_code(brood("crawl", ROOM, "--quiet", "--out", dir, "--seed", "http://a.test/", "--pages",
                      "5", "--resolve", site_resolve(s)),
                0);
    assert_string_equal(
        crawl_text(dir, "SELECT group_concat(url || ' ' || coalesce(version_of, '-'), ', ')"
                        " FROM (SELECT * FROM page ORDER BY id)"),
        "http://a.test/ -, http://a.test/other -, http://a.test/late -, http://a.test/ 1,"
        " http://a.test/ 1");
    assert_int_equal(crawl_int(dir, "SELECT page FROM url WHERE url = 'http://a.test/'"), 5);
    assert_int_equal(crawl_int(dir, "SELECT state FROM url WHERE url = 'http://a.test/'"), 2);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE date IS NULL"), 0);

    /* What came to no page: two 304, one page to the byte, one with a new stamp, one gone. */
    assert_string_equal(
        crawl_text(dir, "SELECT group_concat(status || ' ' || reason, ', ') FROM (SELECT * FROM"
                        " outcome WHERE url = 'http://a.test/' ORDER BY id)"),
        "304 none, 200 none, 200 none, 304 none, 404 status");
    assert_says(site_head(s, "/"), "If-None-Match: \"c\"\r\n"); /* of the last one stored */
    assert_int_equal(archived(dir, "revisit/server-not-modified"), 2);
    assert_true(archived(dir, "revisit/identical-payload-digest") >= 1);

    /* Every visit once: eight answers of the first page, one of them a failure. */
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM visit JOIN page ON page.id = page_id"
                                    " WHERE url = 'http://a.test/'"),
                     7);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM visit WHERE first"), 3);
    assert_int_equal(site_asked(s, "/"), 8);

    r = brood("check", dir);
    assert_code(r, 0);
    r = brood("show", dir, "http://a.test/");
    assert_int_equal(times_in(r.out, "\nfetched "), 3);
    assert_int_equal(times_in(r.out, "version    of page 1"), 2);
    assert_int_equal(times_in(brood("top", dir).out, "http://a.test/\n"), 1);
    assert_int_equal(times_in(brood("search", dir, "small animals").out, "http://a.test/"), 1);
    assert_int_equal(times_in(brood("export", dir, "--as", "jsonl").out, "\"version_of\":1"), 2);
}

/* ---- killed -------------------------------------------------------------- */

/* Each page is another one at every fourth visit. */
static const char *changing(const char *path)
{
    static const char *const words[] = {"amber", "birch", "cedar", "dune",  "ember", "fjord",
                                        "grove", "heath", "islet", "jetty", "knoll", "lagoon"};
    static unsigned asked[10];
    static char body[1000];
    unsigned page = (unsigned)(path[2] ? path[2] - '0' : 0) % 10, k = asked[page]++ / 4;

    (void)snprintf(body, sizeof body,
                   "<p>Page %u of the coral reefs, which is the home of many fishes and crabs."
                   "<p>Today the keeper writes of the %s and the %s behind the %s of number %u."
                   "<p><a href=/p%u>one further page</a> <a href=/p%u>and one more of them</a>",
                   page, words[k % 12], words[(k + 5) % 12], words[(k / 12 + 7) % 12], page,
                   (page + 1) % 10, (page + 2) % 10);
    return body;
}

static void a_kill_between_versions_loses_and_repeats_nothing(void **state)
{
    static const struct site_page site[] = {{"/p", .make = changing}};
    struct site *s = site_start(site, ARRAY_LEN(site));
    const char *dir = fresh("killed");
    struct job *j = brood_job("crawl", ROOM, "--quiet", "--out", dir, "--seed", "http://a.test/p0",
                              "--pages", "0", "--resolve", site_resolve(s));

    (void)state;
    await(site_total(s) >= 150);
    /* at least one checkpoint has versions */
    await(crawl_int_yet(dir, "SELECT count(*) FROM page WHERE version_of > 0") > 0);
    (void)kill(job_pid(j), SIGKILL);
    assert_int_equal(job_wait(j).code, 128 + SIGKILL); /* the archive may have an open end now */
    assert_true(crawl_int(dir, "SELECT count(*) FROM page WHERE version_of > 0") > 0);

    assert_code(
        brood("resume", dir, "--quiet", "--pages", text("%lld", (long long)crawl_pages(dir) + 40)),
        0);
    assert_code(brood("check", dir), 0);
    assert_int_equal(crawl_int(dir, "SELECT count(DISTINCT url_id) FROM page"), 10);
    /* Every version names its URL's first, and none repeats the one before. */
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page p WHERE coalesce(version_of, id) <>"
                                    " (SELECT min(id) FROM page q WHERE q.url_id = p.url_id)"),
                     0);
    assert_int_equal(
        crawl_int(dir, "SELECT count(*) FROM (SELECT hash, lag(hash) OVER (PARTITION BY url_id"
                       " ORDER BY id) AS before FROM page) WHERE hash = before"),
        0);
}

/* ---- dates --------------------------------------------------------------- */

/* Its own date, else the feed's, else Last-Modified, else when it was first seen. */
static void a_document_has_the_best_date_there_is(void **state)
{
    static const char modified[] = "Last-Modified: Wed, 05 Jan 2022 10:00:00 GMT\r\n";
    static const struct site_page site[] = {
        {"/", .body = "<a href=/feed>feed</a> <a href=/nothing>coral</a> <a href=/late>reefs</a>"},
        {"/feed", .type = "application/rss+xml",
         .body = "<rss version='2.0'><channel><title>reefs</title>"
                 "<item><title>one</title><link>http://a.test/listed</link>"
                 "<pubDate>Tue, 04 Jan 2022 10:00:00 GMT</pubDate></item>"
                 "<item><title>two</title><link>http://a.test/own</link>"
                 "<pubDate>Tue, 04 Jan 2022 10:00:00 GMT</pubDate></item></channel></rss>"},
        {"/listed", .body = "listed by the feed", .headers = modified},
        {"/own", .body = "<meta property=article:published_time content=2022-01-03T10:00:00Z>own"},
        {"/late", .body = "as the server says", .headers = modified},
        {"/nothing", .body = "nobody says anything of this one"},
    };
    struct site *s = site_start(site, ARRAY_LEN(site));
    const char *dir = fresh("dates");

    (void)state;
    assert_code(brood("crawl", ROOM, "--quiet", "--out", dir, "--seed", "http://a.test/", "--pages",
                      "6", "--resolve", site_resolve(s)),
                0);
    assert_string_equal(
        crawl_text(dir, "SELECT group_concat(substr(url, 15) || ' ' || CASE WHEN date = fetched_at"
                        " THEN 'seen' ELSE strftime('%d', date / 1000000, 'unixepoch') END, ', ')"
                        " FROM (SELECT * FROM page WHERE url NOT LIKE '%feed' ORDER BY url)"),
        " seen, late 05, listed 04, nothing seen, own 03");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_kept_and_what_is_no_change_is_not),
        cmocka_unit_test(a_document_has_the_best_date_there_is),
        cmocka_unit_test(a_kill_between_versions_loses_and_repeats_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
