/* Hosts that belong to another node of the crawl. SPDX-License-Identifier: MIT */
#include "fake.h"

struct owner {
    struct fake k;
    bool b_is_ours;
};

static bool is_foreign(void *ctx, struct str host)
{
    const struct owner *o = ctx;

    return str_eq(host, STR("b.example")) && !o->b_is_ours;
}

static void owner_init(struct owner *o)
{
    struct frontier_config config = fake_config();

    config.foreign = is_foreign;
    config.foreign_ctx = o;
    fake_init(&o->k, &config);
}

static void a_url_of_another_node_gets_a_number_and_is_not_asked_for(void **state)
{
    struct owner o = {.b_is_ours = false};
    enum drop why;

    (void)state;
    owner_init(&o);
    assert_true(fake_meet(&o.k, "http://b.example:8080/x", 1, &why) != 0);
    assert_int_equal(why, DROP_FOREIGN);
    assert_int_equal(fake_add(&o.k, "http://b.example/y", 1), DROP_FOREIGN);
    assert_int_equal(fake_add(&o.k, "http://a.example/", 1), DROP_NONE);
    assert_true(str_starts(fake_page(&o.k, "")->href, STR("http://a.example/")));
    assert_int_equal(o.k.ndue, 1);
    fake_free(&o.k);
}

static void a_host_that_comes_to_us_is_judged_again(void **state)
{
    struct owner o = {.b_is_ours = false};
    uint32_t url;
    enum drop why;

    (void)state;
    owner_init(&o);
    url = fake_meet(&o.k, "http://b.example/x", 1, &why);
    assert_int_equal(why, DROP_FOREIGN);
    o.b_is_ours = true;
    assert_int_equal(fake_meet(&o.k, "http://b.example/x", 1, &why), url);
    assert_int_equal(why, DROP_NONE);
    assert_int_equal(fake_add(&o.k, "http://b.example/x", 1), DROP_NONE);
    assert_true(str_starts(fake_page(&o.k, "")->href, STR("http://b.example/x")));
    fake_free(&o.k);
}

static void what_waits_at_a_host_that_goes_is_dropped_and_may_come_back(void **state)
{
    struct owner o = {.b_is_ours = true};
    uint32_t url;
    enum drop why;

    (void)state;
    owner_init(&o);
    assert_int_equal(fake_add(&o.k, "http://b.example/x", 1), DROP_NONE);
    url = fake_meet(&o.k, "http://b.example/x", 1, NULL);
    o.b_is_ours = false;
    frontier_moved(o.k.f);
    assert_int_equal(fake_release(&o.k), 0);
    assert_int_equal(fake_dropped(&o.k, url), DROP_FOREIGN);
    o.b_is_ours = true;
    assert_int_equal(fake_meet(&o.k, "http://b.example/x", 1, &why), url);
    assert_int_equal(why, DROP_NONE);
    assert_int_equal(frontier_state(o.k.f, url), URL_KNOWN);
    fake_free(&o.k);
}

static void what_another_node_has_visited_is_not_asked_for(void **state)
{
    struct owner o = {.b_is_ours = true};
    uint32_t done, gone;

    (void)state;
    owner_init(&o);
    done = fake_meet(&o.k, "http://b.example/done", 1, NULL);
    gone = fake_meet(&o.k, "http://b.example/gone", 1, NULL);
    frontier_settled(o.k.f, done, DROP_NONE);
    frontier_settled(o.k.f, gone, DROP_STATUS);
    assert_int_equal(frontier_state(o.k.f, done), URL_VISITED);
    assert_int_equal(fake_add(&o.k, "http://b.example/done", 1), DROP_SEEN);
    assert_int_equal(frontier_state(o.k.f, gone), URL_GONE);
    assert_true(fake_add(&o.k, "http://b.example/gone", 1) != DROP_NONE);
    fake_free(&o.k);
}

/* The row of a URL says what it was when it was met. */
static void what_was_another_nodes_when_it_was_met_goes_on_here_after_a_restart(void **state)
{
    struct owner o = {.b_is_ours = false}, back = {.b_is_ours = true};
    struct url_view row = {.state = URL_KNOWN, .drop = DROP_FOREIGN, .depth = 1};
    struct buf saved = BUF_INIT(10000);

    (void)state;
    owner_init(&o);
    (void)fake_meet(&o.k, "http://b.example/x", 1, NULL);
    (void)fake_meet(&o.k, "http://b.example/y", 1, NULL);
    o.b_is_ours = true;
    (void)fake_meet(&o.k, "http://b.example/y", 1, NULL);
    assert_int_equal(fake_add(&o.k, "http://b.example/x", 1), DROP_NONE); /* it waits */
    frontier_save(o.k.f, &saved);
    owner_init(&back);
    assert_int_equal(frontier_restore_url(back.k.f, STR("http://b.example/x"), 1, &row), ST_OK);
    assert_int_equal(frontier_restore_url(back.k.f, STR("http://b.example/y"), 2, &row), ST_OK);
    assert_int_equal(frontier_restore(back.k.f, buf_str(&saved), back.k.now), ST_OK);
    assert_int_equal(frontier_state(back.k.f, 1), URL_WAITING);
    assert_int_equal(
        frontier_add(back.k.f, &(struct choice){.url = 2, .agent = 1, .score = 1}, back.k.now),
        DROP_NONE); /* a model had it in its queue */
    buf_free(&saved);
    fake_free(&back.k);
    fake_free(&o.k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_url_of_another_node_gets_a_number_and_is_not_asked_for),
        cmocka_unit_test(a_host_that_comes_to_us_is_judged_again),
        cmocka_unit_test(what_waits_at_a_host_that_goes_is_dropped_and_may_come_back),
        cmocka_unit_test(what_was_another_nodes_when_it_was_met_goes_on_here_after_a_restart),
        cmocka_unit_test(what_another_node_has_visited_is_not_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
