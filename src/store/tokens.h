/* tokens.h - the words of a text, as FTS5 indexes and asks for them.
 *
 * FTS5 finds words with a tokenizer that it calls by name. Ours takes the place of its own
 * `unicode61` on a connection. Except in text without spaces it finds the same words at the same
 * places: an index made with one can be read with the other, also by the shell of SQLite. It is
 * faster, because it copies no word that is in small ASCII letters already, and looks other letters
 * up in a table.
 *
 * Of text without spaces (Han, kana, Thai, Lao, Khmer, Myanmar), where SQLite sees no words, each
 * character with its marks is a word. FTS5 makes a phrase of a query of such characters, so it is
 * found anywhere in the text. docs/adr/0025 says why these are not the words of a dictionary.
 *
 * If stems are ever indexed, they belong here too, as another token at the same place
 * (FTS5_TOKEN_COLOCATED).
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <sqlite3.h>

/* The connection uses our tokenizer from now on. Before its first use of a full-text table. */
enum status tokens_join(sqlite3 *db) MUST_USE;

/* The part of SQLite that its tokenizers and functions of full text are registered with.
 * ST_IO: this SQLite has no FTS5. */
enum status tokens_api(sqlite3 *db, fts5_api **ret) MUST_USE;

/* The tokenizer that indexes are made with, for texts that are no rows: give it back with
 * calls->xDelete(). */
enum status tokens_find(sqlite3 *db, fts5_tokenizer *ret_calls, Fts5Tokenizer **ret) MUST_USE;

/* Calls fn for each word of a text, until it returns something other than SQLITE_OK, which is
 * returned. Ends the process where there is no memory, as base/mem.h does: half of the words must
 * not pass for all of them. */
int tokens_each(const fts5_tokenizer *calls, Fts5Tokenizer *tokenizer, struct str text, void *ctx,
                int (*fn)(void *ctx, int flags, const char *token, int len, int from, int to));
