/* Links that are chosen when their host may be asked. SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/limits.h"

#include <math.h>
#include <stdio.h>

/* Somebody who chooses late: links by host, the best first. */
struct chooser {
    struct fake k;
    struct wish links[8][8]; /* by host, as they will be chosen */
    size_t count[8], taken[8];
    uint32_t chosen[64];
    size_t nchosen;
    struct choice instead; /* what again() chooses */
    size_t nasked;         /* by again() */
};

static void wish_for_next(struct chooser *c, uint32_t host)
{
    struct wish none = {0};

    frontier_wish(c->k.f, host,
                  c->taken[host] < c->count[host] ? &c->links[host][c->taken[host]] : &none,
                  c->k.now);
}

static bool choose(void *ctx, uint32_t host, struct choice *ret)
{
    struct chooser *c = ctx; /* the fake stands first */

    if (c->taken[host] == c->count[host])
        return false;
    *ret = (struct choice){.url = c->links[host][c->taken[host]].url, .agent = 1};
    ret->score = (float)c->links[host][c->taken[host]++].score;
    c->chosen[c->nchosen++] = ret->url;
    wish_for_next(c, host);
    return true;
}

/* Chooses again what is not `instead` already. */
static bool again(void *ctx, const struct choice *choice, struct choice *ret)
{
    struct chooser *c = ctx;

    c->nasked++;
    *ret = c->instead;
    return choice->url != c->instead.url;
}

static uint32_t link_add(struct chooser *c, const char *url, double score)
{
    uint32_t id = fake_meet(&c->k, url, 1, NULL), host = frontier_host(c->k.f, id);

    c->links[host][c->count[host]++] = (struct wish){id, score, id};
    wish_for_next(c, host);
    return id;
}

static void on_due(void *ctx, struct request *r)
{
    struct fake *k = ctx;

    k->due[k->ndue++] = r;
}

static void on_drop(void *ctx, const struct choice *c, enum drop why)
{
    struct fake *k = ctx;

    k->why[k->ndropped] = why;
    k->dropped[k->ndropped++] = *c;
}

static uint32_t release(struct chooser *c, uint32_t choices, float bound)
{
    struct release r = {.max = 64,
                        .choices = choices,
                        .bound = bound,
                        .ctx = c,
                        .on_due = on_due,
                        .on_drop = on_drop,
                        .choose = choose};

    return frontier_release(c->k.f, c->k.now, &r);
}

/* The same, at least `least` of them whatever the bound is. */
static uint32_t release_least(struct chooser *c, uint32_t least, float bound)
{
    struct release r = {.max = 64,
                        .choices = 64,
                        .least = least,
                        .bound = bound,
                        .ctx = c,
                        .on_due = on_due,
                        .on_drop = on_drop,
                        .choose = choose};

    return frontier_release(c->k.f, c->k.now, &r);
}

static uint32_t release_asking(struct chooser *c)
{
    struct release r = {.max = 64, .ctx = c, .on_due = on_due, .on_drop = on_drop, .again = again};

    return frontier_release(c->k.f, c->k.now, &r);
}

static struct chooser *chooser_of(const struct frontier_config *config)
{
    struct chooser *c = test_calloc(1, sizeof *c);

    fake_init(&c->k, config);
    return c;
}

static struct chooser *chooser_new(bool services)
{
    struct frontier_config config = fake_config();

    config.robots = config.resolve = services;
    return chooser_of(&config);
}

static void chooser_free(struct chooser *c)
{
    while (c->k.ndue)
        fake_answer(&c->k, (struct answer){0});
    fake_free(&c->k);
    test_free(c);
}

