/* wordnet_cs.h - how close two terms are in meaning (Du, Xu, Wang 2016, eq. 4).
 *
 *     cs(a,b) = 1             the same word, or synonyms: some synset has both
 *               isa^steps     one is a kind of the other, `steps` <= depth levels apart
 *               part          one is a part, member or substance of the other
 *               floor         anything else
 *
 * If several apply, the largest counts. Any noun sense of either word counts; words are
 * reduced to their lemmas first (geese -> goose). Words of equal stem are the same
 * word, as everywhere in brood. Symmetric. Without WordNet only 1 and floor remain.
 *
 * Where we differ: the paper wants isa < part, but its own program shows 1/2 and 1/3,
 * and ISA is the stronger tie: that is the default. "ISA" is transitive over three
 * levels here, each halving it; depth 1 is the direct relation. The printed floor,
 * 0.001, makes unrelated pages look related (models/crew/relate.h): ours is 0.
 */
#pragma once

#include "models/crew/wordnet.h"
#include "text/words/stem.h"

struct lexicon; /* models/crew/lexicon.h */

struct cs_rules {
    double isa;     /* delta1, in (0,1) */
    double part;    /* delta2, in (0,1) */
    double floor;   /* of unrelated words: 0, or CS_PRINTED_FLOOR */
    unsigned depth; /* levels that ISA spans; 1: direct only */
};

#define CS_DEPTH_MAX     20 /* WordNet's nouns are 19 levels deep */
#define CS_PRINTED_FLOOR 0.001

/* Compares every term of `a` with every one of `b`: ret[i * nb + j]. The lexicon gives the
 * words of terms; of several lemmas of a term the closest counts. If the lexicon is NULL, only
 * equal terms are related. 50 x 50 take less than a millisecond. For the keywords of two
 * lattices: formica_init(). */
void cs_terms(const struct lexicon *x, const struct cs_rules *r, const uint32_t *a, size_t na,
              const uint32_t *b, size_t nb, float *ret);

/* What was found out about terms, for crews that compare the same terms again and again: a term is
 * looked up in the text of WordNet once, and two terms are compared once. At LIMIT_KIN_BYTES all of
 * it is forgotten. The answers are the same. Belongs to one thread, one lexicon and one set of
 * rules. */
struct kin_memory;

struct kin_memory *kin_memory_new(void);
void kin_memory_free(struct kin_memory *k); /* NULL is fine */

/* The same as cs_terms(), with such a memory. */
void cs_terms_kept(struct kin_memory *k, const struct lexicon *x, const struct cs_rules *r,
                   const uint32_t *a, size_t na, const uint32_t *b, size_t nb, float *ret);

/* Does WordNet cover this language? */
bool cs_knows_language(int lang);

/* Calls visit() once for every synset that 1 to `depth` steps of `relation` reach
 * from one of `from`, with the fewest steps; never for those of `from`. Stops after
 * LIMIT_WORDNET_NEAR of them. Pointers that lead nowhere are skipped. */
void wordnet_walk(const struct wordnet *w, const uint32_t *from, size_t nfrom,
                  enum wordnet_relation relation, unsigned depth,
                  void (*visit)(void *ctx, uint32_t offset, unsigned steps), void *ctx);
