/* branch.h - two books of one crawl: which of them is newer, and what both say together.
 *
 * Every change is made to the newest book, so of two books one contains all changes of the other.
 * But the servers may lose the last changes, and a node that has not seen them may then change what
 * is left. From there on the book has two branches. These functions are pure.
 */
#pragma once

#include "cluster/book.h"

enum branch_age {
    BRANCH_SAME,
    BRANCH_NEWER, /* it contains the changes of the one that was seen */
    BRANCH_OLDER, /* the one that was seen contains its changes */
    BRANCH_OTHER, /* neither: they are two branches */
};

/* Compares a book with one that was seen before. A book of another crawl counts as newer. */
enum branch_age branch_compare(const struct book *is, const struct book *seen);

/* Adds what was seen to a book. If the book is older, it becomes the one that was seen. If they are
 * two branches, a partition belongs to the owner with the higher token, a node that is gone in one
 * branch is gone, and a number of an agent that one branch has given out is not free. The grants of
 * pages are those that were seen: a node that changed the other branch does not use what it was
 * granted there (keys_went_back()). */
void branch_join(struct book *b, const struct book *seen);
