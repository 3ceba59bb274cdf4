/* snippet.h - an extract of a page around the words that were searched for.
 *
 * It marks what a search finds (store/tokens.h, query_widen.c): a word in all its forms, a phrase
 * in quotes as it is, a prefix with a star, letters without their diacritics, and characters of
 * text without spaces wherever they stand.
 */
#pragma once

#include "base/buf.h"

#include <sqlite3.h>

/* Characters around a hit in a snippet. They never occur in the text of a page. */
#define SNIPPET_FROM '\2'
#define SNIPPET_TO   '\3'

/* The words to look for. Belongs to one thread. */
struct snippet;

/* `words` are those of a search or of a topic. Operators, the words after NOT or a minus, and words
 * before a colon (names of columns, keys of a topic file) do not count. `db` must stay open; only
 * its tokenizer is used. */
enum status snippet_new(sqlite3 *db, struct str words, struct snippet **ret) MUST_USE;
void snippet_free(struct snippet *s);

/* Was it made for these words? */
bool snippet_is_for(const struct snippet *s, struct str words);

/* Appends the part of `text`, which is written in `lang`, that has most of the words: about 200
 * bytes, each hit between SNIPPET_FROM and SNIPPET_TO. If no word is found, appends the beginning
 * and returns false. */
bool snippet_make(struct snippet *s, struct str text, struct str lang, struct buf *out);

/* Appends the words that the text has, at most eight, separated by commas. */
void snippet_why(struct snippet *s, struct str text, struct str lang, struct buf *out);
