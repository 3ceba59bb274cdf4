/* agent.h - the life of an agent, for brood show. */
#pragma once

#include "store/read/query.h"

/* Birth, death, children, its best pages and its path with energies; at most `most`
 * of each, the path's newest. `what`: name or number. ST_MISSING: there is none. */
enum status show_agent(struct query *q, struct str what, uint32_t most, bool json,
                       struct buf *out) MUST_USE;
