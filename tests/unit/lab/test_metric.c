/* Every metric, computed by hand on a short stream of events.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/model.h"
#include "base/os/file.h"
#include "base/mem.h"
#include "lab/run/metric.h"
#include "parse/url_norm.h"
#include "sim/import/import.h"
#include "sim/web/web.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-12)

/* Ten URLs. Targets 1 to 5, of which 1 is a seed and 2 an example: 3 are to be found. */
static const bool is_target[11] = {[1] = true, [2] = true, [3] = true, [4] = true, [5] = true};
static const bool is_given[11] = {[1] = true, [2] = true};
static const float description[11] = {0, 1, 1, 0.5f, 0.5f, 0.25f, 0.25f, 0, 0, 0, 0.125f};

static struct truth truth_of(void)
{
    return (struct truth){.urls = 10,
                          .is_target = is_target,
                          .is_given = is_given,
                          .targets = 3,
                          .reachable = 8,
                          .description = description,
                          .relevant = 0.3};
}

static void post(struct meter *m, int64_t at, struct event e)
{
    e.at = at;
    meter_listen(m, &e);
}

static void page(struct meter *m, int64_t at, uint32_t url, float relevance)
{
    struct arrival a = {.source = url, .profile = {.relevance = relevance}};

    post(m, at, (struct event){.kind = EVENT_PAGE, .page = {.arrival = &a}});
}

/* Begins at 1 s. Pages: the seed at 2 s, 3 (a target) at 3 s, 7 at 4 s, 2 (an example)
 * at 5 s, 3 again at 6 s, 5 (a target) at 7 s. */
static void play(struct meter *m)
{
    struct arrival same = {.source = 7, .reply = {.status = 304}};

    post(m, 1000000, (struct event){.kind = EVENT_BORN, .born = {.id = 1, .energy = 10}});
    page(m, 2000000, 1, 0.5f);
    post(m, 2000000, (struct event){.kind = EVENT_VISIT, .visit = {.agent = 1, .delta = 2}});
    post(m, 2500000, (struct event){.kind = EVENT_BORN, .born = {.id = 2, .energy = 4}});
    page(m, 3000000, 3, 0.25f);
    post(m, 3000000, (struct event){.kind = EVENT_MESSAGE});
    page(m, 4000000, 7, 0);
    post(m, 4500000, (struct event){.kind = EVENT_DIED, .died = {.id = 2, .energy = 4}});
    page(m, 5000000, 2, 0.75f);
    page(m, 6000000, 3, 0.25f);
    post(m, 6500000, (struct event){.kind = EVENT_OUTCOME, .outcome = {.arrival = &same}});
    page(m, 7000000, 5, 0.5f);
}

static void a_grid_of_pages_has_its_values(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 2});
    const double *row;

    (void)state;
    play(m);
    meter_finish(m, 8000000);
    assert_int_equal(meter_points(m), 3); /* after 2, 4 and 6 pages */

    row = meter_row(m, 0); /* pages 1 and 3; the seed does not count */
    assert_near(meter_x(m, 0), 2);
    assert_near(row[METRIC_RECALL], 1.0 / 3);
    assert_near(row[METRIC_PRECISION], 1);
    assert_near(row[METRIC_RELEVANCE], 0.375); /* (.5 + .25) / 2 */
    assert_near(row[METRIC_HARVEST], 0.5);     /* the seed is above .3 */
    assert_near(row[METRIC_D_RECALL], 1.5);
    assert_near(row[METRIC_D_PRECISION], 0.75);
    assert_near(row[METRIC_PAGES], 2);
    assert_near(row[METRIC_SECONDS], 2);
    assert_near(row[METRIC_EFFICIENCY], 30); /* one in two seconds */
    assert_near(row[METRIC_POPULATION], 2);
    assert_near(row[METRIC_ENERGY], 16); /* 10 + 2 + 4 */
    assert_near(row[METRIC_OVERLAP], 0);
    assert_near(row[METRIC_MESSAGES], 0); /* the message came after the page */
    assert_true(isnan(row[METRIC_FRESHNESS]));
    assert_true(isnan(row[METRIC_AGE]));

    row = meter_row(m, 1); /* 1, 3, 7, 2: of the two that count one is a target */
    assert_near(row[METRIC_RECALL], 1.0 / 3);
    assert_near(row[METRIC_PRECISION], 0.5);
    assert_near(row[METRIC_RELEVANCE], 0.375); /* 1.5 / 4 */
    assert_near(row[METRIC_HARVEST], 0.5);
    assert_near(row[METRIC_D_RECALL], 2.5);
    assert_near(row[METRIC_POPULATION], 1);
    assert_near(row[METRIC_ENERGY], 12);
    assert_near(row[METRIC_MESSAGES], 1);

    row = meter_row(m, 2); /* 3 again, a look at 7, then 5: seven fetches, two of known pages */
    assert_near(row[METRIC_RECALL], 2.0 / 3);
    assert_near(row[METRIC_PRECISION], 2.0 / 3); /* 3, 7, 5 */
    assert_near(row[METRIC_RELEVANCE], 0.4);     /* 2 / 5 distinct pages */
    assert_near(row[METRIC_D_RECALL], 2.75);
    assert_near(row[METRIC_D_PRECISION], 0.55);
    assert_near(row[METRIC_PAGES], 6);
    assert_near(row[METRIC_SECONDS], 6);
    assert_near(row[METRIC_OVERLAP], 2.0 / 7);
    meter_free(m);
}

