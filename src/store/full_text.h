/* full_text.h - the full-text index of a crawl, DIR/index.db, as readers see it.
 *
 * It is a database of its own, because SQLite allows one writer for each file, and the index is
 * written while the writer of crawl.db has its transaction open (write/index_thread.h). It holds
 * nothing that is not in crawl.db: if it is missing or broken, it is made again.
 *
 * A reader that has joined it can query the table `page_text` (title, main, rest; rowid is the
 * page) and the view `indexed` (page: the last one in the index). Both always exist for a reader,
 * although crawls of earlier versions have their index in crawl.db, and others may have none yet.
 * `main` is the main text of a page, `rest` are its menus and footers: a search looks at titles and
 * main texts unless all is asked for. An index of an earlier version has `text`, which is both.
 */
#pragma once

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Before the first question about texts. ST_INVALID where index.db has tables that are not
 * ours, or is no plain file. */
enum status full_text_join(sqlite3 *db, const char *dir) MUST_USE;

/* Has the index `main` and `rest`? */
enum status full_text_has_main(sqlite3 *db, bool *ret) MUST_USE;

/* Where page_text is: the name of its database on a connection that has joined. */
const char *full_text_where(sqlite3 *db);

/* A number of crawl.db that others do not have, as SQL; 0: it has none. index.db notes it in row 3
 * of indexed_row (row 1: the last page that is in; row 2: see write/index.c; row 4: how words are
 * found, FULL_TEXT_WORDS). */
#define FULL_TEXT_OWNER \
    "SELECT CAST(substr(value, 1, 15) AS INTEGER) FROM main.crawl WHERE key = 'archive_id'"

/* A change of store/tokens.h that gives other words, or of the columns, is a new number: what has an older one is made
 * again when it is next written to. */
#define FULL_TEXT_WORDS "2"
#define FULL_TEXT_ROWS  "(1, 0), (4, " FULL_TEXT_WORDS ")"

/* Is this index of that crawl? Yes, where either does not say. */
enum status full_text_is_of(sqlite3 *db, const char *schema, int64_t owner, bool *ret) MUST_USE;

/* Makes the tables of an empty index.db. */
enum status full_text_create(sqlite3 *db) MUST_USE;

/* The declaration of a table like page_text, without its name. */
#define FULL_TEXT_COLUMNS "title, main, rest, content='', tokenize='unicode61 remove_diacritics 2'"

/* What one row of such a table says: id, title, main, rest. A page of which no main text is known
 * is searched as a whole. To be followed by a condition on b.id; for a connection that knows the
 * two functions. */
#define FULL_TEXT_SOURCE                                                                      \
    "SELECT b.id, p.title, iif(length(m.places) > 0, main_text(b.text, m.places), b.text),"   \
    " iif(length(m.places) > 0, rest_text(b.text, m.places), '') FROM body b JOIN page_row p" \
    " ON p.id = b.id LEFT JOIN main_row m ON m.page = b.id "
enum status full_text_functions(sqlite3 *db) MUST_USE;
