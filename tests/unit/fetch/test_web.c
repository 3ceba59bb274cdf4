/* fetch_web on real sockets: what is asked, what comes back, by which way.
 * SPDX-License-Identifier: MIT */
#include "fixture.h"

#include "base/mem.h"
#include "base/os/file.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the server's answers, by path ----------------------------------------- */

static struct str field_of(struct str head, const char *name)
{
    struct str line, rest = head;

    while (str_cut(&rest, '\n', &line))
        if (str_starts_i(line, str_of(name)) && line.ptr[strlen(name)] == ':')
            return str_trim(str_sub(line, strlen(name) + 1, line.len));
    return STR("");
}

static bool answer_chunked(struct client *c)
{
    return client_send(c, STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "5\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nX-Trailer: t\r\n\r\n"));
}

static bool answer(struct client *c, struct str head, struct str path)
{
    struct str cookie = field_of(head, "Cookie");

    if (str_eq(path, STR("/chunked")))
        return answer_chunked(c);
    if (str_eq(path, STR("/echo")))
        return client_answer(c, "200 OK\r\nContent-Type: text/plain", head);
    if (str_eq(path, STR("/set")))
        return client_answer(c, "200 OK\r\nSet-Cookie: sid=42; Path=/", STR("set"));
    if (str_eq(path, STR("/set-many"))) {
        bool ok = client_send(c, STR("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"));

        for (int i = 0; ok && i < 400; i++)
            ok = client_sendf(c, "Set-Cookie: c%d=1\r\n", i);
        return ok && client_send(c, STR("\r\n"));
    }
    if (str_eq(path, STR("/cookie")))
        return client_answer(c, "200 OK", cookie);
    if (str_eq(path, STR("/moved")))
        return client_answer(c, "302 Found\r\nLocation: /elsewhere", STR("go on"));
    if (str_eq(path, STR("/interim")))
        return client_send(c, STR("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")) &&
               client_answer(c, "200 OK\r\nETag: \"x\"", STR("late"));
    if (str_eq(path, STR("/not-modified")))
        return field_of(head, "If-None-Match").len > 0
                   ? client_send(c, STR("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n"))
                   : client_answer(c, "200 OK", STR("full"));
    if (str_eq(path, STR("/slow")))
        return client_wait(c, 600000);
    return client_answer(c,
                         "200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: a\r\n"
                         "X-Robots-Tag: b",
                         STR("<p>hello"));
}

/* ---- what comes back ------------------------------------------------------- */

static void a_page_comes_with_its_head_and_its_peer(void **state)
{
    struct fixture f;
    struct arrival *a;
    char text[46];

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    a = fixture_get(&f, "/");
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_int_equal(a->reply.status, 200);
    assert_str(buf_str(&a->reply.body), "<p>hello");
    assert_str(a->reply.content_type, "text/html");
    assert_str(a->reply.robots_tag, "a\n b");
    assert_str(a->reply.head, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: a\r\n"
                              "X-Robots-Tag: b\r\nContent-Length: 8\r\n\r\n");
    assert_string_equal(address_show(&a->reply.peer, text), "127.0.0.1");
    assert_true(a->reply.started_at <= a->reply.first_byte_at);
    assert_true(a->reply.first_byte_at <= a->reply.done_at);
    assert_false(a->reply.truncated || a->reply.skipped || a->reply.h2);
    arrival_release(a);
    fixture_end(&f);
}

static void a_chunked_body_is_joined_and_its_trailers_left_out(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    a = fixture_get(&f, "/chunked");
    assert_str(buf_str(&a->reply.body), "hello world");
    assert_int_equal(str_find(a->reply.head, STR("X-Trailer"), 0), SIZE_MAX);
    arrival_release(a);
    fixture_end(&f);
}

static void interim_answers_leave_no_trace(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    a = fixture_get(&f, "/interim");
    assert_int_equal(a->reply.status, 200);
    assert_str(a->reply.head, "HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 4\r\n\r\n");
    assert_int_equal(a->reply.link.len, 0);
    assert_str(a->reply.etag, "\"x\"");
    arrival_release(a);
    fixture_end(&f);
}

static void redirects_are_reported_not_followed(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    a = fixture_get(&f, "/moved");
    assert_int_equal(a->reply.status, 302);
    assert_str(a->reply.location, "/elsewhere");
    assert_str(buf_str(&a->reply.body), "go on");
    arrival_release(a);
    fixture_end(&f);
}

