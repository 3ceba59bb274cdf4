/* A host's life: address, robots.txt, failures, back-off, death.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/limits.h"

#include <stdio.h>
#include <stdlib.h>

static struct fake *one_host(const struct frontier_config *c, const char *url)
{
    struct fake *k = calloc(1, sizeof *k);

    fake_init(k, c);
    assert_int_equal(fake_add(k, url, 1), DROP_NONE);
    return k;
}

static void done(struct fake *k)
{
    fake_free(k);
    free(k);
}

/* Gives the host its address; robots.txt is first in k->due then. */
static void resolve(struct fake *k)
{
    fake_step(k);
    assert_int_equal(k->due[0]->kind, REQUEST_RESOLVE);
    fake_answer(k, (struct answer){0});
    fake_step(k);
    assert_int_equal(k->due[0]->kind, REQUEST_ROBOTS);
}

static void robots_rules_hold_for_waiting_and_for_later_links(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/secret/1");
    enum drop why;

    (void)state;
    fake_add(k, "http://a.org/open", 0);
    assert_non_null(fake_page(k, "User-agent: *\nDisallow: /secret\n"));
    assert_str(k->due[0]->href, "http://a.org/open");
    assert_int_equal(fake_dropped(k, 1), DROP_ROBOTS);
    assert_int_equal(fake_meet(k, "http://a.org/secret/2", 0, &why), 3);
    assert_int_equal(why, DROP_ROBOTS);
    done(k);
}

static void robots_missing_means_allowed(void **state)
{
    static const int statuses[] = {400, 401, 403, 404, 410, 451};
    struct frontier_config c = fake_config();

    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        struct fake *k = one_host(&c, "http://a.org/");

        resolve(k);
        fake_answer(k,
                    (struct answer){.status = statuses[i], .body = "User-agent: *\nDisallow: /"});
        assert_non_null(fake_page(k, ""));
        done(k);
    }
}

static void robots_that_cannot_be_read_are_tried_again_and_then_kill(void **state)
{
    static const struct answer bad[] = {
        {.status = 500}, {.status = 503}, {.status = 429}, {.status = 302}};
    struct frontier_config c = fake_config();

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fake *k = one_host(&c, "http://a.org/");
        int64_t start = k->now;
        int tries = 0;

        while (fake_step(k) > 0) {
            assert_int_not_equal(k->due[0]->kind, REQUEST_PAGE);
            tries += k->due[0]->kind == REQUEST_ROBOTS;
            fake_answer(k, k->due[0]->kind == REQUEST_ROBOTS ? bad[i] : (struct answer){0});
        }
        assert_int_equal(tries, LIMIT_HOST_FAILURES);
        assert_true(k->now - start >= 15 * US_PER_S); /* 1 + 2 + 4 + 8 */
        assert_int_equal(fake_dropped(k, 1), DROP_ROBOTS);
        assert_int_equal(frontier_counts(k->f).hosts_dead, 1);
        assert_int_equal(frontier_next_time(k->f), INT64_MAX);
        done(k);
    }
}

/* No more tries than a page would get; a bad certificate gets one. */
static void a_host_that_never_answers_is_soon_dead(void **state)
{
    static const struct {
        enum fetch_error error;
        uint32_t retries;
        int tries;
    } cases[] = {{FETCH_TIMEOUT, 2, 3},
                 {FETCH_CONNECT, 0, 1},
                 {FETCH_CONNECT, 100, LIMIT_HOST_FAILURES},
                 {FETCH_TLS, 2, 1}};
    struct frontier_config c = fake_config();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake *k;
        int tries = 0;

        c.retries = cases[i].retries;
        k = one_host(&c, "http://a.org/");
        while (fake_step(k) > 0) {
            bool robots = k->due[0]->kind == REQUEST_ROBOTS;

            tries += robots;
            fake_answer(k, (struct answer){.error = robots ? cases[i].error : FETCH_OK});
        }
        assert_int_equal(tries, cases[i].tries);
        assert_int_equal(fake_dropped(k, 1), DROP_HOST_DEAD);
        done(k);
    }
}

