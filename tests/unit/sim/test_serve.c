/* The served world, over real sockets. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "sim/make/make.h"
#include "sim/serve/serve.h"
#include "sim/world.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
    char dir[128], ca[160], log[160];
    struct world *world;
    struct serve *serve;
    pthread_t thread;
    char host[128]; /* of the first front page */
} at;

static void *run(void *arg)
{
    assert_int_equal(serve_run(arg), ST_OK);
    return NULL;
}

static void start(const struct serve_config *c)
{
    if (serve_new(at.world, c, &at.serve) != ST_OK)
        fail_msg("%s", status_text());
    assert_int_equal(pthread_create(&at.thread, NULL, run, at.serve), 0);
}

static struct serve_counts stop(void)
{
    struct serve_counts counts;

    serve_stop(at.serve);
    (void)pthread_join(at.thread, NULL);
    counts = serve_counts(at.serve);
    serve_free(at.serve);
    at.serve = NULL;
    return counts;
}

static struct serve_config standard(void)
{
    struct serve_config c = serve_defaults;

    c.tls_port = 0;
    c.ca_file = at.ca;
    c.access_log = at.log;
    return c;
}

static int set_up(void **state)
{
    const char *root = test_dir();
    struct make_config c;

    (void)state;
    make_config_init(&c);
    (void)curl_global_init(CURL_GLOBAL_ALL);
    c.graph.pages = 300;
    c.graph.hosts = 12;
    c.feeds = 1;
    (void)snprintf(at.dir, sizeof at.dir, "%s/world", root);
    (void)snprintf(at.ca, sizeof at.ca, "%s/ca.pem", root);
    (void)snprintf(at.log, sizeof at.log, "%s/access.log", root);
    if (world_make(at.dir, &c, NULL, NULL) != ST_OK || world_open(at.dir, &at.world) != ST_OK)
        return -1;
    (void)snprintf(at.host, sizeof at.host, "%.*s", STR_ARG(world_entry(at.world, 0)->host));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    world_close(at.world);
    curl_global_cleanup();
    return 0;
}

/* ---- raw sockets --------------------------------------------------------- */