static void link_is_chosen_when_its_host_may_be_asked(void **state)
{
    struct chooser *c = chooser_new(false);
    uint32_t a = link_add(c, "http://a/1", 0.5), b = link_add(c, "http://b/1", 0.9);

    (void)state;
    (void)link_add(c, "http://a/2", 0.4);
    assert_int_equal(release(c, 64, -INFINITY), 2);
    assert_int_equal(c->nchosen, 2); /* one a host: nothing ahead */
    assert_int_equal(c->chosen[0], b);
    assert_int_equal(c->chosen[1], a);
    assert_int_equal(release(c, 64, -INFINITY), 0);
    while (c->k.ndue)
        fake_answer(&c->k, (struct answer){0});
    assert_int_equal(frontier_next_time(c->k.f), c->k.now + US_PER_S);
    c->k.now += US_PER_S - 1;
    assert_int_equal(release(c, 64, -INFINITY), 0);
    c->k.now += 1;
    assert_int_equal(release(c, 64, -INFINITY), 1);
    chooser_free(c);
}

static void choice_that_waited_may_be_made_again_when_it_can_be_sent(void **state)
{
    struct chooser *c = chooser_new(false);
    uint32_t second, other;

    (void)state;
    assert_int_equal(fake_add(&c->k, "http://a/1", 1), DROP_NONE);
    assert_int_equal(fake_add(&c->k, "http://a/2", 1), DROP_NONE);
    second = fake_meet(&c->k, "http://a/2", 1, NULL);
    other = fake_meet(&c->k, "http://b/1", 1, NULL);
    c->instead.url = other;
    assert_int_equal(release_asking(c), 1);
    assert_int_equal(c->nasked, 0); /* the first did not wait */
    fake_answer(&c->k, (struct answer){0});
    c->k.now += US_PER_S;
    assert_int_equal(release_asking(c), 1);
    assert_int_equal(c->nasked, 1);
    assert_string_equal(c->k.due[0]->href.ptr, "http://b/1");
    assert_int_equal(frontier_state(c->k.f, second), URL_KNOWN);
    fake_answer(&c->k, (struct answer){0});
    assert_int_equal(fake_add(&c->k, "http://a/2", 1), DROP_NONE);
    c->k.now += US_PER_S;
    c->instead.url = second; /* this time it stands */
    assert_int_equal(release_asking(c), 1);
    assert_int_equal(c->nasked, 2);
    fake_answer(&c->k, (struct answer){0});
    chooser_free(c);
}

static void choice_that_waited_may_be_taken_back(void **state)
{
    struct chooser *c = chooser_new(false);

    (void)state;
    assert_int_equal(fake_add(&c->k, "http://a/1", 1), DROP_NONE);
    c->k.now += US_PER_S;
    assert_int_equal(release_asking(c), 0);
    assert_int_equal(c->nasked, 1);
    assert_int_equal(c->k.ndropped, 0);
    assert_int_equal(frontier_counts(c->k.f).waiting, 0);
    assert_int_equal(frontier_next_time(c->k.f), INT64_MAX);
    chooser_free(c);
}

static void equal_wishes_go_by_their_turn(void **state)
{
    struct chooser *c = chooser_new(false);
    uint32_t a = link_add(c, "http://a/1", 0.5), b = link_add(c, "http://b/1", 0.5);

    (void)state;
    c->links[frontier_host(c->k.f, a)][0].turn = 9;
    wish_for_next(c, frontier_host(c->k.f, a));
    assert_int_equal(release(c, 64, -INFINITY), 2);
    assert_true(c->chosen[0] == b && c->chosen[1] == a);
    chooser_free(c);
}

static void address_and_robots_come_before_the_choice(void **state)
{
    struct chooser *c = chooser_new(true);

    (void)state;
    (void)link_add(c, "http://a/1", 0.5);
    assert_int_equal(release(c, 64, -INFINITY), 1);
    assert_int_equal(c->k.due[0]->kind, REQUEST_RESOLVE);
    fake_answer(&c->k, (struct answer){0});
    assert_int_equal(release(c, 64, -INFINITY), 1);
    assert_int_equal(c->k.due[0]->kind, REQUEST_ROBOTS);
    fake_answer(&c->k, (struct answer){.body = "User-agent: *\nDisallow: /1"});
    assert_int_equal(c->nchosen, 0);
    c->k.now += US_PER_S;
    assert_int_equal(release(c, 64, -INFINITY), 0);
    assert_int_equal(c->nchosen, 1); /* and robots.txt speaks against it */
    assert_true(c->k.ndropped == 1 && c->k.why[0] == DROP_ROBOTS);
    assert_int_equal(frontier_counts(c->k.f).wishes, 0);
    chooser_free(c);
}