static void robots_recover_after_a_failure(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/x");

    (void)state;
    resolve(k);
    fake_answer(k, (struct answer){.status = 503, .retry_after = "100"});
    assert_true(frontier_next_time(k->f) >= k->now + 100 * US_PER_S);
    assert_non_null(fake_page(k, "User-agent: *\nDisallow: /y"));
    done(k);
}

static void robots_redirects_are_followed_on_the_same_host(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/x");

    (void)state;
    resolve(k);
    fake_answer(k, (struct answer){.status = 301, .location = "/other/robots.txt"});
    fake_step(k);
    assert_int_equal(k->due[0]->kind, REQUEST_ROBOTS);
    assert_str(k->due[0]->href, "http://a.org/other/robots.txt");
    fake_answer(k, (struct answer){.body = "User-agent: *\nDisallow: /x"});
    assert_null(fake_page(k, ""));
    assert_int_equal(fake_dropped(k, 1), DROP_ROBOTS);
    done(k);
}

static void robots_redirects_to_another_host_ask_for_its_address(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/x");

    (void)state;
    resolve(k);
    fake_answer(k, (struct answer){.status = 301, .location = "https://www.a.org:444/robots.txt"});
    fake_step(k);
    assert_int_equal(k->due[0]->kind, REQUEST_RESOLVE);
    assert_str(k->due[0]->host, "www.a.org");
    assert_int_equal(k->due[0]->port, 444);
    fake_answer(k, (struct answer){.ip = 200});
    fake_step(k);
    assert_int_equal(k->due[0]->kind, REQUEST_ROBOTS);
    assert_str(k->due[0]->href, "https://www.a.org:444/robots.txt");
    assert_true(k->due[0]->tls);
    assert_int_equal(k->due[0]->address.bytes[3], 200);
    fake_answer(k, (struct answer){.body = "User-agent: *\nDisallow: /private"});
    assert_non_null(fake_page(k, ""));
    assert_str(k->due[0]->host, "a.org"); /* and the page comes from its own host */
    assert_int_equal(k->due[0]->address.bytes[3], 1);
    done(k);
}

static void robots_redirects_are_followed_behind_a_proxy_too(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k;

    (void)state;
    c.resolve = false;
    k = one_host(&c, "http://a.org/x");
    fake_step(k);
    fake_answer(k, (struct answer){.status = 302, .location = "https://b.org/robots.txt"});
    fake_step(k);
    assert_int_equal(k->due[0]->kind, REQUEST_ROBOTS);
    assert_str(k->due[0]->host, "b.org");
    assert_int_equal(k->due[0]->connect_port, 443);
    fake_answer(k, (struct answer){.body = "User-agent: brood\nDisallow: /"});
    assert_null(fake_page(k, ""));
    assert_int_equal(fake_dropped(k, 1), DROP_ROBOTS);
    done(k);
}

/* Two hosts, robots.txt of the first moved to the second, which has been asked once. */
static struct fake *two_hosts(struct frontier_config *c)
{
    struct fake *k;

    c->robots = true;
    k = one_host(c, "http://b.org/x");
    assert_non_null(fake_page(k, ""));
    return k;
}

static void robots_redirects_keep_the_pace_of_the_host_they_lead_to(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = two_hosts(&c);
    int64_t busy;

    (void)state;
    /* b.org is busy with a page: its next one waits, whoever wants it */
    busy = k->now;
    fake_add(k, "http://a.org/y", 1);
    fake_step(k);
    assert_int_equal(k->due[1]->kind, REQUEST_RESOLVE);
    k->now = busy + 100;
    fake_answer(k, (struct answer){.status = 429, .retry_after = "600"}); /* b.org */
    fake_answer(k, (struct answer){0});                                   /* a.org's address */
    fake_step(k);
    assert_str(k->due[0]->href, "http://a.org/robots.txt");
    fake_answer(k, (struct answer){.status = 301, .location = "http://b.org/moved"});
    while (fake_step(k) > 0 && k->due[0]->host.ptr[0] != 'b')
        fake_answer(k, (struct answer){0});
    assert_true(k->ndue > 0);
    assert_true(k->now >= busy + 600 * US_PER_S);
    done(k);
}

