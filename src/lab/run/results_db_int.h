/* results_db_int.h - what the two halves of the writing side share. results_db.c: the tables;
 * results_agree.c: what must stay the same in them. */
#pragma once

#include "lab/run/results_db.h"
#include "store/db.h"

enum { STMT_HAS, STMT_RUN, STMT_TIMING, STMT_COUNT_HERE };

struct results_db {
    sqlite3 *db;
    char *dir;
    int lock;
    bool older; /* it has runs that were measured otherwise */
    bool noted; /* the commit of this program is among "commits" */
    sqlite3_stmt *stmt[STMT_COUNT_HERE];
};

/* Errors of store/db.h speak of crawl.db; this one speaks of results.db. */
enum status results_named(const struct results_db *d, enum status st);

/* A row of the table `meta`. The value is on the heap; NULL where there is none. */
enum status results_meta_set(struct results_db *d, const char *key, struct str value) MUST_USE;
char *results_meta_get(struct results_db *d, const char *key);

/* Where a world is or how it is made, and what of it is left out. */
void results_spec(const struct plan_world *w, struct buf *out);

/* Are the results that are there of this plan? Notes what must stay the same, the first time. */
enum status results_agree(struct results_db *d, const struct plan *p) MUST_USE;
