/* gathered_tree.h - the family trees of all nodes of a crawl, as one.
 *
 * Every node answers with the agents that it knows, nested as `brood tree --json` writes them. An
 * agent that moved stands in several answers; where it is now, or was last, counts. An agent whose
 * parent lived on another node is a root there and names it ("parent"): here it comes below it.
 *
 * The answers are a stranger's: numbers may be missing, stand twice, or name each other in a circle.
 * No agent is shown twice, and no branch is deeper than LIMIT_TREE_DEPTH.
 */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* The roots of the one family, a new array; `answers` holds the roots of all nodes. */
json_t *tree_join(const json_t *answers);

/* The lines of `brood tree` for people. */
void tree_text(const json_t *roots, struct buf *out);
