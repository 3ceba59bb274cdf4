/* Metrics of webs that change and are watched, computed by hand.
 * SPDX-License-Identifier: MIT */
#include "small_worlds.h"
#include "support/support.h"

#include "base/mem.h"
#include "meter_events.h"
#include "parse/url_norm.h"

#include <stdlib.h>

/* ---- a web that changes -------------------------------------------------- */

/* a is there from 100 s; at 200 only its stamp changes, at 300 it changes, at 400 it
 * goes. b never changes. */
static const struct world_file changing[] = {
    {"events.tsv", "100\tA\taaa1\ta.html\n100\tA\tbbb1\tb.html\n200\tM\taaa2\ta.html\n"
                   "300\tM\taaa3\ta.html\n400\tD\t0000\ta.html\n600\tA\tccc1\tc.html\n"},
    {"aaa1", "<p>sun $OpenBSD: a.html,v 1.1 2005/01/01 00:00:00 me Exp $</p>"},
    {"aaa2", "<p>sun $OpenBSD: a.html,v 1.2 2005/01/02 00:00:00 me Exp $</p>"},
    {"aaa3", "<p>sun and moon $OpenBSD: a.html,v 1.3 2005/01/03 00:00:00 me Exp $</p>"},
    {"bbb1", "<p>sea</p>"},
    {"ccc1", "<p>sky</p>"},
    {NULL, NULL},
};

/* A meter of such a web, and the URLs of its two pages. */
struct measured {
    struct web *web;
    struct truth truth;
    struct meter *meter;
    uint32_t a, b;
};

static void measure(struct measured *x, const struct world_file *files, uint32_t reachable,
                    double every)
{
    x->web = history_web(files);
    x->truth =
        (struct truth){.web = x->web, .urls = web_counts(x->web).urls, .reachable = reachable};
    x->meter = meter_new(&x->truth, (struct quantity){QUANTITY_TIME, every});
    x->a = web_find(x->web, url_key(STR("http://s.example/a.html")));
    x->b = web_find(x->web, url_key(STR("http://s.example/b.html")));
}

static void measured_clear(struct measured *x)
{
    meter_free(x->meter);
    web_free(x->web);
}

static void see(struct meter *m, int64_t at, uint32_t url)
{
    struct arrival a = {.source = url, .reply = {.status = 200, .started_at = at, .done_at = at}};

    post(m, at, (struct event){.kind = EVENT_PAGE, .page = {.arrival = &a}});
}

/* Two looks, the second of which brought nothing to store. a was fetched at 150 s and
 * looked at again at 310 s (ten seconds after its change): by a 304, or by a 200 whose
 * text is the same to a reader; b was fetched at 150 s. At 350 s a is fresh: the next
 * it does is to vanish at 400 s. At 450 s it is 50 s old, over two pages: 25 s, and by the
 * paper's wording the same, since it changed once. Of three looks one was a second. */
static void a_refresh_without_a_page_confirms_the_copy(void **state)
{
    const int statuses[] = {304, 200};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
        struct arrival same = {.reply = {.status = statuses[i], .started_at = 310000000}};
        struct arrival moved = {.reply = {.status = 301, .started_at = 320000000}};
        struct measured x;

        measure(&x, changing, 3, 100e6);
        same.source = x.a;
        moved.source = x.b;
        see(x.meter, 150000000, x.a);
        see(x.meter, 150000000, x.b);
        post(x.meter, 310000000,
             (struct event){.kind = EVENT_OUTCOME, .outcome = {.arrival = &same, .url = 1}});
        post(x.meter, 320000000, /* no look: it only led elsewhere */
             (struct event){.kind = EVENT_OUTCOME,
                            .outcome = {.arrival = &moved, .url = 2, .redirect_to = 3}});
        meter_finish(x.meter, 460000000);
        assert_near(meter_row(x.meter, 1)[METRIC_FRESHNESS], 1); /* 350 s */
        assert_near(meter_row(x.meter, 1)[METRIC_AGE], 0);
        assert_near(meter_row(x.meter, 2)[METRIC_FRESHNESS], 0.5); /* 450 s */
        assert_near(meter_row(x.meter, 2)[METRIC_AGE], 25);
        assert_near(meter_row(x.meter, 2)[METRIC_LAST_AGE], 25);
        assert_near(meter_row(x.meter, 2)[METRIC_PAGES], 2);
        assert_near(meter_row(x.meter, 2)[METRIC_OVERLAP], 1.0 / 3);
        measured_clear(&x);
    }
}

