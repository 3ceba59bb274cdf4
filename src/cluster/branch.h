/* branch.h - two books of one crawl: which of them is newer, and what both say together.
 *
 * Every state of the book follows from the one before it, so of two books one contains the other.
 * But the servers may lose the last changes, and a node that has not seen them may then change what
 * is left. From there on the book has two branches. These functions are pure.
 */
#pragma once

#include "cluster/book.h"

enum branch_age {
    BRANCH_SAME,
    BRANCH_NEWER, /* it contains what was seen */
    BRANCH_OLDER, /* what was seen contains it */
    BRANCH_OTHER, /* neither */
};

/* Compares a book with one that was seen before. That of another crawl counts as newer. */
enum branch_age branch_compare(const struct book *is, const struct book *seen);

/* Adds what was seen to a book. If it is older, it becomes what was seen. Of two branches: a
 * partition belongs to the owner with the higher token, a node that is gone by one of them is gone,
 * and no number of an agent is free that one of them has given out. Nodes are granted the pages
 * that were seen: whoever changed the other branch does not use its grant (keys_went_back()). */
void branch_join(struct book *b, const struct book *seen);