static void a_connection_is_kept_for_the_next_page(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    for (int i = 0; i < 10; i++)
        arrival_release(fixture_get(&f, i % 2 ? "/chunked" : "/"));
    assert_int_equal(server_connections(f.server), 1);
    assert_int_equal(fetch_web.counts(f.fetch).requests, 10);
    assert_true(fetch_web.counts(f.fetch).bytes > 500);
    fixture_end(&f);
}

/* ---- what is sent ---------------------------------------------------------- */

static void a_request_says_who_asks_and_what_it_takes(void **state)
{
    static const struct fetch_header headers[] = {
        {.line = "Accept-Language: de"}, {.line = "X-Own: 1"}, {.line = NULL}};
    struct fixture f;
    struct arrival *a;
    struct str body;

    (void)state;
    fixture_init(&f, answer);
    f.config.from = "me@site.test";
    f.config.headers = headers;
    f.config.archive = true;
    fixture_start(&f);
    a = fixture_get(&f, "/echo");
    body = buf_str(&a->reply.body);
    assert_str(field_of(body, "User-Agent"), "brood/test");
    assert_str(field_of(body, "From"), "me@site.test");
    assert_str(field_of(body, "Accept-Language"), "de");
    assert_str(field_of(body, "X-Own"), "1");
    assert_str(field_of(body, "Accept-Encoding"), "gzip, deflate, br, zstd");
    assert_true(str_starts(field_of(body, "Host"), STR("site.test:")));
    assert_true(str_eq(a->reply.sent, body)); /* kept exactly as sent */
    arrival_release(a);
    fixture_end(&f);
}

static bool echo_second(struct client *c, struct str head, struct str path)
{
    static atomic_uint lost;

    if (str_eq(path, STR("/lost")) && atomic_fetch_add(&lost, 1) % 2 == 0)
        return false; /* the connection closes: libcurl asks again on another */
    return str_eq(path, STR("/lost")) ? client_answer(c, "200 OK", head) : answer(c, head, path);
}

/* libcurl tells what is sent only at times: after interim answers, bodies that are not read to the
 * end, and connections that were lost, each head must still be there once. */
static void the_head_of_each_request_is_kept(void **state)
{
    static const char *const paths[] = {"/echo", "/moved",   "/echo",    "/interim", "/lost",
                                        "/echo", "/chunked", "/chunked", "/lost",    "/"};
    struct fixture f;

    (void)state;
    fixture_init(&f, echo_second);
    f.config.archive = true;
    f.config.threads = 1;
    f.config.connections = 1;
    fixture_start(&f);
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct arrival *a = fixture_get(&f, paths[i]);
        char line[40];

        (void)snprintf(line, sizeof line, "GET %s HTTP/1.1\r\n", paths[i]);
        assert_int_equal(a->reply.error, FETCH_OK);
        assert_true(str_starts(a->reply.sent, str_of(line)));
        assert_int_equal(str_find(a->reply.sent, STR("GET "), 1), SIZE_MAX);
        assert_int_equal(str_find(a->reply.sent, STR("\r\n\r\n"), 0), a->reply.sent.len - 4);
        if (str_eq(str_of(paths[i]), STR("/echo")) || str_eq(str_of(paths[i]), STR("/lost")))
            assert_true(str_eq(a->reply.sent, buf_str(&a->reply.body)));
        arrival_release(a);
    }
    assert_int_equal(server_connections(f.server), 3);
    fixture_end(&f);
}

static void robots_txt_is_asked_for_unencoded(void **state)
{
    struct fixture f;
    struct arrival *a;
    struct request *r;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    r = fixture_request(&f, "site.test", "/echo");
    r->kind = REQUEST_ROBOTS;
    a = fixture_ask(&f, r);
    assert_str(field_of(buf_str(&a->reply.body), "Accept-Encoding"), "identity");
    assert_int_equal(a->reply.sent.len, 0); /* no archive: not kept */
    arrival_release(a);
    fixture_end(&f);
}

static struct request *conditional(struct fixture *f, struct str etag, struct str modified)
{
    struct request *plain = fixture_request(f, "site.test", "/echo"), *r;

    r = request_new(REQUEST_PAGE, plain->href, plain->host, etag, modified);
    r->port = r->connect_port = plain->port;
    r->address = plain->address;
    free(plain);
    return r;
}