/* Sampled every 100 s from 150 s on. */
static void freshness_and_age_are_those_of_cho_and_garcia_molina(void **state)
{
    struct measured x;
    static const struct {
        double freshness, age;
    } rows[] = {
        {1, 0},    /* 250 s: a's new stamp is no change */
        {0.5, 25}, /* 350 s: a is old since 300 s: 50 s, over two pages */
        {0.5, 25}, /* 450 s: a, seen again at 360 s, is gone since 400 s */
    };

    (void)state;
    measure(&x, changing, 3, 100e6);
    see(x.meter, 150000000, x.a);
    see(x.meter, 150000000, x.b);
    see(x.meter, 360000000, x.a);
    meter_finish(x.meter, 460000000);
    assert_int_equal(meter_points(x.meter), 4); /* 250, 350, 450 s and the end */
    for (size_t i = 0; i < 3; i++) {
        assert_near(meter_row(x.meter, i)[METRIC_FRESHNESS], rows[i].freshness);
        assert_near(meter_row(x.meter, i)[METRIC_AGE], rows[i].age);
    }
    assert_near(meter_row(x.meter, 2)[METRIC_OVERLAP], 1.0 / 3);
    measured_clear(&x);
}

/* a, seen at 150 s, is asked for at 410 s and gone: from then on the only page is b, which is
 * fresh. At 350 s a is 50 s old. */
static void a_page_known_to_be_gone_is_no_part_of_a_collection(void **state)
{
    struct measured x;
    struct arrival gone = {.reply = {.status = 404, .started_at = 410000000}};

    (void)state;
    measure(&x, changing, 3, 100e6);
    gone.source = x.a;
    see(x.meter, 150000000, x.a);
    see(x.meter, 150000000, x.b);
    post(x.meter, 410000000,
         (struct event){.kind = EVENT_OUTCOME, .outcome = {.arrival = &gone, .why = DROP_STATUS}});
    meter_finish(x.meter, 460000000);
    assert_near(meter_row(x.meter, 1)[METRIC_FRESHNESS], 0.5); /* 350 s */
    assert_near(meter_row(x.meter, 1)[METRIC_AGE], 25);
    assert_near(meter_row(x.meter, 2)[METRIC_FRESHNESS], 1); /* 450 s */
    assert_near(meter_row(x.meter, 2)[METRIC_AGE], 0);
    assert_near(meter_row(x.meter, 2)[METRIC_RECENCY], 1);
    measured_clear(&x);
}

/* a, seen at 150 s, changes at 300 s and is gone at 400 s; b never changes. At 450 s the
 * first change is 150 s old, the last 50 s; from the look to the last change 250 s. Each
 * over two pages. */
static void last_changes_count_for_palotai_and_recency(void **state)
{
    struct measured x;
    const double *row;

    (void)state;
    measure(&x, changing, 3, 100e6);
    see(x.meter, 150000000, x.a);
    see(x.meter, 150000000, x.b);
    meter_finish(x.meter, 460000000);
    row = meter_row(x.meter, 2); /* 450 s */
    assert_near(row[METRIC_AGE], 150.0 / 2);
    assert_near(row[METRIC_LAST_AGE], 50.0 / 2);
    assert_near(row[METRIC_RECENCY], (1 + 1 / (1 + 250.0 / 86400)) / 2);
    assert_true(isnan(row[METRIC_EFFICIENCY])); /* nobody knows the targets */
    measured_clear(&x);
}

