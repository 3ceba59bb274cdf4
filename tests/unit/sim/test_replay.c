/* fetch_sim in virtual time, step by step. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "small_world.h"

#include "base/hash.h"
#include "base/os/clock.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "sim/web/latency.h"
#include "sim/web/replay.h"
#include "sim/web/web.h"

#include <stdio.h>
#include <stdlib.h>

#define BEGIN INT64_C(1000000)
#define MS    US_PER_MS

/* a.example moves between 1 s and 9 s; / takes 10 ms, /two 30 ms, /three 10 ms;
 * /two changes at 2 s and is gone at 3 s. */
static struct web *web;

static int set_up(void **state)
{
    struct small_world s;
    char dir[200];

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/world", test_dir());
    small_begin(&s, dir);
    small_key(&s, "world_time", "1000000 9000000");
    s.latency = 10 * MS;
    small_page(&s, "http://a.example/", 1, "<title>t</title><p>ant <a href=/two>bee</a>");
    small_page(&s, "http://a.example/three", 1, "<p>wasp");
    s.latency = 30 * MS;
    small_page(&s, "http://a.example/two", 1, "<meta name=robots content=nofollow><p>bee");
    small_page(&s, "http://a.example/two", 2 * US_PER_S, "<p>bumblebee");
    small_outcome(&s, "http://a.example/two", 3 * US_PER_S, 410, NULL);
    small_outcome(&s, "http://a.example/moved", 1, 301, "http://b.example:81/there");
    small_outcome(&s, "http://a.example/busy", 1, 503, NULL);
    small_resource(&s, "http://a.example/robots.txt", "text/plain", "User-agent: *\nDisallow: /no");
    small_resource(&s, "http://a.example/logo", "image/png", "png");
    small_end(&s);
    return web_load(dir, &(struct web_config){.threads = 1}, &web) == ST_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    web_free(web);
    return 0;
}

static void *started(unsigned connections)
{
    struct replay_config own = {.web = web};
    struct fetch_config c = {.connections = connections, .own = &own};
    void *self = NULL;

    assert_int_equal(fetch_sim.start(&c, &self), ST_OK);
    return self;
}

static bool submit(void *f, enum request_kind kind, const char *url, const char *etag)
{
    struct str scheme, host, path;
    uint16_t port;
    struct request *r;

    url_split(str_of(url), &scheme, &host, &port, &path);
    host = str_sub(host, 0, str_find_char(host, ':', 0));
    r = request_new(kind, str_of(url), host, str_of(etag), STR(""));
    r->port = port;
    if (fetch_sim.submit(f, r))
        return true;
    free(r);
    return false;
}

/* The one arrival that comes within a minute. */
static struct arrival *come(void *f)
{
    struct arrival *a[2] = {NULL, NULL};

    assert_int_equal(fetch_sim.take(f, a, 2, 60 * US_PER_S), 1);
    return a[0];
}

static struct arrival *fetched(void *f, enum request_kind kind, const char *url, const char *etag)
{
    assert_true(submit(f, kind, url, etag));
    return come(f);
}

static void wait_until(void *f, int64_t moment)
{
    struct arrival *a;

    assert_int_equal(fetch_sim.take(f, &a, 1, moment - fetch_sim.now(f)), 0);
    assert_true(fetch_sim.now(f) == moment);
}

/* ---- time ---------------------------------------------------------------- */

/* Submitted at 0: /two (30 ms), / (10), /three (10). Due: / and /three at 10 ms, in
 * the order they were asked for; /two at 30. */
static void answers_come_in_order_of_time_and_ties_in_order_of_asking(void **state)
{
    void *f = started(3);
    struct arrival *a[4];

    (void)state;
    assert_true(fetch_sim.now(f) == BEGIN);
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/two", ""));
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/", ""));
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/three", ""));
    assert_int_equal(fetch_sim.slots(f), 0);
    assert_false(submit(f, REQUEST_PAGE, "http://a.example/", ""));
    assert_int_equal(fetch_sim.counts(f).in_flight, 3);
    assert_int_equal(fetch_sim.take(f, a, 4, US_PER_S), 2);
    assert_true(fetch_sim.now(f) == BEGIN + 10 * MS);
    assert_str(a[0]->request->href, "http://a.example/");
    assert_str(a[1]->request->href, "http://a.example/three");
    assert_true(a[0]->reply.started_at == BEGIN && a[0]->reply.done_at == BEGIN + 10 * MS);
    assert_int_equal(fetch_sim.slots(f), 2);
    arrival_release(a[0]);
    arrival_release(a[1]);
    assert_int_equal(fetch_sim.take(f, a, 4, US_PER_S), 1);
    assert_true(fetch_sim.now(f) == BEGIN + 30 * MS);
    assert_str(a[0]->request->href, "http://a.example/two");
    arrival_release(a[0]);
    assert_int_equal(fetch_sim.counts(f).requests, 3);
    fetch_sim.stop(f);
}

