/* wordnet_cs.h - how near two words are in meaning (Du, Xu, Wang 2016, eq. 4).
 *
 *     cs(a,b) = 1             the same word, or synonyms: some synset has both
 *               isa^steps     one is a kind of the other, `steps` <= depth levels apart
 *               part          one is a part, member or substance of the other
 *               floor         anything else
 *
 * Of several the largest; any noun sense of either word counts; words are taken to
 * their lemmas first (geese -> goose). Words of equal stem are the same word, as
 * everywhere in brood. Symmetric. Without WordNet only 1 and floor remain.
 *
 * Where we differ: the paper wants isa < part, but its own program shows 1/2 and
 * 1/3, and ISA is the stronger tie: that is the default. "ISA" is transitive over
 * three levels here, each halving it; depth 1 is the direct relation. The printed
 * floor, 0.001, makes unrelated pages look near (models/crew/relate.h): ours is 0.
 */
#pragma once

#include "text/stem.h"
#include "models/crew/wordnet.h"

struct lexicon; /* models/crew/lexicon.h */

struct cs_rules {
    double isa;     /* delta1, in (0,1) */
    double part;    /* delta2, in (0,1) */
    double floor;   /* of unrelated words: 0, or CS_PRINTED_FLOOR */
    unsigned depth; /* levels that ISA spans; 1: direct only */
};

#define CS_DEPTH_MAX     20 /* WordNet's nouns are 19 levels deep */
#define CS_PRINTED_FLOOR 0.001

/* 1/2, 1/3, 0, 3. */
struct cs_rules cs_defaults(void);

/* ST_USAGE with a sentence where a value lies outside its range. */
enum status cs_check(const struct cs_rules *r) MUST_USE;

/* Of two words as written. `w` may be NULL. `lang` says how stems are made (text/stem.h);
 * WordNet is asked only where it is English. */
double cs_words(const struct wordnet *w, const struct cs_rules *r, struct stemmer *s, int lang,
                struct str a, struct str b);

/* Of every word of `a` with every one of `b`: ret[i * nb + j]. Each word is looked up
 * once: 50 x 50 take less than a millisecond. */
void cs_matrix(const struct wordnet *w, const struct cs_rules *r, struct stemmer *s, int lang,
               const struct str *a, size_t na, const struct str *b, size_t nb, float *ret);

/* The same of terms, whose words the lexicon finds; a term is as near as the nearest of
 * its lemmas, and NULL for the lexicon leaves equal terms. For the keywords of two
 * lattices: formica_init(). */
void cs_terms(const struct lexicon *x, const struct cs_rules *r, const uint32_t *a, size_t na,
              const uint32_t *b, size_t nb, float *ret);

/* Is WordNet any good for this language? */
bool cs_knows_language(int lang);
