/* The estimate of time left, in simulated time. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../sim/small_world.h"
#include "base/mem.h"
#include "base/rng.h"
#include "crawl/pace.h"
#include "crawl/simulate.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <math.h>
#include <stdio.h>

#define PAGES  1500
#define VISITS 500
#define HOSTS  40
#define DELAY  1000000
#define LOOKS  8192
#define STALL  30000000

enum sizes { SIZES_EVEN, SIZES_GIANTS, SIZES_ONE, SIZES_LISTS, SIZES_STALLS };

/* Giants: the first of 40 hosts has three pages of ten, the last twenty together two. Lists: one
 * host, and every tenth page links to fifty that are missing. Stalls: as even, but one page of a
 * hundred comes after half a minute. */
static unsigned host_of(enum sizes sizes, unsigned page)
{
    if (sizes == SIZES_ONE || sizes == SIZES_LISTS)
        return 0;
    if (sizes != SIZES_GIANTS)
        return page * 7 % HOSTS;
    return (unsigned)(HOSTS * pow((double)(page * 61 % PAGES) / PAGES, 3));
}

static void url_of(enum sizes sizes, unsigned page, char *ret, size_t size)
{
    (void)snprintf(ret, size, "http://host%u.example/%u", host_of(sizes, page), page);
}

static void page_draw(struct small_world *s, struct rng *r, enum sizes sizes, unsigned page)
{
    struct buf html = BUF_INIT(1 << 20);
    unsigned share = (unsigned)rng_below(r, 100);
    char url[64];

    s->latency = 1000 * (int64_t)(20 + rng_below(r, 400));
    if (sizes == SIZES_STALLS && page % 100 == 50)
        s->latency = STALL;
    for (unsigned i = 0; i < 40; i++)
        buf_addf(&html, "%s ", rng_below(r, 100) < share ? "honey" : "street");
    for (unsigned i = 0; i < 10; i++) {
        url_of(sizes, (unsigned)rng_below(r, PAGES), url, sizeof url);
        buf_addf(&html, "<a href='%s'>more</a> ", url);
    }
    for (unsigned i = 0; sizes == SIZES_LISTS && page % 10 == 5 && i < 50; i++)
        buf_addf(&html, "<a href='/images/%u/%u'>image</a> ", page, i);
    url_of(sizes, page, url, sizeof url);
    small_page(s, url, 1000000, html.data);
    buf_free(&html);
}

static struct web *web_draw(enum sizes sizes)
{
    struct web_config config = {.threads = 1};
    struct small_world s;
    struct web *web;
    struct rng r;
    char path[600];

    rng_init(&r, 4);
    (void)snprintf(path, sizeof path, "%s/%d", test_dir(), sizes);
    small_begin(&s, path);
    for (unsigned page = 0; page < PAGES; page++)
        page_draw(&s, &r, sizes, page);
    small_end(&s);
    if (web_load(path, &config, &web) != ST_OK)
        fail_msg("%s", status_text());
    return web;
}

/* What was said, and when, from half-way on. */
struct looks {
    int64_t at[LOOKS], left[LOOKS];
    size_t count;
};

static void look(void *ctx, const struct crawl_status *s)
{
    struct looks *l = ctx;

    if (s->pages < VISITS / 2 || l->count == LOOKS)
        return;
    l->at[l->count] = s->now;
    l->left[l->count++] = s->left;
}

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

/* `measured`: answers take as long as on the real web, some of them 20 s. */
static struct looks run(const struct web *web, const char *model, double patience, bool measured)
{
    uint32_t seeds[2] = {1, 2};
    struct looks l = {.count = 0};
    struct crawl_status status;
    struct simulation s;
    struct topic *topic;

    assert_int_equal(topic_from_words(STR("honey"), STR("en"), &topic), ST_OK);
    simulation_init(&s);
    s.web = web;
    s.topic = topic;
    s.model = model;
    s.seeds = seeds;
    s.nseeds = 2;
    s.pages = VISITS;
    s.connections = 64;
    s.delay = DELAY;
    s.patience = patience;
    s.measured = measured;
    s.listen = ignore;
    s.watch = look;
    s.watch_ctx = &l;
    assert_int_equal(crawl_simulate(&s, &status), ST_OK);
    assert_int_equal(status.pages, VISITS);
    for (size_t i = 0; i < l.count; i++)
        l.at[i] = status.now - l.at[i]; /* what was left */
    topic_free(topic);
    return l;
}

/* By how much of what was left the estimate was wrong, at the worst. Near the end the answers
 * of one or two hosts decide: a delay more or less is granted. */
static double worst_of(const struct looks *l)
{
    double worst = 0;

    assert_true(l->count > 10);
    for (size_t k = 0; k < l->count; k++) {
        double wrong = fabs((double)(l->left[k] - l->at[k])) - DELAY;

        worst = fmax(worst, wrong / fmax((double)l->at[k], 1));
    }
    return worst;
}

static void time_left_is_right_within_a_quarter_from_half_way_on(void **state)
{
    static const char *const models[] = {"breadth-first", "best-first", "shark", "pagerank",
                                         "brood"};
    static const double patience[] = {0, 0.7, 1};

    (void)state;
    for (int sizes = 0; sizes <= SIZES_LISTS; sizes++) {
        struct web *web = web_draw((enum sizes)sizes);

        for (size_t i = 0; i < ARRAY_LEN(models) * ARRAY_LEN(patience); i++) {
            const char *model = models[i / ARRAY_LEN(patience)];
            bool measured = i / ARRAY_LEN(patience) % 2; /* with every other model */
            struct looks l = run(web, model, patience[i % ARRAY_LEN(patience)], measured);

            if (worst_of(&l) >= 0.25)
                fail_msg("%s, patience %g, sizes %d: wrong by %.2f", model,
                         patience[i % ARRAY_LEN(patience)], sizes, worst_of(&l));
        }
        web_free(web);
    }
}