/* /two was recorded with 30 ms, / with 10: both take the 2 s asked for. */
static void every_answer_takes_as_long_as_asked_for(void **state)
{
    struct replay_config own = {.web = web, .latency = 2 * US_PER_S};
    struct fetch_config c = {.connections = 2, .own = &own};
    struct arrival *a[2];
    void *f = NULL;

    (void)state;
    assert_int_equal(fetch_sim.start(&c, &f), ST_OK);
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/two", ""));
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/", ""));
    assert_int_equal(fetch_sim.take(f, a, 2, 60 * US_PER_S), 2);
    assert_true(a[0]->reply.done_at == BEGIN + 2 * US_PER_S);
    assert_true(a[1]->reply.done_at == BEGIN + 2 * US_PER_S);
    arrival_release(a[0]);
    arrival_release(a[1]);
    fetch_sim.stop(f);
}

/* About a quarter of 400 hosts, always the same ones; the others take what is asked for. */
static void a_share_of_the_hosts_is_slow(void **state)
{
    struct replay_config own = {
        .web = web, .latency = US_PER_S, .slow = 0.25, .slow_latency = 7 * US_PER_S};
    struct fetch_config c = {.connections = 1, .own = &own};
    unsigned slow = 0;
    void *f = NULL;

    (void)state;
    assert_int_equal(fetch_sim.start(&c, &f), ST_OK);
    for (int i = 0; i < 800; i++) {
        int64_t began = fetch_sim.now(f), took[2] = {US_PER_S, 7 * US_PER_S};
        static bool was_slow[400];
        struct arrival *a;
        char url[64];

        (void)snprintf(url, sizeof url, "http://h%d.example/%d", i % 400, i);
        assert_true(submit(f, REQUEST_PAGE, url, ""));
        assert_int_equal(fetch_sim.take(f, &a, 1, -1), 1);
        if (i < 400)
            was_slow[i] = a->reply.done_at - began != US_PER_S;
        assert_true(a->reply.done_at - began == took[was_slow[i % 400]]);
        slow += was_slow[i % 400];
        arrival_release(a);
    }
    fetch_sim.stop(f);
    assert_in_range(slow, 2 * 70, 2 * 130);
}

/* Of 2,000 sites: 2 % serve three quarters of their pages within 0.2 s, and 42 % serve a
 * quarter of them after 1 s (latency.h). */
static void measured_answers_have_the_shares_of_their_source(void **state)
{
    unsigned fast = 0, slow = 0;

    (void)state;
    for (uint64_t site = 0; site < 2000; site++) {
        unsigned quick = 0, late = 0;

        for (uint64_t page = 0; page < 200; page++) {
            int64_t us = latency_measured(1, hash_u64(site), hash_u64(site << 32 | page));

            quick += us < US_PER_S / 5;
            late += us >= US_PER_S;
        }
        fast += quick >= 150;
        slow += late >= 50;
    }
    assert_in_range(fast, 20, 60);
    assert_in_range(slow, 780, 900);
    assert_int_equal(latency_measured(1, 2, 3), latency_measured(1, 2, 3));
    assert_int_not_equal(latency_measured(1, 2, 3), latency_measured(4, 2, 3));
}

static void waiting_moves_time_no_further_than_asked_for(void **state)
{
    void *f = started(2);
    struct arrival *a[2];

    (void)state;
    assert_int_equal(fetch_sim.take(f, a, 2, 5 * MS), 0);
    assert_true(fetch_sim.now(f) == BEGIN + 5 * MS);
    assert_int_equal(fetch_sim.take(f, a, 2, 0), 0);
    assert_int_equal(fetch_sim.take(f, a, 2, -1), 0); /* for ever, and nothing will come */
    assert_true(fetch_sim.now(f) == BEGIN + 5 * MS);
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/", "")); /* due at 15 ms */
    assert_int_equal(fetch_sim.take(f, a, 2, 9 * MS), 0);
    assert_true(fetch_sim.now(f) == BEGIN + 14 * MS);
    assert_int_equal(fetch_sim.take(f, a, 2, 1 * MS), 1);
    assert_true(fetch_sim.now(f) == BEGIN + 15 * MS);
    arrival_release(a[0]);
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/", ""));
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/three", ""));
    assert_int_equal(fetch_sim.take(f, a, 1, -1), 1); /* one at a time */
    arrival_release(a[0]);
    assert_int_equal(fetch_sim.take(f, a, 1, -1), 1);
    assert_true(fetch_sim.now(f) == BEGIN + 25 * MS);
    arrival_release(a[0]);
    fetch_sim.stop(f);
}