static void validators_make_a_request_conditional(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    a = fixture_ask(&f, conditional(&f, STR("\"v1\""), STR("Sun, 06 Nov 1994 08:49:37 GMT")));
    assert_str(field_of(buf_str(&a->reply.body), "If-None-Match"), "\"v1\"");
    assert_str(field_of(buf_str(&a->reply.body), "If-Modified-Since"),
               "Sun, 06 Nov 1994 08:49:37 GMT");
    arrival_release(a);
    a = fixture_get(&f, "/echo"); /* and the next one is not */
    assert_int_equal(field_of(buf_str(&a->reply.body), "If-None-Match").len, 0);
    arrival_release(a);
    a = fixture_ask(&f, conditional(&f, STR("\"v\r\nX-Evil: 1"), STR("")));
    assert_int_equal(field_of(buf_str(&a->reply.body), "X-Evil").len, 0);
    arrival_release(a);
    fixture_end(&f);
}

static void a_line_for_a_place_goes_there_and_nowhere_else(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f, answer);
    {
        uint16_t port = server_port(f.server);
        const struct fetch_header headers[] = {
            {.line = "X-Own: all"},
            {.line = "X-Own: one", .host = "one.test", .port = port},
            {.line = "Authorization: s3cret", .host = "one.test", .port = port, .secret = true},
            {.line = "X-Tls: s3cret", .host = "one.test", .port = port, .tls = true},
            {.line = "X-Port: s3cret", .host = "one.test", .port = 80},
            {.line = "X-File: s3cret", .host = "one.test", .port = port, .secret = true},
            {.line = NULL}};
        struct arrival *a;
        struct str body;

        f.config.headers = headers;
        f.config.archive = true;
        fixture_start(&f);
        a = fixture_ask(&f, fixture_request(&f, "one.test", "/echo"));
        body = buf_str(&a->reply.body);
        assert_str(field_of(body, "X-Own"), "one");
        assert_str(field_of(body, "Authorization"), "s3cret");
        assert_str(field_of(body, "X-File"), "s3cret");
        assert_int_equal(field_of(body, "X-Tls").len + field_of(body, "X-Port").len, 0);
        assert_int_equal(str_find(a->reply.sent, STR("s3cret"), 0), SIZE_MAX);
        assert_str(field_of(a->reply.sent, "Authorization"), "***");
        assert_str(field_of(a->reply.sent, "X-File"), "***");
        assert_true(str_ends(a->reply.sent, STR("\r\n\r\n")));
        arrival_release(a);
        a = fixture_ask(&f, fixture_request(&f, "other.test", "/echo"));
        body = buf_str(&a->reply.body);
        assert_str(field_of(body, "X-Own"), "all");
        assert_int_equal(str_find(body, STR("s3cret"), 0), SIZE_MAX);
        arrival_release(a);
        fixture_end(&f);
    }
}

static void headers_that_would_break_a_request_are_refused(void **state)
{
    static const char *const bad[] = {"Host: evil.test",       "no colon",          "A b: c",
                                      "X: a\r\nY: b",          "Content-Length: 5", ": empty",
                                      "Proxy-Authorization: x"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct fetch_header headers[] = {{.line = bad[i]}, {.line = NULL}};
        struct fixture f;

        fixture_init(&f, NULL);
        f.config.headers = headers;
        assert_int_equal(fetch_web.start(&f.config, &f.fetch), ST_USAGE);
    }
}

/* ---- addresses ------------------------------------------------------------- */

static struct request *resolve(const char *host, uint16_t port)
{
    struct request *r =
        request_new(REQUEST_RESOLVE, STR("http://x/"), str_of(host), STR(""), STR(""));

    r->port = port;
    return r;
}

