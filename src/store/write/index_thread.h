/* index_thread.h - the thread that writes the full-text index while a crawl runs.
 *
 * It reads what the writer has committed, over connections of its own: neither the writer nor the
 * mind waits for it. It is some seconds behind, because indexing many pages at once is cheaper; a
 * search scans the rest. All it learns from the writer is how many pages are committed. */
#pragma once

#include "base/status.h"

#include <stdint.h>

struct index_thread;

/* Makes index.db first, so that every reader finds it that opens the directory from now on. Returns
 * the statuses of index_open(). */
enum status index_thread_start(const char *dir, struct index_thread **ret) MUST_USE;

/* Called by the writer to say how many pages are committed. Never waits. */
void index_thread_tell(struct index_thread *x, uint64_t committed);

/* Ends the thread after its current page; index_build() indexes the rest. `x` may be NULL. */
void index_thread_end(struct index_thread *x);
