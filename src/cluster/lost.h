/* lost.h - finds the pages that a node with a lost disk had fetched.
 *
 * The logs know which URLs each node has visited. The pages that a node stored are only in its
 * directory: if that is lost, the others do not fetch them again, because the logs say that they
 * were visited. These functions read all logs, find those pages, and may tell the owners of their
 * partitions to fetch them again. The caller is not a node of the crawl.
 */
#pragma once

#include "base/option.h"
#include "cluster/line.h"

/* Finds the URLs that the node has visited and that no other node has visited later. `seeds` are
 * those of the crawl. */
enum status lost_find(struct line *l, uint64_t node, const struct text_list *seeds,
                      struct text_list *ret) MUST_USE;

/* Tells the owners of these URLs that they may fetch them again. */
enum status lost_refetch(struct line *l, const struct text_list *urls) MUST_USE;