static void time_begins_where_it_is_told_to(void **state)
{
    struct replay_config own = {.web = web, .begin = 2 * US_PER_S};
    struct fetch_config c = {.connections = 1, .own = &own};
    void *f = NULL;

    (void)state;
    assert_int_equal(fetch_sim.start(&c, &f), ST_OK);
    assert_true(fetch_sim.now(f) == 2 * US_PER_S);
    fetch_sim.stop(f);
}

/* ---- answers ------------------------------------------------------------- */

static void a_page_is_what_the_web_knows_of_it(void **state)
{
    void *f = started(1);
    struct arrival *a = fetched(f, REQUEST_PAGE, "http://a.example/", "");

    (void)state;
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_int_equal(a->reply.status, 200);
    assert_int_equal(a->source, 1);
    assert_int_equal(a->page->nlinks, 1);
    assert_str(a->page->links[0].url, "http://a.example/two");
    assert_int_equal(a->page->nwords, 2);
    assert_int_equal(a->profile.nsequence, 4); /* t, 0, ant, bee */
    assert_true(a->profile.relevance == 0);
    assert_non_null(a->marks);
    assert_true(a->payload_hash == web_payload_hash(web, 0));
    arrival_release(a);
    a = fetched(f, REQUEST_PAGE, "http://a.example/two", "");
    assert_int_equal(a->robots, ROBOTS_NOFOLLOW);
    arrival_release(a);
    fetch_sim.stop(f);
}

static void what_is_not_there_is_404(void **state)
{
    static const char *const urls[] = {"http://a.example/nowhere", "http://nobody.example/"};
    void *f = started(1);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
        struct arrival *a = fetched(f, REQUEST_PAGE, urls[i], "");

        assert_int_equal(a->reply.status, 404);
        assert_null(a->page);
        assert_int_equal(a->source, 0);
        assert_true(a->reply.done_at > a->reply.started_at);
        arrival_release(a);
    }
    fetch_sim.stop(f);
}

static void redirects_failures_and_strange_types_are_told_apart(void **state)
{
    void *f = started(1);
    struct arrival *a = fetched(f, REQUEST_PAGE, "http://a.example/moved", "");

    (void)state;
    assert_int_equal(a->reply.status, 301);
    assert_str(a->reply.location, "http://b.example:81/there");
    assert_null(a->page);
    arrival_release(a);
    a = fetched(f, REQUEST_PAGE, "http://a.example/busy", "");
    assert_int_equal(a->reply.status, 503);
    assert_int_equal(a->reply.location.len, 0);
    arrival_release(a);
    a = fetched(f, REQUEST_PAGE, "http://a.example/logo", "");
    assert_int_equal(a->reply.status, 200);
    assert_int_equal(a->why, DROP_TYPE);
    assert_null(a->page);
    arrival_release(a);
    fetch_sim.stop(f);
}

/* /two: its first version until 2 s, its second until 3 s, then 410. */
static void a_version_that_holds_is_304_and_a_new_one_is_not(void **state)
{
    void *f = started(1);
    struct arrival *a = fetched(f, REQUEST_PAGE, "http://a.example/two", "");
    char *etag = str_dup(a->reply.etag);

    (void)state;
    assert_true(a->reply.etag.len > 2);
    arrival_release(a);
    a = fetched(f, REQUEST_PAGE, "http://a.example/two", etag);
    assert_int_equal(a->reply.status, 304);
    assert_null(a->page);
    arrival_release(a);
    wait_until(f, 2 * US_PER_S);
    a = fetched(f, REQUEST_PAGE, "http://a.example/two", etag);
    assert_int_equal(a->reply.status, 200);
    assert_false(str_eq(a->reply.etag, str_of(etag)));
    assert_int_equal(a->page->nwords, 1);
    arrival_release(a);
    /* What counts is the moment of asking: due behind 3 s, it is the old answer. */
    wait_until(f, 3 * US_PER_S - 1);
    a = fetched(f, REQUEST_PAGE, "http://a.example/two", "");
    assert_int_equal(a->reply.status, 200);
    arrival_release(a);
    a = fetched(f, REQUEST_PAGE, "http://a.example/two", etag);
    assert_int_equal(a->reply.status, 410);
    arrival_release(a);
    free(etag);
    fetch_sim.stop(f);
}

static void robots_txt_comes_with_its_text(void **state)
{
    void *f = started(1);
    struct arrival *a = fetched(f, REQUEST_ROBOTS, "http://a.example/robots.txt", "");

    (void)state;
    assert_int_equal(a->reply.status, 200);
    assert_str(buf_str(&a->reply.body), "User-agent: *\nDisallow: /no");
    assert_true(a->reply.done_at - a->reply.started_at ==
                web_host_latency(web, web_find_host(web, STR("a.example"))));
    assert_null(a->page);
    arrival_release(a);
    a = fetched(f, REQUEST_ROBOTS, "http://b.example:81/robots.txt", "");
    assert_int_equal(a->reply.status, 404);
    assert_int_equal(a->reply.body.len, 0); /* its slot had a text before */
    arrival_release(a);
    fetch_sim.stop(f);
}