static int dial(const char *address, uint16_t port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct timeval patience = {.tv_sec = 20};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(inet_pton(AF_INET, address, &to.sin_addr), 1);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static void say(int fd, struct str text)
{
    while (text.len > 0) {
        ssize_t n = send(fd, text.ptr, text.len, MSG_NOSIGNAL);

        if (n <= 0)
            return; /* the server closed first: what it said counts */
        text = str_sub(text, (size_t)n, text.len);
    }
}

/* Everything up to the end of the connection. */
static void hear_all(int fd, struct buf *out)
{
    char piece[65536];
    ssize_t n;

    while ((n = recv(fd, piece, sizeof piece, 0)) > 0)
        buf_add(out, piece, (size_t)n);
    (void)close(fd);
}

static void ask_at(const char *address, const char *request, struct buf *out)
{
    int fd = dial(address, serve_port(at.serve));

    assert_true(fd >= 0);
    buf_clear(out);
    say(fd, str_of(request));
    hear_all(fd, out);
}

static size_t count(struct str text, const char *what)
{
    size_t n = 0;

    for (size_t i = 0; (i = str_find(text, str_of(what), i)) != SIZE_MAX; i++)
        n++;
    return n;
}

static void every_address_of_127_answers_for_every_host(void **state)
{
    static const char *const addresses[] = {"127.0.0.1", "127.1.2.3", "127.255.255.254"};
    struct buf out = BUF_INIT(1 << 24);
    char request[512];

    (void)state;
    struct serve_config c = standard();
    start(&c);
    (void)snprintf(request, sizeof request,
                   "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", at.host);
    for (size_t i = 0; i < ARRAY_LEN(addresses); i++) {
        ask_at(addresses[i], request, &out);
        assert_true(str_starts(buf_str(&out), STR("HTTP/1.1 200 OK\r\n")));
        assert_int_equal(count(buf_str(&out), "</html>"), 1);
        assert_int_equal(count(buf_str(&out), "Connection: close"), 1);
    }
    ask_at("127.0.0.1", "GET / HTTP/1.1\r\nHost: nobody.example\r\nConnection: close\r\n\r\n",
           &out);
    assert_true(str_starts(buf_str(&out), STR("HTTP/1.1 404 ")));
    stop();
    buf_free(&out);
}

static void pipelined_requests_are_answered_in_order(void **state)
{
    struct buf out = BUF_INIT(1 << 26), request = BUF_INIT(1 << 20);

    (void)state;
    struct serve_config c = standard();
    start(&c);
    for (int i = 0; i < 200; i++)
        buf_addf(&request, "%s %s HTTP/1.1\r\nHost: %s%s\r\n%s\r\n%s", i % 3 ? "GET" : "HEAD",
                 i % 5 ? "/" : "/robots.txt", at.host, i % 2 ? "" : ":80",
                 i % 7 ? "" : "Content-Length: 4\r\n", i % 7 ? "" : "GET ");
    buf_addf(&request, "GET /last HTTP/1.0\r\nHost: %s\r\n\r\n", at.host);
    ask_at("127.0.0.1", request.data, &out);
    assert_int_equal(count(buf_str(&out), "HTTP/1.1 200 OK"), 200);
    assert_int_equal(count(buf_str(&out), "HTTP/1.1 404"), 1);
    stop();
    buf_free(&out);
    buf_free(&request);
}

static void what_is_no_request_is_refused_and_the_server_lives(void **state)
{
    static const struct {
        const char *text, *status;
    } cases[] = {
        {"NONSENSE\r\n\r\n", "HTTP/1.1 400 "},
        {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 405 "},
        {"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 501 "},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n", "HTTP/1.1 413 "},
        {"GET / HTTP/3.0\r\nHost: a\r\n\r\n", "HTTP/1.1 505 "},
        {"GET /\x80\xff%zz?\\ HTTP/1.0\r\nHost: [::1\r\n\r\n", "HTTP/1.1 404 "},
        {"GET / HTTP/1.0\r\nHost: ..%00/../../etc\r\n\r\n", "HTTP/1.1 404 "},
    };
    struct buf out = BUF_INIT(1 << 24), long_one = BUF_INIT(1 << 20);

    (void)state;
    struct serve_config c = standard();
    start(&c);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        ask_at("127.0.0.1", cases[i].text, &out);
        if (!str_starts(buf_str(&out), str_of(cases[i].status)))
            fail_msg("case %zu: %.40s", i, out.data ? out.data : "nothing");
    }
    buf_add_z(&long_one, "GET / HTTP/1.1\r\nX: ");
    while (long_one.len < 20000)
        buf_add_char(&long_one, 'x');
    ask_at("127.0.0.1", long_one.data, &out);
    assert_true(out.len == 0 || str_starts(buf_str(&out), STR("HTTP/1.1 431 ")));
    for (int i = 0; i < 50; i++) /* clients that go away at once */
        (void)close(dial("127.0.0.1", i % 2 ? serve_port(at.serve) : serve_tls_port(at.serve)));
    (void)snprintf(long_one.data, long_one.cap, "GET / HTTP/1.0\r\nHost: %s\r\n\r\n", at.host);
    ask_at("127.0.0.1", long_one.data, &out);
    assert_true(str_starts(buf_str(&out), STR("HTTP/1.1 200 OK\r\n")));
    stop();
    buf_free(&out);
    buf_free(&long_one);
}

/* ---- libcurl ------------------------------------------------------------- */

static size_t keep(char *data, size_t size, size_t n, void *ctx)
{
    buf_add(ctx, data, size * n);
    return size * n;
}

/* Fetches a path of the first host; header lines go to `head`. */
static CURLcode fetch(const char *scheme, const char *path, const char *field, struct buf *head,
                      struct buf *body, long *ret_status)
{
    CURL *curl = curl_easy_init();
    char url[512], connect_to[64];
    struct curl_slist *to = NULL, *fields = field ? curl_slist_append(NULL, field) : NULL;
    CURLcode code;

    (void)snprintf(url, sizeof url, "%s://%s%s", scheme, at.host, path);
    (void)snprintf(connect_to, sizeof connect_to, "::127.9.8.7:%u",
                   strcmp(scheme, "https") == 0 ? serve_tls_port(at.serve) : serve_port(at.serve));
    to = curl_slist_append(NULL, connect_to);
    buf_clear(head);
    buf_clear(body);
    (void)curl_easy_setopt(curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(curl, CURLOPT_CONNECT_TO, to);
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, fields);
    (void)curl_easy_setopt(curl, CURLOPT_CAINFO, at.ca);
    (void)curl_easy_setopt(curl, CURLOPT_PROXY, "");
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT, 30L);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, keep);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERDATA, head);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    code = curl_easy_perform(curl);
    (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, ret_status);
    curl_easy_cleanup(curl);
    curl_slist_free_all(to);
    curl_slist_free_all(fields);
    return code;
}

