/* How fresh copies are: what a watch believes against what a simulated web knows.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../store/made.h"
#include "base/os/clock.h"
#include "base/mem.h"
#include "crawl/watch/copies.h"
#include "crawl/simulate.h"
#include "lab/run/metric.h"
#include "sim/make/make.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HOUR   (3600 * US_PER_S)
#define DAY    (24 * HOUR)
#define STEP   (2 * HOUR)
#define POINTS 100
#define LATER  12 /* points: a day, after which enough was seen */

/* ---- by hand -------------------------------------------------------------------- */

/* Visits that are told to a store and to copies. */
struct desk {
    struct store *store;
    struct copies *copies;
    uint32_t pages;
};

static void post(struct desk *d, struct event *e, struct arrival *a)
{
    store_post(d->store, e);
    copies_listen(d->copies, e);
    arrival_release(a);
}

static struct arrival *answer(uint32_t url, int64_t at, int status)
{
    struct made_page p = {
        .id = 1, .url = url, .href = url < 10 ? "http://a.test/" : "http://b.test/"};
    struct arrival *a = made_arrival(&p);

    a->reply.started_at = at;
    a->reply.done_at = at + US_PER_S;
    a->reply.status = status;
    return a;
}

static void page(struct desk *d, uint32_t url, int64_t at, uint32_t version_of)
{
    struct arrival *a = answer(url, at, 200);
    struct event e = {.kind = EVENT_PAGE, .at = at + US_PER_S};

    e.page.arrival = a;
    e.page.id = ++d->pages;
    e.page.version_of = version_of;
    post(d, &e, a);
}

static void outcome(struct desk *d, uint32_t url, int64_t at, int status)
{
    struct arrival *a = answer(url, at, status);
    struct event e = {.kind = EVENT_OUTCOME, .at = at + US_PER_S};

    e.outcome.arrival = a;
    e.outcome.url = url;
    e.outcome.why = status < 400 ? DROP_NONE : DROP_STATUS;
    e.outcome.is_final = true;
    post(d, &e, a);
}

/* Three pages, the third on a host of its own, looked at until 10 days. The first changed in
 * the last of its two intervals of 5 days: by Cho and Garcia-Molina ln(2.5 / 1.5) / 5 changes
 * a day, 1.0217 in 10 days. The second never did. The fourth is gone, a failure is no look. */
static void look_at_pages(struct desk *d)
{
    int64_t t0 = MADE_AT;

    for (uint32_t url = 1; url <= 4; url++)
        page(d, url == 3 ? 13 : url, t0, 0);
    outcome(d, 1, t0 + 5 * DAY, 304);
    outcome(d, 4, t0 + 6 * DAY, 404);
    page(d, 1, t0 + 10 * DAY, 1);
    outcome(d, 2, t0 + 10 * DAY, 200);
    outcome(d, 13, t0 + 10 * DAY, 503);
    outcome(d, 77, t0 + 10 * DAY, 200); /* a sitemap */
}

static void age_and_freshness_are_as_computed_by_hand(void **state)
{
    double x = 2 * log(2.5 / 1.5), all = (1 + x) / (1 + 20), a = (1 + x) / (1 / all + 20), b = all;
    /* two days later; b, of which nothing was seen again, is like all */
    double fresh = pow((1 / a + 10) / (1 / a + 12), 1 + x) + (1 / a + 10) / (1 / a + 12) +
                   (1 / b) / (1 / b + 12);
    char dir[400];
    struct desk d = {.copies = copies_new()};
    struct copies *again = copies_new();
    struct copies_state s, r;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/hand", test_dir());
    d.store = made_store(dir);
    look_at_pages(&d);
    s = copies_state(d.copies, MADE_AT + 12 * DAY);
    assert_int_equal(s.copies, 3);
    assert_int_equal(s.looks, 7);
    assert_int_equal(s.changes, 1);
    assert_float_equal(s.age, (2 + 2 + 12) / 3.0 * 86400, 1e-6);
    assert_float_equal(s.freshness, fresh / 3, 1e-9);
    made_checkpoint(d.store, d.pages);
    made_close(d.store);
    assert_int_equal(copies_recall(again, dir), ST_OK); /* the next run knows the same */
    r = copies_state(again, MADE_AT + 12 * DAY);
    assert_int_equal(r.copies, s.copies);
    assert_int_equal(r.looks, s.looks);
    assert_int_equal(r.changes, s.changes);
    assert_float_equal(r.age, s.age, 1e-9);
    assert_float_equal(r.freshness, s.freshness, 1e-12);
    copies_free(d.copies);
    copies_free(again);
}

/* Thirty years of ten thousand copies: in microseconds their sum fits no number of ours. */
static void a_long_watch_of_many_copies_is_counted_right(void **state)
{
    struct copies *c = copies_new();
    struct arrival *a = answer(1, MADE_AT, 200);
    struct event e = {.kind = EVENT_PAGE};

    (void)state;
    e.page.arrival = a;
    copies_listen(c, &e);
    a->reply.started_at = MADE_AT + 30 * 365 * DAY;
    for (uint32_t url = 2; url <= 10000; url++) {
        a->request->choice.url = url;
        copies_listen(c, &e);
    }
    e = (struct event){.kind = EVENT_OUTCOME,
                       .outcome = {.arrival = a, .url = 1, .is_final = true}};
    copies_listen(c, &e);
    assert_float_equal(copies_state(c, a->reply.started_at + DAY).age, 86400, 1e-2);
    arrival_release(a);
    copies_free(c);
}