static void born(struct meter *m, int count)
{
    for (int i = 0; i < count; i++)
        post(m, 1000000, (struct event){.kind = EVENT_BORN, .born = {.energy = 1}});
}

static void died(struct meter *m, int count)
{
    for (int i = 0; i < count; i++)
        post(m, 1000000, (struct event){.kind = EVENT_DIED, .died = {.energy = 1}});
}

/* Once 3 have been alive there should be 2 to 4. What is outside only for a moment
 * between two pages is outside. */
static void a_population_is_held_against_what_its_model_asked_for(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 1});
    /* alive at the page:               2    3  4, 5, 4  4  3, 2, 1  1  2    2
       pages inside : since 3 lived:    -  1:1  1:2    2:3  2:4    2:5  2:6  3:7 */
    static const double since[] = {0, 1, 2, 3, 4, 5, 6, 7}, inside[] = {0, 1, 1, 2, 2, 2, 2, 3},
                        swing[] = {0, 1, 3, 3, 4, 4, 4, 4}, upper[] = {0, 1, 2, 3, 3, 3, 3, 3};

    (void)state;
    post(m, 1000000, (struct event){.kind = EVENT_RANGE, .range = {3, 2, 4, 3}});
    born(m, 2);
    page(m, 2000000, 1, 0);
    born(m, 1);
    page(m, 2000000, 2, 0);
    born(m, 2);
    died(m, 1);
    page(m, 2000000, 3, 0);
    page(m, 2000000, 4, 0);
    died(m, 3);
    page(m, 2000000, 5, 0);
    page(m, 2000000, 6, 0);
    born(m, 1);
    page(m, 2000000, 7, 0);
    page(m, 2000000, 8, 0);
    assert_int_equal(meter_points(m), 8);
    assert_true(isnan(meter_row(m, 0)[METRIC_INSIDE])); /* 3 were never alive */
    for (size_t i = 0; i < 8; i++) {
        if (i > 0)
            assert_near(meter_row(m, i)[METRIC_INSIDE], inside[i] / since[i]);
        assert_near(meter_row(m, i)[METRIC_SWING], swing[i]);
        assert_near(meter_row(m, i)[METRIC_AT_UPPER], upper[i] / (double)(i + 1));
    }
    meter_free(m);
}

/* Births before the first page are no swing; without bounds nobody is inside them. */
static void a_population_without_bounds_swings_all_the_same(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 1});

    (void)state;
    born(m, 9);
    page(m, 2000000, 1, 0);
    assert_near(meter_row(m, 0)[METRIC_SWING], 0);
    born(m, 1);
    died(m, 4);
    page(m, 2000000, 2, 0);
    assert_near(meter_row(m, 1)[METRIC_SWING], 4); /* from 10 to 6 */
    assert_true(isnan(meter_row(m, 1)[METRIC_INSIDE]));
    meter_free(m);
}

static void visit(struct meter *m, bool first, double delta, double worth)
{
    post(m, 1000000,
         (struct event){.kind = EVENT_VISIT,
                        .visit = {.first = first, .delta = delta, .worth = worth}});
}