static void https_is_trusted_by_the_authority_and_by_no_other(void **state)
{
    struct buf head = BUF_INIT(1 << 20), body = BUF_INIT(1 << 24), plain = BUF_INIT(1 << 24);
    char other[200];
    long status = 0;

    (void)state;
    struct serve_config c = standard();
    start(&c);
    assert_int_equal(fetch("https", "/", NULL, &head, &body, &status), CURLE_OK);
    assert_int_equal(status, 200);
    assert_int_equal(fetch("http", "/", NULL, &head, &plain, &status), CURLE_OK);
    assert_true(str_eq(buf_str(&body), buf_str(&plain)));
    stop();
    /* A second server has another authority: the old certificate is no good. */
    (void)snprintf(other, sizeof other, "%s.other", at.ca);
    c.ca_file = other;
    start(&c);
    assert_int_not_equal(fetch("https", "/", NULL, &head, &body, &status), CURLE_OK);
    stop();
    buf_free(&head);
    buf_free(&body);
    buf_free(&plain);
}

static void unchanged_pages_are_304_and_gzip_is_for_those_who_take_it(void **state)
{
    struct buf head = BUF_INIT(1 << 20), body = BUF_INIT(1 << 24);
    struct str tag, modified;
    char field[256];
    long status = 0;

    (void)state;
    struct serve_config c = standard();
    start(&c);
    assert_int_equal(fetch("http", "/", NULL, &head, &body, &status), CURLE_OK);
    assert_int_equal(count(buf_str(&head), "Content-Encoding"), 0);
    size_t at_tag = str_find(buf_str(&head), STR("ETag: "), 0) + 6;
    tag = str_sub(buf_str(&head), at_tag, str_find_char(buf_str(&head), '\r', at_tag));
    size_t at_date = str_find(buf_str(&head), STR("Last-Modified: "), 0) + 15;
    modified = str_sub(buf_str(&head), at_date, str_find_char(buf_str(&head), '\r', at_date));
    size_t whole = body.len;
    char *since = str_dup(modified);
    (void)snprintf(field, sizeof field, "If-None-Match: %.*s", STR_ARG(tag));
    assert_int_equal(fetch("http", "/", field, &head, &body, &status), CURLE_OK);
    assert_true(status == 304 && body.len == 0);
    (void)snprintf(field, sizeof field, "If-Modified-Since: %s", since);
    assert_int_equal(fetch("http", "/", field, &head, &body, &status), CURLE_OK);
    assert_true(status == 304 && body.len == 0);
    assert_int_equal(fetch("http", "/", "If-None-Match: \"x\"", &head, &body, &status), CURLE_OK);
    assert_true(status == 200 && body.len == whole);
    assert_int_equal(fetch("http", "/", "Accept-Encoding: gzip", &head, &body, &status), CURLE_OK);
    assert_int_equal(count(buf_str(&head), "Content-Encoding: gzip"), 1);
    assert_true(body.len < whole && body.len > 10 && (unsigned char)body.data[0] == 0x1f);
    stop();
    free(since);
    buf_free(&head);
    buf_free(&body);
}

static void answers_wait_as_long_as_they_are_told(void **state)
{
    struct buf head = BUF_INIT(1 << 20), body = BUF_INIT(1 << 24);
    struct serve_config c = standard();
    long status = 0;

    (void)state;
    c.latency = 30 * US_PER_MS;
    c.speed = 20000; /* a page takes a few slices */
    start(&c);
    int64_t before = clock_now();
    assert_int_equal(fetch("http", "/", NULL, &head, &body, &status), CURLE_OK);
    assert_int_equal(status, 200);
    assert_true(clock_now() - before >= 30 * US_PER_MS);
    assert_int_equal(count(buf_str(&body), "</html>"), 1);
    assert_int_equal(fetch("https", "/", NULL, &head, &body, &status), CURLE_OK);
    assert_int_equal(count(buf_str(&body), "</html>"), 1);
    stop();
    buf_free(&head);
    buf_free(&body);
}

