/* digest.h - what a world holds, as a few numbers: a directory that was filled anew is
 * another world, whatever its name.
 *
 * Taken from the database alone (URLs, statuses, digests of payloads, redirects, labels
 * and, of a world that moves, times): a second for a million pages. Two worlds made or
 * imported alike have the same one.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

#include <stdbool.h>

struct world_digest {
    struct buf text; /* "pages 0123456789abcdef, answers …, labels …, times …" */
    bool moves;      /* the world does */
};

enum status digest_take(const char *dir, struct world_digest *ret) MUST_USE;
void digest_clear(struct world_digest *d);

/* "pages and labels": which parts of two such texts differ. */
void digest_differences(struct str one, struct str two, struct buf *out);
