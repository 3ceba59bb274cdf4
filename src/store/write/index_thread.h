/* index_thread.h - the thread that writes the full-text index while a crawl runs.
 *
 * It reads what the writer has committed, from connections of its own: neither the writer nor
 * the mind waits for it. It is some seconds behind, because many pages at once cost less; who
 * searches scans the rest. It is not told which pages there are, only that there are more. */
#pragma once

#include "base/status.h"

#include <stdint.h>

struct index_thread;

/* Makes index.db first: who opens the directory from now on finds it. Statuses of index_open(). */
enum status index_thread_start(const char *dir, struct index_thread **ret) MUST_USE;

/* So many pages are committed. Called by the writer; never waits. */
void index_thread_tell(struct index_thread *x, uint64_t committed);

/* Ends the thread after the page it is at: what is left is for index_build(). NULL is ended. */
void index_thread_end(struct index_thread *x);
