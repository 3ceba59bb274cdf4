/* fold.h - turns a log into a snapshot.
 *
 * In: the chunks of an older snapshot, if there is one, and the batches after it, in the order of
 * the log. Out: the messages of the new snapshot. Pure: every node makes the same snapshot from the
 * same log.
 *
 * Of several links to a URL, the one of the most relevant page is kept, with the least depth of
 * all. For a URL that was visited or dropped, its text, its depth and the node that reported it are
 * kept, because a user may ask later which pages a lost disk had (lost.h). Pauses of hosts that
 * ended long ago are left out.
 */
#pragma once

#include "cluster/snapshot.h"

struct fold;

struct fold *fold_new(void);
void fold_free(struct fold *f); /* NULL is fine */

/* Adds a batch of the log, or a chunk. Broken and repeated ones are left out. */
void fold_take(struct fold *f, struct str bytes);

/* Writes the chunks, and then the mark, with id, upto and before as in `head`. `now`: us since
 * 1970. ST_LIMIT if it would be too large. */
typedef void fold_fn(void *ctx, struct str message);
enum status fold_write(const struct fold *f, const struct snapshot_head *head, int64_t now,
                       fold_fn *fn, void *ctx) MUST_USE;