static void wishes_below_the_bound_are_held(void **state)
{
    struct chooser *c = chooser_new(false);

    (void)state;
    (void)link_add(c, "http://a/1", 0.9);
    (void)link_add(c, "http://b/1", 0.2);
    (void)link_add(c, "http://d/1", 0.1);
    assert_int_equal(release(c, 64, 0.5f), 1);
    assert_int_equal(frontier_counts(c->k.f).held, 2);
    assert_int_equal(frontier_next_time(c->k.f), INT64_MAX); /* no busy loop */
    fake_answer(&c->k, (struct answer){0});
    /* Nothing is under way and nothing will be due: what is left has to do. */
    assert_int_equal(release(c, 64, 0.5f), 1);
    assert_int_equal(c->nchosen, 2);
    chooser_free(c);
}

static void best_wishes_below_the_bound_are_taken_where_the_pace_asks_for_them(void **state)
{
    struct chooser *c = chooser_new(false);
    uint32_t b;

    (void)state;
    (void)link_add(c, "http://a/1", 0.9);
    (void)link_add(c, "http://d/1", 0.1);
    b = link_add(c, "http://b/1", 0.2);
    assert_int_equal(release_least(c, 2, 0.5f), 2);
    assert_int_equal(c->chosen[1], b);
    assert_int_equal(frontier_counts(c->k.f).held, 1);
    chooser_free(c);
}

static void no_more_are_chosen_than_pages_are_missing(void **state)
{
    struct chooser *c = chooser_new(false);

    (void)state;
    (void)link_add(c, "http://a/1", 0.9);
    (void)link_add(c, "http://b/1", 0.2);
    assert_int_equal(release(c, 1, -INFINITY), 1);
    assert_int_equal(frontier_counts(c->k.f).held, 0);
    assert_int_equal(release(c, 0, -INFINITY), 0);
    chooser_free(c);
}

/* Three failed attempts to find its address, and the host is dead: all its links end, and no
 * wish is left. */
static void links_of_a_dead_host_are_dropped(void **state)
{
    struct chooser *c = chooser_new(true);

    (void)state;
    (void)link_add(c, "http://a/1", 0.9);
    (void)link_add(c, "http://a/2", 0.8);
    (void)link_add(c, "http://a/3", 0.7);
    for (int i = 0; i < 20 && frontier_counts(c->k.f).wishes; i++) {
        int64_t next = frontier_next_time(c->k.f);

        c->k.now = next != INT64_MAX && next > c->k.now ? next : c->k.now;
        (void)release(c, 64, -INFINITY);
        while (c->k.ndue)
            fake_answer(&c->k, (struct answer){.error = FETCH_RESOLVE});
    }
    assert_int_equal(frontier_counts(c->k.f).wishes, 0);
    assert_int_equal(c->k.ndropped, 3);
    assert_int_equal(c->k.why[2], DROP_HOST_DEAD);
    chooser_free(c);
}

/* The link that was wished for is refused, and the next one has another address. */
static void link_by_the_other_scheme_waits_for_its_address(void **state)
{
    struct chooser *c = chooser_new(true);
    uint32_t plain = link_add(c, "http://a/1", 0.9);

    (void)state;
    (void)link_add(c, "https://a/2", 0.8);
    for (int i = 0; i < 2; i++) { /* address, robots.txt */
        assert_int_equal(release(c, 64, -INFINITY), 1);
        fake_answer(&c->k, (struct answer){0});
    }
    frontier_visited(c->k.f, plain, 1); /* a redirect led there */
    c->k.now += US_PER_S;
    assert_int_equal(release(c, 64, -INFINITY), 1);
    assert_int_equal(c->k.due[0]->kind, REQUEST_RESOLVE);
    assert_true(c->k.due[0]->tls);
    fake_answer(&c->k, (struct answer){.ip = 77});
    assert_int_equal(release(c, 64, -INFINITY), 1);
    assert_int_equal(c->k.due[0]->kind, REQUEST_PAGE);
    assert_int_equal(c->k.due[0]->address.bytes[3], 77);
    chooser_free(c);
}