/* ---- a web that is watched ------------------------------------------------- */

static void sent(struct meter *m, int64_t at, uint32_t url, bool relevant)
{
    post(m, at, (struct event){.kind = EVENT_SENT, .sent = {.url = url, .relevant = relevant}});
}

/* A page of the web, as URL 100 + url of the crawl. */
static void fetched(struct meter *m, int64_t at, uint32_t url, bool stored)
{
    struct request q = {.choice = {.url = 100 + url}};
    struct arrival a = {
        .request = &q, .source = url, .reply = {.status = 200, .started_at = at, .done_at = at}};

    post(m, at,
         stored ? (struct event){.kind = EVENT_PAGE, .page = {.arrival = &a}}
                : (struct event){.kind = EVENT_OUTCOME, .outcome = {.arrival = &a}});
}

/* Windows of 10 s from 0 on.
 *   first    4 downloads, 3 sent, 2 of them news:     2/4 = .5,  2/3
 *   second   5 downloads, 2 sent, 1 of it news:       1/5 = .2,  1/2;  so far 3/9, 3/5
 *   third    2 downloads, nothing sent:               0,  unknown;     so far 3/11
 *   fourth   nothing at all:                          unknown
 * Roughness after two windows .3 : .35, after three (.3 + .2)/2 : .7/3. */
static void efficiency_is_what_was_new_by_what_it_cost(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 10e6});
    struct arrival gone = {.reply = {.status = 404}};
    const double *row;

    (void)state;
    for (uint32_t url = 1; url <= 4; url++)
        fetched(m, url * 1000000, url, true);
    sent(m, 4000000, 101, true);
    sent(m, 4000000, 102, true);
    sent(m, 4000000, 103, false);
    fetched(m, 12000000, 5, true);
    fetched(m, 13000000, 1, false);
    fetched(m, 14000000, 2, false);
    fetched(m, 15000000, 2, false);
    post(m, 16000000,
         (struct event){.kind = EVENT_OUTCOME, .outcome = {.arrival = &gone, .why = DROP_STATUS}});
    post(m, 16000000, (struct event){.kind = EVENT_OUTCOME, .outcome = {.why = DROP_STATUS}});
    sent(m, 16000000, 101, true);
    sent(m, 16000000, 105, false);
    fetched(m, 24000000, 1, false);
    fetched(m, 25000000, 6, true);
    meter_finish(m, 41000001);

    row = meter_row(m, 0); /* 11 s: the grid begins with the first event */
    assert_near(row[METRIC_DOWNLOADS], 4);
    assert_near(row[METRIC_FOUND_URLS], 1);
    assert_near(row[METRIC_SENT], 3);
    assert_near(row[METRIC_NEWS], 2);
    assert_near(row[METRIC_WINDOW_EFFICIENCY], 0.5);
    assert_near(row[METRIC_WINDOW_SENT], 2.0 / 3);
    assert_true(isnan(row[METRIC_ROUGHNESS]));
    row = meter_row(m, 1); /* 21 s; what was never asked for is no download */
    assert_near(row[METRIC_DOWNLOADS], 9);
    assert_near(row[METRIC_FOUND_URLS], 5.0 / 9);
    assert_near(row[METRIC_WINDOW_EFFICIENCY], 0.2);
    assert_near(row[METRIC_WINDOW_SENT], 0.5);
    assert_near(row[METRIC_DOWNLOAD_EFFICIENCY], 3.0 / 9);
    assert_near(row[METRIC_SENT_EFFICIENCY], 3.0 / 5);
    assert_near(row[METRIC_ROUGHNESS], 0.3 / 0.35);
    row = meter_row(m, 2); /* 31 s */
    assert_near(row[METRIC_WINDOW_EFFICIENCY], 0);
    assert_true(isnan(row[METRIC_WINDOW_SENT]));
    assert_near(row[METRIC_DOWNLOAD_EFFICIENCY], 3.0 / 11);
    assert_near(row[METRIC_ROUGHNESS], 0.25 / (0.7 / 3));
    row = meter_row(m, 3); /* 41 s */
    assert_true(isnan(row[METRIC_WINDOW_EFFICIENCY]));
    assert_near(row[METRIC_ROUGHNESS], 0.25 / (0.7 / 3));
    meter_free(m);
}

