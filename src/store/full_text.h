/* full_text.h - the full-text index of a crawl, DIR/index.db, as readers see it.
 *
 * It is a database of its own, because SQLite allows one writer for each file, and the index is
 * written while the writer of crawl.db has its transaction open (write/index_thread.h). All that it
 * holds can be made from crawl.db: if it is missing or broken, it is built again.
 *
 * A reader that has called full_text_join() can query the table `page_text` (title, main, rest;
 * rowid is the page) and the view `indexed` (page: the last one in the index). Both always exist
 * for a reader, although crawls of earlier versions have their index in crawl.db, and others may
 * have none yet. `main` is the main text of a page, `rest` are its menus and footers: a search
 * looks at titles and main texts only, unless it asks for all text. An index of an earlier version
 * has one column `text` for both.
 */
#pragma once

#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* Attaches the index; to be called before the first query about texts. ST_INVALID if index.db has
 * tables that are not ours, or is not a regular file. */
enum status full_text_join(sqlite3 *db, const char *dir) MUST_USE;

/* Does the index have the columns `main` and `rest`? */
enum status full_text_has_main(sqlite3 *db, bool *ret) MUST_USE;

/* Returns the name of the database that holds page_text, on a connection that has joined. */
const char *full_text_where(sqlite3 *db);

/* SQL that selects a number by which crawl.db differs from other crawls; 0 if it has none. index.db
 * keeps it in row 3 of indexed_row (row 1: the last page that is indexed; row 2: see write/index.c;
 * row 4: how words are found, FULL_TEXT_WORDS). */
#define FULL_TEXT_OWNER \
    "SELECT CAST(substr(value, 1, 15) AS INTEGER) FROM main.crawl WHERE key = 'archive_id'"

/* This number changes with the columns, and when store/tokens.h comes to find other words. An index
 * with an older number is built again when it is next written to. */
#define FULL_TEXT_WORDS "2"
#define FULL_TEXT_ROWS  "(1, 0), (4, " FULL_TEXT_WORDS ")"

/* Does this index belong to that crawl? True also if either of them does not say. */
enum status full_text_is_of(sqlite3 *db, const char *schema, int64_t owner, bool *ret) MUST_USE;

/* Makes the tables of an empty index.db. */
enum status full_text_create(sqlite3 *db) MUST_USE;

/* The declaration of a table like page_text, without its name. */
#define FULL_TEXT_COLUMNS "title, main, rest, content='', tokenize='unicode61 remove_diacritics 2'"

/* Selects the values of one row of such a table: id, title, main, rest. Where the main text of a
 * page is not known, its whole text counts as main text. A condition on b.id has to follow, and the
 * connection must have the two functions. */
#define FULL_TEXT_SOURCE                                                                      \
    "SELECT b.id, p.title, iif(length(m.places) > 0, main_text(b.text, m.places), b.text),"   \
    " iif(length(m.places) > 0, rest_text(b.text, m.places), '') FROM body b JOIN page_row p" \
    " ON p.id = b.id LEFT JOIN main_row m ON m.page = b.id "
enum status full_text_functions(sqlite3 *db) MUST_USE;
