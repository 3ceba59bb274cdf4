/* A small plan on small worlds, carried out: the same results however it is done.
 * SPDX-License-Identifier: MIT */
#include "small_worlds.h"
#include "support/support.h"

#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/mem.h"
#include "lab/run/metric.h"
#include "lab/run/runner.h"
#include "sim/make/make.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void run(const char *text, const char *dir, unsigned jobs)
{
    struct plan *p = parsed(text);

    if (lab_run(p, &(struct runner_config){.dir = dir, .jobs = jobs}) != ST_OK)
        fail_msg("%s", status_text());
    plan_free(p);
}

static void read_result(const char *dir, const char *file, struct buf *out)
{
    char path[500];

    (void)snprintf(path, sizeof path, "%s/%s", dir, file);
    test_read(path, out);
}

static void assert_same_results(const char *one, const char *two)
{
    static const char *const files[] = {"results.json", "results.csv"};

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct buf a = BUF_INIT(64 << 20), b = BUF_INIT(64 << 20);

        read_result(one, files[i], &a);
        read_result(two, files[i], &b);
        assert_string_equal(a.data, b.data);
        assert_true(a.len > 1000);
        buf_free(&a);
        buf_free(&b);
    }
}

/* Stops once some runs are done. */
struct stopper {
    int stop;
    size_t after, seen;
};

static void stop_soon(void *ctx, const struct lab_progress *p)
{
    struct stopper *s = ctx;

    s->seen = p->ran;
    if (p->ran >= s->after)
        s->stop = 1;
}

static void jobs_and_interruptions_leave_no_trace(void **state)
{
    const char *one = test_dir(), *two = test_dir(), *three = test_dir();
    struct plan *p = parsed(WORLD REST MODELS);
    struct stopper s = {0};
    struct runner_config c = {
        .dir = three, .jobs = 2, .stop = &s.stop, .progress = stop_soon, .progress_ctx = &s};
    struct results *r = NULL;
    enum status st;

    (void)state;
    run(WORLD REST MODELS, one, 1);
    run(WORLD REST MODELS, two, 2);
    assert_same_results(one, two);
    do { /* again and again, each time a little further */
        s = (struct stopper){.after = 1};
        st = lab_run(p, &c);
        assert_true(st == ST_OK || st == ST_STOPPED);
    } while (st == ST_STOPPED);
    assert_same_results(one, three);
    plan_free(p);

    assert_int_equal(results_load(one, &r), ST_OK);
    assert_true(results_complete(r));
    assert_int_equal(r->nruns, r->worlds[0].ntopics * 4 * 2);
    results_free(r);
}

static void what_is_finished_is_not_run_again(void **state)
{
    const char *dir = test_dir(), *fresh = test_dir();
    struct plan *p = parsed(WORLD REST MODELS "");
    struct stopper s = {.after = SIZE_MAX};

    (void)state;
    run(WORLD REST "models: [breadth-first, classifier]\n", dir, 0);
    run(WORLD REST MODELS, dir, 0); /* two models more */
    run(WORLD REST MODELS, fresh, 0);
    assert_same_results(dir, fresh);
    assert_int_equal(lab_run(p, &(struct runner_config){.dir = dir,
                                                        .stop = &s.stop,
                                                        .progress = stop_soon,
                                                        .progress_ctx = &s}),
                     ST_OK);
    assert_int_equal(s.seen, 0);
    plan_free(p);
}