static void what_the_place_of_a_moved_robots_txt_asks_for_holds_for_its_host(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = two_hosts(&c);
    int64_t told;

    (void)state;
    fake_answer(k, (struct answer){0}); /* b.org/x */
    fake_add(k, "http://a.org/y", 1);
    while (fake_step(k) > 0 && k->due[0]->kind != REQUEST_ROBOTS)
        fake_answer(k, (struct answer){0});
    fake_answer(k, (struct answer){.status = 301, .location = "http://b.org/moved"});
    while (fake_step(k) > 0 && k->due[0]->kind != REQUEST_ROBOTS)
        fake_answer(k, (struct answer){.ip = 2});
    assert_str(k->due[0]->href, "http://b.org/moved");
    told = k->now;
    fake_answer(k, (struct answer){.status = 503, .retry_after = "900"});
    fake_add(k, "http://b.org/z", 1);
    while (fake_step(k) > 0 && k->due[0]->host.ptr[0] != 'b')
        fake_answer(k, (struct answer){0});
    assert_true(k->ndue > 0);
    assert_true(k->now >= told + 900 * US_PER_S);
    done(k);
}

static void a_copy_of_another_hosts_robots_txt_is_obeyed_and_gets_no_older(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://b.org/x");
    unsigned asked = 0;
    struct buf url;
    uint32_t host;

    (void)state;
    assert_non_null(fake_page(k, "User-agent: *\nDisallow: /no\nSitemap: http://b.org/map\n"));
    fake_answer(k, (struct answer){0});
    k->now += 20 * 3600 * US_PER_S;
    fake_add(k, "http://a.org/yes", 1);
    fake_add(k, "http://a.org/no", 2);
    resolve(k);
    fake_answer(k, (struct answer){.status = 301, .location = "http://b.org/robots.txt"});
    fake_step(k);
    assert_str(k->due[0]->href, "http://a.org/yes");
    assert_int_equal(fake_dropped(k, 3), DROP_ROBOTS);
    fake_answer(k, (struct answer){0});
    buf_init(&url, LIMIT_URL);
    assert_true(frontier_sitemap(k->f, &url, &host)); /* b.org's, and once */
    assert_false(frontier_sitemap(k->f, &url, &host));
    buf_free(&url);
    k->now += 5 * 3600 * US_PER_S; /* 25 hours after b.org was asked */
    fake_add(k, "http://a.org/later", 1);
    while (fake_step(k) > 0 && k->due[0]->kind != REQUEST_PAGE) {
        asked += k->due[0]->kind == REQUEST_ROBOTS;
        fake_answer(k, (struct answer){0});
    }
    assert_int_equal(asked, 1);
    done(k);
}

static void robots_moved_to_a_dead_an_excluded_or_another_services_place_are_not_asked(void **state)
{
    static const char *const places[] = {"http://dead.org/robots.txt", "http://b.excluded/r.txt",
                                         "http://b.org/private/r.txt",
                                         "http://b.org:25/robots.txt"};
    struct scope *scope = scope_new();

    (void)state;
    assert_int_equal(scope_exclude_hosts(scope, STR("excluded")), ST_OK);
    assert_int_equal(scope_exclude(scope, STR("*/private/*")), ST_OK);
    assert_int_equal(scope_allow(scope, STR("a.org")), ST_OK); /* out of scope is no reason */
    assert_int_equal(scope_allow(scope, STR("dead.org")), ST_OK);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct frontier_config c = fake_config();
        struct fake *k;

        c.scope = scope;
        k = one_host(&c, "http://dead.org/x");
        while (fake_step(k) > 0)
            fake_answer(k, (struct answer){.error = FETCH_REFUSED});
        assert_int_equal(fake_dropped(k, 1), DROP_ADDRESS);
        assert_int_equal(fake_add(k, "http://a.org/x", 1), DROP_NONE);
        while (fake_step(k) > 0) {
            assert_str(k->due[0]->host, "a.org");
            assert_int_not_equal(k->due[0]->kind, REQUEST_PAGE);
            fake_answer(k, (struct answer){.status = 302, .location = places[i]});
        }
        assert_int_equal(fake_dropped(k, 2), DROP_ROBOTS);
        done(k);
    }
    scope_free(scope);
}

