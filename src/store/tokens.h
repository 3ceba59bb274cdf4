/* tokens.h - splits a text into words, for the index and the queries of FTS5.
 *
 * FTS5 finds words with a tokenizer that it knows by name. On a connection, ours replaces
 * `unicode61`, which comes with FTS5. Except in text without spaces it finds the same words at the
 * same places: an index made with one can be read with the other, for example by the shell of
 * SQLite. It is faster, because it copies no word that is in small ASCII letters already, and looks
 * other letters up in a table.
 *
 * Of text without spaces (Han, kana, Thai, Lao, Khmer, Myanmar), where SQLite sees no words, each
 * character with its marks is a word. FTS5 turns a query of such characters into a phrase, so it is
 * found anywhere in the text. docs/adr/0025 says why these are not the words of a dictionary.
 *
 * If stems are ever indexed, they belong here too, as another token at the same place
 * (FTS5_TOKEN_COLOCATED).
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <sqlite3.h>

/* Makes the connection use our tokenizer. To be called before its first use of a full-text
 * table. */
enum status tokens_join(sqlite3 *db) MUST_USE;

/* Gets the interface of SQLite with which tokenizers and full-text functions are registered. ST_IO
 * if this SQLite has no FTS5. */
enum status tokens_api(sqlite3 *db, fts5_api **ret) MUST_USE;

/* Gets the tokenizer of the indexes, to use it on other texts than rows. Give it back with
 * calls->xDelete(). */
enum status tokens_find(sqlite3 *db, fts5_tokenizer *ret_calls, Fts5Tokenizer **ret) MUST_USE;

/* Calls fn for each word of a text until it returns anything but SQLITE_OK; returns that. Ends the
 * process if memory runs out, as base/mem.h does: a part of the words must not be taken for all of
 * them. */
int tokens_each(const fts5_tokenizer *calls, Fts5Tokenizer *tokenizer, struct str text, void *ctx,
                int (*fn)(void *ctx, int flags, const char *token, int len, int from, int to));

/* Cuts the next words off a text, in the form that they have in the index, and returns how many; 0:
 * there are no more. They are lent until the next call. TOKENS_PAD bytes behind each can be read,
 * and may have any value. Much faster than tokens_each(), which also says where words stand. Memory
 * as above. */
#define TOKENS_MOST 64
#define TOKENS_PAD  8
size_t tokens_cut(Fts5Tokenizer *tokenizer, struct str *rest, struct str ret[TOKENS_MOST]);
