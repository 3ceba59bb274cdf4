/* lattice_of.h - the lattice of a crawl or of one of its agents, for brood show.
 *
 * A model that has lattices keeps what an agent had read when it was last judged, as
 * crawl('lattice.NAME') (docs/schema.md): that is taken, for a crawler its assistant's.
 * Of all others, and of a crawl as a whole, the lattice is made from stored pages (a
 * facilitator's and an assistant's are those of their crawlers): the newest
 * LIMIT_LATTICE_OBJECTS, each with its heaviest terms by tf-idf of this crawl.
 */
#pragma once

#include "base/arena.h"
#include "store/read/query.h"
#include "models/crew/crew.h"

struct lattice_of {
    struct lattice_view view;
    struct str agent, kind; /* whose; empty: of the whole crawl */
    struct arena strings;   /* where these are */
    bool kept;              /* as the model kept it */
};

/* `agent`: name or number; empty: the whole crawl. `stop` as in stored_text.h.
 * ST_MISSING: there is no such agent, or it has read nothing; ST_CORRUPT: what was kept
 * makes no sense. */
enum status lattice_of(struct query *q, struct str agent, const int *stop,
                       struct lattice_of *ret) MUST_USE;
void lattice_of_clear(struct lattice_of *l);