static void robots_moved_to_a_place_without_address_do_not_allow(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/x");

    (void)state;
    while (fake_step(k) > 0) {
        bool elsewhere = k->due[0]->host.ptr[0] == 'b';

        assert_int_not_equal(k->due[0]->kind, REQUEST_PAGE);
        fake_answer(k, (struct answer){.error = elsewhere ? FETCH_RESOLVE : FETCH_OK,
                                       .status = 302,
                                       .location = "http://b.org/robots.txt"});
    }
    assert_int_equal(fake_dropped(k, 1), DROP_ROBOTS);
    done(k);
}

static void robots_redirects_without_end_do_not_allow(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/x");
    int asked = 0;

    (void)state;
    while (fake_step(k) > 0) {
        assert_int_not_equal(k->due[0]->kind, REQUEST_PAGE);
        asked += k->due[0]->kind == REQUEST_ROBOTS;
        fake_answer(k, (struct answer){.status = 301, .location = "/robots.txt?more"});
    }
    assert_int_equal(asked, LIMIT_HOST_FAILURES * (LIMIT_ROBOTS_HOPS + 1));
    assert_int_equal(fake_dropped(k, 1), DROP_ROBOTS);
    done(k);
}

static void robots_are_read_again_after_a_day_and_old_rules_outlive_a_failure(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/1");

    (void)state;
    assert_non_null(fake_page(k, "User-agent: *\nDisallow: /no\n"));
    fake_answer(k, (struct answer){0});
    fake_add(k, "http://a.org/2", 0);
    k->now += 23 * 3600 * US_PER_S;
    assert_int_equal(fake_step(k), 1);
    assert_int_equal(k->due[0]->kind, REQUEST_PAGE);
    fake_answer(k, (struct answer){0});
    k->now += 2 * 3600 * US_PER_S;
    fake_add(k, "http://a.org/3", 0);
    assert_int_equal(fake_step(k), 1);
    assert_int_equal(k->due[0]->kind, REQUEST_ROBOTS);
    fake_answer(k, (struct answer){.status = 500});
    assert_non_null(fake_page(k, ""));
    assert_str(k->due[0]->href, "http://a.org/3");
    assert_int_equal(fake_add(k, "http://a.org/no", 0), DROP_ROBOTS);
    fake_answer(k, (struct answer){0});
    k->now += 2 * 3600 * US_PER_S;
    fake_add(k, "http://a.org/4", 0);
    fake_step(k);
    assert_int_equal(k->due[0]->kind, REQUEST_ROBOTS);
    fake_answer(k, (struct answer){.body = "User-agent: *\nDisallow: /4"});
    assert_null(fake_page(k, ""));
    done(k);
}

static void sitemaps_named_by_robots_can_be_taken_once(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/1");
    struct buf url = BUF_INIT(LIMIT_URL);
    uint32_t host;

    (void)state;
    assert_false(frontier_sitemap(k->f, &url, &host));
    fake_page(k, "Sitemap: http://a.org/s1.xml\nSitemap: http://a.org/s2.xml\n");
    assert_true(frontier_sitemap(k->f, &url, &host));
    assert_str(buf_str(&url), "http://a.org/s1.xml");
    assert_true(frontier_sitemap(k->f, &url, &host));
    assert_str(buf_str(&url), "http://a.org/s2.xml");
    assert_false(frontier_sitemap(k->f, &url, &host));
    buf_free(&url);
    done(k);
}

