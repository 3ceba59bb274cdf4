/* snippet.h - some words of a stored page, with the words that were searched for. */
#pragma once

#include "base/buf.h"

/* Marks around a hit in a text, as FTS5's highlight() is asked for them. */
#define SNIPPET_OPEN  '\x01'
#define SNIPPET_CLOSE '\x02'

/* Appends up to SNIPPET_WORDS words of the text around its first hits, these in [brackets]:
 * of its main text (packed as in store/passages.h) where that has a hit, else of all of it. A
 * stray mark of the text itself may misplace a bracket, nothing more. */
#define SNIPPET_WORDS 24
void snippet_add(struct str marked, struct str packed, struct buf *out);