static void the_figures_fit_together(void **state)
{
    const char *dir = test_dir();
    struct results *r = NULL;

    (void)state;
    run(WORLD REST MODELS "metrics: [recall, precision, pages, relevance]\n", dir, 0);
    assert_int_equal(results_load(dir, &r), ST_OK);
    assert_int_equal(r->worlds[0].pages, 300);
    for (size_t i = 0; i < r->nruns; i++) {
        const struct result_run *run = &r->runs[i];
        const struct result_run *first = &r->runs[i / 8 * 8 + i % 2]; /* breadth-first's */
        const double *last = &run->values[(run->npoints - 1) * r->nmetrics];

        assert_int_equal(run->npoints, 4); /* 10, 20, 30 and 40 % */
        assert_true(fabs(run->x[1] - 0.2) < 1e-9);
        assert_int_equal(run->pages, llround(0.4 * run->reachable));
        assert_int_equal((uint64_t)last[2], run->pages);
        assert_true(last[0] > 0 && last[0] <= 1);
        /* found = recall * targets = precision * pages that count */
        assert_true(last[0] * run->targets <= last[1] * (double)run->pages + 1e-9);
        assert_int_equal(run->targets, first->targets);     /* the same for every model */
        assert_int_equal(run->reachable, first->reachable); /* as are the seeds */
        assert_string_equal(run->end, "the limit of pages is reached");
    }
    results_free(r);
}

static void a_crawl_to_the_end_gets_what_can_be_reached(void **state)
{
    const char *dir = test_dir();
    struct results *r = NULL;

    (void)state;
    run(WORLD "name: t\ntopics: {labels: {min: 15, max: 50%}}\nseeds: {on-topic: 1}\ntime: 10000h\n"
              "models: [breadth-first, link-oracle]\nmetrics: [recall]\n",
        dir, 0);
    assert_int_equal(results_load(dir, &r), ST_OK);
    for (size_t i = 0; i < r->nruns; i++) {
        const struct result_run *run = &r->runs[i];

        assert_int_equal(run->pages, run->reachable);
        assert_true(run->values[run->npoints - 1] == 1);
        assert_string_equal(run->end, "no link is left that may be followed");
    }
    results_free(r);
}

static void topics_may_be_words_and_seeds_far_away(void **state)
{
    const char *dir = test_dir();
    struct results *r = NULL;

    (void)state;
    run(WORLD "name: t\ntopics: [telescope star galaxy]\nrelevant: 0.05\nseeds: {distance: 1, "
              "count: 2}\npages: 50\n"
              "models: [best-first]\n",
        dir, 0);
    assert_int_equal(results_load(dir, &r), ST_OK);
    assert_int_equal(r->nruns, 1);
    assert_string_equal(r->worlds[0].topics[0], "telescope star galaxy");
    assert_int_equal(r->runs[0].pages, 50);
    assert_string_equal(r->metrics[0], "recall"); /* of pages that reach `relevant` */
    assert_true(r->runs[0].targets > 0);
    for (size_t i = 0; i < r->nmetrics; i++) {
        double v = r->runs[0].values[(r->runs[0].npoints - 1) * r->nmetrics + i];

        assert_string_not_equal(r->metrics[i], "d-recall"); /* words have no truth of their own */
        if (strcmp(r->metrics[i], "recall") == 0 || strcmp(r->metrics[i], "precision") == 0)
            assert_true(v > 0 && v <= 1);
    }
    results_free(r);
}

/* Words weigh otherwise where document frequencies are learned as pages come, and so does
 * what is found; the same plan gives the same again. */
static void document_frequencies_can_be_learned(void **state)
{
#define LEARNED(idf)                                                                  \
    WORLD "name: t\ntopics: {labels: {min: 15, max: 50%}}\npages: 60\nidf: " idf "\n" \
          "metrics: [relevance]\nmodels: [best-first]\n"
    static const char *const plans[] = {LEARNED("learned"), LEARNED("learned"), LEARNED("world")};
    double found[3];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const char *dir = test_dir();
        struct results *r = NULL;

        run(plans[i], dir, 0);
        assert_int_equal(results_load(dir, &r), ST_OK);
        found[i] = r->runs[0].values[(r->runs[0].npoints - 1) * r->nmetrics];
        results_free(r);
    }
    assert_true(found[0] == found[1]);
    assert_true(found[0] != found[2]);
}

