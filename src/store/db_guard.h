/* db_guard.h - opening SQLite files that may come from somebody else.
 *
 * A database is a program, too: triggers, views, declarations with expressions,
 * and trees whose pages lead back to each other. A guarded connection runs
 * no code from the file, accepts no value larger than the file, and gives up a query that takes
 * more steps than a file of this size can need.
 *
 * The steps are counted for each thread, since its last db_prepare() or db_exec().
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;

/* To be called right after opening. */
void db_guard(struct sqlite3 *db);

/* A new query begins: its steps are counted from 0. */
void db_guard_refill(void);

/* Was the last query given up because it took too many steps? */
bool db_guard_spent(void);

/* To be called before writing: what is written may be larger than the file. */
void db_guard_widen(struct sqlite3 *db);

/* ST_CORRUPT if an id is too large for a file of this size: no array may be allocated for such an
 * id. */
enum status db_guard_id(struct sqlite3 *db, int64_t id) MUST_USE;
