/* run_crawl.h - what `crawl` and `resume` have in common: signals, progress,
 * JSON lines, the summary, the exit code. */
#ifndef CLI_RUN_CRAWL_H
#define CLI_RUN_CRAWL_H

#include "crawl/crawl.h"

/* Runs it to its end and closes it; the exit code. */
int run_crawl(struct crawl *c, const struct crawl_options *o);

#endif
