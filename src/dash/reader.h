/* reader.h - gives the answers of the dashboard's API for one crawl directory, without a server.
 *
 * With it, a node of a crawl on several machines answers the questions of a dashboard over all
 * nodes (far/far.h). Data that is expensive to compute is kept and updated with each question
 * (store/read/view.h). Used by one thread at a time.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

struct dash_reader;

struct dash_reader *dash_reader_new(const char *dir);
void dash_reader_free(struct dash_reader *r);

/* Sets that the crawl runs, or is paused: a process that answers for its own crawl does not ask
 * itself. */
void dash_reader_runs(struct dash_reader *r, bool paused);

/* `path`: what follows /api/crawls/ID/ (docs/api.md), such as "page/5"; empty: the overview. `query`:
 * its parameters, as question.more has them (cluster/question.h). Only requests that read are
 * answered. ST_MISSING if there is no such view or item. *ret_is_text: the answer is not JSON. */
enum status dash_reader_get(struct dash_reader *r, struct str path, struct str query,
                            struct buf *out, bool *ret_is_text) MUST_USE;
