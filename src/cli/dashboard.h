/* dashboard.h - the dashboard inside a crawling process: --dashboard[=PORT]. */
#pragma once

#include "base/status.h"

struct dash;

/* Can it be had, and is it a port? To be asked before anything is made. */
enum status dashboard_check(const char *port) MUST_USE;

/* Serves the crawl in `dir` and says where, on standard error. `port`: "auto" or a number that
 * passed the check; NULL: nothing is done. */
enum status dashboard_start(const char *dir, const char *port, struct dash **ret) MUST_USE;
void dashboard_stop(struct dash *d);
