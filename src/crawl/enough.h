/* enough.h - how much of the topic is found (agent/outlook.h), and --until SHARE: the crawl ends
 * when that share of what is expected is found.
 *
 * Looked at when the pages have grown by a sixteenth: less than a microsecond a page. Kept as
 * keys of the crawl (samples.c): "outlook.found", "outlook.more" and so on. Thread: the mind.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>

struct crawl;
struct crawl_options;

/* "90%" or "0.9". ST_USAGE: no such share, or the model cannot tell. */
enum status enough_check(const struct crawl_options *o) MUST_USE;

void enough_look(struct crawl *c);
/* The last look, when the crawl has ended. */
void enough_close(struct crawl *c);
bool enough_is_found(const struct crawl *c);
