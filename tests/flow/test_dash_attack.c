/* The dashboard attacked: wrong names, no token, tricks in paths and bodies, pages that
 * would run scripts, clients that say nothing. SPDX-License-Identifier: MIT */
#include "dash.h"
#include "site.h"

#include "base/clock.h"
#include "base/mem.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define SLOW 1000 /* connections */

static const char *parent, *dir, *id;
static struct board *b;

static const struct site_page pages[] = {
    {"/", .body = "<html><head><title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
                  "</title></head><body>coral reefs <a href='/x'>&lt;script&gt;alert(3)"
                  "&lt;/script&gt; coral</a><script>fetch('/api/crawls/x/stop',{method:'POST'})"
                  "</script></body></html>"},
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
    assert_int_equal(raw("GET /api/crawls HTTP/1.0\r\n\r\n").status, 403);
    assert_int_equal(strstr(get_as("evil.example").body, dir) != NULL, 0);
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

static void raise_files(void)
{
    struct rlimit l;

    if (getrlimit(RLIMIT_NOFILE, &l) == 0) {
        l.rlim_cur = l.rlim_max < 4096 ? l.rlim_max : 4096;
        (void)setrlimit(RLIMIT_NOFILE, &l);
    }
}

/* A thousand clients that begin a request and say no more, while a crawl with its own
 * dashboard goes on: it ends as it should, and the dashboard answers again. */
static void slow_clients_hurt_nobody(void **state)
{
    const char *w = world("--pages", "300", "--hosts", "5", "--topics", "2");
    struct server *s = serve(w);
    const char *out = text("%s/busy", parent);
    struct job *job;
    struct answer a = {0};
    int *fds = malloc(SLOW * sizeof *fds);
    size_t open = 0;

    (void)state;
    raise_files();
    job = brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--out", out,
                    "--quiet", "--allow-private", "--resolve", s->resolve, "--delay", "10ms",
                    "--pages", "200");
    for (size_t i = 0; i < SLOW; i++) {
        fds[i] = board_connect(b);
        open += fds[i] >= 0;
        if (fds[i] >= 0)
            (void)send(fds[i], "GET /api/crawls HTTP/1.1\r\nHo", 28, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    assert_true(open > SLOW / 4); /* those it has no room for wait, or were refused */
    for (int i = 0; i < 12 && a.status != 200; i++)
        a = board_get(b, "/api/crawls");
    assert_int_equal(a.status, 200);
    assert_code(job_wait(job), 0);
    assert_int_equal(crawl_pages(out), 200);
    for (size_t i = 0; i < SLOW; i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
    free(fds);
    for (int i = 0; i < 12 && a.status != 200; i++)
        a = board_get(b, "/api/crawls");
    assert_int_equal(a.status, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_name_is_not_answered),
        cmocka_unit_test(nothing_changes_without_token_and_origin),
        cmocka_unit_test(paths_lead_nowhere_else),
        cmocka_unit_test(long_things_are_refused),
        cmocka_unit_test(a_body_that_is_no_json_is_refused),
        cmocka_unit_test(strange_texts_stay_texts),
        cmocka_unit_test(a_stored_page_can_do_nothing),
        cmocka_unit_test(slow_clients_hurt_nobody),
    };

    return cmocka_run_group_tests_name("flow dash attack", tests, set_up, tear_down);
}
