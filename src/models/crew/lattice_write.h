/* lattice_write.h - a lattice for people (Graphviz) and for programs (JSON).
 *
 * Both write the `max` concepts with the largest extents (0: all) and the edges between
 * them. Concepts above a written one are always written too, so that the
 * diagram hangs together. `names` are those of the attributes; NULL: their numbers.
 */
#pragma once

#include "base/json.h"
#include "models/crew/lattice.h"

/* A digraph for `dot`, the top concept on top. Labels are reduced: a concept names the
 * attributes that none above it has, and the number of its objects. ST_LIMIT: `out` is
 * too small. */
enum status lattice_write_dot(const struct lattice *l, const struct str *names, uint32_t max,
                              struct buf *out) MUST_USE;

/* An object: objects, attributes, min_extent, complete, total (of concepts), concepts: a list of
 * {intent: [name ...], extent: number, up: [place in this list ...]}. `name` as in
 * base/json.h. */
void lattice_write_json(const struct lattice *l, const struct str *names, uint32_t max,
                        struct json *j, const char *name);
