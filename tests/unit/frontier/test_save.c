/* Checkpoint and restore. SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/limits.h"
#include "base/rng.h"
#include "parse/url_norm.h"

#include <stdio.h>
#include <stdlib.h>

/* Hosts as a checkpoint keeps them. */
struct kept {
    struct buf name[16], state[16];
    uint32_t id[16];
    size_t count;
};

static void keep(void *ctx, uint32_t id, struct str name, struct str state)
{
    struct kept *k = ctx;
    size_t i = k->count++;

    assert_true(i < 16);
    k->id[i] = id;
    buf_init(&k->name[i], KIB(64));
    buf_init(&k->state[i], KIB(64));
    buf_add_str(&k->name[i], name);
    buf_add_str(&k->state[i], state);
}

static void kept_free(struct kept *k)
{
    for (size_t i = 0; i < k->count; i++) {
        buf_free(&k->name[i]);
        buf_free(&k->state[i]);
    }
}

/* Everything from one frontier into a fresh one. */
static void move(struct fake *from, struct fake *to)
{
    struct kept hosts = {.count = 0};
    struct buf state = BUF_INIT(MIB(1));
    struct url_view v;

    frontier_changed_hosts(from->f, keep, &hosts);
    frontier_save(from->f, &state);
    fake_init(to, &from->config);
    to->now = from->now;
    for (uint32_t id = 1; frontier_url(from->f, id, &v); id++)
        assert_int_equal(frontier_restore_url(to->f, v.href, id, &v), ST_OK);
    for (size_t i = 0; i < hosts.count; i++)
        assert_int_equal(frontier_restore_host(to->f, hosts.id[i], buf_str(&hosts.name[i]),
                                               buf_str(&hosts.state[i]), to->now),
                         ST_OK);
    assert_int_equal(frontier_restore(to->f, buf_str(&state), to->now), ST_OK);
    kept_free(&hosts);
    buf_free(&state);
}

static void open_choices_come_back_and_every_host_waits_first(void **state)
{
    struct frontier_config c = fake_config();
    struct fake a, b;
    struct url_view v;

    (void)state;
    fake_init(&a, &c);
    fake_add(&a, "http://a.org/1", 1);
    fake_add(&a, "https://a.org/2", 3);
    fake_add(&a, "http://a.org/3", 2);
    fake_add(&a, "http://b.org/4", 5);
    fake_meet(&a, "http://b.org/known", 4, NULL);
    assert_non_null(fake_page(&a, "User-agent: *\nDisallow: /3\nCrawl-delay: 9"));
    fake_answer(&a, (struct answer){0});
    frontier_visited(a.f, 4, 1);
    assert_non_null(fake_page(&a, "User-agent: *\nDisallow: /3\nCrawl-delay: 9"));
    assert_str(a.due[0]->href, "https://a.org/2"); /* under way when we stop */
    move(&a, &b);
    assert_int_equal(frontier_counts(b.f).waiting, 3);
    assert_true(frontier_next_time(b.f) >= b.now + 9 * US_PER_S);
    assert_non_null(fake_page(&b, ""));
    assert_str(b.due[0]->href, "https://a.org/2");
    assert_int_equal(b.due[0]->choice.agent, 1);
    fake_answer(&b, (struct answer){0});
    assert_non_null(fake_page(&b, "")); /* the rules came back too: no new robots.txt */
    assert_str(b.due[0]->href, "http://a.org/1");
    assert_int_equal(fake_dropped(&b, 3), DROP_ROBOTS);
    assert_true(frontier_url(b.f, 4, &v));
    assert_int_equal(v.state, URL_VISITED);
    assert_int_equal(v.page, 1);
    assert_true(frontier_url(b.f, 5, &v));
    assert_int_equal(v.depth, 4);
    assert_int_equal(fake_meet(&b, "http://new.org/", 0, NULL), 6);
    fake_free(&a);
    fake_free(&b);
}

static void dead_hosts_and_spent_budgets_stay_so(void **state)
{
    struct frontier_config c = fake_config();
    struct fake a, b;

    (void)state;
    c.pages_per_host = 1;
    fake_init(&a, &c);
    fake_add(&a, "http://dead.org/1", 1);
    fake_step(&a);
    fake_answer(&a, (struct answer){.error = FETCH_REFUSED});
    fake_step(&a);
    fake_add(&a, "http://full.org/1", 1);
    fake_add(&a, "http://full.org/2", 1);
    assert_non_null(fake_page(&a, ""));
    fake_answer(&a, (struct answer){0});
    frontier_visited(a.f, 2, 1); /* the second still waits to be dropped */
    move(&a, &b);
    assert_int_equal(fake_add(&b, "http://dead.org/2", 1), DROP_ADDRESS);
    assert_int_equal(fake_add(&b, "http://full.org/3", 1), DROP_BUDGET);
    assert_null(fake_page(&b, ""));
    assert_int_equal(fake_dropped(&b, 3), DROP_BUDGET);
    assert_int_equal(frontier_counts(b.f).hosts_dead, 1);
    fake_free(&a);
    fake_free(&b);
}

