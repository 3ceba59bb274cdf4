/* results.h - the results of a plan: DIR/results.db, and the same in memory.
 *
 * The runner writes runs into results.db as they finish (so that a stopped plan
 * goes on where it was); everything else is made from struct results: JSON, CSV,
 * tables, verdicts, the report. Its order does not depend on the order in which
 * runs finished. The CPU time that runs took on this machine is in timing.json, and here only in
 * `cpu`, which only report_json() shows.
 */
#pragma once

#include "lab/plan/plan.h"

/* A world's figures, as `world info` gives them; NAN where unknown. */
struct result_world {
    const char *name;
    uint32_t pages, hosts, versions;
    uint64_t links;
    double out_exponent, in_exponent, clustering, mean_distance, locality;
    char **topics; /* in the order of the runs: the label, or the words */
    char **words;  /* the words that the crawlers were given */
    size_t ntopics;
    uint32_t skipped; /* topics left out: no seeds or examples can be drawn for them */
    char *digest;     /* of its pages, answers, labels and times; NULL: not kept */
};

/* The commit from which this program was built: "1a2b3c4d5e", with "-dirty" if files were
 * changed. */
extern const char lab_commit[];

/* One crawl. */
struct result_run {
    uint32_t world, topic, model, repeat; /* indices */
    uint32_t targets, reachable;
    uint64_t pages;  /* fetched */
    double seconds;  /* of simulated time */
    double cpu;      /* seconds of a core that it took; NAN: unknown */
    const char *end; /* crawl_end_sentence(), or an error */
    size_t npoints;
    double *x;      /* npoints: pages, share of the reachable, or seconds, as plan.sample is */
    double *values; /* npoints x nmetrics, row by row; NAN: does not apply */
    double *pages_at, *seconds_at; /* npoints each: where the points stand, whatever the
                                      metrics are */
};

struct results {
    struct plan *plan;
    struct result_world *worlds; /* plan->nworlds */
    struct result_run *runs;     /* sorted by world, topic, model, repeat */
    size_t nruns;
    const char **metrics; /* names: the plan's, or all that apply */
    size_t nmetrics;
    char *commits; /* of the programs that made the runs, separated by spaces; NULL: unknown */
};

/* Reads DIR/results.db: the runs that its plan asks for and that are finished.
 * ST_MISSING if there is none. */
enum status results_load(const char *dir, struct results **ret) MUST_USE;
void results_free(struct results *r);

/* Returns a metric of a run at a quantity of the plan's `at`: its value at the last point that is
 * not beyond it (a run that ended early keeps its last value). */
double result_at(const struct results *r, const struct result_run *run, int metric,
                 struct quantity at);

/* Returns the mean over the repeats of (world, topic, model): the topic is the unit. */
double result_topic_mean(const struct results *r, uint32_t world, uint32_t topic, uint32_t model,
                         int metric, struct quantity at);

size_t results_wanted(const struct results *r);  /* runs, as far as worlds were looked at */
bool results_looked_at(const struct results *r); /* every world was */
bool results_complete(const struct results *r);  /* every world, every run */

/* These write results.json and results.csv: the same runs give the same bytes. */
enum status results_write_json(const struct results *r, const char *path) MUST_USE;
enum status results_write_csv(const struct results *r, const char *path) MUST_USE;
