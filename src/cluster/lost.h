/* lost.h - pages that a node had fetched and whose disk is gone.
 *
 * The logs know which URLs each node has visited. What a node stored is in its directory alone: if
 * that is lost, the others do not fetch its pages again, because the logs say that they were
 * visited. These functions read all logs, find those pages, and may tell the owners of their
 * partitions to fetch them again. Whoever calls them is no node of the crawl.
 */
#pragma once

#include "base/option.h"
#include "cluster/line.h"

/* The URLs that the node has visited, and nobody after it. `seeds`: those of the crawl. */
enum status lost_find(struct line *l, uint64_t node, const struct text_list *seeds,
                      struct text_list *ret) MUST_USE;

/* Their owners may fetch them again. */
enum status lost_refetch(struct line *l, const struct text_list *urls) MUST_USE;