static void nothing_kept_is_neither_old_nor_fresh(void **state)
{
    struct copies *c = copies_new();
    struct copies_state s = copies_state(c, MADE_AT);

    (void)state;
    assert_int_equal(s.copies, 0);
    assert_true(isnan(s.age) && isnan(s.freshness));
    copies_free(c);
}

/* ---- against a web that knows ------------------------------------------------------ */

/* A run with two listeners: the meter, which knows the web, and the copies, which do not. */
struct run {
    struct meter *meter;
    struct copies *copies;
    int64_t begin, next;
    struct copies_state seen[POINTS];
    size_t n;
};

static void hear(void *ctx, const struct event *e)
{
    struct run *r = ctx;

    if (r->begin == 0)
        r->begin = e->at;
    for (; e->at - r->begin > r->next && r->n < POINTS; r->next += STEP)
        r->seen[r->n++] = copies_state(r->copies, r->begin + r->next);
    copies_listen(r->copies, e);
    meter_listen(r->meter, e);
}

static struct web *make_web(void)
{
    struct make_config c;
    struct web *web = NULL;
    char dir[400];

    (void)snprintf(dir, sizeof dir, "%s/world", test_dir());
    make_config_init(&c);
    c.kind = MAKE_NEWS;
    c.graph.hosts = 8;
    c.graph.rng = 11;
    c.words = 30;
    c.news.days = 4;
    c.news.articles = 6;
    c.news.backlog = 4;
    c.news.changes = 4;
    c.news.vanish = 0.1;
    if (world_make(dir, &c, NULL, NULL) != ST_OK ||
        web_load(dir, &(struct web_config){.threads = 1}, &web) != ST_OK)
        fail_msg("%s", status_text());
    return web;
}

static void simulate(struct web *web, const char *model, const char *setting, struct run *r)
{
    struct truth truth = {.web = web, .urls = web_counts(web).urls, .relevant = 0.1};
    struct text_list settings = {0};
    struct topic *topic = NULL;
    struct crawl_status status;
    struct simulation s;
    uint32_t seed = 1;

    assert_int_equal(topic_from_words(STR("bread baking"), STR("en"), &topic), ST_OK);
    if (setting)
        text_list_add(&settings, str_of(setting));
    *r = (struct run){.meter = meter_new(&truth, (struct quantity){QUANTITY_TIME, STEP}),
                      .copies = copies_new(),
                      .next = STEP};
    simulation_init(&s);
    s.web = web;
    s.topic = topic;
    s.model = model;
    s.settings = &settings;
    s.seeds = &seed;
    s.nseeds = 1;
    s.duration = 95 * HOUR;
    s.delay = 4 * US_PER_S;
    s.connections = 4;
    s.listen = hear;
    s.listen_ctx = r;
    if (crawl_simulate(&s, &status) != ST_OK)
        fail_msg("%s", status_text());
    text_list_free(&settings);
    topic_free(topic);
}

/* The share it believes in and the true one, at every point after the first day. */
static void compare(struct web *web, const char *model, const char *setting, double spread)
{
    double worst = 0, sum = 0, low = 1, high = 0;
    struct run r;

    simulate(web, model, setting, &r);
    assert_true(r.n > 3 * LATER && meter_points(r.meter) >= r.n);
    for (size_t i = LATER; i < r.n; i++) {
        double off = r.seen[i].freshness - meter_row(r.meter, i)[METRIC_FRESHNESS];

        worst = fmax(worst, fabs(off));
        sum += off;
        low = fmin(low, r.seen[i].freshness);
        high = fmax(high, r.seen[i].freshness);
    }
    print_message("# %s: from %.3f to %.3f; off by %.3f at most, %+.4f on average\n", model, low,
                  high, worst, sum / (double)(r.n - LATER));
    assert_true(worst < 0.1);
    assert_true(fabs(sum / (double)(r.n - LATER)) < 0.03);
    assert_true(high - low > spread); /* it goes with what is done */
    meter_free(r.meter);
    copies_free(r.copies);
}

/* One that lets every page rest for 8 hours, so that freshness falls and rises; one that
 * looks where news are. */
static void a_watch_knows_how_fresh_it_is(void **state)
{
    struct web *web = make_web();

    (void)state;
    compare(web, "revisit", "least=8h", 0.08);
    compare(web, "foragers", "patience=0", 0.005);
    web_free(web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(age_and_freshness_are_as_computed_by_hand),
        cmocka_unit_test(a_long_watch_of_many_copies_is_counted_right),
        cmocka_unit_test(nothing_kept_is_neither_old_nor_fresh),
        cmocka_unit_test(a_watch_knows_how_fresh_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
