/* Politeness by host and by address, over thousands of random events: an oracle
 * that knows nothing of the frontier's inside watches every start.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>

enum { HOSTS = 40, ADDRESSES = 12, EVENTS = 20000 };

/* What the oracle remembers of a host or an address. */
struct memory {
    int64_t last_start, latency, not_before;
    unsigned in_flight;
};

struct world {
    struct fake k;
    struct rng rng;
    struct memory host[HOSTS + 1], address[ADDRESSES + 1];
    int64_t crawl_delay[HOSTS + 1];
    int64_t arrives[FAKE_MAX], started[FAKE_MAX]; /* of k.due[] */
    uint32_t added, answered;
};

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The number of the host that is asked: of a robots.txt elsewhere not the one it is for. */
static uint32_t asked(const struct request *r)
{
    uint64_t n = 0;

    assert_true(str_to_u64(str_sub(r->host, 1, r->host.len - strlen(".org")), &n));
    return (uint32_t)n + 1;
}

/* Called for each request in the order of its start. */
static void watch(struct world *w, const struct request *r)
{
    struct memory *h = &w->host[asked(r)], *a;
    int64_t gap =
        greatest(w->k.config.delay, (int64_t)(w->k.config.latency_factor * (double)h->latency));

    if (r->kind == REQUEST_RESOLVE)
        return;
    assert_int_equal(r->address.family, 4);
    a = &w->address[r->address.bytes[3]];
    if (h->last_start)
        assert_true(w->k.now - h->last_start >= greatest(gap, w->crawl_delay[asked(r)]));
    assert_true(w->k.now >= h->not_before);
    gap = greatest(w->k.config.delay, (int64_t)(w->k.config.latency_factor * (double)a->latency));
    if (a->last_start)
        assert_true(w->k.now - a->last_start >= gap);
    assert_true(++h->in_flight <= w->k.config.per_host);
    assert_true(++a->in_flight <= w->k.config.per_host);
    h->last_start = a->last_start = w->k.now;
}

static void release(struct world *w)
{
    size_t from = w->k.ndue;

    fake_release(&w->k);
    for (size_t i = from; i < w->k.ndue; i++) {
        watch(w, w->k.due[i]);
        w->started[i] = w->k.now;
        w->arrives[i] = w->k.now + 1 + (int64_t)rng_below(&w->rng, 3 * US_PER_S);
    }
}

static struct answer draw(struct world *w, const struct request *r)
{
    static char text[64];
    struct answer what = {.ip = (uint8_t)(1 + asked(r) % ADDRESSES)};

    if (r->kind == REQUEST_ROBOTS) {
        if (rng_below(&w->rng, 5) == 0)
            return (struct answer){.status = 503, .retry_after = "7"};
        if (rng_below(&w->rng, 3) == 0) {
            snprintf(text, sizeof text, "http://h%d.org/robots.txt",
                     (int)rng_below(&w->rng, HOSTS));
            return (struct answer){.status = 301, .location = text};
        }
        w->crawl_delay[r->host_id] = (int64_t)rng_below(&w->rng, 4) * US_PER_S;
        snprintf(text, sizeof text, "User-agent: *\nCrawl-delay: %d\n",
                 (int)(w->crawl_delay[r->host_id] / US_PER_S));
        what.body = text;
    } else if (r->kind == REQUEST_PAGE) {
        switch (rng_below(&w->rng, 8)) {
        case 0:
            return (struct answer){.status = 429, .retry_after = "7"};
        case 1:
            return (struct answer){.status = 500};
        case 2:
            return (struct answer){.error = FETCH_TIMEOUT};
        default:
            break;
        }
    }
    return what;
}

/* Answers the request that arrives first. */
static void arrive(struct world *w, size_t i)
{
    struct request *r = w->k.due[i];
    struct answer what = draw(w, r);
    struct memory *h = &w->host[asked(r)], *a = &w->address[r->address.bytes[3]];
    struct arrival *answer = arrival_new(r);
    struct reply_verdict v;

    w->k.now = greatest(w->k.now, w->arrives[i]);
    answer->reply.started_at = w->started[i];
    answer->reply.done_at = w->k.now;
    answer->reply.error = what.error;
    answer->reply.status = what.error ? 0 : what.status ? what.status : 200;
    answer->reply.retry_after = str_of(what.retry_after);
    answer->reply.location = str_of(what.location);
    if (what.body)
        buf_add_z(&answer->reply.body, what.body);
    if (r->kind == REQUEST_RESOLVE) {
        answer->reply.peer = (struct address){4, {10, 0, 0, what.ip}};
    } else {
        h->in_flight--;
        a->in_flight--;
        if (what.error == FETCH_OK)
            h->latency = a->latency = w->k.now - w->started[i];
        if (what.retry_after)
            h->not_before = w->k.now + 7 * US_PER_S;
    }
    v = frontier_replied(w->k.f, answer, w->k.now);
    w->answered += r->kind == REQUEST_PAGE && v.verdict != VERDICT_RETRY;
    arrival_release(answer);
    w->k.ndue--;
    w->k.due[i] = w->k.due[w->k.ndue];
    w->arrives[i] = w->arrives[w->k.ndue];
    w->started[i] = w->started[w->k.ndue];
}

