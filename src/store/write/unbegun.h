/* unbegun.h - what a process leaves behind when it is killed before its first commit.
 *
 * A crawl commits its options and seeds before its first request, so there is a
 * moment when its directory holds a database without anything in it. Nothing was
 * fetched, nothing reported: the same command may begin again. The caller has
 * the lock. Inside store/ only.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* A crawl.db of ours, or an empty one, in which nothing was ever committed. */
bool unbegun_is(const char *dir);

/* Removes it, and nothing else; where there is none, does nothing. `barren`: also one without
 * pages. */
enum status unbegun_clear(const char *dir, bool barren) MUST_USE;