/* The best host asks to be left alone for an hour: the others are not idle so long. */
static void nobody_waits_for_a_host_that_is_away(void **state)
{
    struct chooser *c = chooser_new(false);

    (void)state;
    (void)link_add(c, "http://a/1", 0.9);
    (void)link_add(c, "http://a/2", 0.9);
    (void)link_add(c, "http://b/1", 0.2);
    assert_int_equal(release(c, 64, 0.5f), 1);
    fake_answer(&c->k, (struct answer){0});
    assert_int_equal(release(c, 64, 0.5f), 0); /* a second is worth it */
    c->k.now += US_PER_S;
    assert_int_equal(release(c, 64, 0.5f), 1);
    fake_answer(&c->k, (struct answer){.status = 429, .retry_after = "3600"});
    assert_int_equal(frontier_away(c->k.f, c->k.now, INT64_MAX), 1);
    assert_int_equal(frontier_away(c->k.f, c->k.now + 3590 * US_PER_S, INT64_MAX), 0);
    assert_int_equal(release(c, 64, 0.5f), 1);
    assert_int_equal(frontier_away(c->k.f, c->k.now, INT64_MAX), 1);
    assert_int_equal(frontier_away(c->k.f, c->k.now + 3590 * US_PER_S, 5 * US_PER_S), 1);
    assert_int_equal(c->nchosen, 3);
    assert_int_equal(frontier_overdue(c->k.f, c->k.now + US_PER_S, 2 * US_PER_S), 0);
    assert_int_equal(frontier_overdue(c->k.f, c->k.now + 3 * US_PER_S, 2 * US_PER_S), 1);
    chooser_free(c);
}

static void link_that_the_engine_does_not_know_has_no_host(void **state)
{
    struct frontier_config config = fake_config();
    struct chooser *c;
    enum drop why;
    uint32_t far;

    (void)state;
    config.max_depth = 2;
    c = chooser_of(&config);
    far = fake_meet(&c->k, "http://a/far", 3, &why); /* of which the verdict alone is kept */
    assert_int_equal(why, DROP_DEPTH);
    assert_int_equal(frontier_host(c->k.f, far), 0);
    assert_int_equal(frontier_host(c->k.f, 0), 0);
    assert_int_equal(frontier_host(c->k.f, far + 1), 0);
    chooser_free(c);
}

/* Rules that left memory judged another link than the one that is chosen: it waits for
 * robots.txt, and it is chosen all the same. */
static void choice_that_waits_for_robots_counts(void **state)
{
    struct frontier_config config = fake_config();
    struct chooser *c;
    uint32_t first;

    (void)state;
    config.robots_bytes = 2;
    c = chooser_of(&config);
    first = link_add(c, "http://a/1", 0.9);
    (void)link_add(c, "http://a/2", 0.8);
    (void)link_add(c, "http://b/1", 0.5);
    for (int i = 0; i < 2; i++) { /* addresses, robots.txt; the second displaces the first */
        assert_int_equal(release(c, 64, -INFINITY), 2);
        while (c->k.ndue)
            fake_answer(&c->k, (struct answer){.body = "User-agent: *\nDisallow: /x"});
    }
    frontier_visited(c->k.f, first, 1);
    c->k.now += US_PER_S;
    assert_int_equal(release(c, 1, -INFINITY), 1);
    assert_int_equal(c->nchosen, 2);
    assert_int_equal(c->k.due[0]->kind, REQUEST_ROBOTS);
    chooser_free(c);
}

/* Rules judged a wish and left memory. Newer ones are not asked about it, for another visit
 * waits there when they leave: what the old ones said does not count any more. */
