/* db_guard.h - SQLite for files that somebody else may have made.
 *
 * A database is a program, too: triggers, views, declarations with expressions,
 * and trees whose pages lead back to each other. A guarded connection runs
 * nothing that the file brings along, holds no value larger than the file, and
 * gives up a question that takes more steps than one of its size can need.
 *
 * The steps are counted in the thread that asks, from the last db_prepare() or
 * db_exec().
 */
#ifndef STORE_DB_GUARD_H
#define STORE_DB_GUARD_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;

/* Right after opening. */
void db_guard(struct sqlite3 *db);

/* A new question begins: all its steps are free again. */
void db_guard_refill(void);

/* Was the last question given up for its steps? */
bool db_guard_spent(void);

/* For whoever is about to write: what is written may be larger than the file. */
void db_guard_widen(struct sqlite3 *db);

/* ST_CORRUPT where an id is beyond all that a file of this size can hold: it
 * must not size an array. */
enum status db_guard_id(struct sqlite3 *db, int64_t id) MUST_USE;

#endif
