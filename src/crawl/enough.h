/* enough.h - estimates how much of the topic is found (agent/outlook.h). With --until SHARE, the
 * crawl ends when this share of the relevant pages that are expected is found.
 *
 * The estimate is made again when the number of pages has grown by a sixteenth, which costs less
 * than a microsecond a page. It is stored as keys of the crawl (samples.c): "outlook.found",
 * "outlook.more" and so on. Thread: the mind.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>

struct crawl;
struct crawl_options;

/* Reads "90%" or "0.9". ST_USAGE if it is not such a share, or if the model makes no estimate. */
enum status enough_check(const struct crawl_options *o) MUST_USE;

void enough_look(struct crawl *c);
/* Makes the last estimate, when the crawl has ended. */
void enough_close(struct crawl *c);
bool enough_is_found(const struct crawl *c);
