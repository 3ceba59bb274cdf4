/* lattice.h - formal concepts of pages and keywords, and their order.
 *
 * A context is a table of objects (URLs) and at most 64 attributes (keywords); a row
 * is the set of attributes of an object: one 64-bit word. A concept is a pair of
 *
 *     extent   all objects that have every attribute of the intent, and
 *     intent   all attributes that every object of the extent has.
 *
 * Concepts are ordered by their extents, and form a lattice: on top the one with all
 * objects, at the bottom the one with all attributes. The Hasse diagram has an edge
 * from a concept up to each one next above it. (Ganter & Wille, Formal Concept
 * Analysis, 1999.)
 *
 *     l = lattice_new(50);
 *     lattice_put(l, url, 1ull << 3 | 1ull << 17);     for each page
 *     lattice_build(l, lattice_share(l, .01));
 *     for (i = 0; i < lattice_count(l); i++) ... lattice_concept(l, i)
 *
 * Two ways to build, which give the same concepts and edges:
 *
 *     lattice_build   all rows at once: Close-by-One, depth first over attributes,
 *                     each concept met once. One pass over an extent finds the closures
 *                     of all its attributes together (lattice_build.c). 1,000 URLs of
 *                     8 keywords out of 50, 16,000 concepts: 5 ms.
 *     lattice_add     one more row into a complete lattice: AddIntent (van der Merwe,
 *                     Obiedkov, Kourie 2004), without recursion (lattice_add.c): 0.1 ms.
 *                     It begins with a lattice_build(l, 0), of no rows if need be.
 *
 * Bounds (base/limits.h): a row has at most LIMIT_LATTICE_ROW attributes, a context
 * LIMIT_LATTICE_OBJECTS rows. A row of k attributes can make 2^k concepts, so there is
 * a third: where more than LIMIT_LATTICE_CONCEPTS come out, only concepts with a
 * larger extent are kept, the least extent raised until they fit. Such an iceberg is
 * the upper part of the lattice; its edges are those of the whole.
 *
 * Extents are not stored: a concept knows how many objects it has, and lattice_extent()
 * lists them, in one pass over the rows.
 *
 * The same rows in the same order give the same concepts with the same numbers. A
 * lattice belongs to one thread; one that nobody changes may be read by all.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lattice;

#define LATTICE_NONE UINT32_MAX

/* An empty context with attributes 0 .. n-1, n <= LIMIT_LATTICE_ATTRIBUTES. It has no
 * concepts until lattice_build(). */
struct lattice *lattice_new(unsigned nattributes);
void lattice_free(struct lattice *l);  /* NULL is fine */
void lattice_clear(struct lattice *l); /* no rows, no concepts; the memory is kept */

/* ---- rows ---- */

/* Adds a row and forgets the concepts: build anew. The object is the caller's number
 * and should be there once. ST_LIMIT: a ceiling; ST_INVALID: an attribute that the
 * context does not have. */
enum status lattice_put(struct lattice *l, uint32_t object, uint64_t row) MUST_USE;

unsigned lattice_attributes(const struct lattice *l);
uint32_t lattice_objects(const struct lattice *l);
uint32_t lattice_object(const struct lattice *l, uint32_t i, uint64_t *ret_row);

/* A share of the objects, rounded up, at least 1: for lattice_build(). */
uint32_t lattice_share(const struct lattice *l, double share);

/* ---- concepts ---- */

/* Computes all concepts with at least `min_extent` objects and their order. 0: the
 * complete lattice, with its bottom even where no object has all attributes. Concept 0
 * is the top, and extents never grow with the number. */
void lattice_build(struct lattice *l, uint32_t min_extent);

/* Adds a row to a complete lattice; its concepts stay complete. New ones get the next
 * numbers. Where they pass the ceiling the lattice becomes an iceberg (as built with
 * the least extent that fits), with new numbers. ST_REFUSED: the lattice is not
 * complete; else as lattice_put(). Nothing changes on failure. */
enum status lattice_add(struct lattice *l, uint32_t object, uint64_t row) MUST_USE;

/* Was it built with min_extent 0, and did it fit? */
bool lattice_is_complete(const struct lattice *l);
/* The least extent in it: as asked for, or raised. */
uint32_t lattice_min_extent(const struct lattice *l);

struct concept {
    uint64_t intent; /* its attributes, a bit each */
    uint32_t extent; /* number of its objects */
};

uint32_t lattice_count(const struct lattice *l);
struct concept lattice_concept(const struct lattice *l, uint32_t i);

/* The concept with exactly this intent, or LATTICE_NONE. */
uint32_t lattice_find(const struct lattice *l, uint64_t intent);

/* The objects that have all of these attributes, in the order of their rows; `ret` has
 * room for lattice_objects(), or is NULL. Returns how many. */
uint32_t lattice_extent(const struct lattice *l, uint64_t intent, uint32_t *ret);

/* The edges up from a concept:
 *     for (e = lattice_up(l, i); e != LATTICE_NONE; e = lattice_up_next(l, e))
 *         ... lattice_up_to(l, e) ... */
uint32_t lattice_up(const struct lattice *l, uint32_t concept);
uint32_t lattice_up_next(const struct lattice *l, uint32_t edge);
uint32_t lattice_up_to(const struct lattice *l, uint32_t edge);
uint32_t lattice_edges(const struct lattice *l); /* in all */

/* The concepts with the largest extents (of equal ones the lower intent first), at
 * most `max`; those above a concept always come before it. `ret` has room for max, or
 * lattice_count() if that is less. `bare`: also those with an empty intent or extent.
 * Returns how many. */
uint32_t lattice_largest(const struct lattice *l, uint32_t max, bool bare, uint32_t *ret);
