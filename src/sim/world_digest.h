/* world_digest.h - what a world holds, as a few numbers.
 *
 * Two worlds that were made or imported alike have the same digest; a directory that was filled
 * again is another world, whatever its name. Plans name the digests of their worlds, so that
 * whoever repeats an experiment can see whether it is the same one.
 */
#pragma once

#include "base/buf.h"

struct world_digest {
    struct buf text; /* "pages 0123456789abcdef, answers …, labels …, times …" */
    bool moves;      /* its pages change over time */
};

/* Free `text` in any case. */
enum status world_digest_take(const char *dir, struct world_digest *ret) MUST_USE;
