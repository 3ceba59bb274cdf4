/* lattice.h - the lattice of a crawl or an agent, for brood show. */
#pragma once

#include "store/read/query.h"

enum lattice_form { LATTICE_TEXT, LATTICE_DOT, LATTICE_JSON };

/* `agent`: name or number; empty: the whole crawl. Shows at most `n` concepts, those with most
 * pages; 0: 20 as text, 100 as dot, all as JSON. */
enum status show_lattice(struct query *q, struct str agent, enum lattice_form form, uint32_t n,
                         struct buf *out) MUST_USE;
