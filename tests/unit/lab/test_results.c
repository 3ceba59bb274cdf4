/* results.db, and what is made of it. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "lab/run/metric.h"
#include "lab/run/results_db.h"

#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-12)

#define PLAN                                \
    "name: p\n"                             \
    "worlds: [w, {name: v, dir: x/v}]\n"    \
    "topics: labels\n"                      \
    "models: [breadth-first, best-first]\n" \
    "pages: 20%\n"                          \
    "at: [5%, 20%]\n"                       \
    "sample: 5%\n"

static struct plan *parsed(const char *text)
{
    struct plan *p = NULL;

    if (plan_parse(str_of(text), "p.plan", &p) != ST_OK)
        fail_msg("%s", status_text());
    return p;
}

static void put_world(struct results_db *db, const struct plan_world *spec, uint32_t pages)
{
    char *names[] = {"Art", "Music, \"new\""}, *words[] = {"art", "music"};
    struct result_world w = {.name = spec->name,
                             .pages = pages,
                             .hosts = 3,
                             .versions = pages,
                             .links = 900,
                             .out_exponent = 2.5,
                             .in_exponent = NAN,
                             .clustering = 0.1,
                             .mean_distance = 3,
                             .locality = 0.5,
                             .topics = names,
                             .words = words,
                             .ntopics = 2,
                             .skipped = 1};

    assert_int_equal(results_db_world(db, spec, &w), ST_OK);
}

/* Of 100 reachable pages; points after 5, 10, 15 pages: recall 1/8, 2/8, 3/8 + more. */
static void put_run(struct results_db *db, const char *topic, const char *model, uint32_t repeat,
                    double more)
{
    double x[] = {0.05, 0.1, 0.15}, values[3 * METRIC_COUNT];
    struct run_name name = {"w", topic, model, repeat};
    struct run_timing timing = {.wall = 2000, .cpu = 1000};
    struct result_run run = {.targets = 30,
                             .reachable = 100,
                             .pages = 15,
                             .seconds = 30,
                             .end = "the limit",
                             .npoints = 3,
                             .x = x,
                             .values = values};

    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < METRIC_COUNT; k++)
            values[i * METRIC_COUNT + k] = NAN;
        values[i * METRIC_COUNT + METRIC_RECALL] = 0.125 * (double)(i + 1) + more;
        values[i * METRIC_COUNT + METRIC_PAGES] = 5 * (double)(i + 1);
        values[i * METRIC_COUNT + METRIC_SECONDS] = 10 * (double)(i + 1);
    }
    assert_int_equal(results_db_run(db, &name, &run, &timing), ST_OK);
}

static struct results_db *opened(const char *dir, const struct plan *p)
{
    struct results_db *db = NULL;

    if (results_db_open(dir, p, &db) != ST_OK)
        fail_msg("%s", status_text());
    return db;
}

/* A directory with one world of two, written out of order. */
static void fill(const char *dir, bool backwards)
{
    struct plan *p = parsed(PLAN "repeats: 2\n");
    struct results_db *db = opened(dir, p);
    static const char *const topics[] = {"Art", "Music, \"new\""};

    put_world(db, &p->worlds[0], 500);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t k = backwards ? 7 - i : i;

        put_run(db, topics[k / 4], k / 2 % 2 ? "best-first" : "breadth-first", k % 2, k / 64.0);
    }
    results_db_close(db);
    plan_free(p);
}

static void what_is_written_is_read_in_the_plans_order(void **state)
{
    const char *dir = test_dir();
    struct results *r = NULL;

    (void)state;
    fill(dir, true);
    assert_int_equal(results_load(dir, &r), ST_OK);
    assert_string_equal(r->plan->name, "p");
    assert_int_equal(r->plan->nmodels, 2);
    assert_int_equal(r->worlds[0].ntopics, 2);
    assert_string_equal(r->worlds[0].topics[1], "Music, \"new\"");
    assert_string_equal(r->worlds[0].words[1], "music");
    assert_near(r->worlds[0].out_exponent, 2.5);
    assert_true(isnan(r->worlds[0].in_exponent));
    assert_int_equal(r->worlds[0].skipped, 1);
    assert_int_equal(r->worlds[1].ntopics, 0);
    assert_int_equal(r->nruns, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(r->runs[i].topic, i / 4);
        assert_int_equal(r->runs[i].model, i / 2 % 2);
        assert_int_equal(r->runs[i].repeat, i % 2);
        assert_near(r->runs[i].values[0], 0.125 + i / 64.0); /* recall comes first */
    }
    assert_string_equal(r->runs[0].end, "the limit");
    assert_near(r->runs[0].cpu, 0.001); /* 1000 us */
    assert_int_equal(results_wanted(r), 8);
    assert_false(results_complete(r)); /* the second world was not looked at */
    results_free(r);
}

