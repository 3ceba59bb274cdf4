/* lexicon.h - from terms back to words of WordNet.
 *
 * brood's terms are hashes of stems (text/vocab.h), and a simulated web has no texts at
 * all: so a caller that holds a term and wants to ask WordNet about it needs this table. It
 * has the stems of all nouns of one word, and answers with every lemma that has the
 * stem (universe, university). 55,000 stems are made once, in some 25
 * milliseconds; a question is a binary search. Immutable: all threads may share it.
 */
#pragma once

#include "models/crew/wordnet.h"

struct lexicon;

/* `w` is borrowed, and may be NULL; `lang` as in text/words/stem.h. Without WordNet, or for a
 * language other than English, it knows no word. */
struct lexicon *lexicon_new(const struct wordnet *w, int lang);
void lexicon_free(struct lexicon *x); /* NULL is fine */

const struct wordnet *lexicon_wordnet(const struct lexicon *x); /* NULL: it knows none */

/* The lemmas of a term: how many, and the first one's place; lexicon_lemma(x, first + i). */
size_t lexicon_find(const struct lexicon *x, uint32_t term, size_t *ret_first);
struct str lexicon_lemma(const struct lexicon *x, size_t at); /* empty after the last one */

/* The shortest lemma of a term, for people; empty where there is none. */
struct str lexicon_word(const struct lexicon *x, uint32_t term);

/* Would a page have this lemma as one word? Not "ice_cream" or "x-ray". */
bool lexicon_is_word(struct str lemma);
