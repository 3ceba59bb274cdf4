/* schema.h - the tables of crawl.db, as data. docs/schema.md describes
 * them for readers. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

struct sqlite3;

#define SCHEMA_VERSION 3
#define SCHEMA_OLDEST  1      /* the oldest version that can be read and migrated */
#define SCHEMA_DROPPED 100000 /* rows kept of drops outside pages' links */

/* Makes every table and view in an empty database. */
enum status schema_create(struct sqlite3 *db) MUST_USE;

/* Returns ST_OK if the database is a crawl that can be read, ST_CORRUPT if it is not a crawl, and
 * ST_INVALID if an unknown version wrote it, or if it declares tables or triggers that are not
 * ours. */
enum status schema_check(struct sqlite3 *db, const char *dir) MUST_USE;

/* The same for another database of the connection, which holds the full-text index. */
enum status schema_check_index(struct sqlite3 *db, const char *name, const char *dir) MUST_USE;

/* Migrates a crawl of an older version to this one. Does nothing if it is of this version. */
enum status schema_migrate(struct sqlite3 *db) MUST_USE;

/* For a connection that only reads: makes temporary stand-ins for the tables that an older crawl
 * lacks and that queries need. */
enum status schema_read_older(struct sqlite3 *db) MUST_USE;

/* Makes the indexes that only readers need, when a crawl ends. */
enum status schema_index(struct sqlite3 *db) MUST_USE;

/* Drops these indexes again, because a crawl that goes on must not pay for them. */
enum status schema_unindex(struct sqlite3 *db) MUST_USE;
