/* lattice.h - formal concepts of pages and keywords, and their order.
 *
 * A context is a table of objects (URLs) and at most 64 attributes (keywords); a row
 * is the set of attributes of an object: one 64-bit word. A concept is a pair of
 *
 *     extent   all objects that have every attribute of the intent, and
 *     intent   all attributes that every object of the extent has.
 *
 * Concepts are ordered by their extents, and form a lattice: the top has all objects,
 * the bottom has all attributes. The Hasse diagram has an edge from a concept up to
 * each one next above it. (Ganter & Wille, Formal Concept Analysis, 1999.)
 *
 *     l = lattice_new(50);
 *     lattice_put(l, url, 1ull << 3 | 1ull << 17);     for each page
 *     lattice_build(l, lattice_share(l, .01));
 *     for (i = 0; i < lattice_count(l); i++) ... lattice_concept(l, i)
 *
 * It is built by Close-by-One, depth first over attributes, which visits each concept
 * once. For 1,000 URLs with 8 keywords out of 50, 16,000 concepts take 5 ms.
 *
 * Bounds (base/limits.h): a row has at most LIMIT_LATTICE_ROW attributes, a context
 * LIMIT_LATTICE_OBJECTS rows. A row of k attributes can make 2^k concepts, so there is
 * a third bound: if there are more than LIMIT_LATTICE_CONCEPTS, the least extent is
 * raised until the rest fit. Such an iceberg is the upper part of the lattice; its
 * edges are those of the whole.
 *
 * Extents are not stored: a concept knows how many objects it has; they are those whose
 * rows have all of its intent.
 *
 * The same rows in the same order give the same concepts with the same numbers. A
 * lattice belongs to one thread; one that no longer changes may be read by all.
 */
#pragma once

#include "base/bits.h"
#include "models/crew/crew.h"

#define LATTICE_NONE UINT32_MAX

/* The lowest element of a set that is not empty. */
static inline unsigned bits_first(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

/* An empty context with attributes 0 .. n-1, n <= LIMIT_LATTICE_ATTRIBUTES. It has no
 * concepts until lattice_build(). */
struct lattice *lattice_new(unsigned nattributes);
void lattice_free(struct lattice *l); /* NULL is fine */

/* ---- rows ---- */

/* Adds a row and forgets the concepts: build again. The object is the caller's number
 * and should be added only once. Returns ST_LIMIT at a ceiling, ST_INVALID for an
 * attribute that the context does not have. */
enum status lattice_put(struct lattice *l, uint32_t object, uint64_t row) MUST_USE;

unsigned lattice_attributes(const struct lattice *l);
uint32_t lattice_objects(const struct lattice *l);
uint32_t lattice_object(const struct lattice *l, uint32_t i, uint64_t *ret_row);

/* A share of the objects, rounded up, at least 1: for lattice_build(). */
uint32_t lattice_share(const struct lattice *l, double share);

/* ---- concepts ---- */

/* Computes all concepts with at least `min_extent` objects and their order. 0 gives
 * the complete lattice, with its bottom even if no object has all attributes. Concept
 * 0 is the top, and extents never grow with the number. */
void lattice_build(struct lattice *l, uint32_t min_extent);

/* Was it built with min_extent 0, and did it fit? */
bool lattice_is_complete(const struct lattice *l);
/* The least extent in it: the requested one, or a raised one. */
uint32_t lattice_min_extent(const struct lattice *l);

uint32_t lattice_count(const struct lattice *l);
struct concept lattice_concept(const struct lattice *l, uint32_t i);

/* The concept with exactly this intent, or LATTICE_NONE. */
uint32_t lattice_find(const struct lattice *l, uint64_t intent);

/* The edges up from a concept:
 *     for (e = lattice_up(l, i); e != LATTICE_NONE; e = lattice_up_next(l, e))
 *         ... lattice_up_to(l, e) ... */
uint32_t lattice_up(const struct lattice *l, uint32_t concept);
uint32_t lattice_up_next(const struct lattice *l, uint32_t edge);
uint32_t lattice_up_to(const struct lattice *l, uint32_t edge);

/* The concepts with the largest extents (among equal ones the lower intent first),
 * at most `max`; those above a concept always come before it. `ret` has room for
 * max, or lattice_count() if that is less. `bare`: also those with an empty intent
 * or extent. Returns how many. */
uint32_t lattice_largest(const struct lattice *l, uint32_t max, bool bare, uint32_t *ret);