/* Of five first visits one is a seed's, whose worth nobody told. Two of the others are
 * rewarded: one page's energy stays on it, and who visits it pays. */
static void rewarded_pages_are_those_worth_more_than_nothing(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 1});

    (void)state;
    visit(m, true, 0, NAN);
    page(m, 2000000, 1, 0);
    assert_true(isnan(meter_row(m, 0)[METRIC_REWARDED]));
    visit(m, true, 10, 10);
    visit(m, true, -.5, 9);
    visit(m, false, 9.5, NAN);
    visit(m, true, -.5, -.5);
    visit(m, true, 0, 0);
    page(m, 2000000, 2, 0);
    assert_near(meter_row(m, 1)[METRIC_REWARDED], 2.0 / 4);
    meter_free(m);
}

/* Half of 8 reachable pages is 4 pages; the last point is the end: 6 of 8. */
static void a_grid_of_shares_stands_on_the_reachable_pages(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_SHARE, 0.5});

    (void)state;
    play(m);
    meter_finish(m, 8000000);
    assert_int_equal(meter_points(m), 2);
    assert_near(meter_x(m, 0), 0.5);
    assert_near(meter_row(m, 0)[METRIC_PAGES], 4);
    assert_near(meter_x(m, 1), 0.75);
    assert_near(meter_row(m, 1)[METRIC_PAGES], 6);
    assert_near(meter_row(m, 1)[METRIC_SECONDS], 7);
    meter_free(m);
}

/* Every two seconds since 1 s: at 3, 5 and 7 s, what happens then included; the end. */
static void a_grid_of_time_includes_its_moment(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 2e6});
    static const double pages[] = {2, 4, 6, 6}, seconds[] = {2, 4, 6, 7};

    (void)state;
    play(m);
    meter_finish(m, 8000000);
    assert_int_equal(meter_points(m), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_near(meter_row(m, i)[METRIC_PAGES], pages[i]);
        assert_near(meter_x(m, i), seconds[i]);
        assert_near(meter_row(m, i)[METRIC_SECONDS], seconds[i]);
    }
    meter_free(m);
}

/* Time that passes without an event still has its points. */
static void a_long_pause_has_all_its_points(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 1e6});

    (void)state;
    page(m, 0, 3, 0);
    page(m, 4500000, 4, 0); /* 1, 2, 3 and 4 s have passed */
    meter_finish(m, 4500000);
    assert_int_equal(meter_points(m), 5);
    assert_near(meter_row(m, 3)[METRIC_PAGES], 1);
    assert_near(meter_x(m, 3), 4);
    assert_near(meter_row(m, 4)[METRIC_PAGES], 2);
    assert_near(meter_x(m, 4), 4.5);
    meter_free(m);
}

static void without_targets_there_is_no_recall(void **state)
{
    struct truth t = {.urls = 10, .reachable = 8, .relevant = 0.3};
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 6});
    const double *row;

    (void)state;
    play(m);
    meter_finish(m, 8000000);
    assert_int_equal(meter_points(m), 1);
    row = meter_row(m, 0);
    assert_true(isnan(row[METRIC_RECALL]));
    assert_true(isnan(row[METRIC_PRECISION]));
    assert_true(isnan(row[METRIC_D_RECALL]));
    assert_near(row[METRIC_HARVEST], 0.6); /* 1, 2 and 5 of five pages */
    meter_free(m);
}

/* Of the targets 3, 4 and 5 only 3 and 4 can be reached, but 5 is found all the same: it
 * counts for precision. */
static void what_cannot_be_reached_counts_for_precision_alone(void **state)
{
    static const bool is_reachable[11] = {[1] = true, [2] = true, [3] = true, [4] = true};
    struct truth t = truth_of();
    struct meter *m;

    (void)state;
    t.is_reachable = is_reachable;
    t.targets = 2;
    m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 6});
    play(m);
    meter_finish(m, 8000000);
    assert_near(meter_row(m, 0)[METRIC_RECALL], 0.5);
    assert_near(meter_row(m, 0)[METRIC_PRECISION], 2.0 / 3); /* 3 and 5, of 3, 7, 5 */
    meter_free(m);
}

