/* unbegun.h - what a process leaves behind when it is killed before its first commit.
 *
 * A crawl commits its options and seeds before its first request, so there is a
 * moment when its directory holds an empty database. Nothing was fetched and nothing reported: the
 * same command may start again. The caller has the lock. For use inside store/ only.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Is there a crawl.db of ours, or an empty one, in which nothing was ever committed? */
bool unbegun_is(const char *dir);

/* A crawl.db of ours in which no page was ever stored and nothing was marked. It may have places to
 * start and failures. */
bool barren_is(const char *dir);

/* Removes it, and nothing else; does nothing if there is none. `barren`: also removes one that has
 * no pages. */
enum status unbegun_clear(const char *dir, bool barren) MUST_USE;