static void run(uint32_t per_host, int64_t delay, double factor, uint64_t seed)
{
    struct world *w = calloc(1, sizeof *w);
    struct frontier_config c = fake_config();
    char url[64];

    c.per_host = per_host;
    c.delay = delay;
    c.latency_factor = factor;
    fake_init(&w->k, &c);
    rng_init(&w->rng, seed);
    for (int i = 0; i < HOSTS; i++) { /* host numbers 1 to HOSTS */
        snprintf(url, sizeof url, "http://h%d.org/", i);
        fake_meet(&w->k, url, 0, NULL);
    }
    for (int event = 0; event < EVENTS || w->k.ndue > 0; event++) {
        size_t first = 0;

        if (event < EVENTS && rng_below(&w->rng, 2) == 0) {
            snprintf(url, sizeof url, "http%s://h%d.org/%d", rng_below(&w->rng, 4) ? "" : "s",
                     (int)rng_below(&w->rng, HOSTS), event);
            w->added += fake_add(&w->k, url, (float)rng_unit(&w->rng)) == DROP_NONE;
        }
        release(w);
        if (w->k.ndue == 0) {
            if (frontier_next_time(w->k.f) == INT64_MAX)
                continue;
            w->k.now = greatest(w->k.now, frontier_next_time(w->k.f));
            continue;
        }
        for (size_t i = 1; i < w->k.ndue; i++)
            if (w->arrives[i] < w->arrives[first])
                first = i;
        if (frontier_next_time(w->k.f) < w->arrives[first] && rng_below(&w->rng, 8))
            w->k.now = greatest(w->k.now, frontier_next_time(w->k.f));
        else
            arrive(w, first);
    }
    /* Whatever was added ends exactly once. */
    for (int i = 0; i < 1000000 && frontier_next_time(w->k.f) != INT64_MAX; i++) {
        w->k.now = greatest(w->k.now, frontier_next_time(w->k.f));
        release(w);
        while (w->k.ndue)
            arrive(w, 0);
    }
    assert_int_equal(w->added, w->answered + w->k.ndropped);
    assert_true(w->answered > 500);
    assert_int_equal(frontier_counts(w->k.f).waiting + frontier_counts(w->k.f).in_flight, 0);
    fake_free(&w->k);
    free(w);
}

static void no_two_starts_are_too_close_one_at_a_time(void **state)
{
    (void)state;
    run(1, US_PER_S, 0, 1);
    run(1, 300 * US_PER_MS, 2.5, 2);
}

static void no_two_starts_are_too_close_with_several_under_way(void **state)
{
    (void)state;
    run(3, 500 * US_PER_MS, 0, 3);
}

static void without_a_delay_the_number_under_way_is_bounded(void **state)
{
    (void)state;
    run(1, 0, 0, 4);
    run(4, 0, 0, 5);
}

static void a_slow_host_does_not_block_the_others(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;
    char url[64];
    int fast = 0;

    (void)state;
    c.robots = false;
    fake_init(&k, &c);
    for (int i = 0; i < 1000; i++) { /* it has a thousand choices, all better */
        snprintf(url, sizeof url, "http://slow.org/%d", i);
        fake_add(&k, url, 100);
    }
    for (int i = 0; i < 20; i++) {
        snprintf(url, sizeof url, "http://fast%d.org/", i);
        fake_add(&k, url, 0);
    }
    fake_step(&k); /* addresses */
    while (k.ndue)
        fake_answer(&k, (struct answer){0});
    assert_int_equal(fake_step(&k), 21);
    for (size_t i = 0; i < k.ndue; i++)
        fast += k.due[i]->host.ptr[0] == 'f';
    assert_int_equal(fast, 20);
    fake_free(&k);
}

static void hosts_behind_one_address_share_its_pace(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;
    char url[64];
    int64_t start;

    (void)state;
    c.robots = false;
    fake_init(&k, &c);
    for (int i = 0; i < 10; i++) {
        snprintf(url, sizeof url, "http://h%d.org/", i);
        fake_add(&k, url, (float)i);
    }
    fake_step(&k);
    while (k.ndue)
        fake_answer(&k, (struct answer){.ip = 77});
    start = k.now;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(fake_step(&k), 1);
        assert_int_equal(k.now - start, i * US_PER_S);
        fake_answer(&k, (struct answer){0});
    }
    fake_free(&k);
}

static void one_hosts_retry_after_leaves_its_neighbours_alone(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;

    (void)state;
    c.robots = false;
    fake_init(&k, &c);
    fake_add(&k, "http://busy.org/", 1);
    fake_add(&k, "http://calm.org/", 0);
    fake_step(&k);
    fake_answer(&k, (struct answer){.ip = 77});
    fake_answer(&k, (struct answer){.ip = 77});
    assert_int_equal(fake_step(&k), 1);
    fake_answer(&k, (struct answer){.status = 503, .retry_after = "86400"});
    assert_int_equal(fake_step(&k), 1);
    assert_str(k.due[0]->host, "calm.org");
    fake_free(&k);
}