/* A crawl that fetched nothing has one row, and no division by zero. */
static void a_crawl_that_fetched_nothing_has_one_row(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_SHARE, 0.01});

    (void)state;
    meter_finish(m, 5000000);
    assert_int_equal(meter_points(m), 1);
    assert_near(meter_row(m, 0)[METRIC_RECALL], 0);
    assert_near(meter_row(m, 0)[METRIC_PRECISION], 0);
    assert_near(meter_row(m, 0)[METRIC_SECONDS], 0);
    meter_free(m);
}

/* ---- a web that changes -------------------------------------------------- */

static void put(const char *dir, const char *name, const char *text)
{
    char path[400];

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(file_write(path, str_of(text)), ST_OK);
}

/* a is there from 100 s; at 200 only its stamp changes, at 300 it changes, at 400 it
 * goes. b never changes. */
static struct web *changing_web(void)
{
    const char *from = test_dir();
    struct import_config c = {.from = IMPORT_HISTORY,
                              .url_prefix = "http://x.example/",
                              .blobs = from,
                              .since = IMPORT_NO_TIME,
                              .until = IMPORT_NO_TIME,
                              .software = "test"};
    struct import_report report;
    char dir[400];
    struct web *w;

    put(from, "events.tsv",
        "100\tA\taaa1\ta.html\n100\tA\tbbb1\tb.html\n200\tM\taaa2\ta.html\n"
        "300\tM\taaa3\ta.html\n400\tD\t0000\ta.html\n600\tA\tccc1\tc.html\n");
    put(from, "aaa1", "<p>sun $OpenBSD: a.html,v 1.1 2005/01/01 00:00:00 me Exp $</p>");
    put(from, "aaa2", "<p>sun $OpenBSD: a.html,v 1.2 2005/01/02 00:00:00 me Exp $</p>");
    put(from, "aaa3", "<p>sun and moon $OpenBSD: a.html,v 1.3 2005/01/03 00:00:00 me Exp $</p>");
    put(from, "bbb1", "<p>sea</p>");
    put(from, "ccc1", "<p>sky</p>");
    (void)snprintf(dir, sizeof dir, "%s/w", test_dir());
    if (world_import(&from, 1, dir, &c, NULL, NULL, &report) != ST_OK)
        fail_msg("%s", status_text());
    import_report_clear(&report);
    assert_int_equal(web_load(dir, &(struct web_config){.threads = 1}, &w), ST_OK);
    return w;
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
    struct web *w = changing_web();
    struct truth t = {.web = w, .urls = web_counts(w).urls, .reachable = 3};
    uint32_t a = web_find(w, url_key(STR("http://x.example/a.html")));
    uint32_t b = web_find(w, url_key(STR("http://x.example/b.html")));
    const int statuses[] = {304, 200};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
        struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 100e6});
        struct arrival same = {.source = a,
                               .reply = {.status = statuses[i], .started_at = 310000000}};
        struct arrival moved = {.source = b, .reply = {.status = 301, .started_at = 320000000}};

        see(m, 150000000, a);
        see(m, 150000000, b);
        post(m, 310000000,
             (struct event){.kind = EVENT_OUTCOME, .outcome = {.arrival = &same, .url = 1}});
        post(m, 320000000, /* no look: it only led elsewhere */
             (struct event){.kind = EVENT_OUTCOME,
                            .outcome = {.arrival = &moved, .url = 2, .redirect_to = 3}});
        meter_finish(m, 460000000);
        assert_near(meter_row(m, 1)[METRIC_FRESHNESS], 1); /* 350 s */
        assert_near(meter_row(m, 1)[METRIC_AGE], 0);
        assert_near(meter_row(m, 2)[METRIC_FRESHNESS], 0.5); /* 450 s */
        assert_near(meter_row(m, 2)[METRIC_AGE], 25);
        assert_near(meter_row(m, 2)[METRIC_LAST_AGE], 25);
        assert_near(meter_row(m, 2)[METRIC_PAGES], 2);
        assert_near(meter_row(m, 2)[METRIC_OVERLAP], 1.0 / 3);
        meter_free(m);
    }
    web_free(w);
}