/* Eight hosts: as many seeds can be had, each on one of its own, and not one more. */
static void seeds_stand_on_different_hosts(void **state)
{
    struct plan *p = parsed(WORLD "name: t\ntopics: {labels: {min: 15, max: 50%}}\n"
                                  "seeds: {apart: 9}\npages: 50\nmodels: [best-first]\n");
    const char *dir = test_dir();
    struct results *r = NULL;

    (void)state;
    run(WORLD "name: t\ntopics: {labels: {min: 15, max: 50%}}\nseeds: {apart: 8}\npages: 50\n"
              "models: [best-first]\n",
        dir, 0);
    assert_int_equal(results_load(dir, &r), ST_OK);
    assert_true(r->nruns > 0);
    results_free(r);
    assert_int_equal(lab_run(p, &(struct runner_config){.dir = test_dir()}), ST_USAGE);
    plan_free(p);
}

static void what_cannot_be_done_is_said(void **state)
{
    const char *dir = test_dir();
    struct plan *p = parsed(WORLD "name: t\ntopics: {labels: {min: 5000}}\npages: 50\n"
                                  "models: [best-first]\n");
    struct plan *q = parsed(WORLD "name: t\ntopics: [zzyzx]\npages: 50\nmodels: [best-first]\n");

    (void)state;
    assert_int_equal(lab_run(p, &(struct runner_config){.dir = dir}), ST_USAGE);
    assert_string_equal(
        status_text(),
        "t.plan:3: the world 'small' has no label with at least 5000 pages and at most 25 % "
        "of all: write other limits, {labels: {min: …, max: …}}");
    assert_int_equal(lab_run(q, &(struct runner_config){.dir = test_dir()}), ST_USAGE);
    assert_string_equal(
        status_text(),
        "t.plan:3: world 'small': for none of its 1 topics could seeds and examples be drawn: "
        "ask for fewer, for another distance, or for a smaller 'relevant'");
    plan_free(p);
    plan_free(q);
}

/* ---- what a directory of results belongs to ------------------------------ */

static void make_at(const char *dir, uint64_t rng)
{
    struct make_config c;

    make_config_init(&c);
    c.graph.pages = 200;
    c.graph.hosts = 6;
    c.graph.topics = 4;
    c.graph.rng = rng;
    assert_int_equal(world_make(dir, &c, NULL, NULL), ST_OK);
}

static enum status run_status(const char *text, const char *dir)
{
    struct plan *p = parsed(text);
    enum status st = lab_run(p, &(struct runner_config){.dir = dir, .jobs = 1});

    plan_free(p);
    return st;
}

/* The same plan, all of it finished, but another world under the same name. */
static void a_world_that_was_replaced_is_noticed(void **state)
{
    const char *dir = test_dir(), *out = test_dir();
    char world[500], away[500], text[1000];

    (void)state;
    (void)snprintf(world, sizeof world, "%s/w", dir);
    (void)snprintf(away, sizeof away, "%s/away", dir);
    (void)snprintf(text, sizeof text,
                   "name: t\nworlds: [%s]\ntopics: {labels: {min: 15, max: 60%%}}\npages: 30\n"
                   "models: [breadth-first]\n",
                   world);
    make_at(world, 3);
    run(text, out, 1);
    run(text, out, 1);
    assert_int_equal(rename(world, away), 0);
    make_at(world, 5);
    assert_int_equal(run_status(text, out), ST_USAGE);
    assert_non_null(strstr(status_text(), "the world 'w' is not what it was when "));
    assert_non_null(strstr(status_text(), " was begun (other pages, answers and labels)"));
    (void)snprintf(away, sizeof away, "%s/away2", dir);
    assert_int_equal(rename(world, away), 0);
    make_at(world, 3); /* made alike: the same */
    run(text, out, 1);
}

#define WORDS(topics)                                                                        \
    WORLD "name: t\nrelevant: 0.05\nseeds: {on-topic: 1}\npages: 20\nmodels: [best-first]\n" \
          "topics: [" topics "]\n"

