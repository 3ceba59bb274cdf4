/* retry.h - tries again what failed.
 *
 * Reasons are names of drops ("timeout", "host-dead"), statuses ("503") or
 * groups of them ("5xx"), or "all"; an empty list means those that pass: no
 * connection, a deadline, 429 and 5xx. What the user had forgotten is never
 * tried again.
 *
 * The visits are the engine's own (choice.agent is 0): the model perceives the
 * pages, but is not asked for more; the crawl ends when they are done. A killed
 * retry is resumed like any crawl; URLs it had not come to stay failed.
 */
#pragma once

#include "crawl/crawl.h"
#include "store/read/query.h"

/* Every URL of DIR that would be tried again. ST_USAGE: no such reason. */
enum status retry_list(const char *dir, const struct text_list *reasons, query_failed_fn *fn,
                       void *ctx) MUST_USE;

/* The crawl of DIR with only these visits before it. *ret is NULL where there
 * is none. The options are lent, and not kept in DIR. */
enum status crawl_retry(const char *dir, const struct crawl_options *o,
                        const struct text_list *reasons, struct crawl **ret,
                        size_t *ret_count) MUST_USE;
