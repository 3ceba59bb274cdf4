/* runner_int.h - shared by the two files of the runner. runner.c: worlds, one after another;
 * work.c: the runs of one world on all cores. */
#pragma once

#include "lab/run/results_db.h"
#include "lab/run/runner.h"
#include "lab/run/truth.h"

struct lab {
    struct plan *plan;
    const struct runner_config *config;
    struct results_db *db;
    struct lab_progress progress;
    int64_t began;   /* wall time */
    int64_t show_at; /* of the next call of config->progress */
    int stop;        /* atomic: runs end soon and are not kept */
};

/* May it go on, or does the user want to stop? Shows progress now and then. Main thread. */
bool lab_goes_on(struct lab *l);

/* Does every run of a world that has no result yet. */
enum status lab_work(struct lab *l, const struct plan_world *spec, const struct ground *g,
                     const struct subject *subjects, size_t count) MUST_USE;
