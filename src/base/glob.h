/* glob.h - patterns with * (any run) and ? (any one character).
 *
 * Bounded time whatever the pattern: at most pattern x text steps, no
 * recursion. Bytes, not characters, except that ? takes a whole UTF-8 sequence.
 */
#pragma once

#include "base/str.h"

/* True where the pattern covers the whole text. */
bool glob_match(struct str pattern, struct str text);