static void the_access_log_tells_who_asked_whom_for_what(void **state)
{
    struct buf head = BUF_INIT(1 << 20), body = BUF_INIT(1 << 24), log = BUF_INIT(1 << 20);
    struct serve_config c = standard();
    char path[200];
    long status = 0;

    (void)state;
    (void)snprintf(path, sizeof path, "%s.one", at.log);
    c.access_log = path;
    start(&c);
    assert_int_equal(fetch("https", "/robots.txt", NULL, &head, &body, &status), CURLE_OK);
    stop();
    test_read(path, &log);
    json_t *line = json_loads(log.data, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(line, "host")), at.host);
    assert_string_equal(json_string_value(json_object_get(line, "path")), "/robots.txt");
    assert_string_equal(json_string_value(json_object_get(line, "local")), "127.9.8.7");
    assert_string_equal(json_string_value(json_object_get(line, "client")), "127.0.0.1");
    assert_int_equal(json_integer_value(json_object_get(line, "status")), 200);
    assert_int_equal(json_integer_value(json_object_get(line, "bytes")), body.len);
    assert_true(json_integer_value(json_object_get(line, "at")) > 0);
    assert_true(json_is_true(json_object_get(line, "tls")));
    json_decref(line);
    buf_free(&head);
    buf_free(&body);
    buf_free(&log);
}

static void every_entry_is_served_also_from_a_cache_that_is_too_small(void **state)
{
    struct serve_config c = standard();
    struct buf out = BUF_INIT(1 << 28), request = BUF_INIT(1 << 20);
    size_t n = 0;

    (void)state;
    c.cache = 40000;
    c.access_log = NULL;
    start(&c);
    for (uint32_t i = 0; i < world_count(at.world); i++) {
        const struct world_entry *e = world_entry(at.world, i);
        struct str path =
            str_sub(e->url, (size_t)(e->host.ptr - e->url.ptr) + e->host.len, e->url.len);

        buf_addf(&request, "GET %.*s HTTP/1.1\r\nHost: %.*s\r\n\r\n", STR_ARG(path),
                 STR_ARG(e->host));
        n += e->status == 200;
    }
    buf_add_z(&request, "GET / HTTP/1.0\r\n\r\n");
    ask_at("127.0.0.1", request.data, &out);
    assert_int_equal(count(buf_str(&out), "HTTP/1.1 200 OK\r\n"), n);
    assert_int_equal(count(buf_str(&out), "HTTP/1.1 30"), world_count(at.world) - n);
    assert_true(stop().requests == world_count(at.world) + 1);
    buf_free(&out);
    buf_free(&request);
}

static void a_port_that_is_taken_is_said_so(void **state)
{
    struct serve_config c = standard();
    struct serve *second = NULL;

    (void)state;
    start(&c);
    c.port = serve_port(at.serve);
    assert_int_equal(serve_new(at.world, &c, &second), ST_IO);
    assert_null(second);
    c.port = 70000;
    assert_int_equal(serve_new(at.world, &c, &second), ST_USAGE);
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_address_of_127_answers_for_every_host),
        cmocka_unit_test(pipelined_requests_are_answered_in_order),
        cmocka_unit_test(what_is_no_request_is_refused_and_the_server_lives),
        cmocka_unit_test(https_is_trusted_by_the_authority_and_by_no_other),
        cmocka_unit_test(unchanged_pages_are_304_and_gzip_is_for_those_who_take_it),
        cmocka_unit_test(answers_wait_as_long_as_they_are_told),
        cmocka_unit_test(the_access_log_tells_who_asked_whom_for_what),
        cmocka_unit_test(every_entry_is_served_also_from_a_cache_that_is_too_small),
        cmocka_unit_test(a_port_that_is_taken_is_said_so),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
