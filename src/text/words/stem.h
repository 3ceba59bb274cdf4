/* stem.h - from a word as written to its term.
 *
 *     Word -> lower case -> without elision (l'homme) -> stop word? -> Snowball stem -> id
 *
 * A stemmer belongs to one thread. It holds the Snowball stemmers it was asked
 * for and a bounded cache from words as written to terms, which answers nearly
 * all questions; results never depend on what the cache holds.
 */
#pragma once

#include "flow.h"

/* A language: a small number; STEM_NONE is one we know nothing about (words
 * are lowered and that is all). */
enum { STEM_NONE = 0, STEM_LANGS = 31 /* numbers are below this */ };

/* The number of "en", "de-at", "pt_BR" (the primary subtag decides; ASCII case
 * is ignored), or STEM_NONE. "porter" is the original Porter stemmer. */
int stem_lang(struct str code);
struct str stem_lang_code(int lang); /* "en"; empty for STEM_NONE */

struct stemmer;

/* `cache_words`: about how many words the cache holds; 0: the usual size. */
struct stemmer *stemmer_new(size_t cache_words);
void stemmer_free(struct stemmer *s);

/* This word (lower case) is no stop word, in no language. */
void stemmer_keep(struct stemmer *s, struct str word);

/* The stem of one word in lower case, as Snowball gives it: no cache, no
 * elision, no stop words. Lent until the next call. */
struct str stem_snowball(struct stemmer *s, int lang, struct str lower);

/* The term of one word as written, with its text. Lent until the next call. */
struct str stem_word(struct stemmer *s, int lang, struct str word, bool *ret_stop);

/* The terms of n words of a text: all of them to ret_ids, in order, and those
 * that are no stop words to ret_kept; both have room for n. Returns how many
 * were kept. Where `stops` is not NULL, bit first + i of it is set for a stop word
 * i. The hot path: one cache lookup a word. Of a text without spaces (text/words/unspaced.h) several
 * characters are one word, whose term stands where the first is; at the others it is 0. */
size_t stem_words(struct stemmer *s, int lang, struct str text, const struct word *words, size_t n,
                  uint32_t *ret_ids, uint32_t *ret_kept, uint64_t *stops, size_t first);

/* Words too common to say what a text is about, of a language ("en"): lower case, separated by single spaces.
 * Empty where there is no list. */
struct str stop_words(struct str lang);
