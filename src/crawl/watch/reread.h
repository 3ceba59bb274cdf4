/* reread.h - reads pages of a crawl's directory again, as they were on arrival.
 *
 *     database, archive -> reply -> decode -> parse -> profile
 *
 * The same code reads them as on arrival (crawl/digest.h), so that links, spans and terms are the
 * same; relevance and similarity are the stored ones. It works beside a running crawl and sees its
 * last checkpoint. Costs as much as parsing a page. One thread.
 */
#pragma once

#include "flow.h"
#include "store/read/query.h"

struct df_table;
struct reread;
struct topic;

/* The topic and the directory's name are lent. ST_MISSING or ST_CORRUPT if it is not a crawl. */
enum status reread_open(const char *dir, const struct topic *topic, struct reread **ret) MUST_USE;
void reread_close(struct reread *r);

/* From now on relevance and similarity are computed again instead of taken from the database. */
void reread_judge_anew(struct reread *r);

/* ST_MISSING if it was not committed or not archived, or is not accepted as a document any more.
 * Request and reply have the number of the URL (in that directory), agent, depth, times, header
 * block and body. Release the arrival. */
enum status reread_page(struct reread *r, uint32_t page, struct df_table *table,
                        struct arrival **ret) MUST_USE;

struct query *reread_query(struct reread *r); /* lent */
