/* test_guard.c - who may ask the dashboard. SPDX-License-Identifier: MIT */
#include "dash/guard.h"
#include "support/support.h"

#include <stdlib.h>

static void only_our_own_names_are_hosts(void **state)
{
    static const struct {
        const char *bind, *host;
        bool good;
    } cases[] = {
        {"127.0.0.1", "127.0.0.1:8400", true},
        {"127.0.0.1", "127.0.0.1", true},
        {"127.0.0.1", "localhost:8400", true},
        {"127.0.0.1", "LOCALHOST:8400", true},
        {"127.0.0.1", "[::1]:8400", true},
        {"192.168.0.7", "192.168.0.7:8400", true},
        {"fe80::1", "[fe80::1]:8400", true},
        {"127.0.0.1", "127.0.0.1:8401", false},
        {"127.0.0.1", "127.0.0.1:84000", false},
        {"127.0.0.1", "127.0.0.1:", false},
        {"127.0.0.1", "127.0.0.1.evil.example:8400", false},
        {"127.0.0.1", "localhost.evil.example", false},
        {"127.0.0.1", "evil.example:8400", false},
        {"127.0.0.1", "192.168.0.7:8400", false},
        {"127.0.0.1", "", false},
        {"127.0.0.1", "user@127.0.0.1:8400", false},
        {"127.0.0.1", "localhost.:8400", false},
        {"127.0.0.1", "0.0.0.0:8400", false},
        {"127.0.0.1", "[::ffff:127.0.0.1]:8400", false},
        {"0.0.0.0", "0.0.0.0:8400", false},
        {"0.0.0.0", "localhost:8400", true},
        {"::", "[::]:8400", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (guard_host(cases[i].bind, 8400, str_of(cases[i].host)) != cases[i].good)
            fail_msg("bound to %s: '%s'", cases[i].bind, cases[i].host);
}

static void an_origin_is_http_and_our_host(void **state)
{
    (void)state;
    assert_true(guard_origin("127.0.0.1", 8400, STR("http://127.0.0.1:8400")));
    assert_true(guard_origin("127.0.0.1", 8400, STR("http://localhost:8400")));
    assert_false(guard_origin("127.0.0.1", 8400, STR("https://127.0.0.1:8400")));
    assert_false(guard_origin("127.0.0.1", 8400, STR("http://evil.example")));
    assert_false(guard_origin("127.0.0.1", 8400, STR("http://127.0.0.1:8401")));
    assert_false(guard_origin("127.0.0.1", 8400, STR("null")));
    assert_false(guard_origin("127.0.0.1", 8400, STR("")));
}

static void other_pages_build_nothing_in(void **state)
{
    (void)state;
    assert_true(guard_fetch(STR(""), STR(""), STR("")));
    assert_true(guard_fetch(STR("none"), STR("navigate"), STR("document")));
    assert_true(guard_fetch(STR("same-origin"), STR("cors"), STR("empty")));
    assert_true(guard_fetch(STR("cross-site"), STR("navigate"), STR("document")));
    assert_false(guard_fetch(STR("cross-site"), STR("navigate"), STR("iframe")));
    assert_false(guard_fetch(STR("cross-site"), STR("no-cors"), STR("script")));
    assert_false(guard_fetch(STR("same-site"), STR("cors"), STR("empty")));
    assert_false(guard_fetch(STR("other"), STR(""), STR("")));
}

static void a_token_fits_as_a_whole(void **state)
{
    (void)state;
    assert_true(guard_token("00ff", STR("00ff")));
    assert_false(guard_token("00ff", STR("00f")));
    assert_false(guard_token("00ff", STR("00ff0")));
    assert_false(guard_token("00ff", STR("00fe")));
    assert_false(guard_token("00ff", STR("")));
    assert_false(guard_token("00ff", (struct str){NULL, 0}));
}

static void paths_have_no_tricks(void **state)
{
    static const char *const good[] = {"/", "/api/crawls", "/api/crawls/ab/pages?q=a%20b&n=1",
                                       "/api/crawls/ab/pages?q=100%25", "/api?x=.."};
    static const char *const bad[] = {
        "",         "*",    "http://x/", "/..",          "/../etc/passwd", "/a/../b",
        "/%2e%2e/", "//",   "//evil",    "/api//crawls", "/a%00",          "/a?b=%00",
        "/a\tb",    "/a b", "/\xc3\xa9", "/a\x7f",       "/..%2f",         "/%61pi/crawls",
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!guard_url(str_of(good[i])))
            fail_msg("refused: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (guard_url(str_of(bad[i])))
            fail_msg("taken: %s", bad[i]);
}

static void a_long_url_is_refused(void **state)
{
    char url[9000];

    (void)state;
    memset(url, 'a', sizeof url);
    url[0] = '/';
    assert_true(guard_url((struct str){url, 8192}));
    assert_false(guard_url((struct str){url, 8193}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_our_own_names_are_hosts),
        cmocka_unit_test(an_origin_is_http_and_our_host),
        cmocka_unit_test(other_pages_build_nothing_in),
        cmocka_unit_test(a_token_fits_as_a_whole),
        cmocka_unit_test(paths_have_no_tricks),
        cmocka_unit_test(a_long_url_is_refused),
    };

    return cmocka_run_group_tests_name("dash guard", tests, NULL, NULL);
}
