/* Which URLs belong to the crawl. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "frontier/scope.h"

#include <stdlib.h>

/* The host in "http://host:port/..." without the port. */
static bool has(const struct scope *s, const char *href)
{
    struct str h = str_of(href);
    size_t from = str_find(h, STR("://"), 0) + 3;
    size_t to = str_find_char(h, '/', from);
    size_t colon = str_find_char(str_sub(h, 0, to), ':', from);

    return scope_has(s, h, str_sub(h, from, colon < to ? colon : to));
}

static void without_rules_everything_is_in(void **state)
{
    struct scope *s = scope_new();

    (void)state;
    assert_true(has(s, "http://example.org/"));
    scope_seed(s, STR("example.com"));
    assert_true(has(s, "http://example.org/"));
    scope_free(s);
}

static void same_host_is_the_very_host_of_a_seed(void **state)
{
    struct scope *s = scope_new();

    (void)state;
    assert_int_equal(scope_allow(s, STR("same-host")), ST_OK);
    scope_seed(s, STR("www.example.org"));
    assert_true(has(s, "http://www.example.org/a"));
    assert_true(has(s, "https://www.example.org:8443/a"));
    assert_false(has(s, "http://example.org/a"));
    assert_false(has(s, "http://a.www.example.org/a"));
    scope_free(s);
}

static void same_site_is_the_registrable_domain(void **state)
{
    struct scope *s = scope_new();

    (void)state;
    assert_int_equal(scope_allow(s, STR("same-site")), ST_OK);
    scope_seed(s, STR("www.example.co.uk"));
    scope_seed(s, STR("alice.github.io"));
    scope_seed(s, STR("10.1.2.3"));
    scope_seed(s, STR("localhost"));
    scope_seed(s, STR("site7.test"));
    assert_true(has(s, "http://example.co.uk/"));
    assert_true(has(s, "http://a.b.example.co.uk/"));
    assert_false(has(s, "http://other.co.uk/"));
    assert_false(has(s, "http://notexample.co.uk/"));
    assert_true(has(s, "http://alice.github.io/x"));
    assert_false(has(s, "http://bob.github.io/x"));
    assert_true(has(s, "http://10.1.2.3/"));
    assert_false(has(s, "http://11.1.2.3/"));
    assert_true(has(s, "http://localhost/"));
    assert_true(has(s, "http://www.site7.test/"));
    assert_false(has(s, "http://site8.test/"));
    scope_free(s);
}

static void patterns_are_globs_over_url_or_host_and_path(void **state)
{
    struct scope *s = scope_new();

    (void)state;
    assert_int_equal(scope_allow(s, STR("Example.org/Docs/*")), ST_OK);
    assert_int_equal(scope_allow(s, STR("https://only.tls/*")), ST_OK);
    assert_int_equal(scope_allow(s, STR("*.whole.net")), ST_OK);
    assert_int_equal(scope_allow(s, STR("*calendar*")), ST_OK);
    assert_true(has(s, "http://example.org/Docs/a?b"));
    assert_true(has(s, "http://example.org:8080/Docs/a"));
    assert_false(has(s, "http://example.org/docs/a"));
    assert_false(has(s, "http://example.org/Docs"));
    assert_true(has(s, "https://only.tls/x"));
    assert_false(has(s, "http://only.tls/x"));
    assert_true(has(s, "http://a.whole.net/any/path"));
    assert_true(has(s, "http://elsewhere.org/x/calendar/y"));
    assert_false(has(s, "http://elsewhere.org/x"));
    scope_free(s);
}

static void exclusion_wins_over_everything(void **state)
{
    struct scope *s = scope_new();

    (void)state;
    assert_int_equal(scope_allow(s, STR("same-host")), ST_OK);
    assert_int_equal(scope_allow(s, STR("*")), ST_OK);
    assert_int_equal(scope_exclude(s, STR("*/private/*")), ST_OK);
    scope_seed(s, STR("example.org"));
    assert_true(has(s, "http://example.org/public/x"));
    assert_false(has(s, "http://example.org/private/x"));
    scope_free(s);
}

static void excluded_hosts_take_their_subdomains_with_them(void **state)
{
    struct scope *s = scope_new();

    (void)state;
    assert_int_equal(scope_exclude_hosts(s, STR("# ads\n\nAds.Example.com  # a comment\r\n"
                                                "*.tracker.net\nb\xc3\xbc"
                                                "cher.de\n127.0.0.1")),
                     ST_OK);
    assert_false(has(s, "http://ads.example.com/"));
    assert_false(has(s, "http://x.ads.example.com/"));
    assert_true(has(s, "http://example.com/"));
    assert_true(has(s, "http://bads.example.com/"));
    assert_false(has(s, "http://tracker.net/"));
    assert_false(has(s, "http://xn--bcher-kva.de/"));
    assert_false(has(s, "http://127.0.0.1/"));
    scope_free(s);
}

static void any_is_everything(void **state)
{
    struct scope *s = scope_new();

    (void)state;
    assert_int_equal(scope_allow(s, STR("any")), ST_OK);
    assert_int_equal(scope_exclude(s, STR("*.ads.net")), ST_OK);
    assert_true(has(s, "https://elsewhere.org/any"));
    assert_false(has(s, "https://www.ads.net/"));
    scope_free(s);
}

static void rules_that_make_no_sense_are_refused(void **state)
{
    struct scope *s = scope_new();

    (void)state;
    assert_int_equal(scope_allow(s, STR("  ")), ST_USAGE);
    assert_int_equal(scope_exclude(s, STR("")), ST_USAGE);
    assert_int_equal(scope_exclude_hosts(s, STR("good.org\nhttp://bad.org/")), ST_INVALID);
    assert_non_null(strstr(status_text(), "line 2"));
    assert_int_equal(scope_exclude_hosts(s, STR("a b")), ST_INVALID);
    scope_free(s);
    scope_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_rules_everything_is_in),
        cmocka_unit_test(same_host_is_the_very_host_of_a_seed),
        cmocka_unit_test(same_site_is_the_registrable_domain),
        cmocka_unit_test(patterns_are_globs_over_url_or_host_and_path),
        cmocka_unit_test(exclusion_wins_over_everything),
        cmocka_unit_test(excluded_hosts_take_their_subdomains_with_them),
        cmocka_unit_test(any_is_everything),
        cmocka_unit_test(rules_that_make_no_sense_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