static void forgiven_urls_and_their_dead_host_get_another_chance(void **state)
{
    struct frontier_config c = fake_config();
    struct fake a, b;

    (void)state;
    fake_init(&a, &c);
    fake_add(&a, "http://dead.org/1", 1);
    fake_add(&a, "http://dead.org/2", 1);
    fake_step(&a);
    fake_answer(&a, (struct answer){.error = FETCH_REFUSED});
    fake_step(&a);
    assert_int_equal(fake_dropped(&a, 1), DROP_ADDRESS);
    move(&a, &b);
    frontier_forgive(b.f, 1);
    frontier_forgive(b.f, 77); /* nobody */
    assert_int_equal(frontier_counts(b.f).hosts_dead, 0);
    assert_int_equal(fake_add(&b, "http://dead.org/1", 1), DROP_NONE);
    assert_int_equal(fake_add(&b, "http://dead.org/2", 1), DROP_ADDRESS); /* was not forgiven */
    assert_non_null(fake_page(&b, ""));
    assert_str(b.due[0]->href, "http://dead.org/1");
    fake_free(&a);
    fake_free(&b);
}

static void forgiving_robots_reads_them_again(void **state)
{
    struct frontier_config c = fake_config();
    struct fake a, b;

    (void)state;
    fake_init(&a, &c);
    fake_add(&a, "http://a.org/1", 1);
    assert_null(fake_page(&a, "User-agent: *\nDisallow: /"));
    assert_int_equal(fake_dropped(&a, 1), DROP_ROBOTS);
    move(&a, &b);
    assert_int_equal(fake_add(&b, "http://a.org/1", 1), DROP_ROBOTS);
    frontier_forgive(b.f, 1);
    assert_int_equal(fake_add(&b, "http://a.org/1", 1), DROP_NONE);
    assert_non_null(fake_page(&b, "")); /* they allow it now */
    fake_free(&a);
    fake_free(&b);
}

static void a_redirected_url_is_not_asked_again(void **state)
{
    struct frontier_config c = fake_config();
    struct url_view moved = {.href = STR("http://a.org/old"), .state = URL_GONE};
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    assert_int_equal(frontier_restore_url(k.f, moved.href, 1, &moved), ST_OK);
    assert_int_equal(fake_add(&k, "http://a.org/old", 1), DROP_SEEN);
    fake_free(&k);
}

static void a_long_wait_survives(void **state)
{
    struct frontier_config c = fake_config();
    struct fake a, b;

    (void)state;
    fake_init(&a, &c);
    fake_add(&a, "http://a.org/", 1);
    assert_non_null(fake_page(&a, "Sitemap: http://a.org/map.xml"));
    fake_answer(&a, (struct answer){.status = 503, .retry_after = "5000"});
    move(&a, &b);
    assert_true(frontier_next_time(b.f) >= b.now + 4999 * US_PER_S);
    struct buf url = BUF_INIT(LIMIT_URL);
    uint32_t host;
    assert_true(frontier_sitemap(b.f, &url, &host));
    assert_str(buf_str(&url), "http://a.org/map.xml");
    buf_free(&url);
    fake_free(&a);
    fake_free(&b);
}

static void a_host_of_which_nothing_was_saved_waits_its_delay_too(void **state)
{
    struct frontier_config c = fake_config();
    struct fake a, b;

    (void)state;
    fake_init(&a, &c);
    fake_add(&a, "http://a.org/", 1);
    move(&a, &b);
    assert_int_equal(frontier_next_time(b.f), b.now + c.delay);
    fake_add(&b, "http://late.org/", 1);
    assert_int_equal(frontier_next_time(b.f), b.now + c.delay);
    assert_int_equal(fake_step(&b), 2);
    fake_free(&a);
    fake_free(&b);
}

static void saving_twice_gives_the_same_bytes(void **state)
{
    struct frontier_config c = fake_config();
    struct buf one = BUF_INIT(MIB(1)), two = BUF_INIT(MIB(1));
    struct fake a, b;
    char url[64];

    (void)state;
    fake_init(&a, &c);
    for (int i = 0; i < 200; i++) {
        snprintf(url, sizeof url, "http://h%d.org/%d", i % 7, i);
        fake_add(&a, url, (float)(i * 37 % 11));
    }
    for (int i = 0; i < 15; i++) {
        assert_non_null(fake_page(&a, ""));
        fake_answer(&a, (struct answer){0});
    }
    move(&a, &b);
    frontier_save(a.f, &one);
    frontier_save(b.f, &two);
    assert_int_equal(one.len, two.len);
    assert_memory_equal(one.data, two.data, one.len);
    buf_free(&one);
    buf_free(&two);
    fake_free(&a);
    fake_free(&b);
}