static void names_and_numbers_resolve_to_one_address(void **state)
{
    static const struct {
        const char *host, *address;
        enum fetch_error error;
        uint16_t port, connect_port;
    } cases[] = {
        {"192.0.43.7", "192.0.43.7", FETCH_OK, 80, 80},
        {"[2606:4700::1]", "2606:4700::1", FETCH_OK, 443, 443},
        {"2606:4700::1", "2606:4700::1", FETCH_OK, 443, 443},
        {"ruled.test", "93.184.215.14", FETCH_OK, 80, 8080},
        {"RULED.test", "93.184.215.14", FETCH_OK, 80, 8080},
        {"private.test", "", FETCH_REFUSED, 80, 0},
        {"10.0.0.1", "", FETCH_REFUSED, 80, 0},
        {"[::1]", "", FETCH_REFUSED, 80, 0},
        {"[::ffff:127.0.0.1]", "", FETCH_REFUSED, 80, 0},
        {"localhost", "", FETCH_REFUSED, 80, 0},
    };
    static const char *const rules[] = {"ruled.test:80:93.184.215.14:8080",
                                        "private.test:80:10.1.2.3", NULL};
    struct fixture f;
    char text[46];

    (void)state;
    fixture_init(&f, NULL);
    f.config.allow_private = false;
    f.config.resolve = rules;
    fixture_start(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arrival *a = fixture_ask(&f, resolve(cases[i].host, cases[i].port));

        assert_int_equal(a->reply.error, cases[i].error);
        assert_string_equal(address_show(&a->reply.peer, text), cases[i].address);
        assert_int_equal(a->reply.connect_port, cases[i].connect_port);
        arrival_release(a);
    }
    fixture_end(&f);
}

static void localhost_is_this_machine_without_asking_anybody(void **state)
{
    struct fixture f;
    struct arrival *a;
    char text[46];

    (void)state;
    fixture_init(&f, NULL);
    fixture_start(&f);
    a = fixture_ask(&f, resolve("localhost", 81));
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_string_equal(address_show(&a->reply.peer, text), "127.0.0.1");
    assert_int_equal(a->reply.connect_port, 81);
    arrival_release(a);
    fixture_end(&f);
}

static void the_guard_stands_before_every_socket(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    f.config.allow_private = false;
    fixture_start(&f);
    a = fixture_get(&f, "/"); /* says itself that it goes to 127.0.0.1 */
    assert_int_equal(a->reply.error, FETCH_REFUSED);
    assert_str(a->reply.error_text, "the address is refused: loopback");
    arrival_release(a);
    assert_int_equal(server_connections(f.server), 0);
    fixture_end(&f);
}

static void a_request_without_an_address_is_looked_up_first(void **state)
{
    struct fixture f;
    struct arrival *a;
    struct request *r;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    r = fixture_request(&f, "localhost", "/");
    r->address.family = 0;
    a = fixture_ask(&f, r);
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_int_equal(a->reply.status, 200);
    arrival_release(a);
    fixture_end(&f);
}

static void nobody_listening_is_a_connect_error(void **state)
{
    struct fixture f;
    struct arrival *a;
    struct request *r;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    r = fixture_request(&f, "site.test", "/");
    r->connect_port = 1;
    a = fixture_ask(&f, r);
    assert_int_equal(a->reply.error, FETCH_CONNECT);
    assert_true(a->reply.error_text.len > 0);
    arrival_release(a);
    fixture_end(&f);
}

static void a_proxy_gets_the_whole_url(void **state)
{
    char proxy[64];
    struct fixture f;
    struct arrival *a;
    struct request *r;

    (void)state;
    fixture_init(&f, answer);
    (void)snprintf(proxy, sizeof proxy, "http://127.0.0.1:%u", (unsigned)server_port(f.server));
    f.config.proxy = proxy;
    f.config.allow_private = false; /* the proxy itself is the user's choice */
    fixture_start(&f);
    r = request_new(REQUEST_PAGE, STR("http://far.test/a"), STR("far.test"), STR(""), STR(""));
    r->port = 80;
    a = fixture_ask(&f, r);
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_int_equal(a->reply.status, 200);
    arrival_release(a);
    fixture_end(&f);
}

/* ---- TLS ------------------------------------------------------------------- */

static struct arrival *get_secure(struct fixture *f, const char *host)
{
    struct buf href = BUF_INIT(LIMIT_URL);
    struct request *r;

    buf_addf(&href, "https://%s/", host);
    r = request_new(REQUEST_PAGE, buf_str(&href), str_of(host), STR(""), STR(""));
    buf_free(&href);
    r->port = 443;
    r->tls = true;
    r->connect_port = server_port(f->server);
    r->address = (struct address){4, {127, 0, 0, 1}};
    return fixture_ask(f, r);
}