/* Sampled every 100 s from 150 s on. */
static void freshness_and_age_are_those_of_cho_and_garcia_molina(void **state)
{
    struct web *w = changing_web();
    struct truth t = {.web = w, .urls = web_counts(w).urls, .reachable = 3};
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 100e6});
    uint32_t a = web_find(w, url_key(STR("http://x.example/a.html")));
    uint32_t b = web_find(w, url_key(STR("http://x.example/b.html")));
    static const struct {
        double freshness, age;
    } rows[] = {
        {1, 0},    /* 250 s: a's new stamp is no change */
        {0.5, 25}, /* 350 s: a is old since 300 s: 50 s, over two pages */
        {0.5, 25}, /* 450 s: a, seen again at 360 s, is gone since 400 s */
    };

    (void)state;
    see(m, 150000000, a);
    see(m, 150000000, b);
    see(m, 360000000, a);
    meter_finish(m, 460000000);
    assert_int_equal(meter_points(m), 4); /* 250, 350, 450 s and the end */
    for (size_t i = 0; i < 3; i++) {
        assert_near(meter_row(m, i)[METRIC_FRESHNESS], rows[i].freshness);
        assert_near(meter_row(m, i)[METRIC_AGE], rows[i].age);
    }
    assert_near(meter_row(m, 2)[METRIC_OVERLAP], 1.0 / 3);
    meter_free(m);
    web_free(w);
}

/* a, seen at 150 s, is asked for at 410 s and gone: from then on the only page is b, which is
 * fresh. At 350 s a is 50 s old. */
static void a_page_known_to_be_gone_is_no_part_of_a_collection(void **state)
{
    struct web *w = changing_web();
    struct truth t = {.web = w, .urls = web_counts(w).urls, .reachable = 3};
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 100e6});
    struct arrival gone = {.source = web_find(w, url_key(STR("http://x.example/a.html"))),
                           .reply = {.status = 404, .started_at = 410000000}};

    (void)state;
    see(m, 150000000, gone.source);
    see(m, 150000000, web_find(w, url_key(STR("http://x.example/b.html"))));
    post(m, 410000000,
         (struct event){.kind = EVENT_OUTCOME, .outcome = {.arrival = &gone, .why = DROP_STATUS}});
    meter_finish(m, 460000000);
    assert_near(meter_row(m, 1)[METRIC_FRESHNESS], 0.5); /* 350 s */
    assert_near(meter_row(m, 1)[METRIC_AGE], 25);
    assert_near(meter_row(m, 2)[METRIC_FRESHNESS], 1); /* 450 s */
    assert_near(meter_row(m, 2)[METRIC_AGE], 0);
    assert_near(meter_row(m, 2)[METRIC_RECENCY], 1);
    meter_free(m);
    web_free(w);
}

static void every_metric_has_a_name_and_help(void **state)
{
    (void)state;
    for (int i = 0; i < METRIC_COUNT; i++) {
        assert_non_null(metric_table[i].name);
        assert_non_null(metric_table[i].unit);
        assert_non_null(metric_table[i].help);
        assert_int_equal(metric_find(str_of(metric_table[i].name)), i);
    }
    assert_null(metric_table[METRIC_COUNT].name);
    assert_int_equal(metric_find(STR("speed")), -1);
}

/* a, seen at 150 s, changes at 300 s and is gone at 400 s; b never changes. At 450 s the
 * first change is 150 s old, the last 50 s; from the look to the last change 250 s. Each
 * over two pages. */
static void last_changes_count_for_palotai_and_recency(void **state)
{
    struct web *w = changing_web();
    struct truth t = {.web = w, .urls = web_counts(w).urls, .reachable = 3};
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 100e6});
    const double *row;

    (void)state;
    see(m, 150000000, web_find(w, url_key(STR("http://x.example/a.html"))));
    see(m, 150000000, web_find(w, url_key(STR("http://x.example/b.html"))));
    meter_finish(m, 460000000);
    row = meter_row(m, 2); /* 450 s */
    assert_near(row[METRIC_AGE], 150.0 / 2);
    assert_near(row[METRIC_LAST_AGE], 50.0 / 2);
    assert_near(row[METRIC_RECENCY], (1 + 1 / (1 + 250.0 / 86400)) / 2);
    assert_true(isnan(row[METRIC_EFFICIENCY])); /* nobody knows the targets */
    meter_free(m);
    web_free(w);
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

static void message(struct meter *m, const char *performative, const char *content)
{
    post(m, 1000000,
         (struct event){
             .kind = EVENT_MESSAGE,
             .message = {.performative = str_of(performative), .content = str_of(content)}});
}

