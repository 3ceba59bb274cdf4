/* runner.h - `brood lab run`: a plan is carried out on all cores.
 *
 * Worlds are loaded one after another; the runs of a world are shared out to
 * `jobs` threads and written to DIR/results.db as they finish. What is there
 * already is not run again. Same plan, same results, whatever the number of jobs.
 */
#pragma once

#include "lab/run/results.h"

struct lab_progress {
    const char *world;     /* being worked on */
    size_t number, worlds; /* the how manieth, of how many */
    const char *doing;     /* "loading", "running" */
    size_t done, total;    /* runs, of the worlds looked at so far */
    size_t ran;            /* of those done, in this session */
    uint64_t visits;       /* simulated so far in this session */
    double seconds;        /* of wall time in this session */
};

struct runner_config {
    const char *dir; /* results; made where missing */
    unsigned jobs;   /* 0: one a core */
    const int *stop; /* becomes 1: stop soon, keep what is finished */
    void (*progress)(void *ctx,
                     const struct lab_progress *p); /* about 5 times a second; may be NULL */
    void (*note)(void *ctx, const char *sentence);  /* what was left out, and why; may be NULL */
    void *progress_ctx;                             /* of both */
};

/* ST_STOPPED where `stop` ended it. ST_USAGE: the directory holds another plan's
 * results; a world has no labels but the plan asks for them; … */
enum status lab_run(struct plan *p, const struct runner_config *c) MUST_USE;
