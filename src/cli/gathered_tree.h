/* gathered_tree.h - combines the family trees of all nodes of a crawl into one.
 *
 * Every node answers with the agents that it knows, nested as `brood tree --json` writes them. An
 * agent that moved is in several answers; the one of the node where it is now, or was last, counts.
 * An agent whose parent lived on another node is a root in its node's answer, with the parent's
 * number ("parent"): here it is put below that parent.
 *
 * The answers are not trusted: numbers may be missing, occur twice, or form a cycle. No agent is
 * shown twice, and no branch is deeper than LIMIT_TREE_DEPTH.
 */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* Returns the roots of the combined family as a new array; `answers` holds the roots of all
 * nodes. */
json_t *tree_join(const json_t *answers);

/* Appends the lines of `brood tree` for people. */
void tree_text(const json_t *roots, struct buf *out);