static void who_diverges_says_so(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 1});

    (void)state;
    message(m, "inform", "values diverged");
    message(m, "failure", "no bid");
    message(m, "failure", "values diverged after 640 steps; the weights stay");
    page(m, 2000000, 1, 0);
    assert_near(meter_row(m, 0)[METRIC_DIVERGED], 1);
    meter_free(m);
}

/* Two awards; 12 and 3 links taken over. The facilitator passes `agree` on without a number. */
static void contracts_and_their_links_are_counted(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 1});

    (void)state;
    message(m, "cfp", "supply-links 12 min 0.5: a b");
    message(m, "accept-proposal", "receive-links");
    message(m, "request", "take-links 12 min 0.5: a b");
    message(m, "agree", "receive-links 12");
    message(m, "agree", "receive-links");
    page(m, 2000000, 1, 0);
    message(m, "accept-proposal", "receive-links");
    message(m, "agree", "receive-links 3");
    message(m, "agree", "register");
    page(m, 3000000, 3, 0);
    assert_near(meter_row(m, 0)[METRIC_CONTRACTS], 1);
    assert_near(meter_row(m, 0)[METRIC_LINKS_TRANSFERRED], 12);
    assert_near(meter_row(m, 1)[METRIC_CONTRACTS], 2);
    assert_near(meter_row(m, 1)[METRIC_LINKS_TRANSFERRED], 15);
    assert_near(meter_row(m, 1)[METRIC_MESSAGES], 8);
    meter_free(m);
}

/* a of changing_web() brought news at 150 s, b did not. a changes at 300 s: at 350 s no page
 * with news is fresh and the change is 50 s old; of both pages together half are. */
static void freshness_of_news_is_that_of_its_pages(void **state)
{
    struct web *w = changing_web();
    struct truth t = {.web = w, .urls = web_counts(w).urls, .reachable = 3};
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 100e6});
    uint32_t a = web_find(w, url_key(STR("http://x.example/a.html")));
    uint32_t b = web_find(w, url_key(STR("http://x.example/b.html")));

    (void)state;
    fetched(m, 150000000, a, true);
    fetched(m, 150000000, b, true);
    sent(m, 150000000, 100 + a, true);
    sent(m, 150000000, 100 + a, true); /* by another forager, say; the page counts once */
    sent(m, 150000000, 100 + b, false);
    sent(m, 150000000, 4000, true); /* nobody ever fetched it */
    meter_finish(m, 360000000);
    assert_near(meter_row(m, 0)[METRIC_NEWS_FRESHNESS], 1); /* 250 s: a stamp is no change */
    assert_near(meter_row(m, 0)[METRIC_NEWS_AGE], 0);
    assert_near(meter_row(m, 1)[METRIC_NEWS_FRESHNESS], 0); /* 350 s */
    assert_near(meter_row(m, 1)[METRIC_NEWS_AGE], 50);
    assert_near(meter_row(m, 1)[METRIC_FRESHNESS], 0.5);
    meter_free(m);
    web_free(w);
}

/* Hours. a changes at 10, 20 (its stamp alone), 30 and 60; b at 40. */
static struct web *slow_web(void)
{
    const char *from = test_dir();
    struct import_config c = {.from = IMPORT_HISTORY,
                              .url_prefix = "http://x.example/",
                              .blobs = from,
                              .since = IMPORT_NO_TIME,
                              .until = IMPORT_NO_TIME,
                              .software = "test"};
    struct import_report report;
    char dir[400];
    struct web *w;