/* Who sends nothing has no efficiency. */
static void nothing_is_sent_where_nobody_judges(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 1});
    const double *row;

    (void)state;
    page(m, 1000000, 1, 0);
    row = meter_row(m, 0);
    assert_near(row[METRIC_DOWNLOADS], 1);
    assert_true(isnan(row[METRIC_SENT]) && isnan(row[METRIC_NEWS]));
    assert_true(isnan(row[METRIC_DOWNLOAD_EFFICIENCY]) && isnan(row[METRIC_SENT_EFFICIENCY]));
    assert_true(isnan(row[METRIC_WINDOW_EFFICIENCY]) && isnan(row[METRIC_FALSE_ALARMS]));
    assert_near(row[METRIC_DIVERGED], 0);
    meter_free(m);
}

/* a of `changing` brought news at 150 s, b did not. a changes at 300 s: at 350 s no page
 * with news is fresh and the change is 50 s old; of both pages together half are. */
static void freshness_of_news_is_that_of_its_pages(void **state)
{
    struct measured x;

    (void)state;
    measure(&x, changing, 3, 100e6);
    fetched(x.meter, 150000000, x.a, true);
    fetched(x.meter, 150000000, x.b, true);
    sent(x.meter, 150000000, 100 + x.a, true);
    sent(x.meter, 150000000, 100 + x.a, true); /* by another forager, say; the page counts once */
    sent(x.meter, 150000000, 100 + x.b, false);
    sent(x.meter, 150000000, 4000, true); /* nobody ever fetched it */
    meter_finish(x.meter, 360000000);
    assert_near(meter_row(x.meter, 0)[METRIC_NEWS_FRESHNESS], 1); /* 250 s: a stamp is no change */
    assert_near(meter_row(x.meter, 0)[METRIC_NEWS_AGE], 0);
    assert_near(meter_row(x.meter, 1)[METRIC_NEWS_FRESHNESS], 0); /* 350 s */
    assert_near(meter_row(x.meter, 1)[METRIC_NEWS_AGE], 50);
    assert_near(meter_row(x.meter, 1)[METRIC_FRESHNESS], 0.5);
    measured_clear(&x);
}

/* Hours. a changes at 10, 20 (its stamp alone), 30 and 60; b at 40. */
static const struct world_file slow[] = {
    {"events.tsv", "3600\tA\taaa1\ta.html\n3600\tA\tbbb1\tb.html\n36000\tM\taaa2\ta.html\n"
                   "72000\tM\taaa3\ta.html\n108000\tM\taaa4\ta.html\n144000\tM\tbbb2\tb.html\n"
                   "216000\tM\taaa5\ta.html\n"},
    {"aaa1", "<p>sun $OpenBSD: a.html,v 1.1 2005/01/01 00:00:00 me Exp $</p>"},
    {"aaa2", "<p>moon $OpenBSD: a.html,v 1.2 2005/01/02 00:00:00 me Exp $</p>"},
    {"aaa3", "<p>moon $OpenBSD: a.html,v 1.3 2005/01/02 00:00:00 me Exp $</p>"},
    {"aaa4", "<p>stars $OpenBSD: a.html,v 1.4 2005/01/03 00:00:00 me Exp $</p>"},
    {"aaa5", "<p>night $OpenBSD: a.html,v 1.5 2005/01/04 00:00:00 me Exp $</p>"},
    {"bbb1", "<p>sea</p>"},
    {"bbb2", "<p>sand</p>"},
    {NULL, NULL},
};

