/* The dashboard attacked: wrong names, no token, tricks in paths and bodies, pages that
 * would run scripts. SPDX-License-Identifier: MIT */
#include "dash.h"
#include "site.h"

#include "base/mem.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *parent, *dir, *id;
static struct board *b;

static const struct site_page pages[] = {
    {"/", .body = "<html><head><title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
                  "</title></head><body>coral reefs <a href='/x'>&lt;script&gt;alert(3)"
                  "&lt;/script&gt; coral</a><script>fetch('/api/crawls/x/stop',{method:'POST'})"
                  "</script><a href=/utf7>coral</a> <a href=/utf16>coral</a> <a href=/words>coral"
                  "</a> <a href=/xhtml>coral</a> <a href=/xml>coral</a> <a "
                  "href=/knock>coral</a></body></html>"},
    {"/knock",
     .body = "<html><head><LINK rel=preconnect href=http://e.example/><link\nrel="
             "dns-prefetch href=//e.example><link/rel=prerender href=http://e.example/>"
             "<Meta http-equiv=refresh content='0;url=http://e.example/'><title>knock"
             "</title></head><body title='><link rel=preconnect href=//e.example>'>"
             "coral reefs</body></html>",
     .headers = "Link: <http://e.example/>; rel=preconnect\r\n"},
    {"/utf7", .body = "coral reefs +ADw-script+AD4-alert(1)+ADw-/script+AD4-",
     .type = "text/html; charset=utf-7",
     .headers =
         "Content-Disposition: attachment; filename=a.html\r\nRefresh: 0; url=http://e.example/"
         "\r\nSet-Cookie: a=b\r\nContent-Security-Policy: script-src *\r\n"},
    {"/utf16", .body = "\xff\xfe<\0h\0t\0m\0l\0>\0c\0o\0r\0a\0l\0 \0<\0s\0c\0r\0i\0p\0t\0>\0",
     .len = 36},
    {"/words", .body = "<script>alert(1)</script> coral reefs", .type = "text/plain"},
    {"/xhtml", .body = "<html xmlns='http://www.w3.org/1999/xhtml'><body>coral reefs</body></html>",
     .type = "application/xhtml+xml"},
    {"/xml",
     .body = "<?xml version='1.0'?><?xml-stylesheet type='text/xsl' href='/x.xsl'?>"
             "<rss><channel><title>coral reefs</title></channel></rss>",
     .type = "text/xml"},
    {"/x", .body = "coral reefs, as plain as can be", .type = "image/svg+xml"},
};

