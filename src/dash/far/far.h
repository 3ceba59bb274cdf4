/* far.h - a crawl on several machines in the dashboard: its nodes are asked over the bus.
 *
 * A request for a view goes to all nodes, or to the one that has the page. Each answers it as the
 * API does for one directory (reader.h). The answers are combined:
 *
 *   overview            figures added up (cluster/figures.h), and a row for each node
 *   curves              added up at the same moments
 *   pages, activity,    rows of all nodes in their order
 *   conversations
 *   tree, lives, agent  one family: agents keep their numbers when they move
 *   page, text, copy    the node that has it
 *
 * Pages and conversations have the numbers of cluster/question.h. A node that does not answer in time
 * is not waited for during the next seconds. The last answers are kept: when the nodes have ended,
 * what was seen can still be seen.
 *
 * Answers come from other machines: sizes are bounded, and what is not of the expected form is left
 * out. Any thread; one question at a time.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

struct call;
struct far;

/* ST_MISSING: nobody has started such a crawl. */
enum status far_open(const char *nats, const char *creds, const char *crawl,
                     struct far **ret) MUST_USE;
void far_close(struct far *f); /* NULL is fine */

const char *far_name(const struct far *f);
/* The id under which the dashboard shows it. */
void far_identify(struct far *f, const char *id);

/* The answer to a request. */
enum status far_answer(struct far *f, struct call *r) MUST_USE;

/* The overview, as /api/crawls/ID gives it; `all`: also what never changes. *ret_state is of enum
 * crawl_state, *ret_version changes with the overview. */
enum status far_overview(struct far *f, bool all, struct buf *out, int *ret_state,
                         uint64_t *ret_version) MUST_USE;
