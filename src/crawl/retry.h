/* retry.h - tries again what failed.
 *
 * Reasons are names of drops ("timeout", "host-dead"), statuses ("503") or
 * groups of them ("5xx"), or "all"; an empty list means the temporary ones: no connection, a
 * timeout, 429 and 5xx. URLs that `brood forget` removed are never tried again.
 *
 * The visits are the engine's own (choice.agent is 0): the model perceives the
 * pages, but is not asked for more; the crawl ends when they are done. A killed
 * retry is resumed like any crawl; URLs that it had not reached stay failed.
 */
#pragma once

#include "crawl/crawl.h"
#include "store/read/query.h"

/* Lists the URLs of DIR that would be tried again. ST_USAGE if there is no such reason. */
enum status retry_list(const char *dir, const struct text_list *reasons, query_failed_fn *fn,
                       void *ctx) MUST_USE;

/* Opens the crawl of DIR to make only these visits. *ret is NULL if there are none. The options are
 * lent, and not stored in DIR. */
enum status crawl_retry(const char *dir, const struct crawl_options *o,
                        const struct text_list *reasons, struct crawl **ret,
                        size_t *ret_count) MUST_USE;
