/* agent.h - the life of an agent, for brood show. */
#pragma once

#include "store/read/query.h"

/* Shows birth, death, children, best pages and the path with energies of an agent; at most `most`
 * of each, of the path the newest. `what`: name or number. ST_MISSING if there is no such agent. */
enum status show_agent(struct query *q, struct str what, uint32_t most, bool json,
                       struct buf *out) MUST_USE;