static void a_name_without_address_is_dead_after_three_tries(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://nowhere.org/");
    enum drop why;
    int tries = 0;

    (void)state;
    while (fake_step(k) > 0) {
        assert_int_equal(k->due[0]->kind, REQUEST_RESOLVE);
        fake_answer(k, (struct answer){.error = FETCH_RESOLVE});
        tries++;
    }
    assert_int_equal(tries, LIMIT_RESOLVE_TRIES);
    assert_int_equal(fake_dropped(k, 1), DROP_HOST_DEAD);
    fake_meet(k, "http://nowhere.org/2", 0, &why);
    assert_int_equal(why, DROP_HOST_DEAD);
    done(k);
}

static void a_refused_address_ends_the_host_at_once(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://inside.org/");

    (void)state;
    fake_step(k);
    fake_answer(k, (struct answer){.error = FETCH_REFUSED});
    fake_step(k);
    assert_int_equal(fake_dropped(k, 1), DROP_ADDRESS);
    assert_int_equal(fake_add(k, "http://inside.org/2", 0), DROP_ADDRESS);
    done(k);
}

static void a_broken_host_backs_off_doubling_and_dies(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k;
    int64_t gap = US_PER_S, last;
    char url[64];

    (void)state;
    c.retries = 0;
    k = one_host(&c, "http://a.org/0");
    for (int i = 1; i < 10; i++) {
        snprintf(url, sizeof url, "http://a.org/%d", i);
        fake_add(k, url, 0);
    }
    assert_non_null(fake_page(k, ""));
    for (int i = 1; i <= LIMIT_HOST_FAILURES; i++) {
        struct reply_verdict v;

        last = k->now;
        v = fake_answer(k, (struct answer){.error = FETCH_CONNECT});
        assert_int_equal(v.verdict, VERDICT_FAILED);
        assert_int_equal(v.why, i < LIMIT_HOST_FAILURES ? DROP_NETWORK : DROP_HOST_DEAD);
        if (i == LIMIT_HOST_FAILURES)
            break;
        assert_non_null(fake_page(k, ""));
        assert_true(k->now - last >= gap);
        gap *= 2;
    }
    fake_step(k);
    assert_int_equal(k->ndropped, 10 - LIMIT_HOST_FAILURES);
    assert_int_equal(frontier_counts(k->f).waiting, 0);
    done(k);
}

static void a_host_that_does_not_answer_is_looked_up_again(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/");

    (void)state;
    assert_non_null(fake_page(k, ""));
    fake_answer(k, (struct answer){.error = FETCH_CONNECT});
    fake_step(k);
    assert_int_equal(k->due[0]->kind, REQUEST_RESOLVE);
    fake_answer(k, (struct answer){.ip = 99}); /* it has moved */
    assert_non_null(fake_page(k, ""));
    assert_int_equal(k->due[0]->address.bytes[3], 99);
    done(k);
}

static void broken_pages_do_not_kill_their_host(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k;
    char url[64];

    (void)state;
    c.retries = 0;
    k = one_host(&c, "http://a.org/0");
    for (int i = 1; i < 30; i++) {
        snprintf(url, sizeof url, "http://a.org/%d", i);
        fake_add(k, url, 0);
    }
    for (int i = 0; i < 30; i++) {
        assert_non_null(fake_page(k, ""));
        fake_answer(k, (struct answer){.error = FETCH_PROTOCOL, .broke_off = true});
    }
    assert_int_equal(frontier_counts(k->f).hosts_dead, 0);
    done(k);
}

static void an_answer_forgives_earlier_failures(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k;
    char url[64];

    (void)state;
    c.retries = 0;
    k = one_host(&c, "http://a.org/0");
    for (int i = 1; i < 30; i++) {
        snprintf(url, sizeof url, "http://a.org/%d", i);
        fake_add(k, url, 0);
    }
    for (int i = 0; i < 30; i++) {
        assert_non_null(fake_page(k, ""));
        fake_answer(k, (struct answer){.error = i % 5 < 4 ? FETCH_CONNECT : FETCH_OK});
    }
    assert_int_equal(frontier_counts(k->f).hosts_dead, 0);
    done(k);
}

