/* enough.h - how much of the topic is found (agent/outlook.h), and --until SHARE: the crawl ends
 * when that share of what is expected is found.
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

/* Reads "90%" or "0.9". ST_USAGE: it is no such share, or the model makes no estimate. */
enum status enough_check(const struct crawl_options *o) MUST_USE;

void enough_look(struct crawl *c);
/* The last look, when the crawl has ended. */
void enough_close(struct crawl *c);
bool enough_is_found(const struct crawl *c);
