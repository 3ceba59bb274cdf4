/* reader.h - answers for one crawl directory as the dashboard's API does, without a server.
 *
 * With it, a node of a crawl on several machines answers what a dashboard over all nodes asks for
 * (far/far.h). What is expensive is read once and brought up to date with each question
 * (store/read/view.h). One thread at a time.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

struct dash_reader;

struct dash_reader *dash_reader_new(const char *dir);
void dash_reader_free(struct dash_reader *r);

/* The crawl runs, or is paused: a process that answers for itself does not ask itself. */
void dash_reader_runs(struct dash_reader *r, bool paused);

/* `path`: what follows /api/crawls/ID/ (docs/api.md), such as "page/5"; empty: the overview. `query`:
 * its parameters, as question.more has them (cluster/question.h). Only requests that read are
 * answered. ST_MISSING: there is no such thing. *ret_is_text: the answer is no JSON. */
enum status dash_reader_get(struct dash_reader *r, struct str path, struct str query,
                            struct buf *out, bool *ret_is_text) MUST_USE;
