/* far.h - shows a crawl on several machines in the dashboard: it asks the nodes over the bus.
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
 * Pages and conversations have the numbers of cluster/question.h. After a node has failed to answer
 * in time, requests of the next seconds do not wait for it. The last answers are kept: when the
 * nodes have ended, what was shown before can still be shown.
 *
 * Answers come from other machines: their sizes are bounded, and parts that do not have the
 * expected form are left out. Any thread may ask, one question at a time.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

struct call;
struct far;

/* Connects. ST_MISSING if there is no such crawl. */
enum status far_open(const char *nats, const char *creds, const char *crawl,
                     struct far **ret) MUST_USE;
void far_close(struct far *f); /* NULL is fine */

const char *far_name(const struct far *f);
/* Sets the id under which the dashboard shows the crawl. */
void far_identify(struct far *f, const char *id);

/* Answers a request. */
enum status far_answer(struct far *f, struct call *r) MUST_USE;

/* Appends the overview as /api/crawls/ID gives it; `all`: with the members that never change.
 * *ret_state is one of enum crawl_state; *ret_version changes with the overview. */
enum status far_overview(struct far *f, bool all, struct buf *out, int *ret_state,
                         uint64_t *ret_version) MUST_USE;