/* The rest takes 13 s. */
static void nobody_waits_for_the_slowest_answer(void **state)
{
    struct web *web = web_draw(SIZES_STALLS);

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct looks l = run(web, i ? "brood" : "breadth-first", 0, false);

        assert_true(l.count > 10);
        assert_in_range(l.at[0], 0, STALL / 2); /* half-way */
        if (worst_of(&l) >= 0.25)
            fail_msg("%d: wrong by %.2f", i, worst_of(&l));
    }
    web_free(web);
}

static void first_half_tells_the_pace_of_the_second(void **state)
{
    struct pace p = {0};
    int64_t now = 0;

    (void)state;
    pace_begin(&p, now);
    assert_int_equal(pace_left(&p, 10, 5, 0), -1);
    for (unsigned i = 1; i <= 2000; i++)
        pace_page(&p, now += 2000, 1, i, 4000);
    assert_in_range(pace_left(&p, now, 2000, 0), 3990000, 4010000);
    for (unsigned i = 2001; i <= 3000; i++)
        pace_page(&p, now += 6000, 1, i, 4000);
    /* half of the 1,500 after the start, and the 1,000 since */
    assert_in_range(pace_left(&p, now, 100, 0), 425000, 432000);
}

static void missing_pages_cost_time_and_are_soon_forgotten(void **state)
{
    struct pace p = {0};
    int64_t now = 0;

    (void)state;
    pace_begin(&p, now);
    for (unsigned i = 1; i <= 1000; i++) {
        pace_miss(&p);
        pace_page(&p, now += 2000, 1, i, 2000);
    }
    assert_in_range(pace_left(&p, now, 1000, 0), 1990000, 2010000);
    for (unsigned i = 1001; i <= 1500; i++)
        pace_page(&p, now += 1000, 1, i, 2000);
    /* a visit takes 1 ms; a page 1.67 visits so far, and 1.02 of late */
    assert_in_range(pace_left(&p, now, 500, 0), 665000, 677000);
}

static void slow_answers_are_waited_for_at_the_end(void **state)
{
    struct pace p = {0};
    int64_t now = 0;

    (void)state;
    pace_begin(&p, now);
    for (unsigned i = 1; i <= 1000; i++)
        pace_page(&p, now += 10000, i % 10 ? 20000 : 5000000, i, 2000);
    /* 100 pages a second, of which 10 take 5 s: 50 are under way */
    assert_in_range(pace_left(&p, now, 1000, 50), 13000000, 16000000);
    assert_in_range(pace_left(&p, now, 1, 1), 0, 2000000);
}

static void one_answer_of_twenty_is_not_usual(void **state)
{
    struct pace p = {0};

    (void)state;
    pace_begin(&p, 0);
    for (unsigned i = 1; i <= 19; i++)
        pace_page(&p, i, 3000000, i, 1000);
    assert_true(pace_answer(&p) == INT64_MAX); /* too few */
    pace_page(&p, 20, 20000000, 20, 1000);
    assert_in_range(pace_answer(&p), 3000000, 4500000);
    pace_page(&p, 21, 20000000, 21, 1000);
    assert_in_range(pace_answer(&p), 20000000, 30000000);
    for (unsigned i = 22; i <= 5000; i++)
        pace_page(&p, i, 1000, i, 9000);
    assert_int_equal(pace_answer(&p), 2000000); /* nobody minds */
}

/* Chooses as much as is wanted for `seconds`, and as little as it may; from half-way on. */
static uint64_t chosen_in(struct pace *p, int64_t *now, uint64_t *have, int seconds, bool much)
{
    uint64_t before = *have;

    for (int i = 0; i < 100 * seconds; i++) {
        uint32_t least, most = 160;

        pace_keep(p, *now += 10000, *have, &least, &most);
        assert_true(least <= most);
        *have += much ? most : least;
    }
    return *have - before;
}

static void pace_of_the_first_half_is_kept(void **state)
{
    uint64_t have = 1000, n;
    uint32_t least, most = 77;
    struct pace p = {0};
    int64_t now = 0;

    (void)state;
    pace_begin(&p, now);
    pace_keep(&p, now, 0, &least, &most); /* no pace is known yet */
    assert_int_equal(least, 0);
    assert_int_equal(most, 77);
    for (unsigned i = 1; i <= 1000; i++)
        pace_page(&p, now += 100000, 1, i, 2000);
    n = chosen_in(&p, &now, &have, 100, false); /* of 10 a second, three quarters */
    assert_in_range(n, 740, 760);
    n = chosen_in(&p, &now, &have, 100, false);
    assert_in_range(n, 740, 760);
    n = chosen_in(&p, &now, &have, 100, true); /* some of what was not used comes at once */
    assert_in_range(n, 1000, 1040);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_half_tells_the_pace_of_the_second),
        cmocka_unit_test(missing_pages_cost_time_and_are_soon_forgotten),
        cmocka_unit_test(slow_answers_are_waited_for_at_the_end),
        cmocka_unit_test(one_answer_of_twenty_is_not_usual),
        cmocka_unit_test(pace_of_the_first_half_is_kept),
        cmocka_unit_test(time_left_is_right_within_a_quarter_from_half_way_on),
        cmocka_unit_test(nobody_waits_for_the_slowest_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