static void a_failed_page_is_retried_as_often_as_asked(void **state)
{
    static const struct answer bad[] = {
        {.error = FETCH_TIMEOUT}, {.error = FETCH_PROTOCOL}, {.status = 500}, {.status = 504}};
    static const enum drop why[] = {DROP_TIMEOUT, DROP_NETWORK, DROP_STATUS, DROP_STATUS};
    struct frontier_config c = fake_config();

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fake *k = one_host(&c, "http://a.org/");
        struct reply_verdict v;

        for (unsigned attempt = 0; attempt < 3; attempt++) {
            assert_non_null(fake_page(k, ""));
            assert_int_equal(k->due[0]->attempt, attempt);
            v = fake_answer(k, bad[i]);
            assert_int_equal(v.verdict, attempt < 2 ? VERDICT_RETRY : VERDICT_FAILED);
        }
        assert_int_equal(v.why, why[i]);
        assert_null(fake_page(k, ""));
        done(k);
    }
}

static void what_cannot_get_better_is_not_retried(void **state)
{
    static const struct {
        struct answer answer;
        enum drop why;
    } cases[] = {
        {{.status = 404}, DROP_STATUS},           {{.status = 501}, DROP_STATUS},
        {{.status = 301}, DROP_STATUS},           {{.error = FETCH_SIZE}, DROP_SIZE},
        {{.error = FETCH_REFUSED}, DROP_ADDRESS}, {{.status = 204}, DROP_STATUS},
        {{.status = 205}, DROP_STATUS},           {{.status = 206}, DROP_STATUS},
        {{.status = 304}, DROP_STATUS}, /* nobody asked whether it had changed */
    };
    struct frontier_config c = fake_config();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake *k = one_host(&c, "http://a.org/");
        struct reply_verdict v;

        assert_non_null(fake_page(k, ""));
        v = fake_answer(k, cases[i].answer);
        assert_int_equal(v.verdict, VERDICT_FAILED);
        assert_int_equal(v.why, cases[i].why);
        done(k);
    }
}

static void retry_after_is_obeyed_in_both_forms_and_capped(void **state)
{
    static const struct {
        const char *field;
        int64_t wait; /* s */
    } cases[] = {
        {"120", 120},
        {"Fri, 15 Jan 2027 09:00:00 GMT", 3600}, /* the fake clock stands at 08:00 */
        {"999999999999", LIMIT_RETRY_AFTER},
        {"99999999999999999999999", LIMIT_RETRY_AFTER}, /* beyond 64 bits */
        {"Fri, 31 Dec 9999 23:59:59 GMT", LIMIT_RETRY_AFTER},
        {"-5", 1},
        {"Fri, 15 Jan 2038 09:00:00 GMT", LIMIT_RETRY_AFTER},
        {"nonsense", 1},
    };
    struct frontier_config c = fake_config();

    (void)state;
    c.robots = false;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake *k = one_host(&c, "http://a.org/");
        int64_t at;

        assert_non_null(fake_page(k, ""));
        at = k->now;
        assert_int_equal(fake_answer(k, (struct answer){.status = i % 2 ? 503 : 429,
                                                        .retry_after = cases[i].field})
                             .verdict,
                         VERDICT_RETRY);
        assert_int_equal((frontier_next_time(k->f) - at) / US_PER_S, cases[i].wait);
        assert_non_null(fake_page(k, ""));
        done(k);
    }
}

static void a_busy_host_is_slow_but_not_lost(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/");

    (void)state;
    for (int i = 0; i < LIMIT_BUSY_RETRIES; i++) {
        assert_non_null(fake_page(k, ""));
        assert_int_equal(
            fake_answer(k, (struct answer){.status = 429, .retry_after = "3600"}).verdict,
            VERDICT_RETRY);
    }
    assert_non_null(fake_page(k, ""));
    assert_int_equal(fake_answer(k, (struct answer){0}).verdict, VERDICT_PAGE);
    done(k);
}

