/* Spaces without an end: calendars, queries, mirrors, hosts that give and give.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/limits.h"
#include "base/mem.h"
#include "frontier/traps.h"
#include "frontier/variants.h"
#include "parse/url_norm.h"

#include <stdio.h>

/* ---- shapes -------------------------------------------------------------- */

static void months_of_far_years_are_calendars_and_other_numbers_are_not(void **state)
{
    static const struct {
        const char *path;
        bool endless;
    } cases[] = {
        {"/calendar/2026/11/", false},
        {"/calendar/2028/12/", false},
        {"/calendar/2029/1/", true},
        {"/calendar/1826/01/01", false},
        {"/calendar/1825/01/01", true},
        {"/events/2093-04", true},
        {"/events/2093-04-01", true},
        {"/events?date=20930401", true},
        {"/list?year=2093&month=4", true},
        {"/list?month=4&year=12026", true},
        {"/calendar?y=2093&m=1", true},
        {"/2093/04/01/", true},
        {"/news/2093-04-01", true},
        {"/archive/1999/12/31/", false},
        {"/news/2093-13-01", false},
        /* numbers that are no dates */
        {"/thread/1234/5", false},
        {"/thread/9876/11", false},
        {"/item?id=20930401", false},
        {"/item/10450102", false},
        {"/list?year=2093", false},
        {"/list?y=2093&m=1", false},
        {"/2093", false},
        {"/isbn/0123-45", false},
        {"/1066-and-all-that", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (trap_looks_endless(str_of(cases[i].path), 2026) != cases[i].endless)
            fail_msg("%s", cases[i].path);
    assert_false(trap_looks_endless(STR("/calendar/2093/04"), 0)); /* no year known */
}

static void a_path_has_its_fill_of_queries(void **state)
{
    struct variants v;
    char path[64];

    (void)state;
    variants_init(&v);
    for (int i = 0; i < 2 * LIMIT_VARIANTS_3; i++) {
        (void)snprintf(path, sizeof path, "/shop?a=%d&b=1&c=2", i);
        assert_int_equal(variants_add(&v, 1, str_of(path)), i < LIMIT_VARIANTS_3);
        (void)snprintf(path, sizeof path, "/item?id=%d", i);
        assert_true(variants_add(&v, 1, str_of(path)));
    }
    assert_true(variants_add(&v, 1, STR("/shop?a=1&b=2"))); /* few parameters: apart */
    assert_true(variants_add(&v, 1, STR("/shop")));
    assert_true(variants_add(&v, 1, STR("/other?a=1&b=2&c=3")));
    assert_true(variants_add(&v, 2, STR("/shop?a=1&b=2&c=3"))); /* another host */
    assert_true(variants_bytes(&v) < 4096);
    variants_free(&v);
}

static void the_frontier_refuses_queries_beyond_that_and_after_a_restore_too(void **state)
{
    struct frontier_config config = fake_config();
    struct fake k, again;
    enum drop why;
    char url[64];

    (void)state;
    fake_init(&k, &config);
    fake_init(&again, &config);
    for (uint32_t i = 0; i <= LIMIT_VARIANTS_3; i++) {
        struct url_view view;
        uint32_t id;

        (void)snprintf(url, sizeof url, "http://h/shop?a=%u&b=1&c=2", i);
        id = fake_meet(&k, url, 1, &why);
        assert_int_equal(why, i < LIMIT_VARIANTS_3 ? DROP_NONE : DROP_TRAP);
        assert_true(frontier_url(k.f, id, &view));
        assert_int_equal(frontier_restore_url(again.f, str_of(url), id, &view), ST_OK);
    }
    (void)fake_meet(&again, url, 1, &why);
    assert_int_equal(why, DROP_TRAP);
    (void)fake_meet(&again, "http://h/shop?a=x&b=1&c=2", 1, &why);
    assert_int_equal(why, DROP_TRAP);
    (void)fake_meet(&again, "http://h/shop?a=0&b=1&c=2", 1, &why);
    assert_int_equal(why, DROP_NONE);
    fake_free(&k);
    fake_free(&again);
}

/* ---- duplicates ---------------------------------------------------------- */

/* A link of a page worth `feed`. */
static enum drop meet_from(struct fake *k, const char *url, enum feeding feed, uint32_t *ret_id)
{
    struct link link = {.url = str_of(url), .key = url_key(str_of(url))};
    uint32_t id;
    bool is_new;
    struct naming by = {.page = 1, .depth = 1, .feed = feed};
    enum drop why = frontier_meet_from(k->f, &link, &by, &id, &is_new);

    if (ret_id)
        *ret_id = id;
    return why;
}

static void what_only_duplicates_name_is_a_trap_until_another_page_names_it(void **state)
{
    struct frontier_config config = fake_config();
    struct fake k;

    (void)state;
    fake_init(&k, &config);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_NONE, NULL), DROP_TRAP);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_NONE, NULL), DROP_TRAP);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_ALL, NULL), DROP_NONE);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_NONE, NULL), DROP_NONE);
    fake_free(&k);
}

