/* results_db_int.h - shared by the two files of the writing side. results_db.c has the tables;
 * results_agree.c checks what must stay the same in them. */
#pragma once

#include "lab/run/results_db.h"
#include "store/db.h"

enum { STMT_HAS, STMT_RUN, STMT_TIMING, STMT_COUNT_HERE };

struct results_db {
    sqlite3 *db;
    char *dir;
    int lock;
    bool older; /* it has runs that an older version measured differently */
    bool noted; /* the commit of this program is among "commits" */
    sqlite3_stmt *stmt[STMT_COUNT_HERE];
};

/* Errors of store/db.h name crawl.db; this replaces that by results.db in the message of a failure.
 * Returns `st`. */
enum status results_named(const struct results_db *d, enum status st);

/* These write and read a row of the table `meta`. The value read is on the heap; NULL if there is
 * none. */
enum status results_meta_set(struct results_db *d, const char *key, struct str value) MUST_USE;
char *results_meta_get(struct results_db *d, const char *key);

/* Appends where a world is or how it is made, and which parts are excluded. */
void results_spec(const struct plan_world *w, struct buf *out);

/* Checks that the existing results belong to this plan; the first time, stores what must stay the
 * same. */
enum status results_agree(struct results_db *d, const struct plan *p) MUST_USE;