static void every_host_has_an_address_of_its_own_at_once(void **state)
{
    void *f = started(1);
    struct arrival *a = fetched(f, REQUEST_RESOLVE, "http://a.example/robots.txt", "");
    struct address first = a->reply.peer;

    (void)state;
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_int_equal(first.family, 4);
    assert_int_equal(first.bytes[0], 10);
    assert_true(fetch_sim.now(f) == BEGIN);
    arrival_release(a);
    a = fetched(f, REQUEST_RESOLVE, "http://b.example:81/robots.txt", "");
    assert_memory_not_equal(&a->reply.peer, &first, sizeof first);
    arrival_release(a);
    a = fetched(f, REQUEST_RESOLVE, "http://nobody.example/robots.txt", "");
    assert_int_equal(a->reply.error, FETCH_RESOLVE);
    assert_int_equal(a->reply.peer.family, 0);
    arrival_release(a);
    fetch_sim.stop(f);
}

/* ---- lending ------------------------------------------------------------- */

static void note_digest(void *ctx, unsigned thread, struct arrival *a)
{
    assert_int_equal(thread, 0);
    assert_non_null(a->page);
    assert_non_null(a->marks);
    a->profile.relevance = 0.5f;
    ++*(int *)ctx;
}

static void only_documents_are_digested(void **state)
{
    int calls = 0;
    struct replay_config own = {.web = web};
    struct fetch_config c = {
        .connections = 1, .own = &own, .digest = note_digest, .digest_ctx = &calls};
    void *f = NULL;
    struct arrival *a;

    (void)state;
    assert_int_equal(fetch_sim.start(&c, &f), ST_OK);
    a = fetched(f, REQUEST_PAGE, "http://a.example/", "");
    assert_true(a->profile.relevance == 0.5f);
    arrival_release(a);
    arrival_release(fetched(f, REQUEST_PAGE, "http://a.example/busy", ""));
    arrival_release(fetched(f, REQUEST_ROBOTS, "http://a.example/robots.txt", ""));
    assert_int_equal(calls, 1);
    fetch_sim.stop(f);
}

static void what_is_held_stays_as_it_is_even_after_the_end(void **state)
{
    void *f = started(1);
    struct arrival *held = arrival_hold(fetched(f, REQUEST_PAGE, "http://a.example/", ""));

    (void)state;
    arrival_release(held);
    for (int i = 0; i < 3; i++) {
        struct arrival *a = fetched(f, REQUEST_PAGE, "http://a.example/two", "");

        assert_ptr_not_equal(a, held);
        assert_ptr_not_equal(a->page, held->page);
        arrival_release(a);
    }
    assert_true(submit(f, REQUEST_PAGE, "http://a.example/", "")); /* never taken */
    fetch_sim.stop(f);
    assert_int_equal(held->page->nlinks, 1);
    assert_str(held->page->links[0].url, "http://a.example/two");
    arrival_release(held);
}

static void a_released_arrival_is_used_again(void **state)
{
    void *f = started(1);
    struct arrival *a = fetched(f, REQUEST_PAGE, "http://a.example/", ""), *b;

    (void)state;
    a->why = DROP_LANG; /* whatever was left in it */
    arrival_release(a);
    b = fetched(f, REQUEST_PAGE, "http://a.example/three", "");
    assert_ptr_equal(a, b);
    assert_int_equal(b->why, DROP_NONE);
    assert_int_equal(b->page->nlinks, 0);
    arrival_release(b);
    fetch_sim.stop(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_come_in_order_of_time_and_ties_in_order_of_asking),
        cmocka_unit_test(every_answer_takes_as_long_as_asked_for),
        cmocka_unit_test(a_share_of_the_hosts_is_slow),
        cmocka_unit_test(measured_answers_have_the_shares_of_their_source),
        cmocka_unit_test(waiting_moves_time_no_further_than_asked_for),
        cmocka_unit_test(time_begins_where_it_is_told_to),
        cmocka_unit_test(a_page_is_what_the_web_knows_of_it),
        cmocka_unit_test(what_is_not_there_is_404),
        cmocka_unit_test(redirects_failures_and_strange_types_are_told_apart),
        cmocka_unit_test(a_version_that_holds_is_304_and_a_new_one_is_not),
        cmocka_unit_test(robots_txt_comes_with_its_text),
        cmocka_unit_test(every_host_has_an_address_of_its_own_at_once),
        cmocka_unit_test(only_documents_are_digested),
        cmocka_unit_test(what_is_held_stays_as_it_is_even_after_the_end),
        cmocka_unit_test(a_released_arrival_is_used_again),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
