/* What hosts can make the frontier keep: URLs, names, rules of robots.txt files.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/limits.h"
#include "base/mem.h"
#include "parse/url_norm.h"

#include <stdio.h>
#include <stdlib.h>

#define LONG_PATH 1900

/* A URL with a long path, by number. */
static const char *long_url(const char *host, unsigned n)
{
    static char text[LONG_PATH + 100];
    int len = snprintf(text, sizeof text, "http://%s/%u-", host, n);

    memset(text + len, 'x', LONG_PATH);
    text[len + LONG_PATH] = '\0';
    return text;
}

/* A page of the host names a URL. */
static enum drop name(struct fake *k, uint32_t host, const char *url, uint32_t *ret_id)
{
    struct link link = {.url = str_of(url), .key = url_key(str_of(url))};
    struct naming by = {.page = 1, .host = host, .depth = 1, .feed = FEED_ALL};
    bool is_new;

    return frontier_meet_from(k->f, &link, &by, ret_id, &is_new);
}

/* A host has numbers from 1 in the order in which hosts are met. */
static uint32_t seed(struct fake *k, const char *url)
{
    fake_meet(k, url, 0, NULL);
    return frontier_counts(k->f).hosts;
}

static uint64_t bytes_of_urls(const struct fake *k)
{
    struct frontier_counts c = frontier_counts(k->f);

    return c.bytes_urls + c.bytes_hosts;
}

/* ---- dropped at sight ---------------------------------------------------- */

static void urls_dropped_at_sight_keep_their_verdict_and_nothing_else(void **state)
{
    struct frontier_config c = fake_config();
    struct scope *scope = scope_new();
    uint32_t host, id, again;
    uint64_t before;
    struct url_view view;
    char url[64];
    struct fake k;

    (void)state;
    assert_int_equal(scope_exclude(scope, STR("*.evil.org/*")), ST_OK);
    c.scope = scope;
    fake_init(&k, &c);
    host = seed(&k, "http://a.org/");
    before = bytes_of_urls(&k);
    for (unsigned i = 0; i < 20000; i++) {
        (void)snprintf(url, sizeof url, "h%u.evil.org", i);
        assert_int_equal(name(&k, host, long_url(url, i), &id), DROP_SCOPE);
        assert_int_equal(id, 2 + i);
    }
    assert_in_range((bytes_of_urls(&k) - before) / 20000, 0, 80);
    assert_int_equal(frontier_counts(k.f).hosts, 1);
    /* the verdict stands, and no visit comes of it */
    assert_int_equal(name(&k, host, long_url("h7.evil.org", 7), &again), DROP_SCOPE);
    assert_int_equal(again, 9);
    assert_true(frontier_url(k.f, again, &view));
    assert_int_equal(view.drop, DROP_SCOPE);
    assert_int_equal(view.href.len, 0);
    assert_int_equal(frontier_add(k.f, &(struct choice){.url = again}, k.now), DROP_SCOPE);
    assert_int_equal(frontier_add(k.f, &(struct choice){.url = again, .refresh = true}, k.now),
                     DROP_SCOPE);
    fake_free(&k);
    scope_free(scope);
}

static void a_url_too_deep_at_first_gets_its_path_on_a_shorter_way(void **state)
{
    struct frontier_config c = fake_config();
    struct url_view view;
    enum drop why;
    struct fake k;
    uint32_t id;

    (void)state;
    c.max_depth = 2;
    fake_init(&k, &c);
    id = fake_meet(&k, "https://a.org/far?q", 3, &why);
    assert_int_equal(why, DROP_DEPTH);
    assert_int_equal(frontier_counts(k.f).hosts, 0);
    assert_int_equal(fake_meet(&k, "https://a.org/far?q", 2, &why), id);
    assert_int_equal(why, DROP_NONE);
    assert_true(frontier_url(k.f, id, &view));
    assert_str(view.href, "https://a.org/far?q");
    assert_int_equal(frontier_add(k.f, &(struct choice){.url = id}, k.now), DROP_NONE);
    assert_non_null(fake_page(&k, ""));
    fake_free(&k);
}

/* ---- what a domain may name ---------------------------------------------- */

static struct frontier_config small_budget(void)
{
    struct frontier_config c = fake_config();

    c.host_urls = 1000;
    c.url_step = 100;
    return c;
}

/* The host of a URL that another page named. */
static uint32_t met_host(struct fake *k, const char *url)
{
    fake_meet(k, url, 1, NULL);
    return frontier_counts(k->f).hosts;
}

static unsigned named_of(struct fake *k, uint32_t host, const char *target, unsigned from,
                         unsigned to)
{
    unsigned taken = 0;
    char url[100];
    uint32_t id;

    for (unsigned i = from; i < to; i++) {
        (void)snprintf(url, sizeof url, "http://%s/%u", target, i);
        taken += name(k, host, url, &id) == DROP_NONE;
        assert_int_equal(id == 0, i - from >= taken);
    }
    return taken;
}