static int set_up(void **state)
{
    struct site *site = site_start(pages, ARRAY_LEN(pages));
    sqlite3 *db;

    (void)state;
    parent = fresh("crawls");
    dir = text("%s/c", parent);
    assert_code(brood("crawl", "coral reefs", "--out", dir, "--quiet", "--allow-private",
                      "--resolve", site_resolve(site), "--seed", "http://a.example/", "--delay",
                      "0"),
                0);
    assert_int_equal(sqlite3_open(text("%s/crawl.db", dir), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  text("UPDATE agent SET name = '%s' WHERE id = 1",
                                       "</script><script>alert(1)</script>"),
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    /* as a crawl of an older version kept them */
    assert_int_equal(
        sqlite3_exec(db,
                     "UPDATE crawl SET value = 'http://me:s3cret@a.example/\nhttp://a.example/x'"
                     " WHERE key = 'option.seed';"
                     "UPDATE crawl SET value = 'http://a.example/?q={}&key=s3cret' WHERE key ="
                     " 'option.search';"
                     "UPDATE crawl SET value = 'http://me:s3cret@a.example:3128' WHERE key ="
                     " 'option.proxy';"
                     "UPDATE crawl SET value = 'Authorization: s3cret' WHERE key ="
                     " 'option.header';"
                     "INSERT INTO crawl VALUES('watch.webhook', 'http://a.example/?key=s3cret')",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    b = board("--root", parent);
    id = board_id(b, "c");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    board_stop(b);
    return 0;
}

static struct answer raw(const char *bytes)
{
    return board_raw(b, bytes, strlen(bytes));
}

static struct answer get_as(const char *host)
{
    return raw(text("GET /api/crawls HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host));
}

static void another_name_is_not_answered(void **state)
{
    (void)state;
    assert_int_equal(get_as(text("127.0.0.1:%d", b->port)).status, 200);
    assert_int_equal(get_as(text("localhost:%d", b->port)).status, 200);
    assert_int_equal(get_as("evil.example").status, 403);
    assert_int_equal(get_as(text("evil.example:%d", b->port)).status, 403);
    assert_int_equal(get_as("127.0.0.1.evil.example").status, 403);
    assert_int_equal(get_as("127.0.0.1:1").status, 403);
    assert_int_equal(get_as(text("LocalHost:%d", b->port)).status, 200);
    assert_int_equal(get_as(text("[::1]:%d", b->port)).status, 200);
    assert_int_equal(get_as(text("localhost.:%d", b->port)).status, 403);
    assert_int_equal(get_as("[::ffff:127.0.0.1]").status, 403);
    assert_int_equal(get_as("0.0.0.0").status, 403);
    assert_int_equal(get_as("2130706433").status, 403);
    assert_int_equal(get_as("127.1").status, 403);
    assert_int_equal(get_as("127.0.0.1, evil.example").status, 403);
    assert_int_equal(get_as("evil.example\r\nHost: 127.0.0.1").status, 403);
    assert_int_equal(raw("GET /api/crawls HTTP/1.0\r\n\r\n").status, 403);
    assert_int_equal(strstr(get_as("evil.example").body, dir) != NULL, 0);
}

static int fetched_as(const char *path, const char *headers)
{
    return raw(text("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n%s\r\n", path,
                    b->port, headers))
        .status;
}

/* What a browser says of a request that another site's page made. */
static void another_page_builds_nothing_in(void **state)
{
    (void)state;
    assert_int_equal(fetched_as("/api/crawls", "Sec-Fetch-Site: same-origin\r\n"), 200);
    assert_int_equal(fetched_as("/", "Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\n"), 200);
    assert_int_equal(fetched_as("/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
                                     "Sec-Fetch-Dest: document\r\n"),
                     200);
    assert_int_equal(fetched_as("/api/crawls",
                                "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n"
                                "Sec-Fetch-Dest: empty\r\n"),
                     403);
    assert_int_equal(fetched_as("/app.js",
                                "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\n"
                                "Sec-Fetch-Dest: script\r\n"),
                     403);
    assert_int_equal(fetched_as("/api/events", "Sec-Fetch-Site: cross-site\r\n"), 403);
    assert_int_equal(fetched_as(text("/api/crawls/%s/stored/1", id),
                                "Sec-Fetch-Site: cross-site\r\nSec-Fetch-"
                                "Mode: navigate\r\nSec-Fetch-Dest: iframe"
                                "\r\n"),
                     403);
}

static struct answer post_with(const char *headers, const char *body)
{
    return raw(text("POST /api/crawls/%s/mark HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: "
                    "close\r\nContent-Length: %zu\r\n%s\r\n%s",
                    id, b->port, strlen(body), headers, body));
}

static void nothing_changes_without_token_and_origin(void **state)
{
    static const char mark[] = "{\"url\":\"http://a.example/\",\"relevant\":true}";
    const char *json = "Content-Type: application/json\r\n";
    const char *token = text("X-Brood-Token: %s\r\n", b->token);
    const char *wrong =
        text("X-Brood-Token: %.31s%c\r\n", b->token, b->token[31] == '0' ? '1' : '0');

    (void)state;
    assert_int_equal(post_with(json, mark).status, 403);
    assert_int_equal(post_with(text("%s%s", json, wrong), mark).status, 403);
    assert_int_equal(post_with(text("%sX-Brood-Token: \r\n", json), mark).status, 403);
    assert_int_equal(
        post_with(text("%s%sOrigin: http://evil.example\r\n", json, token), mark).status, 403);
    assert_int_equal(post_with(text("%s%sOrigin: null\r\n", json, token), mark).status, 403);
    assert_int_equal(post_with(text("%sContent-Type: text/plain\r\n", token), mark).status, 415);
    /* what a form of another site can send without being asked about it first */
    assert_int_equal(
        post_with("Content-Type: text/plain\r\nOrigin: http://evil.example\r\n", mark).status, 403);
    assert_int_equal(
        post_with(text("Content-Type: application/x-www-form-urlencoded\r\n%s", token), mark)
            .status,
        415);
    assert_int_equal(
        post_with(text("%s%sOrigin: http://127.0.0.1:%d.evil.example\r\n", json, token, b->port),
                  mark)
            .status,
        403);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM label"), 0);
    assert_int_equal(
        post_with(text("%s%sOrigin: http://127.0.0.1:%d\r\n", json, token, b->port), mark).status,
        200);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM label"), 1);
    /* the token is no part of anything that is read */
    assert_null(strstr(board_get(b, "/api/crawls").body, b->token));
}

static void paths_lead_nowhere_else(void **state)
{
    static const char *const paths[] = {
        "/../../etc/passwd",
        "/..",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/../api/crawls",
        "//api/crawls",
        "/api/crawls/",
        "/api/crawls/%00",
        "/api/crawls%00",
        "/api/crawls/../..",
        "/reports/..",
        "/reports/%2e%2e",
        "/api/crawls?crawl=%00",
        "/app.js/..",
        "/ID",
        "/api/crawls/ID",
        "/api/crawls/*",
        "/etc/passwd",
        "/index.html",
        "http://evil.example/",
        "/.git/config",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct answer a = board_get(b, paths[i]);

        if (a.status != 400 && a.status != 404)
            fail_msg("%s: %d %s", paths[i], a.status, a.body);
        assert_null(strstr(a.body, "root:"));
    }
    assert_int_equal(board_get(b, text("/api/crawls/%s/page/0", id)).status, 404);
    assert_int_equal(board_get(b, text("/api/crawls/%s/page/-1", id)).status, 404);
    assert_int_equal(board_get(b, text("/api/crawls/%s/page/99999999999999999999", id)).status,
                     404);
    assert_int_equal(board_get(b, text("/api/crawls/%s/pages?n=999999999", id)).status, 400);
    assert_int_equal(board_get(b, text("/api/crawls/%s/pages?nn=1", id)).status, 400);
    assert_int_equal(
        raw(text("DELETE /api/crawls HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n",
                 b->port))
            .status,
        405);
}

/* Every answer has a policy, whatever became of the question. */
static void errors_have_a_policy(void **state)
{
    static const char *const asked[] = {
        "/nowhere",        "/api/crawls/x", "/api/crawls?a=%0d%0aX:y",
        "/api/events?a=b", "/reports/x",    "//",
        "/metrics?x",      "/%3Cscript%3E"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(asked) + 1; i++) {
        struct answer a = i < ARRAY_LEN(asked) ? board_get(b, asked[i]) : get_as("evil.example");

        assert_true(a.status >= 400 && a.status < 500);
        assert_says(a.head, "Content-Type: application/json");
        assert_says(a.head, "X-Content-Type-Options: nosniff");
        assert_says(a.head, "Content-Security-Policy: default-src 'none'");
        assert_says(a.head, "frame-ancestors 'none'");
        assert_says(a.head, "Referrer-Policy: no-referrer");
        assert_null(strstr(a.head, "\r\nX:"));
        assert_null(strstr(a.head, "Access-Control-Allow"));
        assert_non_null(json_of(a.body));
    }
}

/* Two lengths, and what one of them would hide. */
static void a_body_has_one_length(void **state)
{
    static const char mark[] = "{\"url\":\"http://a.example/\",\"relevant\":false}";
    int64_t before = crawl_int(dir, "SELECT count(*) FROM label WHERE label = 'irrelevant'");
    struct answer a;

    (void)state;
    a = raw(text("POST /api/crawls/%s/mark HTTP/1.1\r\nHost: localhost\r\nX-Brood-Token: %s\r\n"
                 "Content-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"
                 "\r\nConnection: close\r\n\r\n%zx\r\n%s\r\n0\r\n\r\n",
                 id, b->token, strlen(mark), mark));
    assert_true(a.status == 400 || a.status == 0);
    a = raw(text("POST /api/crawls/%s/mark HTTP/1.1\r\nHost: localhost\r\nX-Brood-Token: %s\r\n"
                 "Content-Type: application/json\r\nContent-Length: -1\r\nConnection: close\r\n"
                 "\r\n%s",
                 id, b->token, mark));
    assert_true(a.status == 400 || a.status == 413 || a.status == 0);
    /* what follows an answer on the same connection is a question like any other */
    a = raw(text("GET /api/models HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\nPOST "
                 "/api/crawls/%s/mark HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                 "\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
                 id, strlen(mark), mark));
    assert_int_equal(a.status, 200);
    assert_says(a.body, "HTTP/1.1 403");
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM label WHERE label = 'irrelevant'"),
                     before);
}

/* FTS5's syntax, as deep and as wide as a URL allows: an answer or an error, soon. */
static void strange_words_are_only_words(void **state)
{
    static const struct {
        const char *part;
        int times;
    } words[] = {{"(", 2000},   {"a*+", 2000},        {"a+NOT+", 1000},  {"NEAR(a*+", 700},
                 {"%22", 2001}, {"a+OR+", 1200},      {"{title}:", 700}, {"^", 3000},
                 {"a+AND+", 1}, {"NEAR(a,99999)", 1}, {"%ff%fe", 1000},  {"-", 1}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        char *q = calloc(1, 8192);
        struct answer a;

        for (int k = 0; k < words[i].times && strlen(q) < 7900; k++)
            strcat(q, words[i].part);
        a = board_get(b, text("/api/crawls/%s/pages?q=%sa", id, q));
        if (a.status != 200 && a.status != 503 && a.status != 413)
            fail_msg("%s: %d %s", words[i].part, a.status, a.body);
        assert_non_null(json_of(a.body));
        free(q);
    }
    assert_int_equal(
        board_get(b, text("/api/crawls/%s/samples?metric=%.*s", id, 65,
                          ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,"))
            .status,
        400);
}

static void long_things_are_refused(void **state)
{
    char *url = malloc(100000), *head = malloc(2000000);
    struct answer a;

    (void)state;
    memset(url, 'a', 99999);
    url[99999] = '\0';
    a = board_get(b, text("/%s", url));
    assert_true(a.status == 400 || a.status == 414 || a.status == 431 || a.status == 0);
    a = board_get(b, text("/api/crawls/%s/pages?q=%.9000s", id, url));
    assert_int_equal(a.status, 400);
    memset(head, 'b', 1999999);
    head[1999999] = '\0';
    a = raw(text("GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n", head));
    assert_true(a.status == 0 || a.status == 413 || a.status == 431);
    /* a body that is announced too large, and one that is not announced */
    a = raw(text("POST /api/crawls/%s/mark HTTP/1.1\r\nHost: localhost\r\nX-Brood-Token: %s\r\n"
                 "Content-Type: application/json\r\nContent-Length: 2000000\r\n\r\n%s",
                 id, b->token, head));
    assert_true(a.status == 413 || a.status == 0);
    a = raw(text("POST /api/crawls/%s/mark HTTP/1.1\r\nHost: localhost\r\nX-Brood-Token: %s\r\n"
                 "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1e847f\r\n%s",
                 id, b->token, head));
    assert_true(a.status == 0 || a.status >= 400);
    assert_int_equal(board_get(b, "/api/crawls").status, 200);
    free(url);
    free(head);
}

static void a_body_that_is_no_json_is_refused(void **state)
{
    static const char *const bodies[] = {"{",
                                         "[]",
                                         "\"x\"",
                                         "{\"url\":1}",
                                         "nul",
                                         "{\"url\":\"\",\"relevant\":true}",
                                         "\xff\xfe",
                                         "{\"url\":\"http://a/\",\"url\":\"http://b/\"}",
                                         "{\"url\":\"http://a/\",\"relevant\":\"yes\"}"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
        struct answer a = board_post(b, text("/api/crawls/%s/mark", id), bodies[i]);

        if (a.status != 400)
            fail_msg("%s: %d %s", bodies[i], a.status, a.body);
        assert_non_null(json_of(a.body));
    }
    assert_int_equal(board_post(b, text("/api/crawls/%s/seeds", id), "{\"urls\":{}}").status, 400);
}

/* Titles, anchors and names are data: JSON text, of a type that no browser runs. */
static void strange_texts_stay_texts(void **state)
{
    static const char *const questions[] = {"/pages", "/page/1", "/tree", "/agent/1", "/paths"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
        struct answer a = board_get(b, text("/api/crawls/%s%s", id, questions[i]));

        assert_int_equal(a.status, 200);
        assert_says(a.head, "Content-Type: application/json");
        assert_says(a.head, "X-Content-Type-Options: nosniff");
        assert_says(a.head, "default-src 'none'; script-src 'self'");
        assert_says(a.head, "frame-ancestors 'none'");
        assert_says(a.head, "Cross-Origin-Resource-Policy: same-origin");
        assert_non_null(json_of(a.body));
    }
    assert_string_equal(text_at(board_json(b, text("/api/crawls/%s/page/1", id)), "title"),
                        "</script><script>alert(1)</script>");
    assert_string_equal(text_at(board_json(b, text("/api/crawls/%s/agent/1", id)), "name"),
                        "</script><script>alert(1)</script>");
    assert_int_equal(
        board_get(b, text("/api/crawls/%s/pages?q=%s", id, "%22%27%3Cscript%3E")).status, 200);
}

/* Whatever a copy calls itself: it is one of two types, in UTF-8, with our headers alone. */
static void a_copy_is_html_or_plain_text(void **state)
{
    json_t *all = board_json(b, text("/api/crawls/%s/pages", id)), *row;
    size_t i, copies = 0;

    (void)state;
    json_array_foreach(json_at(all, "rows"), i, row)
    {
        struct answer a =
            board_get(b, text("/api/crawls/%s/stored/%d", id, (int)int_at(row, "id")));
        const char *url = text_at(row, "url");
        bool html = !strstr(url, "/words") && !strstr(url, "/xml");

        assert_int_equal(a.status, 200);
        assert_says(a.head, html ? "Content-Type: text/html; charset=utf-8\r\n"
                                 : "Content-Type: text/plain; charset=utf-8\r\n");
        assert_says(a.head, "Content-Security-Policy: sandbox; default-src 'none'");
        assert_says(a.head, "X-DNS-Prefetch-Control: off");
        assert_null(strstr(a.head, "Refresh"));
        assert_null(strstr(a.head, "Link"));
        assert_null(strcasestr(a.body, "<link"));
        assert_null(strcasestr(a.body, "<meta"));
        assert_null(strstr(a.head, "Set-Cookie"));
        assert_null(strstr(a.head, "Content-Disposition"));
        assert_null(strstr(a.head, "script-src"));
        assert_false((unsigned char)a.body[0] >= 0xfe); /* no mark of another encoding */
        if (strstr(url, "utf7"))
            assert_says(a.body, "+ADw-script");
        copies++;
    }
    assert_true(copies >= 6);
}

static void a_stored_page_can_do_nothing(void **state)
{
    struct answer a = board_get(b, text("/api/crawls/%s/stored/1", id));

    (void)state;
    assert_int_equal(a.status, 200);
    assert_says(a.body, "<script>fetch(");
    assert_says(a.head, "Content-Security-Policy: sandbox; default-src 'none'; style-src "
                        "'unsafe-inline'; img-src data:;");
    assert_null(strstr(a.head, "allow-scripts"));
    assert_null(strstr(a.head, "script-src"));
    assert_says(a.head, "X-Content-Type-Options: nosniff");
    assert_says(a.head, "frame-ancestors 'self'");
    assert_says(board_get(b, text("/api/crawls/%s/text/1", id)).head, "Content-Type: text/plain");
}

static void nobody_reads_a_password_without_the_token(void **state)
{
    static const char *const paths[] = {"", "/pages", "/reports", "/models", "/drops"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct answer a = board_get(b, text("/api/crawls/%s%s", id, paths[i]));

        assert_null(strstr(a.body, "s3cret"));
        if (i == 0) {
            assert_says(a.body, "http://***@a.example/");
            assert_says(a.body, "q={}&key=***");
        }
    }
    assert_null(strstr(board_get(b, "/api/crawls").body, "s3cret"));
    assert_null(strstr(board_get(b, "/metrics").body, "s3cret"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_reads_a_password_without_the_token),
        cmocka_unit_test(another_name_is_not_answered),
        cmocka_unit_test(another_page_builds_nothing_in),
        cmocka_unit_test(nothing_changes_without_token_and_origin),
        cmocka_unit_test(paths_lead_nowhere_else),
        cmocka_unit_test(errors_have_a_policy),
        cmocka_unit_test(a_body_has_one_length),
        cmocka_unit_test(strange_words_are_only_words),
        cmocka_unit_test(long_things_are_refused),
        cmocka_unit_test(a_body_that_is_no_json_is_refused),
        cmocka_unit_test(strange_texts_stay_texts),
        cmocka_unit_test(a_copy_is_html_or_plain_text),
        cmocka_unit_test(a_stored_page_can_do_nothing),
    };

    return cmocka_run_group_tests_name("flow dash attack", tests, set_up, tear_down);
}
