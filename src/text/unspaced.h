/* unspaced.h - words of text that is written without spaces.
 *
 * Chinese, Japanese, Thai, Lao, Khmer and Burmese separate no words. token_next() gives their
 * characters one by one (CHAR_SOLO); here they are put together again, by the dictionaries of ICU.
 * A word has the place of its first character, and the others of its characters have none: so the
 * words of a page keep their numbers, and whatever counts in them (links, windows) stays true.
 *
 * Where brood is built without ICU, each character stays a word of its own: phrases of characters
 * are found, but a page's terms say less (docs/adr/0025).
 */
#pragma once

#include "flow.h"

struct unspaced;

/* Belongs to one thread. Nothing of ICU is touched before the first text that needs it. */
struct unspaced *unspaced_new(void);
void unspaced_free(struct unspaced *u);

/* Is ICU there? */
bool unspaced_has_words(void);

/* Is this word, found by token_next(), a character of such a script? */
bool unspaced_is(struct str text, struct word w);

/* Is any of n words? */
bool unspaced_any(struct str text, const struct word *words, size_t n);

/* How many of the words, from the first, are such characters and touch each other; at most
 * UNSPACED_RUN. */
#define UNSPACED_RUN 512
size_t unspaced_run(struct str text, const struct word *words, size_t n);

/* The text of the first of n words, with the characters behind it that have no term of their
 * own: `ids` are the terms of the words. */
struct str unspaced_word(struct str text, const struct word *words, const uint32_t *ids, size_t n);

/* Of a run: ret_len[i] is how many bytes the word has that begins with character i, at most
 * TOKEN_MAX; 0: character i is inside a word. The first is never 0. */
void unspaced_words(struct unspaced *u, struct str text, const struct word *run, size_t n,
                    uint16_t ret_len[UNSPACED_RUN]);