static void topics_that_are_added_or_changed_are_run(void **state)
{
    const char *out = test_dir(), *fresh = test_dir();
    struct results *r = NULL;

    (void)state;
    run(WORDS("telescope star, chess pawn"), out, 1);
    run(WORDS("telescope star, chess, galaxy"), out, 1);
    run(WORDS("telescope star, chess, galaxy"), fresh, 1);
    assert_same_results(out, fresh);
    assert_int_equal(results_load(out, &r), ST_OK);
    assert_true(results_complete(r));
    assert_int_equal(r->worlds[0].ntopics, r->nruns);
    for (size_t i = 0; i < r->worlds[0].ntopics; i++)
        assert_string_not_equal(r->worlds[0].topics[i], "chess pawn");
    results_free(r);
    run(WORDS("telescope star"), out, 1); /* what was left out does not count */
    assert_int_equal(results_load(out, &r), ST_OK);
    assert_int_equal(r->nruns, 1);
    results_free(r);
    assert_int_equal(run_status(WORLD REST MODELS, out), ST_USAGE); /* labels are another plan */
}

static void results_are_not_strewn_over_other_things(void **state)
{
    const char *dir = test_dir();
    char path[500];
    struct stat info;

    (void)state;
    (void)snprintf(path, sizeof path, "%s/mine.html", dir);
    assert_int_equal(file_write(path, STR("mine")), ST_OK);
    assert_int_equal(run_status(WORLD REST MODELS, dir), ST_USAGE);
    assert_non_null(strstr(status_text(), "holds no results, but mine.html: give a directory"));
    assert_int_equal(run_status(WORLD REST MODELS, path), ST_USAGE);
    assert_non_null(strstr(status_text(), "mine.html is a file; results need a directory"));
    (void)snprintf(path, sizeof path, "%s/results.db", dir);
    assert_int_not_equal(stat(path, &info), 0);
}

static void keep_note(void *ctx, const char *sentence)
{
    (void)snprintf(ctx, 500, "%s", sentence);
}

/* What was left of a world in the making is removed, and labels that are no topics are
 * counted. */
static void what_is_left_out_is_said(void **state)
{
    const char *out = test_dir();
    char path[500], part[510], note[500] = "";
    struct plan *p = parsed(WORLD "name: t\ntopics: {labels: {min: 15, max: 50%, most: 2}}\n"
                                  "pages: 20\nmodels: [breadth-first]\n");

    (void)state;
    run(WORDS("telescope star"), out, 1);
    (void)snprintf(path, sizeof path, "%s/worlds/small", out);
    (void)snprintf(part, sizeof part, "%s.part", path);
    assert_int_equal(rename(path, part), 0); /* as if it had been killed */
    run(WORDS("telescope star, galaxy"), out, 1);
    assert_int_not_equal(access(part, F_OK), 0);
    out = test_dir();
    assert_int_equal(lab_run(p,
                             &(struct runner_config){
                                 .dir = out, .jobs = 1, .note = keep_note, .progress_ctx = note}),
                     ST_OK);
    assert_string_equal(note, "world 'small': topics left out: 3 by 'most: 2'");
    plan_free(p);
}

static void other_options_of_make_are_named_alone(void **state)
{
    const char *out = test_dir();

    (void)state;
    run(WORLD REST "models: [breadth-first]\n", out, 1);
    assert_int_equal(run_status("worlds: [{name: small, make: {pages: 200, hosts: 8, topics: 5, "
                                "rng: 3}}]\n" REST "models: [breadth-first]\n",
                                out),
                     ST_USAGE);
    assert_non_null(strstr(status_text(), "(there: pages=300, here: pages=200)"));
}

/* ---- worlds of somebody else ---------------------------------------------- */