static void certificates_are_verified_for_the_name_of_the_url(void **state)
{
    char ca[512];
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, NULL);
    (void)snprintf(ca, sizeof ca, "%s/ca.pem", test_dir());
    f.server = server_start_tls(answer, ca);
    f.config.ca_file = ca;
    fixture_start(&f);
    a = get_secure(&f, "secure.test");
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_str(buf_str(&a->reply.body), "<p>hello");
    arrival_release(a);
    a = get_secure(&f, "other.test");
    assert_int_equal(a->reply.error, FETCH_TLS);
    assert_int_equal(a->reply.status, 0);
    arrival_release(a);
    fetch_web.stop(f.fetch);
    f.config.ca_file = NULL;
    fixture_start(&f);
    a = get_secure(&f, "secure.test");
    assert_int_equal(a->reply.error, FETCH_TLS);
    arrival_release(a);
    fixture_end(&f);
}

/* ---- cookies --------------------------------------------------------------- */

static void cookies_return_to_their_host_alone(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    f.config.threads = 1; /* both hosts share one jar */
    fixture_start(&f);
    arrival_release(fixture_ask(&f, fixture_request(&f, "one.test", "/set")));
    a = fixture_ask(&f, fixture_request(&f, "one.test", "/cookie"));
    assert_str(buf_str(&a->reply.body), "sid=42");
    arrival_release(a);
    a = fixture_ask(&f, fixture_request(&f, "two.test", "/cookie"));
    assert_int_equal(a->reply.body.len, 0);
    arrival_release(a);
    fixture_end(&f);
}

static void cookies_of_the_users_file_are_sent(void **state)
{
    char path[512];
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    (void)snprintf(path, sizeof path, "%s/cookies.txt", test_dir());
    assert_int_equal(file_write(path, STR("# Netscape HTTP Cookie File\n"
                                          "one.test\tFALSE\t/\tFALSE\t0\tkey\tvalue\n")),
                     ST_OK);
    f.config.cookies = path;
    fixture_start(&f);
    a = fixture_ask(&f, fixture_request(&f, "one.test", "/cookie"));
    assert_str(buf_str(&a->reply.body), "key=value");
    arrival_release(a);
    a = fixture_ask(&f, fixture_request(&f, "two.test", "/cookie"));
    assert_int_equal(a->reply.body.len, 0);
    arrival_release(a);
    fixture_end(&f);
}

static void a_jar_that_grows_too_large_is_emptied(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    f.config.threads = 1;
    fixture_start(&f);
    arrival_release(fixture_ask(&f, fixture_request(&f, "one.test", "/set")));
    for (int i = 0; i <= LIMIT_COOKIES / 400; i++)
        arrival_release(fixture_ask(&f, fixture_request(&f, "many.test", "/set-many")));
    a = fixture_ask(&f, fixture_request(&f, "one.test", "/cookie"));
    assert_int_equal(a->reply.body.len, 0);
    arrival_release(a);
    arrival_release(fixture_ask(&f, fixture_request(&f, "one.test", "/set")));
    a = fixture_ask(&f, fixture_request(&f, "one.test", "/cookie"));
    assert_str(buf_str(&a->reply.body), "sid=42");
    arrival_release(a);
    fixture_end(&f);
}

/* ---- threads --------------------------------------------------------------- */

static void on_digest(void *ctx, unsigned thread, struct arrival *a)
{
    atomic_uint *seen = ctx;

    assert_true(thread < 4);
    assert_non_null(a->request);
    atomic_fetch_add(&seen[thread], 1);
}

static void many_hosts_on_many_threads_all_arrive(void **state)
{
    atomic_uint seen[4] = {0};
    struct fixture f;
    unsigned sent = 0, came = 0, total = 400;

    (void)state;
    fixture_init(&f, answer);
    f.config.threads = 4;
    f.config.connections = 16;
    f.config.digest = on_digest;
    f.config.digest_ctx = seen;
    fixture_start(&f);
    assert_int_equal(fetch_web.slots(f.fetch), 16);
    while (came < total) {
        struct arrival *a[8];
        size_t n;

        while (sent < total && fetch_web.slots(f.fetch) > 0) {
            char host[32];

            (void)snprintf(host, sizeof host, "h%u.test", sent++ % 20);
            assert_true(fetch_web.submit(f.fetch, fixture_request(&f, host, "/")));
        }
        n = fetch_web.take(f.fetch, a, 8, 600 * US_PER_S);
        assert_true(n > 0);
        for (size_t i = 0; i < n; i++, came++) {
            assert_int_equal(a[i]->reply.error, FETCH_OK);
            arrival_release(a[i]);
        }
    }
    assert_int_equal(fetch_web.counts(f.fetch).requests, total);
    assert_int_equal(fetch_web.counts(f.fetch).in_flight, 0);
    assert_int_equal(seen[0] + seen[1] + seen[2] + seen[3], total);
    fixture_end(&f);
}

