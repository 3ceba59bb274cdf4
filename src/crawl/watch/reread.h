/* reread.h - pages of a crawl's directory, as they were on arrival.
 *
 *     database, archive -> reply -> decode -> parse -> profile
 *
 * The same code reads them as did when they came (crawl/digest.h), so that links,
 * spans and terms are the same; relevance and similarity are those that were
 * stored. It works beside a running crawl and sees its last checkpoint. Costs as
 * much as parsing a page. One thread.
 */
#pragma once

#include "flow.h"
#include "store/read/query.h"

struct df_table;
struct reread;
struct topic;

/* Topic and directory's name are lent. ST_MISSING, ST_CORRUPT: no crawl. */
enum status reread_open(const char *dir, const struct topic *topic, struct reread **ret) MUST_USE;
void reread_close(struct reread *r);

/* Not what was stored: the topic's verdict of today. */
void reread_judge_anew(struct reread *r);

/* ST_MISSING: it was not committed, or not archived; or it is no document today.
 * Of request and reply there is what the page came from: number of its URL (in that
 * directory), agent, depth, times, header block, body. Release the arrival. */
enum status reread_page(struct reread *r, uint32_t page, struct df_table *table,
                        struct arrival **ret) MUST_USE;

struct query *reread_query(struct reread *r); /* lent */