/* A crawl of 2 pages is over in some seconds; what it has stored goes on to grow old. */
static void a_world_that_moves_is_measured_to_the_end_of_the_time(void **state)
{
    const char *out = test_dir(), *all = test_dir();
    char dir[500], text[1000];
    struct results *r = NULL;
    const struct result_run *last;
    const double *row;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/w", test_dir());
    history_world(growing, dir);
    (void)snprintf(text, sizeof text,
                   "name: t\nworlds: [%s]\ntopics: [birds]\nrelevant: 0.01\n"
                   "seeds: {on-topic: 1}\nmodels: [breadth-first]\ntime: 1000s\nsample: 100s\n"
                   "metrics: [freshness, age, pages, recall]\n",
                   dir);
    run(text, out, 1);
    assert_int_equal(results_load(out, &r), ST_OK);
    last = &r->runs[0];
    assert_int_equal(last->reachable, 3);
    assert_int_equal(last->targets, 2); /* of index, a and b one is the seed */
    assert_int_equal(last->npoints, 10);
    row = &last->values[9 * r->nmetrics];
    assert_true(last->seconds < 100 && last->x[9] == 1000);
    assert_true(row[0] == 0.5);        /* index.html changed at 600 s */
    assert_true(row[1] == 250);        /* 1100 - 600 s, over two pages */
    assert_true(row[2] == 2);          /* b.html was not there yet */
    assert_true(row[3] == 0.5);        /* so that it counts as missed */
    assert_true(last->values[0] == 1); /* after 100 s nothing had changed */
    results_free(r);

    (void)snprintf(text, sizeof text,
                   "name: t\nworlds: [%s]\ntopics: [birds]\nrelevant: 0.01\n"
                   "seeds: {on-topic: 1}\nmodels: [breadth-first]\npages: 100%%\nsample: 50%%\n"
                   "metrics: [recall]\n",
                   dir);
    run(text, all, 1);
    assert_int_equal(results_load(all, &r), ST_OK);
    last = &r->runs[0];
    assert_int_equal(last->reachable, 2);
    assert_int_equal(last->targets, 1);
    assert_int_equal(last->pages, 2);
    assert_true(last->x[last->npoints - 1] == 1 && last->values[last->npoints - 1] == 1);
    results_free(r);
}

/* Pages that nobody can find would count for nobody, and nobody would know. */
static void a_world_with_a_damaged_archive_is_refused(void **state)
{
    char dir[500], text[1000];
    struct plan *p;
    struct stat archive;
    glob_t files;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/w", test_dir());
    site_world(dir);
    (void)snprintf(text, sizeof text, "%s/warc/*.warc.gz", dir);
    assert_int_equal(glob(text, 0, NULL, &files), 0);
    assert_int_equal(files.gl_pathc, 1);
    assert_int_equal(stat(files.gl_pathv[0], &archive), 0);
    assert_int_equal(truncate(files.gl_pathv[0], archive.st_size * 3 / 4), 0);
    globfree(&files);
    (void)snprintf(text, sizeof text,
                   "name: t\nworlds: [%s]\ntopics: [birds]\nseeds: {on-topic: 1}\n"
                   "models: [breadth-first]\npages: 100%%\nsample: 50%%\n",
                   dir);
    p = parsed(text);
    assert_int_equal(lab_run(p, &(struct runner_config){.dir = test_dir(), .jobs = 1}), ST_CORRUPT);
    assert_non_null(strstr(status_text(), "cannot be read from its archive"));
    plan_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_and_interruptions_leave_no_trace),
        cmocka_unit_test(what_is_finished_is_not_run_again),
        cmocka_unit_test(the_figures_fit_together),
        cmocka_unit_test(a_crawl_to_the_end_gets_what_can_be_reached),
        cmocka_unit_test(topics_may_be_words_and_seeds_far_away),
        cmocka_unit_test(seeds_stand_on_different_hosts),
        cmocka_unit_test(document_frequencies_can_be_learned),
        cmocka_unit_test(what_cannot_be_done_is_said),
        cmocka_unit_test(a_world_that_was_replaced_is_noticed),
        cmocka_unit_test(topics_that_are_added_or_changed_are_run),
        cmocka_unit_test(results_are_not_strewn_over_other_things),
        cmocka_unit_test(what_is_left_out_is_said),
        cmocka_unit_test(other_options_of_make_are_named_alone),
        cmocka_unit_test(a_world_with_a_damaged_archive_is_refused),
        cmocka_unit_test(a_world_that_moves_is_measured_to_the_end_of_the_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
