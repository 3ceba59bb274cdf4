/* unspaced.h - words of text that is written without spaces.
 *
 * Chinese, Japanese, Thai, Lao, Khmer and Burmese are written without spaces between words.
 * token_next() gives their characters one by one (CHAR_SOLO); this module joins them to words, with
 * the dictionaries of ICU. A word takes the place of its first character, and the places of its
 * other characters stay empty. So the words of a page keep their numbers, and places that are
 * counted in words (of links, windows) stay correct.
 *
 * If brood is built without ICU, each character stays a word of its own: phrases of characters
 * are found, but a page's terms say less about it (docs/adr/0025).
 */
#pragma once

#include "flow.h"

struct unspaced;

/* Belongs to one thread. ICU is loaded for the first text that needs it. */
struct unspaced *unspaced_new(void);
void unspaced_free(struct unspaced *u);

/* Was brood built with ICU? */
bool unspaced_has_words(void);

/* Is this word, found by token_next(), a character of such a script? */
bool unspaced_is(struct str text, struct word w);

/* Is any of the n words such a character? */
bool unspaced_any(struct str text, const struct word *words, size_t n);

/* How many of the words, from the first, are such characters and touch each other; at most
 * UNSPACED_RUN. */
#define UNSPACED_RUN 512
size_t unspaced_run(struct str text, const struct word *words, size_t n);

/* The text of the first of n words, with the characters after it that have no term of their own:
 * `ids` are the terms of the words. */
struct str unspaced_word(struct str text, const struct word *words, const uint32_t *ids, size_t n);

/* Divides a run into words: ret_len[i] is the length in bytes of the word that begins with
 * character i, at most TOKEN_MAX; 0: character i is inside a word. The first is never 0. */
void unspaced_words(struct unspaced *u, struct str text, const struct word *run, size_t n,
                    uint16_t ret_len[UNSPACED_RUN]);
