/* results_db.h - the writing side of DIR/results.db.
 *
 * One process writes, holding the directory's lock; each run is a transaction. A directory belongs
 * to one plan: everything that determines the outcome of a run (its traits: topics, seeds, budgets,
 * network …) must stay the same; models, repeats, worlds, places, metrics and claims may be added
 * or removed. Runs are identified by names, not by numbers.
 *
 * Thread: one at a time; the runner holds a lock.
 */
#pragma once

#include "lab/run/results.h"
#include "sim/world_digest.h"

struct results_db;

/* Opens DIR/results.db, and makes both if they are missing. ST_USAGE if they hold the results of
 * another plan, or something else; ST_BUSY if another brood writes there. */
enum status results_db_open(const char *dir, const struct plan *p,
                            struct results_db **ret) MUST_USE;
/* Closes it and leaves a single file that can be copied; NULL is fine. */
void results_db_close(struct results_db *db);

/* Stores a world with its topics. ST_USAGE if the same name had other pages before. */
enum status results_db_world(struct results_db *db, const struct plan_world *spec,
                             const struct result_world *w) MUST_USE;

/* Stores the digest of a world's directory the first time, and compares it later. ST_USAGE if it
 * has changed. */
enum status results_db_digest(struct results_db *db, const char *world,
                              const struct world_digest *now) MUST_USE;
/* results_db_is_asked(): were the world's topics chosen by the same criteria `asked`? The other
 * function stores them. */
bool results_db_is_asked(struct results_db *db, const char *world, struct str asked);
enum status results_db_ask(struct results_db *db, const char *world, struct str asked) MUST_USE;

/* The name of a run. */
struct run_name {
    const char *world, *topic, *model;
    uint32_t repeat;
};

/* The timing of a run in us, kept apart for timing.json. */
struct run_timing {
    int64_t wall, cpu;
};

bool results_db_has(struct results_db *db, const struct run_name *n);
/* `values` has METRIC_COUNT columns. */
enum status results_db_run(struct results_db *db, const struct run_name *n,
                           const struct result_run *r, const struct run_timing *t) MUST_USE;

/* Writes DIR/timing.json, the times that the runs took. */
enum status results_db_timing(struct results_db *db, const char *path) MUST_USE;