/* Looking a link up again neither frees a trap, nor makes a URL known. */
static void asking_for_a_verdict_changes_nothing(void **state)
{
    struct frontier_config config = fake_config();
    struct link link = {.url = STR("http://h/m/a"), .key = url_key(STR("http://h/m/a"))};
    struct link other = {.url = STR("http://h/b"), .key = url_key(STR("http://h/b"))};
    struct link mail = {.url = STR("mailto:x@h"), .key = url_key(STR("mailto:x@h"))};
    uint32_t id, url;
    struct fake k;

    (void)state;
    fake_init(&k, &config);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_NONE, &id), DROP_TRAP);
    assert_int_equal(frontier_known(k.f, &link, &url), DROP_TRAP);
    assert_int_equal(url, id);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_NONE, NULL), DROP_TRAP);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_ALL, NULL), DROP_NONE);
    assert_int_equal(frontier_known(k.f, &link, &url), DROP_NONE);
    assert_int_equal(frontier_known(k.f, &other, &url), DROP_QUEUE_FULL);
    assert_int_equal(url, 0);
    assert_int_equal(frontier_known(k.f, &mail, &url), DROP_SCHEME);
    assert_int_equal(frontier_urls(k.f), 1);
    fake_free(&k);
}

static void near_duplicates_pass_their_links_on_once(void **state)
{
    struct frontier_config config = fake_config();
    struct fake k;
    uint32_t first, second, third;

    (void)state;
    fake_init(&k, &config);
    assert_int_equal(meet_from(&k, "http://h/1", FEED_ALL, &first), DROP_NONE);
    assert_int_equal(meet_from(&k, "http://h/2", FEED_ALL, &second), DROP_NONE);
    frontier_visited(k.f, first, 1);
    frontier_visited(k.f, second, 2);
    assert_int_equal(frontier_feed(k.f, first, 0, false), FEED_ALL);
    assert_int_equal(frontier_feed(k.f, second, 1, true), FEED_NONE);
    assert_int_equal(frontier_feed(k.f, second, 1, false), FEED_ONCE);
    assert_int_equal(meet_from(&k, "http://h/3", FEED_ONCE, &third), DROP_NONE);
    frontier_visited(k.f, third, 3);
    assert_int_equal(frontier_feed(k.f, third, 1, false), FEED_NONE);
    assert_int_equal(frontier_feed(k.f, third, 0, false), FEED_ALL);
    /* an ordinary page names it after all */
    assert_int_equal(meet_from(&k, "http://h/3", FEED_ALL, NULL), DROP_NONE);
    assert_int_equal(frontier_feed(k.f, third, 1, false), FEED_ONCE);
    fake_free(&k);
}

static void copies_on_another_host_are_not_its_traps(void **state)
{
    struct frontier_config config = fake_config();
    struct fake k;
    uint32_t here, there;

    (void)state;
    fake_init(&k, &config);
    (void)meet_from(&k, "http://h/1", FEED_ALL, &here);
    (void)meet_from(&k, "http://g/1", FEED_ALL, &there);
    frontier_visited(k.f, here, 1);
    frontier_visited(k.f, there, 2);
    assert_int_equal(frontier_feed(k.f, there, 1, true), FEED_ALL);
    assert_int_equal(frontier_feed(k.f, here, 77, true), FEED_ALL); /* no such page */
    fake_free(&k);
}

static void verdicts_of_links_are_not_restored_as_verdicts_of_urls(void **state)
{
    struct frontier_config config = fake_config();
    struct url_view trap = {.depth = 1, .drop = DROP_TRAP};
    struct url_view nofollow = {.depth = 1, .drop = DROP_NOFOLLOW};
    struct fake k;

    (void)state;
    fake_init(&k, &config);
    assert_int_equal(frontier_restore_url(k.f, STR("http://h/m/a"), 1, &trap), ST_OK);
    assert_int_equal(frontier_restore_url(k.f, STR("http://h/a/a/a/a"), 2, &trap), ST_OK);
    assert_int_equal(frontier_restore_url(k.f, STR("http://h/b"), 3, &nofollow), ST_OK);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_NONE, NULL), DROP_TRAP);
    assert_int_equal(meet_from(&k, "http://h/m/a", FEED_ALL, NULL), DROP_NONE);
    assert_int_equal(meet_from(&k, "http://h/a/a/a/a", FEED_ALL, NULL), DROP_TRAP);
    assert_int_equal(meet_from(&k, "http://h/b", FEED_ALL, NULL), DROP_NONE);
    fake_free(&k);
}