static void a_cancelled_request_waits_again_and_costs_nothing(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/");

    (void)state;
    fake_step(k);
    fake_answer(k, (struct answer){.error = FETCH_CANCELLED}); /* its address */
    resolve(k);
    fake_answer(k, (struct answer){.error = FETCH_CANCELLED}); /* its robots.txt */
    for (int i = 0; i < 20; i++) {
        assert_non_null(fake_page(k, ""));
        assert_int_equal(k->due[0]->attempt, 0);
        assert_int_equal(fake_answer(k, (struct answer){.error = FETCH_CANCELLED}).verdict,
                         VERDICT_RETRY);
    }
    assert_int_equal(frontier_counts(k->f).waiting, 1);
    assert_int_equal(frontier_counts(k->f).in_flight, 0);
    done(k);
}

static void a_page_given_up_for_memory_is_tried_later_and_not_for_ever(void **state)
{
    struct frontier_config c = fake_config();
    struct fake *k = one_host(&c, "http://a.org/");
    struct reply_verdict v = {0};
    int64_t asked_at = 0;

    (void)state;
    for (int i = 0; i <= LIMIT_BUSY_RETRIES; i++) {
        assert_non_null(fake_page(k, ""));
        assert_int_equal(k->due[0]->attempt, i);
        assert_true(k->now >= asked_at);
        v = fake_answer(k, (struct answer){.error = FETCH_MEMORY});
        asked_at = k->now + (US_PER_S << i);
        assert_int_equal(v.verdict, i < LIMIT_BUSY_RETRIES ? VERDICT_RETRY : VERDICT_FAILED);
    }
    assert_int_equal(v.why, DROP_SIZE);
    assert_null(fake_page(k, ""));
    done(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_rules_hold_for_waiting_and_for_later_links),
        cmocka_unit_test(robots_missing_means_allowed),
        cmocka_unit_test(robots_that_cannot_be_read_are_tried_again_and_then_kill),
        cmocka_unit_test(a_host_that_never_answers_is_soon_dead),
        cmocka_unit_test(robots_recover_after_a_failure),
        cmocka_unit_test(robots_redirects_are_followed_on_the_same_host),
        cmocka_unit_test(robots_redirects_to_another_host_ask_for_its_address),
        cmocka_unit_test(robots_redirects_are_followed_behind_a_proxy_too),
        cmocka_unit_test(robots_redirects_keep_the_pace_of_the_host_they_lead_to),
        cmocka_unit_test(what_the_place_of_a_moved_robots_txt_asks_for_holds_for_its_host),
        cmocka_unit_test(
            robots_moved_to_a_dead_an_excluded_or_another_services_place_are_not_asked),
        cmocka_unit_test(robots_moved_to_a_place_without_address_do_not_allow),
        cmocka_unit_test(a_copy_of_another_hosts_robots_txt_is_obeyed_and_gets_no_older),
        cmocka_unit_test(robots_redirects_without_end_do_not_allow),
        cmocka_unit_test(robots_are_read_again_after_a_day_and_old_rules_outlive_a_failure),
        cmocka_unit_test(sitemaps_named_by_robots_can_be_taken_once),
        cmocka_unit_test(a_name_without_address_is_dead_after_three_tries),
        cmocka_unit_test(a_refused_address_ends_the_host_at_once),
        cmocka_unit_test(a_broken_host_backs_off_doubling_and_dies),
        cmocka_unit_test(a_host_that_does_not_answer_is_looked_up_again),
        cmocka_unit_test(an_answer_forgives_earlier_failures),
        cmocka_unit_test(broken_pages_do_not_kill_their_host),
        cmocka_unit_test(a_failed_page_is_retried_as_often_as_asked),
        cmocka_unit_test(what_cannot_get_better_is_not_retried),
        cmocka_unit_test(retry_after_is_obeyed_in_both_forms_and_capped),
        cmocka_unit_test(a_busy_host_is_slow_but_not_lost),
        cmocka_unit_test(a_cancelled_request_waits_again_and_costs_nothing),
        cmocka_unit_test(a_page_given_up_for_memory_is_tried_later_and_not_for_ever),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
