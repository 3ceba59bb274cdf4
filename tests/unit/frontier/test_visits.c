/* Links met, choices made, pages asked for: verdicts, order, redirects, budgets.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/limits.h"
#include "parse/url_norm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void a_url_gets_one_number_whatever_its_scheme(void **state)
{
    struct frontier_config c = fake_config();
    struct url_view v;
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    assert_int_equal(fake_meet(&k, "http://a.org/x", 0, NULL), 1);
    assert_int_equal(fake_meet(&k, "http://b.org:81/y?z", 3, NULL), 2);
    assert_int_equal(fake_meet(&k, "https://a.org/x", 0, NULL), 1);
    assert_int_equal(frontier_urls(k.f), 2);
    assert_true(frontier_url(k.f, 1, &v));
    assert_str(v.href, "http://a.org/x");
    assert_true(frontier_url(k.f, 2, &v));
    assert_str(v.href, "http://b.org:81/y?z");
    assert_int_equal(v.depth, 3);
    assert_false(frontier_url(k.f, 0, &v));
    assert_false(frontier_url(k.f, 3, &v));
    assert_int_equal(frontier_find(k.f, url_key(STR("http://a.org/x"))), 1);
    assert_int_equal(frontier_find(k.f, 12345), 0);
    fake_free(&k);
}

static void links_are_judged_when_they_are_met(void **state)
{
    struct frontier_config c = fake_config();
    struct scope *scope = scope_new();
    static char url[LIMIT_URL + 10] = "http://a.org/";
    enum drop why;
    struct fake k;

    (void)state;
    assert_int_equal(scope_exclude(scope, STR("bad.org/*")), ST_OK);
    c.scope = scope;
    c.max_depth = 2;
    c.max_urls = 5;
    fake_init(&k, &c);
    assert_int_equal(fake_meet(&k, "ftp://a.org/", 0, &why), 0);
    assert_int_equal(why, DROP_SCHEME);
    memset(url + 13, 'x', sizeof url - 14);
    assert_int_equal(fake_meet(&k, url, 0, &why), 0);
    assert_int_equal(why, DROP_LONG);
    for (size_t i = 7; i < LIMIT_HOST + 10; i++) /* a host of very many domains */
        url[i] = i % 2 ? 'a' : '.';
    url[LIMIT_HOST + 10] = '\0';
    assert_int_equal(fake_meet(&k, url, 0, &why), 0);
    assert_int_equal(why, DROP_LONG);
    assert_int_equal(fake_meet(&k, "http://bad.org/", 0, &why), 1);
    assert_int_equal(why, DROP_SCOPE);
    assert_int_equal(fake_meet(&k, "http://a.org/deep", 3, &why), 2);
    assert_int_equal(why, DROP_DEPTH);
    assert_int_equal(fake_meet(&k, "http://a.org/deep", 2, &why), 2);
    assert_int_equal(why, DROP_NONE);
    assert_int_equal(fake_meet(&k, "http://a.org/x/x/x/x/x", 0, &why), 3);
    assert_int_equal(why, DROP_TRAP);
    assert_int_equal(fake_meet(&k, "http://bad.org/", 0, &why), 1);
    assert_int_equal(why, DROP_SCOPE);
    assert_int_equal(fake_add(&k, "http://bad.org/", 1), DROP_SCOPE);
    fake_meet(&k, "http://a.org/4", 0, NULL);
    fake_meet(&k, "http://a.org/5", 0, NULL);
    assert_int_equal(fake_meet(&k, "http://a.org/6", 0, &why), 0);
    assert_int_equal(why, DROP_QUEUE_FULL);
    fake_free(&k);
    scope_free(scope);
}

static void the_best_score_goes_first_and_ties_in_order(void **state)
{
    static const char *const order[] = {"http://a.org/c", "http://a.org/b", "http://a.org/d",
                                        "http://a.org/n", "http://a.org/a"};
    struct frontier_config c = fake_config();
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/a", -1);
    fake_add(&k, "http://a.org/b", 2);
    fake_add(&k, "http://a.org/c", 3);
    fake_add(&k, "http://a.org/d", 2);
    fake_add(&k, "http://a.org/n", NAN);
    assert_int_equal(fake_add(&k, "http://a.org/c", 9), DROP_SEEN);
    for (int i = 0; i < 5; i++) {
        assert_non_null(fake_page(&k, ""));
        assert_str(k.due[0]->href, order[i]);
        assert_int_equal(fake_answer(&k, (struct answer){0}).verdict, VERDICT_PAGE);
    }
    assert_null(fake_page(&k, ""));
    fake_free(&k);
}

