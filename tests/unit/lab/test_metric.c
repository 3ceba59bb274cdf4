/* Every metric, computed by hand on a short stream of events.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/model.h"
#include "base/mem.h"
#include "meter_events.h"

#include <stdlib.h>

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

/* ---- messages ---- */

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
        cmocka_unit_test(every_metric_has_a_name_and_help),
        cmocka_unit_test(who_diverges_says_so),
        cmocka_unit_test(contracts_and_their_links_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