    put(from, "events.tsv",
        "3600\tA\taaa1\ta.html\n3600\tA\tbbb1\tb.html\n36000\tM\taaa2\ta.html\n"
        "72000\tM\taaa3\ta.html\n108000\tM\taaa4\ta.html\n144000\tM\tbbb2\tb.html\n"
        "216000\tM\taaa5\ta.html\n");
    put(from, "aaa1", "<p>sun $OpenBSD: a.html,v 1.1 2005/01/01 00:00:00 me Exp $</p>");
    put(from, "aaa2", "<p>moon $OpenBSD: a.html,v 1.2 2005/01/02 00:00:00 me Exp $</p>");
    put(from, "aaa3", "<p>moon $OpenBSD: a.html,v 1.3 2005/01/02 00:00:00 me Exp $</p>");
    put(from, "aaa4", "<p>stars $OpenBSD: a.html,v 1.4 2005/01/03 00:00:00 me Exp $</p>");
    put(from, "aaa5", "<p>night $OpenBSD: a.html,v 1.5 2005/01/04 00:00:00 me Exp $</p>");
    put(from, "bbb1", "<p>sea</p>");
    put(from, "bbb2", "<p>sand</p>");
    (void)snprintf(dir, sizeof dir, "%s/w", test_dir());
    if (world_import(&from, 1, dir, &c, NULL, NULL, &report) != ST_OK)
        fail_msg("%s", status_text());
    import_report_clear(&report);
    assert_int_equal(web_load(dir, &(struct web_config){.threads = 1}, &w), ST_OK);
    return w;
}

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
    struct web *w = slow_web();
    struct truth t = {.web = w, .urls = web_counts(w).urls, .reachable = 2};
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_TIME, 30.0 * (double)HOUR});
    uint32_t a = web_find(w, url_key(STR("http://x.example/a.html")));
    uint32_t b = web_find(w, url_key(STR("http://x.example/b.html")));
    static const double seen[] = {1, 2.0 / 3, 0.5}, told[] = {1, 1.0 / 3, 0.25};

    (void)state;
    post(m, -4 * HOUR, (struct event){.kind = EVENT_BORN}); /* the grid: 26, 56, 86 */
    fetched(m, 5 * HOUR, a, true);
    fetched(m, 15 * HOUR, a, true);
    fetched(m, 25 * HOUR, a, true);
    fetched(m, 50 * HOUR, a, false);
    fetched(m, 70 * HOUR, b, true);
    fetched(m, 85 * HOUR, a, true);
    meter_finish(m, 86 * HOUR);
    assert_int_equal(meter_points(m), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_near(meter_row(m, i)[METRIC_CHANGES_SEEN], seen[i]);
        assert_near(meter_row(m, i)[METRIC_CHANGES_TOLD], told[i]);
        assert_near(meter_row(m, i)[METRIC_FALSE_ALARMS], 1);
    }
    meter_free(m);
    web_free(w);
}

/* Only a can be reached, and the crawl began at 12: changes at 30 and 60 are left. */
static void changes_count_where_and_while_they_can_be_seen(void **state)
{
    struct web *w = slow_web();
    uint32_t a = web_find(w, url_key(STR("http://x.example/a.html")));
    uint32_t b = web_find(w, url_key(STR("http://x.example/b.html")));
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

/* ---- the ranked list ---- */

static void numbered(struct meter *m, uint32_t url, uint32_t id, float relevance, uint32_t dup_of)
{
    struct request r = {.depth = 1};
    struct arrival a = {.source = url, .request = &r, .profile = {.relevance = relevance}};

    post(m, 1000000 * (int64_t)id,
         (struct event){.kind = EVENT_PAGE, .page = {.arrival = &a, .id = id, .dup_of = dup_of}});
}

/* The seed 1; by relevance 7, then the targets 3 and 4, then 8; the target 5 is a duplicate. */
static void play_ranked(struct meter *m)
{
    numbered(m, 1, 1, 0.9f, 0);
    numbered(m, 4, 2, 0.2f, 0);
    numbered(m, 8, 3, 0.1f, 0);
    numbered(m, 3, 4, 0.2f, 0);
    numbered(m, 7, 5, 0.5f, 0);
    numbered(m, 5, 6, 0.8f, 4);
}

/* Gains at the places 1, 2, 3 are 1, 1 / log2(3), 1 / 2. */
static void without_a_judge_the_list_is_by_relevance(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 3});
    double second = 1 / log2(3);

    (void)state;
    meter_want_ranks(m);
    play_ranked(m);
    assert_near(meter_row(m, 0)[METRIC_P_20], 1.0 / 20); /* 4, 8 */
    assert_near(meter_row(m, 0)[METRIC_NDCG_50], 1);
    assert_near(meter_row(m, 1)[METRIC_P_20], 2.0 / 20); /* 7, 4, 3, 8 */
    assert_near(meter_row(m, 1)[METRIC_P_50], 2.0 / 50);
    assert_near(meter_row(m, 1)[METRIC_NDCG_50], (second + 0.5) / (1 + second));
    meter_free(m);
}

static void fake_judge(const struct model *m, judge_fn *fn, void *ctx)
{
    const float *p = m->state;

    for (uint32_t page = 1; page <= 5; page++)
        fn(ctx, page, p[page]);
}

