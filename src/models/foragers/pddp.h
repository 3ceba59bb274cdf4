/* pddp.h - documents into clusters by principal directions (Boley 1998).
 *
 * Starts with all documents in one leaf. Again and again the leaf with the largest
 * scatter (of equals the one with the smaller number) is cut in two across its
 * principal direction (models/foragers/principal.h):
 *
 *     v_j = u . (a_j - w) <= 0    stays in the leaf, which keeps its number
 *                          > 0    goes to a new leaf, numbered next
 *
 * until there are `leaves` of them, or the largest scatter is below the tolerance.
 * Where one side would be empty, the half with the larger v_j goes (equals by their
 * number). No random numbers: same documents in the same order, same leaves.
 */
#pragma once

#include "base/status.h"
#include "models/foragers/principal.h"

struct pddp_config {
    uint32_t leaves; /* at most; at least 1 */
    enum vec_scaling scaling;
    double tolerance; /* scatter a leaf must have to be cut; 0: PDDP_TOLERANCE */
    /* Called before every cut; false: ST_STOPPED. May be NULL. */
    bool (*go_on)(void *ctx, uint32_t leaves, uint32_t wanted);
    void *ctx;
};

/* Columns have length 1: below this they are the same documents but for rounding. */
#define PDDP_TOLERANCE 1e-6

/* The leaf of each document to ret_leaf (room for n), how many there are to
 * *ret_leaves; 0 of no documents. */
enum status pddp(const struct vec *docs, size_t n, const struct pddp_config *config,
                 uint32_t *ret_leaf, uint32_t *ret_leaves) MUST_USE;

/* Which of m documents go, by their v; some do and some do not (m >= 2). Returns how
 * many. The rule above, for who wants to look at it. */
size_t pddp_cut(const double *v, size_t m, bool *ret_goes);
