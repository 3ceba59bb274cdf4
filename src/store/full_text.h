/* full_text.h - the full-text index of a crawl, DIR/index.db, as readers see it.
 *
 * It is a database of its own, because SQLite allows one writer for each file, and the index is
 * written while the writer of crawl.db has its transaction open (write/index_thread.h). It holds
 * nothing that is not in crawl.db: if it is missing or broken, it is made again.
 *
 * A reader that has joined it can query the table `page_text` (title, text; rowid is the page)
 * and the view `indexed` (page: the last one in the index). Both always exist for a reader,
 * although crawls of earlier versions have their index in crawl.db, and others may have none yet.
 */
#pragma once

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Before the first question about texts. ST_INVALID where index.db has tables that are not
 * ours, or is no plain file. */
enum status full_text_join(sqlite3 *db, const char *dir) MUST_USE;

/* Where page_text is: the name of its database on a connection that has joined. */
const char *full_text_where(sqlite3 *db);

/* A number of crawl.db that others do not have, as SQL; 0: it has none. index.db notes it in row 3
 * of indexed_row (row 1: the last page that is in; row 2: see write/index.c; row 4: how words are
 * found, FULL_TEXT_WORDS). */
#define FULL_TEXT_OWNER \
    "SELECT CAST(substr(value, 1, 15) AS INTEGER) FROM main.crawl WHERE key = 'archive_id'"

/* A change of store/tokens.h that gives other words is a new number: what has an older one is made
 * again when it is next written to. */
#define FULL_TEXT_WORDS "1"
#define FULL_TEXT_ROWS  "(1, 0), (4, " FULL_TEXT_WORDS ")"

/* Is this index of that crawl? Yes, where either does not say. */
enum status full_text_is_of(sqlite3 *db, const char *schema, int64_t owner, bool *ret) MUST_USE;

/* Makes the tables of an empty index.db. */
enum status full_text_create(sqlite3 *db) MUST_USE;

/* The declaration of a table like page_text, without its name. */
#define FULL_TEXT_COLUMNS "title, text, content='', tokenize='unicode61 remove_diacritics 2'"