static void verdict_of_older_rules_is_forgotten(void **state)
{
    struct frontier_config config = fake_config();
    struct chooser *c;

    (void)state;
    config.robots_bytes = 2;
    c = chooser_of(&config);
    (void)link_add(c, "http://a/1", 0.9);
    (void)link_add(c, "http://b/1", 0.5);
    for (int i = 0; i < 2; i++) { /* addresses, robots.txt; the second displaces the first */
        assert_int_equal(release(c, 64, -INFINITY), 2);
        while (c->k.ndue)
            fake_answer(&c->k, (struct answer){.body = "User-agent: *\nDisallow: /x"});
    }
    c->k.now += 2 * LIMIT_ROBOTS_AGE * US_PER_S;
    assert_int_equal(fake_add(&c->k, "http://a/9", 1), DROP_NONE);
    assert_int_equal(release(c, 64, -INFINITY), 2);
    fake_answer(&c->k, (struct answer){.body = "User-agent: *\nDisallow: /1"});
    fake_answer(&c->k, (struct answer){.body = "User-agent: *\nDisallow: /x"});
    c->k.now += US_PER_S;
    assert_int_equal(release(c, 64, -INFINITY), 2); /* a/9, b/1 */
    while (c->k.ndue)
        fake_answer(&c->k, (struct answer){0});
    c->k.now += US_PER_S;
    assert_int_equal(release(c, 64, -INFINITY), 1);
    assert_int_equal(c->k.due[0]->kind, REQUEST_ROBOTS);
    chooser_free(c);
}

/* Five hosts, all better, say that their robots.txt lies at good.org. */
static void errands_of_strangers_take_turns_with_a_hosts_own_wishes(void **state)
{
    struct frontier_config config = fake_config();
    struct chooser *c = chooser_of(&config);
    unsigned pages = 0, errands = 0;
    char url[64];

    (void)state;
    for (int i = 0; i < 5; i++) {
        (void)snprintf(url, sizeof url, "http://good.org/%d", i);
        (void)link_add(c, url, 1);
    }
    for (int i = 0; i < 5; i++) {
        (void)snprintf(url, sizeof url, "http://h%d.org/", i);
        (void)link_add(c, url, 2);
    }
    for (int i = 0; i < 1000 && pages < 5; i++) {
        const struct request *r;
        bool good;

        if (c->k.ndue == 0) {
            c->k.now += 50 * US_PER_MS;
            (void)release(c, 64, 0.5f);
            continue;
        }
        r = c->k.due[0];
        good = str_eq(r->host, STR("good.org"));
        pages += good && r->kind == REQUEST_PAGE;
        errands += good && r->kind == REQUEST_ROBOTS;
        assert_in_range(errands, 0, pages + 2); /* one is its own, and one may go first */
        (void)snprintf(url, sizeof url, "http://good.org/robots.txt?%u", (unsigned)r->host_id);
        fake_answer(&c->k,
                    good ? (struct answer){.ip = 255, .body = "User-agent: *\nDisallow: /x\n"}
                    : r->kind == REQUEST_ROBOTS ? (struct answer){.status = 301, .location = url}
                                                : (struct answer){0});
    }
    assert_int_equal(pages, 5);
    assert_in_range(errands, 5, 6);
    chooser_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(link_is_chosen_when_its_host_may_be_asked),
        cmocka_unit_test(choice_that_waited_may_be_made_again_when_it_can_be_sent),
        cmocka_unit_test(choice_that_waited_may_be_taken_back),
        cmocka_unit_test(equal_wishes_go_by_their_turn),
        cmocka_unit_test(address_and_robots_come_before_the_choice),
        cmocka_unit_test(wishes_below_the_bound_are_held),
        cmocka_unit_test(best_wishes_below_the_bound_are_taken_where_the_pace_asks_for_them),
        cmocka_unit_test(no_more_are_chosen_than_pages_are_missing),
        cmocka_unit_test(links_of_a_dead_host_are_dropped),
        cmocka_unit_test(link_by_the_other_scheme_waits_for_its_address),
        cmocka_unit_test(nobody_waits_for_a_host_that_is_away),
        cmocka_unit_test(link_that_the_engine_does_not_know_has_no_host),
        cmocka_unit_test(choice_that_waits_for_robots_counts),
        cmocka_unit_test(verdict_of_older_rules_is_forgotten),
        cmocka_unit_test(errands_of_strangers_take_turns_with_a_hosts_own_wishes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
