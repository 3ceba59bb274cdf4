/* snippet.h - a few words of a page around those that were looked for.
 *
 * What is marked is what a search finds (store/tokens.h, query_widen.c): a word in all its forms,
 * a phrase in quotes as it is, the beginning of a word with a star, letters without their
 * diacritics, and text without spaces anywhere.
 */
#pragma once

#include "base/buf.h"

#include <sqlite3.h>

/* Signs around a hit in a snippet: no text of a page has them. */
#define SNIPPET_FROM '\2'
#define SNIPPET_TO   '\3'

/* What is looked for. Belongs to one thread. */
struct snippet;

/* `words` as they are searched for, or those of a topic. Operators, what follows NOT or a minus,
 * and words before a colon (names of columns, lines of a topic file) do not count. Uses `db` for
 * its tokenizer only, which must stay open. */
enum status snippet_new(sqlite3 *db, struct str words, struct snippet **ret) MUST_USE;
void snippet_free(struct snippet *s);

/* Was it made for these words? */
bool snippet_is_for(const struct snippet *s, struct str words);

/* Appends the part of `text` (about 200 bytes), written in `lang`, with most of the words, each
 * of them between SNIPPET_FROM and SNIPPET_TO; the beginning where none is there, and false. */
bool snippet_make(struct snippet *s, struct str text, struct str lang, struct buf *out);

/* Appends which of the words the text has, the first eight, with commas between. */
void snippet_why(struct snippet *s, struct str text, struct str lang, struct buf *out);
