/* snippet.h - a few words of a page around those that were looked for. */
#pragma once

#include "base/buf.h"

/* Signs around a hit in a snippet: no text of a page has them. */
#define SNIPPET_FROM '\2'
#define SNIPPET_TO   '\3'

/* Appends the part of `text` (about 200 bytes) with most of the `words`, each of them between
 * SNIPPET_FROM and SNIPPET_TO; the beginning where none is there, and false. A word stands for
 * whatever begins like it, but for an ending of two or three letters. Words before a colon do
 * not count: they are names of a topic file, or of columns. */
bool snippet_make(struct str text, struct str words, struct buf *out);

/* Appends which of the words the text has, the first eight, with commas between. */
void snippet_why(struct str text, struct str words, struct buf *out);