static void what_makes_no_sense_is_refused(void **state)
{
    struct frontier_config c = fake_config();
    struct url_view v = {.state = URL_KNOWN};
    struct fake k;

    (void)state;
    fake_init(&k, &c);
    assert_int_equal(frontier_restore_url(k.f, STR("ftp://a.org/"), 1, &v), ST_CORRUPT);
    assert_int_equal(frontier_restore_url(k.f, STR("http://a.org/"), 0, &v), ST_CORRUPT);
    assert_int_equal(frontier_restore_url(k.f, STR("http://a.org/"), 5, &v), ST_OK);
    assert_int_equal(frontier_restore_url(k.f, STR("http://a.org/"), 6, &v), ST_CORRUPT);
    assert_int_equal(frontier_restore_url(k.f, STR("http://b.org/"), 5, &v), ST_CORRUPT);
    assert_false(frontier_url(k.f, 3, &v)); /* a number that was left out */
    assert_int_equal(frontier_restore_host(k.f, 1, STR("a.org"), STR(""), k.now), ST_CORRUPT);
    assert_int_equal(frontier_restore(k.f, STR(""), k.now), ST_CORRUPT);
    assert_int_equal(frontier_restore(k.f, STR("\1\1\0\0\0"), k.now), ST_CORRUPT);
    fake_free(&k);
}

/* Earlier versions told more URLs apart than the table does. */
static void two_saved_urls_whose_keys_are_cut_to_the_same_both_come_back(void **state)
{
    static const char *const urls[] = {"http://a.example/29e1c55d4a18c0",
                                       "http://a.example/303331c2915f0a"};
    struct frontier_config c = fake_config();
    struct url_view v = {.state = URL_KNOWN};
    struct fake k;

    (void)state;
    for (int bare = 0; bare < 2; bare++) {
        fake_init(&k, &c);
        v.drop = bare ? DROP_DEPTH : DROP_NONE;
        v.depth = 1;
        assert_int_equal(frontier_restore_url(k.f, str_of(urls[0]), 1, &v), ST_OK);
        assert_int_equal(frontier_find(k.f, url_key(str_of(urls[1]))), 1); /* it is such a pair */
        assert_int_equal(frontier_restore_url(k.f, str_of(urls[1]), 2, &v), ST_OK);
        assert_int_equal(frontier_find(k.f, url_key(str_of(urls[1]))), 1);
        assert_true(frontier_url(k.f, 2, &v));
        assert_str(v.href, bare ? "" : urls[1]);
        fake_free(&k);
        v = (struct url_view){.state = URL_KNOWN};
    }
}

static void damaged_bytes_never_crash(void **state)
{
    struct frontier_config c = fake_config();
    struct buf good = BUF_INIT(MIB(1));
    struct fake a;
    struct rng rng;
    char url[64];

    (void)state;
    rng_init(&rng, 9);
    fake_init(&a, &c);
    for (int i = 0; i < 20; i++) {
        snprintf(url, sizeof url, "http://h%d.org/%d", i % 3, i);
        fake_add(&a, url, (float)i);
    }
    frontier_save(a.f, &good);
    for (int turn = 0; turn < 500; turn++) {
        char *bytes = malloc(good.len);
        size_t len = rng_below(&rng, 3) ? good.len : rng_below(&rng, good.len);
        struct fake b;

        memcpy(bytes, good.data, good.len);
        for (int i = 0; i < 3; i++)
            bytes[rng_below(&rng, good.len)] = (char)rng_u64(&rng);
        fake_init(&b, &c);
        for (int i = 0; i < 20; i++) {
            snprintf(url, sizeof url, "http://h%d.org/%d", i % 3, i);
            fake_meet(&b, url, 0, NULL);
        }
        (void)!frontier_restore(b.f, (struct str){bytes, len}, b.now);
        fake_step(&b);
        fake_free(&b);
        free(bytes);
    }
    buf_free(&good);
    fake_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_choices_come_back_and_every_host_waits_first),
        cmocka_unit_test(dead_hosts_and_spent_budgets_stay_so),
        cmocka_unit_test(forgiven_urls_and_their_dead_host_get_another_chance),
        cmocka_unit_test(forgiving_robots_reads_them_again),
        cmocka_unit_test(a_redirected_url_is_not_asked_again),
        cmocka_unit_test(a_long_wait_survives),
        cmocka_unit_test(a_host_of_which_nothing_was_saved_waits_its_delay_too),
        cmocka_unit_test(saving_twice_gives_the_same_bytes),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(two_saved_urls_whose_keys_are_cut_to_the_same_both_come_back),
        cmocka_unit_test(damaged_bytes_never_crash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