#define HOUR INT64_C(3600000000)

/* Looks at a at 5 (stored), 15 (stored: the change of 10 told and seen), 25 (stored, though
 * only a stamp changed at 20: a false alarm), 50 (not stored: the change of 30 is seen
 * after 20 hours, not told), 85 (stored: the change of 60 is seen and told after 25, too late);
 * at b at 70 (stored, for the first time: its change of 40 is 30 hours old).
 *     at 26: one change, seen and told      1/1, 1/1
 *     at 56: three (10, 30, 40), two seen   2/3, 1/3
 *     at 86: four, two seen, one told       2/4, 1/4 */
static void changes_count_when_they_are_seen_within_a_day(void **state)
{
    struct measured x;
    static const double seen[] = {1, 2.0 / 3, 0.5}, told[] = {1, 1.0 / 3, 0.25};

    (void)state;
    measure(&x, slow, 2, 30.0 * (double)HOUR);
    post(x.meter, -4 * HOUR, (struct event){.kind = EVENT_BORN}); /* the grid: 26, 56, 86 */
    fetched(x.meter, 5 * HOUR, x.a, true);
    fetched(x.meter, 15 * HOUR, x.a, true);
    fetched(x.meter, 25 * HOUR, x.a, true);
    fetched(x.meter, 50 * HOUR, x.a, false);
    fetched(x.meter, 70 * HOUR, x.b, true);
    fetched(x.meter, 85 * HOUR, x.a, true);
    meter_finish(x.meter, 86 * HOUR);
    assert_int_equal(meter_points(x.meter), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_near(meter_row(x.meter, i)[METRIC_CHANGES_SEEN], seen[i]);
        assert_near(meter_row(x.meter, i)[METRIC_CHANGES_TOLD], told[i]);
        assert_near(meter_row(x.meter, i)[METRIC_FALSE_ALARMS], 1);
    }
    measured_clear(&x);
}

/* Only a can be reached, and the crawl began at 12: changes at 30 and 60 are left. */
static void changes_count_where_and_while_they_can_be_seen(void **state)
{
    struct web *w = history_web(slow);
    uint32_t a = web_find(w, url_key(STR("http://s.example/a.html")));
    uint32_t b = web_find(w, url_key(STR("http://s.example/b.html")));
    bool *reachable = mem_zero((size_t)web_counts(w).urls + 1, sizeof *reachable);
    struct truth t = {
        .web = w, .urls = web_counts(w).urls, .reachable = 1, .is_reachable = reachable};
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 100.0 * (double)HOUR});

    (void)state;
    reachable[a] = true;
    fetched(m, 12 * HOUR, a, true);
    fetched(m, 41 * HOUR, b, true);
    fetched(m, 42 * HOUR, a, true);
    meter_finish(m, 90 * HOUR);
    assert_near(meter_row(m, 0)[METRIC_CHANGES_SEEN], 0.5);
    assert_near(meter_row(m, 0)[METRIC_CHANGES_TOLD], 0.5);
    assert_near(meter_row(m, 0)[METRIC_FALSE_ALARMS], 0);
    meter_free(m);
    web_free(w);
    free(reachable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(freshness_and_age_are_those_of_cho_and_garcia_molina),
        cmocka_unit_test(a_refresh_without_a_page_confirms_the_copy),
        cmocka_unit_test(last_changes_count_for_palotai_and_recency),
        cmocka_unit_test(a_page_known_to_be_gone_is_no_part_of_a_collection),
        cmocka_unit_test(efficiency_is_what_was_new_by_what_it_cost),
        cmocka_unit_test(nothing_is_sent_where_nobody_judges),
        cmocka_unit_test(freshness_of_news_is_that_of_its_pages),
        cmocka_unit_test(changes_count_when_they_are_seen_within_a_day),
        cmocka_unit_test(changes_count_where_and_while_they_can_be_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
