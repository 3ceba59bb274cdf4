/* index_thread.h - the thread that writes the full-text index while a crawl runs.
 *
 * It reads what the writer has committed, from connections of its own: neither the writer nor
 * the mind waits for it. It is some seconds behind, because it is cheaper to index many pages at
 * once; a search scans the rest. It is told only how many pages are committed. */
#pragma once

#include "base/status.h"

#include <stdint.h>

struct index_thread;

/* Makes index.db first, so that whoever opens the directory from now on finds it. Statuses of
 * index_open(). */
enum status index_thread_start(const char *dir, struct index_thread **ret) MUST_USE;

/* So many pages are committed. Called by the writer; never waits. */
void index_thread_tell(struct index_thread *x, uint64_t committed);

/* Ends the thread after the page it is at; index_build() does what is left. May be NULL. */
void index_thread_end(struct index_thread *x);
