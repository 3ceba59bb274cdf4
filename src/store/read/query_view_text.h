/* query_view_text.h - the full text of a crawl whose own index is not complete: it runs,
 * was killed, or nobody has searched it yet.
 *
 * An index beside the crawl, in a private database that SQLite keeps in memory up to some
 * MiB and then in a nameless file where the system has its temporary ones: nothing is written to the
 * crawl's directory, and nothing is left behind. Same words and columns as page_text
 * (schema.c), no copy of the texts.
 *
 * It is fed in slices by whoever has time, from a connection of its own. Any thread may
 * feed or ask; one at a time is inside, so an answer waits for one slice at most. Who
 * shares it holds it: query_text_hold(), query_text_release().
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct query_text;

/* Of the pages after number `base`: those up to it are in the crawl's own index. Held once. */
enum status query_text_open(const char *dir, int64_t base, struct query_text **ret) MUST_USE;
struct query_text *query_text_hold(struct query_text *t);
void query_text_release(struct query_text *t); /* may be NULL */

/* Reads on for about `us` microseconds. *ret_more: there is more to read. A failure (no
 * room for temporary files) is final: what is in it stays searchable no more, and nothing
 * is read. */
enum status query_text_feed(struct query_text *t, int64_t us, bool *ret_more) MUST_USE;

/* Pages after number `after` that fit an expression of FTS5, in order; all up to *ret_last
 * were looked at. `deadline`: clock_now() beyond which it ends with ST_STOPPED; 0: never. */
typedef void query_text_fn(void *ctx, int64_t page);
enum status query_text_match(struct query_text *t, struct str expression, int64_t after,
                             int64_t deadline, query_text_fn *fn, void *ctx,
                             int64_t *ret_last) MUST_USE;

int64_t query_text_base(const struct query_text *t);