static void a_domain_names_so_many_urls_and_earns_more(void **state)
{
    struct frontier_config c = small_budget();
    uint32_t evil, other, first, id;
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    evil = met_host(&k, "http://evil.org/");
    other = met_host(&k, "http://other.org/");
    first = fake_meet(&k, "http://evil.org/", 1, NULL);
    assert_int_equal(named_of(&k, evil, "evil.org", 0, 5000), 1000);
    assert_int_equal(name(&k, evil, "http://evil.org/one-more", &id), DROP_BUDGET);
    assert_int_equal(id, 0);
    /* known ones stay known, and others may still name what lies there */
    assert_int_equal(name(&k, evil, "http://evil.org/7", &id), DROP_NONE);
    assert_int_equal(named_of(&k, other, "evil.org", 5000, 5100), 100);
    frontier_earned(k.f, first, 0.5f);
    frontier_earned(k.f, first, 0.5f);
    assert_int_equal(named_of(&k, evil, "evil.org", 6000, 7000), 100);
    fake_free(&k);
}

static void long_urls_and_new_names_cost_more(void **state)
{
    struct frontier_config c = small_budget();
    unsigned paths = 0, names = 0;
    uint32_t evil, worse, id;
    char host[64], url[100];
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    evil = met_host(&k, "http://evil.org/");
    worse = met_host(&k, "http://www.worse.org/");
    for (unsigned i = 0; i < 1000; i++)
        paths += name(&k, evil, long_url("evil.org", i), &id) == DROP_NONE;
    assert_int_equal(paths, 1000 / (1 + LONG_PATH / 128));
    for (unsigned i = 0; i < 1000; i++) { /* a wildcard of the DNS: one domain */
        (void)snprintf(host, sizeof host, "h%u.worse.org", i);
        (void)snprintf(url, sizeof url, "http://%s/", host);
        if (name(&k, i % 2 && names ? worse + names : worse, url, &id) == DROP_NONE)
            names++;
    }
    assert_int_equal(names, 1000 / 5);
    fake_free(&k);
}

static void where_a_seed_lies_there_is_no_such_budget(void **state)
{
    struct frontier_config c = small_budget();
    uint32_t www, shop;
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    www = seed(&k, "http://www.a.org/");
    shop = met_host(&k, "http://shop.a.org/");
    assert_int_equal(named_of(&k, www, "www.a.org", 0, 5000), 5000);
    assert_int_equal(named_of(&k, shop, "shop.a.org", 0, 5000), 5000);
    fake_free(&k);
}

static void the_less_memory_is_left_the_less_is_given_on_trust(void **state)
{
    struct frontier_config c = small_budget();
    unsigned first, last = 1000;
    char host[64], url[80];
    enum drop why;
    struct fake k;

    (void)state;
    c.urls_bytes = MIB(4);
    fake_init(&k, &c);
    first = named_of(&k, met_host(&k, "http://h0.org/"), "h0.org", 0, 1000);
    for (unsigned i = 1; i < 500; i++) {
        unsigned taken;

        (void)snprintf(host, sizeof host, "h%u.org", i);
        (void)snprintf(url, sizeof url, "http://%s/", host);
        fake_meet(&k, url, 1, &why);
        if (why == DROP_QUEUE_FULL)
            break;
        taken = named_of(&k, frontier_counts(k.f).hosts, host, 0, 1000);
        assert_true(taken <= last);
        last = taken;
    }
    assert_in_range(first, 500, 1000);
    assert_in_range(last, 0, 100);
    assert_in_range(bytes_of_urls(&k), MIB(3), MIB(5));
    fake_free(&k);
}

/* ---- rules --------------------------------------------------------------- */

/* Rules of some size, with one that forbids /secret. */
static char *rules_text(size_t bytes)
{
    char *text = mem_alloc(bytes + 200);
    size_t len = (size_t)sprintf(text, "User-agent: *\nDisallow: /secret\n");

    for (unsigned i = 0; len < bytes; i++)
        len += (size_t)sprintf(text + len, "Disallow: /path/%u/of/some/length\n", i);
    return text;
}

static void visit_host(struct fake *k, const char *host, const char *path, const char *rules)
{
    char url[100];

    (void)snprintf(url, sizeof url, "http://%s%s", host, path);
    assert_int_equal(fake_add(k, url, 1), DROP_NONE);
    assert_non_null(fake_page(k, rules));
    fake_answer(k, (struct answer){.status = 404});
}

