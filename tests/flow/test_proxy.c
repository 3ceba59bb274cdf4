/* Where requests go: no environment variable changes it, and behind a proxy the
 * guard still works. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "site.h"

#include "base/mem.h"

#include <stdlib.h>

#define FAR "http://far.example"

static struct site *direct, *trap;

static const struct site_page inner_pages[] = {
    {"/", .body = "<title>inside</title> reefs <a href=/next>next</a>"},
    {"/next", .body = "<title>next</title> reefs"},
};

/* Variables that libcurl reads by default. */
static void set_environment(const char *proxy)
{
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                        "ALL_PROXY",  "no_proxy",    "NO_PROXY"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *value = i < 5 ? proxy : "*";

        if (proxy)
            (void)setenv(names[i], value, 1);
        else
            (void)unsetenv(names[i]);
    }
}

static void no_variable_sends_a_crawl_through_a_proxy(void **state)
{
    (void)state;
    set_environment(site_url(trap, ""));
    (void)unsetenv("no_proxy");
    (void)unsetenv("NO_PROXY");
    assert_code(brood("crawl", "reefs", "--seed", "http://near.example/", "--out", fresh("env"),
                      "--quiet", "--allow-private", "--delay", "0", "--resolve",
                      site_resolve(direct)),
                0);
    set_environment(NULL);
    assert_int_equal(crawl_pages(fresh("env")), 2);
    assert_int_equal(site_total(trap), 0);
}

/* Links to everything that is inside, as a public page may name it. */
static const char *far_page(const char *path)
{
    static const char *const inside[] = {"127.0.0.1",
                                         "localhost",
                                         "a.localhost.",
                                         "[::1]",
                                         "2130706433",
                                         "0x7f.1",
                                         "[::ffff:127.0.0.1]",
                                         "127.1",
                                         "10.0.0.1",
                                         "169.254.169.254",
                                         "[fe80::1]",
                                         "0",
                                         "LOCALHOST",
                                         "ip6-localhost",
                                         "metadata.google.internal"};
    struct buf out = BUF_INIT(65536);
    const char *ret;

    (void)path;
    buf_add_z(&out, "<title>far</title> reefs <a href=/two>two</a>"
                    "<a href=http://far.example:25/>mail</a>"
                    "<a href=http://far.example:6379/>redis</a>"
                    "<a href=https://far.example:22/>shell</a>");
    for (size_t i = 0; i < ARRAY_LEN(inside); i++)
        buf_addf(&out, "<a href='http://%s:%s/'>in</a>", inside[i],
                 strrchr(site_url(direct, ""), ':') + 1);
    ret = keep(str_dup(buf_str(&out)));
    buf_free(&out);
    return ret;
}

static const struct site_page proxy_pages[] = {
    {FAR "/two", .body = "<title>two</title> reefs"},
    {FAR "/robots.txt", .type = "text/plain", .body = ""},
    {FAR "/", .make = far_page},
};

static void behind_a_proxy_nothing_leads_inside(void **state)
{
    struct site *proxy = site_start(proxy_pages, ARRAY_LEN(proxy_pages));
    const char *dir = fresh("proxied");
    unsigned before = site_total(direct);

    (void)state;
    set_environment(site_url(trap, "")); /* NO_PROXY=* says: connect directly */
    assert_code(brood("crawl", "reefs", "--seed", FAR "/", "--out", dir, "--quiet", "--contact",
                      "tests@example.org", "--delay", "0", "--proxy", site_url(proxy, "")),
                0);
    set_environment(NULL);
    assert_int_equal(crawl_pages(dir), 2);
    assert_int_equal(site_total(proxy), 3); /* two pages and robots.txt */
    assert_int_equal(site_total(direct), before);
    assert_int_equal(site_total(trap), 0);
    assert_int_equal(crawl_drops(dir, "port"), 3);
    /* 127.0.0.1 has three more spellings, localhost one */
    assert_int_equal(crawl_drops(dir, "address"), 15 - 4);
    assert_says(brood("explain", dir, "http://far.example:6379/").out,
                "belongs to another service");
}

static void behind_a_proxy_a_name_is_asked_only_with_a_contact(void **state)
{
    struct site *proxy = site_start(proxy_pages, ARRAY_LEN(proxy_pages));

    (void)state;
    (void)brood("crawl", "reefs", "--seed", FAR "/", "--out", fresh("nobody"), "--quiet", "--delay",
                "0", "--proxy", site_url(proxy, ""));
    assert_int_equal(site_total(proxy), 0);
}

static void a_search_engine_at_another_service_is_refused(void **state)
{
    struct ran r = brood("crawl", "reefs", "--search", "http://127.0.0.1:6379/?q={}", "--out",
                         fresh("searched"), "--quiet", "--allow-private");

    (void)state;
    assert_says(r.err, "the port is refused: redis");
}

/* It would look names up on this machine, past the guard. */
static void a_proxy_that_resolves_no_names_is_refused(void **state)
{
    struct ran r = brood("crawl", "reefs", "--seed", FAR "/", "--out", fresh("socks"), "--contact",
                         "tests@example.org", "--proxy", "socks5://127.0.0.1:1080");

    (void)state;
    assert_code(r, 2);
    assert_says(r.err, "socks5h://");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_variable_sends_a_crawl_through_a_proxy),
        cmocka_unit_test(behind_a_proxy_nothing_leads_inside),
        cmocka_unit_test(behind_a_proxy_a_name_is_asked_only_with_a_contact),
        cmocka_unit_test(a_search_engine_at_another_service_is_refused),
        cmocka_unit_test(a_proxy_that_resolves_no_names_is_refused),
    };

    direct = site_start(inner_pages, ARRAY_LEN(inner_pages));
    trap = site_start(inner_pages, ARRAY_LEN(inner_pages));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