static void a_request_says_where_to_go(void **state)
{
    struct frontier_config c = fake_config();
    struct request *r;
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    fake_add(&k, "https://a.org:8443/x?y", 0.5f);
    assert_int_equal(fake_step(&k), 1);
    assert_int_equal(k.due[0]->kind, REQUEST_RESOLVE);
    assert_str(k.due[0]->host, "a.org");
    assert_int_equal(k.due[0]->port, 8443);
    fake_answer(&k, (struct answer){.ip = 9});
    fake_step(&k);
    assert_int_equal(k.due[0]->kind, REQUEST_ROBOTS);
    assert_str(k.due[0]->href, "https://a.org:8443/robots.txt");
    assert_int_equal(k.due[0]->address.bytes[3], 9);
    fake_answer(&k, (struct answer){.status = 404});
    r = fake_page(&k, "");
    assert_non_null(r);
    assert_str(r->href, "https://a.org:8443/x?y");
    assert_str(r->host, "a.org");
    assert_true(r->tls);
    assert_int_equal(r->port, 8443);
    assert_int_equal(r->connect_port, 8443);
    assert_int_equal(r->address.family, 4);
    assert_int_equal(r->choice.agent, 1);
    assert_true(r->choice.score > 0.4f);
    fake_free(&k);
}

static void behind_a_proxy_no_address_is_asked_for(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;

    (void)state;
    c.resolve = false;
    c.robots = false;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/1", 0);
    fake_add(&k, "http://a.org/2", 0);
    fake_add(&k, "http://b.org/1", 0);
    assert_int_equal(fake_step(&k), 2);
    assert_int_equal(k.due[0]->kind, REQUEST_PAGE);
    assert_int_equal(k.due[0]->address.family, 0);
    fake_answer(&k, (struct answer){0});
    fake_answer(&k, (struct answer){0});
    assert_int_equal(fake_release(&k), 0);
    assert_int_equal(fake_step(&k), 1);
    fake_free(&k);
}

/* Meets the target of the last reply's redirect and follows it. */
static enum drop follow(struct fake *k, const char *url)
{
    return frontier_redirect(k->f, k->last, fake_meet(k, url, 0, NULL), k->now);
}

static void a_redirect_goes_on_at_its_target(void **state)
{
    struct frontier_config c = fake_config();
    struct url_view v;
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/old", 1);
    assert_non_null(fake_page(&k, ""));
    assert_int_equal(
        fake_answer(&k, (struct answer){.status = 301, .location = "http://b.org/new"}).verdict,
        VERDICT_REDIRECT);
    assert_int_equal(follow(&k, "http://b.org/new"), DROP_NONE);
    assert_non_null(fake_page(&k, ""));
    assert_str(k.due[0]->href, "http://b.org/new");
    assert_int_equal(k.due[0]->hop, 1);
    assert_int_equal(k.due[0]->choice.agent, 1);
    assert_int_equal(k.due[0]->choice.url, 2);
    assert_int_equal(fake_answer(&k, (struct answer){0}).verdict, VERDICT_PAGE);
    frontier_visited(k.f, 2, 77);
    assert_true(frontier_url(k.f, 1, &v));
    assert_int_equal(v.state, URL_VISITED);
    assert_int_equal(v.page, 77);
    assert_int_equal(fake_add(&k, "http://a.org/old", 1), DROP_SEEN);
    fake_free(&k);
}

static void a_redirect_from_http_to_https_of_the_same_page_is_followed(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/", 1);
    assert_non_null(fake_page(&k, ""));
    fake_answer(&k, (struct answer){.status = 301, .location = "https://a.org/"});
    assert_int_equal(follow(&k, "https://a.org/"), DROP_NONE);
    /* The other door has a port, and may have an address, of its own. */
    assert_int_equal(fake_step(&k), 1);
    assert_int_equal(k.due[0]->kind, REQUEST_RESOLVE);
    assert_int_equal(k.due[0]->port, 443);
    fake_answer(&k, (struct answer){0});
    assert_non_null(fake_page(&k, ""));
    assert_str(k.due[0]->href, "https://a.org/");
    fake_answer(&k, (struct answer){.status = 302, .location = "https://a.org/"});
    assert_int_equal(follow(&k, "https://a.org/"), DROP_REDIRECTS);
    fake_free(&k);
}