static void submit_says_no_when_all_connections_are_busy(void **state)
{
    struct fixture f;
    struct request *r;

    (void)state;
    fixture_init(&f, answer);
    f.config.connections = 2;
    fixture_start(&f);
    assert_true(fetch_web.submit(f.fetch, fixture_request(&f, "a.test", "/slow")));
    assert_true(fetch_web.submit(f.fetch, fixture_request(&f, "b.test", "/slow")));
    assert_int_equal(fetch_web.slots(f.fetch), 0);
    r = fixture_request(&f, "c.test", "/");
    assert_false(fetch_web.submit(f.fetch, r));
    free(r);
    fixture_end(&f); /* with both still under way */
}

static void stopping_takes_everything_along(void **state)
{
    static const char *const paths[] = {"/", "/slow", "/chunked"};

    (void)state;
    for (int round = 0; round < 10; round++) {
        struct fixture f;

        fixture_init(&f, answer);
        fixture_start(&f);
        for (int i = 0; i < 7; i++)
            assert_true(fetch_web.submit(f.fetch, fixture_request(&f, "site.test", paths[i % 3])));
        assert_true(fetch_web.submit(f.fetch, resolve("nowhere.invalid", 80)));
        if (round % 2)
            clock_sleep(5000);
        fixture_end(&f);
    }
}

static void a_wake_ends_a_wait(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, NULL);
    fixture_start(&f);
    fetch_web.wake(f.fetch);
    assert_int_equal(fetch_web.take(f.fetch, &a, 1, 600 * US_PER_S), 0);
    fixture_end(&f);
}

static void a_slow_rate_still_fetches_everything(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f, answer);
    f.config.threads = 1;
    f.config.rate = 20000;
    fixture_start(&f);
    for (int i = 0; i < 6; i++)
        assert_true(fetch_web.submit(f.fetch, fixture_request(&f, "site.test", "/chunked")));
    for (int i = 0; i < 6; i++) {
        struct arrival *a;

        assert_int_equal(fetch_web.take(f.fetch, &a, 1, 600 * US_PER_S), 1);
        assert_int_equal(a->reply.error, FETCH_OK);
        arrival_release(a);
    }
    fixture_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_comes_with_its_head_and_its_peer),
        cmocka_unit_test(a_chunked_body_is_joined_and_its_trailers_left_out),
        cmocka_unit_test(interim_answers_leave_no_trace),
        cmocka_unit_test(redirects_are_reported_not_followed),
        cmocka_unit_test(a_connection_is_kept_for_the_next_page),
        cmocka_unit_test(a_request_says_who_asks_and_what_it_takes),
        cmocka_unit_test(the_head_of_each_request_is_kept),
        cmocka_unit_test(robots_txt_is_asked_for_unencoded),
        cmocka_unit_test(validators_make_a_request_conditional),
        cmocka_unit_test(a_line_for_a_place_goes_there_and_nowhere_else),
        cmocka_unit_test(headers_that_would_break_a_request_are_refused),
        cmocka_unit_test(names_and_numbers_resolve_to_one_address),
        cmocka_unit_test(localhost_is_this_machine_without_asking_anybody),
        cmocka_unit_test(the_guard_stands_before_every_socket),
        cmocka_unit_test(a_request_without_an_address_is_looked_up_first),
        cmocka_unit_test(nobody_listening_is_a_connect_error),
        cmocka_unit_test(a_proxy_gets_the_whole_url),
        cmocka_unit_test(certificates_are_verified_for_the_name_of_the_url),
        cmocka_unit_test(cookies_return_to_their_host_alone),
        cmocka_unit_test(cookies_of_the_users_file_are_sent),
        cmocka_unit_test(a_jar_that_grows_too_large_is_emptied),
        cmocka_unit_test(many_hosts_on_many_threads_all_arrive),
        cmocka_unit_test(submit_says_no_when_all_connections_are_busy),
        cmocka_unit_test(stopping_takes_everything_along),
        cmocka_unit_test(a_wake_ends_a_wait),
        cmocka_unit_test(a_slow_rate_still_fetches_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