/* Pages 2 and 4 are the targets 4 and 3. The judge changes its mind between two rows; when it
 * is gone, what it said last holds, and then what an event says. */
static void a_judge_ranks_as_it_sees_pages_at_the_moment(void **state)
{
    static const struct model_judges judges = {.judge = fake_judge};
    static const struct model_ops ops = {.judges = &judges};
    static const struct page_verdict last[] = {{2, 0.9f}, {4, 0.9f}};
    float p[] = {0, 1, 0.1f, 0.9f, 0.5f, 0.7f};
    struct model model = {.ops = &ops, .state = p};
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 2});
    double second = 1 / log2(3);

    (void)state;
    meter_want_ranks(m);
    meter_set_model(m, &model);
    numbered(m, 4, 2, 0.2f, 0);
    numbered(m, 8, 3, 0.1f, 0);
    assert_near(meter_row(m, 0)[METRIC_NDCG_50], second); /* 8, 4 */
    assert_near(meter_row(m, 0)[METRIC_WORDS_20], 1.0 / 20);
    p[3] = 0.05f;
    numbered(m, 3, 4, 0.2f, 0);
    numbered(m, 7, 5, 0.5f, 0); /* 7, 3, 4, 8 */
    assert_near(meter_row(m, 1)[METRIC_NDCG_50], (second + 0.5) / (1 + second));
    meter_set_model(m, NULL);
    p[5] = 0;
    numbered(m, 9, 6, 0.01f, 0);
    numbered(m, 10, 7, 0.01f, 0); /* as before */
    assert_near(meter_row(m, 2)[METRIC_NDCG_50], (second + 0.5) / (1 + second));
    post(m, 8000000,
         (struct event){.kind = EVENT_JUDGED, .judged = {{(const char *)last, sizeof last}}});
    numbered(m, 6, 8, 0.01f, 0);
    meter_finish(m, 9000000);
    assert_near(meter_row(m, 3)[METRIC_NDCG_50], 1); /* 4, 3, 7 */
    meter_free(m);
}

static void ranks_that_nobody_wants_are_unknown(void **state)
{
    struct truth t = truth_of();
    struct meter *m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 3});

    (void)state;
    play_ranked(m);
    assert_true(isnan(meter_row(m, 1)[METRIC_P_20]));
    assert_true(isnan(meter_row(m, 1)[METRIC_NDCG_50]));
    meter_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_of_pages_has_its_values),
        cmocka_unit_test(without_a_judge_the_list_is_by_relevance),
        cmocka_unit_test(a_judge_ranks_as_it_sees_pages_at_the_moment),
        cmocka_unit_test(ranks_that_nobody_wants_are_unknown),
        cmocka_unit_test(a_population_is_held_against_what_its_model_asked_for),
        cmocka_unit_test(a_population_without_bounds_swings_all_the_same),
        cmocka_unit_test(rewarded_pages_are_those_worth_more_than_nothing),
        cmocka_unit_test(a_grid_of_shares_stands_on_the_reachable_pages),
        cmocka_unit_test(a_grid_of_time_includes_its_moment),
        cmocka_unit_test(a_long_pause_has_all_its_points),
        cmocka_unit_test(without_targets_there_is_no_recall),
        cmocka_unit_test(what_cannot_be_reached_counts_for_precision_alone),
        cmocka_unit_test(a_crawl_that_fetched_nothing_has_one_row),
        cmocka_unit_test(freshness_and_age_are_those_of_cho_and_garcia_molina),
        cmocka_unit_test(a_refresh_without_a_page_confirms_the_copy),
        cmocka_unit_test(last_changes_count_for_palotai_and_recency),
        cmocka_unit_test(a_page_known_to_be_gone_is_no_part_of_a_collection),
        cmocka_unit_test(every_metric_has_a_name_and_help),
        cmocka_unit_test(efficiency_is_what_was_new_by_what_it_cost),
        cmocka_unit_test(nothing_is_sent_where_nobody_judges),
        cmocka_unit_test(who_diverges_says_so),
        cmocka_unit_test(contracts_and_their_links_are_counted),
        cmocka_unit_test(freshness_of_news_is_that_of_its_pages),
        cmocka_unit_test(changes_count_when_they_are_seen_within_a_day),
        cmocka_unit_test(changes_count_where_and_while_they_can_be_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
