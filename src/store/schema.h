/* schema.h - the tables of crawl.db, as data. docs/schema.md describes
 * them for readers. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

struct sqlite3;

#define SCHEMA_VERSION 3
#define SCHEMA_OLDEST  1      /* that can be read, and migrated */
#define SCHEMA_DROPPED 100000 /* rows kept of drops outside pages' links */

/* Makes every table and view in an empty database. */
enum status schema_create(struct sqlite3 *db) MUST_USE;

/* ST_OK where the database is a crawl that can be read; ST_CORRUPT where it is
 * no crawl, ST_INVALID where an unknown version wrote it, or where it declares tables or
 * triggers that are not ours. */
enum status schema_check(struct sqlite3 *db, const char *dir) MUST_USE;

/* The same of another database of the connection, which holds the full-text index. */
enum status schema_check_index(struct sqlite3 *db, const char *name, const char *dir) MUST_USE;

/* Brings a crawl of an older version to this one; of this one, does nothing. */
enum status schema_migrate(struct sqlite3 *db) MUST_USE;

/* For a connection that only reads: an older crawl gets what queries need for the time of the
 * connection. */
enum status schema_read_older(struct sqlite3 *db) MUST_USE;

/* The indexes that only readers need; made when a crawl ends. */
enum status schema_index(struct sqlite3 *db) MUST_USE;

/* Takes them away again: a crawl that goes on must not pay for them. */
enum status schema_unindex(struct sqlite3 *db) MUST_USE;
