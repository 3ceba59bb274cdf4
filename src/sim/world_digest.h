/* world_digest.h - what a world holds, as a few numbers.
 *
 * Two worlds that were made or imported in the same way have the same digest; if a directory is
 * filled with something else, its digest changes although its name does not. Plans name the digests
 * of their worlds, so that anybody who repeats an experiment can see whether its world is the same.
 */
#pragma once

#include "base/buf.h"

struct world_digest {
    struct buf text; /* "pages 0123456789abcdef, answers …, labels …, times …" */
    bool moves;      /* its pages change over time */
};

/* Computes the digest of a world. Free `text` in any case. */
enum status world_digest_take(const char *dir, struct world_digest *ret) MUST_USE;
