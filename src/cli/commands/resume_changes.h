/* resume_changes.h - options of a crawl that goes on: which of them may be others than before.
 *
 * All may, but for those that would make what is stored untrue. Those that say how a run is
 * shown (--quiet, --json, --dashboard) count for this run alone.
 */
#pragma once

#include "crawl/options.h"

/* Puts what was said into the options that the directory was crawled with. `said` was filled
 * from the command line, a file and the environment, and has no defaults. ST_USAGE: one of them
 * cannot change. New places to start are added to the old ones. */
enum status resume_changes(const char *dir, const struct text_list *given,
                           const struct crawl_options *said, struct crawl_options *o) MUST_USE;

/* Why an option cannot change; NULL: it can. */
const char *resume_fixed(const char *option);