/* ---- budgets ------------------------------------------------------------- */

/* Fetches as many pages of the host as it lets us, each of this relevance. */
static unsigned harvest(struct fake *k, uint16_t depth, float relevance, unsigned most)
{
    unsigned pages = 0;

    for (unsigned i = 0; i < most; i++) {
        char url[64];
        enum drop why;
        struct choice c = {.agent = 1};

        (void)snprintf(url, sizeof url, "http://h/%u", i);
        c.url = fake_meet(k, url, depth, &why);
        if (why != DROP_NONE || frontier_add(k->f, &c, k->now) != DROP_NONE)
            continue;
        if (fake_page(k, "") == NULL)
            continue;
        assert_int_equal(fake_answer(k, (struct answer){0}).verdict, VERDICT_PAGE);
        frontier_earned(k->f, c.url, relevance);
        frontier_visited(k->f, c.url, ++pages);
    }
    return pages;
}

static void a_budget_grows_with_the_relevance_earned(void **state)
{
    static const struct {
        uint16_t depth;
        float relevance;
        uint32_t per_host;
        unsigned pages;
    } cases[] = {
        {1, 0, UINT32_MAX, 10},      /* nothing earned: the budget */
        {1, 0.125f, UINT32_MAX, 20}, /* 4 pages a unit: half a page each */
        {1, 1, UINT32_MAX, 60},      /* earns more than it spends */
        {0, 0, UINT32_MAX, 60},      /* a seed lies there */
        {1, 1, 15, 15},              /* --pages-per-host stays exact */
        {0, 0, 5, 5},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct frontier_config config = fake_config();
        struct fake k;

        config.host_budget = 10;
        config.host_step = 4;
        config.pages_per_host = cases[i].per_host;
        fake_init(&k, &config);
        assert_int_equal(harvest(&k, cases[i].depth, cases[i].relevance, 60), cases[i].pages);
        fake_free(&k);
    }
}

struct kept {
    struct buf state;
    unsigned hosts;
};

static void keep(void *ctx, uint32_t id, struct str name, struct str state)
{
    struct kept *kept = ctx;

    (void)id, (void)name;
    buf_clear(&kept->state);
    buf_add_str(&kept->state, state);
    kept->hosts++;
}

static void what_was_earned_is_kept_over_a_resume(void **state)
{
    struct frontier_config config = fake_config();
    struct kept kept = {.state = BUF_INIT(1 << 16)};
    struct fake k, again;
    enum drop why;

    (void)state;
    config.host_budget = 2;
    config.host_step = 1;
    fake_init(&k, &config);
    assert_int_equal(harvest(&k, 1, 1, 5), 5);
    frontier_changed_hosts(k.f, keep, &kept);
    assert_int_equal(kept.hosts, 1);
    for (int old = 0; old < 2; old++) {
        /* The form before budgets knew pages only: they count as not earned. */
        struct str form = buf_str(&kept.state);

        if (old) {
            kept.state.data[0] = 1;
            form.len -= 8;
        }
        fake_init(&again, &config);
        assert_int_equal(frontier_restore_host(again.f, 1, STR("h"), form, k.now), ST_OK);
        (void)fake_meet(&again, "http://h/more", 1, &why);
        assert_int_equal(why, old ? DROP_BUDGET : DROP_NONE);
        fake_free(&again);
    }
    buf_free(&kept.state);
    fake_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(months_of_far_years_are_calendars_and_other_numbers_are_not),
        cmocka_unit_test(a_path_has_its_fill_of_queries),
        cmocka_unit_test(the_frontier_refuses_queries_beyond_that_and_after_a_restore_too),
        cmocka_unit_test(what_only_duplicates_name_is_a_trap_until_another_page_names_it),
        cmocka_unit_test(asking_for_a_verdict_changes_nothing),
        cmocka_unit_test(near_duplicates_pass_their_links_on_once),
        cmocka_unit_test(copies_on_another_host_are_not_its_traps),
        cmocka_unit_test(verdicts_of_links_are_not_restored_as_verdicts_of_urls),
        cmocka_unit_test(a_budget_grows_with_the_relevance_earned),
        cmocka_unit_test(what_was_earned_is_kept_over_a_resume),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