static void a_place_takes_the_last_point_not_beyond_it(void **state)
{
    const char *dir = test_dir();
    struct results *r = NULL;
    const struct result_run *run;

    (void)state;
    fill(dir, false);
    assert_int_equal(results_load(dir, &r), ST_OK);
    run = &r->runs[0];
    assert_near(result_at(r, run, 0, (struct quantity){QUANTITY_SHARE, 0.05}), 0.125);
    assert_near(result_at(r, run, 0, (struct quantity){QUANTITY_SHARE, 0.12}), 0.25);
    assert_near(result_at(r, run, 0, (struct quantity){QUANTITY_SHARE, 0.9}), 0.375);
    assert_near(result_at(r, run, 0, (struct quantity){QUANTITY_PAGES, 14}), 0.25);
    assert_near(result_at(r, run, 0, (struct quantity){QUANTITY_TIME, 20e6}), 0.25);
    assert_true(isnan(result_at(r, run, 0, (struct quantity){QUANTITY_PAGES, 4})));
    /* Art, best-first: runs 2 and 3, 1/8 + 2/64 and 1/8 + 3/64 */
    assert_near(result_topic_mean(r, 0, 0, 1, 0, (struct quantity){QUANTITY_SHARE, 0.05}),
                0.1640625);
    assert_true(isnan(result_topic_mean(r, 1, 0, 1, 0, (struct quantity){QUANTITY_SHARE, 0.05})));
    results_free(r);
}

static void written(const char *dir, struct buf *json, struct buf *csv)
{
    struct results *r = NULL;
    char path[500];

    assert_int_equal(results_load(dir, &r), ST_OK);
    (void)snprintf(path, sizeof path, "%s/results.json", dir);
    assert_int_equal(results_write_json(r, path), ST_OK);
    test_read(path, json);
    (void)snprintf(path, sizeof path, "%s/results.csv", dir);
    assert_int_equal(results_write_csv(r, path), ST_OK);
    test_read(path, csv);
    results_free(r);
}

static void the_order_of_writing_leaves_no_trace(void **state)
{
    struct buf a = BUF_INIT(1 << 20), b = BUF_INIT(1 << 20), c = BUF_INIT(1 << 20),
               d = BUF_INIT(1 << 20);
    char one[400], two[400];
    json_t *json;

    (void)state;
    (void)snprintf(one, sizeof one, "%s/one", test_dir());
    (void)snprintf(two, sizeof two, "%s/deep/er/two", test_dir());
    fill(one, true);
    fill(two, false);
    written(one, &a, &c);
    written(two, &b, &d);
    assert_string_equal(a.data, b.data);
    assert_string_equal(c.data, d.data);
    assert_non_null(strstr(c.data, "w,\"Music, \"\"new\"\"\",best-first,1,30,100,0.15,0.484375,"));
    json = json_loads(a.data, 0, NULL);
    assert_non_null(json);
    assert_int_equal(json_array_size(json_object_get(json, "runs")), 8);
    /* Which program, and `sha256sum` of the plan's text. */
    assert_string_equal(json_string_value(json_object_get(json, "commit")), lab_commit);
    assert_string_equal(json_string_value(json_object_get(json, "plan_sha256")),
                        "7d06d868d8a7ed270d41329084903363"
                        "fac5c68670d6e4a639a7356f776d6b26");
    json_decref(json);
    buf_free(&a);
    buf_free(&b);
    buf_free(&c);
    buf_free(&d);
}

static enum status reopened(const char *dir, const char *text)
{
    struct plan *p = parsed(text);
    struct results_db *db = NULL;
    enum status st = results_db_open(dir, p, &db);

    results_db_close(db);
    plan_free(p);
    return st;
}

static void models_and_repeats_may_be_added(void **state)
{
    const char *dir = test_dir();
    struct results *r = NULL;
    struct plan *p = parsed(PLAN "repeats: 2\n");
    struct results_db *db;

    (void)state;
    fill(dir, false);
    assert_int_equal(reopened(dir, PLAN "repeats: 5\nmetrics: [recall]\n"), ST_OK);
    db = opened(dir, p);
    assert_true(results_db_has(db, &(struct run_name){"w", "Art", "best-first", 1}));
    assert_false(results_db_has(db, &(struct run_name){"w", "Art", "best-first", 2}));
    assert_false(results_db_has(db, &(struct run_name){"v", "Art", "best-first", 1}));
    results_db_close(db);
    plan_free(p);
    /* fewer of them: what is there is kept, but not shown */
    assert_int_equal(reopened(dir, PLAN "repeats: 1\n"), ST_OK);
    assert_int_equal(results_load(dir, &r), ST_OK);
    assert_int_equal(r->nruns, 4);
    results_free(r);
}

