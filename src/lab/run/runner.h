/* runner.h - `brood lab run`: carries out a plan on all cores.
 *
 * Worlds are loaded one after another; the runs of a world are distributed to `jobs` threads and
 * written to DIR/results.db as they finish. Runs that it has already are not repeated. The same
 * plan gives the same results with any number of jobs.
 */
#pragma once

#include "lab/run/results.h"

struct lab_progress {
    const char *world;     /* current world */
    size_t number, worlds; /* its number, and how many there are */
    const char *doing;     /* "loading", "running" */
    size_t done, total;    /* runs, of the worlds loaded so far */
    size_t ran;            /* runs done in this session */
    uint64_t visits;       /* simulated so far in this session */
    double seconds;        /* of wall time in this session */
};

struct runner_config {
    const char *dir; /* directory of the results; made if missing */
    unsigned jobs;   /* 0: one a core */
    const int *stop; /* becomes 1: stop soon, keep what is finished */
    void (*progress)(void *ctx,
                     const struct lab_progress *p); /* about 5 times a second; may be NULL */
    void (*note)(void *ctx, const char *sentence);  /* what was left out, and why; may be NULL */
    void *progress_ctx;                             /* of both */
};

/* ST_STOPPED if `stop` ended it. ST_USAGE, for example, if the directory holds another plan's
 * results, or if a world has no labels but the plan asks for them. */
enum status lab_run(struct plan *p, const struct runner_config *c) MUST_USE;
