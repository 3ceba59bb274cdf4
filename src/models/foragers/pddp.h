/* pddp.h - clusters documents by principal directions (Boley 1998).
 *
 * Starts with all documents in one leaf. The leaf with the largest scatter (among
 * equal ones, the one with the smallest number) is repeatedly cut in two across its
 * principal direction (models/foragers/principal.h):
 *
 *     v_j = u . (a_j - w) <= 0    stays in the leaf, which keeps its number
 *                          > 0    goes to a new leaf, numbered next
 *
 * until there are `leaves` of them, or the largest scatter is below the
 * tolerance. If one side would be empty, the half with the larger v_j goes (equal
 * ones by their number). There are no random numbers: the same documents in the
 * same order give the same leaves.
 */
#pragma once

#include "base/status.h"
#include "models/foragers/principal.h"

struct pddp_config {
    uint32_t leaves; /* at most; at least 1 */
    enum vec_scaling scaling;
    double tolerance; /* least scatter of a leaf to be cut; 0: PDDP_TOLERANCE */
    /* Called before every cut. If it returns false, the result is ST_STOPPED. May be NULL. */
    bool (*go_on)(void *ctx, uint32_t leaves, uint32_t wanted);
    void *ctx;
};

/* Columns have length 1: below this, documents differ only by rounding. */
#define PDDP_TOLERANCE 1e-6

/* Writes the leaf of each document to ret_leaf (room for n), and how many there are to *ret_leaves;
 * 0 if there are no documents. */
enum status pddp(const struct vec *docs, size_t n, const struct pddp_config *config,
                 uint32_t *ret_leaf, uint32_t *ret_leaves) MUST_USE;

/* Decides by their v which of m documents go; some do and some do not (m >= 2). Returns how many
 * go. It is the rule above, exported for tests. */
size_t pddp_cut(const double *v, size_t m, bool *ret_goes);
