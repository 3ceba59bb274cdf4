/* The HTTP request parser of the served world. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "sim/serve/http.h"

#include <stdlib.h>

static void requests_are_read_or_refused_with_the_right_status(void **state)
{
    static const struct {
        const char *text;
        int status;
    } cases[] = {
        {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200},
        {"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 200},
        {"GET / HTTP/1.1\nHost: a\n\n", 200},
        {"GET / HTTP/1.0\r\n\r\n", 200},
        {"GET http://a/b HTTP/1.1\r\nHost: c\r\n\r\n", 200},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 200},
        {"", HTTP_MORE},
        {"\r\n", HTTP_MORE},
        {"GET / HTT", HTTP_MORE},
        {"GET / HTTP/1.1\r\nHost: a\r\n", HTTP_MORE},
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nnocolon\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 501},
        {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
        {"GET / FTP/1.0\r\n\r\n", 400},
        {"GET /\r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET nothing HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"\x16\x03\x01\x02\x01\n", 400},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct http_request r;
        size_t used = 0;
        int found = http_parse(str_of(cases[i].text), &r, &used);

        if (found != cases[i].status)
            fail_msg("case %zu: %d instead of %d", i, found, cases[i].status);
        assert_true(used <= strlen(cases[i].text));
    }
}

static void fields_are_found(void **state)
{
    struct str in =
        STR("HEAD /a?b HTTP/1.1\r\nhOsT:  x.example:80 \r\nIf-None-Match: \"1\", W/\"2\"\r\n"
            "Accept-Encoding: br;q=1, gzip;q=0.5\r\nConnection: foo, close\r\n"
            "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\nGET / HTTP");
    struct http_request r;
    size_t used = 0;

    (void)state;
    assert_int_equal(http_parse(in, &r, &used), HTTP_READY);
    assert_str(str_sub(in, used, in.len), "GET / HTTP");
    assert_str(r.host, "x.example:80");
    assert_str(r.path, "/a?b");
    assert_true(r.is_head && !r.is_get && !r.keep_alive && r.codings == HTTP_GZIP);
    assert_str(r.if_modified_since, "Sun, 06 Nov 1994 08:49:37 GMT");
    assert_true(http_tag_matches(r.if_none_match, STR("\"2\"")));
    assert_true(http_tag_matches(r.if_none_match, STR("W/\"1\"")));
    assert_false(http_tag_matches(r.if_none_match, STR("\"3\"")));
    assert_true(http_tag_matches(STR("*"), STR("\"3\"")));
    assert_false(http_tag_matches(STR("*"), STR("")));
}

static void a_coding_refused_by_weight_zero_is_not_used(void **state)
{
    struct http_request r;
    size_t used;

    (void)state;
    assert_int_equal(
        http_parse(STR("GET / HTTP/1.0\r\nAccept-Encoding: gzip;q=0, br\r\n\r\n"), &r, &used),
        HTTP_READY);
    assert_int_equal(r.codings, 0);
    assert_false(r.keep_alive);
}

static void endless_heads_are_refused(void **state)
{
    struct buf in = BUF_INIT(1 << 20);
    struct http_request r;
    size_t used;

    (void)state;
    buf_add_z(&in, "GET / HTTP/1.1\r\nHost: a\r\n");
    for (int i = 0; i < LIMIT_SERVE_FIELDS + 1; i++)
        buf_add_z(&in, "X: y\r\n");
    assert_int_equal(http_parse(buf_str(&in), &r, &used), 431);
    buf_clear(&in);
    buf_add_z(&in, "GET /");
    while (in.len < LIMIT_SERVE_HEAD)
        buf_add_char(&in, 'a');
    assert_int_equal(http_parse(buf_str(&in), &r, &used), 431);
    buf_free(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_read_or_refused_with_the_right_status),
        cmocka_unit_test(fields_are_found),
        cmocka_unit_test(a_coding_refused_by_weight_zero_is_not_used),
        cmocka_unit_test(endless_heads_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
