/* stem.h - from a word as written to its term.
 *
 *     Word -> lower case -> without elision (l'homme) -> stop word? -> Snowball stem -> id
 *
 * A stemmer belongs to one thread. It holds the Snowball stemmers it was asked for and a
 * bounded cache from words as written to terms, which answers nearly all look-ups; results
 * never depend on what the cache holds.
 */
#pragma once

#include "flow.h"

/* A language: a small number. For STEM_NONE, a language that we do not know, words are
 * lowered and nothing else. */
enum { STEM_NONE = 0, STEM_LANGS = 31 /* numbers are below this */ };

/* The number of "en", "de-at", "pt_BR" (the primary subtag decides; ASCII case
 * is ignored), or STEM_NONE. "porter" is the original Porter stemmer. */
int stem_lang(struct str code);
struct str stem_lang_code(int lang); /* "en"; empty for STEM_NONE */

struct stemmer;

/* `cache_words`: about how many words the cache holds; 0: the default size. */
struct stemmer *stemmer_new(size_t cache_words);
void stemmer_free(struct stemmer *s);

/* From now on this word (in lower case) is not a stop word in any language. */
void stemmer_keep(struct stemmer *s, struct str word);

/* Returns the stem of one word in lower case, as Snowball gives it, without cache, elision or stop
 * words. Lent until the next call. */
struct str stem_snowball(struct stemmer *s, int lang, struct str lower);

/* Returns the term of one word as written, as text. Lent until the next call. */
struct str stem_word(struct stemmer *s, int lang, struct str word, bool *ret_stop);

/* Writes the terms of n words of a text: all of them to ret_ids, in order, and those that are not
 * stop words to ret_kept; both have room for n. Returns how many were kept. If `stops` is not NULL,
 * bit first + i of it is set if word i is a stop word. The hot path: one cache look-up for each
 * word. In a text without spaces (text/words/unspaced.h) several characters are one word; its term
 * is at the place of the first one, and the others have 0. */
size_t stem_words(struct stemmer *s, int lang, struct str text, const struct word *words, size_t n,
                  uint32_t *ret_ids, uint32_t *ret_kept, uint64_t *stops, size_t first);

/* Words of a language ("en") that are too common to say what a text is about: lower case, separated
 * by single spaces. Empty if there is no list. */
struct str stop_words(struct str lang);
