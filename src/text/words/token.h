/* token.h - words in UTF-8 text.
 *
 * A word is the longest run of letters, marks and digits of any script, with a
 * single apostrophe allowed between letters ("don't"), and invisible joiners
 * (soft hyphen) inside. Han, kana, Thai, Lao, Khmer and Myanmar characters are
 * words of their own: these scripts do not separate words by spaces. At most
 * TOKEN_MAX bytes; the rest of a longer run is skipped.
 */
#pragma once

#include "flow.h"

#define TOKEN_MAX 64

/* Finds the next word at or after *at; *at moves past it. False at the end.
 * The word is as written, not lowered. The text is shorter than 4 GiB. */
bool token_next(struct str text, size_t *at, size_t *ret_off, size_t *ret_len);

/* The next words at or after *at, which moves past them: `most`, or fewer where the text ends. */
size_t token_words(struct str text, size_t *at, struct word *ret, size_t most);

/* Writes a word in lower case (Unicode's simple mapping) to `out`, which has
 * room for 2 * TOKEN_MAX bytes; returns the length. `len` is at most TOKEN_MAX.
 * A typographic apostrophe becomes the ASCII one, joiners are left out. */
size_t token_lower(const char *word, size_t len, char *out);
