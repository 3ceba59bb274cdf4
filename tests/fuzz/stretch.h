/* stretch.h - a long input out of a short one.
 *
 * Parsers fail at their ceilings, and nobody keeps megabytes in a corpus: so a
 * part of an input, cut where lines, tags or words end, stands in it again and
 * again, each time with another number in it. */
#pragma once

#include "base/rng.h"
#include "base/str.h"

/* The longest input of a fuzzer: beyond the ceilings of pages (links, words), sitemaps,
 * feeds, robots.txt, topics and configurations. tools/fuzz says the same to libFuzzer. */
#define STRETCH_MOST ((size_t)5 << 20)

/* Writes to `out` at most `len` bytes, and hardly fewer; returns how many. */
size_t stretch(struct str input, struct rng *rng, char *out, size_t len);