static void loops_and_long_chains_of_redirects_end(void **state)
{
    struct frontier_config c = fake_config();
    struct reply_verdict v = {VERDICT_REDIRECT, DROP_NONE};
    struct fake k;
    char url[64];
    int hops = 0;

    (void)state;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/1", 1);
    assert_non_null(fake_page(&k, ""));
    fake_answer(&k, (struct answer){.status = 302, .location = "/2"});
    assert_int_equal(follow(&k, "http://a.org/2"), DROP_NONE);
    assert_non_null(fake_page(&k, ""));
    fake_answer(&k, (struct answer){.status = 302, .location = "/1"});
    assert_int_equal(follow(&k, "http://a.org/1"), DROP_REDIRECTS);

    fake_add(&k, "http://a.org/chain0", 1);
    for (; v.verdict == VERDICT_REDIRECT; hops++) {
        assert_non_null(fake_page(&k, ""));
        v = fake_answer(&k, (struct answer){.status = 307, .location = "/next"});
        snprintf(url, sizeof url, "http://a.org/chain%d", hops + 1);
        if (v.verdict == VERDICT_REDIRECT)
            assert_int_equal(follow(&k, url), DROP_NONE);
    }
    assert_int_equal(v.why, DROP_REDIRECTS);
    assert_int_equal(hops, LIMIT_REDIRECTS + 1);
    fake_free(&k);
}

static void a_host_never_gives_more_pages_than_its_budget(void **state)
{
    struct frontier_config c = fake_config();
    uint32_t pages = 0;
    enum drop why;
    struct fake k;
    char url[64];

    (void)state;
    c.pages_per_host = 5;
    c.per_host = 4;
    c.delay = 0;
    c.robots = false;
    fake_init(&k, &c);
    for (int i = 0; i < 20; i++) {
        snprintf(url, sizeof url, "http://a.org/%d", i);
        assert_int_equal(fake_add(&k, url, 1), DROP_NONE);
    }
    fake_step(&k);
    fake_answer(&k, (struct answer){0});
    for (int turn = 0; fake_step(&k) > 0 || k.ndue > 0; turn++) {
        struct reply_verdict v;
        uint32_t id = k.due[0]->choice.url;

        assert_true(pages + k.ndue <= 5);
        v = fake_answer(&k, (struct answer){.status = turn % 2 ? 404 : 200});
        if (v.verdict == VERDICT_PAGE)
            frontier_visited(k.f, id, ++pages);
    }
    assert_int_equal(pages, 5);
    fake_step(&k);
    assert_int_equal(k.ndropped, 20 - 9); /* five pages, four 404s between them */
    for (size_t i = 0; i < k.ndropped; i++)
        assert_int_equal(k.why[i], DROP_BUDGET);
    assert_int_equal(frontier_counts(k.f).waiting, 0);
    fake_meet(&k, "http://a.org/late", 0, &why);
    assert_int_equal(why, DROP_BUDGET);
    fake_free(&k);
}

static void validators(void *ctx, uint32_t page, struct str *ret_etag, struct str *ret_modified)
{
    (void)ctx;
    assert_int_equal(page, 5);
    *ret_etag = STR("\"v1\"");
    *ret_modified = STR("yesterday");
}

static void a_refresh_asks_again_and_says_what_is_known(void **state)
{
    struct frontier_config c = fake_config();
    struct choice again = {.url = 1, .agent = 1, .refresh = true};
    struct url_view v;
    struct fake k;

    (void)state;
    c.validators = validators;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/", 1);
    assert_non_null(fake_page(&k, ""));
    assert_int_equal(k.due[0]->etag.len, 0);
    fake_answer(&k, (struct answer){0});
    frontier_visited(k.f, 1, 5);
    assert_int_equal(fake_add(&k, "http://a.org/", 1), DROP_SEEN);
    assert_int_equal(frontier_add(k.f, &again, k.now), DROP_NONE);
    assert_non_null(fake_page(&k, ""));
    assert_str(k.due[0]->etag, "\"v1\"");
    assert_str(k.due[0]->last_modified, "yesterday");
    assert_int_equal(fake_answer(&k, (struct answer){.status = 304}).verdict, VERDICT_SAME);
    assert_int_equal(frontier_add(k.f, &again, k.now), DROP_NONE);
    assert_non_null(fake_page(&k, ""));
    assert_int_equal(fake_answer(&k, (struct answer){.status = 404}).verdict, VERDICT_FAILED);
    assert_true(frontier_url(k.f, 1, &v)); /* what was visited stays so */
    assert_int_equal(v.state, URL_VISITED);
    assert_int_equal(v.page, 5);
    fake_free(&k);
}