static void the_two_doors_of_a_host_share_its_pace_wherever_they_lead(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;

    (void)state;
    c.robots = false;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/1", 4);
    fake_add(&k, "https://a.org/2", 3);
    fake_add(&k, "http://a.org/3", 2);
    fake_add(&k, "https://a.org/4", 1);
    for (uint8_t door = 1; door <= 2; door++) { /* http leads to 10.0.0.1, https to 10.0.0.2 */
        assert_int_equal(fake_step(&k), 1);
        assert_int_equal(k.due[0]->kind, REQUEST_RESOLVE);
        fake_answer(&k, (struct answer){.ip = door});
        assert_int_equal(fake_step(&k), 1);
        assert_int_equal(k.due[0]->address.bytes[3], door);
        assert_int_equal(frontier_next_time(k.f), INT64_MAX); /* one at a time */
        fake_answer(&k, (struct answer){0});
        assert_int_equal(frontier_next_time(k.f), k.now + US_PER_S);
    }
    assert_int_equal(fake_step(&k), 1);
    assert_str(k.due[0]->href, "http://a.org/3");
    assert_int_equal(k.due[0]->address.bytes[3], 1);
    fake_free(&k);
}

static void among_due_hosts_the_best_score_goes_first(void **state)
{
    struct frontier_config c = fake_config();
    struct fake k;

    (void)state;
    c.robots = false;
    c.resolve = false;
    c.delay = 0;
    fake_init(&k, &c);
    fake_add(&k, "http://a.org/", 0.1f);
    fake_add(&k, "http://b.org/", 0.9f);
    fake_add(&k, "http://c.org/", 0.5f);
    assert_int_equal(fake_step(&k), 3);
    assert_str(k.due[0]->host, "b.org");
    assert_str(k.due[1]->host, "c.org");
    assert_str(k.due[2]->host, "a.org");
    fake_free(&k);
}

/* 250 hosts, all better than good.org, say that their robots.txt lies there: at its own, or
 * each at a place of its own. What good.org is asked in 15 s, for itself and for others. */
static void besiege(bool own_place, unsigned *ret_pages, unsigned *ret_errands)
{
    struct frontier_config c = fake_config();
    struct fake *k = calloc(1, sizeof *k);
    char url[64];
    int64_t end;

    *ret_pages = *ret_errands = 0;
    c.delay = 200 * US_PER_MS;
    fake_init(k, &c);
    for (int i = 0; i < 250; i++) {
        snprintf(url, sizeof url, "http://h%d.org/", i);
        fake_add(k, url, 2);
    }
    for (int i = 0; i < 100; i++) {
        snprintf(url, sizeof url, "http://good.org/%d", i);
        fake_add(k, url, 1);
    }
    end = k->now + 15 * US_PER_S;
    for (;;) {
        const struct request *r;
        bool good;

        if (k->ndue == 0)
            fake_step(k);
        if (k->now >= end)
            break;
        if (k->ndue == 0)
            continue;
        r = k->due[0];
        good = str_eq(r->host, STR("good.org"));
        *ret_pages += good && r->kind == REQUEST_PAGE;
        *ret_errands += good && r->kind == REQUEST_ROBOTS;
        snprintf(url, sizeof url, "http://good.org/robots.txt");
        if (!own_place)
            snprintf(url, sizeof url, "http://good.org/robots.txt?%u", (unsigned)r->host_id);
        fake_answer(k, good ? (struct answer){.ip = 255, .body = "User-agent: *\nDisallow: /x\n"}
                       : r->kind == REQUEST_ROBOTS ? (struct answer){.status = 301, .location = url}
                                                   : (struct answer){0});
    }
    fake_free(k);
    free(k);
}

static void a_robots_txt_that_is_known_is_not_asked_for_again_for_others(void **state)
{
    unsigned pages, errands;

    (void)state;
    besiege(true, &pages, &errands);
    assert_in_range(errands, 1, 2);
    assert_in_range(pages, 70, 75);
}

static void errands_of_strangers_take_turns_with_a_hosts_own_pages(void **state)
{
    unsigned pages, errands;

    (void)state;
    besiege(false, &pages, &errands);
    assert_in_range(errands, 2, pages + 2); /* one is its own, and one may go first */
    assert_in_range(pages + errands, 50, 75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_starts_are_too_close_one_at_a_time),
        cmocka_unit_test(no_two_starts_are_too_close_with_several_under_way),
        cmocka_unit_test(without_a_delay_the_number_under_way_is_bounded),
        cmocka_unit_test(a_slow_host_does_not_block_the_others),
        cmocka_unit_test(hosts_behind_one_address_share_its_pace),
        cmocka_unit_test(one_hosts_retry_after_leaves_its_neighbours_alone),
        cmocka_unit_test(the_two_doors_of_a_host_share_its_pace_wherever_they_lead),
        cmocka_unit_test(among_due_hosts_the_best_score_goes_first),
        cmocka_unit_test(a_robots_txt_that_is_known_is_not_asked_for_again_for_others),
        cmocka_unit_test(errands_of_strangers_take_turns_with_a_hosts_own_pages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
