/* crew.h - the public part of the crew: the pages that agents have read, as lattices of
 * keywords (models/crew/lattice.h).
 *
 * A crew stores the pages that an agent had read when it was last judged, as crawl('lattice.NAME'):
 *
 *     {"at":12,"keywords":["bee","hive"],"pages":[7,9],"rows":["1","3"]}
 *
 * Row i has a bit for each keyword that page i has, in hexadecimal. The same can be made
 * of any pages (lattice_reader). Concepts of less than a hundredth of the pages are left
 * out, as the crew does.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "flow.h"

struct df_table; /* text/vocab.h */
struct lattice;
struct vocab;

struct lattice_view {
    struct lattice *lattice; /* built */
    struct str *names;       /* of its keywords */
    struct arena strings;    /* where they are */
    int64_t at;              /* when it was stored; 0: not known */
};

/* Reads a stored lattice. The text comes from a crawl's directory, which may be of any
 * origin, so nothing in it is trusted. Returns ST_CORRUPT if it is not valid; then
 * there is nothing to clear. */
enum status lattice_view_read(struct str text, struct lattice_view *ret) MUST_USE;
void lattice_view_clear(struct lattice_view *v);

/* ---- lattices of any pages ---- */

/* The newest LIMIT_LATTICE_OBJECTS pages, each with its heaviest terms by tf-idf. */
struct lattice_reader;
struct lattice_reader *lattice_reader_new(void);
void lattice_reader_free(struct lattice_reader *r);
void lattice_reader_add(struct lattice_reader *r, uint32_t id, const struct profile *p,
                        const struct page *page, const struct df_table *df);
/* Makes a lattice whose keywords are spelled as pages write them, or as in `stems`. Returns
 * false if there was no page. */
bool lattice_reader_view(const struct lattice_reader *r, const struct vocab *stems,
                         struct lattice_view *ret);

/* ---- for people and programs ---- */

/* The numbers of pages, keywords and concepts, and the least number of pages of a concept. */
struct lattice_figures {
    uint32_t pages, keywords, concepts, least;
};
struct lattice_figures lattice_view_figures(const struct lattice_view *v);

struct concept {
    uint64_t intent; /* its attributes, a bit each */
    uint32_t extent; /* number of its objects */
};

/* Gives the concepts of most pages that have a keyword, at most `max`, and returns how
 * many. The caller frees *ret. */
uint32_t lattice_view_largest(const struct lattice_view *v, uint32_t max, struct concept **ret);

/* Both write the `max` concepts with the largest extents (0: all) and the edges
 * between them. Concepts above a written one are always written too, so that
 * the diagram is connected.
 *
 * A digraph for `dot`, the top concept on top. Labels are reduced: a concept names
 * the keywords that none above it has, and the number of its pages. Returns
 * ST_LIMIT if `out` is too small. */
enum status lattice_view_dot(const struct lattice_view *v, uint32_t max, struct buf *out) MUST_USE;

/* An object: objects, attributes, min_extent, complete, total (of concepts), concepts: a
 * list of {intent: [name ...], extent: number, up: [place in this list ...]}. `name` as in
 * base/json.h. */
void lattice_view_json(const struct lattice_view *v, uint32_t max, struct json *j,
                       const char *name);