static void another_plan_is_refused(void **state)
{
    const char *dir = test_dir();
    char expected[600];

    (void)state;
    fill(dir, false);
    assert_int_equal(reopened(dir, PLAN "rng: 2\n"), ST_USAGE);
    (void)snprintf(expected, sizeof expected,
                   "%s holds the results of another plan: its 'rng' differs (there: 1, here: 2): "
                   "give another directory with --out, or remove it",
                   dir);
    assert_string_equal(status_text(), expected);
    assert_int_equal(reopened(dir, PLAN "network: {connections: 2}\n"), ST_USAGE);
    assert_int_equal(reopened(dir, PLAN "seeds: {on-topic: 4}\n"), ST_USAGE);
    assert_int_equal(reopened(dir, "name: p\nworlds: [{name: w, dir: y}]\ntopics: labels\n"
                                   "models: [best-first]\npages: 20%\nsample: 5%\n"),
                     ST_USAGE);
    assert_non_null(strstr(status_text(), "another world 'w' (there: dir w, here: dir y)"));
    assert_int_equal(reopened(dir, PLAN "repeats: 2\n"), ST_OK);
}

/* A directory of before, whose runs were measured otherwise where topics are words. */
static void older_results_go_on_where_nothing_changed(void **state)
{
    const char *dir = test_dir();
    struct buf path = BUF_INIT(1000);
    struct results *r = NULL;
    sqlite3 *db;

    (void)state;
    fill(dir, false);
    buf_addf(&path, "%s/results.db", dir);
    assert_int_equal(sqlite3_open(path.data, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM meta WHERE key = 'measures'", NULL, NULL, NULL),
                     SQLITE_OK);
    (void)sqlite3_close(db);
    assert_int_equal(reopened(dir, PLAN), ST_OK);
    assert_int_equal(sqlite3_open(path.data, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE meta SET value = 'a list of words' WHERE key = 'trait topics'",
                     NULL, NULL, NULL),
        SQLITE_OK);
    (void)sqlite3_close(db);
    assert_int_equal(reopened(dir, "name: p\nworlds: [w]\ntopics: [art]\nmodels: [best-first]\n"
                                   "pages: 20%\nsample: 5%\n"),
                     ST_USAGE);
    assert_non_null(strstr(status_text(), "was begun by an older brood, which measured topics "
                                          "given as words otherwise"));
    assert_int_equal(results_load(dir, &r), ST_OK); /* it can still be read */
    results_free(r);
    buf_free(&path);
}

static void a_world_that_changed_is_refused(void **state)
{
    const char *dir = test_dir();
    struct plan *p = parsed(PLAN);
    struct results_db *db = opened(dir, p);
    struct result_world w = {.name = "w", .pages = 501, .versions = 501, .links = 900};

    (void)state;
    put_world(db, &p->worlds[0], 500);
    assert_int_equal(results_db_world(db, &p->worlds[0], &w), ST_USAGE);
    assert_non_null(strstr(status_text(), "(500 pages then, 501 now)"));
    results_db_close(db);
    plan_free(p);
}

static void a_directory_is_written_by_one(void **state)
{
    const char *dir = test_dir();
    struct plan *p = parsed(PLAN);
    struct results_db *db = opened(dir, p), *second = NULL;

    (void)state;
    assert_int_equal(results_db_open(dir, p, &second), ST_BUSY);
    assert_null(second);
    results_db_close(db);
    plan_free(p);
}

static void times_go_to_a_file_of_their_own(void **state)
{
    const char *dir = test_dir();
    struct plan *p = parsed(PLAN "repeats: 2\n");
    struct buf text = BUF_INIT(1 << 20);
    struct results_db *db;
    char path[400];
    json_t *json;

    (void)state;
    fill(dir, false);
    db = opened(dir, p);
    (void)snprintf(path, sizeof path, "%s/timing.json", dir);
    assert_int_equal(results_db_timing(db, path), ST_OK);
    test_read(path, &text);
    json = json_loads(text.data, 0, NULL);
    assert_int_equal(json_array_size(json), 8);
    /* 15 pages in 1,000 us */
    assert_true(json_number_value(json_object_get(json_array_get(json, 0), "visits_per_second")) ==
                15000);
    json_decref(json);
    buf_free(&text);
    results_db_close(db);
    plan_free(p);
}

static void no_results_say_so(void **state)
{
    struct results *r = NULL;

    (void)state;
    assert_int_equal(results_load(test_dir(), &r), ST_MISSING);
    assert_null(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_in_the_plans_order),
        cmocka_unit_test(a_place_takes_the_last_point_not_beyond_it),
        cmocka_unit_test(the_order_of_writing_leaves_no_trace),
        cmocka_unit_test(models_and_repeats_may_be_added),
        cmocka_unit_test(another_plan_is_refused),
        cmocka_unit_test(older_results_go_on_where_nothing_changed),
        cmocka_unit_test(a_world_that_changed_is_refused),
        cmocka_unit_test(a_directory_is_written_by_one),
        cmocka_unit_test(times_go_to_a_file_of_their_own),
        cmocka_unit_test(no_results_say_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
