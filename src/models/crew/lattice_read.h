/* lattice_read.h - a lattice out of the text that a model kept of it.
 *
 *     {"at":12,"keywords":["bee","hive"],"pages":[7,9],"rows":["1","3"]}
 *
 * Row i has a bit for each keyword that page i has, in hexadecimal. The text comes from a
 * crawl's directory, which may be anybody's: nothing in it is believed.
 */
#pragma once

#include "base/arena.h"
#include "models/crew/lattice.h"

struct lattice_read {
    struct lattice *lattice; /* its rows; not built yet */
    struct str *names;       /* of its attributes */
    struct arena strings;    /* where they are */
    int64_t at;              /* when it was kept; 0: it does not say */
};

/* ST_CORRUPT: it makes no sense; then there is nothing to clear. */
enum status lattice_read(struct str text, struct lattice_read *ret) MUST_USE;
void lattice_read_clear(struct lattice_read *r);
