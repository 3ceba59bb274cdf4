/* lexicon.h - from terms back to words of WordNet.
 *
 * brood's terms are hashes of stems (text/vocab.h), and a simulated web has no texts at
 * all: so this table is needed to look up a term in WordNet. It has the stems of all
 * nouns of one word, and gives every lemma with a stem (universe, university). The 55,000
 * stems are made once, in about 25 milliseconds; a look-up is a binary search. Immutable:
 * all threads may share it.
 */
#pragma once

#include "models/crew/wordnet.h"

struct lexicon;

/* `w` is borrowed, and may be NULL; `lang` as in text/words/stem.h. Without WordNet, or for a
 * language other than English, it knows no word. */
struct lexicon *lexicon_new(const struct wordnet *w, int lang);
void lexicon_free(struct lexicon *x); /* NULL is fine */

const struct wordnet *lexicon_wordnet(const struct lexicon *x); /* NULL: it knows none */

/* Returns how many lemmas a term has, and the place of the first one, for
 * lexicon_lemma(x, first + i). */
size_t lexicon_find(const struct lexicon *x, uint32_t term, size_t *ret_first);
struct str lexicon_lemma(const struct lexicon *x, size_t at); /* empty after the last one */

/* The shortest lemma of a term, for people; empty if there is none. */
struct str lexicon_word(const struct lexicon *x, uint32_t term);

/* Would this lemma be one word on a page? Not "ice_cream" or "x-ray". */
bool lexicon_is_word(struct str lemma);
