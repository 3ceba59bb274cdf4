/* results_db.h - the writing side of DIR/results.db.
 *
 * One process writes, holding the directory's lock; each run is a transaction. What
 * is there belongs to one plan: what fixes the outcome of a run (traits: topics,
 * seeds, budgets, network …) must be the same; models, repeats, worlds, places,
 * metrics and claims may come and go. Runs are found by names, not by numbers.
 *
 * Thread: one at a time; the runner holds a lock.
 */
#pragma once

#include "lab/run/results.h"
#include "sim/world_digest.h"

struct results_db;

/* Makes DIR and its results.db where they are missing. ST_USAGE: they hold the results
 * of another plan, or something else; ST_BUSY: another brood writes there. */
enum status results_db_open(const char *dir, const struct plan *p,
                            struct results_db **ret) MUST_USE;
/* Leaves one file that can be copied; NULL is fine. */
void results_db_close(struct results_db *db);

/* A world with its topics. ST_USAGE where the same name had other pages before. */
enum status results_db_world(struct results_db *db, const struct plan_world *spec,
                             const struct result_world *w) MUST_USE;

/* What the world's directory holds: noted the first time, the same ever after. ST_USAGE:
 * it is another one now. */
enum status results_db_digest(struct results_db *db, const char *world,
                              const struct world_digest *now) MUST_USE;
/* What the world's topics were chosen by, and whether that is still so. */
bool results_db_is_asked(struct results_db *db, const char *world, struct str asked);
enum status results_db_ask(struct results_db *db, const char *world, struct str asked) MUST_USE;

/* What a run is called. */
struct run_name {
    const char *world, *topic, *model;
    uint32_t repeat;
};

/* Its timing in us: kept apart, for timing.json. */
struct run_timing {
    int64_t wall, cpu;
};

bool results_db_has(struct results_db *db, const struct run_name *n);
/* `values` has METRIC_COUNT columns. */
enum status results_db_run(struct results_db *db, const struct run_name *n,
                           const struct result_run *r, const struct run_timing *t) MUST_USE;

/* DIR/timing.json: what the runs took. */
enum status results_db_timing(struct results_db *db, const char *path) MUST_USE;