static unsigned robots_asked(struct fake *k, const char *host, const char *path, const char *rules)
{
    unsigned asked = 0;
    char url[100];

    (void)snprintf(url, sizeof url, "http://%s%s", host, path);
    if (fake_add(k, url, 1) != DROP_NONE)
        return 0;
    for (int i = 0; i < 10 && (k->ndue > 0 || fake_step(k) > 0); i++) {
        asked += k->due[0]->kind == REQUEST_ROBOTS;
        fake_answer(k, (struct answer){.body = rules});
    }
    return asked;
}

static void rules_of_idle_hosts_leave_memory_and_are_read_again(void **state)
{
    struct frontier_config c = fake_config();
    char *rules = rules_text(KIB(50)), *small = rules_text(200), host[64];
    struct fake k;
    uint32_t id;

    (void)state;
    c.robots_bytes = KIB(512);
    fake_init(&k, &c);
    visit_host(&k, "modest.org", "/", small);
    for (unsigned i = 0; i < 100; i++) {
        (void)snprintf(host, sizeof host, "h%u.org", i);
        visit_host(&k, host, "/", rules);
        assert_in_range(frontier_counts(k.f).bytes_robots, 1, c.robots_bytes);
    }
    /* a host with small rules keeps them, whatever others have */
    assert_int_equal(robots_asked(&k, "modest.org", "/1", small), 0);
    /* large ones are asked for again before the next page, and obeyed */
    assert_int_equal(robots_asked(&k, "h0.org", "/1", rules), 1);
    assert_int_equal(robots_asked(&k, "h1.org", "/secret", rules), 1);
    id = fake_meet(&k, "http://h1.org/secret", 0, NULL);
    assert_int_equal(fake_dropped(&k, id), DROP_ROBOTS);
    fake_free(&k);
    free(rules);
    free(small);
}

static void hosts_whose_rules_do_not_fit_together_are_all_visited(void **state)
{
    struct frontier_config c = fake_config();
    char *rules = rules_text(KIB(50)), url[64];
    unsigned pages = 0, robots = 0;
    struct fake k;

    (void)state;
    c.robots_bytes = KIB(256);
    fake_init(&k, &c);
    for (unsigned i = 0; i < 50; i++) { /* all wait at once, behind one address */
        (void)snprintf(url, sizeof url, "http://h%u.org/%s", i, i % 2 ? "secret" : "page");
        assert_int_equal(fake_add(&k, url, 1), DROP_NONE);
    }
    for (int i = 0; i < 1000 && (k.ndue > 0 || fake_step(&k) > 0); i++) {
        pages += k.due[0]->kind == REQUEST_PAGE;
        robots += k.due[0]->kind == REQUEST_ROBOTS;
        fake_answer(&k, (struct answer){.body = rules, .ip = 1});
    }
    assert_int_equal(pages, 25);
    assert_int_equal(robots, 50);
    assert_int_equal(k.ndropped, 25);
    for (size_t i = 0; i < k.ndropped; i++)
        assert_int_equal(k.why[i], DROP_ROBOTS);
    fake_free(&k);
    free(rules);
}

static void without_a_ceiling_rules_stay_and_what_is_spared_leaves(void **state)
{
    struct frontier_config c = fake_config();
    char *rules = rules_text(KIB(50));
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    visit_host(&k, "a.org", "/", rules);
    visit_host(&k, "b.org", "/", rules);
    assert_int_equal(robots_asked(&k, "a.org", "/1", rules), 0);
    assert_int_equal(fake_add(&k, "http://b.org/2", 1), DROP_NONE); /* it has something to do */
    frontier_spare(k.f);
    assert_true(frontier_counts(k.f).bytes_robots > KIB(10));
    assert_non_null(fake_page(&k, NULL));
    fake_answer(&k, (struct answer){.status = 404});
    frontier_spare(k.f);
    assert_int_equal(frontier_counts(k.f).bytes_robots, 0);
    assert_int_equal(robots_asked(&k, "a.org", "/2", rules), 1);
    fake_free(&k);
    free(rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_dropped_at_sight_keep_their_verdict_and_nothing_else),
        cmocka_unit_test(a_url_too_deep_at_first_gets_its_path_on_a_shorter_way),
        cmocka_unit_test(a_domain_names_so_many_urls_and_earns_more),
        cmocka_unit_test(long_urls_and_new_names_cost_more),
        cmocka_unit_test(where_a_seed_lies_there_is_no_such_budget),
        cmocka_unit_test(the_less_memory_is_left_the_less_is_given_on_trust),
        cmocka_unit_test(rules_of_idle_hosts_leave_memory_and_are_read_again),
        cmocka_unit_test(hosts_whose_rules_do_not_fit_together_are_all_visited),
        cmocka_unit_test(without_a_ceiling_rules_stay_and_what_is_spared_leaves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
