/* formica.h - how alike two concepts are, and two lattices.
 *
 * Concepts (Formica, Information Sciences 176, 2006):
 *
 *     Sim(c,d) = w |E & F| / max(|E|,|F|) + (1 - w) Mx(I,J) / max(|I|,|J|)
 *
 * E, F the extents, I, J the intents; Mx is the weight of the best matching of I with J,
 * where each attribute is in at most one pair. The caller gives the weight of a pair: the
 * cs of the two keywords (models/crew/wordnet_cs.h). Two agents have read different
 * pages, so their extents have nothing in common, and w is 0 here.
 *
 * A concept and a lattice:    S(c,L) = max over d in L of Sim(c,d)
 * Two lattices:               M = 1/2 [ SUM_c om_c S(c,L2) + SUM_d om_d S(d,L1) ]
 *
 * om is the share of the concept's extent in the sum of all; concepts with an empty
 * intent or extent do not count. M lies in [0,1], is symmetric, and is 1 for equal
 * lattices; 0 where one has no concept that counts. (M stands in for the measure of Du,
 * Wang, Chen 2012, which is not public; the levels concept-concept, concept-agent,
 * agent-agent are theirs.)
 *
 * Bounds: in S and M, only the LIMIT_LATTICE_COMPARED concepts with the largest extents
 * of each lattice count. These are a quarter of a million pairs. Those without related attributes
 * are never looked at, and most others are skipped by an upper bound of their similarity.
 *
 * Threads may share a struct formica, which does not change once it is made.
 */
#pragma once

#include "base/limits.h"
#include "models/crew/lattice.h"

/* Weights of pairs of attributes, of lattice A and lattice B. */
struct formica {
    unsigned na, nb;                                                  /* attributes of either */
    float weight[LIMIT_LATTICE_ATTRIBUTES][LIMIT_LATTICE_ATTRIBUTES]; /* [a][b], in [0,1] */
    uint64_t near_a[LIMIT_LATTICE_ATTRIBUTES]; /* the b with which an a has any weight */
    uint64_t near_b[LIMIT_LATTICE_ATTRIBUTES]; /* and the reverse */
    uint64_t same_a[LIMIT_LATTICE_ATTRIBUTES]; /* those with weight 1 */
    uint64_t same_b[LIMIT_LATTICE_ATTRIBUTES];
    double other; /* the largest weight below 1 */
};

/* A smaller weight means no relation: the printed floor of cs (0.001) is for unrelated words. */
#define FORMICA_LEAST 0.01

/* Takes a matrix of na x nb weights, cs[i * nb + j] (cs_terms() makes one). NULL: both lattices
 * have the same attributes, and only equal ones are related. */
void formica_init(struct formica *f, const float *cs, unsigned na, unsigned nb);

#define MATCHING_MAX 64 /* members of each set */

/* Finds the best matching of two small sets: weight[i][k] >= 0 of rows i < n and columns k < m.
 * Members may stay unmatched. Returns the largest sum, in n * n * m steps for n <= m. */
double matching_weight(float weight[][MATCHING_MAX], size_t n, size_t m);

/* Mx(I,J) / max(|I|,|J|) of an intent of A and one of B; 1 for two empty ones. */
double formica_intents(const struct formica *f, uint64_t a, uint64_t b);

/* M. Both lattices are built. */
double formica_lattices(const struct formica *f, const struct lattice *a, const struct lattice *b);