static void room_leaves_a_slow_host_aside_until_too_much_waits(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;
    char url[64];

    (void)state;
    c.max_waiting = 50;
    fake_init(&k, &c);
    assert_int_equal(frontier_room(k.f, k.now, 8), 8);
    for (int i = 0; i < 8; i++) {
        snprintf(url, sizeof url, "http://h%d.org/", i);
        fake_add(&k, url, 1);
        assert_int_equal(frontier_room(k.f, k.now, 8), 7 - i);
    }
    assert_int_equal(frontier_delayed(k.f, k.now), 0);
    fake_step(&k); /* all of them ask for their address: nobody is due */
    assert_int_equal(frontier_room(k.f, k.now, 8), 8);
    for (int i = 0; i < 42; i++) {
        assert_true(frontier_room(k.f, k.now, 8) > 0);
        snprintf(url, sizeof url, "http://h0.org/%d", i);
        assert_int_equal(fake_add(&k, url, 1), DROP_NONE);
    }
    assert_int_equal(frontier_room(k.f, k.now, 8), 0);
    assert_int_equal(frontier_delayed(k.f, k.now), 50);
    assert_int_equal(fake_add(&k, "http://h0.org/more", 1), DROP_QUEUE_FULL);
    fake_free(&k);
}

static void take_one(void *ctx, struct request *r)
{
    struct fake *k = ctx;

    k->due[k->ndue++] = r;
}

static void hosts_without_a_slot_wait_for_an_arrival_and_not_for_time(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/", 1);
    fake_add(&k, "http://b.org/", 1);
    assert_true(frontier_next_time(k.f) <= k.now);
    assert_int_equal(
        frontier_release(k.f, k.now, &(struct release){.max = 1, .ctx = &k, .on_due = take_one}),
        1);
    assert_int_equal(frontier_next_time(k.f), INT64_MAX);
    fake_answer(&k, (struct answer){0});
    assert_true(frontier_next_time(k.f) <= k.now);
    assert_int_equal(
        frontier_release(k.f, k.now, &(struct release){.max = 8, .ctx = &k, .on_due = take_one}),
        2);
    fake_free(&k);
}

static void a_sitemap_is_visited_without_costing_budget(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;

    (void)state;
    c.pages_per_host = 1;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/sitemap.xml", 1);
    assert_non_null(fake_page(&k, ""));
    fake_answer(&k, (struct answer){0});
    frontier_visited(k.f, 1, 0);
    assert_int_equal(frontier_state(k.f, 1), URL_VISITED);
    assert_int_equal(fake_add(&k, "http://a.org/page", 1), DROP_NONE);
    fake_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_url_gets_one_number_whatever_its_scheme),
        cmocka_unit_test(links_are_judged_when_they_are_met),
        cmocka_unit_test(the_best_score_goes_first_and_ties_in_order),
        cmocka_unit_test(a_request_says_where_to_go),
        cmocka_unit_test(behind_a_proxy_no_address_is_asked_for),
        cmocka_unit_test(a_redirect_goes_on_at_its_target),
        cmocka_unit_test(a_redirect_from_http_to_https_of_the_same_page_is_followed),
        cmocka_unit_test(loops_and_long_chains_of_redirects_end),
        cmocka_unit_test(a_host_never_gives_more_pages_than_its_budget),
        cmocka_unit_test(a_refresh_asks_again_and_says_what_is_known),
        cmocka_unit_test(room_leaves_a_slow_host_aside_until_too_much_waits),
        cmocka_unit_test(hosts_without_a_slot_wait_for_an_arrival_and_not_for_time),
        cmocka_unit_test(a_sitemap_is_visited_without_costing_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
